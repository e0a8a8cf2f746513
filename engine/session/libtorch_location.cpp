// Where LibTorch is: what a person names, else the per-user cache.

#include <fmt/format.h>
#include <cstdlib>

#include "core/files.h"
#include "session/engine.h"

namespace plumbline::session {
namespace {

constexpr const char* kCacheName = "libtorch-2.13.0";
constexpr const char* kHint =
    "Fetch it with: plumbline fetch-libtorch, or set PLUMBLINE_LIBTORCH to a folder that has include/ and lib/.";

bool holdsLibTorch(const std::filesystem::path& folder) {
    std::error_code error;
    return std::filesystem::exists(folder / "libtorch_cpu.so", error) &&
           std::filesystem::exists(folder / "libc10.so", error);
}

}  // namespace

Result<LibTorchLocation> findLibTorch() {
    if (const char* named = std::getenv("PLUMBLINE_LIBTORCH"); named != nullptr && *named != '\0') {
        for (const std::filesystem::path& folder :
             {std::filesystem::path(named) / "lib", std::filesystem::path(named) / "torch" / "lib",
              std::filesystem::path(named)}) {
            if (holdsLibTorch(folder)) {
                return LibTorchLocation{folder, "PLUMBLINE_LIBTORCH"};
            }
        }
        return fail(ErrorKind::kMachine, "libtorch-missing",
                    fmt::format("PLUMBLINE_LIBTORCH names {}, which has no lib/libtorch_cpu.so", named), named,
                    "Point it at a LibTorch 2.13.0, or unset it.");
    }
    const std::filesystem::path cached = userCacheFolder() / kCacheName / "torch" / "lib";
    if (holdsLibTorch(cached)) {
        return LibTorchLocation{cached, "cache"};
    }
    return fail(ErrorKind::kMachine, "libtorch-missing", fmt::format("LibTorch 2.13.0 is not in {}", cached.string()),
                cached.string(), kHint);
}

}  // namespace plumbline::session
