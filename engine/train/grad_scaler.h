#pragma once
// Gradient scaling for float16, in PyTorch's order: scale, backward, unscale, clip, step, update.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "plan/plan.h"
#include "train/optimizer.h"

namespace plumbline::train {

/// One optimizer, one thread. Same numbers and same states as torch.amp.GradScaler.
class GradScaler {
public:
    explicit GradScaler(const plan::GradScalerSpec& spec, at::Device device = at::kCPU);

    /// loss * scale, in the loss's dtype promoted with float32.
    at::Tensor scale(const at::Tensor& loss) const;
    /// Divides the gradients by the scale and looks for infinities and NaN. Once between two updates; a second call is an
    /// error, as in PyTorch.
    Status unscale(const std::vector<at::Tensor>& parameters);
    /// Steps unless unscale() found something; unscales first where that has not been done. Gives whether it stepped.
    Result<bool> step(Optimizer& optimizer);
    /// Adapts the scale; once after step().
    void update();
    /// The mistake of a loop that never calls update(): the next step may begin, the scale stays.
    void forgetUpdate();

    double currentScale() const;
    std::int64_t growthTracker() const;
    /// Whether the last unscale() found an infinity or NaN. Waits for the device.
    bool foundInf() const;

    Json saveState() const;  ///< {"scale", "growth_factor", "backoff_factor", "growth_interval", "_growth_tracker"}
    Status loadState(const Json& state);

private:
    enum class Stage { kReady, kUnscaled, kStepped };

    plan::GradScalerSpec m_spec;
    at::Tensor m_scale;          // float32, one element
    at::Tensor m_growthTracker;  // int32, one element
    at::Tensor m_foundInf;       // float32, one element: 0 or 1
    std::vector<at::Tensor> m_gradients;
    Stage m_stage = Stage::kReady;
};

}  // namespace plumbline::train
