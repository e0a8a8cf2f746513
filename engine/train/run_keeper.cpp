#include "train/run_keeper.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/files.h"
#include "core/text.h"

namespace plumbline::train {

namespace {

std::vector<std::int64_t> stepsOf(const std::vector<RankedCheckpoint>& ranked) {
    std::vector<std::int64_t> steps;
    for (const RankedCheckpoint& one : ranked) {
        steps.push_back(one.step);
    }
    return steps;
}

}  // namespace

Status RunKeeper::use(TrainingSetup& setup) {
    m_setup = &setup;
    return makeFolder(m_checkpoints.path());
}

void RunKeeper::rememberSaved() {
    m_saved = {m_position.epoch, m_position.batch};
    m_savedLive = m_position.live;
    m_savedPutOff = m_position.putOff;
}

Status RunKeeper::save(bool best, bool amongBest) {
    const Status written = write();
    m_couldNotSave = !written;
    PLUMBLINE_TRY(written);
    if (best) {
        PLUMBLINE_TRY(markBest());
    }
    if (amongBest) {
        PLUMBLINE_TRY(keepAmongBest());
    }
    retain();
    return {};
}

void RunKeeper::retain() {
    const auto maxBytes = static_cast<std::int64_t>(m_plan.checkpoints.maxMb * 1e6);
    tellOfSpace(m_checkpoints.retain(m_plan.checkpoints.keepLast, stepsOf(m_position.ranked), maxBytes));
}

Status RunKeeper::write() {
    m_position.elapsedMs = m_reporter.elapsedMs();
    const std::int64_t step = m_position.steps.attempted;
    const std::filesystem::path file = m_checkpoints.fileOfStep(step);
    // What the run has told so far, and how far it has come, is on disk before the checkpoint that goes on from there.
    m_reporter.progress(true);
    PLUMBLINE_TRY(m_sink.flush());
    PLUMBLINE_TRY(
        writeCheckpoint(file, captureRun(m_setup->parts(), m_position, m_request.project, m_setup->fingerprint)));
    m_newestStep = step;
    rememberSaved();
    m_newest = m_checkpoints.relative(file);
    m_reporter.event("checkpoint", {{"step", step}, {"epoch", m_position.epoch}, {"file", m_newest}});
    m_reporter.restartStepClock();
    return {};
}

void RunKeeper::tellOfSpace(const CheckpointFolder::Retained& retained) {
    if (!retained.removedForSpace.empty()) {
        m_reporter.log(
            "info",
            fmt::format("Removed {} to make room: {}. All of the run's may take {} MB (training.checkpoints.max_mb).",
                        counted(static_cast<std::int64_t>(retained.removedForSpace.size()), "checkpoint"),
                        fmt::join(retained.removedForSpace, ", "), numberText(m_plan.checkpoints.maxMb)));
        std::erase_if(m_position.ranked, [&](const RankedCheckpoint& one) {
            return !std::filesystem::exists(m_checkpoints.rankedFile(one.step)) && one.step != m_newestStep;
        });
    }
    if (retained.tooLarge && !std::exchange(m_toldOfSpace, true)) {
        m_reporter.log("warning",
                       fmt::format("The newest and the best checkpoint alone take {:.1f} MB, more than the {} MB of "
                                   "training.checkpoints.max_mb; both are kept.",
                                   static_cast<double>(retained.bytes) / 1e6, numberText(m_plan.checkpoints.maxMb)));
    }
}

Status RunKeeper::findRanked() {
    for (const RankedCheckpoint& one : m_position.ranked) {
        // A kill may have come between writing the checkpoint and keeping it.
        if (one.step == m_newestStep && holdsWhatWasJudged()) {
            PLUMBLINE_TRY(keepAmongBest());
        }
    }
    std::erase_if(m_position.ranked, [&](const RankedCheckpoint& one) {
        std::error_code error;
        return !std::filesystem::exists(m_checkpoints.rankedFile(one.step), error);
    });
    return {};
}

Status RunKeeper::restore() {
    std::vector<std::string> damaged;
    PLUMBLINE_ASSIGN(const Checkpoint checkpoint, m_checkpoints.newestWhole(damaged));
    for (const std::string& sentence : damaged) {
        m_reporter.log("warning", "Passed over: " + sentence);
    }
    PLUMBLINE_ASSIGN(m_position, restoreRun(checkpoint, m_setup->parts(), m_request.project, m_setup->fingerprint));
    // At the limit itself there may be an epoch's end to do, or the run's.
    if (m_request.maxSteps > 0 && m_position.steps.attempted > m_request.maxSteps) {
        return fail(
            ErrorKind::kUsage, "nothing-left-to-train",
            fmt::format("The run has done {}, and is to end after {} of them.",
                        counted(m_position.steps.attempted, "step"), m_request.maxSteps),
            "",
            fmt::format("Give --max-steps more than {}, as it counts from the run's first step, or leave it out.",
                        m_position.steps.attempted));
    }
    m_newestStep = m_position.steps.attempted;
    rememberSaved();
    const std::filesystem::path file = m_checkpoints.fileOfStep(m_newestStep);
    m_newest = m_checkpoints.relative(file);
    m_sink.dropAfter(m_position.steps.attempted, m_position.elapsedMs);
    std::error_code error;
    if (!std::filesystem::exists(file, error)) {
        PLUMBLINE_TRY(save());  // it went on from best.ckpt
    }
    PLUMBLINE_TRY(findRanked());
    if (!m_position.hasBest || m_request.provesBatch >= 0) {
        return {};  // the copy that a proof trains has lost nothing
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
    std::string told =
        fmt::format("The best checkpoint, of step {}, is lost: it is not there any more.", m_position.bestStep);
    if (code == "damaged-checkpoint") {
        told = fmt::format("The best checkpoint, of step {}, is damaged, and kept as best.ckpt.damaged.",
                           m_position.bestStep);
        m_checkpoints.setBestAside();
    }
    m_position.hasBest = false;
    m_position.bestStep = -1;
    m_position.bestCheckpoint.clear();
    const bool again = m_position.judgedStep == m_newestStep && holdsWhatWasJudged() && isBest();
    m_reporter.log("warning", told + (again ? fmt::format(" The newest one, of step {}, takes its place.", m_newestStep)
                                            : " The next one that is judged takes its place."));
    // The checkpoint is to know it too: a resume after this one starts from what it says.
    return save(again);
}

bool RunKeeper::holdsWhatWasJudged() const {
    return !m_setup->step->isOpen() && !m_position.restoredBest;
}

bool RunKeeper::isBest() {
    const auto now = judgedNow();
    const bool better = now && (!m_position.hasBest ||
                                isBetter(*now, {m_position.bestStep, m_position.bestValue, m_position.bestTieLoss}));
    if (better) {
        m_position.hasBest = true;
        m_position.bestValue = now->value;
        m_position.bestTieLoss = now->tieLoss;
        m_position.bestStep = now->step;
        m_position.bestCheckpoint = m_checkpoints.relative(m_checkpoints.bestFile());
    }
    return better;
}

bool RunKeeper::isAmongBest() {
    const auto most = static_cast<std::size_t>(m_plan.checkpoints.keepBest);
    const auto now = judgedNow();
    if (most <= 1 || !now) {
        return false;
    }
    std::vector<RankedCheckpoint>& ranked = m_position.ranked;
    std::erase_if(ranked, [&](const RankedCheckpoint& one) { return one.step == now->step; });
    const auto place =
        std::find_if(ranked.begin(), ranked.end(), [&](const RankedCheckpoint& one) { return isBetter(*now, one); });
    if (place == ranked.end() && ranked.size() >= most) {
        return false;
    }
    ranked.insert(place, *now);
    ranked.resize(std::min(ranked.size(), most));
    return true;
}

std::optional<RankedCheckpoint> RunKeeper::judgedNow() const {
    const auto found = m_position.values.find(m_plan.checkpoints.bestSeries);
    if (found == m_position.values.end() || !std::isfinite(found->second)) {
        return std::nullopt;
    }
    const auto loss = m_position.values.find("val.loss");
    return RankedCheckpoint{m_position.steps.attempted, found->second,
                            loss != m_position.values.end() ? loss->second : 0};
}

bool RunKeeper::isBetter(const RankedCheckpoint& a, const RankedCheckpoint& b) const {
    const double gain = m_plan.checkpoints.bestIsMax ? a.value - b.value : b.value - a.value;
    // On a small validation split many epochs share the best accuracy: the lowest loss among them decides.
    return gain > 0 || (gain == 0 && a.tieLoss < b.tieLoss);
}

}  // namespace plumbline::train
