// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data_check.h"

#include "data/dataset.h"
#include "gui/background.h"
#include "gui/project_document.h"

namespace plumbline::gui {

namespace {
constexpr int kDelayMs = 400;  // typing into a field of the data section is not answered letter by letter
}

DataCheck::DataCheck(ProjectDocument& document, QObject* parent) : QObject(parent), m_document(document) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &DataCheck::open);
    connect(&document, &ProjectDocument::projectChanged, this, &DataCheck::look);
    connect(&document, &ProjectDocument::changed, this, &DataCheck::look);
    look();
}

DataCheck::~DataCheck() {
    if (m_control) {
        m_control->requestStop();
    }
}

void DataCheck::look() {
    std::string wanted;
    if (m_document.isOpen()) {
        wanted = m_document.folder().string() + '\n' + m_document.project().data.raw.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    if (wanted == m_openedFor) {
        return;
    }
    m_openedFor = std::move(wanted);
    ++m_stamp;
    if (m_control) {
        m_control->requestStop();
        m_control.reset();
    }
    if (!m_document.isOpen()) {
        m_delay.stop();
        set(State::None);
        return;
    }
    set(State::Opening);
    m_delay.start();
}

void DataCheck::open() {
    const quint64 stamp = m_stamp;
    m_control = std::make_shared<RunControl>();
    runInBackground(
        this,
        [snapshot = m_document.snapshot(), control = m_control]() -> Status {
            const auto opened = data::Dataset::open(snapshot->data, snapshot->folder, control.get());
            return opened ? Status() : fail(opened.error());
        },
        [this, stamp](const Status& opened) {
            if (stamp != m_stamp) {
                return;
            }
            m_control.reset();
            opened ? set(State::Fine) : set(State::Failed, opened.error());
        });
}

void DataCheck::set(State state, std::optional<Error> error) {
    m_state = state;
    m_error = std::move(error);
    Q_EMIT changed();
}

}  // namespace plumbline::gui
