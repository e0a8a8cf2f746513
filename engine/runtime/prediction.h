#pragma once
// A trained model's answer to single inputs.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/compiled_model.h"
#include "core/error.h"
#include "session/engine.h"
#include "train/assembly.h"

namespace plumbline::runtime {

/// Answers requests one at a time. The model and the data of the last one are kept: who asks about the next sample of
/// the same checkpoint waits for the forward pass alone.
class Predictor {
public:
    /// One prediction an input, in order. A classifier's logits become probabilities over the target's classes, best
    /// first.
    Result<std::vector<session::Prediction>> predict(const session::PredictRequest& request);
    /// Lets the model and the data go.
    void forget() {
        m_compiled.reset();
        m_assembly.reset();
    }

private:
    std::optional<train::Assembly> m_assembly;
    std::unique_ptr<compile::CompiledModel> m_compiled;  ///< of m_assembly, where the last request wanted it
    std::string m_of;                                    ///< all that m_assembly was made from
    std::string m_remark;                                ///< on the checkpoint of m_assembly; "" = none
};

}  // namespace plumbline::runtime
