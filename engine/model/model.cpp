#include "model/model.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include "cuda/cuda_runtime.h"
#include "graph/init.h"
#include "graph/refusal.h"
#include "model/dtype.h"
#include "model/executor.h"
#include "model/failure.h"
#include "model/initialise.h"
#include "model/leaf.h"
#include "model/memory.h"
#include "model/module_tree.h"
#include "model/state_dict.h"

namespace plumbline::model {

namespace {

using Leaves = std::vector<std::unique_ptr<Leaf>>;

class BuiltModel final : public Model {
public:
    BuiltModel(graph::ResolvedModel graph, Leaves leaves, const std::vector<int>& owners, bool channelsLast)
        : m_graph(std::move(graph)), m_leaves(std::move(leaves)), m_executor(m_graph, m_leaves, channelsLast) {
        for (std::size_t leaf = 0; leaf < m_leaves.size(); ++leaf) {
            nameStates(leaf, owners[leaf] != static_cast<int>(leaf));
        }
        m_training.resize(m_leaves.size());
        train(true);
    }

    Result<std::vector<at::Tensor>> forward(const std::vector<at::Tensor>& inputs) override {
        return m_executor.run(inputs, m_training, m_observer);
    }
    Result<std::vector<at::Tensor>> forwardPart(const Part& part, const std::vector<at::Tensor>& inputs) override {
        return m_executor.runPart(part, inputs, m_training);
    }
    void useCode(std::vector<CodedPart> parts) override { m_executor.useCode(std::move(parts)); }

    std::size_t addRoute(const std::vector<char>& outputs) override { return m_executor.addRoute(outputs); }
    Result<std::vector<at::Tensor>> forwardAlong(std::size_t route, const std::vector<at::Tensor>& inputs) override {
        return m_executor.run(inputs, m_training, m_observer, route);
    }
    std::vector<char> leavesOf(std::size_t route) const override { return m_executor.leavesOf(route); }

    const graph::ResolvedModel& graph() const override { return m_graph; }
    const std::vector<NamedState>& parameters() const override { return m_parameters; }
    const std::vector<NamedState>& buffers() const override { return m_buffers; }
    std::vector<NamedState> stateDict() const override { return m_state; }
    Status loadStateDict(const std::map<std::string, at::Tensor>& state) override {
        return copyStateDict(state, m_state);
    }

    void train(bool on) override {
        for (std::size_t leaf = 0; leaf < m_training.size(); ++leaf) {
            const std::string& mode = m_graph.nodes[leaf].mode;
            m_training[leaf] = mode == "eval" ? 0 : mode == "stochastic" ? 1 : on ? 1 : 0;
        }
    }
    bool isTraining(int leaf) const override { return m_training[static_cast<std::size_t>(leaf)] != 0; }
    void setTraining(int leaf, bool on) override { m_training[static_cast<std::size_t>(leaf)] = on ? 1 : 0; }
    void setObserver(LeafObserver* observer) override { m_observer = observer; }
    void keepFloat32(std::vector<char> leaves) override { m_executor.keepFloat32(std::move(leaves)); }
    void checkpoint(const std::vector<std::vector<int>>& units) override { m_executor.checkpoint(units); }
    void switchGradientsOff(std::vector<char> leaves) override { m_executor.switchGradientsOff(std::move(leaves)); }
    bool recalibrate(bool on) override {
        bool any = false;
        for (std::size_t leaf = 0; leaf < m_leaves.size(); ++leaf) {
            any = (m_training[leaf] != 0 && m_leaves[leaf]->recalibrate(on)) || any;
        }
        return any;
    }
    void setDropShare(double share) override {
        for (const auto& leaf : m_leaves) {
            leaf->setDropShare(share);
        }
    }
    std::shared_ptr<torch::nn::Module> asModule() override { return makeModuleTree(*this); }

private:
    void nameStates(std::size_t leaf, bool shared) {
        const graph::ResolvedNode& node = m_graph.nodes[leaf];
        for (std::size_t i = 0; i < m_leaves[leaf]->tensors().size(); ++i) {
            const LeafStateName& state = m_leaves[leaf]->names()[i];
            NamedState named;
            named.name = node.path.empty() ? state.name : node.path + "." + state.name;
            named.tensor = m_leaves[leaf]->tensors()[i];
            named.leaf = static_cast<int>(leaf);
            named.buffer = state.buffer;
            named.frozen = !state.buffer && !named.tensor.requires_grad();
            named.shared = shared;
            if (!shared) {
                (state.buffer ? m_buffers : m_parameters).push_back(named);
            }
            m_state.push_back(std::move(named));
        }
    }

    graph::ResolvedModel m_graph;
    Leaves m_leaves;
    Executor m_executor;
    std::vector<NamedState> m_parameters;
    std::vector<NamedState> m_buffers;
    std::vector<NamedState> m_state;
    std::vector<char> m_training;
    LeafObserver* m_observer = nullptr;
};

Status checkGraph(const graph::ResolvedModel& graph) {
    PLUMBLINE_TRY(graph::refuseCritical(graph.problems));
    if (graph.executionOrder.size() != graph.nodes.size()) {
        return fail(ErrorKind::kInvalid, "cycle", "The model's blocks depend on each other in a circle.", "/model",
                    "Remove one connection of the circle.");
    }
    for (const auto& [name, value] : graph.outputs) {
        if (value == graph::kNoValue) {
            return fail(ErrorKind::kInvalid, "dangling-output", fmt::format("The output {} is not connected.", name),
                        "/model/graph/outputs/" + name, "Connect it to a block, or remove it.");
        }
    }
    for (const graph::ResolvedNode& node : graph.nodes) {
        if (!leafBuilders().contains(node.type)) {
            return fail(
                ErrorKind::kInvalid, "unknown-block",
                fmt::format("The block {} has the type {}, which this program cannot build.", node.path, node.type),
                node.pointer, "Use another block, or a newer Plumbline.");
        }
        PLUMBLINE_TRY(graph::checkInit(node.init, node.pointer.empty() ? node.path : node.pointer + "/init"));
    }
    return {};
}

/// For each leaf the one that owns its tensors, itself as a rule.
Result<std::vector<int>> findOwners(const graph::ResolvedModel& graph) {
    std::map<std::string, int> byPath;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        byPath.emplace(graph.nodes[i].path, static_cast<int>(i));
    }
    std::vector<int> owners(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        std::size_t owner = i;
        std::size_t hops = 0;
        while (!graph.nodes[owner].weightsOf.empty()) {
            const auto found = byPath.find(graph.nodes[owner].weightsOf);
            if (found == byPath.end() || ++hops > graph.nodes.size()) {
                return fail(ErrorKind::kInvalid, "unknown-weights",
                            fmt::format("The block {} shares the weights of {}, which is no other block of the model.",
                                        graph.nodes[i].path, graph.nodes[owner].weightsOf),
                            graph.nodes[i].pointer, "Name a block of the same graph, or remove \"weights\".");
            }
            owner = static_cast<std::size_t>(found->second);
        }
        owners[i] = static_cast<int>(owner);
    }
    return owners;
}

/// Where and how the tensors of a leaf live, after they were drawn on the CPU in float32.
std::vector<at::Tensor> placed(const Leaf& leaf, const BuildOptions& options, bool frozen) {
    std::vector<at::Tensor> tensors;
    for (std::size_t i = 0; i < leaf.tensors().size(); ++i) {
        at::Tensor tensor = leaf.tensors()[i];
        const bool floating = at::isFloatingType(tensor.scalar_type());
        const at::ScalarType dtype = floating && options.dtype ? toScalarType(*options.dtype) : tensor.scalar_type();
        tensor = tensor.to(options.device, dtype);
        if (options.channelsLast && tensor.dim() == 4) {
            tensor = tensor.contiguous(at::MemoryFormat::ChannelsLast);
        }
        if (!leaf.names()[i].buffer && !frozen) {
            tensor.set_requires_grad(true);
        }
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

Status shareTensors(const graph::ResolvedModel& graph, Leaves& leaves, std::size_t leaf, std::size_t owner) {
    const std::vector<at::Tensor>& theirs = leaves[owner]->tensors();
    const std::vector<at::Tensor>& mine = leaves[leaf]->tensors();
    bool fits = theirs.size() == mine.size();
    for (std::size_t i = 0; fits && i < mine.size(); ++i) {
        fits = mine[i].sizes() == theirs[i].sizes() && leaves[leaf]->names()[i].name == leaves[owner]->names()[i].name;
    }
    if (!fits) {
        return fail(
            ErrorKind::kInvalid, "weights-do-not-fit",
            fmt::format("The block {} cannot share the weights of {}: their parameters differ in name or shape.",
                        graph.nodes[leaf].path, graph.nodes[owner].path),
            graph.nodes[leaf].pointer, "Give both blocks the same type and parameters.");
    }
    leaves[leaf]->setTensors(theirs);
    return {};
}

Result<std::unique_ptr<Model>> buildLeaves(const graph::ResolvedModel& graph, const BuildOptions& options,
                                           const std::vector<int>& owners, std::size_t& current) {
    Leaves leaves;
    for (current = 0; current < graph.nodes.size(); ++current) {
        const graph::ResolvedNode& node = graph.nodes[current];
        leaves.push_back(leafBuilders().find(node.type)->second(node.params));
        if (owners[current] == static_cast<int>(current)) {
            leaves.back()->reset();
        }
    }
    for (current = 0; current < leaves.size(); ++current) {
        if (owners[current] == static_cast<int>(current)) {
            applyInit(graph.nodes[current].init, *leaves[current]);
            leaves[current]->setTensors(placed(*leaves[current], options, graph.nodes[current].frozen));
        }
    }
    for (current = 0; current < leaves.size(); ++current) {
        if (owners[current] != static_cast<int>(current)) {
            PLUMBLINE_TRY(shareTensors(graph, leaves, current, static_cast<std::size_t>(owners[current])));
        }
    }
    graph::ResolvedModel own = graph;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        if (std::string hash = leaves[leaf]->contentHash(); !hash.empty()) {
            own.nodes[leaf].params[kContentHash] = std::move(hash);
        }
    }
    return std::make_unique<BuiltModel>(std::move(own), std::move(leaves), owners, options.channelsLast);
}

}  // namespace

Result<std::unique_ptr<Model>> Model::build(const graph::ResolvedModel& graph, const BuildOptions& options) {
    PLUMBLINE_TRY(checkGraph(graph));
    PLUMBLINE_ASSIGN(const std::vector<int> owners, findOwners(graph));
    if (options.device.is_cuda()) {
        PLUMBLINE_TRY(cuda::loadCuda());
    }
    const MemoryScope scope(MemoryCategory::kParameters);
    std::size_t current = graph.nodes.size();
    try {
        if (options.seedGenerator) {
            at::manual_seed(options.seed);
        }
        return buildLeaves(graph, options, owners, current);
    } catch (...) {
        if (current >= graph.nodes.size()) {
            return fail(errorOfCurrentException("The model could not be built", ""));
        }
        const graph::ResolvedNode& node = graph.nodes[current];
        Error error = errorOfCurrentException(fmt::format("The block {} ({}) could not be built", node.path, node.type),
                                              node.pointer.empty() ? node.path : node.pointer);
        if (error.kind == ErrorKind::kRunFailed) {
            error.kind = ErrorKind::kInvalid;
        }
        if (error.where.empty()) {
            error.where = node.pointer;
        }
        return fail(std::move(error));
    }
}

}  // namespace plumbline::model
