#include "session/fetch_tool.h"

#include <system_error>

namespace plumbline::session {

Result<std::filesystem::path> findFetchTool() {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    // build/<preset>/bin/ lies three folders below the source tree.
    for (const char* relative : {"../libexec/plumbline/fetch-libtorch", "../../../tools/fetch-libtorch"}) {
        const std::filesystem::path candidate = (program.parent_path() / relative).lexically_normal();
        if (std::filesystem::exists(candidate, error)) {
            return candidate;
        }
    }
    return fail(ErrorKind::kMachine, "fetch-tool-missing", "The tool that fetches LibTorch is not beside the program",
                program.string(),
                "Install the package again, or set PLUMBLINE_LIBTORCH to a folder with LibTorch's include/ and lib/.");
}

}  // namespace plumbline::session
