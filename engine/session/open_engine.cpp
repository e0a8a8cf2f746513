// Opens LibTorch and the runtime in an order in which everything is set before it is read.

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>

#include "core/text.h"
#include "session/engine.h"
#include "session/engine_abi.h"

namespace plumbline::session {
namespace {

constexpr const char* kRuntime = "libplumbline_runtime.so";
constexpr std::size_t kRoomForLibTorch = std::size_t{500} << 20;

Result<void*> openLibrary(const std::filesystem::path& file, const char* code, const std::string& hint) {
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle == nullptr) {
        const char* reason = dlerror();
        return fail(ErrorKind::kMachine, code,
                    fmt::format("{} cannot be loaded: {}", file.filename().string(),
                                reason != nullptr ? reason : "no reason given"),
                    file.string(), hint);
    }
    return handle;
}

Result<std::filesystem::path> findRuntime() {
    if (const char* named = std::getenv("PLUMBLINE_RUNTIME"); named != nullptr && *named != '\0') {
        std::error_code missing;
        if (!std::filesystem::exists(named, missing)) {
            return fail(ErrorKind::kMachine, "runtime-missing",
                        fmt::format("PLUMBLINE_RUNTIME names {}, which does not exist", named), named,
                        "Point it at libplumbline_runtime.so, or unset it.");
        }
        return std::filesystem::path(named);
    }
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    // Beside the program as built, as installed, and for test programs one folder deeper.
    for (const char* relative : {"../lib", "../lib/plumbline", "../../lib", "."}) {
        const std::filesystem::path candidate = (program / relative / kRuntime).lexically_normal();
        if (std::filesystem::exists(candidate, error)) {
            return candidate;
        }
    }
    return fail(ErrorKind::kMachine, "runtime-missing", fmt::format("{} is not beside the program", kRuntime),
                program.string(), "Build the target plumbline_runtime, or install the package again.");
}

/// The wheel keeps CUDA's small run-time libraries in a sibling folder that its own run path names; a LibTorch laid out
/// otherwise may need them opened first.
void openSiblings(const std::filesystem::path& libraryFolder) {
    const std::filesystem::path nvidia = (libraryFolder / "../../nvidia/cu13/lib").lexically_normal();
    for (const char* name : {"libcudart.so.13", "libcupti.so.13"}) {
        std::error_code error;
        if (std::filesystem::exists(nvidia / name, error)) {
            (void)dlopen((nvidia / name).c_str(), RTLD_NOW | RTLD_GLOBAL);
        }
    }
}

/// The dynamic loader ends the program when memory runs out in the middle of loading.
Status requireRoom() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return {};
    }
    void* const room =
        mmap(nullptr, kRoomForLibTorch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        return fail(ErrorKind::kMachine, "out-of-memory",
                    fmt::format("LibTorch needs {} MiB of memory to load, and this process may have {} in all",
                                kRoomForLibTorch >> 20, limit.rlim_cur >> 20),
                    {}, "Raise the limit on memory (ulimit -v).");
    }
    munmap(room, kRoomForLibTorch);
    return {};
}

struct Remarks {
    std::mutex mutex;
    std::vector<std::string> said;
};

Remarks& remarks() {
    static Remarks all;
    return all;
}

/// As the thread library takes a number of threads: whole numbers from 1, one for each level of nesting.
bool isThreadCount(std::string_view text) {
    const bool begins = !text.empty() && text.front() >= '1' && text.front() <= '9';
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    return begins && end < 10 && (end == text.size() || (text[end] == ',' && isThreadCount(text.substr(end + 1))));
}

/// What the thread library would ignore with a line of its own on standard error is taken away from it and told by us.
void takeAwayWrongThreadCounts() {
    for (const char* name : {"OMP_NUM_THREADS", "OMP_THREAD_LIMIT"}) {
        const char* const value = std::getenv(name);
        if (value == nullptr || isThreadCount(value)) {
            continue;
        }
        const std::scoped_lock lock(remarks().mutex);
        remarks().said.push_back(
            fmt::format("The environment variable {} is \"{}\", which the thread library does not understand; it is "
                        "ignored. Correct or unset it.",
                        name, shortened(value)));
        unsetenv(name);
    }
}

Result<std::shared_ptr<Engine>> openOnce() {
    PLUMBLINE_ASSIGN(const LibTorchLocation location, findLibTorch());
    PLUMBLINE_ASSIGN(const std::filesystem::path runtime, findRuntime());
    PLUMBLINE_TRY(requireRoom());
    prepareProcess();
    openSiblings(location.libraryFolder);
    const std::string hint = "Remove the folder and run plumbline fetch-libtorch again.";
    PLUMBLINE_TRY(openLibrary(location.libraryFolder / "libc10.so", "libtorch-broken", hint));
    PLUMBLINE_TRY(openLibrary(location.libraryFolder / "libtorch_cpu.so", "libtorch-broken", hint));
    PLUMBLINE_ASSIGN(
        void* const library,
        openLibrary(runtime, "runtime-broken", "It needs LibTorch 2.13.0; check PLUMBLINE_LIBTORCH, or build again."));
    const auto make = reinterpret_cast<MakeEngine>(dlsym(library, kMakeEngineSymbol));
    Engine* engine = make != nullptr ? make(kEngineAbi) : nullptr;
    if (engine == nullptr) {
        return fail(ErrorKind::kMachine, "runtime-mismatch",
                    fmt::format("{} belongs to another version of Plumbline", runtime.string()), runtime.string(),
                    "Build or install program and runtime together.");
    }
    return std::shared_ptr<Engine>(engine);
}

}  // namespace

void prepareProcess() {
    static std::once_flag s_once;
    std::call_once(s_once, [] {
        // Idle OpenMP threads sleep instead of spinning: the window's thread gets its core back.
        setenv("OMP_WAIT_POLICY", "PASSIVE", 0);
        // cuBLAS repeats its results only with a workspace of fixed size; read when its handle is made.
        setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
        // A trace's profiler writes lines of its own to the terminal; what goes wrong shows in the file that it makes.
        setenv("KINETO_LOG_LEVEL", "99", 0);
        takeAwayWrongThreadCounts();
    });
}

std::vector<std::string> takeOpeningRemarks() {
    const std::scoped_lock lock(remarks().mutex);
    return std::exchange(remarks().said, {});
}

Result<std::shared_ptr<Engine>> openEngine() {
    static std::mutex mutex;
    static std::shared_ptr<Engine> opened;
    const std::scoped_lock lock(mutex);
    if (!opened) {
        // A failure is not kept: LibTorch may be fetched and the next call succeed.
        PLUMBLINE_ASSIGN(opened, openOnce());
    }
    return opened;
}

}  // namespace plumbline::session
