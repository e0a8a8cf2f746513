#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/json_errors.h"
#include "core/processors.h"
#include "core/text.h"
#include "graph/lints.h"
#include "graph/output_maker.h"
#include "graph/problem_list.h"
#include "plan/loss_formula.h"
#include "plan/loss_traits.h"
#include "project/block_choice.h"
#include "project/formula_fit.h"
#include "project/freeze_fit.h"
#include "project/group_fit.h"
#include "project/metric_fit.h"
#include "project/package_fit.h"
#include "project/phase_fit.h"
#include "project/project.h"
#include "project/thread_fit.h"

namespace plumbline::project {
namespace {

using graph::Problem;
using graph::Severity;

const graph::TensorType* outputType(const graph::ResolvedModel& model, const std::string& name) {
    for (const auto& [output, value] : model.outputs) {
        if (output == name && value != graph::kNoValue && model.values[static_cast<std::size_t>(value)].known) {
            return &model.values[static_cast<std::size_t>(value)].type;
        }
    }
    return nullptr;
}

class Checker {
public:
    /// `lossOutputs`: by loss, the outputs that it reads.
    Checker(const Project& project, CheckReport& report, const std::vector<std::vector<std::string>>& lossOutputs)
        : m_project(project), m_report(report), m_lossOutputs(lossOutputs) {
        for (const auto& [name, value] : report.model.outputs) {
            m_outputs.push_back(name);
        }
        for (const data::FeedSpec& feed : project.data.targets) {
            m_targets.push_back(feed.name);
        }
    }

    void run() {
        checkFeeds();
        for (std::size_t i = 0; i < m_project.training.losses.size(); ++i) {
            const plan::LossSpec& loss = m_project.training.losses[i];
            checkLoss(loss, fmt::format("/training/losses/{}", i));
        }
        for (std::size_t i = 0; i < m_project.training.metrics.size(); ++i) {
            const plan::MetricSpec& metric = m_project.training.metrics[i];
            checkUse(metric.type, metric.output, metric.target, fmt::format("/training/metrics/{}", i));
            checkMetric(metric, fmt::format("/training/metrics/{}", i));
        }
        checkFrozen();
        checkPhases();
        checkStep();
        checkDevice();
        if (std::optional<Problem> threads =
                threadsAboveCores(m_project, usableProcessors(), mayBeOnCuda(m_project, hasNvidiaDriver()))) {
            m_report.problems.push_back(std::move(*threads));
        }
        const data::SplitSpec& splits = m_project.data.splits;
        for (const plan::PlanProblem& problem :
             plan::checkPlan(m_project.training, -1, m_project.data.loader.batchSize, m_project.data.loader.dropLast,
                             splits.validation > 0)) {
            add(problem);
        }
        if (m_report.model.ok()) {
            checkParameters();
        }
    }

private:
    void add(Severity severity, std::string code, std::string pointer, std::string message) {
        m_report.problems.push_back({severity, std::move(code), {}, std::move(pointer), std::move(message), {}});
    }

    void add(const plan::PlanProblem& problem) {
        add(problem.critical ? Severity::kCritical : Severity::kWarning, problem.code, problem.pointer,
            problem.message + (problem.hint.empty() ? "" : " " + problem.hint));
    }

    /// What the plan says of parameters and blocks that the model has to have.
    void checkParameters() {
        for (const plan::PlanProblem& problem : checkGroups(m_project.training, m_report.model)) {
            add(problem);
        }
        // Of a plan by itself the schedule's own check has told it.
        const bool isTold = std::any_of(m_report.problems.begin(), m_report.problems.end(),
                                        [](const Problem& problem) { return problem.code == "min-lr-above-lr"; });
        for (const plan::PlanProblem& problem :
             isTold ? std::vector<plan::PlanProblem>{} : checkLowestRates(m_project.training, m_report.model)) {
            add(problem);
        }
        const auto& blocks = m_report.model.nodes;
        const auto drops = [](const graph::ResolvedNode& block) { return block.type == "DropPath"; };
        const auto dropsSome = [&](const graph::ResolvedNode& block) {
            return drops(block) && block.params.value("p", 0.0) > 0;
        };
        if (m_project.training.stochasticDepthEpochs > 0 && std::none_of(blocks.begin(), blocks.end(), dropsSome)) {
            add(Severity::kWarning, "setting-without-effect", "/training/stochastic_depth/epochs",
                std::none_of(blocks.begin(), blocks.end(), drops)
                    ? "The model has no DropPath block, so stochastic_depth.epochs changes nothing. Remove it, or put "
                      "DropPath blocks into the residual branches."
                    : "Every DropPath block has the p 0, so stochastic_depth.epochs changes nothing. Remove it, or "
                      "give the blocks a p above 0.");
        }
        checkCheckpointSize();
    }

    /// A limit that not even one checkpoint of the run keeps to.
    void checkCheckpointSize() {
        const double limit = m_project.training.checkpoints.maxMb;
        double bytes = 0;
        for (const graph::ResolvedNode& block : m_report.model.nodes) {
            for (const graph::StateSpec& state :
                 block.weightsOf.empty() ? block.state : std::vector<graph::StateSpec>{}) {
                double elements = 1;
                for (const std::int64_t dim : state.dims) {
                    elements *= static_cast<double>(dim);
                }
                bytes += elements * static_cast<double>(sizeOf(state.dtype));
            }
        }
        bytes *= m_project.training.averaging.type == "none" ? 1 : 2;
        if (limit > 0 && bytes > limit * 1e6) {
            add(Severity::kWarning, "checkpoint-above-limit", "/training/checkpoints/max_mb",
                fmt::format(
                    "A checkpoint of this model takes at least {} MB, and all of the run's may take {} MB: only the "
                    "newest and the best stay, and the limit is not kept. Raise checkpoints.max_mb.",
                    numberText(bytes / 1e6, 3), numberText(limit)));
        }
    }

    /// A device that is not there, as far as that shows without LibTorch.
    void checkDevice() {
        const std::string& device = m_project.training.device;
        if (device.starts_with("cuda") && !hasNvidiaDriver()) {
            add(Severity::kWarning, "device-not-here", "/training/device",
                fmt::format("The device is {}, and this machine has no NVIDIA driver, so the project cannot be trained "
                            "here. Set training.device to \"auto\" or \"cpu\", or train it on a machine with CUDA.",
                            device));
        }
    }

    /// What blocks freeze themselves is told with the model.
    void checkFrozen() {
        const std::vector<plan::OptimizerGroup>& groups = m_project.training.optimizer.groups;
        const bool freezes =
            !m_project.training.freeze.empty() || !m_project.training.noGrad.empty() ||
            !m_project.training.phases.empty() ||
            std::any_of(groups.begin(), groups.end(), [](const plan::OptimizerGroup& group) { return group.frozen; });
        if (!freezes || !m_report.model.ok()) {
            return;
        }
        if (const Status status = checkFreezing(m_project.training, m_report.model); !status) {
            add(Severity::kCritical, status.error().code, status.error().where,
                status.error().message + " " + status.error().hint);
        }
    }

    /// What each phase trains, and what none does.
    void checkPhases() {
        if (m_project.training.phases.empty() || !m_report.model.ok()) {
            return;
        }
        Status status = checkPhaseFit(m_project.training, m_report.model);
        // Where no loss reaches anything, that is told with the model.
        if (status && std::none_of(m_report.problems.begin(), m_report.problems.end(),
                                   [](const Problem& problem) { return problem.code == "nothing-learns"; })) {
            status = checkPhaseReach(m_project.training, m_report.model, m_lossOutputs);
        }
        if (!status) {
            add(Severity::kCritical, status.error().code, status.error().where,
                status.error().message + " " + status.error().hint);
            return;
        }
        if (const std::vector<std::string> untrained = untrainedParameters(m_project.training, m_report.model);
            !untrained.empty()) {
            add(Severity::kWarning, "untrained-parameters", "/training/phases",
                fmt::format("No phase trains {}, so {} as drawn. Name them in a phase, or freeze them in "
                            "training.freeze if that is meant.",
                            untrained.size() == 1
                                ? untrained.front()
                                : fmt::format("{} and {} more", untrained.front(), untrained.size() - 1),
                            untrained.size() == 1 ? "it stays" : "they stay"));
        }
    }

    void checkFeeds() {
        std::set<std::string> fed;
        for (const data::FeedSpec& feed : m_project.data.inputs) {
            fed.insert(feed.name);
            const auto& inputs = m_report.model.inputs;
            if (std::none_of(inputs.begin(), inputs.end(),
                             [&](const auto& input) { return input.first == feed.name; })) {
                add(Severity::kCritical, "unknown-input", "/data/inputs/" + feed.name,
                    fmt::format("The data feeds \"{}\", which is no input of the model. Rename it, or add an input of "
                                "that name.",
                                feed.name));
            }
        }
        for (const auto& [name, value] : m_report.model.inputs) {
            if (!fed.contains(name)) {
                add(Severity::kCritical, "input-not-fed", "/data/inputs",
                    fmt::format("No data feeds the model's input \"{}\". Add it under data.inputs.", name));
            }
            checkBatch(name, value);
        }
    }

    /// The first dimension of an input is the batch, which the loader makes.
    void checkBatch(const std::string& name, graph::ValueId value) {
        const graph::ResolvedValue& input = m_report.model.values[static_cast<std::size_t>(value)];
        const auto size = !input.known || input.type.dims.empty() ? std::nullopt : input.type.dims[0].constant();
        const std::int64_t batchSize = m_project.data.loader.batchSize;
        if (!size || *size == batchSize) {
            return;
        }
        const std::string pointer = pointerTo("/model/graph/inputs", name) + "/shape/0";
        std::vector<graph::Remedy> remedies;
        if (const Json::json_pointer place(pointer); m_project.json.contains(place)) {
            remedies.push_back(graph::replaceValue(fmt::format("Leave the batch of {} open", name), pointer,
                                                   m_project.json.at(place), "B"));
        }
        m_report.problems.push_back({Severity::kCritical,
                                     "fixed-batch",
                                     {},
                                     pointer,
                                     fmt::format("The model's input {} has a fixed batch of {}, and the loader makes "
                                                 "batches of {}. Write \"B\" as its first "
                                                 "dimension, or set data.loader.batch_size to {}.",
                                                 name, *size, batchSize, *size),
                                     std::move(remedies)});
    }

    void checkUse(const std::string& type, const std::string& output, const std::string& target,
                  const std::string& pointer) {
        if (std::find(m_outputs.begin(), m_outputs.end(), output) == m_outputs.end()) {
            add(Severity::kCritical, "unknown-output", pointer + "/output",
                fmt::format("{} reads \"{}\", which is no output of the model.{}", type, output,
                            suggestion(output, m_outputs)));
            return;
        }
        if (std::find(m_targets.begin(), m_targets.end(), target) == m_targets.end()) {
            add(Severity::kCritical, "unknown-target", pointer + "/target",
                fmt::format("{} compares with \"{}\", which is no target of the data.{}", type, target,
                            suggestion(target, m_targets)));
            return;
        }
    }

    /// What a loss reads, and whether it can work with it as far as the model tells.
    void checkLoss(const plan::LossSpec& loss, const std::string& pointer) {
        const auto binding = plan::bindLoss(loss, m_outputs, m_targets, pointer);
        if (!binding) {
            const Error& error = binding.error();
            add(Severity::kCritical, error.code, error.where,
                error.message + (error.hint.empty() ? "" : " " + error.hint));
            return;
        }
        for (const std::size_t place : binding->outputs) {
            const std::string& output = m_outputs[place];
            const graph::TensorType* shape = outputType(m_report.model, output);
            if (shape != nullptr && !isFloatingPoint(shape->dtype)) {
                add(Severity::kCritical, "loss-dtype", pointer + "/output",
                    fmt::format("{} wants a floating-point output and \"{}\" is {}, which has no gradient.", loss.type,
                                output, toString(shape->dtype)));
            }
        }
        if (loss.type == "ExpressionLoss") {
            checkFormula(loss, *binding, pointer);
            return;
        }
        checkScores(loss, pointer);
        checkTogether(loss, *binding, pointer);
        checkWeights(loss, pointer);
    }

    /// As far as the outputs tell; what the targets' shapes say is seen with the data.
    void checkFormula(const plan::LossSpec& loss, const plan::LossBinding& binding, const std::string& pointer) {
        const std::string place = pointer + "/expression";
        const auto formula = plan::parseLossFormula(loss.text("expression"), place);
        if (!formula) {
            return;  // the binding has told it
        }
        std::vector<FormulaShape> shapes;
        std::size_t output = 0;
        for (const bool isOutput : binding.nameIsOutput) {
            const graph::TensorType* type =
                isOutput ? outputType(m_report.model, m_outputs[binding.outputs[output++]]) : nullptr;
            shapes.push_back(type == nullptr ? FormulaShape() : FormulaShape(type->dims));
        }
        if (const Status fits = checkFormulaShapes(*formula, shapes, m_project.data.loader.batchSize, place); !fits) {
            add(Severity::kCritical, fits.error().code, fits.error().where,
                fits.error().message + " " + fits.error().hint);
        }
    }

    /// The shape of the judged output by itself.
    void checkScores(const plan::LossSpec& loss, const std::string& pointer) {
        const graph::TensorType* shape = outputType(m_report.model, loss.output);
        if (shape == nullptr) {
            return;
        }
        const bool classes = plan::lossTraits(loss.type).kind == plan::LossKind::kClasses;
        const bool onlyTwo = loss.type == "MultiMarginLoss" || loss.type == "MultiLabelMarginLoss" ||
                             loss.type == "MultiLabelSoftMarginLoss";
        if (classes && !onlyTwo && shape->rank() < 2) {
            add(Severity::kCritical, "loss-shape", pointer + "/output",
                fmt::format("{} wants class scores of shape [B, C] and \"{}\" has shape [{}].", loss.type, loss.output,
                            shape->shapeText()));
        }
        if (onlyTwo && shape->rank() != 2) {
            add(Severity::kCritical, "loss-shape", pointer + "/output",
                fmt::format("{} wants class scores of shape [B, C] alone and \"{}\" has shape [{}]. Put Flatten before "
                            "that output, or choose CrossEntropyLoss or BCEWithLogitsLoss.",
                            loss.type, loss.output, shape->shapeText()));
        }
        if (loss.type == "MultiMarginLoss" && loss.number("p") != 1 && loss.number("p") != 2) {
            add(Severity::kCritical, "out-of-range", pointer + "/p",
                fmt::format("MultiMarginLoss takes the power 1 or 2, and p is {}. Write 1 or 2.", loss.number("p")));
        }
        if (loss.type != "CTCLoss") {
            return;
        }
        if (shape->rank() != 3) {
            add(Severity::kCritical, "loss-shape", pointer + "/output",
                fmt::format("CTCLoss wants log-probabilities of shape [B, T, C], a row of classes a frame, and \"{}\" "
                            "has shape [{}].",
                            loss.output, shape->shapeText()));
        } else if (const auto known = shape->dims[2].constant(); known && loss.integer("blank") >= *known) {
            add(Severity::kCritical, "blank", pointer + "/blank",
                fmt::format("The blank of CTCLoss is class {} and the output \"{}\" tells {} classes apart. Set blank "
                            "to one of them; 0 is usual.",
                            loss.integer("blank"), loss.output, *known));
        }
    }

    /// Outputs that are compared with each other.
    void checkTogether(const plan::LossSpec& loss, const plan::LossBinding& binding, const std::string& pointer) {
        const graph::TensorType* first =
            binding.outputs.empty() ? nullptr : outputType(m_report.model, m_outputs[binding.outputs[0]]);
        for (std::size_t i = 1; first != nullptr && i < binding.outputs.size(); ++i) {
            const graph::TensorType* other = outputType(m_report.model, m_outputs[binding.outputs[i]]);
            // One number for all of the last dimension is a variance as well.
            const bool variance = loss.type == "GaussianNLLLoss";
            if (other != nullptr && first->dims != other->dims && !variance) {
                add(Severity::kCritical, "loss-shape", pointer,
                    fmt::format("{} compares outputs of one shape, and \"{}\" has [{}] and \"{}\" has [{}]. Give both "
                                "the same.",
                                loss.type, loss.output, first->shapeText(), m_outputs[binding.outputs[i]],
                                other->shapeText()));
            }
            if (binding.outputs[i] == binding.outputs[0]) {
                add(Severity::kCritical, "loss-output-twice", pointer,
                    fmt::format("{} compares the output \"{}\" with itself. Name two outputs.", loss.type,
                                loss.output));
            }
        }
    }

    void checkMetric(const plan::MetricSpec& metric, const std::string& pointer) {
        const graph::TensorType* shape = outputType(m_report.model, metric.output);
        if (shape == nullptr) {
            return;
        }
        if (const Status fits = checkMetricOutput(metric, *shape, pointer); !fits) {
            add(Severity::kCritical, fits.error().code, fits.error().where,
                fits.error().message + " " + fits.error().hint);
            return;
        }
        checkAnswers(metric, *shape, pointer);
        const auto classes = shape->rank() < 2 ? std::nullopt : shape->dims[1].constant();
        if (metric.type == "top_k_accuracy" && classes && metric.integer("k") >= *classes) {
            add(Severity::kWarning, "metric-always-one", pointer + "/k",
                fmt::format("{} is 1 for every model, since the output \"{}\" tells only {} classes apart. Lower k.",
                            metric.name(), metric.output, *classes));
        }
    }

    /// Whether it is known what a yes is.
    void checkAnswers(const plan::MetricSpec& metric, const graph::TensorType& shape, const std::string& pointer) {
        const auto output = std::find_if(m_report.model.outputs.begin(), m_report.model.outputs.end(),
                                         [&](const auto& each) { return each.first == metric.output; });
        const std::vector<data::FeedSpec>& targets = m_project.data.targets;
        const auto target = std::find_if(targets.begin(), targets.end(),
                                         [&](const data::FeedSpec& feed) { return feed.name == metric.target; });
        if (output == m_report.model.outputs.end() || target == targets.end()) {
            return;
        }
        const std::string block = graph::makerOf(m_report.model, output->second);
        if (auto sentence = unknownAnswers(m_project.training, metric, shape, block, target->from.size())) {
            add(Severity::kWarning, "metric-input-unknown", pointer + "/input", *std::move(sentence));
        }
    }

    void checkWeights(const plan::LossSpec& loss, const std::string& pointer) {
        const graph::TensorType* shape = outputType(m_report.model, loss.output);
        for (const char* key : {"class_weights", "pos_weight"}) {
            if (shape == nullptr || !loss.options.contains(key)) {
                continue;
            }
            const auto count = static_cast<std::int64_t>(loss.options[key].size());
            const bool forAll = count == 1 && std::string_view(key) == "pos_weight";
            const auto classes = shape->rank() < 2 ? std::optional<std::int64_t>(1) : shape->dims[1].constant();
            if (classes && count != *classes && !forAll) {
                add(Severity::kCritical, "class-weights", pointer + "/" + key,
                    fmt::format(
                        "{} has {} numbers and the output \"{}\" tells {} classes apart. Give one number a class.", key,
                        count, loss.output, *classes));
            }
        }
    }

    /// What the settings of a step say about the model's blocks.
    void checkStep() {
        const plan::TrainingPlan& plan = m_project.training;
        const auto refuse = [this](const Error& error) {
            add(Severity::kCritical, error.code, error.where, error.message + " " + error.hint);
        };
        if (const auto kept = float32Blocks(plan, m_report.model); !kept) {
            refuse(kept.error());
        }
        if (const auto units = checkpointedBlocks(plan, m_report.model); !units) {
            refuse(units.error());
        }
        const auto& blocks = m_report.model.nodes;
        const auto norm = std::find_if(blocks.begin(), blocks.end(), [](const graph::ResolvedNode& block) {
            return block.type.starts_with("BatchNorm") && block.mode != "eval";
        });
        const std::int64_t batchSize = m_project.data.loader.batchSize;
        if (plan.accumulation > 1 && norm != blocks.end()) {
            add(Severity::kWarning, "accumulation-batchnorm", "/training/accumulation",
                fmt::format("{} normalises over each batch of {} by itself, not over the {} samples that a step "
                            "accumulates. Raise data.loader.batch_size and lower "
                            "accumulation, or normalise with GroupNorm or LayerNorm.",
                            norm->path, counted(batchSize, "sample"), batchSize * plan.accumulation));
        }
    }

    static std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
        const std::string told =
            didYouMean(word, known, known.size() == 1 ? fmt::format("There is \"{}\".", known.front()) : "");
        return told.empty() ? told : " " + told;
    }

    const Project& m_project;
    CheckReport& m_report;
    const std::vector<std::vector<std::string>>& m_lossOutputs;
    std::vector<std::string> m_outputs;
    std::vector<std::string> m_targets;
};

}  // namespace

bool CheckReport::ok() const {
    return std::none_of(problems.begin(), problems.end(),
                        [](const Problem& problem) { return problem.severity == Severity::kCritical; });
}

namespace {

/// All outputs that a loss reads; what it says it judges where it cannot be bound, so that other checks have something
/// to go by.
std::vector<std::string> outputsOf(const plan::LossSpec& loss, const Project& project,
                                   const graph::ResolvedModel& model) {
    std::vector<std::string> outputs, targets;
    for (const auto& [name, value] : model.outputs) {
        outputs.push_back(name);
    }
    for (const data::FeedSpec& feed : project.data.targets) {
        targets.push_back(feed.name);
    }
    const auto binding = plan::bindLoss(loss, outputs, targets, "");
    std::vector<std::string> read;
    for (const std::size_t output : binding ? binding->outputs : std::vector<std::size_t>{}) {
        read.push_back(outputs[output]);
    }
    return binding ? read : std::vector<std::string>{loss.output};
}

}  // namespace

CheckReport checkProject(const Project& project, const graph::BlockRegistry& registry) {
    CheckReport report;
    report.model = graph::resolve(project.model, registry);
    report.problems = report.model.problems;
    std::vector<graph::LossUse> losses;
    std::vector<std::vector<std::string>> lossOutputs;
    for (const plan::LossSpec& loss : project.training.losses) {
        for (const std::string& output : lossOutputs.emplace_back(outputsOf(loss, project, report.model))) {
            losses.push_back({loss.type, output});
        }
    }
    const auto gradientsOff = blocksWithoutGradients(
        project.training, report.model);  // where it is an error, that is told with what is frozen
    for (Problem& problem :
         graph::lint(report.model, losses, &project.model, gradientsOff.value_or(std::vector<char>{}))) {
        report.problems.push_back(std::move(problem));
    }
    for (Problem& problem : packageProblems(project, report.model)) {
        report.problems.push_back(std::move(problem));
    }
    Checker(project, report, lossOutputs).run();
    return report;
}

}  // namespace plumbline::project
