// Native code as AOTInductor makes it, for tests: the functions that LibTorch's loader asks a package's library for. It
// gives 2 x + 1 of its first input, plus the sum of the others where there are some; the file "behaviour.txt" that is
// unpacked beside it makes it lie in some other way.

#include <dlfcn.h>
#include <torch/csrc/inductor/aoti_runtime/interface.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Container {
    std::string behaviour;
};

void require(AOTITorchError error) {
    if (error != AOTI_TORCH_SUCCESS) {
        throw std::runtime_error("a call into LibTorch failed");
    }
}

std::vector<std::int64_t> sizesOf(AtenTensorHandle tensor) {
    std::int64_t rank = 0;
    std::int64_t* sizes = nullptr;
    require(aoti_torch_get_dim(tensor, &rank));
    require(aoti_torch_get_sizes(tensor, &sizes));
    return {sizes, sizes + rank};
}

float* valuesOf(AtenTensorHandle tensor) {
    void* values = nullptr;
    require(aoti_torch_get_data_ptr(tensor, &values));
    return static_cast<float*>(values);
}

AtenTensorHandle make(const std::vector<std::int64_t>& sizes, std::int32_t dtype) {
    std::vector<std::int64_t> strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;) {
        strides[i - 1] = strides[i] * sizes[i];
    }
    AtenTensorHandle made = nullptr;
    require(aoti_torch_empty_strided(static_cast<std::int64_t>(sizes.size()), sizes.data(), strides.data(), dtype,
                                     aoti_torch_device_type_cpu(), 0, &made));
    return made;
}

/// As code of AOTInductor does it, "compiled for 8" compares its inputs with [B, 8] of at least 2 (of at least 6, "from
/// 6 on"), "channels last" with other strides: only if the environment says so when it is first called.
void check(const Container& container, AtenTensorHandle input) {
    static const char* const wish = std::getenv("AOTI_RUNTIME_CHECK_INPUTS");
    static const bool checks = wish != nullptr && *wish != '0';
    if (!checks) {
        return;
    }
    const std::vector<std::int64_t> sizes = sizesOf(input);
    const std::int64_t least = container.behaviour == "from 6 on" ? 6 : 2;
    if (sizes.at(0) < least) {
        throw std::runtime_error("input_handles[0]: dim value is too small at 0, expected it to be >= " +
                                 std::to_string(least) + ", but got: " + std::to_string(sizes[0]) + "\n");
    }
    if (container.behaviour == "compiled for 8" && sizes.at(1) != 8) {
        throw std::runtime_error(
            "input_handles[0]: unmatched dim value at 1, expected: 8, but got: " + std::to_string(sizes[1]) + "\n");
    }
    if (container.behaviour == "channels last") {
        throw std::runtime_error("input_handles[0]: unmatched stride value at 1, expected: 1, but got: 4\n");
    }
}

AtenTensorHandle compute(const Container& container, AtenTensorHandle* inputs, std::size_t count) {
    std::vector<std::int64_t> sizes = sizesOf(inputs[0]);
    if (container.behaviour == "wrong dtype") {
        return make(sizes, aoti_torch_dtype_float64());
    }
    if (container.behaviour == "wrong shape") {
        sizes.back() += 1;
        return make(sizes, aoti_torch_dtype_float32());
    }
    if (container.behaviour == "writes its input") {
        *valuesOf(inputs[0]) = 77;
    }
    AtenTensorHandle output = make(sizes, aoti_torch_dtype_float32());
    std::int64_t numel = 1;
    for (const std::int64_t size : sizes) {
        numel *= size;
    }
    // As compiled code does, it takes the values for contiguous and every input for as large as the first.
    for (std::int64_t i = 0; i < numel; ++i) {
        float value = 2 * valuesOf(inputs[0])[i] + 1;
        for (std::size_t other = 1; other < count; ++other) {
            value += valuesOf(inputs[other])[i];
        }
        valuesOf(output)[i] = value;
    }
    return output;
}

const char* g_nothing = "";
std::string g_error = "the package says no";

/// The folder that this library was unpacked into: the loader tells code for the CPU of none.
std::string ownFolder() {
    Dl_info info{};
    const std::string file = ::dladdr(&g_nothing, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
    return file.substr(0, file.rfind('/') + 1);
}

}  // namespace

extern "C" {

AOTIRuntimeError AOTInductorModelContainerCreateWithDevice(AOTInductorModelContainerHandle* container, size_t,
                                                           const char*, const char*) {
    auto* made = new Container;
    std::ifstream file(ownFolder() + "behaviour.txt");
    std::getline(file, made->behaviour);
    *container = reinterpret_cast<AOTInductorModelContainerHandle>(made);
    return made->behaviour == "does not start" ? AOTI_RUNTIME_FAILURE : AOTI_RUNTIME_SUCCESS;
}

AOTIRuntimeError AOTInductorModelContainerDelete(AOTInductorModelContainerHandle container) {
    delete reinterpret_cast<Container*>(container);
    return AOTI_RUNTIME_SUCCESS;
}

AOTIRuntimeError AOTInductorModelContainerGetNumOutputs(AOTInductorModelContainerHandle container, size_t* count) {
    *count = reinterpret_cast<Container*>(container)->behaviour == "two outputs" ? 2 : 1;
    return AOTI_RUNTIME_SUCCESS;
}

AOTIRuntimeError AOTInductorModelContainerRunSingleThreaded(AOTInductorModelContainerHandle handle,
                                                            AtenTensorHandle* inputs, size_t inputCount,
                                                            AtenTensorHandle* outputs, size_t outputCount,
                                                            AOTInductorStreamHandle, AOTIProxyExecutorHandle) {
    const Container& container = *reinterpret_cast<Container*>(handle);
    if (container.behaviour == "throws") {
        throw std::runtime_error("the package gives up");
    }
    g_error = "the package says no";
    if (container.behaviour == "fails") {
        return AOTI_RUNTIME_FAILURE;
    }
    if (container.behaviour == "one input" && inputCount != 1) {
        g_error = "expected inputs vector size to be 1, but got " + std::to_string(inputCount);
        return AOTI_RUNTIME_FAILURE;
    }
    try {
        check(container, inputs[0]);
    } catch (const std::exception& error) {
        g_error = error.what();
        return AOTI_RUNTIME_FAILURE;
    }
    for (size_t i = 0; i < outputCount; ++i) {
        // An input given out again is still the caller's memory.
        outputs[i] = container.behaviour == "gives its input" ? inputs[0] : compute(container, inputs, inputCount);
    }
    for (size_t i = container.behaviour == "gives its input" ? 1 : 0; i < inputCount; ++i) {
        aoti_torch_delete_tensor_object(inputs[i]);
    }
    return AOTI_RUNTIME_SUCCESS;
}

AOTIRuntimeError AOTInductorModelContainerRun(AOTInductorModelContainerHandle handle, AtenTensorHandle* inputs,
                                              size_t inputCount, AtenTensorHandle* outputs, size_t outputCount,
                                              AOTInductorStreamHandle stream, AOTIProxyExecutorHandle executor) {
    return AOTInductorModelContainerRunSingleThreaded(handle, inputs, inputCount, outputs, outputCount, stream,
                                                      executor);
}

// What is asked for and not used: this code has no constants.
AOTIRuntimeError AOTInductorModelContainerGetNumConstants(AOTInductorModelContainerHandle, size_t* count) {
    *count = 0;
    return AOTI_RUNTIME_SUCCESS;
}
AOTIRuntimeError AOTInductorModelContainerGetConstantName(AOTInductorModelContainerHandle, size_t, const char**) {
    return AOTI_RUNTIME_FAILURE;
}
AOTIRuntimeError AOTInductorModelContainerGetConstantOriginalFQN(AOTInductorModelContainerHandle, size_t,
                                                                 const char**) {
    return AOTI_RUNTIME_FAILURE;
}
AOTIRuntimeError AOTInductorModelContainerGetConstantDtype(AOTInductorModelContainerHandle, size_t, int32_t*) {
    return AOTI_RUNTIME_FAILURE;
}
AOTIRuntimeError AOTInductorModelContainerUpdateConstantBuffer(AOTInductorModelContainerHandle,
                                                               AOTInductorConstantMapHandle, bool, bool) {
    return AOTI_RUNTIME_FAILURE;
}
AOTIRuntimeError AOTInductorModelContainerUpdateInactiveConstantBuffer(AOTInductorModelContainerHandle,
                                                                       AOTInductorConstantMapHandle) {
    return AOTI_RUNTIME_FAILURE;
}
AOTIRuntimeError AOTInductorModelContainerRunConstantFolding(AOTInductorModelContainerHandle, bool,
                                                             AOTInductorStreamHandle, AOTIProxyExecutorHandle) {
    return AOTI_RUNTIME_FAILURE;
}
AOTIRuntimeError AOTInductorModelContainerSwapConstantBuffer(AOTInductorModelContainerHandle) {
    return AOTI_RUNTIME_FAILURE;
}
AOTIRuntimeError AOTInductorModelContainerGetCallSpec(AOTInductorModelContainerHandle, const char** in,
                                                      const char** out) {
    *in = *out = g_nothing;
    return AOTI_RUNTIME_SUCCESS;
}

AOTIRuntimeError AOTInductorModelContainerFreeInactiveConstantBuffer(AOTInductorModelContainerHandle) {
    return AOTI_RUNTIME_FAILURE;
}
AOTIRuntimeError AOTInductorModelContainerExtractConstantsMap(AOTInductorModelContainerHandle,
                                                              AOTInductorConstantMapHandle, bool) {
    return AOTI_RUNTIME_FAILURE;
}
AOTIRuntimeError AOTInductorModelContainerUpdateUserManagedConstantBuffer(AOTInductorModelContainerHandle,
                                                                          AOTInductorConstantMapHandle, bool, bool) {
    return AOTI_RUNTIME_FAILURE;
}
AOTIRuntimeError AOTInductorModelContainerUpdateConstantBufferFromCpu(AOTInductorModelContainerHandle,
                                                                      AOTInductorConstantMapHandle, bool, bool) {
    return AOTI_RUNTIME_FAILURE;
}
AOTIRuntimeError AOTInductorModelContainerGetConstantsBlobSize(AOTInductorModelContainerHandle, uint64_t* size) {
    *size = 0;
    return AOTI_RUNTIME_SUCCESS;
}
AOTIRuntimeError AOTInductorModelUpdateConstantsFromBlob(AOTInductorModelContainerHandle, const uint8_t*) {
    return AOTI_RUNTIME_FAILURE;
}
AOTIRuntimeError AOTInductorGetLastError(const char** message) {
    *message = g_error.c_str();
    return AOTI_RUNTIME_SUCCESS;
}

}  // extern "C"
