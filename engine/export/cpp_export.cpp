// A CMake project in LibTorch C++: model, weights, inference, training, and a program that gives numbers to compare.

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/scalar_tensor.h>
#include <fmt/format.h>
#include <torch/version.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

#include "codegen/project_source.h"
#include "core/files.h"
#include "core/process.h"
#include "core/text.h"
#include "data/transform.h"
#include "export/format.h"
#include "export/module_file.h"
#include "export/parity.h"
#include "export/raw_files.h"
#include "export/tensor_files.h"
#include "model/failure.h"
#include "plan/loss_traits.h"
#include "plan/schedule.h"
#include "train/batch.h"
#include "train/objective.h"
#include "train/step.h"

namespace plumbline::exporting {
namespace {

constexpr const char* kRawFile = "raw.pt";
constexpr const char* kTableFile = "sample.csv";
constexpr std::int64_t kLargestSplitBytes = std::int64_t{512} << 20;

/// Whether training changes samples at random.
bool augments(const data::Dataset& dataset) {
    const auto isRandom = [](const Json& transform) {
        const auto& types = data::transformTypes();
        return std::any_of(types.begin(), types.end(), [&](const data::TransformType& type) {
            return type.random && transform.value("type", "") == type.name;
        });
    };
    return std::any_of(dataset.inputs().begin(), dataset.inputs().end(), [&](const data::FeedInfo& feed) {
        return std::any_of(feed.transforms.begin(), feed.transforms.end(), isRandom);
    });
}

std::int64_t bytesOf(const data::Dataset& dataset, data::Split split) {
    std::int64_t perSample = 0;
    for (const auto* feeds : {&dataset.inputs(), &dataset.targets()}) {
        for (const data::FeedInfo& feed : *feeds) {
            std::int64_t count = 1;
            for (const std::int64_t dim : feed.dims) {
                count *= dim;
            }
            perSample += count * static_cast<std::int64_t>(sizeOf(feed.dtype));
        }
    }
    return perSample * dataset.size(split);
}

/// Of what a failed tool printed, the part that tells why, in a line: from its first word of an error on, else the end.
std::string reasonIn(std::string output) {
    constexpr std::size_t kShown = 300;
    const std::size_t found = std::min({output.find("error:"), output.find("Error at"), output.find("check: ")});
    output = found != std::string::npos ? output.substr(found, kShown)
                                        : output.substr(output.size() - std::min(output.size(), kShown));
    std::string line;
    for (const char c : output) {
        const bool blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
        line += !blank ? std::string(1, c) : line.empty() || line.back() == ' ' ? std::string() : std::string(" ");
    }
    while (!line.empty() && line.back() == ' ') {
        line.pop_back();
    }
    // What was cut may have been within a character.
    while (!line.empty() && !isUtf8(line)) {
        line.pop_back();
    }
    return line.empty() ? "it printed nothing" : line;
}

class CppExport {
public:
    CppExport(FormatContext& context, session::ExportReport& report)
        : m_context(context), m_project(context.request.project), m_report(report) {}

    Status run() {
        if (!m_context.dataset) {
            return fail(m_context.dataError);
        }
        const std::int64_t samples = m_context.dataset->size(data::Split::kTrain);
        if (samples == 0) {
            return fail(ErrorKind::kInvalid, "empty-training-split", "The training split holds no sample",
                        "/data/splits/train", "Give data.splits.train a larger share.");
        }
        const std::int64_t batchSize = m_project.data.loader.batchSize;
        m_hasFixedBatch = codegen::samplesAtATime(m_context.graph) > 0;
        const bool fullOnly = m_project.data.loader.dropLast || m_hasFixedBatch;
        const std::int64_t batches =
            std::max<std::int64_t>(1, fullOnly ? samples / batchSize : (samples + batchSize - 1) / batchSize);
        m_facts.stepsAnEpoch = (batches + m_project.training.accumulation - 1) / m_project.training.accumulation;
        m_facts.threads = static_cast<int>(m_project.training.threads);
        takeParameters();
        const std::vector<std::int64_t> positions = positionsToCompare(m_context, data::Split::kTrain, batchSize);
        PLUMBLINE_ASSIGN(m_sample, m_context.dataset->makeBatch(data::Split::kTrain, positions, 0, false));
        PLUMBLINE_ASSIGN(m_raw, m_context.dataset->makeRawBatch(data::Split::kTrain, positions));
        m_data = {m_context.dataset->rawInputs(), m_context.dataset->inputs(), m_context.dataset->targets()};
        PLUMBLINE_TRY(writeTensors());
        PLUMBLINE_TRY(writeSources());
        tellCommands();
        return m_context.request.verify ? verify() : Status{};
    }

private:
    /// What trains, in its groups, and what may be frozen.
    void takeParameters() {
        for (const model::NamedState& parameter : m_context.model.parameters()) {
            if (parameter.frozen) {
                continue;
            }
            m_facts.parameterNames.push_back(parameter.name);
            if (codegen::epochsFrozen(m_project.training, parameter.name) != codegen::kFrozenForEver) {
                m_trained.push_back({parameter.name, parameter.tensor});
            }
        }
        for (const train::ParameterGroup& group : trainedGroups()) {
            codegen::ParameterGroup& written = m_facts.groups.emplace_back();
            written.lr = group.lr;
            written.weightDecay = group.weightDecay;
            for (const train::NamedParameter& parameter : group.parameters) {
                written.parameters.push_back(parameter.name);
            }
        }
        // Blocks that share their statistics are one.
        std::map<const void*, std::size_t> places;
        for (const model::NamedState& state : m_context.model.stateDict()) {
            const bool isMean = state.name.ends_with(".running_mean") || state.name == "running_mean";
            const graph::ResolvedNode& node = m_context.graph.nodes[static_cast<std::size_t>(state.leaf)];
            if (!state.buffer || !isMean || node.mode == "eval") {
                continue;
            }
            const auto [place, isNew] =
                places.try_emplace(state.tensor.unsafeGetTensorImpl(), m_facts.statistics.size());
            const std::string block = state.name.substr(0, state.name.size() - std::string_view("running_mean").size());
            if (isNew) {
                m_facts.statistics.push_back({block.substr(0, block.empty() ? 0 : block.size() - 1), {}});
                m_leaves.push_back(state.leaf);
            }
            codegen::Statistics& statistics = m_facts.statistics[place->second];
            statistics.buffers.push_back(block + "running_mean");
            statistics.buffers.push_back(block + "running_var");
        }
    }

    std::vector<train::ParameterGroup> trainedGroups() const {
        return train::groupParameters(m_project.training.optimizer, m_trained, train::layersOf(m_context.model));
    }

    /// As check.cpp freezes for the first epoch.
    void freezeAtFirst() {
        for (const model::NamedState& parameter : m_context.model.parameters()) {
            if (!parameter.frozen && codegen::epochsFrozen(m_project.training, parameter.name) > 0) {
                at::Tensor(parameter.tensor).set_requires_grad(false);
            }
        }
        for (std::size_t i = 0; i < m_leaves.size(); ++i) {
            if (codegen::epochsFrozen(m_project.training, m_facts.statistics[i]) > 0) {
                m_context.model.setTraining(m_leaves[i], false);
            }
        }
    }

    Status writeTensors() {
        PLUMBLINE_TRY(writeModuleFile(m_context.folder / "weights.pt", m_context.model));
        m_report.files.emplace_back("weights.pt");
        PLUMBLINE_TRY(writeInitialWeights());
        PLUMBLINE_TRY(writeRaw());
        PLUMBLINE_TRY(writeBatch("sample.pt", m_sample));
        for (const auto& [split, name] :
             {std::pair{data::Split::kTrain, "train.pt"}, std::pair{data::Split::kValidation, "validation.pt"}}) {
            if (bytesOf(*m_context.dataset, split) > kLargestSplitBytes) {
                m_dataNote = fmt::format("; a split larger than {} MiB is left out", kLargestSplitBytes >> 20);
                continue;
            }
            if (const std::int64_t size = m_context.dataset->size(split); size > 0) {
                PLUMBLINE_ASSIGN(const data::HostBatch batch,
                                 m_context.dataset->makeBatch(split, positionsIn(size, size), 0, false));
                PLUMBLINE_TRY(writeBatch(name, batch));
            }
        }
        return {};
    }

    Status writeRaw() {
        PLUMBLINE_TRY(writeTensorFile(m_context.folder / kRawFile, rawTensors(m_raw)));
        m_report.files.emplace_back(kRawFile);
        if (codegen::isTable(m_data.raw)) {
            PLUMBLINE_TRY(writeFileAtomically(m_context.folder / kTableFile, rawTable(m_data.raw, m_raw)));
            m_report.files.emplace_back(kTableFile);
        }
        return {};
    }

    /// Where a block is initialised otherwise than by PyTorch's default, the exported training starts from a file.
    Status writeInitialWeights() {
        const std::vector<graph::ResolvedNode>& nodes = m_context.graph.nodes;
        if (std::none_of(nodes.begin(), nodes.end(),
                         [](const graph::ResolvedNode& node) { return !node.init.is_null(); })) {
            return {};
        }
        model::BuildOptions options;
        options.seed = m_project.training.seed;
        PLUMBLINE_ASSIGN(const std::unique_ptr<model::Model> initial, model::Model::build(m_context.graph, options));
        m_report.files.emplace_back("initial.pt");
        return writeModuleFile(m_context.folder / "initial.pt", *initial);
    }

    Status writeBatch(const char* name, const data::HostBatch& batch) {
        PLUMBLINE_TRY(writeTensorFile(m_context.folder / name, toTensors(batch)));
        m_report.files.emplace_back(name);
        return {};
    }

    Status writeSources() {
        if (std::string note = codegen::precisionNote(m_project.training); !note.empty()) {
            m_report.notes.push_back(std::move(note));
        }
        const plan::TrainingPlan& plan = m_project.training;
        if (plan.maxSeconds > 0 || !plan.target.series.empty() || plan.earlyStopping.patience > 0) {
            m_report.notes.emplace_back(
                "The exported training goes on to its last epoch: it stops at no time, target or patience.");
        }
        if (plan.activationCheckpointing.enabled()) {
            m_report.notes.emplace_back(
                "The exported training keeps all activations: the numbers are the same, and it takes more memory than "
                "the plan's activation checkpointing.");
        }
        if (augments(*m_context.dataset)) {
            m_report.notes.emplace_back("The exported training sees the samples without augmentation.");
            m_dataNote += "; without augmentation";
        }
        PLUMBLINE_ASSIGN(const auto files, codegen::projectSources(
                                               m_project, m_context.graph, m_context.registry, m_facts,
                                               {TORCH_VERSION, m_dataNote, rawArgument(m_data.raw, m_raw, 0)}, m_data));
        for (const codegen::SourceFile& file : files) {
            PLUMBLINE_TRY(writeFileAtomically(m_context.folder / file.name, file.text));
            m_report.files.push_back(file.name);
        }
        return {};
    }

    /// What to type to build and ask the model, as it works on this machine.
    void tellCommands() {
        std::error_code error;
        const auto libtorch = session::findLibTorch();
        if (!libtorch) {
            return;
        }
        m_report.commands = {
            "cd " + shellQuoted(std::filesystem::absolute(m_context.request.folder, error).lexically_normal().string()),
            "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release " +
                shellQuoted("-DLIBTORCH=" + libtorch->libraryFolder.parent_path().string()),
            "cmake --build build",
            fmt::format("build/inference weights.pt {}", codegen::isTable(m_data.raw) ? kTableFile : kRawFile)};
    }

    Status verify() {
        PLUMBLINE_TRY(requireData(m_context));
        const int threads = at::get_num_threads();
        const std::filesystem::path build =
            m_context.folder.parent_path() / (m_context.folder.filename().string() + ".build");
        const Status status = verifyIn(build, threads);
        std::error_code ignored;
        std::filesystem::remove_all(build, ignored);
        return status;
    }

    Status verifyIn(const std::filesystem::path& build, int threads) {
        PLUMBLINE_ASSIGN(const session::LibTorchLocation libtorch, session::findLibTorch());
        PLUMBLINE_TRY(makeFolder(build));
        m_context.progress("Configuring the exported project");
        PLUMBLINE_TRY(
            runTool({"cmake", "-S", m_context.folder.string(), "-B", build.string(), "-DCMAKE_BUILD_TYPE=Release",
                     "-DLIBTORCH=" + libtorch.libraryFolder.parent_path().string()}));
        m_context.progress("Building the exported project (a minute or so)");
        PLUMBLINE_TRY(runTool({"cmake", "--build", build.string(), "--parallel", "2"}));
        m_context.progress("Comparing forward and five training steps");
        PLUMBLINE_TRY(
            runTool({(build / "check").string(), "weights.pt", kRawFile, "sample.pt", (build / "result.pt").string(),
                     std::to_string(threads), std::to_string(m_project.training.seed)}));
        PLUMBLINE_ASSIGN(const NamedTensors exported, readTensorFile(build / "result.pt"));
        try {
            const auto reference = referenceNumbers();
            if (!reference) {
                return fail(comparisonError(reference.error()));
            }
            compare(*reference, exported, m_report);
            return {};
        } catch (...) {
            return fail(comparisonError(
                model::errorOfCurrentException("The model cannot be trained on the data to compare", "")));
        }
    }

    Status runTool(const std::vector<std::string>& command) {
        PLUMBLINE_ASSIGN(const ProcessResult result, runProcess(command, m_context.folder, m_context.control));
        m_report.log += result.output;
        if (result.exitCode != 0) {
            return fail(
                ErrorKind::kVerification, "export-does-not-build",
                fmt::format("{} ended with exit code {}: {}", std::filesystem::path(command[0]).filename().string(),
                            result.exitCode, reasonIn(result.output)),
                m_context.request.folder.string(), "Export without --verify to look at the project.");
        }
        return {};
    }

    /// As check.cpp makes them: as many as the plan accumulates, the last half as large where the model takes that.
    std::vector<train::TensorBatch> batchesOfStep(const train::TensorBatch& batch, std::int64_t accumulation) const {
        std::vector<train::TensorBatch> batches(static_cast<std::size_t>(accumulation), batch);
        if (accumulation > 1 && !m_hasFixedBatch && batch.samples >= 4) {
            train::TensorBatch& last = batches.back();
            last.samples = batch.samples / 2;
            for (auto* tensors : {&last.inputs, &last.targets}) {
                for (at::Tensor& tensor : *tensors) {
                    tensor = tensor.narrow(0, 0, last.samples);
                }
            }
        }
        return batches;
    }

    /// What check.cpp computes, by our own step.
    Result<NamedTensors> referenceNumbers() {
        plan::TrainingPlan plan = m_project.training;
        plan.precision = plan::Precision::kFp32;
        plan.expert = {};
        PLUMBLINE_ASSIGN(const train::BatchBinder binder,
                         train::BatchBinder::make(m_context.graph, *m_context.dataset, at::kCPU));
        train::BindingNames names;
        for (const auto& [name, value] : m_context.graph.outputs) {
            names.outputs.push_back(name);
        }
        names.targets = binder.targetNames();
        train::TensorBatch batch;
        binder.bind(m_sample, batch);

        NamedTensors numbers;
        for (const data::HostTensor& input : m_sample.inputs) {
            numbers.emplace_back("prepared." + input.name, toTensor(input));
        }
        {
            const at::NoGradGuard noGrad;
            m_context.model.train(false);
            at::manual_seed(plan.seed);  // for blocks that draw in evaluation too
            PLUMBLINE_ASSIGN(const auto outputs, m_context.model.forward(batch.inputs));
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                numbers.emplace_back("forward." + names.outputs[i], outputs[i].clone());
            }
        }
        at::manual_seed(plan.seed);
        m_context.model.train(true);
        PLUMBLINE_ASSIGN(train::Objective objective, train::Objective::make(plan, names, at::kCPU));
        freezeAtFirst();
        PLUMBLINE_ASSIGN(const auto optimizer, train::Optimizer::make(plan.optimizer, trainedGroups()));
        const bool countsSteps = plan.scheduler.unit == plan::Unit::kStep;
        const plan::Schedule schedule(plan.scheduler, plan::scheduleLength(plan, m_facts.stepsAnEpoch));
        train::StepParts parts;
        parts.model = &m_context.model;
        parts.objective = &objective;
        parts.optimizer = optimizer.get();
        train::TrainStep step(plan, parts, at::kCPU);
        const std::vector<train::TensorBatch> accumulated = batchesOfStep(batch, plan.accumulation);
        std::vector<std::vector<double>> shares;
        std::vector<double> total(objective.size());
        for (const train::TensorBatch& part : accumulated) {
            shares.push_back(objective.counts(part.targets, part.samples));
            std::transform(total.begin(), total.end(), shares.back().begin(), total.begin(), std::plus());
        }
        const std::vector<plan::LossSpec> terms = plan::termsOf(plan.losses);
        for (std::vector<double>& each : shares) {
            for (std::size_t loss = 0; loss < each.size(); ++loss) {
                const bool sums = terms[loss].text("reduction") == "sum";
                each[loss] = each[loss] <= 0 ? 0.0 : sums ? 1.0 : each[loss] / total[loss];
            }
        }
        for (int i = 0; i < kTrainingSteps; ++i) {
            for (std::size_t group = 0; group < optimizer->groupCount(); ++group) {
                optimizer->setLearningRate(group,
                                           schedule.rate(optimizer->baseLearningRate(group), countsSteps ? i : 0));
            }
            if (optimizer->hasMomentum()) {
                optimizer->setMomentum(schedule.momentum(countsSteps ? i : 0));
            }
            for (std::size_t part = 0; part < accumulated.size(); ++part) {
                PLUMBLINE_TRY(step.accumulate(accumulated[part], shares[part]));
            }
            PLUMBLINE_ASSIGN(const train::StepOutcome outcome, step.finish());
            numbers.emplace_back(fmt::format("loss.{}", i), at::scalar_tensor(outcome.loss, at::kDouble));
        }
        for (const model::NamedState& state : m_context.model.stateDict()) {
            if (!state.shared) {
                numbers.emplace_back((state.buffer ? "buffer." : "parameter.") + state.name, state.tensor.detach());
            }
        }
        return numbers;
    }

    FormatContext& m_context;
    const project::Project& m_project;
    session::ExportReport& m_report;
    codegen::PlanFacts m_facts;
    codegen::DataFacts m_data;
    std::vector<train::NamedParameter> m_trained;
    std::vector<int> m_leaves;  ///< of m_facts.statistics
    data::HostBatch m_sample;
    data::HostBatch m_raw;  ///< the same samples before their transforms
    bool m_hasFixedBatch = false;
    std::string m_dataNote;
};

}  // namespace

Status exportCpp(FormatContext& context, session::ExportReport& report) {
    try {
        return CppExport(context, report).run();
    } catch (...) {
        Error error = model::errorOfCurrentException("The export ended", "");
        error.code = error.kind == ErrorKind::kRunFailed ? "export-failed" : error.code;
        return fail(std::move(error));
    }
}

}  // namespace plumbline::exporting
