// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data_check.h"

#include "gui/project_document.h"
#include "project/data_fit.h"

namespace plumbline::gui {

namespace {
constexpr int kDelayMs = 400;  // typing into a field of the data section is not answered letter by letter
constexpr std::size_t kKeptBytes = std::size_t{64} << 20;
}  // namespace

DataCheck::DataCheck(ProjectDocument& document, DataReader& reader, QObject* parent)
    : QObject(parent), m_document(document), m_reader(reader) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &DataCheck::open);
    connect(&document, &ProjectDocument::projectChanged, this, &DataCheck::look);
    connect(&document, &ProjectDocument::changed, this, &DataCheck::look);
    connect(&document, &ProjectDocument::checked, this, &DataCheck::fit);
    look();
}

void DataCheck::look() {
    std::string wanted;
    if (m_document.isOpen()) {
        wanted = DataReader::keyOf(m_document.project().data, m_document.folder());
    }
    if (wanted == m_openedFor) {
        return;
    }
    m_openedFor = std::move(wanted);
    m_reading.reset();
    if (!m_document.isOpen()) {
        m_delay.stop();
        set(State::None);
        return;
    }
    set(State::Opening);
    m_delay.start();
}

void DataCheck::open() {
    m_reading = m_reader.read(m_document.project().data, m_document.folder());
    if (m_reading->isDone()) {
        finish();
        return;
    }
    connect(m_reading.get(), &DataReading::done, this, [this, asked = m_reading.get()] {
        if (asked == m_reading.get()) {
            finish();
        }
    });
}

void DataCheck::again() {
    if (m_state == State::Stopped && m_document.isOpen()) {
        set(State::Opening);
        open();
    }
}

void DataCheck::finish() {
    const Result<DatasetPointer>& opened = m_reading->result();
    if (!opened) {
        const Error error = opened.error();
        const bool stopped = m_reading->isStopped();
        m_reading.reset();
        if (stopped) {
            set(State::Stopped);
            return;
        }
        set(State::Failed, error);
        return;
    }
    const DatasetPointer data = *opened;
    if (data->residentBytes() > kKeptBytes) {
        m_reading.reset();
    }
    judge(*data);
}

void DataCheck::fit() {
    if (!m_document.isOpen() || m_state == State::Opening || m_state == State::Stopped || m_state == State::None) {
        return;
    }
    if (m_reading && m_reading->isDone() && m_reading->result()) {
        judge(**m_reading->result());
    } else if (m_state == State::Fine && (m_error || !m_warnings.empty())) {
        set(State::Fine);
    }
}

void DataCheck::judge(const data::Dataset& data) {
    m_trainSamples = data.size(data::Split::kTrain);
    const project::CheckReport& report = m_document.report();
    // Where shapes are wrong in themselves there is nothing to compare with.
    Status fits = report.ok() ? project::checkDataFit(m_document.project().training, report.model, data) : Status();
    if (fits && report.ok()) {
        fits = project::checkBatches(m_document.project(), report.model, data);
    }
    set(State::Fine, fits ? std::nullopt : std::optional(fits.error()),
        fits && report.ok() ? project::warningsOfData(m_document.project(), report.model, data)
                            : std::vector<plan::PlanProblem>());
}

void DataCheck::set(State state, std::optional<Error> error, std::vector<plan::PlanProblem> warnings) {
    if (state == m_state && !error && !m_error && warnings.empty() && m_warnings.empty()) {
        return;  // an edit after which all fits as before
    }
    m_state = state;
    m_error = std::move(error);
    m_warnings = std::move(warnings);
    Q_EMIT changed();
}

}  // namespace plumbline::gui
