/* The interface of libplumbline_cuda.so: plain C, so that the library needs neither LibTorch nor this program's headers
   and the program needs no CUDA to be built or started. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLUMBLINE_FLOAT32 = 0, PLUMBLINE_FLOAT16 = 1, PLUMBLINE_BFLOAT16 = 2, PLUMBLINE_FLOAT64 = 3 };

typedef struct {
    const void* data; /* on the device, contiguous */
    int64_t count;    /* elements, at least 1 */
    int64_t dtype;    /* PLUMBLINE_FLOAT32 … */
} PlumblineTensor;

typedef struct {
    double sum_squares; /* over the finite elements */
    double max_abs;     /* over the finite elements */
    int64_t non_finite;
} PlumblineStatistics;

/* Bytes of device memory that plumbline_gradient_statistics needs for these tensors. */
size_t plumbline_gradient_workspace(const PlumblineTensor* tensors, int64_t count);

/* Fills `results` (host memory, one a tensor) with one kernel launch on `stream` (a cudaStream_t) of `device`, and
   waits for it. `workspace` is device memory aligned to 16 bytes. Gives 0, or CUDA's error code. */
int plumbline_gradient_statistics(int device, const PlumblineTensor* tensors, int64_t count, void* workspace,
                                  PlumblineStatistics* results, void* stream);

/* The text of an error code. */
const char* plumbline_cuda_error(int code);

#ifdef __cplusplus
}
#endif
