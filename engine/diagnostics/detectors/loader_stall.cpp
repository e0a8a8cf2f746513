// The training loop waits for data. docs/detectors/loader-stall.md

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "diagnostics/project_edit.h"
#include "diagnostics/registry.h"

namespace plumbline::diagnostics {
namespace {

constexpr std::size_t kWindow = 50;
constexpr std::int64_t kWarmUp = 20;
/// A finding clears when the median falls to this part of the threshold that raised it, so that it does not flicker.
constexpr double kClearAt = 0.75;

class LoaderStall final : public Detector {
public:
    explicit LoaderStall(const Json& settings)
        : m_warning(settings.at("warning_share").get<double>()),
          m_critical(settings.at("critical_share").get<double>()),
          m_noBatchMs(settings.at("no_batch_seconds").get<double>() * 1000) {}

    void start(const RunFacts& facts) override {
        m_facts = &facts;
        m_seen = 0;
        m_shares.fill(0);
        m_aboveCritical = m_aboveWarning = m_aboveClear = 0;
        m_open = m_openCritical = m_noBatchTold = false;
    }

    void observe(const StepStats& stats, Reporter& reporter) override {
        if (stats.noBatchForMs >= m_noBatchMs) {
            if (!m_noBatchTold) {
                reportNoBatch(stats, reporter);
            }
            return;
        }
        if (m_noBatchTold && stats.phase == Phase::kTrainStep) {
            m_noBatchTold = false;
            reporter.clear("");
        }
        // A checkpoint or validation is not the loader's time, and the loader worked ahead meanwhile.
        if (stats.phase != Phase::kTrainStep || stats.includesCheckpoint || stats.stepMs <= 0) {
            return;
        }
        if (m_seen++ < kWarmUp) {
            return;
        }
        take(stats.loaderWaitMs / stats.stepMs);
        if (m_seen < kWarmUp + static_cast<std::int64_t>(kWindow)) {
            return;
        }
        // The median lies above a threshold when more than half of the window does.
        constexpr int kHalf = kWindow / 2;
        if (m_aboveWarning > kHalf) {
            const bool critical = m_aboveCritical > kHalf;
            if (!m_open || (critical && !m_openCritical)) {
                report(stats, critical, reporter);
            }
        } else if (m_open && m_aboveClear <= kHalf) {
            m_open = m_openCritical = false;
            reporter.clear("");
        }
    }

    /// Waiting times are this machine's and this start's; what is open stays so until it is measured again.
    Json saveState() const override {
        return {{"open", m_open}, {"open_critical", m_openCritical}, {"no_batch", m_noBatchTold}};
    }
    void loadState(const Json& state) override {
        m_open = state.at("open").get<bool>();
        m_openCritical = state.at("open_critical").get<bool>();
        m_noBatchTold = state.value("no_batch", false);
    }

private:
    void count(double share, int by) {
        m_aboveCritical += share > m_critical ? by : 0;
        m_aboveWarning += share > m_warning ? by : 0;
        m_aboveClear += share > m_warning * kClearAt ? by : 0;
    }

    void take(double share) {
        const auto slot = static_cast<std::size_t>(m_seen) % kWindow;
        count(m_shares[slot], -1);
        count(share, 1);
        m_shares[slot] = share;
    }

    void report(const StepStats& stats, bool critical, Reporter& reporter) {
        m_open = true;
        m_openCritical = critical;
        std::array<double, kWindow> sorted = m_shares;
        std::nth_element(sorted.begin(), sorted.begin() + kWindow / 2, sorted.end());
        const double median = sorted[kWindow / 2];
        Finding finding;
        finding.severity = critical ? Severity::kCritical : Severity::kWarning;
        finding.message = fmt::format(
            "Over the {} steps up to step {} the loader made training wait {:.0f} % of the step time. Give it more "
            "workers or a longer "
            "prefetch, or make the transforms cheaper; tune-loader measures what helps.",
            kWindow, stats.step, 100 * median);
        finding.evidence = {{"median_wait_share", median},
                            {"threshold", critical ? m_critical : m_warning},
                            {"window_steps", kWindow},
                            {"step_ms", stats.stepMs},
                            {"wait_ms", stats.loaderWaitMs}};
        finding.remedies = remedies();
        reporter.raise(std::move(finding));
    }

    /// Another matter than a slow loader: it takes the place of what was told of that, until batches come again.
    void reportNoBatch(const StepStats& stats, Reporter& reporter) {
        if (m_open) {
            reporter.clear("");
        }
        m_open = m_openCritical = false;
        m_noBatchTold = true;
        Finding finding;
        finding.severity = Severity::kCritical;
        finding.message = fmt::format(
            "The loader has given no batch for {:.0f} s at step {}. Check that the data's disk or network share still "
            "answers, or stop "
            "the run.",
            stats.noBatchForMs / 1000, stats.step);
        finding.evidence = {{"no_batch_for_ms", stats.noBatchForMs}, {"threshold_ms", m_noBatchMs}};
        finding.remedies = {ProjectEdit::advice("Check that the disk or network share of the data still answers")};
        reporter.raise(std::move(finding));
    }

    std::vector<Remedy> remedies() const {
        const ProjectEdit edit(m_facts->project);
        const auto workers = static_cast<std::int64_t>(edit.number("/data/loader/workers", 1));
        const auto prefetch = static_cast<std::int64_t>(edit.number("/data/loader/prefetch_batches", 4));
        const std::int64_t more = workers < 2 ? workers + 1 : workers * 2;
        const Remedy addWorkers = edit.set(fmt::format("Set workers to {}", more), "/data/loader/workers", more);
        if (workers == 0) {
            return {addWorkers};  // nothing is prefetched without a worker
        }
        return {addWorkers, edit.set(fmt::format("Prefetch {} batches", 2 * prefetch), "/data/loader/prefetch_batches",
                                     2 * prefetch)};
    }

    double m_warning;
    double m_critical;
    double m_noBatchMs;
    const RunFacts* m_facts = nullptr;
    std::int64_t m_seen = 0;
    std::array<double, kWindow> m_shares{};
    int m_aboveCritical = 0;
    int m_aboveWarning = 0;
    int m_aboveClear = 0;
    bool m_open = false;
    bool m_openCritical = false;
    bool m_noBatchTold = false;
};

}  // namespace

DetectorEntry loaderStall() {
    return {{"loader-stall",
             "Training waits for data",
             Severity::kCritical,
             {{"warning_share", 0.2, 0, 1, "share of step time", "A median wait above this is a warning."},
              {"critical_share", 0.5, 0, 1, "share of step time", "A median wait above this is critical."},
              {"no_batch_seconds", 30, 0.1, 86400, "s", "No batch at all for this long is critical."}},
             {}},
            [](const Json& settings) -> std::unique_ptr<Detector> { return std::make_unique<LoaderStall>(settings); }};
}

}  // namespace plumbline::diagnostics
