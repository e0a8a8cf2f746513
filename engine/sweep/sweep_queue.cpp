#include "sweep/sweep_queue.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

namespace plumbline::sweep {
namespace {

constexpr std::int64_t kUsualTrials = 20;
constexpr double kMostStepsOfRun = 0x1p53;
constexpr auto kLookAgain = std::chrono::milliseconds(50), kListen = std::chrono::milliseconds(200);

/// Looks several times a second whether another process asks the sweep to stop.
class StopListener {
public:
    StopListener(const SweepFile& file, RunControl& control)
        : m_thread([this, &file, &control] { listen(file, control); }) {}
    ~StopListener() {
        {
            const std::scoped_lock lock(m_mutex);
            m_done = true;
        }
        m_wake.notify_all();
        m_thread.join();
    }
    StopListener(const StopListener&) = delete;
    StopListener& operator=(const StopListener&) = delete;

private:
    void listen(const SweepFile& file, RunControl& control) {
        std::unique_lock lock(m_mutex);
        while (!m_wake.wait_for(lock, kListen, [this] { return m_done; })) {
            if (file.hearStop()) {
                control.requestStop(StopReason::kUser);
            }
        }
    }

    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_done = false;
    std::thread m_thread;
};

double lossOf(const SweepPlan& plan, const Trial& trial) {
    return trial.status != "failed" && trial.value && std::isfinite(*trial.value)
               ? plan.lossOf(*trial.value)
               : std::numeric_limits<double>::infinity();
}

}  // namespace

std::optional<Trial> bestTrial(const SweepPlan& plan, const std::vector<Trial>& trials) {
    const Trial* best = nullptr;
    for (const Trial& trial : trials) {
        const double loss = lossOf(plan, trial);
        if (!std::isfinite(loss)) {
            continue;
        }
        const bool further = best != nullptr && trial.rung > best->rung;
        const bool better = best == nullptr || further || (trial.rung == best->rung && loss < lossOf(plan, *best));
        best = better ? &trial : best;
    }
    return best == nullptr ? std::nullopt : std::optional(*best);
}

/// What the threads share.
struct SweepQueue::Work {
    SweepQueue& queue;
    const RunTrial& runTrial;
    const TrialChanged& changed;
    RunControl& control;
    std::mutex mutex;
    std::condition_variable moved;
    std::int64_t rung = 0;
    std::int64_t busy = 0;
    std::vector<Trial> waiting;  ///< of this rung, in the order they start
    std::int64_t nextNew = 0;    ///< the first rung makes its trials when they start
    Status status;
    bool leftSome = false;  ///< a trial of this rung has not ended and is not to be run now

    const SweepPlan& plan() const { return queue.m_file.plan(); }
    std::int64_t stepsOf(std::int64_t at) const {
        if (at + 1 == queue.m_rungs) {
            return plan().maxSteps;
        }
        const double steps =
            static_cast<double>(plan().minSteps) * std::pow(static_cast<double>(plan().eta), static_cast<double>(at));
        const double most =
            plan().maxSteps > 0 ? std::min(static_cast<double>(plan().maxSteps), kMostStepsOfRun) : kMostStepsOfRun;
        return static_cast<std::int64_t>(std::min(steps, most));
    }

    /// Takes up what an earlier process left.
    void begin() {
        for (const Trial& trial : queue.m_file.trials()) {
            rung = std::max(rung, trial.status == "completed" || trial.status == "dropped" || trial.status == "failed"
                                      ? trial.rung - 1
                                      : trial.rung);
            nextNew = std::max(nextNew, trial.number + 1);
        }
        rung = std::clamp<std::int64_t>(rung, 0, queue.m_rungs - 1);
        for (const Trial& trial : queue.m_file.trials()) {
            // Promotions are written after what is dropped, so what is still "completed" here was to go on.
            const bool promoted = rung > 0 && trial.status == "completed" && trial.rung == rung;
            if (promoted || trial.status == "waiting" || trial.status == "running") {
                waiting.push_back(trial);
            }
        }
        std::sort(waiting.begin(), waiting.end(), [](const Trial& a, const Trial& b) { return a.number < b.number; });
    }

    std::vector<Observation> observations() const {
        std::vector<Observation> seen;
        for (const Trial& trial : queue.m_file.trials()) {
            if (trial.status == "completed" || trial.status == "failed") {
                seen.push_back({trial.point, lossOf(plan(), trial)});
            }
        }
        return seen;
    }

    bool rungHasMore() const { return !waiting.empty() || (rung == 0 && nextNew < queue.m_count); }

    Trial takeNext() {
        if (!waiting.empty()) {
            Trial trial = waiting.front();
            waiting.erase(waiting.begin());
            return trial;
        }
        Trial trial;
        trial.number = nextNew++;
        trial.point = queue.m_sampler->point(trial.number, observations());
        trial.settings = queue.m_sampler->settings(trial.number, trial.point);
        return trial;
    }

    void put(const Trial& trial) {
        if (const Status written = queue.m_file.put(trial); !written && status) {
            status = written;
        }
        changed(trial);
    }

    /// Of those that finished this rung, one in eta goes on.
    void promote() {
        std::vector<Trial> finished;
        std::int64_t all = 0;
        for (const Trial& trial : queue.m_file.trials()) {
            const bool here = trial.rung == rung + 1;
            all += here && (trial.status == "completed" || trial.status == "dropped") ? 1 : 0;
            if (here && trial.status == "completed") {
                finished.push_back(trial);
            }
        }
        std::stable_sort(finished.begin(), finished.end(),
                         [&](const Trial& a, const Trial& b) { return lossOf(plan(), a) < lossOf(plan(), b); });
        const auto kept =
            std::min(finished.size(), static_cast<std::size_t>(std::max<std::int64_t>(1, all / plan().eta)));
        for (std::size_t i = kept; i < finished.size(); ++i) {
            finished[i].status = "dropped";
            put(finished[i]);
        }
        for (std::size_t i = 0; i < kept; ++i) {
            finished[i].status = "waiting";
            put(finished[i]);
            waiting.push_back(finished[i]);
        }
        ++rung;
    }

    void work() {
        std::unique_lock lock(mutex);
        while (status && !control.stopRequested()) {
            if (rungHasMore()) {
                Trial trial = takeNext();
                trial.status = "running";
                trial.error.clear();
                put(trial);
                ++busy;
                const TrialTask task{trial, queue.m_file.runName(trial.number), stepsOf(rung)};
                lock.unlock();
                const TrialOutcome outcome = runTrial(task, control);
                lock.lock();
                --busy;
                finish(std::move(trial), outcome);
                moved.notify_all();
            } else if (busy > 0) {
                // What they give decides what comes next; a stop from a signal wakes nobody.
                moved.wait_for(lock, kLookAgain);
            } else if (rung + 1 < queue.m_rungs && !leftSome) {
                promote();
                moved.notify_all();
            } else {
                return;
            }
        }
    }

    void finish(Trial trial, const TrialOutcome& outcome) {
        trial.run = outcome.run.empty() ? trial.run : outcome.run;
        if (outcome.interrupted) {
            trial.error = outcome.error;
            leftSome = true;
        } else {
            trial.value = outcome.value;
            trial.error = !outcome.error.empty() || outcome.value
                              ? outcome.error
                              : fmt::format("The run gave no value of {}.", plan().series);
            trial.status = trial.error.empty() ? "completed" : "failed";
            trial.rung = rung + 1;
        }
        put(trial);
    }
};

SweepQueue::~SweepQueue() = default;

Result<std::unique_ptr<SweepQueue>> SweepQueue::make(SweepFile& file) {
    std::unique_ptr<SweepQueue> queue(new SweepQueue(file));
    const SweepPlan& plan = file.plan();
    std::vector<Parameter> parameters;
    for (const std::string& text : plan.over) {
        PLUMBLINE_ASSIGN(Parameter parameter, parseParameter(text));
        parameters.push_back(std::move(parameter));
    }
    PLUMBLINE_ASSIGN(queue->m_sampler, makeSampler(plan.method, std::move(parameters), plan.seed));
    const std::optional<std::int64_t> most = queue->m_sampler->trials();
    queue->m_count = plan.trials > 0 ? plan.trials : plan.method == "grid" ? most.value_or(kUsualTrials) : kUsualTrials;
    if (most) {
        queue->m_count = std::min(queue->m_count, *most);
    }
    if (plan.method == "halving") {
        if (plan.minSteps < 1) {
            return fail(ErrorKind::kUsage, "halving-needs-steps",
                        "Successive halving has to know how long its first rung is.", {},
                        "Say --min-steps N: optimizer steps after which the first trials are dropped, with a "
                        "validation before them.");
        }
        if (plan.maxSteps > 0 && plan.minSteps >= plan.maxSteps) {
            return fail(
                ErrorKind::kUsage, "halving-needs-steps",
                fmt::format("The first rung is {} steps long and a whole trial {}.", plan.minSteps, plan.maxSteps), {},
                "Lower --min-steps or raise --max-steps.");
        }
        for (std::int64_t left = queue->m_count; left >= plan.eta; left /= plan.eta) {
            ++queue->m_rungs;
        }
    }
    return queue;
}

Status SweepQueue::run(int parallel, const RunTrial& runTrial, const TrialChanged& changed, RunControl& control) {
    PLUMBLINE_ASSIGN(const SweepLock lock, m_file.lock());
    const StopListener listener(m_file, control);
    Work work{*this, runTrial, changed, control, {}, {}, 0, 0, {}, 0, {}, false};
    work.begin();
    std::vector<std::thread> threads;
    for (int i = 1; i < parallel; ++i) {
        threads.emplace_back([&work] { work.work(); });
    }
    work.work();
    for (std::thread& thread : threads) {
        thread.join();
    }
    return work.status;
}

}  // namespace plumbline::sweep
