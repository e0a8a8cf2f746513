#include "cli/progress_view.h"

#include <fmt/format.h>
#include <unistd.h>
#include <cstdio>
#include <utility>

#include "cli/told_rates.h"
#include "core/text.h"

namespace plumbline::cli {
namespace {

constexpr int kBarWidth = 24;

std::string epochLine(const Json& data) {
    std::string text = fmt::format("epoch {}", data.value("epoch", 0));
    if (const auto metrics = data.find("metrics"); metrics != data.end() && metrics->is_object()) {
        for (const auto& [name, value] : metrics->items()) {
            if (value.is_number()) {
                text += fmt::format("  {} {}", name, numberText(value.get<double>(), 4));
            }
        }
    }
    return text;
}

}  // namespace

ProgressView::ProgressView(const Output& output, std::string goOn)
    : m_output(output), m_goOn(std::move(goOn)), m_terminal(isatty(STDERR_FILENO) != 0) {}

std::string ProgressView::saidBy(const session::SessionEvent& event) const {
    const Json& data = event.event.data;
    if (event.kind == session::SessionEvent::Kind::kState) {
        return event.state == session::RunState::kPaused ? fmt::format("Paused; \"{}\" goes on.", m_goOn) : "";
    }
    if (event.kind != session::SessionEvent::Kind::kEvent) {
        return {};
    }
    if (event.event.event == "command") {
        return fmt::format("{} is {} from step {} on.{}", data.value("path", ""), data.value("value", Json()).dump(),
                           data.value("step", std::int64_t{0}) + 1, scheduledRates(data));
    }
    if (event.event.event == session::kProfileInstruction && data.contains("file")) {
        return fmt::format("The profile of steps {} to {} is in the run's folder: {}.",
                           data.value("first_step", std::int64_t{0}), data.value("step", std::int64_t{0}),
                           data.value("file", ""));
    }
    return {};
}

void ProgressView::clearBar() {
    if (m_drawn) {
        std::fputs("\r\033[K", stderr);
        m_drawn = false;
    }
}

void ProgressView::update(const session::RunSink::Progress& progress) {
    if (!m_terminal || progress.totalSteps <= 0) {
        return;
    }
    const double share = std::min(1.0, static_cast<double>(progress.step) / static_cast<double>(progress.totalSteps));
    const int full = static_cast<int>(share * kBarWidth);
    std::string bar;
    for (int i = 0; i < kBarWidth; ++i) {
        bar += i < full ? "█" : "░";
    }
    const std::string text = fmt::format("\r\033[K{} {:3.0f} %  epoch {}/{}  step {}  {} samples/s  {} left", bar,
                                         share * 100, progress.epoch, progress.totalEpochs, progress.step,
                                         countText(progress.samplesPerSecond), secondsText(progress.etaSeconds));
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
    m_drawn = true;
}

void ProgressView::show(const session::SessionEvent& event) {
    using Kind = session::SessionEvent::Kind;
    if (event.kind == Kind::kEvent && event.event.event == "epoch") {
        clearBar();
        m_output.line(epochLine(event.event.data));
    } else if (event.kind == Kind::kEvent && event.event.event == "log") {
        clearBar();
        m_output.message(event.event.data.value("message", ""));
    } else if (const std::string told = saidBy(event); !told.empty()) {
        clearBar();
        m_output.message(told);
    } else if (event.kind == Kind::kFinding) {
        clearBar();
        showFinding(event.finding);
    }
}

void ProgressView::showFinding(const diagnostics::Finding& finding) {
    const auto [told, isNew] = m_told.try_emplace(finding.id, finding.severity);
    if (finding.clearedAt) {
        m_output.message(fmt::format("cleared: {} at step {}", finding.detector, *finding.clearedAt));
    } else if (!isNew && told->second == finding.severity) {
        // It was told before its cause was known.
        m_output.message(fmt::format("{} follows from {}", finding.id, finding.cause));
    } else {
        told->second = finding.severity;
        m_output.message(fmt::format("{}{}: {} ({}, step {}{}{})", finding.cause.empty() ? "" : "    ",
                                     graph::toString(finding.severity), finding.message, finding.detector, finding.step,
                                     finding.block.empty() ? "" : ", " + finding.block,
                                     finding.cause.empty() ? "" : ", follows from " + finding.cause));
    }
}

void ProgressView::finish() {
    clearBar();
}

}  // namespace plumbline::cli
