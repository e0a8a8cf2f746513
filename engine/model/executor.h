#pragma once
// Runs the leaves of a model in order over a table of values and lets each value go after its last reader. Units of
// activation checkpointing run as one: executor_units.cpp.

#include <ATen/core/Tensor.h>
#include <deque>
#include <memory>
#include <span>
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
                                        LeafObserver* observer, std::size_t route = 0);
    /// See Model::forwardPart.
    Result<std::vector<at::Tensor>> runPart(const Part& part, const std::vector<at::Tensor>& inputs,
                                            const std::vector<char>& training);
    /// See Model::useCode.
    void useCode(std::vector<CodedPart> parts);
    /// See Model::addRoute. Route 0 is the whole graph.
    std::size_t addRoute(const std::vector<char>& outputs);
    /// Which leaves a route runs, one flag each.
    std::vector<char> leavesOf(std::size_t route) const;
    /// See Model::keepFloat32.
    void keepFloat32(std::vector<char> leaves) { m_float32 = std::move(leaves); }
    /// See Model::switchGradientsOff.
    void switchGradientsOff(std::vector<char> leaves) { m_gradientsOff = std::move(leaves); }
    /// See Model::checkpoint. The leaves of a unit run one after the other: where the model's own order has others in
    /// between, those come before it or after it, and what is drawn by chance is drawn in that order. Not between a
    /// forward pass and its backward pass.
    void checkpoint(const std::vector<std::vector<int>>& units);

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

    /// Leaves that run as one, as steps from `begin` to before `end`.
    struct Unit {
        std::size_t begin = 0, end = 0;
        std::vector<int> inputs, outputs;  ///< ids of the values that flow in, and of those that others read
        bool overwrites = false;           ///< a leaf in it works in place
    };
    class UnitRun;
    /// The steps that some of the graph's outputs need.
    struct Route {
        std::vector<Step> steps;
        std::vector<Unit> units;    ///< in order of execution
        std::vector<char> outputs;  ///< one flag each
    };

    Range append(const std::vector<int>& ids);
    Route planRoute(const std::vector<char>& outputs);
    void planReleases(Route& route);
    void planUnits(Route& route);
    void planInputs();
    Status checkInputs(const std::vector<at::Tensor>& inputs);
    void runRoute(const Route& route, const std::vector<char>& training, LeafObserver* observer);
    void runStep(const Step& step, bool training, LeafObserver* observer);
    void forward(const Step& step, bool training);
    void forwardWithoutGradients(const Step& step, bool training);
    void runWithCode(const std::vector<Step>& steps, const std::vector<char>& training, LeafObserver* observer);
    /// Whether other code ran in the place of the part that begins at `step`; else nothing was done.
    bool runCode(const CodedPart& coded, const std::vector<Step>& steps, const std::vector<char>& training);
    void release(const Step& step);
    std::vector<at::Tensor> take(std::span<const graph::ValueId> ids);
    std::vector<int> orderWith(const std::vector<std::vector<int>>& units) const;
    void runWithUnits(const Route& route, const std::vector<char>& training, LeafObserver* observer);
    void runUnit(const Route& route, const Unit& unit, const std::vector<char>& training, LeafObserver* observer);
    /// Whether an output of the unit would have a gradient; m_learns then says it of each value in it.
    bool learns(const Route& route, const Unit& unit);
    /// Under autocast, and the leaf is to compute in float32.
    void forwardInFloat32(const Step& step, bool training);
    /// Turns the exception that is being handled into an error about `step` and empties the table.
    Error failure(const Step& step);

    const graph::ResolvedModel& m_graph;
    const std::vector<std::unique_ptr<Leaf>>& m_leaves;
    bool m_channelsLast;
    std::vector<int> m_order;        ///< of the leaves
    std::vector<int> m_unitOfLeaf;   ///< -1: none; empty: nothing is checkpointed
    std::deque<Route> m_routes;      ///< a unit's backward pass refers to its own
    std::vector<CodedPart> m_coded;  ///< by their first step
    std::vector<int> m_ids;
    std::vector<WantedInput> m_wanted;
    std::vector<std::int64_t> m_symbols;      ///< value of each symbol in this call, -1 = not met yet
    std::vector<at::Tensor> m_values;         ///< by ValueId
    std::vector<const at::Tensor*> m_inputs;  ///< of the running step
    std::vector<at::Tensor> m_outputs;        ///< of the running step
    const Step* m_current = nullptr;          ///< the one that runs
    bool m_overwrites = false;                ///< a leaf of the model works in place
    std::vector<char> m_learns;               ///< by ValueId: has a gradient, as far as the running unit is concerned
    std::vector<char> m_gradientsOff;         ///< by leaf; empty: none
    std::vector<char> m_float32;              ///< by leaf; empty: none
    std::vector<at::Tensor> m_raised;         ///< inputs of such a leaf that were in half precision
};

}  // namespace plumbline::model
