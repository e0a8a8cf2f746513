// "image_folder": one folder a class, PNG and JPEG. Kept decoded in memory up to a budget, decoded a sample past it.
#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>

#include "core/files.h"
#include "core/hash.h"
#include "data/image.h"
#include "data/image_listing.h"
#include "data/sources.h"
#include "data/transform.h"

namespace plumbline::data {
namespace {

constexpr std::int64_t kDefaultBudgetMiB = 512;
constexpr std::size_t kHashedBytes = 4096;  ///< of the head and of the tail of a file that is not read whole

struct FolderOptions {
    std::string path;
    bool gray = false;
    std::vector<std::int64_t> resize;  ///< [height, width], or empty
    std::int64_t budgetMiB = kDefaultBudgetMiB;
};

Result<FolderOptions> readOptions(const Json& json, const std::string& pointer) {
    FolderOptions options;
    JsonObject object(json, pointer);
    object.requiredString("type");
    options.path = object.requiredString("path");
    const std::string color = object.string("color", "rgb");
    if (color != "rgb" && color != "gray") {
        const std::string at = pointerTo(pointer, "color");
        object.addError({ErrorKind::kInvalid, "unknown-color",
                         fmt::format("{} has to be \"rgb\" or \"gray\" and is \"{}\"", at, color), at,
                         "Leave it out for \"rgb\"."});
    }
    options.gray = color == "gray";
    options.resize = heightAndWidth(object, "resize");
    options.budgetMiB = integerIn(object, "memory_budget_mb", kDefaultBudgetMiB, 0, 1'000'000);
    PLUMBLINE_TRY(object.finish());
    if (options.path.empty()) {
        return fail(ErrorKind::kInvalid, "missing-path", "The source has an empty path", pointerTo(pointer, "path"),
                    "Name a file, or a folder of images.");
    }
    return options;
}

class ImageFolderSource final : public Source {
public:
    explicit ImageFolderSource(FolderOptions options) : m_options(std::move(options)) {}

    Status load(const OpenContext& context);

    std::int64_t size() const override { return static_cast<std::int64_t>(m_samples.size()); }
    const std::vector<Field>& fields() const override { return m_fields; }
    const std::byte* view(std::size_t field, std::int64_t row) const override {
        return field == 0 && !m_pixels.empty() ? m_pixels.data() + static_cast<std::size_t>(row) * m_imageBytes
                                               : nullptr;
    }
    Status read(std::size_t field, std::int64_t row, std::byte* out) const override {
        const ListedImage& sample = m_samples[static_cast<std::size_t>(row)];
        if (field == 1) {
            std::memcpy(out, &sample.label, sizeof(sample.label));
            return {};
        }
        return m_pixels.empty() ? readCached(static_cast<std::size_t>(row), out) : decode(sample, out);
    }
    std::uint64_t contentHash() const override { return m_hash; }
    std::size_t residentBytes() const override { return m_pixels.capacity() + m_cachedBytes.load(); }
    bool readsFilesLater() const override { return m_pixels.empty(); }
    std::vector<std::string> warnings() const override {
        std::vector<std::string> all = m_warnings;
        if (const std::int64_t clipped = m_clipped; clipped > 0) {
            all.push_back(fmt::format(
                "{}: {} images of 16-bit gray hold values above 255, which became 255; save them with 8 bits",
                m_folder.string(), clipped));
        }
        return all;
    }
    Status parse(const std::string& text, const std::vector<std::size_t>& fields,
                 const std::vector<std::byte*>& out) const override;
    RawForm rawForm(std::size_t field) const override {
        RawForm form;
        form.kind = field == 0 ? RawForm::Kind::kPicture : RawForm::Kind::kValues;
        return form;
    }

private:
    Status listSamples();
    Status checkSizes(const OpenContext& context);
    Status decodeAll(const OpenContext& context);
    Status hashFiles(const OpenContext& context);
    /// The image as the field has it.
    Status decode(const ListedImage& sample, std::byte* out) const;
    Status readCached(std::size_t row, std::byte* out) const;

    FolderOptions m_options;
    std::filesystem::path m_folder;
    std::filesystem::path m_projectFolder;
    std::vector<ListedImage> m_samples;
    std::vector<Field> m_fields;
    std::vector<std::string> m_warnings;
    mutable std::atomic<std::int64_t> m_clipped{0};  ///< images decoded so far that lost values
    std::size_t m_imageBytes = 0;
    std::uint64_t m_hash = 0;
    std::vector<std::byte> m_pixels;  ///< all images, or empty where they pass the budget

    // Past the budget: decoded images are kept until the budget is full. Which are kept changes no value.
    mutable std::mutex m_cacheMutex;
    mutable std::vector<std::shared_ptr<const std::vector<std::byte>>> m_cache;
    mutable std::atomic<std::size_t> m_cachedBytes{0};
};

Status ImageFolderSource::listSamples() {
    PLUMBLINE_ASSIGN(ImageListing listing, listImages(m_folder));
    m_samples = std::move(listing.images);
    if (listing.others > 0) {
        m_warnings.push_back(
            fmt::format("{}: {} entries that are not PNG or JPEG were left out", m_folder.string(), listing.others));
    }
    if (listing.folders > 0) {
        m_warnings.push_back(fmt::format(
            "{}: folders inside the folders of classes were left out ({} of them); a class is one folder of images",
            m_folder.string(), listing.folders));
    }
    Field image;
    image.name = "image";
    image.type.dtype = DType::kUInt8;
    Field label;
    label.name = "label";
    label.type.dtype = DType::kInt64;
    label.type.classes = std::move(listing.classes);
    m_fields = {std::move(image), std::move(label)};
    return {};
}

Status ImageFolderSource::checkSizes(const OpenContext& context) {
    std::vector<std::int64_t> size = m_options.resize;
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
        PLUMBLINE_TRY(checkStop(context.control));
        PLUMBLINE_ASSIGN(const ImageSize found, readImageSize(m_samples[i].file));
        if (size.empty()) {
            size = {found.height, found.width};
        } else if (m_options.resize.empty() && (found.height != size[0] || found.width != size[1])) {
            return fail(ErrorKind::kInvalid, "image-sizes",
                        fmt::format("{} has {} x {} pixels and {} has {} x {}", m_samples[0].file.string(), size[1],
                                    size[0], m_samples[i].file.string(), found.width, found.height),
                        m_samples[i].file.string(), "Set \"resize\": [height, width] of the source.");
        }
    }
    const std::int64_t channels = m_options.gray ? 1 : 3;
    m_fields[0].type.dims = {channels, size[0], size[1]};
    m_imageBytes = m_fields[0].type.byteCount();
    return {};
}

Status ImageFolderSource::decode(const ListedImage& sample, std::byte* out) const {
    PLUMBLINE_ASSIGN(Image image, readImage(sample.file, m_options.gray));
    m_clipped += image.clipped ? 1 : 0;
    const std::vector<std::int64_t>& dims = m_fields[0].type.dims;
    if (!m_options.resize.empty()) {
        image = resized(image, dims[1], dims[2]);
    } else if (image.height != dims[1] || image.width != dims[2]) {
        return fail(ErrorKind::kInvalid, "file-changed",
                    fmt::format("{} has {} x {} pixels now and had {} x {} when it was opened", sample.file.string(),
                                image.width, image.height, dims[2], dims[1]),
                    sample.file.string(), "Leave the images alone while a run uses them.");
    }
    std::memcpy(out, image.pixels.data(), image.pixels.size());
    return {};
}

Status ImageFolderSource::decodeAll(const OpenContext& context) {
    m_pixels.resize(m_samples.size() * m_imageBytes);
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
        PLUMBLINE_TRY(checkStop(context.control));
        PLUMBLINE_TRY(decode(m_samples[i], m_pixels.data() + i * m_imageBytes));
    }
    return {};
}

Status ImageFolderSource::readCached(std::size_t row, std::byte* out) const {
    std::shared_ptr<const std::vector<std::byte>> image;
    {
        const std::scoped_lock lock(m_cacheMutex);
        image = m_cache[row];
    }
    if (image == nullptr) {
        PLUMBLINE_TRY(decode(m_samples[row], out));
        const std::scoped_lock lock(m_cacheMutex);
        if (m_cache[row] == nullptr && m_cachedBytes + m_imageBytes <= static_cast<std::size_t>(m_options.budgetMiB)
                                                                           << 20) {
            m_cache[row] = std::make_shared<const std::vector<std::byte>>(out, out + m_imageBytes);
            m_cachedBytes += m_imageBytes;
        }
        return {};
    }
    std::memcpy(out, image->data(), m_imageBytes);
    return {};
}

Status ImageFolderSource::hashFiles(const OpenContext& context) {
    m_hash = hash64(m_fields[0].type.dims.data(), m_fields[0].type.dims.size() * sizeof(std::int64_t));
    for (const ListedImage& sample : m_samples) {
        m_hash = hash64((sample.file.parent_path().filename() / sample.file.filename()).string(), m_hash);
    }
    if (!m_pixels.empty()) {
        m_hash = hash64(m_pixels.data(), m_pixels.size(), m_hash);
        return {};
    }
    std::string bytes;
    for (const ListedImage& sample : m_samples) {
        PLUMBLINE_TRY(checkStop(context.control));
        PLUMBLINE_ASSIGN(const std::uintmax_t size, regularFileSize(sample.file));
        std::ifstream stream(sample.file, std::ios::binary);
        const auto part = static_cast<std::size_t>(std::min<std::uintmax_t>(size, kHashedBytes));
        bytes.resize(2 * part);
        stream.read(bytes.data(), static_cast<std::streamsize>(part));
        stream.seekg(static_cast<std::streamoff>(size - part));
        stream.read(bytes.data() + part, static_cast<std::streamsize>(part));
        if (!stream) {
            return fail(fileError(EIO, "read", sample.file));
        }
        m_hash = hash64(bytes, m_hash + size);
    }
    return {};
}

Status ImageFolderSource::load(const OpenContext& context) {
    m_projectFolder = context.folder;
    m_folder = context.resolve(m_options.path);
    PLUMBLINE_TRY(listSamples());
    PLUMBLINE_TRY(checkSizes(context));
    const std::size_t budget = static_cast<std::size_t>(m_options.budgetMiB) << 20;
    if (m_imageBytes <= budget / m_samples.size()) {
        PLUMBLINE_TRY(decodeAll(context));
    } else {
        m_cache.resize(m_samples.size());
    }
    return hashFiles(context);
}

Status ImageFolderSource::parse(const std::string& text, const std::vector<std::size_t>& fields,
                                const std::vector<std::byte*>& out) const {
    const std::vector<std::int64_t>& dims = m_fields[0].type.dims;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (fields[i] != 0) {
            return fail(ErrorKind::kUsage, "input-kind",
                        "This model takes a label as input, which a picture does not give", {},
                        "Name a sample of a split, \"test:0\" for instance.");
        }
        std::filesystem::path file = text;
        std::error_code ignored;
        if (!std::filesystem::exists(file, ignored) && std::filesystem::exists(m_projectFolder / file, ignored)) {
            file = m_projectFolder / file;
        }
        PLUMBLINE_ASSIGN(Image image, readImage(file, m_options.gray));
        image = resized(image, dims[1], dims[2]);
        std::memcpy(out[i], image.pixels.data(), image.pixels.size());
    }
    return {};
}

Status checkOptions(const Json& options, const std::string& pointer) {
    PLUMBLINE_TRY(readOptions(options, pointer));
    return {};
}

Result<std::unique_ptr<Source>> open(const SourceSpec& spec, const OpenContext& context) {
    PLUMBLINE_ASSIGN(FolderOptions options, readOptions(spec.options, context.pointer));
    auto source = std::make_unique<ImageFolderSource>(std::move(options));
    PLUMBLINE_TRY(source->load(context));
    return source;
}

}  // namespace

SourceType imageFolderSource() {
    return {"image_folder",
            {"image", "label"},
            "PNG and JPEG images, one folder a class.",
            {"path"},
            {"color", "resize", "memory_budget_mb"},
            &checkOptions,
            &open};
}

}  // namespace plumbline::data
