#include "train/versions.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <torch/csrc/api/include/torch/version.h>

#include <fstream>
#include <string>

#include "cuda/cuda_runtime.h"

namespace plumbline::train {

namespace {

#ifdef __clang__
constexpr const char* kCompiler = __VERSION__;  // "Debian Clang 14.0.6"
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif

std::string cpuName() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) {
            const std::size_t colon = line.find(": ");
            return colon == std::string::npos ? line : line.substr(colon + 2);
        }
    }
    return "unknown";
}

std::string systemName() {
    utsname name{};
    if (::uname(&name) != 0) {
        return "unknown";
    }
    std::ifstream release("/etc/os-release");
    for (std::string line; std::getline(release, line);) {
        if (line.starts_with("PRETTY_NAME=\"")) {
            return fmt::format("{}, {} {}", line.substr(13, line.size() - 14), name.sysname, name.release);
        }
    }
    return fmt::format("{} {}", name.sysname, name.release);
}

}  // namespace

Json versions() {
    Json json = {{"plumbline", PLUMBLINE_VERSION},
                 {"libtorch", TORCH_VERSION},
                 {"compiler", kCompiler},
                 {"os", systemName()},
                 {"cpu", cpuName()},
                 {"mkl", at::Context::hasMKL()},
                 {"onednn", at::Context::hasMKLDNN()},
                 {"cuda", nullptr}};
    if (cuda::cudaLoaded()) {
        json["cuda"] = at::detail::getCUDAHooks().versionCUDART();
    }
    return json;
}

}  // namespace plumbline::train
