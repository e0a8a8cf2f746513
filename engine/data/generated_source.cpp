// "generated": samples drawn from a seed, so that a new project trains before it has data of its own.
//
//   clusters   features [F]: one Gaussian cluster a class, unit variance, centres at distance about 3
//   images     image [C, S, S]: a plane wave whose direction and frequency tell the class, with noise
//   noise      noise [F]: standard normal numbers, whatever the class
//   sequences  tokens [L]: half of the tokens come from the class's own part of the vocabulary
#include <fmt/format.h>
#include <cmath>
#include <cstring>

#include "core/hash.h"
#include "core/random.h"
#include "data/sources.h"
#include "data/transform.h"

namespace plumbline::data {
namespace {

constexpr std::int64_t kMaxSamples = 10'000'000;
constexpr std::int64_t kMaxSize = 100'000;
constexpr std::int64_t kMaxElements = 500'000'000;
constexpr double kPi = 3.14159265358979323846;

enum class Kind { kClusters, kImages, kSequences, kNoise };

struct GeneratedOptions {
    Kind kind = Kind::kClusters;
    std::int64_t samples = 0, classes = 0, features = 0, channels = 0, size = 0, length = 0, vocabulary = 0;
    std::uint64_t seed = 0;

    std::vector<std::int64_t> dims() const {
        switch (kind) {
            case Kind::kClusters:
            case Kind::kNoise:
                return {features};
            case Kind::kImages:
                return {channels, size, size};
            case Kind::kSequences:
                break;
        }
        return {length};
    }
};

Result<GeneratedOptions> readOptions(const Json& json, const std::string& pointer) {
    GeneratedOptions options;
    JsonObject object(json, pointer);
    object.requiredString("type");
    const std::string kind = object.requiredString("kind");
    options.samples = integerIn(object, "samples", 600, 1, kMaxSamples);
    options.classes = integerIn(object, "classes", 3, 1, kMaxSize);
    options.seed = static_cast<std::uint64_t>(integerIn(object, "seed", 0, 0, std::int64_t{1} << 53));
    if (kind == "clusters" || kind == "noise") {
        options.kind = kind == "noise" ? Kind::kNoise : Kind::kClusters;
        options.features = integerIn(object, "features", 8, 1, kMaxSize);
    } else if (kind == "images") {
        options.kind = Kind::kImages;
        options.channels = integerIn(object, "channels", 1, 1, 1024);
        options.size = integerIn(object, "size", 16, 1, 4096);
    } else if (kind == "sequences") {
        options.kind = Kind::kSequences;
        options.length = integerIn(object, "length", 16, 1, kMaxSize);
        options.vocabulary = integerIn(object, "vocabulary", 64, 1, kMaxSize);
    } else {
        object.addError(
            {ErrorKind::kInvalid, "unknown-choice",
             fmt::format("{}/kind is \"{}\", which is none of clusters, images, noise, sequences", pointer, kind),
             pointer + "/kind", "Choose one of these."});
    }
    PLUMBLINE_TRY(object.finish());
    std::int64_t elements = 1;
    for (const std::int64_t dim : options.dims()) {
        elements *= dim;
    }
    if (elements > kMaxElements / std::max(options.samples, options.classes)) {
        return fail(ErrorKind::kInvalid, "data-too-large",
                    fmt::format("{} asks for {} samples in {} classes of {} values, more than {} in all", pointer,
                                options.samples, options.classes, elements, kMaxElements),
                    pointer, "Ask for fewer.");
    }
    return options;
}

class GeneratedSource final : public Source {
public:
    Status fill(const GeneratedOptions& options, const OpenContext& context) {
        ValueType input;
        input.dims = options.dims();
        input.dtype = options.kind == Kind::kSequences ? DType::kInt64 : DType::kFloat32;
        ValueType label;
        label.dtype = DType::kInt64;
        for (std::int64_t i = 0; i < options.classes; ++i) {
            label.classes.push_back(std::to_string(i));
        }
        const char* names[] = {"features", "image", "tokens", "noise"};
        m_bytes.resize(input.byteCount() * static_cast<std::size_t>(options.samples));
        m_fields = {{names[static_cast<int>(options.kind)], std::move(input)}, {"label", std::move(label)}};
        m_labels.resize(static_cast<std::size_t>(options.samples));
        makeCentres(options);
        Random random(deriveSeed(options.seed, "generated"));
        for (std::int64_t row = 0; row < options.samples; ++row) {
            if (row % 1024 == 0) {
                PLUMBLINE_TRY(checkStop(context.control));
            }
            const std::int64_t label0 = row % options.classes;
            m_labels[static_cast<std::size_t>(row)] = label0;
            makeSample(options, label0, random,
                       m_bytes.data() + static_cast<std::size_t>(row) * m_fields[0].type.byteCount());
        }
        return {};
    }

    std::int64_t size() const override { return static_cast<std::int64_t>(m_labels.size()); }
    const std::vector<Field>& fields() const override { return m_fields; }
    const std::byte* view(std::size_t field, std::int64_t row) const override {
        const auto at = static_cast<std::size_t>(row);
        return field == 0 ? m_bytes.data() + at * m_fields[0].type.byteCount()
                          : reinterpret_cast<const std::byte*>(&m_labels[at]);
    }
    Status read(std::size_t field, std::int64_t row, std::byte* out) const override {
        std::memcpy(out, view(field, row), m_fields[field].type.byteCount());
        return {};
    }
    std::uint64_t contentHash() const override {
        return hash64(m_labels.data(), m_labels.size() * sizeof(std::int64_t), hash64(m_bytes.data(), m_bytes.size()));
    }
    std::size_t residentBytes() const override { return m_bytes.size() + m_labels.size() * sizeof(std::int64_t); }
    std::string inputHint(const std::vector<std::size_t>&) const override {
        return fmt::format("Give the number of a sample, from 0 to {}.", size() - 1);
    }
    Status parse(const std::string& text, const std::vector<std::size_t>& fields,
                 const std::vector<std::byte*>& out) const override {
        // The number of a sample: there is no file of a generated one.
        const bool number =
            !text.empty() && text.size() < 12 && text.find_first_not_of("0123456789") == std::string::npos;
        if (!number || std::stoll(text) >= size()) {
            return fail(ErrorKind::kInvalid, "bad-input",
                        fmt::format("\"{}\" is no number of a generated sample from 0 to {}", text, size() - 1), text,
                        "Choose a number within that.");
        }
        for (std::size_t i = 0; i < fields.size(); ++i) {
            PLUMBLINE_TRY(read(fields[i], std::stoll(text), out[i]));
        }
        return {};
    }

private:
    void makeCentres(const GeneratedOptions& options) {
        if (options.kind != Kind::kClusters) {
            return;
        }
        Random random(deriveSeed(options.seed, "centres"));
        m_centres.resize(static_cast<std::size_t>(options.classes * options.features));
        const double scale = 3.0 / std::sqrt(2.0 * static_cast<double>(options.features));
        for (double& value : m_centres) {
            value = scale * random.normal();
        }
    }

    void makeSample(const GeneratedOptions& options, std::int64_t label, Random& random, std::byte* out) const {
        const auto put = [out](std::int64_t index, auto value) {
            std::memcpy(out + static_cast<std::size_t>(index) * sizeof(value), &value, sizeof(value));
        };
        if (options.kind == Kind::kNoise) {
            for (std::int64_t i = 0; i < options.features; ++i) {
                put(i, static_cast<float>(random.normal()));
            }
        } else if (options.kind == Kind::kClusters) {
            for (std::int64_t i = 0; i < options.features; ++i) {
                put(i, static_cast<float>(m_centres[static_cast<std::size_t>(label * options.features + i)] +
                                          random.normal()));
            }
        } else if (options.kind == Kind::kImages) {
            const double angle = kPi * static_cast<double>(label) / static_cast<double>(options.classes);
            const double frequency =
                2.0 * kPi * (2.0 + static_cast<double>(label % 3)) / static_cast<double>(options.size);
            const double phase = 2.0 * kPi * random.uniform();
            std::int64_t index = 0;
            for (std::int64_t c = 0; c < options.channels; ++c) {
                for (std::int64_t y = 0; y < options.size; ++y) {
                    for (std::int64_t x = 0; x < options.size; ++x) {
                        const double along =
                            std::cos(angle) * static_cast<double>(x) + std::sin(angle) * static_cast<double>(y);
                        put(index++, static_cast<float>(std::sin(frequency * along + phase) + 0.5 * random.normal()));
                    }
                }
            }
        } else {
            const std::int64_t part = std::max<std::int64_t>(1, options.vocabulary / options.classes);
            for (std::int64_t i = 0; i < options.length; ++i) {
                const bool own = random.uniform() < 0.5;
                const std::int64_t token =
                    own ? (label * part + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(part)))) %
                              options.vocabulary
                        : static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(options.vocabulary)));
                put(i, token);
            }
        }
    }

    std::vector<Field> m_fields;
    std::vector<std::byte> m_bytes;
    std::vector<std::int64_t> m_labels;
    std::vector<double> m_centres;
};

Status checkOptions(const Json& options, const std::string& pointer) {
    const auto read = readOptions(options, pointer);
    return read ? Status{} : Status(fail(read.error()));
}

Result<std::unique_ptr<Source>> open(const SourceSpec& spec, const OpenContext& context) {
    PLUMBLINE_ASSIGN(const GeneratedOptions options, readOptions(spec.options, context.pointer));
    auto source = std::make_unique<GeneratedSource>();
    PLUMBLINE_TRY(source->fill(options, context));
    return source;
}

}  // namespace

SourceType generatedSource() {
    return {"generated",
            {},
            "Samples drawn from a seed: clusters, images, noise or sequences.",
            {"kind"},
            {"samples", "classes", "seed", "features", "channels", "size", "length", "vocabulary"},
            &checkOptions,
            &open};
}

}  // namespace plumbline::data
