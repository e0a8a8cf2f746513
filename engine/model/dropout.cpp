#include "model/dropout.h"

#include <ATen/ops/dropout.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/empty_strided.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <mutex>

#include "model/bernoulli.h"

namespace plumbline::model {

namespace {

/// Values that are drawn and used at a time: what is drawn is still in the cache then.
constexpr std::int64_t kChunk = 4096;

/// The product of each value with `scale` or 0; in place where `from` is `to`.
template <typename Value>
void scaleKept(const Value* from, const std::uint8_t* kept, Value scale, Value* to, std::int64_t count) {
    const Value factors[2] = {Value(0), scale};
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] * factors[kept[i]];
    }
}
void scaleKept(const float* from, const std::uint8_t* kept, float scale, float* to, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] * (scale * static_cast<float>(kept[i]));
    }
}

/// 1 / (1 - p) as at::dropout rounds it.
template <typename Value>
Value scaleOf(double p) {
    if constexpr (std::is_same_v<Value, double>) {
        return 1.0 / (1.0 - p);
    } else {
        return static_cast<Value>(1.0F / static_cast<float>(1.0 - p));
    }
}

/// Calls `work` with a value of the tensor's element type.
template <typename Work>
void withType(at::ScalarType type, Work work) {
    switch (type) {
        case at::kFloat:
            return work(float{});
        case at::kDouble:
            return work(double{});
        case at::kHalf:
            return work(at::Half{});
        default:
            return work(at::BFloat16{});
    }
}

class Dropout : public torch::autograd::Function<Dropout> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input, double p,
                              bool inPlace) {
        const at::Tensor output = inPlace ? input : at::empty_like(input);
        const at::Tensor kept = at::empty_strided(input.sizes(), input.strides(), input.options().dtype(at::kByte));
        const std::int64_t count = input.numel();
        auto* drawn = kept.mutable_data_ptr<std::uint8_t>();
        at::Generator generator = at::detail::getDefaultCPUGenerator();
        const std::scoped_lock lock(generator.mutex());
        withType(input.scalar_type(), [&]<typename Value>(Value) {
            const auto* from = input.const_data_ptr<Value>();
            auto* to = output.mutable_data_ptr<Value>();
            const Value scale = scaleOf<Value>(p);
            BernoulliDraws draws(*generator.get<at::CPUGeneratorImpl>(), 1.0 - p);
            for (std::int64_t begin = 0; begin < count; begin += kChunk) {
                const std::int64_t now = std::min(kChunk, count - begin);
                draws.take(drawn + begin, static_cast<std::size_t>(now));
                scaleKept(from + begin, drawn + begin, scale, to + begin, now);
            }
        });
        context->save_for_backward({kept});
        context->saved_data["p"] = p;
        if (inPlace) {
            context->mark_dirty({input});
        }
        return output;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const at::Tensor kept = context->get_saved_variables()[0];
        const double p = context->saved_data["p"].toDouble();
        at::Tensor from = gradients[0];
        at::Tensor to = at::empty_strided(kept.sizes(), kept.strides(), from.options());
        if (from.strides() != kept.strides()) {
            from = to.copy_(from);
        }
        withType(from.scalar_type(), [&]<typename Value>(Value) {
            scaleKept(from.const_data_ptr<Value>(), kept.const_data_ptr<std::uint8_t>(), scaleOf<Value>(p),
                      to.mutable_data_ptr<Value>(), kept.numel());
        });
        return {to, at::Tensor(), at::Tensor()};
    }
};

bool isOurs(const at::Tensor& input, double p, bool training) {
    const at::ScalarType type = input.scalar_type();
    return training && p > 0.0 && p < 1.0 && input.is_cpu() && input.layout() == at::kStrided &&
           input.is_non_overlapping_and_dense() && input.numel() > 0 &&
           (type == at::kFloat || type == at::kDouble || type == at::kBFloat16 || type == at::kHalf) &&
           drawsAreLibTorchs();
}

}  // namespace

at::Tensor applyDropout(const at::Tensor& input, double p, bool training) {
    return isOurs(input, p, training) ? Dropout::apply(input, p, false) : at::dropout(input, p, training);
}

at::Tensor& applyDropoutInPlace(at::Tensor& input, double p, bool training) {
    if (!isOurs(input, p, training)) {
        return at::dropout_(input, p, training);
    }
    Dropout::apply(input, p, true);
    return input;
}

}  // namespace plumbline::model
