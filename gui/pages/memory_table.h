// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's tensors take: parameters, gradients, optimizer state, activations, prefetched batches; now and at most.
#pragma once

#include <QFrame>
#include <array>

#include "core/json.h"
#include "session/run_sink.h"

class QLabel;

namespace plumbline::gui {

/// The summary that a run's store holds; what it does not name is -1, which is shown as a dash.
session::MemorySummary memoryOfSummary(const Json& summary);

/// A small table of one column a part. It keeps its room while there is nothing to show.
class MemoryTable : public QFrame {
    Q_OBJECT

public:
    explicit MemoryTable(QWidget* parent = nullptr);
    void setSummary(const session::MemorySummary& summary);
    void clear();

private:
    static constexpr std::size_t kColumns = session::kMemoryParts.size() + 1;  ///< all tensors first
    struct Column {
        QLabel* now = nullptr;
        QLabel* peak = nullptr;
    };
    static void show(const Column& column, const session::MemoryUse& use);

    std::array<Column, kColumns> m_columns;
};

}  // namespace plumbline::gui
