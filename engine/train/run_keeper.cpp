#include "train/run_keeper.h"

#include <fmt/format.h>

#include "core/files.h"

namespace plumbline::train {

Status RunKeeper::use(TrainingSetup& setup) {
    m_setup = &setup;
    return makeFolder(m_checkpoints.path());
}

Status RunKeeper::save() {
    m_position.elapsedMs = m_reporter.elapsedMs();
    const std::int64_t step = m_position.steps.attempted;
    const std::filesystem::path file = m_checkpoints.fileOfStep(step);
    // What the run has told so far is on disk before the checkpoint that goes on from there.
    PLUMBLINE_TRY(m_sink.flush());
    PLUMBLINE_TRY(writeCheckpoint(file, captureRun(m_setup->parts(), m_position, m_request.project, m_setup->fingerprint)));
    m_newestStep = step;
    m_saved = {m_position.epoch, m_position.batch};
    m_newest = m_checkpoints.relative(file);
    m_checkpoints.prune(m_plan.checkpoints.keepLast);
    m_reporter.event("checkpoint", {{"step", step}, {"epoch", m_position.epoch}, {"file", m_newest}});
    m_reporter.restartStepClock();
    return {};
}

Status RunKeeper::restore() {
    std::vector<std::string> damaged;
    PLUMBLINE_ASSIGN(const Checkpoint checkpoint, m_checkpoints.newestWhole(damaged));
    for (const std::string& sentence : damaged) {
        m_reporter.log("warning", "Passed over: " + sentence);
    }
    PLUMBLINE_ASSIGN(m_position, restoreRun(checkpoint, m_setup->parts(), m_request.project, m_setup->fingerprint));
    m_newestStep = m_position.steps.attempted;
    m_saved = {m_position.epoch, m_position.batch};
    const std::filesystem::path file = m_checkpoints.fileOfStep(m_newestStep);
    m_newest = m_checkpoints.relative(file);
    m_sink.dropAfter(m_position.steps.attempted, m_position.elapsedMs);
    std::error_code error;
    if (!std::filesystem::exists(file, error)) {
        PLUMBLINE_TRY(save());  // it went on from best.ckpt
    }
    if (!m_position.hasBest) {
        return {};
    }
    // A kill may have come between writing the checkpoint and marking it.
    return m_position.bestStep == m_newestStep && holdsWhatWasJudged() ? markBest() : replaceLostBest();
}

Status RunKeeper::replaceLostBest() {
    const Status best = m_checkpoints.checkBest();
    const std::string code = best ? "" : best.error().code;
    if (code != "damaged-checkpoint" && code != "file-missing") {
        return {};  // whole, or this machine's trouble, which whoever uses it is told
    }
    std::string told = fmt::format("The best checkpoint, of step {}, is lost: it is not there any more.", m_position.bestStep);
    if (code == "damaged-checkpoint") {
        told = fmt::format("The best checkpoint, of step {}, is damaged, and kept as best.ckpt.damaged.", m_position.bestStep);
        m_checkpoints.setBestAside();
    }
    m_position.hasBest = false;
    m_position.bestStep = -1;
    m_position.bestCheckpoint.clear();
    const bool again = m_position.judgedStep == m_newestStep && holdsWhatWasJudged() && isBest();
    m_reporter.log("warning", told + (again ? fmt::format(" The newest one, of step {}, takes its place.", m_newestStep) : " The next one that is judged takes its place."));
    // The checkpoint is to know it too: a resume after this one starts from what it says.
    PLUMBLINE_TRY(save());
    return again ? markBest() : Status{};
}

bool RunKeeper::holdsWhatWasJudged() const { return !m_setup->step->isOpen(); }

bool RunKeeper::isBest() {
    const auto found = m_position.values.find(m_plan.checkpoints.bestSeries);
    if (found == m_position.values.end() || !std::isfinite(found->second)) {
        return false;
    }
    const auto loss = m_position.values.find("val.loss");
    const double tie = loss != m_position.values.end() ? loss->second : 0;
    const double gain = m_plan.checkpoints.bestIsMax ? found->second - m_position.bestValue : m_position.bestValue - found->second;
    // On a small validation split many epochs share the best accuracy: the lowest loss among them decides.
    const bool better = !m_position.hasBest || gain > 0 || (gain == 0 && tie < m_position.bestTieLoss);
    if (better) {
        m_position.hasBest = true;
        m_position.bestValue = found->second;
        m_position.bestTieLoss = tie;
        m_position.bestStep = m_position.steps.attempted;
        m_position.bestCheckpoint = m_checkpoints.relative(m_checkpoints.bestFile());
    }
    return better;
}

}  // namespace plumbline::train
