// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/matrix_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/background.h"
#include "gui/convert.h"
#include "gui/dialog_buttons.h"
#include "gui/engine_sentence.h"
#include "gui/pages/matrix_model.h"
#include "gui/screen_room.h"
#include "widgets/empty_state.h"
#include "widgets/filter_table.h"
#include "widgets/icons.h"
#include "widgets/scale_bar.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr QSize kUsual(960, 680);
constexpr int kMostWithText = 40;  ///< classes; with more the cells are small and say nothing until they are asked
constexpr int kWidestHeader = 140, kWidestColumn = 96;
constexpr int kLargestCell = 110;  ///< that a cell grows to where there is room
constexpr int kLeastList = 240, kLeastMatrix = 320;
constexpr std::size_t kMostPairs = 200;

}  // namespace

MatrixDialog::MatrixDialog(const QString& runName, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("dialog_matrix"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Confusion matrix of %1").arg(runName));
    resize(withinScreen(kUsual));
    m_model = new MatrixModel(this);
    m_confused = new QStandardItemModel(this);
    m_empty = new EmptyState(QStringLiteral("grid"), tr("The run is being read…"), {}, this);
    m_empty->setObjectName(QStringLiteral("matrix_empty"));
    m_content = new QWidget(this);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::kSmall);
    column->addWidget(makeChoices());
    m_summary = new QLabel(m_content);
    m_summary->setObjectName(QStringLiteral("matrix_summary"));
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    column->addWidget(m_summary);
    column->addWidget(makeViews(), 1);
    m_content->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);  // Enter in a field is not its press
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kLarge, space::kLarge, space::kLarge, space::kLarge);
    layout->setSpacing(space::kMedium);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_content, 1);
    layout->addWidget(buttons);
    nameDialogButtons(*this);
}

QWidget* MatrixDialog::makeChoices() {
    auto* strip = new QWidget(this);
    auto* row = new QHBoxLayout(strip);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::kSmall);
    const auto choice = [&](const char* name, const QString& label) {
        auto* caption = new QLabel(label, strip);
        auto* box = new QComboBox(strip);
        box->setObjectName(QLatin1String(name));
        box->setAccessibleName(QString(label).remove(QLatin1Char('&')));
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        caption->setBuddy(box);
        row->addWidget(caption);
        row->addWidget(box);
        return box;
    };
    m_metric = choice("matrix_metric", tr("&Metric"));
    m_epoch = choice("matrix_epoch", tr("&Epoch"));
    m_cells = choice("matrix_cells", tr("&Cells"));
    m_cells->addItems({tr("Count and % of the row"), tr("Count"), tr("% of the row"), tr("Colour alone")});
    row->addStretch(1);
    auto* copy = new QPushButton(icon(QStringLiteral("copy")), tr("Copy as CSV"), strip);
    copy->setObjectName(QStringLiteral("matrix_copy"));
    copy->setAutoDefault(false);
    row->addWidget(copy);
    connect(copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_model->matrix().toCsv()); });
    connect(m_metric, &QComboBox::currentIndexChanged, this, &MatrixDialog::listEpochs);
    connect(m_epoch, &QComboBox::currentIndexChanged, this, &MatrixDialog::showChosen);
    connect(m_cells, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_model->setCells(static_cast<MatrixCells>(index));
        fitCells();
    });
    return strip;
}

QWidget* MatrixDialog::makeViews() {
    auto* splitter = m_splitter = new QSplitter(this);
    splitter->setObjectName(QStringLiteral("matrix_splitter"));
    splitter->setChildrenCollapsible(false);
    auto* left = new QWidget(splitter);
    m_view = new QTableView(left);
    auto* scale = new QWidget(left);
    auto* ramp = new ScaleBar(scale);
    ramp->setLook(ScaleBar::Look::Ramp);
    ramp->setScale(tr("share of its row (%)"), QStringLiteral("0"), QStringLiteral("100"));
    scale->setFixedHeight(ramp->sizeHint().height() + 2 * space::kSmall);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_view, 1);
    column->addWidget(scale);
    m_view->setObjectName(QStringLiteral("matrix_table"));
    m_view->setAccessibleName(tr("Confusion matrix: a row a true class, a column a predicted one"));
    m_view->setModel(m_model);
    m_view->setShowGrid(false);
    m_view->setTabKeyNavigation(false);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->verticalHeader()->setHighlightSections(false);
    m_view->verticalHeader()->setMaximumWidth(kWidestHeader);
    m_view->setCornerButtonEnabled(false);
    m_view->viewport()->installEventFilter(this);  // its size says how large the cells are
    offerCopy(*m_view);
    m_pairs = new FilterTable(splitter);
    m_pairs->setObjectName(QStringLiteral("matrix_pairs"));
    m_pairs->setModel(m_confused);
    m_pairs->setFilterPlaceholder(tr("Filter what is confused"));
    m_pairs->setEmptyText(tr("No sample was taken for another class."));
    m_pairs->view()->setAccessibleName(tr("What is confused most"));
    m_pairs->view()->setSelectionBehavior(QAbstractItemView::SelectRows);
    connect(m_pairs, &FilterTable::selectionChanged, this, [this] {
        if (const QList<int> rows = m_pairs->selectedRows(); rows.size() == 1) {
            const QModelIndex first = m_confused->index(rows.first(), 0);
            const QModelIndex cell =
                m_model->index(first.data(Qt::UserRole + 1).toInt(), first.data(Qt::UserRole + 2).toInt());
            m_view->setCurrentIndex(cell);
            m_view->scrollTo(cell, QAbstractItemView::PositionAtCenter);
        }
    });
    m_pairs->setMinimumWidth(kLeastList);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 0);
    return splitter;
}

void MatrixDialog::offerMetric(std::function<bool()> add) {
    m_addMetric = std::move(add);
    connect(m_empty, &EmptyState::buttonClicked, this, [this] {
        if (m_addMetric && m_addMetric()) {
            m_empty->setButton({});
            setSentence(tr("confusion_matrix is one of the metrics now."),
                        tr("Every run from now on has one an epoch. Ctrl+Z takes it out again."));
        }
    });
}

bool MatrixDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view->viewport() && event->type() == QEvent::Resize) {
        fitCells();
    }
    return QDialog::eventFilter(watched, event);
}

void MatrixDialog::setSentence(const QString& sentence, const QString& detail) {
    m_empty->setText(sentence);
    m_empty->setDetail(detail);
}

void MatrixDialog::setMatrices(RunMatrices matrices) {
    m_matrices = std::move(matrices);
    if (m_matrices.records.empty()) {
        setSentence(
            tr("This run has no confusion matrix."),
            tr("Add the metric confusion_matrix to training.metrics; every run from then on has one an epoch."));
        if (m_addMetric) {
            m_empty->setButton(tr("Add confusion_matrix to the metrics"));
        }
        return;
    }
    QStringList metrics;
    for (const MatrixRecord& record : m_matrices.records) {
        if (!metrics.contains(record.metric)) {
            metrics << record.metric;
        }
    }
    // The validation's comes first: it is what one looks for.
    std::stable_sort(metrics.begin(), metrics.end(), [](const QString& a, const QString& b) {
        return a.startsWith(QLatin1String("val.")) && !b.startsWith(QLatin1String("val."));
    });
    {
        const QSignalBlocker quiet(m_metric);
        m_metric->clear();
        m_metric->addItems(metrics);
    }
    m_empty->hide();
    m_content->show();
    listEpochs();
    shareRoom();
}

void MatrixDialog::listEpochs() {
    const qint64 before =
        m_epoch->currentIndex() < 0 ? -1 : m_matrices.records[m_epoch->currentData().toULongLong()].epoch;
    int chosen = -1;
    {
        const QSignalBlocker quiet(m_epoch);
        m_epoch->clear();
        for (std::size_t i = m_matrices.records.size(); i-- > 0;) {  // the newest first
            const MatrixRecord& record = m_matrices.records[i];
            if (record.metric != m_metric->currentText()) {
                continue;
            }
            const bool newest = m_epoch->count() == 0;
            const QString name = record.epoch == 0 ? tr("after the training") : QLocale().toString(record.epoch);
            m_epoch->addItem(record.best && newest        ? tr("%1 (last and best)").arg(name)
                             : record.best                ? tr("%1 (best)").arg(name)
                             : newest && record.epoch > 0 ? tr("%1 (last)").arg(name)
                                                          : name,
                             static_cast<qulonglong>(i));
            if (record.epoch == before) {
                chosen = m_epoch->count() - 1;
            }
        }
        m_epoch->setCurrentIndex(std::max(0, chosen));
        m_epoch->setToolTip(m_matrices.bestSeries.isEmpty()
                                ? QString()
                                : tr("The best one is that of the best %1.").arg(m_matrices.bestSeries));
    }
    showChosen();
}

void MatrixDialog::showChosen() {
    if (m_epoch->currentIndex() < 0) {
        return;
    }
    const MatrixRecord& record = m_matrices.records[m_epoch->currentData().toULongLong()];
    const QModelIndex current = m_view->currentIndex();
    m_model->setMatrix(record.matrix);
    m_view->setCurrentIndex(m_model->index(current.row(), current.column()));
    const qint64 all = record.matrix.samples(), right = record.matrix.right();
    QString said = all == 0 ? tr("No sample was judged.")
                            : tr("%1 of %2 samples right (%3). A row is a true class, a column a predicted one.")
                                  .arg(QLocale().toString(right), QLocale().toString(all),
                                       shareText(static_cast<double>(right) / static_cast<double>(all)));
    if (m_matrices.isCut) {
        said += QLatin1Char(' ') + tr("Older epochs are left out: all matrices of this run together are too large.");
    }
    m_summary->setText(said);
    fitCells();
    listConfusions();
}

void MatrixDialog::fitCells() {
    const bool small = m_model->matrix().size() > kMostWithText && m_cells->currentIndex() == 0;
    const bool silent = small || m_cells->currentIndex() == static_cast<int>(MatrixCells::Nothing);
    m_model->setCells(silent ? MatrixCells::Nothing : static_cast<MatrixCells>(m_cells->currentIndex()));
    const QFontMetrics metrics = m_view->fontMetrics();
    qint64 largest = 0;
    for (const qint64 count : m_model->matrix().counts) {
        largest = std::max(largest, count);
    }
    const int text = std::max(metrics.horizontalAdvance(QLocale().toString(largest)),
                              metrics.horizontalAdvance(QStringLiteral("99.9 %")));
    int name = 0;
    for (const QString& each : m_model->matrix().classes) {
        name = std::max(name, metrics.horizontalAdvance(each));
    }
    const int lines = m_cells->currentIndex() == 0 ? 2 : 1;
    const int smallest = metrics.height() + space::kTiny;
    // Names of columns give way first: what a cell says is read at any rate.
    m_least = silent ? QSize(smallest, smallest) : QSize(text + space::kSmall, lines * metrics.height() + space::kTiny);
    m_usual = silent ? m_least : m_least.expandedTo(QSize(std::min(name, kWidestColumn) + 2 * space::kSmall, 0));
    m_view->horizontalHeader()->setMinimumSectionSize(smallest);
    m_view->verticalHeader()->setMinimumSectionSize(smallest);
    // A small matrix fills its place, up to a size beyond which cells only drift apart.
    const int classes = std::max(1, static_cast<int>(m_model->matrix().size()));
    const auto grown = [&](int room, int least, int usual) {
        return std::clamp(room / classes, least, std::max(usual, silent ? least : kLargestCell));
    };
    const QSize room = m_view->viewport()->size();
    m_view->horizontalHeader()->setDefaultSectionSize(grown(room.width(), m_least.width(), m_usual.width()));
    m_view->verticalHeader()->setDefaultSectionSize(grown(room.height(), m_least.height(), m_usual.height()));
}

int MatrixDialog::headerWidth() const {
    int name = 0;
    for (const QString& each : m_model->matrix().classes) {
        name = std::max(name, m_view->fontMetrics().horizontalAdvance(each) + 2 * space::kSmall);
    }
    return std::min(name, kWidestHeader);
}

void MatrixDialog::shareRoom() {
    layout()->activate();
    const int all = m_splitter->width() - m_splitter->handleWidth();
    const int classes = static_cast<int>(m_model->matrix().size());
    const qint64 wanted = headerWidth() + qint64{classes} * std::max(m_usual.width(), kLargestCell) + 2;
    const qint64 least = headerWidth() + qint64{classes} * m_usual.width() + 2;
    // Half of the room at least, more where its cells need it, and never the list's least.
    const int half = all / 2;
    const int matrix =
        static_cast<int>(std::clamp<qint64>(std::max<qint64>(least, std::min<qint64>(wanted, half)),
                                            std::min(half, kLeastMatrix), std::max(half, all - kLeastList)));
    m_splitter->setSizes({matrix, all - matrix});
}

void MatrixDialog::listConfusions() {
    m_confused->clear();
    m_confused->setHorizontalHeaderLabels({tr("True"), tr("Predicted"), tr("Samples"), tr("% of the class")});
    const ConfusionMatrix& matrix = m_model->matrix();
    for (const Confusion& each : largestConfusions(matrix, kMostPairs)) {
        QList<QStandardItem*> row{new QStandardItem(matrix.classes[each.truth]),
                                  new QStandardItem(matrix.classes[each.predicted]), new QStandardItem,
                                  new QStandardItem};
        row[2]->setData(each.count, Qt::DisplayRole);
        row[3]->setData(std::round(1000 * matrix.share(each.truth, each.predicted)) / 10, Qt::DisplayRole);
        row[0]->setData(each.truth, Qt::UserRole + 1);
        row[0]->setData(each.predicted, Qt::UserRole + 2);
        for (QStandardItem* item : row) {
            item->setEditable(false);
        }
        row[2]->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        row[3]->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_confused->appendRow(row);
    }
    m_pairs->view()->resizeColumnsToContents();
}

MatrixDialog* openMatrixDialog(const std::filesystem::path& runFolder, const QString& runName, QWidget* parent) {
    auto* dialog = new MatrixDialog(runName, parent);
    dialog->show();
    runInBackground(
        dialog, [runFolder] { return readMatrices(runFolder); },
        [dialog](Result<RunMatrices> matrices) {
            matrices ? dialog->setMatrices(std::move(*matrices)) : dialog->setSentence(errorSentence(matrices.error()));
        });
    return dialog;
}

}  // namespace plumbline::gui
