#pragma once
// The checkpoints of a run: when one was last written, which is the best, and how a run goes on from the newest.

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "session/run_sink.h"
#include "train/checkpoint.h"
#include "train/run_reporter.h"
#include "train/run_state.h"
#include "train/training_setup.h"

namespace plumbline::train {

/// One thread: the one that trains. Everything it is given outlives it.
class RunKeeper {
public:
    RunKeeper(const session::TrainRequest& request, session::RunSink& sink, RunReporter& reporter, Position& position)
        : m_request(request),
          m_plan(request.project.training),
          m_sink(sink),
          m_reporter(reporter),
          m_position(position),
          m_checkpoints(request.runFolder) {}
    /// Once the setup is there; makes the folder.
    Status use(TrainingSetup& setup);

    /// `best`: it is the best one, as isBest() has said; `amongBest`: one of the k best. Which others go for want of
    /// room is decided once it is marked so: the one that was the best may go then, and the newest may be the best.
    Status save(bool best = false, bool amongBest = false);
    /// Goes on from the newest checkpoint that is whole: fills the position and everything in the setup.
    Status restore();
    /// Whether there is a checkpoint of exactly this position, with the settings that the run was told until now.
    bool isSaved() const {
        return m_saved == std::pair(m_position.epoch, m_position.batch) && m_savedLive == m_position.live &&
               m_savedPutOff == m_position.putOff;
    }
    /// The step and the batch of its epoch of the newest checkpoint that this process wrote or went on from; -1: none.
    std::int64_t savedStep() const { return m_newestStep; }
    std::int64_t savedBatch() const { return m_saved.second; }
    /// Whether there is any: a run that was stopped before its first one has nothing to save.
    bool hasAny() const { return m_newestStep >= 0; }
    /// After new values of the series that decides: whether it has just had its best one, which is remembered. A save()
    /// as the best is then due.
    bool isBest();
    /// The same for the k best, where checkpoints.keep_best is more than one. A save() as one of them is then due.
    bool isAmongBest();
    /// Whether the last save() failed.
    bool couldNotSave() const { return m_couldNotSave; }
    /// Whether it is a validation that decides which checkpoint is the best.
    bool validationDecides() const { return m_plan.checkpoints.bestSeries.starts_with("val."); }
    std::filesystem::path bestFile() const { return m_checkpoints.bestFile(); }
    /// The newest, relative to the run's folder.
    const std::string& newest() const { return m_newest; }

private:
    /// After a resume: a best checkpoint that is damaged or gone is told, and the newest one takes its place where it
    /// was judged, else the next that is.
    Status replaceLostBest();
    Status write();
    /// The newest checkpoint is the best one.
    Status markBest() { return m_checkpoints.markBest(m_checkpoints.fileOfStep(m_newestStep)); }
    /// The newest checkpoint stays as one of the best; one that is none any more goes with the next save.
    Status keepAmongBest() {
        return m_checkpoints.link(m_checkpoints.fileOfStep(m_newestStep), m_checkpoints.rankedFile(m_newestStep));
    }
    /// Removes what the plan keeps no longer.
    void retain();
    /// The series that decides, as the newest validation or epoch gave it.
    std::optional<RankedCheckpoint> judgedNow() const;
    bool isBetter(const RankedCheckpoint& a, const RankedCheckpoint& b) const;
    void tellOfSpace(const CheckpointFolder::Retained& retained);
    /// After a resume: those of the k best that are not there any more count no more.
    Status findRanked();
    /// Whether the newest checkpoint still has the weights and buffers that its step's value was measured on: while the
    /// next step is open, running statistics have moved.
    bool holdsWhatWasJudged() const;

    const session::TrainRequest& m_request;
    const plan::TrainingPlan& m_plan;
    session::RunSink& m_sink;
    RunReporter& m_reporter;
    Position& m_position;
    CheckpointFolder m_checkpoints;
    TrainingSetup* m_setup = nullptr;
    std::string m_newest;
    std::int64_t m_newestStep = -1;
    bool m_couldNotSave = false;
    bool m_toldOfSpace = false;
    void rememberSaved();

    std::pair<std::int64_t, std::int64_t> m_saved{-1, -1};  ///< epoch and batch of the newest checkpoint
    Json m_savedLive, m_savedPutOff;                        ///< its settings that the run was told
};

}  // namespace plumbline::train
