#pragma once
// Gradient scaling for float16, in PyTorch's order: scale, backward, unscale, clip, step, update.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "plan/plan.h"
#include "train/optimizer.h"

namespace plumbline::train {

/// One thread; any number of optimizers, each unscaled and stepped once between two updates. Same numbers and same
/// states as torch.amp.GradScaler, and two things more: a smallest scale, and a reset after too many skipped steps in a
/// row.
class GradScaler {
public:
    explicit GradScaler(const plan::GradScalerSpec& spec, at::Device device = at::kCPU);

    /// loss * scale, in the loss's dtype promoted with float32.
    at::Tensor scale(const at::Tensor& loss) const;
    /// Divides the gradients of an optimizer's `parameters` by the scale and looks for infinities and NaN. Once between
    /// two updates; a second call is an error, as in PyTorch.
    Status unscale(const Optimizer& optimizer, const std::vector<at::Tensor>& parameters);
    Status unscale(const Optimizer& optimizer) { return unscale(optimizer, optimizer.parameters()); }
    /// Whether unscale() has found an infinity or NaN for this optimizer. Waits for the device, once between two
    /// updates.
    bool foundInf(const Optimizer& optimizer);
    /// Steps unless unscale() found something; unscales first where that has not been done. Gives whether it stepped.
    Result<bool> step(Optimizer& optimizer);
    /// Adapts the scale; once after every optimizer's step(). Gives whether so many steps in a row have been skipped
    /// that the scale was set back (GradScalerSpec::resetAfterSkips); the learning rate is then the caller's to halve.
    bool update();
    /// The mistake of a loop that never calls update(): the next step may begin, the scale stays.
    void forgetUpdate();

    double currentScale() const;
    std::int64_t growthTracker() const;
    /// Skipped steps since the last one that was taken.
    std::int64_t skippedInARow() const { return m_skippedInARow; }

    /// {"scale", "growth_factor", "backoff_factor", "growth_interval", "_growth_tracker"} as in PyTorch, and
    /// "skipped_in_a_row".
    Json saveState() const;
    Status loadState(const Json& state);

private:
    enum class Stage { kReady, kUnscaled, kStepped };
    /// What is known of one optimizer since the last update.
    struct Stepped {
        const Optimizer* optimizer = nullptr;
        at::Tensor foundInf;  // float32, one element: 0 or 1
        Stage stage = Stage::kReady;
        std::optional<bool> found;  // foundInf, once it has been read
    };
    Stepped& of(const Optimizer& optimizer);
    void beginAgain();

    plan::GradScalerSpec m_spec;
    at::Tensor m_scale;          // float32, one element
    at::Tensor m_growthTracker;  // int32, one element
    std::vector<Stepped> m_optimizers;
    std::vector<at::Tensor> m_gradients;
    bool m_skipped = false;  // an optimizer's step, since the last update
    std::int64_t m_skippedInARow = 0;
};

}  // namespace plumbline::train
