#pragma once
// What a monitor looks at: the blocks and parameters of a model, however it was made.

#include <ATen/core/Tensor.h>
#include <memory>
#include <string>
#include <vector>

#include "diagnostics/step_stats.h"

namespace torch::nn {
class Module;
}

namespace plumbline::monitor {

/// Tells the mode of each block, by its index in RunFacts::blocks. Asked in every step: has to be cheap.
class ModeSource {
public:
    virtual ~ModeSource() = default;
    virtual bool isTraining(std::size_t block) const = 0;
};

/// Running statistics of one BatchNorm. Tensors that do not exist are undefined.
struct WatchedNorm {
    int block = 0;
    at::Tensor runningMean, runningVar, batchesTracked;
};

struct Watch {
    diagnostics::RunFacts facts;  ///< blocks and parameters are filled in; the rest is the caller's
    std::vector<at::Tensor>
        parameters;  ///< in the order of facts.parameters; a monitor asks again which require gradients
    std::vector<int> parameterBlocks;  ///< index into facts.blocks of each
    std::vector<WatchedNorm> norms;
    std::unique_ptr<ModeSource> modes;
};

/// The modules of a LibTorch model that hold parameters or buffers or that behave differently in training (dropout and
/// the like), under their names. Keeps the modules alive.
Watch watchModule(const std::shared_ptr<torch::nn::Module>& module);

}  // namespace plumbline::monitor
