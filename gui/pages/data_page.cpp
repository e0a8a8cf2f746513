// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/data_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/background.h"
#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/pages/raw_values.h"
#include "gui/pages/sample_view.h"
#include "gui/pages/setting_form.h"
#include "gui/pages/source_table.h"
#include "gui/pages/target_histogram.h"
#include "gui/workspace.h"
#include "widgets/bar_chart.h"
#include "widgets/empty_state.h"
#include "widgets/filter_table.h"
#include "widgets/icons.h"
#include "widgets/image_grid.h"
#include "widgets/shrinking_row.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr std::int64_t kSamplesAPage = 64;
constexpr int kMaxStatisticRows = 200;
constexpr data::Split kSplits[] = {data::Split::kTrain, data::Split::kValidation, data::Split::kTest};

QTableWidget* plainTable(const QString& name, const QString& accessible, QWidget* parent) {
    auto* table = new QTableWidget(parent);
    table->setTabKeyNavigation(false);
    table->setObjectName(name);
    table->setAccessibleName(accessible);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->verticalHeader()->hide();
    table->setAlternatingRowColors(true);
    offerCopy(*table);
    return table;
}

QTableWidgetItem* numberItem(const QString& value) {
    auto* item = new QTableWidgetItem(value);
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

/// A mean that is nothing but rounding is 0.
double withoutNoise(double mean, double lower, double upper) {
    return std::abs(mean) < 1e-9 * std::max(std::abs(lower), std::abs(upper)) ? 0 : mean;
}

QString dimsText(const data::FeedInfo& feed) {
    QStringList parts{QStringLiteral("B")};
    for (const std::int64_t dim : feed.dims) {
        parts.append(QString::number(dim));
    }
    return QStringLiteral("%1 [%2] %3")
        .arg(text(feed.name), parts.join(QStringLiteral(", ")), text(toString(feed.dtype)));
}

}  // namespace

DataPage::DataPage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
    m_form = new SettingForm(workspace, QStringLiteral("data_settings"), {QStringLiteral("data.")}, this);
    m_find = makeFindAction(tr("Find a data setting…"), m_form->filterField());
    m_splitter = new QSplitter(this);
    m_splitter->setObjectName(QStringLiteral("data_splitter"));
    m_splitter->addWidget(m_form);
    m_splitter->addWidget(makeSummary());
    m_splitter->addWidget(makeSamples());
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(2, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);
    resetLayout();
    connect(&workspace.document(), &ProjectDocument::projectChanged, this, [this] {
        m_openedFor.clear();
        m_reading.reset();
        m_dataset.reset();
        m_batch = {};
        openIfStale();
    });
    connect(&workspace.document(), &ProjectDocument::changed, this, [this](Parts parts) {
        if (parts & Part::Data) {
            openIfStale();
        }
    });
}

DataPage::~DataPage() {
    if (m_abandon) {
        *m_abandon = true;
    }
}

QWidget* DataPage::makeSummary() {
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, space::kSmall);
    layout->setSpacing(space::kSmall);
    m_source = new QLabel(box);
    m_source->setObjectName(QStringLiteral("data_source"));
    m_source->setWordWrap(true);
    m_source->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_counts = new QLabel(box);
    m_counts->setObjectName(QStringLiteral("data_counts"));
    m_counts->setWordWrap(true);
    m_counts->setFont(Theme::instance().numberFont());
    m_classes = new BarChart(box);
    m_classes->setObjectName(QStringLiteral("data_classes"));
    m_classes->setAccessibleName(tr("Class sizes"));
    m_classes->setTitle(tr("Class sizes"));
    m_classes->setUnit(tr("samples"));
    m_classes->setEmptyText(tr("The target is neither a class nor a single number."));
    m_statistics = plainTable(QStringLiteral("data_statistics"), tr("Statistics of the training split"), box);
    m_statistics->setColumnCount(5);
    m_statistics->setHorizontalHeaderLabels({tr("Input"), tr("Mean"), tr("Std"), tr("Min"), tr("Max")});
    layout->addWidget(m_source);
    layout->addWidget(m_counts);
    layout->addWidget(new SourceTable(workspace().document(), box));
    layout->addWidget(m_classes, 1);
    layout->addWidget(m_statistics, 1);
    return box;
}

QWidget* DataPage::makeSamples() {
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, space::kSmall);
    layout->setSpacing(space::kSmall);
    auto* strip = new ShrinkingRow(box);
    QHBoxLayout* row = strip->row();
    auto* label = new QLabel(tr("S&plit"), box);
    m_split = new QComboBox(box);
    m_split->setObjectName(QStringLiteral("data_split"));
    m_split->setAccessibleName(tr("Split"));
    m_split->addItems({tr("Training"), tr("Validation"), tr("Test")});
    label->setBuddy(m_split);
    m_values = new QComboBox(box);
    m_values->setObjectName(QStringLiteral("data_values"));
    m_values->setAccessibleName(tr("Values shown"));
    m_values->setToolTip(tr("The transforms change values on their way to the model."));
    m_values->addItems({tr("As in the data"), tr("As the model gets them"), tr("Both")});
    m_values->hide();
    m_position = new QLabel(box);
    m_position->setObjectName(QStringLiteral("data_position"));
    m_position->setFont(Theme::instance().numberFont());
    m_previous = new QPushButton(icon(QStringLiteral("chevron-left")), tr("Previous"), box);
    m_previous->setObjectName(QStringLiteral("data_previous"));
    m_next = new QPushButton(icon(QStringLiteral("chevron-right")), tr("Next"), box);
    m_next->setObjectName(QStringLiteral("data_next"));
    row->addWidget(label);
    row->addWidget(m_split);
    row->addWidget(m_values);
    row->addStretch(1);
    row->addWidget(m_position);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    strip->giveUpText(m_previous);
    strip->giveUpText(m_next);
    m_grid = new ImageGrid(box);
    m_grid->setObjectName(QStringLiteral("data_grid"));
    m_grid->setAccessibleName(tr("Samples as the model gets them"));
    m_table = plainTable(QStringLiteral("data_table"), tr("Samples"), box);
    m_empty = new EmptyState(QStringLiteral("data"), tr("Reading the data…"), {}, box);
    m_empty->setObjectName(QStringLiteral("data_empty"));
    connect(m_empty, &EmptyState::buttonClicked, this, &DataPage::stopOrReadAgain);
    connect(m_values, &QComboBox::currentIndexChanged, this, [this] {
        if (m_dataset) {
            showStatistics();
            showTable();
        }
    });
    m_stack = new QStackedWidget(box);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_grid);
    m_stack->addWidget(m_table);
    layout->addWidget(strip);
    layout->addWidget(m_stack, 1);
    connect(m_split, &QComboBox::currentIndexChanged, this, [this] {
        m_first = 0;
        loadSamples();
    });
    connect(m_previous, &QPushButton::clicked, this, [this] { turnPage(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { turnPage(1); });
    return box;
}

void DataPage::activated() {
    m_front = true;
    openIfStale();
}

void DataPage::commitPending() {
    m_form->commitPending();
}

QString DataPage::refusedText() const {
    return m_form->refusedText();
}

void DataPage::revealRefused() {
    m_form->revealRefused();
}

void DataPage::openIfStale() {
    if (!m_front || !workspace().document().isOpen()) {
        return;
    }
    const auto snapshot = workspace().document().snapshot();
    const std::string wanted = DataReader::keyOf(snapshot->data, snapshot->folder);
    if (wanted == m_openedFor) {
        return;
    }
    m_openedFor = wanted;
    ++m_sampleStamp;  // no samples of the data before any more
    read();
}

void DataPage::read() {
    const auto snapshot = workspace().document().snapshot();
    m_loading = true;
    m_dataset.reset();
    m_batch = {};
    m_empty->setText(tr("Reading the data…"));
    m_empty->setDetail({});
    m_empty->setButton(tr("Stop reading"));
    m_stack->setCurrentWidget(m_empty);
    m_reading = workspace().dataReader().read(snapshot->data, snapshot->folder);
    if (m_reading->isDone()) {
        show(m_reading->result());
        return;
    }
    connect(m_reading.get(), &DataReading::done, this, [this, asked = m_reading.get()] {
        if (asked == m_reading.get()) {
            show(asked->result());
        }
    });
}

void DataPage::stopOrReadAgain() {
    if (m_loading && m_reading && !m_reading->isDone()) {
        m_reading->stop();
    } else if (workspace().document().isOpen()) {
        read();
        workspace().readDataAgain();
    }
}

void DataPage::show(const Result<DatasetPointer>& dataset) {
    m_empty->setButton({});
    if (m_abandon) {
        *m_abandon = true;
    }
    m_waitsForHistogram = false;
    if (!dataset) {
        const bool stopped = m_reading && m_reading->isStopped();
        m_loading = false;
        m_dataset.reset();
        m_source->clear();
        m_counts->clear();
        m_classes->clear();
        m_statistics->setRowCount(0);
        m_empty->setText(stopped ? tr("Reading the data was stopped.") : engineSentence(dataset.error().message));
        m_empty->setDetail(stopped ? QString() : engineSentence(dataset.error().hint));
        m_empty->setButton(tr("Read again"));
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    m_dataset = *dataset;
    m_values->setVisible(hasRawValues(*m_dataset) &&
                         std::none_of(m_dataset->inputs().begin(), m_dataset->inputs().end(), isPicture));
    m_first = 0;
    showSummary();
    showClasses();
    loadSamples();
}

void DataPage::showSummary() {
    QStringList lines;
    for (const data::SourceSpec& source : workspace().document().project().data.sources) {
        lines.append(QStringLiteral("%1 (%2)").arg(text(source.name), text(source.type)));
    }
    for (const data::FeedInfo& feed : m_dataset->inputs()) {
        lines.append(tr("input %1").arg(dimsText(feed)));
    }
    for (const data::FeedInfo& feed : m_dataset->targets()) {
        lines.append(tr("target %1").arg(dimsText(feed)));
    }
    m_source->setText(lines.join(QLatin1Char('\n')));
    m_counts->setText(tr("%1 training · %2 validation · %3 test · %4 in memory")
                          .arg(countText(static_cast<double>(m_dataset->size(kSplits[0]))),
                               countText(static_cast<double>(m_dataset->size(kSplits[1]))),
                               countText(static_cast<double>(m_dataset->size(kSplits[2]))),
                               bytesText(static_cast<double>(m_dataset->residentBytes()))));
    showStatistics();
}

void DataPage::showStatistics() {
    int row = 0;
    m_statistics->setRowCount(0);
    const Values which = values();
    m_statistics->setToolTip(which == Values::Raw     ? tr("Before the transforms")
                             : which == Values::Model ? tr("After the transforms")
                                                      : tr("Before and after the transforms"));
    for (const data::FeedInfo& feed : m_dataset->inputs()) {
        const auto& statistics = feed.statistics;
        const auto back = RawValues::of(feed);
        const data::FeedInfo::Statistics raw = back ? back->of(statistics) : statistics;
        for (std::size_t i = 0; i < statistics.mean.size() && row < kMaxStatisticRows; ++i, ++row) {
            m_statistics->insertRow(row);
            m_statistics->setItem(
                row, 0,
                new QTableWidgetItem(i < feed.columns.size() ? text(feed.columns[i])
                                                             : tr("%1, channel %2").arg(text(feed.name)).arg(i)));
            const double same[] = {withoutNoise(statistics.mean[i], statistics.min[i], statistics.max[i]),
                                   statistics.std[i], statistics.min[i], statistics.max[i]};
            const double before[] = {withoutNoise(raw.mean[i], raw.min[i], raw.max[i]), raw.std[i], raw.min[i],
                                     raw.max[i]};
            for (int column = 0; column < 4; ++column) {
                const QString shown = QString::number(same[column], 'g', 4),
                              of = QString::number(before[column], 'g', 4);
                const QString cell = !back || which == Values::Model ? shown
                                     : which == Values::Raw          ? of
                                                                     : QString::fromUtf8("%1 \u2192 %2").arg(of, shown);
                m_statistics->setItem(row, column + 1, numberItem(cell));
            }
        }
    }
    m_statistics->resizeColumnsToContents();
}

void DataPage::showClasses() {
    m_classes->clear();
    for (const data::FeedInfo& feed : m_dataset->targets()) {
        std::vector<BarSeries> series;
        const QString names[] = {tr("Training"), tr("Validation"), tr("Test")};
        for (int i = 0; i < 3; ++i) {
            BarSeries bars;
            bars.name = names[i];
            bars.curve = i;
            for (const std::int64_t count : m_dataset->classCounts(kSplits[i], feed.name)) {
                bars.values.push_back(static_cast<double>(count));
            }
            series.push_back(std::move(bars));
        }
        if (series[0].values.empty()) {
            continue;
        }
        QStringList labels;
        for (std::size_t i = 0; i < series[0].values.size(); ++i) {
            labels.append(i < feed.classes.size() ? text(feed.classes[i]) : QString::number(i));
        }
        m_classes->setTitle(tr("Class sizes"));
        m_classes->setBars(labels, series);
        return;
    }
    loadHistogram();
}

void DataPage::loadHistogram() {
    m_abandon = std::make_shared<std::atomic<bool>>(false);
    m_waitsForHistogram = true;
    runInBackground(
        this, [dataset = m_dataset, abandon = m_abandon] { return readTargetHistogram(*dataset, *abandon); },
        [this, abandon = m_abandon](const Result<std::optional<TargetHistogram>>& histogram) {
            if (*abandon || abandon != m_abandon) {
                return;
            }
            m_waitsForHistogram = false;
            if (!histogram || !*histogram) {
                return;  // what is wrong with the samples is told where they are shown
            }
            const TargetHistogram& made = **histogram;
            std::vector<BarSeries> series;
            const QString names[] = {tr("Training"), tr("Validation"), tr("Test")};
            for (int i = 0; i < 3; ++i) {
                series.push_back({names[i], made.counts[static_cast<std::size_t>(i)], i});
            }
            m_classes->setTitle(made.ofSome ? tr("Values of %1, of some samples").arg(text(made.target))
                                            : tr("Values of %1").arg(text(made.target)));
            m_classes->setHistogram(made.lower, made.upper, series);
        });
}

Values DataPage::values() const {
    return m_values->isHidden() ? Values::Raw : static_cast<Values>(m_values->currentIndex());
}

data::Split DataPage::split() const {
    return kSplits[std::max(0, m_split->currentIndex())];
}

void DataPage::turnPage(int direction) {
    m_first = std::max<std::int64_t>(0, m_first + direction * kSamplesAPage);
    loadSamples();
}

void DataPage::loadSamples() {
    if (!m_dataset) {
        return;
    }
    const std::int64_t size = m_dataset->size(split());
    const std::int64_t last = std::min(m_first + kSamplesAPage, size);
    m_previous->setEnabled(m_first > 0);
    m_next->setEnabled(last < size);
    m_position->setText(
        size == 0 ? QString() : tr("%1–%2 of %3").arg(m_first + 1).arg(last).arg(countText(static_cast<double>(size))));
    if (size == 0) {
        m_loading = false;
        m_empty->setText(tr("This split holds no sample."));
        m_empty->setDetail(tr("Give it a share under data.splits."));
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    std::vector<std::int64_t> positions;
    for (std::int64_t i = m_first; i < last; ++i) {
        positions.push_back(i);
    }
    m_loading = true;
    const quint64 stamp = ++m_sampleStamp;
    runInBackground(
        this,
        [dataset = m_dataset, split = split(), positions] { return dataset->makeBatch(split, positions, 0, false); },
        [this, stamp](Result<data::HostBatch> batch) {
            if (stamp != m_sampleStamp || !m_dataset) {
                return;
            }
            m_loading = false;
            if (!batch) {
                m_empty->setText(engineSentence(batch.error().message));
                m_empty->setDetail(engineSentence(batch.error().hint));
                m_stack->setCurrentWidget(m_empty);
                return;
            }
            showBatch(*batch);
        });
}

void DataPage::showBatch(const data::HostBatch& batch) {
    std::vector<GridImage> pictures = samplePictures(*m_dataset, batch);
    if (!pictures.empty()) {
        m_grid->setImages(pictures);
        m_stack->setCurrentWidget(m_grid);
        return;
    }
    m_batch = batch;
    showTable();
    m_stack->setCurrentWidget(m_table);
}

void DataPage::showTable() {
    if (m_batch.size() == 0) {
        return;
    }
    const SampleTable table = sampleRows(*m_dataset, m_batch, values());
    m_table->setColumnCount(static_cast<int>(table.header.size()));
    m_table->setHorizontalHeaderLabels(table.header);
    m_table->setRowCount(static_cast<int>(table.rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const QStringList& cells = table.rows[static_cast<std::size_t>(row)];
        for (int column = 0; column < cells.size(); ++column) {
            m_table->setItem(row, column, numberItem(cells[column]));
        }
    }
    m_table->resizeColumnsToContents();
}

bool DataPage::revealPointer(const QString& pointer) {
    return m_form->revealPointer(pointer) || pointer.startsWith(QLatin1String("/data"));
}

QByteArray DataPage::saveLayout() const {
    return m_splitter->saveState();
}

void DataPage::restoreLayout(const QByteArray& state) {
    m_splitter->restoreState(state);
}

void DataPage::resetLayout() {
    m_splitter->setSizes({280, 340, 700});
}

}  // namespace plumbline::gui
