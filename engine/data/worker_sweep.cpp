#include "data/worker_sweep.h"

#include <algorithm>

namespace plumbline::data {
namespace {

constexpr double kGain = 1.05;
constexpr int kRepeats = 3;

SweepPoint pointOf(std::int64_t workers, std::vector<double> rates) {
    std::sort(rates.begin(), rates.end());
    const double median = rates[rates.size() / 2];
    return {workers, median, median > 0 ? (rates.back() - rates.front()) / median : 0.0};
}

}  // namespace

Result<WorkerChoice> chooseWorkers(std::int64_t cores, std::int64_t most,
                                   const std::function<Result<double>(std::int64_t workers)>& samplesPerSecond) {
    std::vector<std::vector<double>> rates;  // by workers
    const auto measure = [&](std::int64_t workers) -> Result<double> {
        PLUMBLINE_ASSIGN(const double rate, samplesPerSecond(workers));
        rates.resize(std::max(rates.size(), static_cast<std::size_t>(workers + 1)));
        rates[static_cast<std::size_t>(workers)].push_back(rate);
        return rate;
    };
    PLUMBLINE_ASSIGN(double best, measure(0));
    std::int64_t knee = 0;
    bool gaining = true;
    for (std::int64_t workers = 1; workers <= most && gaining; ++workers) {
        PLUMBLINE_ASSIGN(const double rate, measure(workers));
        const bool worthIt = rate >= best * kGain;
        if (worthIt) {
            best = rate;
            knee = workers;
        }
        gaining = worthIt || (workers == 1 && cores > 1);
    }
    const std::int64_t low = std::max<std::int64_t>(0, knee - 1);
    const std::int64_t high = std::min(most, knee + 1);
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        for (std::int64_t workers = low; workers <= high; ++workers) {
            PLUMBLINE_TRY(measure(workers));
        }
    }
    WorkerChoice choice;
    double top = 0;
    for (std::size_t workers = 0; workers < rates.size(); ++workers) {
        choice.sweep.push_back(pointOf(static_cast<std::int64_t>(workers), rates[workers]));
        const auto count = static_cast<std::int64_t>(workers);
        top = count >= low && count <= high ? std::max(top, choice.sweep.back().samplesPerSecond) : top;
    }
    const SweepPoint* chosen = nullptr;
    for (std::int64_t workers = low; workers <= high; ++workers) {
        const SweepPoint& point = choice.sweep[static_cast<std::size_t>(workers)];
        if (point.samplesPerSecond * kGain >= top && (chosen == nullptr || point.spread < chosen->spread)) {
            chosen = &point;
        }
    }
    choice.chosen = chosen->workers;
    choice.stillGaining = gaining && knee == most;
    return choice;
}

}  // namespace plumbline::data
