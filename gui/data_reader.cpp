// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data_reader.h"

#include "gui/background.h"

namespace plumbline::gui {

DataReading::DataReading(const data::DataSpec& spec, const std::filesystem::path& folder) {
    runInBackground(
        this, [spec, folder, control = m_control] { return data::Dataset::open(spec, folder, control.get()); },
        [this](Result<DatasetPointer> opened) {
            m_result = std::move(opened);
            Q_EMIT done();
        });
}

/// Deleted later: who lets go may do so in answer to done().
void DataReading::giveUp() {
    m_control->requestStop();
    deleteLater();
}

std::string DataReader::keyOf(const data::DataSpec& spec, const std::filesystem::path& folder) {
    return folder.string() + '\n' + spec.raw.dump(-1, ' ', false, Json::error_handler_t::replace);
}

DataReader::Reading DataReader::read(const data::DataSpec& spec, const std::filesystem::path& folder) {
    m_readings.removeIf([](const auto& entry) { return entry.value().expired(); });
    std::weak_ptr<DataReading>& known = m_readings[QByteArray::fromStdString(keyOf(spec, folder))];
    // What was stopped or failed is tried anew.
    if (Reading held = known.lock(); held && !held->isStopped() && (!held->isDone() || held->result())) {
        return held;
    }
    Reading made(new DataReading(spec, folder), [](DataReading* reading) { reading->giveUp(); });
    known = made;
    return made;
}

}  // namespace plumbline::gui
