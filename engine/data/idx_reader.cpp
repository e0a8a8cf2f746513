#include "data/idx_reader.h"

#include <fmt/format.h>
#include <zlib.h>
#include <algorithm>
#include <bit>
#include <cerrno>
#include <optional>

#include "core/files.h"
#include "data/source.h"

namespace plumbline::data {
namespace {

static_assert(std::endian::native == std::endian::little, "IDX values are turned round on reading");

/// No deflate stream expands more than this.
constexpr std::uintmax_t kMaxExpansion = 1032;
constexpr std::size_t kChunk = std::size_t{1} << 20;

std::optional<DType> idxType(std::uint8_t code) {
    switch (code) {
        case 0x08:
            return DType::kUInt8;
        case 0x09:
            return DType::kInt8;
        case 0x0B:
            return DType::kInt16;
        case 0x0C:
            return DType::kInt32;
        case 0x0D:
            return DType::kFloat32;
        case 0x0E:
            return DType::kFloat64;
        default:
            return std::nullopt;
    }
}

/// Reads plain files and gzip alike.
class GzipFile {
public:
    explicit GzipFile(const std::filesystem::path& file) : m_path(file), m_handle(gzopen(file.c_str(), "rb")) {
        if (m_handle != nullptr) {
            gzbuffer(m_handle, 1U << 17);
        }
    }
    ~GzipFile() {
        if (m_handle != nullptr) {
            gzclose(m_handle);
        }
    }
    GzipFile(const GzipFile&) = delete;
    GzipFile& operator=(const GzipFile&) = delete;

    bool isOpen() const { return m_handle != nullptr; }
    bool isPlain() { return gzdirect(m_handle) != 0; }
    /// The first bytes, also of a file that is cut short behind them.
    bool head(void* out, unsigned bytes) { return gzread(m_handle, out, bytes) == static_cast<int>(bytes); }
    /// Up to `bytes`; fewer only at the end.
    Result<std::size_t> read(void* out, std::size_t bytes) {
        const int got = gzread(m_handle, out, static_cast<unsigned>(std::min(bytes, kChunk)));
        int code = Z_OK;
        const char* message = gzerror(m_handle, &code);
        if (got < 0 || code == Z_BUF_ERROR || code == Z_DATA_ERROR) {
            if (code == Z_ERRNO) {
                return fail(fileError(errno, "read", m_path));
            }
            const bool truncated = code == Z_BUF_ERROR;
            return fail(
                ErrorKind::kInvalid, truncated ? "file-truncated" : "file-corrupt",
                fmt::format("{} {}", m_path.string(),
                            truncated ? "ends in the middle of its gzip data" : fmt::format("is damaged: {}", message)),
                m_path.string(), "Get the file anew.");
        }
        return static_cast<std::size_t>(got);
    }

private:
    std::filesystem::path m_path;
    gzFile m_handle;
};

bool isIdxMagic(const std::uint8_t* magic) {
    return magic[0] == 0 && magic[1] == 0 && idxType(magic[2]) && magic[3] >= 1 && magic[3] <= 8;
}

void turnRound(std::vector<std::byte>& bytes, std::size_t width) {
    for (std::size_t i = 0; width > 1 && i + width <= bytes.size(); i += width) {
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                     bytes.begin() + static_cast<std::ptrdiff_t>(i + width));
    }
}

}  // namespace

std::int64_t IdxArray::elementsPerSample() const {
    std::int64_t count = 1;
    for (std::size_t i = 1; i < dims.size(); ++i) {
        count *= dims[i];
    }
    return count;
}

bool isIdx(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) {
        return false;
    }
    GzipFile input(file);
    std::uint8_t magic[4] = {};
    return input.isOpen() && input.head(magic, sizeof(magic)) && isIdxMagic(magic);
}

Result<IdxArray> readIdx(const std::filesystem::path& file, RunControl* control) {
    PLUMBLINE_ASSIGN(const std::uintmax_t fileBytes, regularFileSize(file));
    errno = 0;
    GzipFile input(file);
    if (!input.isOpen()) {
        return fail(fileError(errno, "read", file));
    }
    const auto problem = [&](std::string code, const std::string& what, std::string hint) {
        return fail(ErrorKind::kInvalid, std::move(code), fmt::format("{} {}", file.string(), what), file.string(),
                    std::move(hint));
    };
    const auto readAll = [&](std::byte* out, std::size_t bytes) -> Result<std::size_t> {
        std::size_t done = 0;
        while (done < bytes) {
            PLUMBLINE_TRY(checkStop(control));
            PLUMBLINE_ASSIGN(const std::size_t got, input.read(out + done, bytes - done));
            if (got == 0) {
                break;
            }
            done += got;
        }
        return done;
    };

    std::uint8_t magic[4] = {};
    PLUMBLINE_ASSIGN(const std::size_t magicBytes, readAll(reinterpret_cast<std::byte*>(magic), 4));
    const std::optional<DType> dtype = idxType(magic[2]);
    if (magicBytes < 4 || !isIdxMagic(magic)) {
        return problem("idx-magic",
                       magicBytes == 0 ? std::string("is empty")
                                       : fmt::format("is not an IDX file: it starts with {:02x} {:02x} {:02x} {:02x}",
                                                     magic[0], magic[1], magic[2], magic[3]),
                       "An IDX file starts with 00 00, a type from 08 to 0e and its number of dims.");
    }
    IdxArray array;
    array.dtype = *dtype;
    std::uint8_t header[32] = {};
    const std::size_t headerBytes = std::size_t{4} * magic[3];
    PLUMBLINE_ASSIGN(const std::size_t gotHeader, readAll(reinterpret_cast<std::byte*>(header), headerBytes));
    if (gotHeader < headerBytes) {
        return problem("file-truncated", "ends inside its header", "Get the file anew.");
    }
    std::uintmax_t promised = sizeOf(*dtype);
    bool absurd = false;
    for (std::size_t i = 0; i < magic[3]; ++i) {
        const std::uint32_t dim = (std::uint32_t{header[4 * i]} << 24) | (std::uint32_t{header[4 * i + 1]} << 16) |
                                  (std::uint32_t{header[4 * i + 2]} << 8) | std::uint32_t{header[4 * i + 3]};
        array.dims.push_back(dim);
        absurd = absurd || __builtin_mul_overflow(promised, std::uintmax_t{dim}, &promised);
    }
    const std::uintmax_t atMost = input.isPlain() ? fileBytes - 4 - headerBytes : fileBytes * kMaxExpansion;
    if (absurd || promised > atMost) {
        return problem("file-truncated",
                       absurd ? std::string("promises more bytes than any file holds")
                              : fmt::format("promises {} bytes of values and holds {}{}", promised,
                                            input.isPlain() ? "" : "at most ", atMost),
                       "The file is cut off or damaged; get it anew.");
    }
    array.bytes.resize(static_cast<std::size_t>(promised));
    PLUMBLINE_ASSIGN(const std::size_t got, readAll(array.bytes.data(), array.bytes.size()));
    if (got < array.bytes.size()) {
        return problem("file-truncated", fmt::format("promises {} bytes of values and holds {}", promised, got),
                       "Get the file anew.");
    }
    // One read more: the checksum is compared at the end, and nothing may be left over.
    std::byte extra{};
    PLUMBLINE_ASSIGN(const std::size_t more, readAll(&extra, 1));
    if (more > 0) {
        return problem("idx-too-long",
                       fmt::format("holds more than the {} bytes of values that its header promises", promised),
                       "The header and the values do not belong together; get the file anew.");
    }
    turnRound(array.bytes, sizeOf(*dtype));
    return array;
}

}  // namespace plumbline::data
