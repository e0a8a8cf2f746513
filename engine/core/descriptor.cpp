#include "core/descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/files.h"

namespace plumbline {
namespace {

Status requireRegular(const struct stat& info, const std::filesystem::path& file) {
    if (S_ISREG(info.st_mode)) {
        return {};
    }
    return fail(S_ISDIR(info.st_mode) ? fileError(EISDIR, "read", file)
                                      : Error{ErrorKind::kInvalid, "not-a-file",
                                              fmt::format("Cannot read {}: it is no regular file", file.string()),
                                              file.string(), "Name a file."});
}

}  // namespace

Descriptor::~Descriptor() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

Result<RegularFile> openRegularFile(const std::filesystem::path& file) {
    struct stat info {};
    if (::stat(file.c_str(), &info) != 0) {
        return fail(fileError(errno, "read", file));
    }
    PLUMBLINE_TRY(requireRegular(info, file));
    Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (descriptor.get() < 0 || ::fstat(descriptor.get(), &info) != 0) {
        return fail(fileError(errno, "read", file));
    }
    PLUMBLINE_TRY(requireRegular(info, file));
    return RegularFile{std::move(descriptor), static_cast<std::uint64_t>(info.st_size)};
}

}  // namespace plumbline
