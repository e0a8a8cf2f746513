#include "graph/lints.h"

#include <fmt/format.h>
#include <algorithm>
#include <set>
#include <utility>

#include "graph/output_maker.h"
#include "graph/problem_list.h"
#include "graph/reach.h"
#include "graph/remedy_edit.h"

namespace plumbline::graph {
namespace {

/// Blocks that change each value of what they read by itself, or the classes of a sample together, and learn nothing.
bool isPlainActivation(const std::string& type) {
    static const std::set<std::string, std::less<>> kTypes{"Softmax", "LogSoftmax", "Sigmoid", "Tanh",
                                                           "ReLU",    "LeakyReLU",  "GELU",    "SiLU"};
    return kTypes.contains(type);
}

/// What a loss does with the output that it judges, or wants to have been done.
struct LossWants {
    const char* applies = nullptr;  ///< what it squeezes scores with itself
    const char* expects = nullptr;  ///< the block that makes what it takes
    bool likesLogSoftmax = false;   ///< log_softmax of log_softmax is itself: superfluous, not wrong
};
LossWants wantsOf(const std::string& loss) {
    if (loss == "CrossEntropyLoss" || loss == "DiceCELoss") {
        return {"log-softmax", nullptr, loss == "CrossEntropyLoss"};
    }
    if (loss == "BCEWithLogitsLoss" || loss == "MultiLabelSoftMarginLoss") {
        return {"sigmoid", nullptr, false};
    }
    if (loss == "FocalLoss" || loss == "DiceLoss") {
        return {"softmax or sigmoid", nullptr, false};
    }
    if (loss == "NLLLoss" || loss == "KLDivLoss" || loss == "CTCLoss") {
        return {nullptr, "LogSoftmax", false};
    }
    return loss == "BCELoss" ? LossWants{nullptr, "Sigmoid", false} : LossWants{};
}

class Linter {
public:
    Linter(const ResolvedModel& model, const std::vector<LossUse>& losses, const Document* document,
           const std::vector<char>& gradientsOff)
        : m_model(model), m_losses(losses), m_document(document), m_gradientsOff(gradientsOff) {}

    std::vector<Problem> run() {
        countReaders();
        findBatchSymbol();
        for (const ResolvedNode& node : m_model.nodes) {
            if (!node.inferred) {
                continue;
            }
            if (node.type == "Add" || node.type == "Multiply") {
                checkBroadcast(node);
            } else if (node.type == "Concat") {
                checkConcat(node);
            } else if (node.params.contains("batch_first")) {
                checkSequence(node);
            } else if (node.type == "Softmax" || node.type == "LogSoftmax") {
                checkAlongBatch(node);
            }
            checkInPlace(node);
        }
        for (const LossUse& loss : m_losses) {
            checkActivation(loss);
            checkDropout(loss);
        }
        if (!m_losses.empty() && !m_model.executionOrder.empty()) {
            checkReach();
        }
        return m_problems.take();
    }

private:
    const ResolvedValue& value(ValueId id) const { return m_model.values[static_cast<std::size_t>(id)]; }
    const ResolvedNode* producer(ValueId id) const {
        const int index = id == kNoValue ? -1 : value(id).producer;
        return index < 0 ? nullptr : &m_model.nodes[static_cast<std::size_t>(index)];
    }
    std::string nameOf(ValueId id) const {
        if (const ResolvedNode* node = producer(id)) {
            return node->path;
        }
        return id == kNoValue ? "nothing" : m_model.inputs[static_cast<std::size_t>(value(id).port)].first;
    }
    ValueId outputValue(const std::string& name) const {
        for (const auto& [output, id] : m_model.outputs) {
            if (output == name) {
                return id;
            }
        }
        return kNoValue;
    }
    template <class Edit>
    void addEdit(std::vector<Remedy>& remedies, const ResolvedNode& node, std::string title, Edit edit) const {
        if (m_document != nullptr) {
            if (auto remedy = editRemedy(*m_document, node.pointer, std::move(title), edit)) {
                remedies.push_back(*std::move(remedy));
            }
        }
    }

    /// The edit that gives one of the block's parameters this value.
    void addSetting(std::vector<Remedy>& remedies, const ResolvedNode& node, const char* parameter,
                    const Json& value) const {
        addEdit(remedies, node, fmt::format("Set {} to {}", parameter, value.dump()), [&](Graph&, Node& edited) {
            edited.params[parameter] = value;
            return true;
        });
    }

    /// The dim that a block's parameter names, counted from 0.
    static std::int64_t dimOf(std::int64_t stated, const TensorType& type) {
        return stated < 0 ? stated + static_cast<std::int64_t>(type.rank()) : stated;
    }

    void countReaders() {
        m_readers.resize(m_model.values.size());
        for (std::size_t i = 0; i < m_model.nodes.size(); ++i) {
            for (const ValueId id : m_model.nodes[i].inputs) {
                if (id != kNoValue) {
                    m_readers[static_cast<std::size_t>(id)].push_back(static_cast<int>(i));
                }
            }
        }
    }

    /// "B" where an input uses it, else the first dimension of the first input.
    void findBatchSymbol() {
        for (const auto& [name, id] : m_model.inputs) {
            const ResolvedValue& input = value(id);
            for (const Dim& dim : input.type.dims) {
                if (dim == Dim::symbol("B")) {
                    m_batch = dim;
                    return;
                }
            }
            if (!m_batch && input.known && !input.type.dims.empty() && !input.type.dims[0].isConstant()) {
                m_batch = input.type.dims[0];
            }
        }
    }

    void checkBroadcast(const ResolvedNode& node) {
        if (node.params.value("allow_broadcast", false)) {
            return;
        }
        const TensorType& output = value(node.outputs[0]).type;
        bool anyEqual = false;
        bool ranksEqual = true;
        std::size_t odd = 0;  // first input that is not like the first
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const TensorType& type = value(node.inputs[i]).type;
            anyEqual = anyEqual || type.dims == output.dims;
            ranksEqual = ranksEqual && type.rank() == output.rank();
            if (odd == 0 && type.dims != value(node.inputs[0]).type.dims) {
                odd = i;
            }
        }
        if (odd == 0) {
            return;
        }
        const TensorType& first = value(node.inputs[0]).type;
        const TensorType& other = value(node.inputs[odd]).type;
        // A gate of size 1 along some dimensions is how channels are usually weighted.
        const bool isGate = node.type == "Multiply" && ranksEqual && anyEqual;
        std::vector<Remedy> remedies;
        addReshape(remedies, node, 0, odd);
        addReshape(remedies, node, odd, 0);
        addEdit(remedies, node, "Say that it is meant", [](Graph&, Node& edited) {
            edited.params["allow_broadcast"] = true;
            return true;
        });
        m_problems.add({isGate ? Severity::kInfo : Severity::kWarning, "implicit-broadcast", node.path, node.pointer,
                        fmt::format("{} combines [{}] from {} with [{}] from {}: values are repeated to make [{}]. "
                                    "Give both the same shape, or "
                                    "set allow_broadcast to say that it is meant.",
                                    node.path, first.shapeText(), nameOf(node.inputs[0]), other.shapeText(),
                                    nameOf(node.inputs[odd]), output.shapeText()),
                        std::move(remedies)});
    }

    /// Where the other input holds as many values, giving it the same shape is what was most likely meant.
    void addReshape(std::vector<Remedy>& remedies, const ResolvedNode& node, std::size_t like,
                    std::size_t changed) const {
        const TensorType& wanted = value(node.inputs[like]).type;
        const TensorType& type = value(node.inputs[changed]).type;
        Json shape = Json::array();
        int open = 0;
        for (const Dim& dim : wanted.dims) {
            const auto size = dim.constant();
            open += size ? 0 : 1;
            shape.push_back(size.value_or(-1));
        }
        if (wanted.elementCount() != type.elementCount() || open > 1 || type.rank() > wanted.rank()) {
            return;
        }
        addEdit(remedies, node, fmt::format("Reshape {} to [{}]", nameOf(node.inputs[changed]), wanted.shapeText()),
                [&](Graph& graph, Node& edited) {
                    return insertBefore(graph, edited, changed, std::to_string(changed), "Reshape", {{"shape", shape}});
                });
    }

    void checkConcat(const ResolvedNode& node) {
        const TensorType& first = value(node.inputs[0]).type;
        const auto stated = node.params.at("dim").get<std::int64_t>();
        const std::int64_t dim = dimOf(stated, first);
        if (node.inputs.size() < 2 || !m_batch || first.dims[static_cast<std::size_t>(dim)] != *m_batch) {
            return;
        }
        std::vector<Remedy> remedies;
        if (first.rank() > 1) {
            const std::size_t along = dim == 0 ? 1 : first.rank() - 1;
            const bool fits = std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
                const TensorType& type = value(id).type;
                for (std::size_t k = 0; k < type.rank(); ++k) {
                    if (k != along && type.dims[k] != first.dims[k]) {
                        return false;
                    }
                }
                return true;
            });
            if (fits && along != static_cast<std::size_t>(dim)) {
                addSetting(remedies, node, "dim", along);
            }
        }
        m_problems.add({Severity::kWarning, "concat-along-batch", node.path, node.pointer,
                        fmt::format("{} joins its inputs along dim {}, the batch: the samples stand one behind the "
                                    "other and no longer fit their "
                                    "targets. Set dim to the dimension of the features, as 1.",
                                    node.path, stated),
                        std::move(remedies)});
    }

    /// Without batch_first dim 0 is time: a batch there makes the samples one sequence.
    void checkSequence(const ResolvedNode& node) {
        const TensorType& input = value(node.inputs[0]).type;
        if (!m_batch || node.params.value("batch_first", false) || input.rank() != 3 || input.dims[0] != *m_batch) {
            return;
        }
        std::vector<Remedy> remedies;
        addSetting(remedies, node, "batch_first", true);
        const bool recurrent = node.type == "LSTM" || node.type == "GRU";
        m_problems.add({Severity::kWarning, "sequence-along-batch", node.path, node.pointer,
                        recurrent ? fmt::format("{} reads its input [{}] with dim 0, the batch, as time: the samples "
                                                "become one sequence and each depends on "
                                                "those before it. Set batch_first to true.",
                                                node.path, input.shapeText())
                                  : fmt::format("{} reads its input [{}] with dim 0, the batch, as time: the samples "
                                                "become one sequence. Set batch_first to true.",
                                                node.path, input.shapeText()),
                        std::move(remedies)});
    }

    void checkAlongBatch(const ResolvedNode& node) {
        const TensorType& input = value(node.inputs[0]).type;
        const auto stated = node.params.value("dim", std::int64_t{-1});
        if (!m_batch || input.rank() < 2 || dimOf(stated, input) != 0 || input.dims[0] != *m_batch) {
            return;
        }
        std::vector<Remedy> remedies;
        addSetting(remedies, node, "dim", 1);
        m_problems.add({Severity::kWarning, "softmax-along-batch", node.path, node.pointer,
                        fmt::format("{} makes the samples of a batch add up to 1, not the classes of a sample: dim {} "
                                    "is the batch. Set dim to the dimension "
                                    "of the classes, as 1.",
                                    node.path, stated),
                        std::move(remedies)});
    }

    void checkInPlace(const ResolvedNode& node) {
        if (!node.params.value("inplace", false) || node.inputs.empty() || node.inputs[0] == kNoValue) {
            return;
        }
        const ValueId input = node.inputs[0];
        std::string reader;
        for (const int index : m_readers[static_cast<std::size_t>(input)]) {
            if (&m_model.nodes[static_cast<std::size_t>(index)] != &node) {
                reader = m_model.nodes[static_cast<std::size_t>(index)].path;
            }
        }
        for (const auto& [name, id] : m_model.outputs) {
            reader = id == input ? "the output " + name : reader;
        }
        if (reader.empty() && producer(input) != nullptr) {
            return;
        }
        std::vector<Remedy> remedies;
        addSetting(remedies, node, "inplace", false);
        m_problems.add(
            {Severity::kWarning, "inplace-shared", node.path, node.pointer,
             reader.empty()
                 ? fmt::format("{} overwrites the model's input {} in place. Set inplace to false.", node.path,
                               nameOf(input))
                 : fmt::format("{} overwrites the output of {} in place, and {} reads it too. Set inplace to false.",
                               node.path, nameOf(input), reader),
             std::move(remedies)});
    }

    void checkActivation(const LossUse& loss) {
        const ResolvedNode* node = producer(outputValue(loss.output));
        while (node != nullptr && isTransparent(node->type)) {
            node = producer(node->inputs.empty() ? kNoValue : node->inputs[0]);
        }
        if (node == nullptr) {
            return;
        }
        const LossWants wants = wantsOf(loss.type);
        if (wants.expects != nullptr) {
            checkExpected(loss, *node, wants.expects);
        }
        const bool isActivation = node->type == "Softmax" || node->type == "LogSoftmax" || node->type == "Sigmoid";
        if (!isActivation || wants.applies == nullptr) {
            return;
        }
        std::vector<Remedy> remedies;
        addEdit(remedies, *node, fmt::format("Remove {}", node->path), [](Graph& graph, Node& edited) {
            const std::string name = edited.name;
            return removeNodes(graph, {name}, true).has_value();
        });
        const bool harmless = wants.likesLogSoftmax && node->type == "LogSoftmax";
        m_problems.add(
            {harmless ? Severity::kInfo : Severity::kWarning, "activation-before-loss", node->path, node->pointer,
             harmless ? fmt::format("{} applies LogSoftmax before {}, which applies it itself. Remove {}.", node->path,
                                    loss.type, node->path)
                      : fmt::format("{} applies {} to the output {} before {}, which applies {} itself: scores are "
                                    "squeezed twice and "
                                    "training is slow or stuck. Remove {}.",
                                    node->path, node->type, loss.output, loss.type, wants.applies, node->path),
             std::move(remedies)});
    }

    /// Told where it is certain: the output comes from a block with parameters, or from another squeezing one.
    void checkExpected(const LossUse& loss, const ResolvedNode& node, const std::string& expected) {
        const bool probabilities = expected == "Sigmoid";
        if (node.type == expected || (probabilities && node.type == "Softmax") ||
            (node.cost.parameters == 0 && !isPlainActivation(node.type))) {
            return;
        }
        std::vector<Remedy> remedies;
        const bool squeezes = node.type == "Softmax" || node.type == "Sigmoid" || node.type == "LogSoftmax";
        if (squeezes && node.type != "Sigmoid" && !probabilities) {
            addEdit(remedies, node, fmt::format("Make {} a {}", node.path, expected), [&](Graph&, Node& edited) {
                edited.type = expected;
                return true;
            });
        }
        const std::string come =
            probabilities
                ? fmt::format(
                      "{} takes probabilities, and the output {} comes from {} ({}), which gives other numbers.",
                      loss.type, loss.output, node.path, node.type)
                : fmt::format(
                      "{} takes logarithms of probabilities, and the output {} comes from {} ({}), which gives other "
                      "numbers.",
                      loss.type, loss.output, node.path, node.type);
        const char* todo = probabilities ? "Put Sigmoid behind it, or choose BCEWithLogitsLoss."
                           : squeezes    ? "Put LogSoftmax in its place."
                                         : "Put LogSoftmax behind it.";
        m_problems.add({Severity::kWarning, "activation-missing", node.path, node.pointer,
                        fmt::format("{} {}", come, todo), std::move(remedies)});
    }

    /// Dropout between the last layer and a loss: what it sets to zero are the answers themselves.
    void checkDropout(const LossUse& loss) {
        const ResolvedNode* node = producer(outputValue(loss.output));
        while (node != nullptr && (isTransparent(node->type) || isPlainActivation(node->type))) {
            node = producer(node->inputs.empty() ? kNoValue : node->inputs[0]);
        }
        if (node == nullptr || (node->type != "Dropout" && node->type != "Dropout2d") || !node->mode.empty() ||
            node->params.value("p", 0.5) == 0) {
            return;
        }
        std::vector<Remedy> remedies;
        addDropoutMove(remedies, *node);
        addEdit(remedies, *node, fmt::format("Remove {}", node->path), [](Graph& graph, Node& edited) {
            const std::string name = edited.name;
            return removeNodes(graph, {name}, true).has_value();
        });
        m_problems.add({Severity::kWarning, "dropout-before-loss", node->path, node->pointer,
                        fmt::format("{} sets values of the output {} to zero before {} compares them: while training, "
                                    "answers are wrong by chance and what "
                                    "is learned about them is lost. Put it before the last layer, or remove it.",
                                    node->path, loss.output, loss.type),
                        std::move(remedies)});
    }

    /// The dropout before the block that it reads, where that is one of the same graph with parameters and one input.
    void addDropoutMove(std::vector<Remedy>& remedies, const ResolvedNode& dropout) const {
        const ResolvedNode* layer = producer(dropout.inputs.empty() ? kNoValue : dropout.inputs[0]);
        if (layer == nullptr || layer->cost.parameters == 0 || layer->inputs.size() != 1 || dropout.type != "Dropout" ||
            layer->instance != layer->path || dropout.instance != dropout.path ||
            !isFloatingPoint(value(layer->inputs[0]).type.dtype)) {
            return;
        }
        const std::string before = layer->path;
        addEdit(remedies, dropout, fmt::format("Put {} before {}", dropout.path, before),
                [&](Graph& graph, Node& edited) {
                    const std::string name = edited.name;
                    const Json params = edited.params;
                    if (graph.find(before) == nullptr || edited.inputs.size() != 1 ||
                        edited.inputs.front().source != Source{before, {}} || !removeNodes(graph, {name}, true)) {
                        return false;
                    }
                    return insertBefore(graph, *graph.find(before), 0, "0", "Dropout", params);
                });
    }

    void checkReach() {
        std::vector<std::string> outputs;
        for (const LossUse& loss : m_losses) {
            outputs.push_back(loss.output);
        }
        const Reach reach = reachOf(m_model, outputs, m_gradientsOff);
        std::set<std::string> live;  // owners that a sharer's gradient reaches
        for (std::size_t i = 0; i < m_model.nodes.size(); ++i) {
            if (reach.leaves[i] != 0) {
                live.insert(m_model.nodes[i].weightsOf.empty() ? m_model.nodes[i].path : m_model.nodes[i].weightsOf);
            }
        }
        reportUnreached(live, reach.blockers);
        reportNothingLearns(live, reach.blockers);
    }

    bool isOff(std::size_t leaf) const { return leaf < m_gradientsOff.size() && m_gradientsOff[leaf] != 0; }

    /// Not for one that is not whole yet: of a block whose shapes are unknown nobody knows the parameters.
    void reportNothingLearns(const std::set<std::string>& live, const std::vector<int>& blocker) {
        const bool whole = std::all_of(m_losses.begin(), m_losses.end(),
                                       [&](const LossUse& loss) { return outputValue(loss.output) != kNoValue; });
        if (!m_model.ok() || !whole) {
            return;
        }
        bool trains = false;
        int stop = -1;
        for (std::size_t i = 0; i < m_model.nodes.size(); ++i) {
            const ResolvedNode& node = m_model.nodes[i];
            if (node.cost.parameters == 0 || node.frozen || !node.weightsOf.empty()) {
                continue;
            }
            if (live.contains(node.path)) {
                return;
            }
            trains = true;
            stop = stop < 0 ? blocker[i] : stop;
        }
        if (!trains) {
            m_problems.add({Severity::kCritical,
                            "nothing-to-train",
                            {},
                            "/model",
                            fmt::format("{} {}", kNothingToTrain, kNothingToTrainHint),
                            {}});
            return;
        }
        std::vector<Remedy> remedies;
        const ResolvedNode* at = stop < 0 ? nullptr : &m_model.nodes[static_cast<std::size_t>(stop)];
        if (at != nullptr && at->type == "Detach") {
            addEdit(remedies, *at, "Remove " + at->path, [](Graph& graph, Node& edited) {
                const std::string name = edited.name;
                return removeNodes(graph, {name}, true).has_value();
            });
        }
        const bool isSwitchedOff = stop >= 0 && isOff(static_cast<std::size_t>(stop));
        m_problems.add(
            {Severity::kCritical, "nothing-learns", at == nullptr ? std::string() : at->path,
             at == nullptr   ? "/model"
             : isSwitchedOff ? "/training/no_grad"
                             : at->pointer,
             isSwitchedOff ? fmt::format("No loss reaches a parameter that is trained, so nothing can be learned: {} "
                                         "runs without gradients. Let the patterns of "
                                         "training.no_grad leave out what trains, as the last layer.",
                                         at->path)
             : at == nullptr
                 ? std::string("No loss reaches a parameter that is trained, so nothing can be learned. Connect a "
                               "trained block to an "
                               "output that a loss reads.")
                 : fmt::format(
                       "No loss reaches a parameter that is trained, so nothing can be learned: gradients stop at {}.",
                       at->path),
             std::move(remedies)});
    }

    /// One problem a block of the root canvas and cause.
    void reportUnreached(const std::set<std::string>& live, const std::vector<int>& blocker) {
        struct Group {
            std::string instance;
            int blocker;
            std::int64_t parameters = 0;
            std::vector<std::size_t> leaves;
        };
        std::vector<Group> groups;
        for (std::size_t i = 0; i < m_model.nodes.size(); ++i) {
            const ResolvedNode& node = m_model.nodes[i];
            if (node.cost.parameters == 0 || node.frozen || !node.weightsOf.empty() || live.contains(node.path)) {
                continue;
            }
            auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& one) {
                return one.instance == node.instance && one.blocker == blocker[i];
            });
            if (group == groups.end()) {
                group = groups.insert(groups.end(), {node.instance, blocker[i], 0, {}});
            }
            group->parameters += node.cost.parameters;
            group->leaves.push_back(i);
        }
        for (const Group& group : groups) {
            const ResolvedNode& first = m_model.nodes[group.leaves[0]];
            const std::string pointer = group.leaves.size() == 1 ? first.pointer : pointerOf({}, group.instance);
            const std::string block = group.leaves.size() == 1 ? first.path : group.instance;
            std::vector<Remedy> remedies;
            ResolvedNode place = first;
            place.pointer = pointer;
            if (group.blocker >= 0) {
                const ResolvedNode& stop = m_model.nodes[static_cast<std::size_t>(group.blocker)];
                if (stop.type == "Detach") {
                    addEdit(remedies, stop, "Remove " + stop.path, [](Graph& graph, Node& edited) {
                        const std::string name = edited.name;
                        return removeNodes(graph, {name}, true).has_value();
                    });
                }
            }
            addEdit(remedies, place, "Freeze " + block, [](Graph&, Node& edited) {
                edited.frozen = true;
                return true;
            });
            const std::string why =
                group.blocker >= 0
                    ? fmt::format("gradients stop at {}", m_model.nodes[static_cast<std::size_t>(group.blocker)].path)
                    : std::string("its output leads to no loss");
            m_problems.add({Severity::kWarning, "unreached-parameter", block, pointer,
                            fmt::format("{} has {} parameters that no loss reaches, so they never change: {}. Connect "
                                        "it to a loss, remove it, or "
                                        "freeze it to say that it is meant.",
                                        block, group.parameters, why),
                            std::move(remedies)});
        }
    }

    const ResolvedModel& m_model;
    const std::vector<LossUse>& m_losses;
    const Document* m_document;
    const std::vector<char>& m_gradientsOff;
    std::vector<std::vector<int>> m_readers;
    std::optional<Dim> m_batch;
    ProblemList m_problems;
};

}  // namespace

std::vector<Problem> lint(const ResolvedModel& model, const std::vector<LossUse>& losses, const Document* document,
                          const std::vector<char>& gradientsOff) {
    return Linter(model, losses, document, gradientsOff).run();
}

}  // namespace plumbline::graph
