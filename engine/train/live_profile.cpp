#include "train/live_profile.h"

#include <fmt/format.h>

#include <chrono>
#include <system_error>
#include <utility>

#include "core/files.h"
#include "core/text.h"
#include "model/failure.h"
#include "model/memory.h"
#include "session/live_commands.h"

namespace plumbline::train {

Status LiveProfile::refusalWhileOn() {
    return fail(ErrorKind::kUsage, "profile-on", "The run is being profiled already.", {},
                "Wait until that has ended.");
}

Status LiveProfile::check(const Json& asked) const {
    const Json steps = asked.is_object() ? asked.value("steps", Json()) : Json();
    const bool traces = asked.is_object() && asked.value("trace", Json()) == Json(true);
    const std::int64_t most = traces ? session::kMostTracedSteps : session::kMostProfiledSteps;
    if (!steps.is_number_integer() || steps.get<std::int64_t>() < 1 || steps.get<std::int64_t>() > most) {
        return fail(
            ErrorKind::kUsage, "out-of-range",
            fmt::format("A profile of {} steps is not possible.",
                        shortened(steps.dump(-1, ' ', false, Json::error_handler_t::replace))),
            {},
            traces ? fmt::format("With a trace give 1 to {} steps.", most) : fmt::format("Give 1 to {} steps.", most));
    }
    return isOn() ? refusalWhileOn() : Status{};
}

Status LiveProfile::ask(const Json& asked) {
    PLUMBLINE_TRY(check(asked));
    m_profile = std::make_unique<StepProfile>(*m_setup->assembly.model, m_setup->device());
    m_setup->step->setProfile(m_profile.get());
    m_left = asked.at("steps").get<std::int64_t>();
    m_tracesLeft = asked.value("trace", Json()) == Json(true) ? m_left : 0;
    m_firstStep = m_lastStep = 0;
    m_trace.clear();
    return {};
}

void LiveProfile::begin() {
    if (m_left > 0) {
        m_inStep = true;
        m_profile->beginStep();
    } else if (m_recording == nullptr) {
        beginTrace();
    }
}

void LiveProfile::end(std::int64_t step) {
    if (m_left > 0) {
        m_profile->endStep();
        m_inStep = false;
        m_lastStep = step;
        m_firstStep = m_profile->steps() == 1 ? step : m_firstStep;
        if (--m_left == 0) {
            detach();
            if (m_tracesLeft == 0) {
                finish();
            }
        }
    } else if (m_recording != nullptr && --m_tracesLeft == 0) {
        endTrace();
    }
}

void LiveProfile::leaveOut(double pauseMs) {
    if (m_inStep) {
        m_profile->leaveOut(std::chrono::duration_cast<std::chrono::steady_clock::duration>(
            std::chrono::duration<double, std::milli>(pauseMs)));
    }
}

void LiveProfile::detach() {
    m_left = 0;
    m_inStep = false;
    m_setup->step->setProfile(nullptr);
    model::setMemoryOwner(model::kNoMemoryOwner);
}

void LiveProfile::beginTrace() {
    try {
        m_recording = std::make_unique<OperationTrace>();
    } catch (...) {
        m_reporter.log("warning", toSentence(model::errorOfCurrentException("The trace could not be written",
                                                                            nameOf(".trace.json"))));
        m_tracesLeft = 0;
        finish();
    }
}

void LiveProfile::endTrace() {
    m_tracesLeft = 0;
    const std::string name = nameOf(".trace.json");
    const std::filesystem::path file = m_folder / name;
    Status written = makeFolder(file.parent_path());
    try {
        if (written) {
            m_recording->save(file.string());
            std::error_code error;
            if (std::filesystem::file_size(file, error) == 0 || error) {
                written = fail(ErrorKind::kMachine, "trace-not-written",
                               fmt::format("The trace could not be written to {}.", name), {},
                               "Free space, or choose another file.");
            }
        }
    } catch (...) {
        written = fail(model::errorOfCurrentException("The trace could not be written", name));
    }
    m_recording.reset();
    if (written) {
        m_trace = file.filename().string();
    } else {
        m_reporter.log("warning", toSentence(written.error()));
    }
    finish();
}

std::string LiveProfile::nameOf(const char* ending) const {
    return fmt::format("profiles/step-{:09}{}", m_lastStep, ending);
}

void LiveProfile::finish() {
    Status written;
    try {
        written = write();
    } catch (...) {
        written = fail(model::errorOfCurrentException("The profile could not be written", ""));
    }
    if (!written) {
        m_reporter.log("warning", toSentence(written.error()));
        tellNone(written.error());
    }
    m_reporter.restartStepClock();
}

void LiveProfile::tellNone(const Error& error) {
    m_reporter.event(session::kProfileInstruction,
                     {{"step", m_lastStep},
                      {"first_step", m_firstStep},
                      {"error", {{"code", error.code}, {"message", error.message}, {"hint", error.hint}}}});
}

Status LiveProfile::write() {
    const std::string name = nameOf(".json");
    Json report = m_profile->report();
    report["run"] = m_run;
    report["first_step"] = m_firstStep;
    report["last_step"] = m_lastStep;
    Json told{{"step", m_lastStep},
              {"first_step", m_firstStep},
              {"steps", m_profile->steps()},
              {"total_ms", report["phases"]["total_ms"]},
              {"file", name}};
    if (!m_trace.empty()) {
        report["trace"] = m_trace;
        told["trace"] = "profiles/" + m_trace;
    }
    PLUMBLINE_TRY(makeFolder((m_folder / name).parent_path()));
    PLUMBLINE_TRY(writeFileAtomically(m_folder / name, report.dump(-1, ' ', false, Json::error_handler_t::replace)));
    m_reporter.event(session::kProfileInstruction, std::move(told));
    return {};
}

void LiveProfile::endRun() {
    if (m_recording != nullptr) {
        endTrace();
        return;
    }
    if (!isOn()) {
        return;
    }
    if (m_left > 0) {
        detach();
    }
    m_tracesLeft = 0;
    if (m_profile->steps() > 0) {
        finish();
    } else {
        tellNoStep();
    }
}

void LiveProfile::tellNoStep() {
    m_firstStep = m_lastStep = 0;
    const Error none{
        ErrorKind::kRunFailed, "no-step-profiled", "The run ended before a step of it could be profiled.", {}, {}};
    m_reporter.log("info", none.message);
    tellNone(none);
}

}  // namespace plumbline::train
