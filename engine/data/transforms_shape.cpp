// one_hot, flatten, reshape and resize: what changes the dims.
#include <fmt/format.h>
#include <algorithm>
#include <cstring>

#include "core/json_errors.h"
#include "data/resize_plan.h"
#include "data/transforms.h"

namespace plumbline::data {
namespace {

constexpr std::int64_t kMaxClasses = 1'000'000;

template <class Out>
class OneHotStep final : public Step {
public:
    OneHotStep(std::int64_t classes, std::string pointer) : m_classes(classes), m_pointer(std::move(pointer)) {}
    Status run(const std::byte* in, std::byte* out, Random&) const override {
        std::int64_t index = 0;
        std::memcpy(&index, in, sizeof(index));
        if (index < 0 || index >= m_classes) {
            return fail(ErrorKind::kInvalid, "label-out-of-range",
                        fmt::format("one_hot has {} classes and got the class index {}", m_classes, index), m_pointer,
                        "Raise \"classes\", or correct the data.");
        }
        auto* values = reinterpret_cast<Out*>(out);
        std::fill(values, values + m_classes, Out{0});
        values[index] = Out{1};
        return {};
    }

private:
    std::int64_t m_classes;
    std::string m_pointer;
};

class OneHot final : public Transform {
public:
    explicit OneHot(std::int64_t classes) : m_classes(classes) {}
    Result<Bound> bind(const ValueType& in, const BindContext& context) const override {
        if (in.dtype != DType::kInt64 || in.elementCount() != 1) {
            return fail(
                ErrorKind::kInvalid, "transform-type",
                fmt::format("one_hot needs a class index and gets {} {}", toString(in.dtype), formatDims(in.dims)),
                context.pointer, "Use it on a label or a text column.");
        }
        const auto known = static_cast<std::int64_t>(in.classes.size());
        if (m_classes == 0 && known == 0) {
            return fail(ErrorKind::kInvalid, "transform-type", "one_hot does not know how many classes there are",
                        context.pointer, "Give it \"classes\".");
        }
        if (m_classes != 0 && m_classes < known) {
            return fail(ErrorKind::kInvalid, "label-out-of-range",
                        fmt::format("one_hot has {} classes and the data has {}", m_classes, known), context.pointer,
                        "Raise \"classes\", or leave it out.");
        }
        Bound bound;
        bound.type.dtype = context.floating;
        bound.type.dims = {m_classes != 0 ? m_classes : known};
        bound.type.columns = in.classes;
        bound.type.columns.resize(static_cast<std::size_t>(bound.type.dims[0]));
        if (context.floating == DType::kFloat64) {
            bound.step = std::make_unique<OneHotStep<double>>(bound.type.dims[0], context.pointer);
        } else {
            bound.step = std::make_unique<OneHotStep<float>>(bound.type.dims[0], context.pointer);
        }
        bound.resolved = {{"type", "one_hot"}, {"classes", bound.type.dims[0]}};
        return bound;
    }

private:
    std::int64_t m_classes;  ///< 0: as many as the data has
};

class Reshape final : public Transform {
public:
    explicit Reshape(std::vector<std::int64_t> shape) : m_shape(std::move(shape)) {}
    Result<Bound> bind(const ValueType& in, const BindContext& context) const override {
        const std::int64_t count = in.elementCount();
        std::vector<std::int64_t> shape = m_shape;
        std::int64_t known = 1;
        bool overflow = false;
        for (const std::int64_t dim : shape) {
            if (dim != -1) {
                overflow = overflow || __builtin_mul_overflow(known, dim, &known);
            }
        }
        const auto open = std::find(shape.begin(), shape.end(), -1);
        if (!overflow && open != shape.end() && count % known == 0) {
            *open = count / known;
            known = count;
        }
        if (overflow || known != count) {
            return fail(
                ErrorKind::kInvalid, "reshape-mismatch",
                fmt::format("{} has {} values and cannot become {}", formatDims(in.dims), count, formatDims(m_shape)),
                context.pointer, "The product of the dims has to stay the same.");
        }
        Bound bound;
        bound.type = in;
        if (shape.size() != 1) {
            bound.type.columns.clear();
        }
        bound.type.dims = std::move(shape);
        return bound;
    }

private:
    std::vector<std::int64_t> m_shape;
};

template <class T>
class ResizeStep final : public Step {
public:
    ResizeStep(const std::vector<std::int64_t>& in, const std::vector<std::int64_t>& size)
        : m_channels(in[0]),
          m_inPlane(in[1] * in[2]),
          m_outPlane(size[0] * size[1]),
          m_plan(in[1], in[2], size[0], size[1]) {}
    Status run(const std::byte* in, std::byte* out, Random&) const override {
        for (std::int64_t c = 0; c < m_channels; ++c) {
            m_plan.run(reinterpret_cast<const T*>(in) + c * m_inPlane, reinterpret_cast<T*>(out) + c * m_outPlane);
        }
        return {};
    }

private:
    std::int64_t m_channels;
    std::int64_t m_inPlane;
    std::int64_t m_outPlane;
    ResizePlan m_plan;
};

class Resize final : public Transform {
public:
    explicit Resize(std::vector<std::int64_t> size) : m_size(std::move(size)) {}
    Result<Bound> bind(const ValueType& in, const BindContext& context) const override {
        const bool bytes = in.dtype == DType::kUInt8;
        if (!in.isImage() || (!bytes && in.dtype != DType::kFloat32)) {
            return fail(ErrorKind::kInvalid, "transform-type",
                        fmt::format("resize needs an image [C, H, W] of uint8 or float32 and gets {} {}",
                                    toString(in.dtype), formatDims(in.dims)),
                        context.pointer, "Put it after a reshape to [C, H, W], or remove it.");
        }
        Bound bound;
        bound.type = in;
        bound.type.dims = {in.dims[0], m_size[0], m_size[1]};
        if (bytes) {
            bound.step = std::make_unique<ResizeStep<std::uint8_t>>(in.dims, m_size);
        } else {
            bound.step = std::make_unique<ResizeStep<float>>(in.dims, m_size);
        }
        return bound;
    }

private:
    std::vector<std::int64_t> m_size;
};

}  // namespace

std::unique_ptr<Transform> readOneHot(JsonObject& object) {
    return std::make_unique<OneHot>(object.has("classes") ? integerIn(object, "classes", 1, 1, kMaxClasses)
                                                          : object.integer("classes", 0));
}

std::unique_ptr<Transform> readFlatten(JsonObject&) {
    return std::make_unique<Reshape>(std::vector<std::int64_t>{-1});
}

std::unique_ptr<Transform> readReshape(JsonObject& object) {
    std::vector<std::int64_t> shape;
    const Json* value = object.find("shape");
    const auto isDim = [](const Json& item) {
        return item.is_number_integer() && (item.get<std::int64_t>() > 0 || item.get<std::int64_t>() == -1);
    };
    if (value == nullptr) {
        object.addError(missingKeyError(pointerTo(object.pointer(), "shape"), "\"shape\": [1, 8, 8]"));
    } else if (!value->is_array() || value->size() > 8 || !std::all_of(value->begin(), value->end(), isDim) ||
               std::count(value->begin(), value->end(), Json(-1)) > 1) {
        object.wrongType("shape", "a list of up to 8 dims above zero, one of which may be -1,");
    } else {
        shape = value->get<std::vector<std::int64_t>>();
    }
    return std::make_unique<Reshape>(std::move(shape));
}

std::unique_ptr<Transform> readResize(JsonObject& object) {
    std::vector<std::int64_t> size = heightAndWidth(object, "size");
    if (!object.has("size")) {
        object.addError(missingKeyError(pointerTo(object.pointer(), "size"), "\"size\": [32, 32]"));
    }
    return std::make_unique<Resize>(std::move(size));
}

}  // namespace plumbline::data
