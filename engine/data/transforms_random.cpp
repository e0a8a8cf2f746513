// Augmentation: what happens to training samples only, drawn anew for every sample and epoch.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "data/transforms.h"

namespace plumbline::data {
namespace {

/// A random step over images [C, H, W] that moves whole elements; works on uint8 and on real numbers.
struct ImageDims {
    std::int64_t channels, height, width;
};

template <class T>
class CropStep final : public Step {
public:
    CropStep(ImageDims dims, std::int64_t padding) : m_dims(dims), m_padding(padding) {}
    bool isRandom() const override { return true; }
    Status run(const std::byte* in, std::byte* out, Random& random) const override {
        const auto range = static_cast<std::uint64_t>(2 * m_padding + 1);
        const auto dy = static_cast<std::int64_t>(random.below(range)) - m_padding;
        const auto dx = static_cast<std::int64_t>(random.below(range)) - m_padding;
        const auto* from = reinterpret_cast<const T*>(in);
        auto* to = reinterpret_cast<T*>(out);
        const std::int64_t first = std::clamp<std::int64_t>(-dx, 0, m_dims.width);
        const std::int64_t last = std::clamp<std::int64_t>(m_dims.width - dx, first, m_dims.width);
        for (std::int64_t c = 0; c < m_dims.channels; ++c) {
            for (std::int64_t y = 0; y < m_dims.height; ++y, to += m_dims.width) {
                std::fill(to, to + m_dims.width, T{0});
                const std::int64_t sourceY = y + dy;
                if (sourceY >= 0 && sourceY < m_dims.height) {
                    const T* row = from + (c * m_dims.height + sourceY) * m_dims.width;
                    std::copy(row + first + dx, row + last + dx, to + first);
                }
            }
        }
        return {};
    }

private:
    ImageDims m_dims;
    std::int64_t m_padding;
};

template <class T>
class FlipStep final : public Step {
public:
    FlipStep(ImageDims dims, double p) : m_dims(dims), m_p(p) {}
    bool isRandom() const override { return true; }
    Status run(const std::byte* in, std::byte* out, Random& random) const override {
        const auto* from = reinterpret_cast<const T*>(in);
        auto* to = reinterpret_cast<T*>(out);
        const std::int64_t rows = m_dims.channels * m_dims.height;
        if (random.uniform() < m_p) {
            for (std::int64_t row = 0; row < rows; ++row) {
                std::reverse_copy(from + row * m_dims.width, from + (row + 1) * m_dims.width, to + row * m_dims.width);
            }
        } else {
            std::copy(from, from + rows * m_dims.width, to);
        }
        return {};
    }

private:
    ImageDims m_dims;
    double m_p;
};

template <class T>
class RotationStep final : public Step {
public:
    RotationStep(ImageDims dims, double degrees) : m_dims(dims), m_degrees(degrees) {}
    bool isRandom() const override { return true; }
    Status run(const std::byte* in, std::byte* out, Random& random) const override {
        const double angle = (2.0 * random.uniform() - 1.0) * m_degrees * std::numbers::pi / 180.0;
        const auto cosine = static_cast<float>(std::cos(angle));
        const auto sine = static_cast<float>(std::sin(angle));
        const float centreY = static_cast<float>(m_dims.height - 1) / 2.0F;
        const float centreX = static_cast<float>(m_dims.width - 1) / 2.0F;
        auto* to = reinterpret_cast<T*>(out);
        for (std::int64_t y = 0; y < m_dims.height; ++y) {
            for (std::int64_t x = 0; x < m_dims.width; ++x) {
                const float v = static_cast<float>(y) - centreY;
                const float u = static_cast<float>(x) - centreX;
                const float sourceY = cosine * v - sine * u + centreY;
                const float sourceX = sine * v + cosine * u + centreX;
                for (std::int64_t c = 0; c < m_dims.channels; ++c) {
                    const float value =
                        sample(reinterpret_cast<const T*>(in) + c * m_dims.height * m_dims.width, sourceY, sourceX);
                    T& target = to[(c * m_dims.height + y) * m_dims.width + x];
                    if constexpr (std::is_same_v<T, std::uint8_t>) {
                        target = static_cast<T>(std::clamp(value + 0.5F, 0.0F, 255.0F));
                    } else {
                        target = static_cast<T>(value);
                    }
                }
            }
        }
        return {};
    }

private:
    float at(const T* plane, std::int64_t y, std::int64_t x) const {
        const bool inside = y >= 0 && y < m_dims.height && x >= 0 && x < m_dims.width;
        return inside ? static_cast<float>(plane[y * m_dims.width + x]) : 0.0F;
    }
    float sample(const T* plane, float y, float x) const {
        const auto y0 = static_cast<std::int64_t>(std::floor(y));
        const auto x0 = static_cast<std::int64_t>(std::floor(x));
        const float fy = y - static_cast<float>(y0);
        const float fx = x - static_cast<float>(x0);
        return (1 - fy) * ((1 - fx) * at(plane, y0, x0) + fx * at(plane, y0, x0 + 1)) +
               fy * ((1 - fx) * at(plane, y0 + 1, x0) + fx * at(plane, y0 + 1, x0 + 1));
    }

    ImageDims m_dims;
    double m_degrees;
};

template <class T>
class NoiseStep final : public Step {
public:
    /// Adds noise, or puts it in the values' place.
    NoiseStep(std::int64_t count, double std, bool adds) : m_count(count), m_std(std), m_adds(adds) {}
    bool isRandom() const override { return true; }
    Status run(const std::byte* in, std::byte* out, Random& random) const override {
        const auto* from = reinterpret_cast<const T*>(in);
        auto* to = reinterpret_cast<T*>(out);
        for (std::int64_t i = 0; i < m_count; ++i) {
            to[i] = static_cast<T>((m_adds ? static_cast<double>(from[i]) : 0.0) + m_std * random.normal());
        }
        return {};
    }

private:
    std::int64_t m_count;
    double m_std;
    bool m_adds;
};

/// A transform over images whose step is StepOf<element type>(dims, parameter).
template <template <class> class StepOf, class Parameter>
class ImageTransform final : public Transform {
public:
    ImageTransform(std::string_view name, Parameter parameter) : m_name(name), m_parameter(parameter) {}
    Result<Bound> bind(const ValueType& in, const BindContext& context) const override {
        if (!in.isImage()) {
            return refuse(in, context);
        }
        const ImageDims dims{in.dims[0], in.dims[1], in.dims[2]};
        Bound bound;
        bound.type = in;
        switch (in.dtype) {
            case DType::kUInt8:
                bound.step = std::make_unique<StepOf<std::uint8_t>>(dims, m_parameter);
                break;
            case DType::kFloat32:
                bound.step = std::make_unique<StepOf<float>>(dims, m_parameter);
                break;
            case DType::kFloat64:
                bound.step = std::make_unique<StepOf<double>>(dims, m_parameter);
                break;
            default:
                return refuse(in, context);
        }
        return bound;
    }

private:
    tl::unexpected<Error> refuse(const ValueType& in, const BindContext& context) const {
        return fail(
            ErrorKind::kInvalid, "transform-type",
            fmt::format("{} needs an image [C, H, W] and gets {} {}", m_name, toString(in.dtype), formatDims(in.dims)),
            context.pointer, "Put it after a reshape to [C, H, W], or remove it.");
    }

    std::string_view m_name;
    Parameter m_parameter;
};

class Noise final : public Transform {
public:
    Noise(std::string_view name, double std, bool adds) : m_name(name), m_std(std), m_adds(adds) {}
    Result<Bound> bind(const ValueType& in, const BindContext& context) const override {
        Bound bound;
        bound.type = in;
        if (in.dtype == DType::kFloat32) {
            bound.step = std::make_unique<NoiseStep<float>>(in.elementCount(), m_std, m_adds);
        } else if (in.dtype == DType::kFloat64) {
            bound.step = std::make_unique<NoiseStep<double>>(in.elementCount(), m_std, m_adds);
        } else {
            return fail(ErrorKind::kInvalid, "transform-type",
                        fmt::format("{} needs real numbers and gets {}", m_name, toString(in.dtype)), context.pointer,
                        "Put to_float, scale or normalize before it.");
        }
        return bound;
    }

private:
    std::string_view m_name;
    double m_std;
    bool m_adds;
};

}  // namespace

std::unique_ptr<Transform> readRandomCrop(JsonObject& object) {
    return std::make_unique<ImageTransform<CropStep, std::int64_t>>("random_crop",
                                                                    integerIn(object, "padding", 4, 0, 4096));
}

std::unique_ptr<Transform> readRandomHorizontalFlip(JsonObject& object) {
    return std::make_unique<ImageTransform<FlipStep, double>>("random_horizontal_flip",
                                                              numberIn(object, "p", 0.5, 0.0, 1.0));
}

std::unique_ptr<Transform> readRandomRotation(JsonObject& object) {
    return std::make_unique<ImageTransform<RotationStep, double>>("random_rotation",
                                                                  numberIn(object, "degrees", 10.0, 0.0, 180.0));
}

std::unique_ptr<Transform> readAddNoise(JsonObject& object) {
    return std::make_unique<Noise>("add_noise", numberIn(object, "std", 0.1, 0.0, 1e30), true);
}

std::unique_ptr<Transform> readRandomNormal(JsonObject& object) {
    return std::make_unique<Noise>("random_normal", numberIn(object, "std", 1.0, 0.0, 1e30), false);
}

}  // namespace plumbline::data
