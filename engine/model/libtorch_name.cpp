#include "model/libtorch_name.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

namespace plumbline::model {
namespace {

constexpr const char* kFile = "libplumbline_libtorch_name.so";

/// Where the library is that this function is part of.
std::filesystem::path ownFolder() {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<const void*>(&answerToLibTorchsName), &info) == 0 || info.dli_fname == nullptr) {
        return {};
    }
    std::error_code error;
    const std::filesystem::path file = info.dli_fname;
    return file.has_parent_path() ? std::filesystem::absolute(file, error).parent_path() : std::filesystem::path();
}

}  // namespace

Status answerToLibTorchsName() {
    if (::dlopen("libtorch.so", RTLD_NOW | RTLD_NOLOAD) != nullptr) {
        return {};
    }
    // Beside the runtime and nowhere else: what lies in another place is not ours.
    std::error_code error;
    const std::filesystem::path folder = ownFolder();
    if (!folder.empty() && std::filesystem::exists(folder / kFile, error) &&
        ::dlopen((folder / kFile).c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) {
        return {};
    }
    return fail(ErrorKind::kMachine, "runtime-broken",
                fmt::format("{} is not beside the program, and compiled packages cannot be loaded without it", kFile),
                "", "Build the target plumbline_libtorch_name, or install the package again.");
}

}  // namespace plumbline::model
