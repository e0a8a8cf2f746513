#pragma once
// BatchNorm's statistics for averaged weights, as torch.optim.swa_utils.update_bn.

#include <functional>

#include "core/error.h"
#include "core/run_control.h"
#include "data/dataset.h"
#include "model/model.h"
#include "plan/plan.h"
#include "train/batch.h"
#include "train/stall_watch.h"

namespace plumbline::train {

/// Takes the running statistics of every BatchNorm that is in training mode anew, for the model's weights as they are
/// now: the mean over the batches of one pass of `loader` from its beginning, each batch counting alike. Blocks keep
/// their modes, so Dropout drops as in training; the generators are afterwards as before. Looks at `control` once a
/// batch (passOrStop); a stop is the error "stopped", and leaves statistics that are good for nothing. `stalls` may be
/// nullptr.
Status recalibrateBatchNorm(model::Model& model, const BatchBinder& binder, data::Loader& loader,
                            plan::Precision precision, at::DeviceType device, RunControl& control,
                            const std::function<void()>& look, StallWatch* stalls);

}  // namespace plumbline::train
