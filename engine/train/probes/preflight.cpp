// Two batches of each split, with everything on that a run has: what would go wrong in the first minutes goes wrong
// here.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

#include "blocks/register.h"
#include "model/memory.h"
#include "project/data_fit.h"
#include "train/device_memory.h"
#include "train/memory_estimate.h"
#include "train/probes/probe_bench.h"

namespace plumbline::train {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
}

/// Time and memory of each block's forward pass.
class BlockProfile final : public model::LeafObserver {
public:
    BlockProfile(const model::Model& model, at::Device device)
        : m_model(model), m_device(device), m_blocks(model.graph().nodes.size()) {}

    void begin() {
        m_before = held();
        model::resetMemoryPeaks();
        resetDevicePeak(m_device);
        m_began = Clock::now();
    }
    /// What the model lets go of between two blocks, as the input that nobody needs any more, is no part of either.
    void beforeLeaf(int /*leaf*/) override {
        m_largest = std::max(m_largest, peak());
        begin();
    }
    void afterLeaf(int leaf, const std::vector<at::Tensor>& /*outputs*/) override {
        const Clock::time_point now = Clock::now();
        Block& block = m_blocks[static_cast<std::size_t>(leaf)];
        block.ms.push_back(milliseconds(now - m_began));
        const std::int64_t after = held();
        block.kept = std::max(block.kept, after - m_before);
        block.peak = std::max(block.peak, peak() - m_before);
        m_largest = std::max(m_largest, peak());
    }
    /// The highest peak that was seen: looking at the blocks one by one sets the counter back.
    std::int64_t largest() const { return m_largest; }

    Json toJson() const {
        Json list = Json::array();
        for (std::size_t i = 0; i < m_blocks.size(); ++i) {
            const Block& block = m_blocks[i];
            if (!block.ms.empty()) {
                list.push_back({{"block", m_model.graph().nodes[i].path},
                                {"type", m_model.graph().nodes[i].type},
                                {"forward_ms", *std::min_element(block.ms.begin(), block.ms.end())},
                                {"kept_bytes", block.kept},
                                {"peak_bytes", block.peak}});
            }
        }
        return list;
    }

private:
    struct Block {
        std::vector<double> ms;
        std::int64_t kept = 0, peak = 0;
    };
    std::int64_t held() const {
        return m_device.is_cpu() ? model::tensorMemory().current : deviceMemory(m_device).allocated;
    }
    std::int64_t peak() const {
        return m_device.is_cpu() ? model::tensorMemory().peak : deviceMemory(m_device).peakAllocated;
    }

    const model::Model& m_model;
    at::Device m_device;
    std::vector<Block> m_blocks;
    Clock::time_point m_began;
    std::int64_t m_before = 0, m_largest = 0;
};

/// Looks on for a scope.
class ObserverScope {
public:
    ObserverScope(model::Model& model, model::LeafObserver& observer) : m_model(model) {
        m_model.setObserver(&observer);
    }
    ~ObserverScope() { m_model.setObserver(nullptr); }
    ObserverScope(const ObserverScope&) = delete;
    ObserverScope& operator=(const ObserverScope&) = delete;

private:
    model::Model& m_model;
};

/// One forward pass in training mode, block by block, that leaves nothing behind.
Status profileBlocks(TrainingSetup& setup, plan::Precision precision, BlockProfile& profile) {
    ForwardTraces traces(*setup.assembly.model);
    const ObserverScope observed(*setup.assembly.model, profile);
    const AutocastScope autocast(precision, setup.device().type());
    profile.begin();
    const auto outputs = setup.assembly.model->forward(setup.batch.inputs);
    traces.restore();
    return outputs ? Status{} : fail(outputs.error());
}

Json bytesOf(TrainingSetup& setup, const KeptBesides& kept) {
    std::int64_t parameters = 0, gradients = 0;
    for (const model::NamedState& state : setup.assembly.model->parameters()) {
        parameters += state.shared ? 0 : static_cast<std::int64_t>(state.tensor.nbytes());
        gradients += state.tensor.grad().defined() ? static_cast<std::int64_t>(state.tensor.grad().nbytes()) : 0;
    }
    return {{"parameters", parameters},
            {"gradients", gradients},
            {"optimizer_state", setup.optimizer->stateBytes()},
            {"averages", kept.averages},
            {"prefetch", setup.loader->prefetchedBytes()}};
}

Json validate(TrainingSetup& setup, std::int64_t batches, RunControl& control, const plan::ExpertSpec& expert,
              Status& status) {
    if (setup.validation == nullptr) {
        return nullptr;
    }
    const Clock::time_point began = Clock::now();
    const auto evaluation = setup.validation->run(control, setup.monitor.get(), expert, {}, nullptr, batches);
    if (!evaluation) {
        status = fail(evaluation.error());
        return nullptr;
    }
    Json metrics = Json::object();
    for (const auto& [name, value] : evaluation->values) {
        metrics["val." + name] = std::isfinite(value) ? Json(value) : Json();
    }
    const std::int64_t done = std::min(batches, setup.validation->batches());
    return {{"batches", done},
            {"batch_ms", milliseconds(Clock::now() - began) / static_cast<double>(std::max<std::int64_t>(1, done))},
            {"metrics", metrics}};
}

/// How often the run validates: every so many steps or epochs, and at its last epoch's end in any case.
std::int64_t validationsOf(const plan::TrainingPlan& plan, const RunLength& length) {
    if (plan.validationEvery <= 0) {
        return 0;
    }
    const std::int64_t steps = length.lastStep(), perEpoch = std::max<std::int64_t>(1, length.stepsPerEpoch());
    const std::int64_t done = plan.validationUnit == plan::Unit::kStep ? steps : steps / perEpoch;
    const bool reachesTheEnd = steps >= length.totalSteps();
    return done / plan.validationEvery + (reachesTheEnd && done % plan.validationEvery != 0 ? 1 : 0);
}

/// What only the opened data tell of the settings; what the project tells by itself is `check`'s.
Json warningsOf(const TrainingSetup& setup, const project::Project& project) {
    std::vector<graph::Problem> problems = project::checkProject(project, blocks::builtinBlocks()).problems;
    const auto told = static_cast<std::ptrdiff_t>(problems.size());
    project::addWarnings(project::warningsOfData(project, setup.assembly.model->graph(), *setup.assembly.dataset),
                         problems);
    Json list = Json::array();
    std::transform(problems.begin() + told, problems.end(), std::back_inserter(list),
                   [](const graph::Problem& problem) { return graph::toJson(problem); });
    return list;
}

}  // namespace

Result<Json> probePreflight(const session::ProbeRequest& request, RunControl& control, const ProbeProgress& progress) {
    PLUMBLINE_ASSIGN(const auto bench, ProbeBench::make(request.project, control));
    TrainingSetup& setup = bench->setup();
    model::resetMemoryPeaks();
    resetDevicePeak(setup.device());
    std::vector<double> times, waits;
    double loss = std::nan("");
    for (std::int64_t i = 0; i < request.batches; ++i) {
        PLUMBLINE_TRY(bench->nextBatch());
        PLUMBLINE_ASSIGN(const ProbeStep step, bench->step());
        tellCount(request, i + 1, request.batches + 2);  // then the blocks one by one, and the validation
        times.push_back(step.ms);
        waits.push_back(step.waitMs);
        loss = step.loss;
        if (progress) {
            progress(fmt::format("training batch {}: {:.1f} ms, loss {:.4g}", i + 1, step.ms, step.loss));
        }
    }
    const std::int64_t peak =
        setup.device().is_cpu() ? model::tensorMemory().peak : deviceMemory(setup.device()).peakAllocated;
    BlockProfile profile(*setup.assembly.model, setup.device());
    PLUMBLINE_TRY(profileBlocks(setup, request.project.training.precision, profile));
    tellCount(request, request.batches + 1, request.batches + 2);
    Status status;
    const Json validation = validate(setup, request.batches, control, request.project.training.expert, status);
    PLUMBLINE_TRY(status);
    tellCount(request, request.batches + 2, request.batches + 2);
    // The first batch pays for what is done once.
    const double batchMs = *std::min_element(times.begin(), times.end());
    const RunLength& length = setup.length;
    const double epochs =
        static_cast<double>(length.lastStep()) / static_cast<double>(std::max<std::int64_t>(1, length.stepsPerEpoch()));
    const std::int64_t validations = setup.validation != nullptr ? validationsOf(request.project.training, length) : 0;
    double runMs = batchMs * static_cast<double>(length.batchesPerEpoch) * epochs;
    if (validations > 0) {
        runMs += static_cast<double>(validations) * validation["batch_ms"].get<double>() *
                 static_cast<double>(setup.validation->batches());
    }
    // The two batches are no steps of a run: what that keeps besides them is not there.
    const KeptBesides kept = keptBesides(request.project.training, *setup.assembly.model);
    Json findings = Json::array();
    if (setup.monitor != nullptr) {
        for (const diagnostics::Finding& finding : setup.monitor->findings()) {
            findings.push_back(diagnostics::toJson(finding));
        }
    }
    return Json{{"training",
                 {{"batches", request.batches},
                  {"batch_ms", batchMs},
                  {"loader_wait_ms", waits.back()},
                  {"loss", std::isfinite(loss) ? Json(loss) : Json()}}},
                {"validation", validation},
                {"epoch_seconds", epochs > 0 ? runMs / 1000 / epochs : 0},
                {"run_seconds", runMs / 1000},
                {"validations", validations},
                {"steps_per_epoch", length.stepsPerEpoch()},
                {"peak_memory_bytes", std::max(peak, profile.largest()) + kept.comesLater()},
                {"memory", bytesOf(setup, kept)},
                {"blocks", profile.toJson()},
                {"findings", findings},
                {"warnings", warningsOf(setup, request.project)}};
}

}  // namespace plumbline::train
