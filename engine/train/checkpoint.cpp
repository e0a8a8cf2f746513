#include "train/checkpoint.h"

#include <ATen/ops/empty.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>

#include "core/dtype.h"
#include "core/files.h"
#include "core/hash.h"
#include "model/dtype.h"
#include "model/failure.h"

// File: kMagic, header length (u64), header hash (u64), header (JSON), padding to 64, tensors (each padded to 64),
// payload hash (u64), kEnd. Numbers are little-endian. The header lists each tensor's name, dtype, dims and offset.

namespace plumbline::train {

namespace {

constexpr std::string_view kMagic = "PLBLCKP1";
/// 2: an epoch's losses and what counted in a step, by loss (run_state.cpp reads both). Tensors are as in 1.
constexpr int kVersion = 2;
constexpr int kOldestVersion = 1;
constexpr std::string_view kEnd = "PLBLEND1";
constexpr const char* kBestName = "best.ckpt";
constexpr std::size_t kAlignment = 64;
constexpr std::uint64_t kLargestHeader = std::uint64_t{1} << 30;

std::size_t padded(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

Error damaged(const std::filesystem::path& file, const std::string& why) {
    return {ErrorKind::kInvalid, "damaged-checkpoint",
            file.filename() == kBestName ? fmt::format("The best checkpoint cannot be used: {}.", why)
                                         : fmt::format("The checkpoint cannot be used: {}.", why),
            file.string(), "Resume the run, which goes on from the newest whole checkpoint, or train again."};
}

void writeNumber(FileWriter& writer, std::uint64_t value) {
    writer.write(&value, sizeof value);
}

void writePadding(FileWriter& writer, std::size_t written) {
    static constexpr std::array<char, kAlignment> kZeros{};
    writer.write(kZeros.data(), padded(written) - written);
}

Status writeTo(FileWriter& writer, const Checkpoint& checkpoint) {
    Json tensors = Json::array();
    std::size_t offset = 0;
    for (const auto& [name, tensor] : checkpoint.tensors) {
        const std::size_t bytes = static_cast<std::size_t>(tensor.numel()) * tensor.element_size();
        tensors.push_back({{"name", name},
                           {"dtype", model::dtypeName(tensor.scalar_type())},
                           {"dims", tensor.sizes().vec()},
                           {"offset", offset}});
        offset += padded(bytes);
    }
    const std::string header =
        Json{{"version", kVersion}, {"payload", offset}, {"meta", checkpoint.meta}, {"tensors", std::move(tensors)}}
            .dump();
    writer.write(kMagic.data(), kMagic.size());
    writeNumber(writer, header.size());
    writeNumber(writer, hash64(header));
    writer.write(header.data(), header.size());
    writePadding(writer, kMagic.size() + 16 + header.size());
    std::uint64_t hash = 0;
    for (const auto& [name, tensor] : checkpoint.tensors) {
        const at::Tensor here = tensor.detach().cpu().contiguous();
        hash = hash64(here.const_data_ptr(), here.nbytes(), hash);
        writer.write(here.const_data_ptr(), here.nbytes());
        writePadding(writer, here.nbytes());
    }
    writeNumber(writer, hash);
    writer.write(kEnd.data(), kEnd.size());
    return writer.close("write the checkpoint");
}

/// A file opened for reading, whose every read is checked against its length.
class Reader {
public:
    explicit Reader(const std::filesystem::path& file) : m_descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
        m_errno = m_descriptor < 0 ? errno : 0;
        struct stat status {};
        if (m_descriptor >= 0 && ::fstat(m_descriptor, &status) == 0) {
            m_size = static_cast<std::uint64_t>(status.st_size);
        }
    }
    ~Reader() {
        if (m_descriptor >= 0) {
            ::close(m_descriptor);
        }
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    int error() const { return m_errno; }
    std::uint64_t size() const { return m_size; }
    bool read(std::uint64_t at, void* data, std::uint64_t bytes) const {
        if (at > m_size || bytes > m_size - at) {
            return false;
        }
        auto* to = static_cast<char*>(data);
        while (bytes > 0) {
            const ssize_t got = ::pread(m_descriptor, to, bytes, static_cast<off_t>(at));
            if (got < 0 && errno == EINTR) {
                continue;
            }
            if (got <= 0) {
                return false;
            }
            to += got;
            at += static_cast<std::uint64_t>(got);
            bytes -= static_cast<std::uint64_t>(got);
        }
        return true;
    }

private:
    int m_descriptor;
    int m_errno = 0;
    std::uint64_t m_size = 0;
};

struct TensorEntry {
    std::string name;
    DType dtype = DType::kFloat32;
    std::vector<std::int64_t> dims;
    std::uint64_t offset = 0, bytes = 0;
};

Result<std::vector<TensorEntry>> readEntries(const Json& header, const std::filesystem::path& file,
                                             std::uint64_t payload) {
    std::vector<TensorEntry> entries;
    std::uint64_t expected = 0;
    for (const Json& json : header.at("tensors")) {
        TensorEntry entry;
        entry.name = json.at("name").get<std::string>();
        const auto dtype = parseDType(json.at("dtype").get<std::string>());
        entry.dims = json.at("dims").get<std::vector<std::int64_t>>();
        entry.offset = json.at("offset").get<std::uint64_t>();
        if (!dtype) {
            return fail(damaged(file, fmt::format("the tensor {} has an unknown element type", entry.name)));
        }
        entry.dtype = *dtype;
        std::uint64_t elements = 1;
        for (const std::int64_t dim : entry.dims) {
            if (dim < 0 || (dim > 0 && elements > payload / static_cast<std::uint64_t>(dim))) {
                return fail(damaged(file, fmt::format("the tensor {} is larger than the file", entry.name)));
            }
            elements *= static_cast<std::uint64_t>(dim);
        }
        entry.bytes = elements * sizeOf(entry.dtype);
        if (entry.offset != expected || entry.bytes > payload - expected) {
            return fail(damaged(file, fmt::format("the tensor {} lies outside the file", entry.name)));
        }
        expected += padded(entry.bytes);
        entries.push_back(std::move(entry));
    }
    if (expected != payload) {
        return fail(damaged(file, "its list of tensors does not fill the file"));
    }
    return entries;
}

Result<Checkpoint> readFrom(const std::filesystem::path& file, const std::vector<std::string>& prefixes) {
    const Reader reader(file);
    if (reader.error() != 0) {
        return fail(fileError(reader.error(), "read the checkpoint", file));
    }
    char magic[8] = {};
    std::uint64_t length = 0, headerHash = 0;
    if (!reader.read(0, magic, 8) || !reader.read(8, &length, 8) || !reader.read(16, &headerHash, 8) ||
        std::string_view(magic, 8) != kMagic) {
        return fail(damaged(file, reader.size() < 24 ? "it is cut short" : "it is no checkpoint of this program"));
    }
    if (length > kLargestHeader || length > reader.size()) {
        return fail(damaged(file, "it is cut short"));
    }
    std::string text(length, '\0');
    if (!reader.read(24, text.data(), length) || hash64(text) != headerHash) {
        return fail(damaged(file, "its header is damaged"));
    }
    PLUMBLINE_ASSIGN(Json header, parseJson(text, file.string()));
    const int version = header.value("version", 0);
    if (version < kOldestVersion || version > kVersion) {
        return fail(
            ErrorKind::kInvalid, "newer-checkpoint",
            fmt::format("The checkpoint has version {}, this program reads up to version {}.", version, kVersion),
            file.string(), "Use the program that wrote it, or a newer one.");
    }
    const std::uint64_t begin = padded(24 + length);
    const std::uint64_t payload = header.value("payload", std::uint64_t{0});
    std::uint64_t payloadHash = 0;
    char end[8] = {};
    if (payload > reader.size() || reader.size() != begin + payload + 16 ||
        !reader.read(begin + payload, &payloadHash, 8) || !reader.read(begin + payload + 8, end, 8) ||
        std::string_view(end, 8) != kEnd) {
        return fail(damaged(file, "it is cut short"));
    }
    PLUMBLINE_ASSIGN(const std::vector<TensorEntry> entries, readEntries(header, file, payload));
    Checkpoint checkpoint;
    checkpoint.meta = std::move(header["meta"]);
    std::uint64_t hash = 0;
    for (const TensorEntry& entry : entries) {
        at::Tensor tensor = at::empty(entry.dims, model::toScalarType(entry.dtype));
        if (!reader.read(begin + entry.offset, tensor.mutable_data_ptr(), entry.bytes)) {
            return fail(damaged(file, "it is cut short"));
        }
        hash = hash64(tensor.const_data_ptr(), entry.bytes, hash);
        if (std::any_of(prefixes.begin(), prefixes.end(),
                        [&](const std::string& prefix) { return entry.name.starts_with(prefix); })) {
            checkpoint.tensors.emplace_back(entry.name, std::move(tensor));
        }
    }
    if (hash != payloadHash) {
        return fail(damaged(file, "its checksum does not hold"));
    }
    return checkpoint;
}

/// With the tensors whose name begins with one of `prefixes`.
Result<Checkpoint> readKept(const std::filesystem::path& file, const std::vector<std::string>& prefixes) {
    try {
        return readFrom(file, prefixes);
    } catch (const Json::exception&) {
        return fail(damaged(file, "its header is damaged"));
    } catch (...) {
        return fail(model::errorOfCurrentException("The checkpoint could not be read", file.string()));
    }
}

}  // namespace

std::map<std::string, at::Tensor> Checkpoint::withPrefix(const std::string& prefix) const {
    std::map<std::string, at::Tensor> found;
    for (const auto& [name, tensor] : tensors) {
        if (name.starts_with(prefix)) {
            found.emplace(name.substr(prefix.size()), tensor);
        }
    }
    return found;
}

Status writeCheckpoint(const std::filesystem::path& file, const Checkpoint& checkpoint) {
    try {
        AtomicFile target(file);
        FileWriter writer(target.temporaryPath(), file);
        PLUMBLINE_TRY(writeTo(writer, checkpoint));
        return target.commit();
    } catch (...) {
        return fail(model::errorOfCurrentException("The checkpoint could not be written", file.string()));
    }
}

Result<Checkpoint> readCheckpoint(const std::filesystem::path& file, const std::string& prefix) {
    return readKept(file, {prefix});
}

Result<std::map<std::string, at::Tensor>> readModelState(const std::filesystem::path& file, bool* notRecalibrated) {
    PLUMBLINE_ASSIGN(const Checkpoint checkpoint, readKept(file, {"model.", "average."}));
    std::map<std::string, at::Tensor> averaged = checkpoint.withPrefix("average.");
    if (notRecalibrated != nullptr) {
        const Json average = checkpoint.meta.is_object() ? checkpoint.meta.value("average", Json()) : Json();
        *notRecalibrated =
            !averaged.empty() && average.is_object() && average.value("recalibrated", Json()) != Json(true);
    }
    return averaged.empty() ? checkpoint.withPrefix("model.") : std::move(averaged);
}

std::filesystem::path CheckpointFolder::fileOfStep(std::int64_t step) const {
    return m_folder / fmt::format("step-{:09}.ckpt", step);
}

std::string CheckpointFolder::relative(const std::filesystem::path& file) const {
    return "checkpoints/" + file.filename().string();
}

std::vector<std::filesystem::path> CheckpointFolder::list() const {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (std::filesystem::directory_iterator it(m_folder, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (name.starts_with("step-") && name.ends_with(".ckpt")) {
            files.push_back(it->path());
        }
    }
    std::sort(files.rbegin(), files.rend());
    return files;
}

Result<Checkpoint> CheckpointFolder::newestWhole(std::vector<std::string>& passedOver) const {
    std::vector<std::filesystem::path> damagedFiles;
    for (const std::filesystem::path& file : list()) {
        auto checkpoint = readCheckpoint(file);
        if (checkpoint) {
            std::error_code ignored;
            for (const std::filesystem::path& damaged : damagedFiles) {
                std::filesystem::rename(damaged, damaged.string() + ".damaged", ignored);
            }
            return checkpoint;
        }
        passedOver.push_back(toSentence(checkpoint.error()));
        damagedFiles.push_back(file);
    }
    auto best = readCheckpoint(bestFile());
    if (best) {
        return best;
    }
    return fail(ErrorKind::kInvalid, "no-checkpoint",
                passedOver.empty() ? "The run has no checkpoint to go on from."
                                   : fmt::format("None of the run's {} checkpoints is whole; the newest: {}",
                                                 passedOver.size(), passedOver.front()),
                m_folder.string(), "Start a new run.");
}

std::filesystem::path CheckpointFolder::rankedFile(std::int64_t step) const {
    return m_folder / fmt::format("best-{:09}.ckpt", step);
}

std::filesystem::path CheckpointFolder::bestFile() const {
    return m_folder / kBestName;
}

Status CheckpointFolder::checkBest() const {
    const auto best = readCheckpoint(bestFile(), "none-of-them");
    return best ? Status{} : Status(fail(best.error()));
}

void CheckpointFolder::setBestAside() const {
    std::error_code ignored;
    std::filesystem::rename(bestFile(), bestFile().string() + ".damaged", ignored);
}

Status CheckpointFolder::link(const std::filesystem::path& checkpoint, const std::filesystem::path& as) const {
    std::error_code error;
    if (std::filesystem::equivalent(checkpoint, as, error)) {
        return {};  // renaming one link of a file over another would leave both
    }
    AtomicFile best(as);
    std::filesystem::create_hard_link(checkpoint, best.clearedPath(), error);
    if (error) {
        std::filesystem::copy_file(checkpoint, best.temporaryPath(), std::filesystem::copy_options::overwrite_existing,
                                   error);
    }
    return error ? Status(fail(fileError(error.value(), "keep the best checkpoint", as))) : best.commit();
}

}  // namespace plumbline::train
