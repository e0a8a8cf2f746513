#include "train/environment_trial.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "core/text.h"
#include "model/memory.h"
#include "model/model.h"
#include "project/block_choice.h"
#include "train/batch.h"
#include "train/freezing.h"
#include "train/generators.h"
#include "train/objective.h"
#include "train/step.h"
#include "train/trial_memory.h"
#include "train/versions.h"

namespace plumbline::train {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMostThreads = 16;
constexpr std::size_t kMostRounds = 5;
constexpr std::size_t kFewestRounds = 2;  ///< measured, besides the first step of all, which pays for what is done once
constexpr std::size_t kFewestSteps =
    2 * kFewestRounds + 1;  ///< after the first step of all: rounds of the estimate and of one other
/// A round of short steps is so long that the clock and a passing interruption do not decide, of so many steps at most.
constexpr double kRoundMs = 4;
constexpr std::size_t kMostStepsOfRound = 32;
/// More multiply-accumulates in a millisecond than a machine does of a model's: what takes longer by them does so in
/// truth.
constexpr double kMacsPerMs = 1e8;

double milliseconds(Clock::duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
}

/// Those that this process may use; without the second threads of a core.
std::int64_t physicalCores() {
    const auto all = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
    cpu_set_t usable;
    CPU_ZERO(&usable);
    if (::sched_getaffinity(0, sizeof(usable), &usable) != 0) {
        return all;
    }
    std::set<std::string> cores;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &usable)) {
            continue;
        }
        std::string siblings;
        std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
        if (!std::getline(file, siblings)) {
            return all;
        }
        cores.insert(siblings);
    }
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(cores.size()));
}

struct Candidate {
    std::int64_t threads = 1;
    bool channelsLast = false;
    double firstMs = 0;  ///< of the first step, which pays for what is done once; 0: not done
    std::vector<double> ms = {};

    bool isWarm() const { return firstMs > 0; }
    std::vector<double> sorted() const {
        std::vector<double> all = ms;
        std::sort(all.begin(), all.end());
        return all;
    }
    double fastest() const {
        return ms.empty() ? std::numeric_limits<double>::infinity() : *std::min_element(ms.begin(), ms.end());
    }
    double median() const {
        return ms.empty() ? std::numeric_limits<double>::infinity() : sorted()[(ms.size() - 1) / 2];
    }
    /// By how much its usual rounds are slower than its fastest one.
    double disagreement() const { return ms.empty() ? 0 : sorted()[ms.size() / 2] / fastest() - 1; }
    std::string format() const { return channelsLast ? "channels_last" : "contiguous"; }
};

/// A model's length may grow so many times before it is measured again where it was not worth it.
constexpr std::int64_t kLonger = 4;

/// Batches that the run trains on by its plan.
std::int64_t batchesOfRun(const TrialRequest& request, const data::Dataset& dataset) {
    const plan::TrainingPlan& plan = request.project.training;
    const data::LoaderSpec& loader = request.project.data.loader;
    const std::int64_t samples = dataset.size(data::Split::kTrain);
    const std::int64_t anEpoch =
        loader.dropLast ? samples / loader.batchSize : (samples + loader.batchSize - 1) / loader.batchSize;
    constexpr double kMost = 1e15;
    double batches = plan.epochs > 0 ? static_cast<double>(plan.epochs) * static_cast<double>(anEpoch) : kMost;
    if (plan.maxSteps > 0) {
        batches = std::min(batches, static_cast<double>(plan.maxSteps) * static_cast<double>(plan.accumulation));
    }
    return static_cast<std::int64_t>(std::min(batches, kMost));
}

/// Models that train on one batch, a layout each.
class Bench {
public:
    Bench(const TrialRequest& request, const graph::ResolvedModel& graph, const data::Dataset& dataset,
          const Environment& environment)
        : m_plan(request.project.training), m_graph(graph), m_environment(environment) {
        const std::int64_t size = std::min(request.project.data.loader.batchSize, dataset.size(data::Split::kTrain));
        for (std::int64_t i = 0; i < size; ++i) {
            m_positions.push_back(i);
        }
    }

    Status open(const data::Dataset& dataset) {
        PLUMBLINE_ASSIGN(m_host, dataset.makeBatch(data::Split::kTrain, m_positions, m_plan.seed, true));
        PLUMBLINE_ASSIGN(const BatchBinder binder, BatchBinder::make(m_graph, dataset, m_environment.device));
        binder.bind(m_host, m_batch);
        BindingNames names;
        for (const auto& [name, value] : m_graph.outputs) {
            names.outputs.push_back(name);
        }
        names.targets = binder.targetNames();
        for (const data::FeedInfo& target : dataset.targets()) {
            names.classes.push_back(target.classes);
        }
        PLUMBLINE_ASSIGN(Objective objective, Objective::make(m_plan, names, m_environment.device));
        m_objective = std::make_unique<Objective>(std::move(objective));
        return {};
    }

    /// One step, as the run does them, without the optimizer's part.
    Result<double> step(std::int64_t threads, bool channelsLast) {
        PLUMBLINE_ASSIGN(model::Model* const model, modelOf(channelsLast));
        at::set_num_threads(static_cast<int>(threads));
        const Clock::time_point began = Clock::now();
        at::Tensor loss;
        {
            const AutocastScope autocast(m_plan.precision, m_environment.device.type());
            PLUMBLINE_ASSIGN(const std::vector<at::Tensor> outputs, model->forward(m_batch.inputs));
            PLUMBLINE_ASSIGN(loss, m_objective->loss(outputs, m_batch.targets));
        }
        if (!loss.defined() || !loss.requires_grad()) {
            return fail(ErrorKind::kInvalid, "nothing-learns", "");
        }
        loss.backward();
        synchronize(*model);
        const double ms = milliseconds(Clock::now() - began);
        for (const model::NamedState& parameter : model->parameters()) {
            at::Tensor live = parameter.tensor;
            live.mutable_grad().reset();
        }
        return ms;
    }

private:
    struct Built {
        std::unique_ptr<model::Model> model;
        std::unique_ptr<Freezing> freezing;
    };

    Result<model::Model*> modelOf(bool channelsLast) {
        Built& built = m_built[channelsLast ? 1 : 0];
        if (built.model == nullptr) {
            model::BuildOptions options;
            options.seed = m_plan.seed;
            options.device = m_environment.device;
            options.channelsLast = channelsLast;
            PLUMBLINE_ASSIGN(built.model, model::Model::build(m_graph, options));
            PLUMBLINE_ASSIGN(std::vector<char> float32, project::float32Blocks(m_plan, m_graph));
            built.model->keepFloat32(std::move(float32));
            PLUMBLINE_ASSIGN(std::vector<char> gradientsOff, project::blocksWithoutGradients(m_plan, m_graph));
            built.model->switchGradientsOff(std::move(gradientsOff));
            PLUMBLINE_ASSIGN(Freezing freezing, Freezing::make(m_plan, *built.model));
            built.freezing = std::make_unique<Freezing>(std::move(freezing));
            built.freezing->enterEpoch(0, false);
        }
        return built.model.get();
    }

    void synchronize(const model::Model& model) const {
        if (m_environment.device.is_cpu()) {
            return;
        }
        for (const model::NamedState& parameter : model.parameters()) {
            if (parameter.tensor.grad().defined()) {
                (void)parameter.tensor.grad().reshape({-1}).slice(0, 0, 1).to(at::kCPU);
                return;
            }
        }
    }

    const plan::TrainingPlan& m_plan;
    const graph::ResolvedModel& m_graph;
    const Environment& m_environment;
    std::vector<std::int64_t> m_positions;
    data::HostBatch m_host;  ///< the memory of m_batch
    TensorBatch m_batch;
    std::unique_ptr<Objective> m_objective;
    Built m_built[2];
};

class Trial {
public:
    Trial(const TrialRequest& request, const graph::ResolvedModel& graph,
          const std::shared_ptr<const data::Dataset>& dataset, Environment& environment)
        : m_request(request),
          m_limits(request.limits),
          m_graph(graph),
          m_dataset(dataset),
          m_environment(environment),
          m_memory(request.memory) {
        m_threadsOpen = environment.threadsBy == "estimated" && environment.device.is_cpu();
        m_formatOpen = environment.memoryFormatBy == "estimated" && isConvolutional(graph);
    }

    void run() {
        if (m_request.project.training.activationCheckpointing.enabled()) {
            return;  // its second forward pass is no part of a trial's step, nor is everything to be kept that it is
                     // there to save
        }
        const std::string& determinism = m_request.project.training.determinism;
        m_batches = batchesOfRun(m_request, *m_dataset);
        if ((!m_threadsOpen && !m_formatOpen) || (determinism != "default" && determinism != "production") ||
            takeRemembered() || !m_request.measures) {
            return;
        }
        const double atLeastMs = 3 *
                                 static_cast<double>(forwardMacs(m_graph, m_request.project.data.loader.batchSize)) /
                                 kMacsPerMs * static_cast<double>(m_batches);
        if (atLeastMs < 0.01 * m_limits.shortestRunMs || m_request.control.stopRequested()) {
            return;
        }
        Environment flags = m_environment;
        const EnvironmentScope scope(flags, determinism);
        m_began = Clock::now();
        Bench bench(m_request, m_graph, *m_dataset, m_environment);
        if (!bench.open(*m_dataset)) {
            return;
        }
        m_bench = &bench;
        m_candidates.push_back({m_environment.threads, m_environment.channelsLast});
        if (!warm(0)) {
            return;
        }
        const double firstMs = m_candidates[0].firstMs;
        if (!isWorthIt(firstMs) || !mayGoOn(firstMs * static_cast<double>(kFewestSteps), m_budgetMs)) {
            rememberNone();
            return;
        }
        if (!measure(0)) {
            return;
        }
        const double ms = m_candidates[0].ms.front();
        if (!isWorthIt(ms)) {
            rememberNone();
            return;
        }
        m_triesThreads = m_threadsOpen && ms >= m_limits.shortestThreadedStepMs;
        m_stepsOfRound =
            std::clamp<std::size_t>(static_cast<std::size_t>(kRoundMs / std::max(1e-6, ms)), 1, kMostStepsOfRound);
        if (m_stepsOfRound > 1) {
            m_candidates[0].ms.clear();  // one step says too little
            if (!mayGoOn(roundsMs(1, ms), m_budgetMs) || !measure(0)) {
                rememberNone();
                return;
            }
        }
        if (!decide()) {
            rememberNone();
        }
    }

private:
    std::string key() const {
        Json feeds = Json::array();
        for (const auto* list : {&m_dataset->inputs(), &m_dataset->targets()}) {
            for (const data::FeedInfo& feed : *list) {
                feeds.push_back({feed.name, std::string(toString(feed.dtype)), feed.dims});
            }
        }
        const Json here = versions();
        const auto& json = m_request.project.json;
        const Json training = json.value("training", Json::object());
        const Json decides = {json.value("model", Json()),
                              std::move(feeds),
                              m_request.project.data.loader.batchSize,
                              training.value("precision", Json()),
                              training.value("fp32_blocks", Json()),
                              training.value("freeze", Json()),
                              training.value("losses", Json()),
                              training.value("no_grad", Json()),
                              training.value("phases", Json()),
                              training.value("activation_checkpointing", Json()),
                              m_request.project.training.determinism,
                              m_environment.deviceName,
                              here["cpu"],
                              here["libtorch"],
                              here["plumbline"],
                              std::thread::hardware_concurrency(),
                              physicalCores(),
                              m_threadsOpen ? Json() : Json(m_environment.threads),
                              m_formatOpen ? Json() : Json(m_environment.channelsLast)};
        return toHex(hash64(decides.dump()));
    }

    bool takeRemembered() {
        const Json known = m_memory.find(key());
        if (known.is_object() && known["threads"].is_null() && known["memory_format"].is_null()) {
            return m_batches <= kLonger * known["trial"].value("batches", std::int64_t{0});
        }
        const bool hasThreads = m_threadsOpen && known.is_object() && known["threads"].is_number_integer();
        const bool hasFormat = m_formatOpen && known.is_object() && known["memory_format"].is_string();
        if ((!hasThreads && !hasFormat) || (hasThreads && !threadsCanStart(known["threads"].get<std::int64_t>()))) {
            return false;
        }
        if (hasThreads) {
            m_environment.threads = known["threads"].get<std::int64_t>();
            m_environment.threadsBy = "remembered";
        }
        if (hasFormat) {
            m_environment.channelsLast = known["memory_format"] == "channels_last";
            m_environment.memoryFormatBy = "remembered";
        }
        m_environment.trial = known["trial"];
        return true;
    }

    double spentMs() const { return milliseconds(Clock::now() - m_began); }
    double roundsMs(std::size_t rounds, double stepMs) const {
        return static_cast<double>(rounds * m_stepsOfRound) * stepMs;
    }
    bool mayGoOn(double forMs, double untilMs) const {
        return !m_request.control.stopRequested() && spentMs() + forMs <= untilMs;
    }

    /// The first step of a candidate, which counts for nothing but its warmth.
    bool warm(std::size_t index) {
        Candidate& candidate = m_candidates[index];
        if (!candidate.isWarm()) {
            ++m_steps;
            const auto ms = m_bench->step(candidate.threads, candidate.channelsLast);
            candidate.firstMs = ms ? std::max(1e-6, *ms) : 0;
        }
        return candidate.isWarm();
    }
    /// A round.
    bool measure(std::size_t index) {
        Candidate& candidate = m_candidates[index];
        double sum = 0;
        for (std::size_t step = 0; step < m_stepsOfRound; ++step) {
            ++m_steps;
            const auto ms = m_bench->step(candidate.threads, candidate.channelsLast);
            if (!ms) {
                return false;
            }
            sum += *ms;
        }
        candidate.ms.push_back(sum / static_cast<double>(m_stepsOfRound));
        return true;
    }

    /// Where a batch takes so long; sets what the trial may cost.
    bool isWorthIt(double ms) {
        const double limitMs = m_request.project.training.maxSeconds > 0 ? 1000 * m_request.project.training.maxSeconds
                                                                         : std::numeric_limits<double>::infinity();
        const double runMs = std::min(ms * static_cast<double>(m_batches), limitMs);
        m_budgetMs = std::min(m_limits.mostMs, m_limits.mostOfRun * runMs);
        return ms >= m_limits.shortestStepMs && runMs >= m_limits.shortestRunMs;
    }

    /// In turns, so that what else the machine does meets all alike. False: too little time for a judgement.
    bool compare(const std::vector<std::size_t>& candidates, double untilMs) {
        const double usual = m_candidates[candidates.front()].median();
        double needed = 0;
        for (const std::size_t candidate : candidates) {
            needed += (m_candidates[candidate].isWarm() ? 0 : usual) +
                      roundsMs(kFewestRounds - std::min(kFewestRounds, m_candidates[candidate].ms.size()), usual);
        }
        if (!mayGoOn(needed, untilMs)) {
            return false;
        }
        for (const std::size_t candidate : candidates) {
            if (!m_candidates[candidate].isWarm() &&
                (!mayGoOn(longest(m_candidates[candidate].threads, usual), untilMs) || !warm(candidate))) {
                return false;
            }
        }
        for (std::size_t round = 0; round < kMostRounds; ++round) {
            for (const std::size_t candidate : candidates) {
                const Candidate& next = m_candidates[candidate];
                if (!mayGoOn(roundsMs(1, next.ms.empty() ? std::max(usual, next.firstMs) : next.median()), untilMs) ||
                    !measure(candidate)) {
                    return std::all_of(candidates.begin(), candidates.end(),
                                       [&](std::size_t each) { return m_candidates[each].ms.size() >= kFewestRounds; });
                }
            }
        }
        return true;
    }

    /// The first of them, unless another one is faster by enough.
    std::size_t best(const std::vector<std::size_t>& candidates) const {
        const auto fastest = *std::min_element(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) {
            return m_candidates[a].median() < m_candidates[b].median();
        });
        return m_candidates[fastest].median() <= (1 - m_limits.gain) * m_candidates[candidates.front()].median()
                   ? fastest
                   : candidates.front();
    }

    /// False: too little time for either.
    bool decide() {
        std::size_t chosen = 0;
        bool formatMeasured = false, threadsMeasured = false;
        if (m_formatOpen) {
            m_candidates.push_back({m_environment.threads, !m_environment.channelsLast});
            const std::vector<std::size_t> both{0, 1};
            formatMeasured = (m_triesThreads && compare(both, 0.5 * m_budgetMs)) || compare(both, m_budgetMs);
            chosen = formatMeasured ? best(both) : 0;
        }
        if (m_triesThreads) {
            std::vector<std::size_t> all{chosen};
            const double usual = m_candidates[chosen].median();
            for (const std::int64_t threads : threadCounts()) {
                // One that may take longer than all that is left is not tried.
                if (mayGoOn(longest(threads, usual) + roundsMs(kFewestRounds, longest(threads, usual)), m_budgetMs)) {
                    all.push_back(m_candidates.size());
                    m_candidates.push_back({threads, m_candidates[chosen].channelsLast});
                }
            }
            threadsMeasured = all.size() > 1 && compare(all, m_budgetMs);
            chosen = threadsMeasured ? best(all) : chosen;
        }
        if ((!formatMeasured && !threadsMeasured) || m_request.control.stopRequested()) {
            return false;
        }
        // The second turn has measured the winner of the first again.
        chosen = chosen == 0 ? 0 : best({0, chosen});
        const Candidate& winner = m_candidates[chosen];
        Json list = Json::array();
        for (const Candidate& candidate : m_candidates) {
            if (candidate.ms.size() >= kFewestRounds) {
                list.push_back({{"threads", candidate.threads},
                                {"memory_format", candidate.format()},
                                {"ms", candidate.median()}});
            }
        }
        m_environment.trial = {
            {"estimated", {{"threads", m_candidates[0].threads}, {"memory_format", m_candidates[0].format()}}},
            {"candidates", std::move(list)},
            {"spent_ms", spentMs()}};
        if (formatMeasured) {
            m_environment.channelsLast = winner.channelsLast;
            m_environment.memoryFormatBy = "measured";
        }
        if (threadsMeasured) {
            m_environment.threads = winner.threads;
            m_environment.threadsBy = "measured";
        }
        if (isCertain(winner)) {
            remember(threadsMeasured ? Json(winner.threads) : Json(), formatMeasured ? Json(winner.format()) : Json(),
                     m_environment.trial);
        }
        return true;
    }

    /// Those that could have won have rounds that agree: what else the machine did has not decided.
    bool isCertain(const Candidate& winner) const {
        return std::all_of(m_candidates.begin(), m_candidates.end(), [&](const Candidate& candidate) {
            return candidate.ms.empty() || candidate.fastest() > winner.median() ||
                   candidate.disagreement() <= m_limits.disagreement;
        });
    }

    /// Another start would else decide anew, and perhaps otherwise.
    void rememberNone() const { remember(nullptr, nullptr, {{"batches", m_batches}, {"steps", m_steps}}); }

    void remember(const Json& threads, const Json& format, const Json& trial) const {
        if (!m_request.control.stopRequested()) {
            m_memory.keep(key(), {{"threads", threads}, {"memory_format", format}, {"trial", trial}});
        }
    }

    /// Of a step with so many threads, where one of the estimate takes `usual`: as long as it can be that threads share
    /// the work.
    double longest(std::int64_t threads, double usual) const {
        return usual * std::max(1.0, static_cast<double>(m_environment.threads) /
                                         static_cast<double>(std::max<std::int64_t>(1, threads)));
    }

    /// Besides the estimated one.
    std::vector<std::int64_t> threadCounts() const {
        const std::int64_t cores = std::min(physicalCores(), kMostThreads);
        std::vector<std::int64_t> counts;
        for (const std::int64_t count : {std::int64_t{1}, cores / 2, cores}) {
            if (count >= 1 && count != m_environment.threads &&
                std::find(counts.begin(), counts.end(), count) == counts.end() && threadsCanStart(count)) {
                counts.push_back(count);
            }
        }
        return counts;
    }

    const TrialRequest& m_request;
    const TrialLimits& m_limits;
    const graph::ResolvedModel& m_graph;
    const std::shared_ptr<const data::Dataset>& m_dataset;
    Environment& m_environment;
    TrialMemory m_memory;
    bool m_threadsOpen = false, m_formatOpen = false;
    bool m_triesThreads = false;  ///< open, and a step is long enough
    Clock::time_point m_began;
    double m_budgetMs = 0;
    std::int64_t m_batches = 0;
    std::int64_t m_steps = 0;  ///< of all candidates
    std::size_t m_stepsOfRound = 1;
    Bench* m_bench = nullptr;
    std::vector<Candidate> m_candidates;  ///< the estimated one first
};

}  // namespace

void chooseByTrial(const TrialRequest& request, const graph::ResolvedModel& graph,
                   const std::shared_ptr<const data::Dataset>& dataset, Environment& environment) {
    const Environment before = environment;
    const GeneratorStates generators = saveGenerators();
    try {
        Trial(request, graph, dataset, environment).run();
    } catch (...) {
        // What the run cannot do either it will say itself.
        environment = before;
    }
    (void)model::takeMemoryRefusal();
    restoreGenerators(generators);
}

namespace {

/// A file that was remembered may hold anything.
bool isCandidate(const Json& json) {
    return json.is_object() && json.value("threads", Json()).is_number_integer() &&
           json.value("memory_format", Json()).is_string() && json.value("ms", Json()).is_number();
}

}  // namespace

std::string trialSentence(const Environment& environment) {
    const bool measured = environment.threadsBy == "measured" || environment.memoryFormatBy == "measured";
    const bool remembered = environment.threadsBy == "remembered" || environment.memoryFormatBy == "remembered";
    if (!(measured || remembered) || !environment.trial.is_object() || !environment.trial.contains("candidates") ||
        !environment.trial.value("estimated", Json()).is_object()) {
        return {};
    }
    const Json estimated = {{"threads", environment.trial["estimated"].value("threads", Json())},
                            {"memory_format", environment.trial["estimated"].value("memory_format", Json())}};
    const Json taken = {{"threads", environment.threads},
                        {"memory_format", environment.channelsLast ? "channels_last" : "contiguous"}};
    const auto is = [](const Json& candidate, const Json& what) {
        return candidate["threads"] == what["threads"] && candidate["memory_format"] == what["memory_format"];
    };
    const Json* chosen = nullptr;
    const Json* other = nullptr;  // what was estimated, or where that was taken the best of the rest
    for (const Json& candidate : environment.trial["candidates"]) {
        if (!isCandidate(candidate)) {
            continue;
        }
        if (is(candidate, taken)) {
            chosen = &candidate;
        } else if (other == nullptr || is(candidate, estimated) ||
                   (!is(*other, estimated) && candidate["ms"] < (*other)["ms"])) {
            other = &candidate;
        }
    }
    if (chosen == nullptr || other == nullptr) {
        return {};
    }
    const auto threads = [](const Json& candidate) {
        return counted(candidate["threads"].get<std::int64_t>(), "thread");
    };
    const auto format = [](const Json& candidate) { return candidate["memory_format"].get<std::string>(); };
    const auto ms = [](const Json& candidate) { return numberText(candidate["ms"].get<double>(), 3); };
    return measured ? fmt::format("Computes with {} in {}: {} ms a batch in a trial, against {} ms with {} in {}.",
                                  threads(*chosen), format(*chosen), ms(*chosen), ms(*other), threads(*other),
                                  format(*other))
                    : fmt::format(
                          "Computes with {} in {}: {} ms a batch in the trial of an earlier run, against {} ms with {} "
                          "in {}.",
                          threads(*chosen), format(*chosen), ms(*chosen), ms(*other), threads(*other), format(*other));
}

}  // namespace plumbline::train
