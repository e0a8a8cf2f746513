#include "cuda/cuda_runtime.h"

#include <ATen/Context.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <filesystem>
#include <mutex>

namespace plumbline::cuda {

namespace {

std::atomic<bool> loaded{false};

tl::unexpected<Error> without(const std::string& reason, const std::string& hint) {
    return fail(ErrorKind::kMachine, "no-cuda", "CUDA cannot be used: " + reason + ".", "", hint);
}

std::string folderOf(const void* symbol) {
    Dl_info info{};
    if (dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) {
        return {};
    }
    std::error_code error;
    const std::filesystem::path file = std::filesystem::canonical(info.dli_fname, error);
    return error ? std::string() : file.parent_path().string();
}

std::string lastLoaderError() {
    const char* text = dlerror();
    return text == nullptr ? "the loader gives no reason" : text;
}

Status load() {
    if (dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) == nullptr) {
        return without("this machine has no NVIDIA driver (libcuda.so.1)",
                       "Install the driver, or train with --device cpu.");
    }
    // Beside the CPU half, which is where LibTorch keeps it.
    const std::string folder = folderOf(reinterpret_cast<const void*>(&at::globalContext));
    const std::string file = folder.empty() ? "libtorch_cuda.so" : folder + "/libtorch_cuda.so";
    if (!folder.empty() && !std::filesystem::exists(file)) {
        return without("LibTorch's CUDA half (libtorch_cuda.so) is not installed in " + folder,
                       "Run tools/fetch-libtorch --with-cuda, or train with --device cpu.");
    }
    if (dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
        return without(lastLoaderError(),
                       "Install the NVIDIA libraries that LibTorch names, or train with --device cpu.");
    }
    try {
        if (!at::globalContext().hasCUDA()) {
            return without("the driver offers no device", "Check nvidia-smi, or train with --device cpu.");
        }
        at::globalContext().lazyInitDevice(c10::DeviceType::CUDA);
    } catch (const std::exception& error) {
        return without(error.what(), "Check nvidia-smi, or train with --device cpu.");
    }
    loaded = true;
    return {};
}

}  // namespace

Status loadCuda() {
    static const Status status = load();
    return status;
}

bool cudaLoaded() {
    return loaded;
}

std::string ownFolder() {
    return folderOf(reinterpret_cast<const void*>(&loadCuda));
}

}  // namespace plumbline::cuda
