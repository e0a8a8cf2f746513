// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the data section of the open project can be read: tried beside the window after each change of it.
#pragma once

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "gui/data_reader.h"
#include "plan/plan.h"

namespace plumbline::gui {

class ProjectDocument;

class DataCheck : public QObject {
    Q_OBJECT

public:
    enum class State {
        None,  ///< no project
        Opening,
        Fine,
        Stopped,  ///< by a person, before all was read
        Failed
    };
    DataCheck(ProjectDocument& document, DataReader& reader, QObject* parent = nullptr);

    State state() const { return m_state; }
    /// Why they cannot be read, or what of the model and its losses they do not fit.
    const std::optional<Error>& error() const { return m_error; }
    /// What the data tell of the settings that no error is, as a schedule that the run ends before.
    const std::vector<plan::PlanProblem>& warnings() const { return m_warnings; }
    /// Of the training split; -1 while they are not read.
    std::int64_t trainSamples() const { return m_state == State::Fine ? m_trainSamples : -1; }

    /// Reads once more what was stopped.
    void again();

Q_SIGNALS:
    void changed();

private:
    void look();
    void open();
    void finish();
    /// The model or the losses may have changed: do the data still fit? Unknown where they are too large to be held.
    void fit();
    void judge(const data::Dataset& data);
    void set(State state, std::optional<Error> error = {}, std::vector<plan::PlanProblem> warnings = {});

    ProjectDocument& m_document;
    DataReader& m_reader;
    QTimer m_delay;
    State m_state = State::None;
    std::optional<Error> m_error;
    std::vector<plan::PlanProblem> m_warnings;
    std::int64_t m_trainSamples = -1;
    std::string m_openedFor;        ///< folder and data section
    DataReader::Reading m_reading;  ///< held while it goes on, and small data afterwards: the pages have them at once
};

}  // namespace plumbline::gui
