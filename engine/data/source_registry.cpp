#include <fmt/format.h>
#include <sys/stat.h>
#include <algorithm>
#include <cerrno>

#include "core/files.h"
#include "data/source.h"
#include "data/sources.h"

namespace plumbline::data {

const std::vector<SourceType>& sourceTypes() {
#define PLUMBLINE_CALL(source) source(),
    static const std::vector<SourceType> types = {PLUMBLINE_SOURCES(PLUMBLINE_CALL)};
#undef PLUMBLINE_CALL
    return types;
}

const SourceType* findSourceType(std::string_view name) {
    const auto& types = sourceTypes();
    const auto it = std::find_if(types.begin(), types.end(), [&](const SourceType& type) { return type.name == name; });
    return it == types.end() ? nullptr : &*it;
}

const std::byte* Source::view(std::size_t, std::int64_t) const {
    return nullptr;
}

Status Source::prepare(const std::vector<std::int64_t>&) {
    return {};
}

std::string Source::placeOf(std::size_t field, std::int64_t row) const {
    return fmt::format("sample {} of \"{}\"", row, fields()[field].name);
}

Status Source::samplesOf(const std::vector<std::string>& texts, const std::vector<std::size_t>& fields,
                         const EachSample& each) const {
    for (const std::string& text : texts) {
        PLUMBLINE_TRY(each(text, [&](const std::vector<std::byte*>& out) { return parse(text, fields, out); }));
    }
    return {};
}

std::string Source::inputHint(const std::vector<std::size_t>&) const {
    return "Name an image file, or a sample of a split, \"test:0\" for instance.";
}
RawForm Source::rawForm(std::size_t) const {
    return {};
}

bool OpenContext::wants(std::string_view field) const {
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](const std::string& name) { return name == "*" || name == field; });
}

bool OpenContext::isTarget(std::string_view field) const {
    return std::find(targets.begin(), targets.end(), field) != targets.end();
}

std::filesystem::path OpenContext::resolve(const std::string& path) const {
    return folder / path;
}

Result<std::uintmax_t> regularFileSize(const std::filesystem::path& file) {
    struct stat info {};
    if (::stat(file.c_str(), &info) != 0) {
        return fail(fileError(errno, "read", file));
    }
    if (S_ISDIR(info.st_mode)) {
        return fail(fileError(EISDIR, "read", file));
    }
    if (!S_ISREG(info.st_mode)) {
        return fail(ErrorKind::kInvalid, "not-a-file",
                    fmt::format("Cannot read {}: it is not a regular file", file.string()), file.string(),
                    "Choose a file on a disk.");
    }
    return static_cast<std::uintmax_t>(info.st_size);
}

Status checkStop(const RunControl* control) {
    if (control != nullptr && control->stopRequested()) {
        return fail(ErrorKind::kInterrupted, "stopped", "Stopped while reading data");
    }
    return {};
}

}  // namespace plumbline::data
