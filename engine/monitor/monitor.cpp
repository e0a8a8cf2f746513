#include "monitor/monitor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/hash.h"

namespace plumbline::monitor {

namespace {

/// A parameter whose gradient is below this share of the whole gradient's largest norm is not expected to move …
constexpr double kNoise = 1e-6;
/// … which counts as so many times today's at most.
constexpr double kMostShrunk = 1e3;

/// Applied steps after which the detector of parameters that do not learn wants to be told; `never` where it is off.
std::int64_t stepsOf(const std::map<std::string, Json>& detectors, const char* threshold, std::int64_t otherwise,
                     std::int64_t never) {
    const auto settings = detectors.find("parameter-not-updating");
    if (settings == detectors.end()) {
        return otherwise;
    }
    const double stated = settings->second.value(threshold, static_cast<double>(otherwise));
    return settings->second.value("enabled", true) ? static_cast<std::int64_t>(std::ceil(stated)) : never;
}

constexpr std::int64_t kNever = std::int64_t{1} << 40;

double milliseconds(std::chrono::steady_clock::duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
}

}  // namespace

Result<std::unique_ptr<Monitor>> Monitor::make(Watch watch, const MonitorOptions& options) {
    PLUMBLINE_ASSIGN(std::unique_ptr<diagnostics::Diagnostics> diagnostics,
                     diagnostics::Diagnostics::make(options.detectors));
    return std::unique_ptr<Monitor>(new Monitor(std::move(watch), options, std::move(diagnostics)));
}

Monitor::Monitor(Watch watch, const MonitorOptions& options, std::unique_ptr<diagnostics::Diagnostics> diagnostics)
    : m_watch(std::move(watch)),
      m_governor(options.stride, options.budget),
      m_diagnostics(std::move(diagnostics)),
      m_changes(allTrained(false), stepsOf(options.detectors, "steps", 3, kNever)),
      m_zeros(allTrained(true), stepsOf(options.detectors, "zero_gradient_steps", 20, 0)),
      m_updates(m_watch) {
    const std::size_t blocks = m_watch.facts.blocks.size();
    m_blockSquares.resize(blocks);
    m_blockLargest.resize(blocks);
    m_frozen.resize(m_watch.norms.size());
}

at::Tensor Monitor::trained(std::size_t parameter, bool looked) const {
    const diagnostics::RunFacts::Parameter& facts = m_watch.facts.parameters[parameter];
    return facts.frozen || (looked && facts.sparseRows) ? at::Tensor() : m_watch.parameters[parameter];
}

std::vector<at::Tensor> Monitor::allTrained(bool looked) const {
    std::vector<at::Tensor> parameters;
    for (std::size_t i = 0; i < m_watch.parameters.size(); ++i) {
        parameters.push_back(trained(i, looked));
    }
    return parameters;
}

void Monitor::askWhatIsFrozen() {
    std::vector<diagnostics::StepStats::Freezing> now;
    for (std::size_t i = 0; i < m_watch.parameters.size(); ++i) {
        const bool frozen = !m_watch.parameters[i].requires_grad();
        if (frozen != m_watch.facts.parameters[i].frozen) [[unlikely]] {
            now.push_back({static_cast<int>(i), frozen});
        }
    }
    if (now.empty()) {
        return;
    }
    diagnostics::setFrozen(m_watch.facts, now);
    for (const diagnostics::StepStats::Freezing& freezing : now) {
        const auto parameter = static_cast<std::size_t>(freezing.parameter);
        m_changes.follow(parameter, trained(parameter, false));
        m_zeros.follow(parameter, trained(parameter, true));
    }
    m_updates.follow(m_watch);
    // What a BatchNorm's statistics were while it was free is nothing to compare with.
    m_frozen.assign(m_frozen.size(), {});
    m_stats.freezings.insert(m_stats.freezings.end(), now.begin(), now.end());
}

void Monitor::start() {
    askWhatIsFrozen();
    m_stats.freezings.clear();  // the detectors begin with facts as they are now
    for (std::size_t block = 0; block < m_watch.facts.blocks.size(); ++block) {
        m_watch.facts.blocks[block].evalOnPurpose = !m_watch.modes->isTraining(block);
    }
    m_changes.begin(m_applied);
    m_diagnostics->start(m_watch.facts);
    if (!m_loaded.is_null()) {
        // A state that does not fit (another version's detectors) only makes the detectors start afresh.
        (void)m_diagnostics->loadState(m_loaded);
        m_loaded = nullptr;
    }
    m_started = true;
}

void Monitor::clearStats() {
    m_stats.gradNormL2.reset();
    m_stats.gradMaxAbs.reset();
    m_stats.gradNonFinite = 0;
    m_stats.nonFinite.clear();
    m_stats.blockNorms.clear();
    m_blockUpdates.clear();
    m_stats.updates.clear();
    m_stats.blocksInEval.clear();
    m_stats.batchNormMoved.clear();
    m_stats.lossShapes.clear();
    m_stats.inputDtypes.clear();
    m_stats.lastClean = m_lastClean;
}

void Monitor::beginStep(std::int64_t epoch, std::int64_t batch) {
    if (!m_started) {
        start();
    }
    m_open = true;
    m_costMs = 0;
    m_weightsKept = false;
    m_activation.reset();
    m_stepBegan = Clock::now();
    if (m_step == 0) {
        m_lastEnd = m_stepBegan;
    }
    clearStats();
    m_isDue = m_governor.isDue(m_step + 1);
    if (m_isDue || m_interrupted || epoch != m_epoch || m_changes.isDue(m_applied + 1)) {
        askWhatIsFrozen();
    }
    m_epoch = epoch;
    m_stats.epoch = epoch;
    m_stats.batch = batch;
    m_stats.step = m_step + 1;
    m_measures = m_isDue || m_changes.isDue(m_applied + 1);
    rememberFrozenNorms();
    for (std::size_t block = 0; block < m_watch.facts.blocks.size(); ++block) {
        if (!m_watch.modes->isTraining(block)) {
            m_stats.blocksInEval.push_back(static_cast<int>(block));
        }
    }
}

void Monitor::afterBackward(double loss, const std::vector<TensorStatistics>* gradients, double gradientsMs) {
    m_stats.loss = loss;
    if (m_measures) {
        const Clock::time_point began = Clock::now();
        measureGradients(gradients);
        m_costMs += gradientsMs + milliseconds(Clock::now() - began);
    } else if (gradients != nullptr) {
        for (const TensorStatistics& one : *gradients) {
            m_stats.gradNonFinite += one.nonFinite;
        }
    }
    // Infinite gradients are what a scaler looks for by itself.
    const bool gradientsBad = m_stats.gradNonFinite > 0 && !m_watch.facts.usesScaler;
    if (!std::isfinite(loss) || gradientsBad || m_activation) [[unlikely]] {
        if (m_stats.nonFinite.empty()) {
            searchForward(loss);
        }
        searchGradients();
        m_searched = true;
    } else {
        m_searched = false;
    }
    if (std::isfinite(loss) && m_stats.gradNonFinite == 0 && (m_measures || gradients != nullptr)) {
        m_lastClean = {m_stats.step, m_stats.epoch, m_stats.batch};
    }
    keepWeights();
}

void Monitor::beforePartOfStep() {
    keepWeights();
}

void Monitor::keepWeights() {
    if (m_isDue && !m_weightsKept) {
        const Clock::time_point began = Clock::now();
        m_updates.before();
        m_weightsKept = true;
        m_costMs += milliseconds(Clock::now() - began);
    }
}

void Monitor::sawBatchLoss(double loss, std::int64_t batch) {
    if (!std::isfinite(loss) && m_stats.nonFinite.empty()) [[unlikely]] {
        m_stats.batch = batch;
        searchForward(loss);
    }
}

void Monitor::sawNonFiniteActivation(int block, std::int64_t count) {
    if (!m_activation) {
        m_activation = {"activation", m_watch.facts.blocks[static_cast<std::size_t>(block)].path, "output", count};
    }
}

void Monitor::measureGradients(const std::vector<TensorStatistics>* known) {
    if (known == nullptr) {
        m_gradients.clear();
        for (const at::Tensor& parameter : m_watch.parameters) {
            m_gradients.push_back(parameter.grad());
        }
        statisticsOf(m_gradients, m_statistics);
        m_gradients.clear();
    } else {
        m_statistics = *known;
    }
    std::fill(m_blockSquares.begin(), m_blockSquares.end(), 0.0);
    std::fill(m_blockLargest.begin(), m_blockLargest.end(), 0.0);
    double squares = 0, largest = 0;
    for (std::size_t i = 0; i < m_statistics.size(); ++i) {
        const TensorStatistics& one = m_statistics[i];
        squares += one.sumSquares;
        largest = std::max(largest, one.maxAbs);
        m_stats.gradNonFinite += one.nonFinite;
        const auto block = static_cast<std::size_t>(m_watch.parameterBlocks[i]);
        m_blockSquares[block] += one.sumSquares;
        m_blockLargest[block] = std::max(m_blockLargest[block], one.maxAbs);
    }
    m_stats.gradNormL2 = m_stats.gradNonFinite > 0 ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(squares);
    m_stats.gradMaxAbs = largest;
}

diagnostics::StepStats::NonFinite Monitor::nonFinite(const char* what, std::size_t parameter,
                                                     std::int64_t count) const {
    const diagnostics::RunFacts::Parameter& facts = m_watch.facts.parameters[parameter];
    return {what, facts.block, facts.name, count};
}

/// What the forward pass worked with, in the order in which one follows from the other.
void Monitor::searchForward(double loss) {
    if (!m_searched) {
        // A backward pass spoils a block and all before it: the last one is where it began.
        for (std::size_t i = m_watch.parameters.size(); i-- > 0;) {
            if (const std::int64_t count = countNonFinite(m_watch.parameters[i]); count > 0) {
                m_stats.nonFinite.push_back(nonFinite("parameter", i, count));
            }
        }
        if (m_search) {
            m_search(m_stats.nonFinite);
        }
    }
    if (m_activation && m_stats.nonFinite.empty()) {
        m_stats.nonFinite.push_back(*m_activation);
    }
    if (!std::isfinite(loss)) {
        m_stats.nonFinite.push_back({"loss", "", "loss", 1});
    }
}

void Monitor::searchGradients() {
    // Gradients arise from the last parameter to the first.
    for (std::size_t i = m_watch.parameters.size(); !m_searched && i-- > 0;) {
        if (const std::int64_t count = countNonFinite(m_watch.parameters[i].grad()); count > 0) {
            m_stats.nonFinite.push_back(nonFinite("gradient", i, count));
        }
    }
}

void Monitor::afterStep(const StepReport& report) {
    const Clock::time_point now = Clock::now();
    m_open = false;
    ++m_step;
    m_applied += report.applied ? 1 : 0;
    m_stats.phase = diagnostics::Phase::kTrainStep;
    m_stats.learningRate = report.learningRate;
    m_stats.stepMs = report.stepMs.value_or(milliseconds(now - m_lastEnd));
    m_stats.loaderWaitMs = report.loaderWaitMs.value_or(m_interrupted ? 0 : milliseconds(m_stepBegan - m_lastEnd));
    m_stats.includesCheckpoint = report.includesCheckpoint || m_interrupted;
    m_stats.attempted = true;
    m_stats.applied = report.applied;
    m_stats.usesScaler = report.usesScaler;
    m_stats.scale = report.scale;
    m_stats.foundInf = report.foundInf;
    m_stats.updateCalled = report.updateCalled;
    if (!m_stats.includesCheckpoint) {
        m_governor.stepTook(m_stats.stepMs);
    }
    m_interrupted = false;
    if (m_measures) {
        measureUpdates();
        if (m_isDue) {
            report.applied ? m_updates.after(m_blockUpdates) : m_updates.drop();
            m_governor.measurementTook(m_costMs + milliseconds(Clock::now() - now));
        }
    } else if (report.applied) {
        m_changes.look(m_applied, false, m_stats.updates);
        const std::size_t changes = m_stats.updates.size();
        m_zeros.look(m_applied, m_stats.updates);
        dropOfWhatStandsStill(changes);
    }
    findFrozenDrift();
    if (!m_stats.updates.empty() || !m_stats.batchNormMoved.empty()) {
        askWhatIsFrozen();
    }
    observe(m_stats);
    m_stats.freezings.clear();
    m_stats.previous = {m_stats.step, m_stats.epoch, m_stats.batch};
    m_lastEnd = Clock::now();
}

void Monitor::passOverStep() {
    m_open = false;
    m_interrupted = true;
    ++m_step;
    m_lastEnd = Clock::now();
}

void Monitor::measureUpdates() {
    for (std::size_t block = 0; block < m_blockSquares.size(); ++block) {
        if (m_blockSquares[block] > 0) {
            m_stats.blockNorms.push_back(
                {static_cast<int>(block), std::sqrt(m_blockSquares[block]), m_blockLargest[block]});
        }
    }
    m_changes.look(m_applied, true, m_stats.updates);
    // A bias before a normalisation has a gradient of rounding errors alone: that it stands still is no fault. As a
    // model converges, the gradients of single samples, which the errors go by, shrink less than their mean.
    const double norm = std::isfinite(m_stats.gradNormL2.value_or(0)) ? m_stats.gradNormL2.value_or(0) : 0;
    m_largestGradient = std::max(m_largestGradient, norm);
    const double smallest = kNoise * std::min(m_largestGradient, kMostShrunk * norm);
    const double noise = smallest * smallest;
    std::erase_if(m_stats.updates, [&](const diagnostics::StepStats::Update& update) {
        const double squares = m_statistics[static_cast<std::size_t>(update.parameter)].sumSquares;
        return !update.changed && update.gradient == diagnostics::StepStats::Gradient::kPresent && squares > 0 &&
               squares < noise;
    });
    const std::size_t changes = m_stats.updates.size();
    m_zeros.measured(m_applied, m_statistics, m_stats.updates);
    dropOfWhatStandsStill(changes);
}

void Monitor::dropOfWhatStandsStill(std::size_t from) {
    const auto stands = [this](const diagnostics::StepStats::Update& update) {
        return m_changes.standsStill(static_cast<std::size_t>(update.parameter));
    };
    auto& updates = m_stats.updates;
    updates.erase(std::remove_if(updates.begin() + static_cast<std::ptrdiff_t>(from), updates.end(), stands),
                  updates.end());
}

void Monitor::rememberFrozenNorms() {
    for (std::size_t i = 0; i < m_frozen.size(); ++i) {
        const auto block = static_cast<std::size_t>(m_watch.norms[i].block);
        FrozenNorm& frozen = m_frozen[i];
        const bool drifts = m_watch.facts.blocks[block].frozen && m_watch.modes->isTraining(block);
        frozen.told = frozen.told && drifts;
        frozen.watched = drifts && !frozen.told;
        if (frozen.watched) {
            frozen.before = fingerprint(m_watch.norms[i]);
            frozen.known = true;
        }
    }
}

void Monitor::findFrozenDrift() {
    for (std::size_t i = 0; i < m_frozen.size(); ++i) {
        const WatchedNorm& norm = m_watch.norms[i];
        FrozenNorm& frozen = m_frozen[i];
        if (!m_watch.facts.blocks[static_cast<std::size_t>(norm.block)].frozen || !(m_measures || frozen.watched)) {
            continue;
        }
        const std::uint64_t now = fingerprint(norm);
        if (frozen.known && now != frozen.before) {
            m_stats.batchNormMoved.push_back(norm.block);
            frozen.told = true;
        }
        frozen.before = now;
        frozen.known = true;
    }
}

std::uint64_t Monitor::fingerprint(const WatchedNorm& norm) {
    std::uint64_t hash = 0;
    for (const at::Tensor* tensor : {&norm.batchesTracked, &norm.runningMean, &norm.runningVar}) {
        if (tensor->defined()) {
            const bool here = tensor->is_cpu() && tensor->is_contiguous();
            const at::Tensor values = here ? *tensor : tensor->detach().cpu().contiguous();
            hash = hash64(values.const_data_ptr(), values.nbytes(), hash);
        }
    }
    return hash;
}

void Monitor::beginValidation() {
    m_normBefore.clear();
    for (const WatchedNorm& norm : m_watch.norms) {
        m_normBefore.push_back(fingerprint(norm));
    }
}

void Monitor::endValidation(double loss) {
    if (!m_started) {
        start();
    }
    m_interrupted = true;
    m_other = {};
    m_other.phase = diagnostics::Phase::kValidation;
    m_other.step = m_step;
    m_other.epoch = m_epoch;
    m_other.learningRate = m_stats.learningRate;
    m_other.liveLearningRate = m_stats.liveLearningRate;
    m_other.loss = loss;
    for (std::size_t block = 0; block < m_watch.facts.blocks.size(); ++block) {
        if (m_watch.modes->isTraining(block)) {
            m_other.blocksInTraining.push_back(static_cast<int>(block));
        }
    }
    for (std::size_t i = 0; i < m_watch.norms.size() && i < m_normBefore.size(); ++i) {
        if (fingerprint(m_watch.norms[i]) != m_normBefore[i]) {
            m_other.batchNormMoved.push_back(m_watch.norms[i].block);
        }
    }
    // What validation moved is told once; it is not training's drift as well.
    for (FrozenNorm& frozen : m_frozen) {
        frozen.known = false;
    }
    observe(m_other);
}

void Monitor::endEpoch(const EpochReport& report) {
    // A resume may begin with the end of an epoch, all of whose steps were done.
    if (!m_started) {
        start();
    }
    m_interrupted = true;
    m_other = {};
    m_other.phase = diagnostics::Phase::kEpochEnd;
    m_other.step = m_step;
    m_other.epoch = m_epoch;
    m_other.learningRate = m_stats.learningRate;
    m_other.liveLearningRate = m_stats.liveLearningRate;
    m_other.trainLossEpoch = report.trainLoss;
    m_other.evaluatedSamples = report.evaluatedSamples;
    m_other.correctSamples = report.correctSamples;
    m_other.distinctPredictions = report.distinctPredictions;
    observe(m_other);
}

void Monitor::loaderGivesNothing(double ms) {
    if (!m_started) {
        start();
    }
    m_other = {};
    m_other.phase = diagnostics::Phase::kTrainStep;
    m_other.attempted = m_other.applied = false;
    m_other.step = m_step;
    m_other.epoch = m_epoch;
    m_other.noBatchForMs = ms;
    m_other.loaderWaitMs = ms;
    m_other.includesCheckpoint = true;
    observe(m_other);
}

void Monitor::observe(const diagnostics::StepStats& stats) {
    for (const diagnostics::Finding& finding : m_diagnostics->observe(stats)) {
        if (m_onFinding) {
            m_onFinding(finding);
        }
    }
}

Json Monitor::saveState() const {
    // A step that is open is begun again after a resume, and measured if it was to be.
    const std::int64_t next = m_open && m_isDue ? m_step + 1 : m_governor.nextDue();
    const auto place = [](const diagnostics::StepStats::Place& at) {
        return Json::array({at.step, at.epoch, at.batch});
    };
    return {{"step", m_step},
            {"applied", m_applied},
            {"stride", m_governor.stride()},
            {"next", next},
            {"searched", m_searched},
            {"last_clean", place(m_lastClean)},
            {"previous", place(m_stats.previous)},
            {"changes", m_changes.saveState()},
            {"zeros", m_zeros.saveState()},
            {"learning_rate", m_stats.learningRate},
            {"update_turn", m_updates.turn()},
            {"largest_gradient", m_largestGradient},
            {"diagnostics", m_started ? m_diagnostics->saveState() : m_loaded}};
}

Status Monitor::loadState(const Json& state) {
    if (!state.is_object()) {
        return {};
    }
    m_step = state.value("step", std::int64_t{0});
    m_applied = state.value("applied", std::int64_t{0});
    m_searched = state.value("searched", false);
    m_governor.restore(state.value("stride", std::int64_t{0}), state.value("next", std::int64_t{1}));
    const auto place = [&](const char* key) -> diagnostics::StepStats::Place {
        const Json at = state.value(key, Json());
        return at.is_array() && at.size() == 3 ? diagnostics::StepStats::Place{at[0], at[1], at[2]}
                                               : diagnostics::StepStats::Place{};
    };
    m_lastClean = place("last_clean");
    m_stats.previous = place("previous");
    const Json rate = state.value("learning_rate", Json());
    m_stats.learningRate = rate.is_number() ? rate.get<double>() : 0;
    m_changes.loadState(state.value("changes", Json()));
    m_zeros.loadState(state.value("zeros", Json()));
    m_updates.setTurn(state.value("update_turn", std::size_t{0}));
    m_largestGradient = state.value("largest_gradient", 0.0);
    m_lastEnd = Clock::now();
    m_interrupted = true;
    m_loaded = state.value("diagnostics", Json());
    return {};
}

}  // namespace plumbline::monitor
