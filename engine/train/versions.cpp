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

/// The NVIDIA driver's, "" without one.
std::string driverVersion() {
    std::string version;
    std::ifstream("/sys/module/nvidia/version") >> version;
    if (version.empty()) {
        // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 …"
        std::ifstream file("/proc/driver/nvidia/version");
        for (std::string word; version.empty() && file >> word;) {
            const bool isVersion =
                word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos;
            version = isVersion ? word : "";
        }
    }
    return version;
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
                 {"driver", nullptr},
                 {"cuda", nullptr}};
    if (const std::string driver = driverVersion(); !driver.empty()) {
        json["driver"] = driver;
    }
    if (cuda::cudaLoaded()) {
        json["cuda"] = at::detail::getCUDAHooks().versionCUDART();
    }
    return json;
}

}  // namespace plumbline::train
