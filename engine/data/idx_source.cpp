// "idx": images and labels in two IDX files.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/hash.h"
#include "data/idx_reader.h"
#include "data/image.h"
#include "data/sources.h"
#include "data/transform.h"

namespace plumbline::data {
namespace {

constexpr std::int64_t kMaxClasses = 100'000;

struct IdxOptions {
    std::string images;
    std::string labels;
    std::int64_t classes = 0;  ///< 0: as many as the labels say
    std::vector<std::string> classNames;
};

Result<IdxOptions> readOptions(const Json& json, const std::string& pointer) {
    IdxOptions options;
    JsonObject object(json, pointer);
    object.requiredString("type");
    options.images = object.string("images", {});
    options.labels = object.string("labels", {});
    if (const Json* classes = object.find("classes"); classes != nullptr) {
        if (classes->is_number_integer()) {
            options.classes = integerIn(object, "classes", 1, 1, kMaxClasses);
        } else if (classes->is_array() && !classes->empty() &&
                   std::all_of(classes->begin(), classes->end(), [](const Json& item) { return item.is_string(); })) {
            options.classNames = classes->get<std::vector<std::string>>();
            options.classes = static_cast<std::int64_t>(options.classNames.size());
        } else {
            object.wrongType("classes", "a number or a list of names");
        }
    }
    PLUMBLINE_TRY(object.finish());
    if (options.images.empty() && options.labels.empty()) {
        return fail(ErrorKind::kInvalid, "missing-key",
                    fmt::format("{} names neither \"images\" nor \"labels\"", pointer), pointer, "Name the two files.");
    }
    return options;
}

/// Bytes stay bytes; what a transform could not take becomes float32, or float64 where that would round.
IdxArray widened(IdxArray array) {
    const auto convert = [&]<class From, class To>(From, To, DType dtype) {
        const std::size_t count = array.bytes.size() / sizeof(From);
        std::vector<std::byte> bytes(count * sizeof(To));
        for (std::size_t i = 0; i < count; ++i) {
            From value;
            std::memcpy(&value, array.bytes.data() + i * sizeof(From), sizeof(From));
            const To wide = static_cast<To>(value);
            std::memcpy(bytes.data() + i * sizeof(To), &wide, sizeof(To));
        }
        array.bytes = std::move(bytes);
        array.dtype = dtype;
    };
    if (array.dtype == DType::kInt8) {
        convert(std::int8_t{}, float{}, DType::kFloat32);
    } else if (array.dtype == DType::kInt16) {
        convert(std::int16_t{}, float{}, DType::kFloat32);
    } else if (array.dtype == DType::kInt32) {
        convert(std::int32_t{}, double{}, DType::kFloat64);
    }
    return array;
}

template <class T>
std::int64_t firstNotFinite(const IdxArray& array) {
    const auto* values = reinterpret_cast<const T*>(array.bytes.data());
    const auto count = static_cast<std::int64_t>(array.bytes.size() / sizeof(T));
    for (std::int64_t i = 0; i < count; ++i) {
        if (!std::isfinite(values[i])) {
            return i;
        }
    }
    return -1;
}

Status checkFinite(const IdxArray& array, const std::filesystem::path& file) {
    const std::int64_t at = array.dtype == DType::kFloat32   ? firstNotFinite<float>(array)
                            : array.dtype == DType::kFloat64 ? firstNotFinite<double>(array)
                                                             : -1;
    if (at >= 0) {
        return fail(ErrorKind::kInvalid, "not-finite",
                    fmt::format("{}: sample {} holds a NaN or an infinity", file.string(),
                                at / std::max<std::int64_t>(array.elementsPerSample(), 1)),
                    file.string(), "Correct the value, or remove the sample.");
    }
    return {};
}

class IdxSource final : public Source {
public:
    Status load(const IdxOptions& options, const OpenContext& context);

    std::int64_t size() const override { return m_size; }
    const std::vector<Field>& fields() const override { return m_fields; }
    const std::byte* view(std::size_t field, std::int64_t row) const override {
        const Stored& stored = m_stored[field];
        if (stored.isClass) {
            return nullptr;
        }
        return stored.array.bytes.data() + static_cast<std::size_t>(row) * m_fields[field].type.byteCount();
    }
    Status read(std::size_t field, std::int64_t row, std::byte* out) const override {
        const Stored& stored = m_stored[field];
        if (stored.isClass) {
            const std::int64_t index = labelAt(stored.array, row);
            std::memcpy(out, &index, sizeof(index));
        } else {
            std::memcpy(out, view(field, row), m_fields[field].type.byteCount());
        }
        return {};
    }
    std::uint64_t contentHash() const override {
        std::uint64_t hash = 0;
        for (std::size_t i = 0; i < m_fields.size(); ++i) {
            const IdxArray& array = m_stored[i].array;
            hash = hash64(m_fields[i].name, hash);
            hash = hash64(array.dims.data(), array.dims.size() * sizeof(std::int64_t), hash);
            hash = hash64(array.bytes.data(), array.bytes.size(), hash);
        }
        return hash;
    }
    std::size_t residentBytes() const override {
        std::size_t bytes = 0;
        for (const Stored& stored : m_stored) {
            bytes += stored.array.bytes.capacity();
        }
        return bytes;
    }
    Status parse(const std::string& text, const std::vector<std::size_t>& fields,
                 const std::vector<std::byte*>& out) const override;
    RawForm rawForm(std::size_t field) const override {
        RawForm form;
        if (isPicture(m_fields[field])) {
            form.kind = RawForm::Kind::kPicture;
            form.white = m_stored[field].largest;
        }
        return form;
    }

private:
    struct Stored {
        IdxArray array;
        bool isClass = false;
        std::uint8_t largest = 255;  ///< of bytes: what white is
    };

    static std::int64_t labelAt(const IdxArray& array, std::int64_t row);
    static bool isPicture(const Field& field) {
        const std::vector<std::int64_t>& dims = field.type.dims;
        return field.name == "image" && field.type.dtype == DType::kUInt8 && dims.size() == 3 &&
               (dims[0] == 1 || dims[0] == 3);
    }
    Status addImages(const std::filesystem::path& file, const OpenContext& context);
    Status addLabels(const std::filesystem::path& file, const IdxOptions& options, const OpenContext& context);
    void add(std::string name, ValueType type, Stored stored) {
        m_fields.push_back({std::move(name), std::move(type), true});
        m_stored.push_back(std::move(stored));
    }

    std::filesystem::path m_folder;
    std::vector<Field> m_fields;
    std::vector<Stored> m_stored;
    std::int64_t m_size = 0;
};

std::int64_t IdxSource::labelAt(const IdxArray& array, std::int64_t row) {
    const std::byte* at = array.bytes.data() + static_cast<std::size_t>(row) * sizeOf(array.dtype);
    const auto as = [&]<class T>(T value) {
        std::memcpy(&value, at, sizeof(T));
        return static_cast<std::int64_t>(value);
    };
    switch (array.dtype) {
        case DType::kInt8:
            return as(std::int8_t{});
        case DType::kInt16:
            return as(std::int16_t{});
        case DType::kInt32:
            return as(std::int32_t{});
        default:
            return as(std::uint8_t{});
    }
}

Status IdxSource::addImages(const std::filesystem::path& file, const OpenContext& context) {
    PLUMBLINE_ASSIGN(IdxArray array, readIdx(file, context.control));
    PLUMBLINE_TRY(checkFinite(array, file));
    ValueType type;
    type.dims.assign(array.dims.begin() + 1, array.dims.end());
    if (type.dims.size() == 2) {
        type.dims.insert(type.dims.begin(), 1);  // [N, H, W] has one channel
    } else if (type.dims.empty()) {
        type.dims = {1};
    }
    if (array.elementsPerSample() == 0 || array.dims[0] == 0) {
        return fail(ErrorKind::kInvalid, "no-samples",
                    fmt::format("{} holds no values: its dims are {}", file.string(), formatDims(array.dims)),
                    file.string(), "Choose another file.");
    }
    Stored stored;
    stored.array = widened(std::move(array));
    type.dtype = stored.array.dtype;
    if (type.dtype == DType::kUInt8) {
        const auto* pixels = reinterpret_cast<const std::uint8_t*>(stored.array.bytes.data());
        stored.largest = std::max<std::uint8_t>(*std::max_element(pixels, pixels + stored.array.bytes.size()), 1);
    }
    m_size = stored.array.dims[0];
    add("image", std::move(type), std::move(stored));
    return {};
}

Status IdxSource::addLabels(const std::filesystem::path& file, const IdxOptions& options, const OpenContext& context) {
    PLUMBLINE_ASSIGN(IdxArray array, readIdx(file, context.control));
    PLUMBLINE_TRY(checkFinite(array, file));
    if (array.dims.size() != 1 || array.dims[0] == 0) {
        return fail(ErrorKind::kInvalid, "idx-labels",
                    fmt::format("{} has the dims {}, and labels are one number a sample", file.string(),
                                formatDims(array.dims)),
                    file.string(), "Are images and labels the wrong way round?");
    }
    m_size = array.dims[0];
    ValueType type;
    Stored stored;
    if (isFloatingPoint(array.dtype)) {
        type.dtype = array.dtype;
        type.dims = {1};
        stored.array = std::move(array);
        add("label", std::move(type), std::move(stored));
        return {};
    }
    std::int64_t largest = 0;
    for (std::int64_t row = 0; row < m_size; ++row) {
        const std::int64_t label = labelAt(array, row);
        const std::int64_t limit = options.classes > 0 ? options.classes : kMaxClasses;
        if (label < 0 || label >= limit) {
            return fail(
                ErrorKind::kInvalid, "label-out-of-range",
                fmt::format("{}: the label of sample {} is {}; labels are from 0 to {}", file.string(), row, label,
                            limit - 1),
                file.string(),
                options.classes > 0 ? "Raise \"classes\" of the source, or correct the label." : "Correct the label.");
        }
        largest = std::max(largest, label);
    }
    type.dtype = DType::kInt64;
    type.classes = options.classNames;
    const std::int64_t classes = options.classes > 0 ? options.classes : largest + 1;
    for (auto c = static_cast<std::int64_t>(type.classes.size()); c < classes; ++c) {
        type.classes.push_back(std::to_string(c));
    }
    stored.array = std::move(array);
    stored.isClass = true;
    add("label", std::move(type), std::move(stored));
    return {};
}

Status IdxSource::load(const IdxOptions& options, const OpenContext& context) {
    m_folder = context.folder;
    const auto missing = [&](const char* key) {
        return fail(ErrorKind::kInvalid, "missing-key", fmt::format("{} is missing", pointerTo(context.pointer, key)),
                    pointerTo(context.pointer, key), "Name the file.");
    };
    if (context.wants("image")) {
        if (!options.images.empty()) {
            PLUMBLINE_TRY(addImages(context.resolve(options.images), context));
        } else if (context.wanted != std::vector<std::string>{"*"}) {
            return missing("images");
        }
    }
    const std::int64_t images = m_size;
    if (context.wants("label") && !(options.labels.empty() && !context.isTarget("label"))) {
        if (options.labels.empty()) {
            return missing("labels");
        }
        PLUMBLINE_TRY(addLabels(context.resolve(options.labels), options, context));
        if (m_fields.size() == 2 && m_size != images) {
            return fail(ErrorKind::kInvalid, "idx-counts",
                        fmt::format("{} holds {} images and {} holds {} labels", options.images, images, options.labels,
                                    m_size),
                        context.pointer, "Use the labels that belong to these images.");
        }
    }
    return {};
}

Status IdxSource::parse(const std::string& text, const std::vector<std::size_t>& fields,
                        const std::vector<std::byte*>& out) const {
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const Field& field = m_fields[fields[i]];
        const std::vector<std::int64_t>& dims = field.type.dims;
        if (!isPicture(field)) {
            return fail(ErrorKind::kUsage, "input-kind",
                        fmt::format("A picture cannot become {} {}", toString(field.type.dtype), formatDims(dims)), {},
                        "Name a sample of a split, \"test:0\" for instance.");
        }
        std::filesystem::path file = text;
        std::error_code ignored;
        if (!std::filesystem::exists(file, ignored) && std::filesystem::exists(m_folder / file, ignored)) {
            file = m_folder / file;
        }
        PLUMBLINE_ASSIGN(Image image, readImage(file, dims[0] == 1));
        image = resized(image, dims[1], dims[2]);
        // A picture goes from 0 to 255; the data may go to 16 only, as the digits do.
        const std::uint32_t largest = m_stored[fields[i]].largest;
        for (std::size_t p = 0; p < image.pixels.size(); ++p) {
            out[i][p] = static_cast<std::byte>((image.pixels[p] * largest + 127) / 255);
        }
    }
    return {};
}

Status checkOptions(const Json& options, const std::string& pointer) {
    PLUMBLINE_TRY(readOptions(options, pointer));
    return {};
}

Result<std::unique_ptr<Source>> open(const SourceSpec& spec, const OpenContext& context) {
    PLUMBLINE_ASSIGN(const IdxOptions options, readOptions(spec.options, context.pointer));
    auto source = std::make_unique<IdxSource>();
    PLUMBLINE_TRY(source->load(options, context));
    return source;
}

}  // namespace

SourceType idxSource() {
    return {"idx",
            {"image", "label"},
            "Images and labels in the IDX format of MNIST, plain or gzip.",
            {},
            {"images", "labels", "classes"},
            &checkOptions,
            &open};
}

}  // namespace plumbline::data
