// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/sweeps/parameter_rows.h"

#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

enum Kind { kValues, kRange, kLogRange };
constexpr int kMostOfRange = 1'000'000, kUsualOfRange = 5;
constexpr int kPathLetters = 18;

}  // namespace

ParameterRow::ParameterRow(const QStringList& paths, QWidget* parent) : QWidget(parent) {
    m_path = new QComboBox(this);
    m_path->setEditable(true);
    m_path->setInsertPolicy(QComboBox::NoInsert);
    m_path->addItems(paths);
    m_path->setCurrentIndex(-1);
    m_path->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_path->setMinimumContentsLength(kPathLetters);
    m_path->completer()->setFilterMode(Qt::MatchContains);
    m_path->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_path->lineEdit()->setPlaceholderText(tr("Setting, as training.optimizer.lr"));
    m_kind = new QComboBox(this);
    m_kind->addItems({tr("values"), tr("range"), tr("range, by logarithm")});
    m_values = new QLineEdit(this);
    m_values->setPlaceholderText(tr("Values with commas: 16, 32, 64"));
    auto* range = new QWidget(this);
    m_from = new QLineEdit(range);
    m_from->setPlaceholderText(tr("from"));
    m_to = new QLineEdit(range);
    m_to->setPlaceholderText(tr("to"));
    m_count = new QSpinBox(range);
    m_count->setRange(2, kMostOfRange);
    m_count->setValue(kUsualOfRange);
    m_count->setSuffix(tr(" values"));
    m_count->hide();
    auto* ends = new QHBoxLayout(range);
    ends->setContentsMargins(0, 0, 0, 0);
    ends->setSpacing(space::kTiny);
    ends->addWidget(m_from, 1);
    ends->addWidget(new QLabel(QStringLiteral("…"), range));
    ends->addWidget(m_to, 1);
    ends->addWidget(m_count);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_values);
    m_stack->addWidget(range);
    m_stack->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_remove = new QToolButton(this);
    m_remove->setIcon(icon(QStringLiteral("remove")));
    m_remove->setAutoRaise(true);
    m_remove->setToolTip(tr("Take this setting out of the sweep"));
    m_remove->setFocusPolicy(Qt::StrongFocus);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::kSmall);
    layout->addWidget(m_path, 3);
    layout->addWidget(m_kind);
    layout->addWidget(m_stack, 3);
    layout->addWidget(m_remove);
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this](int kind) {
        m_stack->setCurrentIndex(kind == kValues ? 0 : 1);
        Q_EMIT changed();
    });
    connect(m_path, &QComboBox::currentTextChanged, this, &ParameterRow::changed);
    for (QLineEdit* field : {m_values, m_from, m_to}) {
        connect(field, &QLineEdit::textChanged, this, &ParameterRow::changed);
    }
    connect(m_count, &QSpinBox::valueChanged, this, &ParameterRow::changed);
    connect(m_remove, &QToolButton::clicked, this, &ParameterRow::removed);
    const auto name = [this] {
        const QString number = property("number").toString();
        const struct {
            QWidget* widget;
            const char* name;
            QString label;
        } all[] = {{m_path, "path", tr("Setting %1")},
                   {m_kind, "kind", tr("Kind of values of setting %1")},
                   {m_values, "values", tr("Values of setting %1")},
                   {m_from, "from", tr("Range of setting %1, from")},
                   {m_to, "to", tr("Range of setting %1, to")},
                   {m_count, "count", tr("Values of a grid of setting %1")},
                   {m_remove, "remove", tr("Take setting %1 out of the sweep")}};
        for (const auto& each : all) {
            each.widget->setObjectName(QStringLiteral("sweep_%1_%2").arg(QLatin1String(each.name), number));
            each.widget->setAccessibleName(each.label.arg(number));
        }
    };
    connect(this, &QObject::objectNameChanged, this, name);
}

QString ParameterRow::over() const {
    const QString path = m_path->currentText().trimmed();
    if (path.isEmpty()) {
        return {};
    }
    if (m_kind->currentIndex() == kValues) {
        return path + QLatin1Char('=') + m_values->text().trimmed();
    }
    QString range = m_from->text().trimmed() + QStringLiteral("..") + m_to->text().trimmed();
    if (!m_count->isHidden()) {
        range += QLatin1Char('/') + QString::number(m_count->value());
    }
    // Without a number in front it would be read as a value.
    return path + QLatin1Char('=') + (m_kind->currentIndex() == kLogRange ? QStringLiteral("log:") : QString()) + range;
}

void ParameterRow::setOver(const QString& path, const QString& values) {
    m_path->setCurrentText(path);
    m_kind->setCurrentIndex(kValues);
    m_values->setText(values);
}

void ParameterRow::setGrid(bool grid) {
    m_count->setVisible(grid);
    Q_EMIT changed();
}

void ParameterRow::setRemovable(bool removable) {
    m_remove->setEnabled(removable);
}

void ParameterRow::focus() {
    m_path->setFocus();
}

QList<QWidget*> ParameterRow::tabStops() const {
    return {m_path, m_kind, m_values, m_from, m_to, m_count, m_remove};
}

ParameterRows::ParameterRows(const QStringList& paths, QWidget* parent) : QWidget(parent), m_paths(paths) {
    m_layout = new QVBoxLayout(this);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(space::kSmall);
    auto* more = m_add = new QPushButton(icon(QStringLiteral("add")), tr("Add a setting"), this);
    more->setObjectName(QStringLiteral("sweep_add"));
    more->setAutoDefault(false);
    auto* row = new QHBoxLayout;
    row->addWidget(more);
    row->addStretch(1);
    m_layout->addLayout(row);
    connect(more, &QPushButton::clicked, this, [this] { add()->focus(); });
    add();
}

ParameterRow* ParameterRows::add() {
    auto* row = new ParameterRow(m_paths, this);
    row->setGrid(m_grid);
    m_layout->insertWidget(static_cast<int>(m_rows.size()), row);
    m_rows.push_back(row);
    connect(row, &ParameterRow::changed, this, &ParameterRows::changed);
    connect(row, &ParameterRow::removed, this, [this, row] { remove(row); });
    QWidget* before = m_rows.size() > 1 ? m_rows[m_rows.size() - 2]->tabStops().last() : nullptr;
    for (QWidget* stop : row->tabStops()) {
        if (before) {
            setTabOrder(before, stop);
        }
        before = stop;
    }
    setTabOrder(before, m_add);
    number();
    Q_EMIT changed();
    return row;
}

void ParameterRows::remove(ParameterRow* row) {
    m_rows.erase(std::find(m_rows.begin(), m_rows.end(), row));
    row->hide();
    row->deleteLater();
    number();
    m_rows.back()->focus();
    Q_EMIT changed();
}

/// Rows are named by their place, which changes when one above them goes.
void ParameterRows::number() {
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        m_rows[i]->setProperty("number", static_cast<int>(i) + 1);
        m_rows[i]->setObjectName(QStringLiteral("sweep_row_%1").arg(i + 1));
        m_rows[i]->setRemovable(m_rows.size() > 1);
    }
}

QStringList ParameterRows::over() const {
    QStringList all;
    for (const ParameterRow* row : m_rows) {
        if (const QString each = row->over(); !each.isEmpty()) {
            all << each;
        }
    }
    return all;
}

void ParameterRows::setGrid(bool grid) {
    m_grid = grid;
    for (ParameterRow* row : m_rows) {
        row->setGrid(grid);
    }
}

}  // namespace plumbline::gui
