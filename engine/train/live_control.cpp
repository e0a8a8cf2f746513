#include "train/live_control.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "core/text.h"

namespace plumbline::train {

namespace {

/// Between two looks of a run that is paused.
constexpr auto kPausedLook = std::chrono::milliseconds(20);

/// Whether the position has what the command changed.
bool isBehind(const session::RecordedCommand& command, const Position& position) {
    return command.step < position.steps.attempted ||
           (command.step == position.steps.attempted && command.tMs <= position.elapsedMs);
}

bool isProfile(const session::LiveCommand& command) {
    return command.path == session::kProfileInstruction;
}

}  // namespace

void LiveControl::goOn() {
    const std::vector<session::RecordedCommand>& commands = m_parts.request.commands;
    while (m_next < commands.size() && isBehind(commands[m_next], m_parts.position)) {
        ++m_next;  // the position has what it changed
    }
    const Json live = m_parts.position.live;
    for (const auto& [path, value] : live.items()) {
        apply({path, value}, false);
    }
    for (const Json& command : m_parts.position.putOff) {
        m_putOff.push_back({command.at("path").get<std::string>(), command.at("value")});
    }
    // A run that repeats another may end before their step; one that is resumed has them on record.
    for (std::size_t i = m_next; i < commands.size() && !m_parts.request.resume; ++i) {
        record(commands[i].command, commands[i].step);
    }
    putOffDue();
}

void LiveControl::putOffDue() {
    const std::vector<session::RecordedCommand>& commands = m_parts.request.commands;
    for (; m_next < commands.size() && commands[m_next].step <= m_parts.position.steps.attempted; ++m_next) {
        const session::LiveCommand& command = commands[m_next].command;
        m_putOff.push_back({command.path, command.value});
        m_parts.position.putOff.push_back({{"path", command.path}, {"value", command.value}});
    }
}

void LiveControl::look(LookPlace place) {
    hear(place);
    if (m_parts.control.pauseRequested() && !m_parts.control.stopRequested()) [[unlikely]] {
        waitOut(place);
    }
}

void LiveControl::waitOut(LookPlace place) {
    m_parts.profile.interrupt();
    m_parts.sink.state(session::RunState::kPaused);
    (void)m_parts.sink.flush();
    const double since = m_parts.reporter.elapsedMs(), pausedBefore = m_parts.position.pausedMs;
    const auto countPause = [&] { m_parts.position.pausedMs = pausedBefore + m_parts.reporter.elapsedMs() - since; };
    while (m_parts.control.pauseRequested() && !m_parts.control.stopRequested()) {
        countPause();  // a checkpoint may be asked for
        hear(place);
        std::this_thread::sleep_for(kPausedLook);
    }
    countPause();
    m_parts.profile.leaveOut(m_parts.position.pausedMs - pausedBefore);
    m_parts.sink.state(m_parts.control.stopRequested() ? session::RunState::kStopping : session::RunState::kRunning);
    m_parts.reporter.restartStepClock();
    if (!m_parts.control.stopRequested()) {
        hear(place);  // what came together with the word to go on
    }
}

void LiveControl::hear(LookPlace place) {
    if (place == LookPlace::kBetweenSteps) {
        take();
        return;
    }
    if (place == LookPlace::kWithinStep) {
        takePutOffSettings();
    }
    for (session::LiveCommand& command : m_parts.live.take()) {
        if (place == LookPlace::kAfterSteps) {
            refuseAfterSteps(command);
        } else if (place == LookPlace::kWithinForward || place == LookPlace::kWithinRecalibration) {
            putOff(std::move(command), place == LookPlace::kWithinForward ? "validation" : "recalibration");
        } else if (isProfile(command)) {
            putOff(std::move(command), "step");  // it looks at whole steps
        } else {
            // No setting that applies live has a part in the batches that an open step has taken: whoever repeats the
            // run has it from the beginning of the step on, and gets the same numbers.
            apply(command, true);
        }
    }
}

void LiveControl::take() {
    takePutOff();
    for (const session::LiveCommand& command : m_parts.live.take()) {
        apply(command, true);
    }
}

void LiveControl::takePutOff() {
    takePutOffSettings();
    for (const session::LiveCommand& command : std::exchange(m_putOff, {})) {
        apply(command, false);
    }
}

void LiveControl::takePutOffSettings() {
    if (m_putOff.empty()) {
        return;
    }
    const auto first = std::stable_partition(m_putOff.begin(), m_putOff.end(), [](const session::LiveCommand& command) {
        return session::isInstruction(command.path);
    });
    const std::vector<session::LiveCommand> settings(first, m_putOff.end());
    m_putOff.erase(first, m_putOff.end());
    m_parts.position.putOff = Json::array();
    for (const session::LiveCommand& command : settings) {
        apply(command, false);
    }
}

const char* LiveControl::waitsFor() const {
    const Position& position = m_parts.position;
    return position.validationPending                          ? "validation"
           : position.batch == m_setup->length.batchesPerEpoch ? "epoch"
                                                               : nullptr;
}

void LiveControl::takeLast() {
    const char* const after = waitsFor();
    if (after == nullptr) {
        take();
        return;
    }
    for (session::LiveCommand& command : m_parts.live.take()) {
        putOff(std::move(command), after);
    }
    // The settings stay put off: the resume takes them where a run that nobody stops does, so that each judges alike.
    for (const session::LiveCommand& command : std::exchange(m_putOff, {})) {
        if (session::isInstruction(command.path)) {
            apply(command, false);
        }
    }
}

void LiveControl::breakOff(bool saves) {
    if (saves) {
        takeLast();
    } else if (std::any_of(m_putOff.begin(), m_putOff.end(), isProfile)) {
        m_parts.profile.tellNoStep();
    }
}

void LiveControl::endSteps(bool wasLimited) {
    if (wasLimited) {
        takeLast();
        return;
    }
    std::vector<std::string> late;
    for (const session::LiveCommand& command : m_putOff) {
        if (!session::isInstruction(command.path)) {
            late.push_back(command.path);
        }
    }
    takePutOff();
    if (!late.empty()) {
        m_parts.reporter.log("warning",
                             fmt::format("Step {} was the run's last, so no step took what was told after it: {}.",
                                         m_parts.position.steps.attempted, fmt::join(late, ", ")));
    }
    hear(LookPlace::kAfterSteps);
}

void LiveControl::putOff(session::LiveCommand command, const char* after) {
    Status status = check(command);
    if (status && isProfile(command) && std::any_of(m_putOff.begin(), m_putOff.end(), isProfile)) {
        status = m_parts.profile.refusalWhileOn();
    }
    const bool isSetting = !session::isInstruction(command.path);
    if (status && isSetting) {
        // Before its answer, so that no end of the process takes back what was answered.
        record(command, m_parts.position.steps.attempted, {{"after", after}});
        m_parts.position.putOff.push_back({{"path", command.path}, {"value", command.value}});
    }
    answer(command, status, after);
    if (!status) {
        m_parts.reporter.log("warning", toSentence(status.error()));
        return;
    }
    if (command.id.empty() && isSetting) {
        m_parts.reporter.log("info", fmt::format("{} will be {} from step {} on.", command.path, command.value.dump(),
                                                 m_parts.position.steps.attempted + 1));
    }
    command.id.clear();  // it has its answer
    m_putOff.push_back(std::move(command));
}

void LiveControl::refuseAfterSteps(const session::LiveCommand& command) {
    const std::int64_t step = m_parts.position.steps.attempted;
    const bool isThere = command.path == session::kCheckpointInstruction && m_parts.keeper.savedStep() == step;
    const Status status =
        isThere
            ? Status{}
            : Status(fail(ErrorKind::kUsage, "no-more-steps",
                          fmt::format("The run has done its last step, {}, so {} comes too late.", step, command.path),
                          {}, "Tell a run that is on, or change the project: the next run takes it."));
    answer(command, status);
    if (!status) {
        m_parts.reporter.log("warning", toSentence(status.error()));
    }
}

void LiveControl::answer(const session::LiveCommand& command, const Status& status, const char* after) {
    if (command.id.empty()) {
        return;
    }
    Json told = session::answerTo(command, status, m_parts.position.steps.attempted);
    if (status && after != nullptr) {
        told["after"] = after;
    } else if (status && command.path == "training.optimizer.lr") {
        told["rates"] = followingRates(*m_setup->optimizer);
    }
    m_parts.reporter.event("answer", std::move(told));
}

void LiveControl::apply(const session::LiveCommand& command, bool isNew) {
    const plan::TrainingPlan& plan = m_parts.request.project.training;
    const Status status = session::isInstruction(command.path) ? carryOut(command)
                          : isCadence(command.path)
                              ? applyCadence(command, plan, m_setup->validation != nullptr, m_parts.cadence, isNew)
                              : applyLiveSetting(command, plan, *m_setup->optimizer, *m_setup->step, isNew);
    if (status && !session::isInstruction(command.path)) {
        m_parts.position.live[command.path] = command.value;
        m_setRates();  // before the answer, which says what the next step has of it
        if (isNew) {
            record(command, m_parts.position.steps.attempted,
                   command.path == "training.optimizer.lr" ? Json{{"rates", followingRates(*m_setup->optimizer)}}
                                                           : Json::object());
        }
    }
    answer(command, status);
    if (!status) {
        m_parts.reporter.log("warning", toSentence(status.error()));
    }
}

void LiveControl::record(const session::LiveCommand& command, std::int64_t step, Json more) {
    more.update({{"path", command.path}, {"value", command.value}, {"step", step}});
    m_parts.reporter.event("command", std::move(more));
}

Status LiveControl::check(const session::LiveCommand& command) const {
    const plan::TrainingPlan& plan = m_parts.request.project.training;
    if (isProfile(command)) {
        return m_parts.profile.check(command.value);
    }
    if (session::isInstruction(command.path)) {
        return {};
    }
    Cadence copy = m_parts.cadence;
    return isCadence(command.path) ? applyCadence(command, plan, m_setup->validation != nullptr, copy)
                                   : checkLiveSetting(command, plan, *m_setup->optimizer);
}

Status LiveControl::carryOut(const session::LiveCommand& command) {
    if (isProfile(command)) {
        return m_parts.profile.ask(command.value);
    }
    // A checkpoint that cannot be written now is no reason to end the run.
    return m_parts.keeper.isSaved() ? Status{} : m_parts.keeper.save();
}

}  // namespace plumbline::train
