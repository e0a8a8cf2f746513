#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string_view>

#include "core/json_errors.h"
#include "graph/lints.h"
#include "graph/problem_list.h"
#include "project/project.h"

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
    explicit Checker(const Project& project, CheckReport& report) : m_project(project), m_report(report) {
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
            checkUse(loss.type, loss.output, loss.target, fmt::format("/training/losses/{}", i));
            checkWeights(loss, fmt::format("/training/losses/{}", i));
        }
        for (std::size_t i = 0; i < m_project.training.metrics.size(); ++i) {
            const plan::MetricSpec& metric = m_project.training.metrics[i];
            checkUse(metric.type, metric.output, metric.target, fmt::format("/training/metrics/{}", i));
        }
        const data::SplitSpec& splits = m_project.data.splits;
        for (const plan::PlanProblem& problem :
             plan::checkPlan(m_project.training, -1, m_project.data.loader.batchSize, m_project.data.loader.dropLast,
                             splits.validation > 0)) {
            add(problem.critical ? Severity::kCritical : Severity::kWarning, problem.code, problem.pointer,
                problem.message + (problem.hint.empty() ? "" : " " + problem.hint));
        }
    }

private:
    void add(Severity severity, std::string code, std::string pointer, std::string message) {
        m_report.problems.push_back({severity, std::move(code), {}, std::move(pointer), std::move(message), {}});
    }

    void checkFeeds() {
        std::set<std::string> fed;
        for (const data::FeedSpec& feed : m_project.data.inputs) {
            fed.insert(feed.name);
            const auto& inputs = m_report.model.inputs;
            if (std::none_of(inputs.begin(), inputs.end(), [&](const auto& input) { return input.first == feed.name; })) {
                add(Severity::kCritical, "unknown-input", "/data/inputs/" + feed.name,
                    fmt::format("The data feeds \"{}\", which is no input of the model. Rename it, or add an input of that name.", feed.name));
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
            remedies.push_back(graph::replaceValue(fmt::format("Leave the batch of {} open", name), pointer, m_project.json.at(place), "B"));
        }
        m_report.problems.push_back({Severity::kCritical, "fixed-batch", {}, pointer,
                                     fmt::format("The model's input {} has a fixed batch of {}, and the loader makes batches of {}. Write \"B\" as its first "
                                                 "dimension, or set data.loader.batch_size to {}.",
                                                 name, *size, batchSize, *size),
                                     std::move(remedies)});
    }

    void checkUse(const std::string& type, const std::string& output, const std::string& target, const std::string& pointer) {
        if (std::find(m_outputs.begin(), m_outputs.end(), output) == m_outputs.end()) {
            add(Severity::kCritical, "unknown-output", pointer + "/output", fmt::format("{} reads \"{}\", which is no output of the model.{}", type, output, suggestion(output, m_outputs)));
            return;
        }
        if (std::find(m_targets.begin(), m_targets.end(), target) == m_targets.end()) {
            add(Severity::kCritical, "unknown-target", pointer + "/target", fmt::format("{} compares with \"{}\", which is no target of the data.{}", type, target, suggestion(target, m_targets)));
            return;
        }
        const graph::TensorType* shape = outputType(m_report.model, output);
        if (shape != nullptr && type == "CrossEntropyLoss" && shape->rank() < 2) {
            add(Severity::kCritical, "loss-shape", pointer + "/output",
                fmt::format("CrossEntropyLoss wants class scores of shape [B, C] and \"{}\" has shape [{}].", output, shape->shapeText()));
        }
        if (shape != nullptr && !isFloatingPoint(shape->dtype) && type.ends_with("Loss")) {
            add(Severity::kCritical, "loss-dtype", pointer + "/output",
                fmt::format("{} wants a floating-point output and \"{}\" is {}, which has no gradient.", type, output, toString(shape->dtype)));
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
                    fmt::format("{} has {} numbers and the output \"{}\" tells {} classes apart. Give one number a class.", key, count, loss.output, *classes));
            }
        }
    }

    static std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
        const std::string told = didYouMean(word, known, known.size() == 1 ? fmt::format("There is \"{}\".", known.front()) : "");
        return told.empty() ? told : " " + told;
    }

    const Project& m_project;
    CheckReport& m_report;
    std::vector<std::string> m_outputs;
    std::vector<std::string> m_targets;
};

}  // namespace

bool CheckReport::ok() const {
    return std::none_of(problems.begin(), problems.end(), [](const Problem& problem) { return problem.severity == Severity::kCritical; });
}

CheckReport checkProject(const Project& project, const graph::BlockRegistry& registry) {
    CheckReport report;
    report.model = graph::resolve(project.model, registry);
    report.problems = report.model.problems;
    std::vector<graph::LossUse> losses;
    for (const plan::LossSpec& loss : project.training.losses) {
        losses.push_back({loss.type, loss.output});
    }
    for (Problem& problem : graph::lint(report.model, losses, &project.model)) {
        report.problems.push_back(std::move(problem));
    }
    Checker(project, report).run();
    return report;
}

}  // namespace plumbline::project
