#pragma once
// Runs the leaves of a model in order over a table of values and lets each value go after its last reader.

#include <ATen/core/Tensor.h>
#include <memory>
#include <vector>

#include "core/error.h"
#include "graph/resolve.h"
#include "model/leaf.h"
#include "model/model.h"

namespace plumbline::model {

class Executor {
public:
    /// `graph` and the leaves (one a node) outlive the executor.
    Executor(const graph::ResolvedModel& graph, const std::vector<std::unique_ptr<Leaf>>& leaves, bool channelsLast);

    /// `training` holds one flag a leaf. Allocates nothing but the result once it has run for the first time.
    Result<std::vector<at::Tensor>> run(const std::vector<at::Tensor>& inputs, const std::vector<char>& training,
                                        LeafObserver* observer);
    /// See Model::keepFloat32.
    void keepFloat32(std::vector<char> leaves) { m_float32 = std::move(leaves); }

private:
    struct Range {
        std::size_t begin = 0;
        std::size_t count = 0;
    };
    struct Step {
        Leaf* leaf = nullptr;
        int node = 0;
        Range inputs, outputs, releases;  ///< into m_ids
    };
    /// What a graph input has to look like: a number, a symbol (by index), or anything.
    struct WantedDim {
        std::int64_t value = -1;
        int symbol = -1;
    };
    struct WantedInput {
        bool known = false;
        std::vector<WantedDim> dims;
    };

    Range append(const std::vector<int>& ids);
    void planReleases();
    void planInputs();
    Status checkInputs(const std::vector<at::Tensor>& inputs);
    void runStep(const Step& step, bool training, LeafObserver* observer);
    /// Under autocast, and the leaf is to compute in float32.
    void forwardInFloat32(const Step& step, bool training);
    /// Turns the exception that is being handled into an error about `step` and empties the table.
    Error failure(const Step& step);

    const graph::ResolvedModel& m_graph;
    bool m_channelsLast;
    std::vector<Step> m_steps;
    std::vector<int> m_ids;
    std::vector<WantedInput> m_wanted;
    std::vector<std::int64_t> m_symbols;      ///< value of each symbol in this call, -1 = not met yet
    std::vector<at::Tensor> m_values;         ///< by ValueId
    std::vector<const at::Tensor*> m_inputs;  ///< of the running step
    std::vector<at::Tensor> m_outputs;        ///< of the running step
    std::vector<char> m_float32;              ///< by leaf; empty: none
    std::vector<at::Tensor> m_raised;         ///< inputs of such a leaf that were in half precision
};

}  // namespace plumbline::model
