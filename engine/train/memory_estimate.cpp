#include "train/memory_estimate.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "core/dtype.h"

namespace plumbline::train {

namespace {

constexpr std::int64_t kFloat = 4, kIndex = 8;
/// Floats that a recurrent layer keeps for each element of its output, as measured: projections, gates, cells and their
/// products.
constexpr std::int64_t kOfLstm = 22, kOfGru = 9;

bool isOneOf(std::string_view type, std::initializer_list<std::string_view> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
}

bool isNorm(std::string_view type) {
    return type.starts_with("BatchNorm") || type.starts_with("InstanceNorm") || type == "LayerNorm" ||
           type == "GroupNorm";
}

bool keepsInputs(std::string_view type) {
    return isNorm(type) ||
           isOneOf(type, {"Linear", "Conv2d", "ConvTranspose2d", "GELU", "SiLU", "LeakyReLU", "MaxPool2d", "AvgPool2d",
                          "AdaptiveAvgPool2d", "Multiply", "Embedding", "LSTM", "GRU", "MultiheadAttention",
                          "TransformerEncoderLayer", "TransformerDecoderLayer"});
}
bool keepsOutput(std::string_view type) {
    return isOneOf(type, {"ReLU", "Sigmoid", "Tanh", "Softmax", "LogSoftmax"});
}
/// Whose output is, or may be, its input seen in another way.
bool isView(std::string_view type) {
    return isOneOf(type, {"Input", "Output", "Identity", "Flatten", "Reshape", "Permute", "Select"});
}
/// Those that hold more inside than they take and give.
bool isDeep(std::string_view type) {
    return isOneOf(type, {"LSTM", "GRU", "MultiheadAttention", "TransformerEncoderLayer", "TransformerDecoderLayer"});
}

bool hasRunningStatistics(const graph::ResolvedNode& node) {
    const bool tracks = node.type.starts_with("BatchNorm")
                            ? node.params.value("track_running_stats", true)
                            : node.type.starts_with("InstanceNorm") && node.params.value("track_running_stats", false);
    return tracks && node.mode != "eval";
}

class Estimator {
public:
    explicit Estimator(const MemoryQuestion& question)
        : m_question(question),
          m_graph(question.graph),
          m_root(m_graph.values.size()),
          m_learns(m_graph.values.size(), 0) {}

    std::optional<MemoryEstimate> run() {
        m_memory.blocks.assign(m_graph.nodes.size(), 0);
        m_memory.accumulates = m_question.accumulates;
        m_memory.kept = m_question.kept;
        m_memory.update = m_question.update;
        for (std::size_t value = 0; value < m_root.size(); ++value) {
            m_root[value] = static_cast<int>(value);
        }
        std::int64_t halved = 0;  // parameters that autocast keeps a copy of
        for (const graph::ResolvedNode& node : m_graph.nodes) {
            addState(node, halved);
        }
        for (const int index : m_graph.executionOrder) {
            visit(index);
        }
        for (const auto& [name, value] : m_graph.outputs) {
            // The output itself, and what the loss makes of it.
            if (value != graph::kNoValue) {
                keep(value);
                m_memory.activations += bytesOf(value);
            }
        }
        m_memory.gradients = m_question.gradients.value_or(m_memory.gradients);
        m_memory.optimizerState =
            m_question.optimizerState.value_or(stateTensors(m_question.optimizer) * m_memory.gradients);
        m_memory.activations += m_question.half ? halved / 2 : 0;
        for (const std::int64_t bytes : m_memory.blocks) {
            m_memory.activations += bytes;
        }
        return m_known ? std::optional(m_memory) : std::nullopt;
    }

    /// Of a tensor in the forward pass.
    std::int64_t bytesOf(graph::ValueId value) {
        const graph::TensorType& type = m_graph.values[static_cast<std::size_t>(value)].type;
        const bool real = isFloatingPoint(type.dtype);
        return elementsOf(value) *
               (real && m_question.half ? kFloat / 2 : static_cast<std::int64_t>(sizeOf(type.dtype)));
    }

private:
    std::int64_t elementsOf(graph::ValueId value) {
        const graph::ResolvedValue& seen = m_graph.values[static_cast<std::size_t>(value)];
        const auto elements = seen.known ? seen.type.elementCount().evaluate(m_question.symbols) : std::nullopt;
        m_known = m_known && elements.has_value();
        return elements.value_or(0);
    }

    void addState(const graph::ResolvedNode& node, std::int64_t& halved) {
        if (!node.weightsOf.empty()) {
            return;
        }
        for (const graph::StateSpec& state : node.state) {
            std::int64_t elements = 1;
            for (const std::int64_t dim : state.dims) {
                elements *= dim;
            }
            const std::int64_t bytes = elements * static_cast<std::int64_t>(sizeOf(state.dtype));
            m_memory.parameters += bytes;
            m_memory.gradients += state.buffer || node.frozen ? 0 : bytes;
            halved += state.buffer || isNorm(node.type) ? 0 : bytes;
        }
    }

    /// Counted once, with the block that made it; what the loader made is none of the step's.
    void keep(graph::ValueId value) {
        if (value == graph::kNoValue) {
            return;
        }
        const int root = m_root[static_cast<std::size_t>(value)];
        const int producer = m_graph.values[static_cast<std::size_t>(root)].producer;
        if (producer >= 0 && m_kept.insert(root).second) {
            m_memory.blocks[static_cast<std::size_t>(producer)] += bytesOf(root);
        }
    }

    void visit(int index) {
        const graph::ResolvedNode& node = m_graph.nodes[static_cast<std::size_t>(index)];
        bool learns = !node.frozen && std::any_of(node.state.begin(), node.state.end(),
                                                  [](const graph::StateSpec& state) { return !state.buffer; });
        for (const graph::ValueId input : node.inputs) {
            learns = learns || (input != graph::kNoValue && m_learns[static_cast<std::size_t>(input)] != 0);
        }
        const bool isOff =
            !m_question.gradientsOff.empty() && m_question.gradientsOff[static_cast<std::size_t>(index)] != 0;
        learns = learns && !isOff && node.type != "Detach" && node.type != "ArgMax";
        std::int64_t passing = 0;
        for (const graph::ValueId output : node.outputs) {
            m_learns[static_cast<std::size_t>(output)] = learns ? 1 : 0;
            passing += bytesOf(output);
            if (isView(node.type) && !node.inputs.empty() && node.inputs[0] != graph::kNoValue) {
                m_root[static_cast<std::size_t>(output)] = m_root[static_cast<std::size_t>(node.inputs[0])];
            }
        }
        for (const graph::ValueId input : node.inputs) {
            passing += input == graph::kNoValue ? 0 : bytesOf(input);
        }
        if (!learns) {
            return;
        }
        m_memory.transient = std::max(m_memory.transient, passing);
        if (keepsInputs(node.type)) {
            std::for_each(node.inputs.begin(), node.inputs.end(), [this](graph::ValueId input) { keep(input); });
        }
        if (keepsOutput(node.type) && !node.outputs.empty()) {
            keep(node.outputs[0]);
        }
        m_memory.blocks[static_cast<std::size_t>(index)] += inside(node);
    }

    /// What a block keeps besides its inputs and outputs.
    std::int64_t inside(const graph::ResolvedNode& node) {
        if (node.outputs.empty() || node.outputs[0] == graph::kNoValue) {
            return 0;
        }
        const std::int64_t real = m_question.half ? kFloat / 2 : kFloat;
        const std::int64_t out = elementsOf(node.outputs[0]);
        const bool drops = node.mode != "eval" && node.params.value("p", node.params.value("dropout", 0.0)) > 0;
        if (node.type == "MaxPool2d") {
            return kIndex * out;
        }
        if (node.type == "Dropout") {
            return drops ? out : 0;  // a byte each
        }
        if (node.type == "LSTM" || node.type == "GRU") {
            return real * (node.type == "LSTM" ? kOfLstm : kOfGru) * out *
                   node.params.value("num_layers", std::int64_t{1});
        }
        if (node.type == "MultiheadAttention") {
            return attention(node, out, drops, "num_heads", real);
        }
        if (node.type != "TransformerEncoderLayer" && node.type != "TransformerDecoderLayer") {
            return 0;
        }
        const bool decoder = node.type == "TransformerDecoderLayer";
        const std::int64_t features = std::max<std::int64_t>(1, node.params.value("d_model", std::int64_t{1}));
        const std::int64_t wide = out / features * node.params.value("dim_feedforward", std::int64_t{2048});
        const std::int64_t parts = decoder ? 3 : 2;
        // Each part: what its norm takes and gives. The wide rows: the activation's, and where they are dropped from,
        // what is left. What was dropped is a byte each.
        const std::int64_t norms = parts * 2 * out;
        const std::int64_t rows =
            (1 + (drops ? 1 : 0) + (node.params.value("activation", "relu") == "gelu" ? 1 : 0)) * wide;
        const std::int64_t dropped = drops ? parts * out + wide : 0;
        return real * (norms + rows) + dropped + (decoder ? 2 : 1) * attention(node, out, drops, "nhead", real);
    }

    /// Bytes: queries, keys, values, what was attended and its rows; with dropout also scaled queries and keys, the
    /// weights before and after it, and what was dropped of them.
    std::int64_t attention(const graph::ResolvedNode& node, std::int64_t out, bool drops, const char* headsKey,
                           std::int64_t real) {
        const graph::TensorType& type = m_graph.values[static_cast<std::size_t>(node.outputs[0])].type;
        std::int64_t weights = 0;
        if (drops && type.rank() == 3) {
            const std::size_t time = node.params.value("batch_first", false) ? 1 : 0;
            const auto length = type.dims[time].evaluate(m_question.symbols),
                       batch = type.dims[1 - time].evaluate(m_question.symbols);
            m_known = m_known && length && batch;
            weights = length.value_or(0) * length.value_or(0) * batch.value_or(0) *
                      node.params.value(headsKey, std::int64_t{1});
        }
        return real * ((drops ? 7 : 5) * out + 2 * weights) + weights;
    }

    const MemoryQuestion& m_question;
    const graph::ResolvedModel& m_graph;
    std::vector<int> m_root;     ///< by value: the one whose memory it looks into
    std::vector<char> m_learns;  ///< by value: a gradient flows back through it
    std::set<int> m_kept;
    MemoryEstimate m_memory;
    bool m_known = true;
};

/// Leaves below a node of the tree.
void gatherLeaves(const graph::ResolvedModel& graph, int at, std::vector<int>& leaves) {
    const graph::ModuleNode& node = graph.tree[static_cast<std::size_t>(at)];
    if (node.leaf >= 0) {
        leaves.push_back(node.leaf);
    }
    for (const int child : node.children) {
        gatherLeaves(graph, child, leaves);
    }
}

class RecomputationFinder {
public:
    RecomputationFinder(const MemoryQuestion& question, const MemoryEstimate& plain)
        : m_graph(question.graph), m_plain(plain), m_sizes(question) {}

    std::optional<RecomputationOffer> run() {
        m_found.activations = m_plain.activations;
        visitChildren(0);
        m_found.activations += m_largest;
        return m_found.patterns.empty() || m_found.activations >= m_plain.activations ? std::nullopt
                                                                                      : std::optional(m_found);
    }

private:
    void visitChildren(int at) {
        for (const int child : m_graph.tree[static_cast<std::size_t>(at)].children) {
            visit(child, m_graph.tree[static_cast<std::size_t>(at)]);
        }
    }
    void visit(int at, const graph::ModuleNode& parent) {
        const graph::ModuleNode& node = m_graph.tree[static_cast<std::size_t>(at)];
        const bool isChain = node.leaf < 0 && node.type.empty();
        const bool isUnit = node.leaf >= 0 ? isDeep(node.type) : !isChain;
        std::vector<int> leaves;
        gatherLeaves(m_graph, at, leaves);
        const bool tracks = std::any_of(leaves.begin(), leaves.end(), [this](int leaf) {
            return hasRunningStatistics(m_graph.nodes[static_cast<std::size_t>(leaf)]);
        });
        if (!isUnit || tracks) {
            visitChildren(at);
            return;
        }
        std::int64_t inside = 0, given = 0;
        for (const int leaf : leaves) {
            inside += m_plain.blocks[static_cast<std::size_t>(leaf)];
        }
        const std::vector<graph::ValueId>& outputs =
            node.leaf >= 0 ? m_graph.nodes[static_cast<std::size_t>(node.leaf)].outputs : node.outputs;
        for (const graph::ValueId output : outputs) {
            given += output == graph::kNoValue ? 0 : m_sizes.bytesOf(output);
        }
        if (inside <= given) {
            return;
        }
        m_found.activations -= inside - given;
        m_largest = std::max(m_largest, inside - given);
        const bool inChain = parent.leaf < 0 && parent.type.empty() && !parent.path.empty();
        const std::string pattern = inChain ? parent.path + ".*" : node.path;
        if (std::find(m_found.patterns.begin(), m_found.patterns.end(), pattern) == m_found.patterns.end()) {
            m_found.patterns.push_back(pattern);
        }
    }

    const graph::ResolvedModel& m_graph;
    const MemoryEstimate& m_plain;
    Estimator m_sizes;
    RecomputationOffer m_found;
    std::int64_t m_largest = 0;  ///< of one unit: it is there while that is computed again
};

}  // namespace

std::int64_t stateTensors(const plan::OptimizerSpec& optimizer) {
    const std::string& type = optimizer.type;
    if (type == "SGD") {
        return optimizer.number("momentum") > 0 ? 1 : 0;
    }
    if (type == "Adam" || type == "AdamW") {
        return optimizer.flag("amsgrad") ? 3 : 2;
    }
    if (type == "RMSprop") {
        return 1 + (optimizer.flag("centered") ? 1 : 0) + (optimizer.number("momentum") > 0 ? 1 : 0);
    }
    if (type == "LBFGS") {
        return 2 * optimizer.integer("history_size") + 3;
    }
    return isOneOf(type, {"Adagrad", "ASGD", "Lion"}) ? 1 : 2;
}

KeptBesides keptBesides(const plan::TrainingPlan& plan, const model::Model& model) {
    KeptBesides kept;
    std::int64_t weights = 0, largest = 0, buffers = 0;
    for (const model::NamedState& parameter : model.parameters()) {
        const auto bytes = static_cast<std::int64_t>(parameter.tensor.nbytes());
        weights += bytes;
        largest = std::max(largest, bytes);
    }
    for (const model::NamedState& buffer : model.buffers()) {
        buffers += static_cast<std::int64_t>(buffer.tensor.nbytes());
    }
    kept.averages = plan.averaging.type == "none" ? 0 : weights + buffers;
    kept.stepStart = buffers;
    kept.statistics = plan.phases.empty() ? 0 : buffers;
    const auto optimizers = static_cast<std::int64_t>(std::max<std::size_t>(1, plan.phases.size()));
    kept.scaler =
        plan.precision == plan::Precision::kFp16 ? kFloat * (2 + optimizers) : 0;  // scale, tracker, and a flag each
    kept.update = plan.gradientNoise.eta > 0 ? largest : 0;
    return kept;
}

std::optional<MemoryEstimate> estimateMemory(const MemoryQuestion& question) {
    return Estimator(question).run();
}

std::map<std::string, std::int64_t> symbolsOfInputs(const graph::ResolvedModel& graph,
                                                    const std::vector<at::Tensor>& inputs) {
    std::map<std::string, std::int64_t> symbols;
    for (std::size_t i = 0; i < inputs.size() && i < graph.inputs.size(); ++i) {
        const graph::TensorType& type = graph.values[static_cast<std::size_t>(graph.inputs[i].second)].type;
        for (std::size_t dim = 0; dim < type.rank() && dim < static_cast<std::size_t>(inputs[i].dim()); ++dim) {
            const std::string text = type.dims[dim].toString();
            if (type.dims[dim] == graph::Dim::symbol(text)) {
                symbols.emplace(text, inputs[i].size(static_cast<std::int64_t>(dim)));
            }
        }
    }
    return symbols;
}

std::optional<RecomputationOffer> offerRecomputation(const MemoryQuestion& question, const MemoryEstimate& plain) {
    return RecomputationFinder(question, plain).run();
}

}  // namespace plumbline::train
