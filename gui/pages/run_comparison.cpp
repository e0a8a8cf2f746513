// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/run_comparison.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/convert.h"
#include "gui/dialog_buttons.h"
#include "gui/screen_room.h"
#include "widgets/filter_table.h"
#include "widgets/form_widget.h"

namespace plumbline::gui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(RunComparison)
};

/// `digits`: at most so many of a number; 0: all of them.
QString shown(const Json& value, int digits) {
    if (value.is_number_float()) {
        return widgets::plainNumber(value.get<double>(), digits);
    }
    return value.is_null() ? QStringLiteral("–") : text(value.is_string() ? value.get<std::string>() : value.dump());
}

QString shown(const Json& first, const std::vector<store::ChangedValue>& changes, int digits) {
    QString all = shown(first, digits);
    for (const store::ChangedValue& change : changes) {
        all = Words::tr("%1, from step %2 on %3").arg(all, QString::number(change.step), shown(change.value, digits));
    }
    return all;
}

QString differenceOf(const store::ValuePair& pair, int digits) {
    const std::optional<double> difference = pair.difference();
    return !difference
               ? QString()
               : (*difference > 0 ? QStringLiteral("+") : QString()) + widgets::plainNumber(*difference, digits);
}

void addRows(QStandardItemModel& model, const std::vector<store::ValuePair>& pairs, bool pointers) {
    for (const store::ValuePair& pair : pairs) {
        QString name = text(pair.name);
        if (pointers) {
            name = name.mid(1).replace(QLatin1Char('/'), QLatin1Char('.'));
        }
        QList<QStandardItem*> row;
        const auto cells = [&](int digits) {
            return QStringList{name, shown(pair.a, pair.changesOfA, digits), shown(pair.b, pair.changesOfB, digits),
                               differenceOf(pair, digits)};
        };
        const QStringList read = cells(widgets::kReadDigits), exact = cells(0);
        for (qsizetype i = 0; i < read.size(); ++i) {
            row << new QStandardItem(read[i]);
            row.last()->setToolTip(exact[i]);
            row.last()->setEditable(false);
        }
        model.appendRow(row);
    }
}

}  // namespace

void showComparison(const store::RunComparison& comparison, const QString& first, const QString& second,
                    QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("dialog_compare_runs"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(Words::tr("What differs between two runs"));
    dialog->resize(withinScreen(QSize(760, 520)));
    auto* heading =
        new QLabel(comparison.settings.empty() ? Words::tr("The two runs have the same settings.")
                                               : Words::tr("Settings that differ, then the last values of both."),
                   dialog);
    heading->setObjectName(QStringLiteral("compare_heading"));
    auto* model = new QStandardItemModel(dialog);
    model->setHorizontalHeaderLabels({Words::tr("What"), first, second, Words::tr("Difference")});
    addRows(*model, comparison.settings, true);
    addRows(*model, comparison.metrics, false);
    auto* table = new widgets::FilterTable(dialog);
    table->setObjectName(QStringLiteral("compare_table"));
    table->setModel(model);
    table->view()->setAccessibleName(Words::tr("Differences"));
    table->view()->resizeColumnsToContents();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);  // Enter in the filter is not its press
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(heading);
    layout->addWidget(table, 1);
    layout->addWidget(buttons);
    nameDialogButtons(*dialog);
    dialog->show();
}

}  // namespace plumbline::gui
