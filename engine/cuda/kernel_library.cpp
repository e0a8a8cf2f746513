#include "cuda/kernel_library.h"

#include <dlfcn.h>

#include <filesystem>

#include "cuda/cuda_runtime.h"

namespace plumbline::cuda {

namespace {

KernelLibrary open() {
    KernelLibrary library;
    library.reason = "libplumbline_cuda.so is not there: this build had no nvcc";
    const std::filesystem::path own = ownFolder();
    for (const char* folder : {".", "../lib", "../../lib"}) {
        const std::filesystem::path file = own / folder / "libplumbline_cuda.so";
        std::error_code ignored;
        if (!std::filesystem::exists(file, ignored)) {
            continue;
        }
        void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
            const char* text = dlerror();
            library.reason = text == nullptr ? file.string() + " cannot be opened" : text;
            continue;
        }
        const auto find = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
        };
        find(library.workspace, "plumbline_gradient_workspace");
        find(library.error, "plumbline_cuda_error");
        find(library.statistics, "plumbline_gradient_statistics");
        if (library.workspace == nullptr || library.error == nullptr) {
            library.statistics = nullptr;
        }
        library.file = file.string();
        library.reason = library.ok() ? "" : file.string() + " belongs to another version";
        return library;
    }
    return library;
}

}  // namespace

const KernelLibrary& kernelLibrary() {
    static const KernelLibrary library = open();
    return library;
}

}  // namespace plumbline::cuda
