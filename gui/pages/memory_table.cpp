// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/memory_table.h"

#include <QGridLayout>
#include <QLabel>

#include "gui/convert.h"
#include "widgets/labels.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr std::int64_t kUnknown = -1;

QString shown(std::int64_t value) {
    return value == kUnknown ? QStringLiteral("—") : bytesText(static_cast<double>(value));
}

}  // namespace

session::MemorySummary memoryOfSummary(const Json& summary) {
    const auto bytesAt = [](const Json& object, const char* key) -> std::int64_t {
        const auto found = object.is_object() ? object.find(key) : object.end();
        return object.is_object() && found != object.end() && found->is_number_integer() ? found->get<std::int64_t>()
                                                                                         : kUnknown;
    };
    session::MemorySummary memory;
    memory.tensors = {kUnknown, bytesAt(summary, "peak_memory_bytes")};
    const Json parts = summary.is_object() ? summary.value("memory", Json()) : Json();
    for (std::size_t i = 0; i < memory.parts.size(); ++i) {
        const Json part = parts.is_object() ? parts.value(std::string(session::kMemoryParts[i]), Json()) : Json();
        memory.parts[i] = {bytesAt(part, "current"), bytesAt(part, "peak")};
    }
    return memory;
}

MemoryTable::MemoryTable(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("train_memory"));
    setAccessibleName(tr("Memory of the run"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(space::kSmall, 0, space::kSmall, 0);
    grid->setHorizontalSpacing(space::kMedium);
    grid->setVerticalSpacing(0);
    const auto label = [this](const QString& text, const QString& name) {
        auto* made = new QLabel(text, this);
        made->setObjectName(name);
        if (text.isEmpty()) {
            made->setFont(Theme::instance().numberFont());  // a value
        } else {
            made->setFont(Theme::instance().titleFont());
        }
        return made;
    };
    grid->addWidget(label(tr("Memory"), QStringLiteral("memory_title")), 0, 0);
    grid->addWidget(label(tr("Now"), QStringLiteral("memory_now")), 1, 0);
    grid->addWidget(label(tr("Peak"), QStringLiteral("memory_peak")), 2, 0);
    const std::array<QString, kColumns> titles{tr("All tensors"),     tr("Parameters"),  tr("Gradients"),
                                               tr("Optimizer state"), tr("Activations"), tr("Prefetch")};
    for (std::size_t i = 0; i < kColumns; ++i) {
        const QString name =
            QStringLiteral("memory_") + (i == 0 ? QStringLiteral("tensors") : text(session::kMemoryParts[i - 1]));
        auto* title = new ElidedLabel(titles[i], this);
        title->setObjectName(name);
        m_columns[i] = {label({}, name + QStringLiteral("_now")), label({}, name + QStringLiteral("_peak"))};
        m_columns[i].now->setAccessibleName(tr("%1 now").arg(titles[i]));
        m_columns[i].peak->setAccessibleName(tr("%1 at most").arg(titles[i]));
        const int column = static_cast<int>(i) + 1;
        grid->addWidget(title, 0, column);
        grid->addWidget(m_columns[i].now, 1, column);
        grid->addWidget(m_columns[i].peak, 2, column);
        grid->setColumnStretch(column, 1);
    }
    clear();
}

void MemoryTable::show(const Column& column, const session::MemoryUse& use) {
    column.now->setText(shown(use.current));
    column.peak->setText(shown(use.peak));
}

void MemoryTable::setSummary(const session::MemorySummary& summary) {
    show(m_columns[0], summary.tensors);
    for (std::size_t i = 0; i < summary.parts.size(); ++i) {
        show(m_columns[i + 1], summary.parts[i]);
    }
}

void MemoryTable::clear() {
    for (const Column& column : m_columns) {
        column.now->clear();
        column.peak->clear();
    }
}

}  // namespace plumbline::gui
