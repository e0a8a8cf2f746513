#include "train/model_watch.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "monitor/tensor_statistics.h"
#include "plan/freezing.h"
#include "plan/loss_traits.h"
#include "train/metrics.h"
#include "train/step.h"

namespace plumbline::train {

namespace {

class ModelModes final : public monitor::ModeSource {
public:
    explicit ModelModes(const model::Model& model) : m_model(model) {}
    bool isTraining(std::size_t block) const override { return m_model.isTraining(static_cast<int>(block)); }

private:
    const model::Model& m_model;
};

/// Remembers the first leaf whose output holds something that is not finite.
class NonFiniteObserver final : public model::LeafObserver {
public:
    void afterLeaf(int leaf, const std::vector<at::Tensor>& outputs) override {
        for (std::size_t i = 0; m_leaf < 0 && i < outputs.size(); ++i) {
            if (const std::int64_t count = monitor::countNonFinite(outputs[i].detach()); count > 0) {
                m_leaf = leaf;
                m_count = count;
            }
        }
    }
    int leaf() const { return m_leaf; }
    std::int64_t count() const { return m_count; }

private:
    int m_leaf = -1;
    std::int64_t m_count = 0;
};

ClassFacts shareOfLargest(const std::vector<std::int64_t>& counts) {
    const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    if (total == 0) {
        return {};
    }
    return {static_cast<std::int64_t>(counts.size()),
            static_cast<double>(*std::max_element(counts.begin(), counts.end())) / static_cast<double>(total)};
}

/// Of a target of one number a sample that is 0 or 1: only then does the variance reach what the mean allows in that
/// range.
ClassFacts shareOfTwo(const data::FeedInfo& target) {
    const data::FeedInfo::Statistics& numbers = target.statistics;
    const bool one = std::all_of(target.dims.begin(), target.dims.end(), [](std::int64_t dim) { return dim == 1; });
    if (!one || numbers.mean.size() != 1 || numbers.min[0] != 0 || numbers.max[0] != 1) {
        return {};
    }
    const double share = numbers.mean[0];
    const bool twoValues = std::abs(numbers.std[0] * numbers.std[0] - share * (1 - share)) < 1e-6;
    return twoValues ? ClassFacts{2, std::max(share, 1 - share)} : ClassFacts{};
}

}  // namespace

void ActivationWatch::afterLeaf(int leaf, const std::vector<at::Tensor>& outputs) {
    const auto began = std::chrono::steady_clock::now();
    for (const at::Tensor& output : outputs) {
        if (const std::int64_t count = monitor::countNonFinite(output.detach()); count > 0) [[unlikely]] {
            m_monitor.sawNonFiniteActivation(leaf, count);
        }
    }
    m_monitor.activationsTook(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count());
}

monitor::Watch watchModel(const model::Model& model) {
    monitor::Watch watch;
    const graph::ResolvedModel& graph = model.graph();
    for (const graph::ResolvedNode& node : graph.nodes) {
        diagnostics::RunFacts::Block block;
        block.path = node.path;
        block.type = node.type;
        block.mode = node.mode;
        block.pointer = node.pointer;
        // An instance norm that keeps running statistics is as one: they drift, and the mode decides about them.
        const bool batchNorm = node.type.starts_with("BatchNorm");
        block.isBatchNorm =
            (batchNorm || node.type.starts_with("InstanceNorm")) && node.params.value("track_running_stats", batchNorm);
        block.frozen = node.frozen;
        block.takesIndices = node.type == "Embedding";
        const bool recurrent = node.type == "LSTM" || node.type == "GRU";
        block.dropsInside =
            node.params.value("dropout", 0.0) > 0 && (!recurrent || node.params.value("num_layers", 1) > 1);
        watch.facts.blocks.push_back(std::move(block));
    }
    for (const model::NamedState& state : model.parameters()) {
        const auto leaf = static_cast<std::size_t>(state.leaf);
        diagnostics::RunFacts::Parameter parameter;
        parameter.name = state.name;
        parameter.block = watch.facts.blocks[leaf].path;
        parameter.elements = state.tensor.numel();
        parameter.frozen = state.frozen;
        parameter.sparseRows =
            watch.facts.blocks[leaf].takesIndices || watch.facts.blocks[leaf].type == "LearnedPositionalEncoding";
        watch.facts.parameters.push_back(std::move(parameter));
        watch.parameters.push_back(state.tensor);
        watch.parameterBlocks.push_back(state.leaf);
    }
    for (const model::NamedState& buffer : model.buffers()) {
        if (buffer.shared || !watch.facts.blocks[static_cast<std::size_t>(buffer.leaf)].isBatchNorm) {
            continue;
        }
        if (watch.norms.empty() || watch.norms.back().block != buffer.leaf) {
            watch.norms.emplace_back().block = buffer.leaf;
        }
        monitor::WatchedNorm& norm = watch.norms.back();
        (buffer.name.ends_with("running_mean")  ? norm.runningMean
         : buffer.name.ends_with("running_var") ? norm.runningVar
                                                : norm.batchesTracked) = buffer.tensor;
    }
    watch.modes = std::make_unique<ModelModes>(model);
    return watch;
}

void tellPhases(const plan::TrainingPlan& plan, monitor::Watch& watch) {
    watch.facts.lossMayRise = !plan.phases.empty();
    for (diagnostics::RunFacts::Parameter& parameter : watch.facts.parameters) {
        if (const plan::PhaseSpec* phase = plan::phaseOf(plan, parameter.name)) {
            parameter.every = phase->every;
        }
    }
}

ClassFacts classFacts(const plan::TrainingPlan& plan, const data::Dataset& dataset) {
    const auto judged = std::find_if(plan.metrics.begin(), plan.metrics.end(),
                                     [](const plan::MetricSpec& metric) { return metric.type == "accuracy"; });
    if (judged == plan.metrics.end()) {
        return {};
    }
    const auto lossWhere = [&](auto holds) {
        const auto found = std::find_if(plan.losses.begin(), plan.losses.end(), [&](const plan::LossSpec& loss) {
            return loss.output == judged->output && holds(loss);
        });
        return found == plan.losses.end() ? nullptr : &*found;
    };
    const data::Split split =
        dataset.size(data::Split::kValidation) > 0 ? data::Split::kValidation : data::Split::kTrain;
    std::vector<std::int64_t> counts = dataset.classCounts(split, judged->target);
    // Class numbers beside one score alone are yes and no.
    const auto* exclusive = lossWhere(
        [&](const plan::LossSpec& loss) { return plan::kindOf(loss, counts.size() > 2) == plan::LossKind::kClasses; });
    if (exclusive != nullptr) {
        // As the accuracy of this output: what the loss ignores is not judged.
        const std::int64_t ignored = contextOf(plan, *judged).ignoreIndex;
        if (ignored >= 0 && ignored < static_cast<std::int64_t>(counts.size())) {
            counts.erase(counts.begin() + ignored);
        }
        return shareOfLargest(counts);
    }
    const auto tellsOfTwo = [](const plan::LossSpec& loss) {
        return plan::kindOf(loss, false) == plan::LossKind::kElements &&
               plan::lossTraits(loss.type).target == plan::TargetRange::kShares;
    };
    if (lossWhere(tellsOfTwo) == nullptr) {
        return {};
    }
    if (!counts.empty()) {
        return shareOfLargest({counts[0], std::accumulate(counts.begin() + 1, counts.end(), std::int64_t{0})});
    }
    const auto target = std::find_if(dataset.targets().begin(), dataset.targets().end(),
                                     [&](const data::FeedInfo& feed) { return feed.name == judged->target; });
    return target == dataset.targets().end() ? ClassFacts{} : shareOfTwo(*target);
}

namespace {

/// What a loss costs at the same answer for every sample; 0 where that is not known.
double constantLossOf(const plan::LossSpec& loss, const std::vector<graph::Dim>& output, const data::FeedInfo& target) {
    const plan::LossTraits& traits = plan::lossTraits(loss.type);
    if (loss.text("reduction") != "mean") {
        return 0;
    }
    if (traits.weightedMean && output.size() >= 2) {
        return std::log(static_cast<double>(std::max<std::int64_t>(1, output[1].constant().value_or(1))));
    }
    if (traits.kind == plan::LossKind::kElements && traits.target == plan::TargetRange::kShares &&
        loss.numbers("class_weights").empty()) {
        return std::log(2.0);
    }
    double variance = 0;
    for (const double deviation : loss.type == "MSELoss" ? target.statistics.std : std::vector<double>{}) {
        variance += deviation * deviation / static_cast<double>(target.statistics.std.size());
    }
    return std::isfinite(variance) ? variance : 0;
}

}  // namespace

double constantLoss(const plan::TrainingPlan& plan, const graph::ResolvedModel& graph, const data::Dataset& dataset) {
    double total = 0;
    for (const plan::LossSpec& loss : plan::termsOf(plan.losses)) {
        const auto output = std::find_if(graph.outputs.begin(), graph.outputs.end(),
                                         [&](const auto& each) { return each.first == loss.output; });
        const auto target = std::find_if(dataset.targets().begin(), dataset.targets().end(),
                                         [&](const data::FeedInfo& feed) { return feed.name == loss.target; });
        if (output != graph.outputs.end() && output->second != graph::kNoValue && target != dataset.targets().end()) {
            total += loss.weight *
                     constantLossOf(loss, graph.values[static_cast<std::size_t>(output->second)].type.dims, *target);
        }
    }
    return total;
}

ForwardTraces::ForwardTraces(model::Model& model) : m_model(model), m_generators(saveGenerators()) {
    for (const model::NamedState& buffer : model.buffers()) {
        m_buffers.push_back(buffer.tensor.clone());
    }
}

void ForwardTraces::restore() {
    const at::NoGradGuard noGrad;
    for (std::size_t i = 0; i < m_buffers.size(); ++i) {
        at::Tensor live = m_model.buffers()[i].tensor;
        live.copy_(m_buffers[i]);
    }
    restoreGenerators(m_generators);
}

void findFirstNonFiniteBlock(model::Model& model, const std::vector<at::Tensor>& inputs, plan::Precision precision,
                             std::vector<diagnostics::StepStats::NonFinite>& found) {
    const at::NoGradGuard noGrad;
    if (inputs.empty()) {
        return;
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (const std::int64_t count = monitor::countNonFinite(inputs[i]); count > 0) {
            const std::string& name = model.graph().inputs[i].first;
            found.push_back({"input", name, name, count});
        }
    }
    ForwardTraces traces(model);
    NonFiniteObserver observer;
    model.setObserver(&observer);
    {
        const AutocastScope autocast(precision, inputs.front().device().type());
        (void)model.forward(inputs);
    }
    model.setObserver(nullptr);
    traces.restore();
    if (observer.leaf() >= 0) {
        const graph::ResolvedNode& node = model.graph().nodes[static_cast<std::size_t>(observer.leaf())];
        found.push_back({"activation", node.path, "output", observer.count()});
    }
}

}  // namespace plumbline::train
