#include "core/zip_file.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/descriptor.h"
#include "core/text.h"

namespace plumbline {
namespace {

constexpr std::uint64_t kLargestDirectory = std::uint64_t{8} << 20;
constexpr std::uint64_t kMostEntries = 65'536;
constexpr std::uint64_t kLargestTotal = std::uint64_t{1} << 62;  // what overlapping entries may add up to
constexpr std::size_t kEnd = 22;                                 // end record without its comment
constexpr std::size_t kEnd64 = 56;
constexpr std::size_t kLocator64 = 20;
constexpr std::size_t kCentral = 46;
constexpr std::size_t kLocal = 30;
constexpr std::uint32_t kIn64 = 0xffffffffU;
/// Deflate makes nothing smaller than this (zlib's documentation), so that a size that claims more is a lie.
constexpr std::uint64_t kStrongestDeflate = 1032;

/// Little endian, whatever this machine is.
template <class Number>
Number number(std::string_view bytes, std::size_t at) {
    Number value = 0;
    for (std::size_t i = sizeof(Number); i-- > 0;) {
        value = static_cast<Number>(value << 8 | static_cast<unsigned char>(bytes[at + i]));
    }
    return value;
}
std::uint16_t u16(std::string_view bytes, std::size_t at) {
    return number<std::uint16_t>(bytes, at);
}
std::uint32_t u32(std::string_view bytes, std::size_t at) {
    return number<std::uint32_t>(bytes, at);
}
std::uint64_t u64(std::string_view bytes, std::size_t at) {
    return number<std::uint64_t>(bytes, at);
}

/// A regular file, read at places.
class Source {
public:
    explicit Source(RegularFile file) : m_file(std::move(file)) {}
    std::uint64_t size() const { return m_file.size; }

    /// Nothing where the file ends before or cannot be read there.
    std::optional<std::string> at(std::uint64_t offset, std::uint64_t bytes) const {
        if (offset > m_file.size || bytes > m_file.size - offset) {
            return std::nullopt;
        }
        std::string content(bytes, '\0');
        std::size_t done = 0;
        while (done < content.size()) {
            const ssize_t got = ::pread(m_file.descriptor.get(), content.data() + done, content.size() - done,
                                        static_cast<off_t>(offset + done));
            if (got < 0 && errno == EINTR) {
                continue;
            }
            if (got <= 0) {
                return std::nullopt;
            }
            done += static_cast<std::size_t>(got);
        }
        return content;
    }

private:
    RegularFile m_file;
};

tl::unexpected<Error> damaged(const std::filesystem::path& file, const std::string& why) {
    return fail(ErrorKind::kInvalid, "damaged-zip", fmt::format("{} is a damaged zip file: {}", file.string(), why),
                file.string(), "Get the file again.");
}

tl::unexpected<Error> notAZip(const std::filesystem::path& file) {
    return fail(ErrorKind::kInvalid, "not-a-zip",
                fmt::format("{} is no zip file, or it is cut off: it has no list of what it holds", file.string()),
                file.string(), "Check the path, or get the file again.");
}

struct Directory {
    std::uint64_t offset = 0, bytes = 0, entries = 0;
};

std::optional<Directory> findDirectory(const Source& source) {
    const std::uint64_t tail = std::min<std::uint64_t>(source.size(), kEnd + 0xffff);
    const std::uint64_t begin = source.size() - tail;
    const auto content = source.at(begin, tail);
    if (!content || content->size() < kEnd) {
        return std::nullopt;
    }
    const std::string_view bytes = *content;
    std::size_t end = bytes.size() - kEnd;
    while (bytes.substr(end, 4) != "PK\5\6" || end + kEnd + u16(bytes, end + 20) != bytes.size()) {
        if (end-- == 0) {
            return std::nullopt;
        }
    }
    Directory directory{u32(bytes, end + 16), u32(bytes, end + 12), u16(bytes, end + 10)};
    std::uint64_t limit = begin + end;
    if (directory.offset == kIn64 || directory.bytes == kIn64 || directory.entries == 0xffff) {
        const auto locator = limit < kLocator64 ? std::nullopt : source.at(limit - kLocator64, kLocator64);
        if (locator && std::string_view(*locator).starts_with("PK\6\7")) {
            const std::uint64_t place = u64(*locator, 8);
            const auto large = source.at(place, kEnd64);
            if (!large || !std::string_view(*large).starts_with("PK\6\6")) {
                return std::nullopt;
            }
            directory = {u64(*large, 48), u64(*large, 40), u64(*large, 32)};
            limit = place;
        }
    }
    if (directory.offset > limit || directory.bytes > limit - directory.offset) {
        return std::nullopt;
    }
    return directory;
}

/// Neither out of a folder nor twice the same place in it.
bool isPlainName(std::string_view name) {
    if (name.empty() || name.size() > 4096 || name.front() == '/' || name.find('\\') != std::string_view::npos ||
        !isUtf8(name) || hasControlCharacter(name)) {
        return false;
    }
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t slash = std::min(name.find('/', begin), name.size());
        const std::string_view part = name.substr(begin, slash - begin);
        const bool isEndOfFolder = part.empty() && slash == name.size();
        if (part == "." || part == ".." || (part.empty() && !isEndOfFolder)) {
            return false;
        }
        begin = slash + 1;
    }
    return true;
}

/// Takes what stands in the zip64 field instead, in its order.
bool takeLargeNumbers(std::string_view extra, ZipEntry& entry) {
    std::size_t at = 0;
    while (extra.size() - at >= 4) {
        const std::size_t length = u16(extra, at + 2);
        if (length > extra.size() - at - 4) {
            return false;
        }
        std::size_t field = at + 4;
        if (u16(extra, at) == 1) {
            for (std::uint64_t* value : {&entry.bytes, &entry.packed, &entry.offset}) {
                if (*value != kIn64) {
                    continue;
                }
                if (field + 8 > at + 4 + length) {
                    return false;
                }
                *value = u64(extra, field);
                field += 8;
            }
            return true;
        }
        at += 4 + length;
    }
    return entry.bytes != kIn64 && entry.packed != kIn64 && entry.offset != kIn64;
}

}  // namespace

Result<ZipFile> ZipFile::open(const std::filesystem::path& file) {
    PLUMBLINE_ASSIGN(RegularFile opened, openRegularFile(file));
    const Source source(std::move(opened));
    const auto directory = findDirectory(source);
    if (!directory) {
        return notAZip(file);
    }
    if (directory->bytes > kLargestDirectory || directory->entries > kMostEntries) {
        return damaged(file, "it lists more files than any package has");
    }
    const auto content = source.at(directory->offset, directory->bytes);
    if (!content) {
        return notAZip(file);
    }
    const std::string_view bytes = *content;
    ZipFile zip;
    zip.m_file = file;
    std::set<std::string, std::less<>> names;
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < directory->entries; ++i) {
        if (bytes.size() - at < kCentral || bytes.substr(at, 4) != "PK\1\2") {
            return damaged(file, "its list ends early");
        }
        const std::size_t nameBytes = u16(bytes, at + 28), extraBytes = u16(bytes, at + 30),
                          commentBytes = u16(bytes, at + 32);
        if (nameBytes + extraBytes + commentBytes > bytes.size() - at - kCentral) {
            return damaged(file, "its list ends early");
        }
        ZipEntry entry{std::string(bytes.substr(at + kCentral, nameBytes)),
                       u32(bytes, at + 24),
                       u32(bytes, at + 20),
                       u32(bytes, at + 42),
                       u32(bytes, at + 16),
                       false};
        const std::uint16_t method = u16(bytes, at + 10);
        if (!isPlainName(entry.name)) {
            return damaged(file, fmt::format("\"{}\" is no name that may be unpacked",
                                             shortened(oneLine(isUtf8(entry.name) ? entry.name : std::string("?")))));
        }
        if (!names.insert(entry.name).second) {
            return damaged(file, fmt::format("\"{}\" is in it twice", shortened(entry.name)));
        }
        if ((u16(bytes, at + 8) & 1) != 0 || (method != 0 && method != 8)) {
            return damaged(
                file, fmt::format("\"{}\" is encrypted, or packed in a way that is not known", shortened(entry.name)));
        }
        entry.deflated = method == 8;
        const bool known = takeLargeNumbers(bytes.substr(at + kCentral + nameBytes, extraBytes), entry);
        const bool isInside = known && entry.offset < directory->offset && directory->offset - entry.offset >= kLocal &&
                              entry.packed <= directory->offset - entry.offset - kLocal;
        const bool isBelievable =
            entry.deflated ? entry.bytes / kStrongestDeflate <= entry.packed : entry.bytes == entry.packed;
        if (!isInside || !isBelievable) {
            return damaged(file, fmt::format("\"{}\" has a size that the file has no room for", shortened(entry.name)));
        }
        zip.m_total += std::min(entry.bytes, kLargestTotal - zip.m_total);
        zip.m_entries.push_back(std::move(entry));
        at += kCentral + nameBytes + extraBytes + commentBytes;
    }
    return zip;
}

Result<std::string> ZipFile::read(const ZipEntry& entry, std::uint64_t largest) const {
    if (entry.bytes > largest || entry.packed > largest) {
        return damaged(m_file, fmt::format("\"{}\" is far larger than such a file is", shortened(entry.name)));
    }
    PLUMBLINE_ASSIGN(RegularFile opened, openRegularFile(m_file));
    const Source source(std::move(opened));
    const auto header = source.at(entry.offset, kLocal);
    if (!header || !std::string_view(*header).starts_with("PK\3\4")) {
        return damaged(m_file, fmt::format("\"{}\" is not where its list says", shortened(entry.name)));
    }
    auto packed = source.at(entry.offset + kLocal + u16(*header, 26) + u16(*header, 28), entry.packed);
    if (!packed) {
        return damaged(m_file, fmt::format("\"{}\" ends early", shortened(entry.name)));
    }
    std::string content;
    if (!entry.deflated) {
        content = *std::move(packed);
    } else {
        content.resize(entry.bytes + 1);  // one more, so that too much shows
        z_stream stream{};
        if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
            return fail(ErrorKind::kMachine, "out-of-memory",
                        fmt::format("There is not enough memory to read {}", m_file.string()), m_file.string(),
                        "Close other programs.");
        }
        stream.next_in = reinterpret_cast<Bytef*>(packed->data());
        stream.avail_in = static_cast<uInt>(packed->size());
        stream.next_out = reinterpret_cast<Bytef*>(content.data());
        stream.avail_out = static_cast<uInt>(content.size());
        const int state = inflate(&stream, Z_FINISH);
        const std::uint64_t made = stream.total_out;
        inflateEnd(&stream);
        if (state != Z_STREAM_END || made != entry.bytes) {
            return damaged(m_file, fmt::format("\"{}\" cannot be unpacked", shortened(entry.name)));
        }
        content.resize(entry.bytes);
    }
    if (crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())) != entry.checksum) {
        return damaged(m_file, fmt::format("the checksum of \"{}\" does not hold", shortened(entry.name)));
    }
    return content;
}

}  // namespace plumbline
