#pragma once
// What is asked of a run while it goes on, and its pauses: taken between two steps, also while the run is paused there;
// within a validation it is answered at once and carried out at its end.

#include <cstdint>
#include <functional>
#include <vector>

#include "core/run_control.h"
#include "session/engine.h"
#include "session/live_commands.h"
#include "session/run_sink.h"
#include "train/live_profile.h"
#include "train/live_settings.h"
#include "train/run_keeper.h"
#include "train/run_reporter.h"
#include "train/run_state.h"
#include "train/training_setup.h"

namespace plumbline::train {

/// Where the training thread looks at what it was told.
enum class LookPlace : std::uint8_t {
    kBetweenSteps,
    kWithinStep,           ///< between two batches of a step over several
    kWithinForward,        ///< within a validation, or another pass in evaluation: nothing may change before its end
    kWithinRecalibration,  ///< likewise while the averaged weights get statistics, which no validation follows
    kAfterSteps,           ///< no step comes any more
};

/// A change is recorded as an event "command" when it is answered, with the steps that are done when it takes effect,
/// and comes again at that step in a run that repeats this one. All changes of a step take effect in one place, after
/// its validation and its epoch's end, whenever they came. So a checkpoint has every change that was recorded before it
/// was written: in effect, or put off. One thread: the one that trains. Everything it is given outlives it.
class LiveControl {
public:
    struct Parts {
        const session::TrainRequest& request;
        session::RunSink& sink;
        RunControl& control;
        session::LiveCommands& live;
        RunReporter& reporter;
        RunKeeper& keeper;
        LiveProfile& profile;
        Position& position;
        Cadence& cadence;
    };
    /// `setRates`: called after a change of a setting.
    LiveControl(const Parts& parts, std::function<void()> setRates) : m_parts(parts), m_setRates(std::move(setRates)) {}
    /// Once the setup is there.
    void use(TrainingSetup& setup) { m_setup = &setup; }
    /// At the run's beginning, or after a resume or a branch: what the position holds is in effect again, and what is
    /// to come again is recorded.
    void goOn();
    /// After each step, before anything may be saved.
    void endStep() { putOffDue(); }

    /// Once a batch: takes or answers what has come, and waits out a pause, in which it goes on doing so.
    void look(LookPlace place);
    /// Without the end of the steps. `saves`: a stop, whose checkpoint gets what came before it.
    void breakOff(bool saves);
    /// After the last step. `wasLimited`: by a number of steps that was asked for, so a resume may go on with what was
    /// told.
    void endSteps(bool wasLimited);

private:
    /// Everything that is to take effect at this step.
    void take();
    void takePutOff();
    /// Within a step that a resume found open: what had come by then.
    void takePutOffSettings();
    void takeLast();
    /// The recorded commands of this step: a checkpoint that is written before they are taken has them.
    void putOffDue();
    /// What has to be done before a change may take effect, as an answer names it; nullptr: nothing.
    const char* waitsFor() const;
    void record(const session::LiveCommand& command, std::int64_t step, Json more = Json::object());
    void hear(LookPlace place);
    void waitOut(LookPlace place);
    /// Answers what takes effect later. `after`: what it waits for, as an answer names it.
    void putOff(session::LiveCommand command, const char* after);
    void refuseAfterSteps(const session::LiveCommand& command);
    void answer(const session::LiveCommand& command, const Status& status, const char* after = nullptr);
    /// `isNew`: asked for its sense and recorded; else it was before, and a rule that has come since would change a run
    /// that has been.
    void apply(const session::LiveCommand& command, bool isNew);
    Status carryOut(const session::LiveCommand& command);
    /// Whether it would be taken; changes nothing.
    Status check(const session::LiveCommand& command) const;

    Parts m_parts;
    std::function<void()> m_setRates;
    TrainingSetup* m_setup = nullptr;
    std::size_t m_next = 0;                      ///< of the request's recorded commands
    std::vector<session::LiveCommand> m_putOff;  ///< answered, and not carried out yet; the settings are the position's
};

}  // namespace plumbline::train
