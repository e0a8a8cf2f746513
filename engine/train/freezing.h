#pragma once
// Which parameters train, and from which epoch on.

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "model/model.h"
#include "plan/plan.h"
#include "train/parameter_groups.h"

namespace plumbline::train {

/// What is frozen: parameters of frozen optimizer groups for the whole run, those that a `training.freeze` matches
/// until its epochs have passed; where several match, until the last of them has; those that only blocks of
/// `training.no_grad` read, for the whole run. They do not require a gradient. With `buffers`, BatchNorm and
/// InstanceNorm blocks whose running statistics it matches by name stay in eval mode as long.
class Freezing {
public:
    /// Freezes for the first epoch; the model outlives it. A freeze that matches nothing, and one that leaves nothing
    /// to train in the first epoch, are errors.
    static Result<Freezing> make(const plan::TrainingPlan& plan, model::Model& model);

    /// Those that train at some time of a run, however long.
    const std::vector<NamedParameter>& trained() const { return m_trained; }
    /// Before an epoch, counted from 0, also after a resume: what is due begins to train. `leaveModes`: blocks stay in
    /// the mode they are in.
    void enterEpoch(std::int64_t epoch, bool leaveModes);

private:
    struct Parameter {
        at::Tensor tensor;
        std::int64_t until = 0;
    };
    struct Block {
        int leaf = 0;
        std::int64_t until = 0;
    };

    explicit Freezing(model::Model& model) : m_model(&model) {}
    void addBlocks(const plan::TrainingPlan& plan);

    model::Model* m_model;
    std::vector<NamedParameter> m_trained;
    std::vector<Parameter> m_parameters;  ///< that are frozen at first
    std::vector<Block> m_blocks;
};

}  // namespace plumbline::train
