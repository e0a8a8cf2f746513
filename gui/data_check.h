// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the data section of the open project can be read: tried beside the window after each change of it.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/run_control.h"

namespace plumbline::gui {

class ProjectDocument;

class DataCheck : public QObject {
    Q_OBJECT

public:
    enum class State {
        None,     ///< no project
        Opening,
        Fine,
        Failed
    };
    explicit DataCheck(ProjectDocument& document, QObject* parent = nullptr);
    ~DataCheck() override;

    State state() const { return m_state; }
    /// Why they cannot be read.
    const std::optional<Error>& error() const { return m_error; }

Q_SIGNALS:
    void changed();

private:
    void look();
    void open();
    void set(State state, std::optional<Error> error = {});

    ProjectDocument& m_document;
    QTimer m_delay;
    State m_state = State::None;
    std::optional<Error> m_error;
    std::string m_openedFor;  ///< folder and data section
    std::shared_ptr<RunControl> m_control;
    quint64 m_stamp = 0;
};

}  // namespace plumbline::gui
