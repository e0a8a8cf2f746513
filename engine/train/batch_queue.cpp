#include "train/batch_queue.h"

#include <utility>

namespace plumbline::train {

Result<std::optional<CountedBatch>> BatchQueue::next() {
    if (m_ahead.empty()) {
        return load();
    }
    std::optional<CountedBatch> next = std::move(m_ahead.front());
    m_ahead.pop_front();
    return next;
}

Result<std::optional<CountedBatch>> BatchQueue::load() {
    std::optional<CountedBatch> loaded;
    const StallWatch::Waiting waiting(m_stallWatch);
    m_profile.enter(Phase::kLoaderWait);
    auto host = m_setup.loader->next(&m_control);
    m_reporter.waitedForLoader(m_setup.loader->lastWaitMs());
    if (!host) {
        return fail(host.error());
    }
    if (*host) {
        CountedBatch& batch = loaded.emplace(CountedBatch{std::move(**host), {}});
        if (m_setup.countsVary) {
            batch.counts = m_setup.objective->counts(BatchBinder::hostTargets(batch.host), batch.host.size());
        }
    }
    return loaded;
}

Result<std::vector<double>> BatchQueue::countStep(const CountedBatch& first, std::int64_t batch) {
    const RunLength& length = m_setup.length;
    if (!m_setup.countsVary) {
        return std::vector<double>(m_setup.objective->size(), static_cast<double>(length.samplesOfStep(batch)));
    }
    std::vector<double> counts = first.counts;
    for (std::int64_t another = batch + 1; !length.endsStep(another); ++another) {
        PLUMBLINE_ASSIGN(std::optional<CountedBatch> next, load());
        if (!next) {
            break;
        }
        for (std::size_t loss = 0; loss < next->counts.size(); ++loss) {
            counts[loss] += next->counts[loss];
        }
        m_ahead.push_back(std::move(*next));
    }
    return counts;
}

}  // namespace plumbline::train
