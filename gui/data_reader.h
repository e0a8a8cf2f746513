// SPDX-License-Identifier: GPL-3.0-or-later
// The data of a project, opened beside the window: once for all who want the same, and given up when nobody does any
// more.
#pragma once

#include <QHash>
#include <QObject>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/run_control.h"
#include "data/dataset.h"

namespace plumbline::gui {

using DatasetPointer = std::shared_ptr<const data::Dataset>;

/// One reading of one data section. Whoever holds it wants it: with the last one gone, the work is told to stop.
class DataReading : public QObject {
    Q_OBJECT

public:
    bool isDone() const { return m_result.has_value(); }
    /// Only once isDone().
    const Result<DatasetPointer>& result() const { return *m_result; }
    /// How the work is told to stop.
    const std::shared_ptr<RunControl>& control() const { return m_control; }
    /// A person had enough: done() follows soon, with an error. For all who share it.
    void stop() {
        if (!isDone()) {
            m_control->requestStop();
        }
    }
    bool isStopped() const { return m_control->stopRequested(); }

Q_SIGNALS:
    /// Once, in the window's thread.
    void done();

private:
    friend class DataReader;
    DataReading(const data::DataSpec& spec, const std::filesystem::path& folder);
    void giveUp();

    std::shared_ptr<RunControl> m_control = std::make_shared<RunControl>();
    std::optional<Result<DatasetPointer>> m_result;
};

/// Where readings are asked for. Window thread only.
class DataReader {
public:
    using Reading = std::shared_ptr<DataReading>;
    /// The reading that is going on or held by somebody, or a new one; it may be done already, with the data.
    Reading read(const data::DataSpec& spec, const std::filesystem::path& folder);
    /// What makes two data sections the same: where relative paths start, and all that is stated.
    static std::string keyOf(const data::DataSpec& spec, const std::filesystem::path& folder);

private:
    QHash<QByteArray, std::weak_ptr<DataReading>> m_readings;
};

}  // namespace plumbline::gui
