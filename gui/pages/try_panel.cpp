// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/try_panel.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/background.h"
#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/pages/raw_values.h"
#include "gui/pages/sample_view.h"
#include "gui/workspace.h"
#include "session/run_files.h"
#include "widgets/bar_chart.h"
#include "widgets/filter_table.h"
#include "widgets/icons.h"
#include "widgets/image_grid.h"
#include "widgets/labels.h"
#include "widgets/shrinking_row.h"

namespace plumbline::gui {

using namespace widgets;

namespace {
constexpr int kAskAgainMs = 100;

constexpr int kPictureSize = 140;
constexpr int kLeastRowWidth = 264, kRowWidth = 320;  ///< of a table of columns, values and what the model gets of them
constexpr data::Split kSplits[] = {data::Split::kTest, data::Split::kValidation, data::Split::kTrain};

/// The single number in nested lists, where there is one.
std::optional<double> singleNumber(const Json& value) {
    if (value.is_number()) {
        return value.get<double>();
    }
    return value.is_array() && value.size() == 1 ? singleNumber(value.front()) : std::nullopt;
}

/// Which checkpoint of a run answers, and since when it is there; empty while there is none.
QString checkpointMark(const std::filesystem::path& runFolder) {
    const auto file = session::checkpointOfRun(runFolder);
    if (!file) {
        return {};
    }
    std::error_code none;
    return text(*file) + QLatin1Char(' ') +
           QString::number(std::filesystem::last_write_time(*file, none).time_since_epoch().count());
}

}  // namespace

TryPanel::TryPanel(Workspace& workspace, QWidget* parent) : QWidget(parent), m_workspace(workspace) {
    auto* title = new QLabel(tr("Try the model"), this);
    title->setFont(Theme::instance().titleFont());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, space::kSmall);
    layout->setSpacing(space::kSmall);
    layout->addWidget(title);
    layout->addWidget(makeInputs());
    layout->addWidget(makeAnswer(), 1);

    connect(m_source, &QComboBox::currentIndexChanged, this, &TryPanel::chooseSplit);
    connect(m_index, &QSpinBox::valueChanged, this, &TryPanel::chooseSample);
    connect(m_random, &QPushButton::clicked, this, &TryPanel::chooseRandom);
    connect(m_predict, &QPushButton::clicked, this, &TryPanel::predict);
    connect(m_text, &QLineEdit::returnPressed, this, &TryPanel::predict);
    connect(m_text, &QLineEdit::textChanged, this, [this] { update(); });
    connect(&workspace.bridge(), &RunBridge::engineChanged, this, [this] {
        update();
        if (split() && m_dataset) {
            predict();
        }
    });
    connect(&workspace.bridge(), &RunBridge::finished, this, [this] {
        if (std::exchange(m_unanswered, false)) {
            predict();  // the engine is free now, and a run that had no checkpoint yet has one
        }
    });
    update();
}

QWidget* TryPanel::makeInputs() {
    auto* box = new QWidget(this);
    m_source = new QComboBox(box);
    m_source->setObjectName(QStringLiteral("try_source"));
    m_source->setAccessibleName(tr("What the model is asked about"));
    m_source->addItems({tr("Test sample"), tr("Validation sample"), tr("Training sample"), tr("File or values")});

    auto* sample = new ShrinkingRow(box);
    m_index = new QSpinBox(sample);
    m_index->setObjectName(QStringLiteral("try_index"));
    m_index->setAccessibleName(tr("Number of the sample"));
    m_index->setKeyboardTracking(false);
    m_count = new QLabel(sample);
    m_count->setObjectName(QStringLiteral("try_count"));
    m_random = new QPushButton(icon(QStringLiteral("refresh")), tr("Pick at random"), sample);
    m_random->setObjectName(QStringLiteral("try_random"));
    QHBoxLayout* sampleRow = sample->row();
    sampleRow->addWidget(m_index);
    sampleRow->addWidget(m_count);
    sampleRow->addWidget(m_random);
    sampleRow->addStretch(1);
    sample->giveUpText(m_random);

    auto* given = new ShrinkingRow(box);
    m_text = new QLineEdit(given);
    m_text->setObjectName(QStringLiteral("try_input"));
    m_text->setAccessibleName(tr("Input"));
    m_text->setPlaceholderText(tr("An image file, or columns as a=1, b=2"));
    auto* browseButton = new QPushButton(icon(QStringLiteral("folder")), tr("Browse…"), given);
    browseButton->setObjectName(QStringLiteral("try_browse"));
    m_predict = new QPushButton(icon(QStringLiteral("run")), tr("Predict"), given);
    m_predict->setObjectName(QStringLiteral("try_predict"));
    QHBoxLayout* givenRow = given->row();
    givenRow->addWidget(m_text, 1);
    givenRow->addWidget(browseButton);
    givenRow->addWidget(m_predict);
    given->giveUpText(browseButton);
    given->giveUpText(m_predict);
    connect(browseButton, &QPushButton::clicked, this, &TryPanel::browse);

    m_inputs = new QStackedWidget(box);
    m_inputs->addWidget(sample);
    m_inputs->addWidget(given);
    m_inputs->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_source);
    row->addWidget(m_inputs, 1);
    return box;
}

QWidget* TryPanel::makeAnswer() {
    auto* box = new QWidget(this);
    m_verdict = new StatusChip(box);
    m_verdict->setObjectName(QStringLiteral("try_verdict"));
    m_verdict->hide();
    m_answer = new QLabel(box);
    m_answer->setObjectName(QStringLiteral("try_answer"));
    m_answer->setWordWrap(true);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_picture = new ImageGrid(box);
    m_picture->setObjectName(QStringLiteral("try_picture"));
    m_picture->setAccessibleName(tr("The sample as the model gets it"));
    m_picture->setTileSize(kPictureSize);
    m_row = new QTableWidget(0, 3, box);
    m_row->setTabKeyNavigation(false);
    offerCopy(*m_row);
    m_row->setObjectName(QStringLiteral("try_row"));
    m_row->setAccessibleName(tr("The sample"));
    m_row->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_row->setHorizontalHeaderLabels({tr("Column"), tr("Value"), tr("For the model")});
    m_row->horizontalHeader()->setStretchLastSection(true);
    m_row->verticalHeader()->hide();
    m_preview = new QStackedWidget(box);
    m_preview->addWidget(m_picture);
    m_preview->addWidget(m_row);
    m_preview->hide();
    m_chart = new BarChart(box);
    m_chart->setObjectName(QStringLiteral("try_chart"));
    m_chart->setAccessibleName(tr("Probability of each class"));
    m_chart->setUnit(tr("probability"));

    auto* verdict = new QHBoxLayout;
    verdict->addWidget(m_verdict);
    verdict->addWidget(m_answer, 1);
    m_reread = new QPushButton(box);
    m_reread->setObjectName(QStringLiteral("try_stop_reading"));
    m_reread->hide();
    verdict->addWidget(m_reread, 0, Qt::AlignTop);
    connect(m_reread, &QPushButton::clicked, this, [this] {
        if (m_opening && m_reading) {
            m_reading->stop();
        } else {
            openData();
            m_workspace.readDataAgain();
        }
    });
    auto* parts = new QHBoxLayout;
    parts->setSpacing(space::kSmall);
    parts->addWidget(m_preview);
    parts->addWidget(m_chart, 1);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::kSmall);
    layout->addLayout(verdict);
    layout->addLayout(parts, 1);
    return box;
}

// ---- Which run, which sample ----

void TryPanel::setRun(const QString& run, const QString& state) {
    if (run == m_run) {
        if (state != m_state && (!m_workspace.bridge().isActive() || m_noCheckpoint)) {
            m_state = state;
            lookAtCheckpoint();
        }
        return;
    }
    m_state = state;
    m_checkpoint.clear();
    m_noCheckpoint = false;
    m_unanswered = false;
    ++m_stamp;
    ++m_dataStamp;
    ++m_sampleStamp;
    m_busy = false;
    m_opening = false;
    m_again = false;
    m_run = run;
    m_reading.reset();
    m_dataset.reset();
    m_truth.clear();
    m_stopped = false;
    m_losses.clear();
    m_preview->hide();
    m_verdict->hide();
    m_chart->clear();
    update();
    openData();
}

/// The answer is that of the checkpoint that there is now.
void TryPanel::lookAtCheckpoint() {
    runInBackground(
        this,
        [folder = m_workspace.document().runsFolder() / filePath(m_run)]() -> Result<QString> {
            return checkpointMark(folder);
        },
        [this, run = m_run](const Result<QString>& mark) {
            if (run == m_run && mark && (*mark != m_checkpoint || (m_unanswered && !m_noCheckpoint))) {
                predictAgain();
            }
        });
}

std::optional<data::Split> TryPanel::split() const {
    const int index = m_source->currentIndex();
    return index >= 0 && index < static_cast<int>(std::size(kSplits)) ? std::optional(kSplits[index]) : std::nullopt;
}

void TryPanel::openData() {
    if (m_run.isEmpty() || m_dataset || m_opening || !split()) {
        return;
    }
    m_opening = true;
    m_stopped = false;
    m_reading.reset();
    update();
    const quint64 stamp = ++m_dataStamp;
    const std::filesystem::path folder = m_workspace.document().runsFolder() / filePath(m_run);
    runInBackground(
        this,
        [folder, projectFolder = m_workspace.document().folder()] {
            return session::projectOfRun(folder, projectFolder);
        },
        [this, stamp](const Result<project::Project>& project) {
            if (stamp != m_dataStamp) {
                return;
            }
            if (!project) {
                stopOpening(project.error());
                return;
            }
            m_losses = project->training.losses;
            readData(project->data);
        });
}

void TryPanel::readData(const data::DataSpec& spec) {
    m_reading = m_workspace.dataReader().read(spec, m_workspace.document().folder());
    update();
    if (m_reading->isDone()) {
        takeData();
        return;
    }
    connect(m_reading.get(), &DataReading::done, this, [this, asked = m_reading.get()] {
        if (m_opening && asked == m_reading.get()) {
            takeData();
        }
    });
}

void TryPanel::takeData() {
    if (!m_reading->result()) {
        stopOpening(m_reading->result().error());
        return;
    }
    m_opening = false;
    m_stopped = false;
    m_dataset = *m_reading->result();
    chooseSplit();
}

void TryPanel::stopOpening(const Error& error) {
    m_opening = false;
    m_stopped = m_reading && m_reading->isStopped();
    update();
    say(m_stopped ? tr("Reading the data was stopped.") : errorSentence(error));
}

void TryPanel::chooseSplit() {
    ++m_stamp;
    m_busy = false;
    m_again = false;
    m_verdict->hide();
    m_chart->clear();
    m_inputs->setCurrentIndex(split() ? 0 : 1);
    if (!split()) {
        ++m_sampleStamp;
        m_preview->hide();
        update();
        return;
    }
    if (!m_dataset) {
        update();
        openData();
        return;
    }
    const auto count =
        static_cast<int>(std::min<std::int64_t>(m_dataset->size(*split()), std::numeric_limits<int>::max()));
    {
        const QSignalBlocker quiet(m_index);
        m_index->setRange(0, std::max(0, count - 1));
    }
    m_count->setText(tr("of %1").arg(countText(count)));
    m_index->setEnabled(count > 0);
    m_random->setEnabled(count > 1);
    update();
    if (count == 0) {
        m_preview->hide();
        say(tr("This split holds no sample."));
        return;
    }
    chooseSample();
}

void TryPanel::chooseRandom() {
    int next = QRandomGenerator::global()->bounded(m_index->maximum());
    next += next >= m_index->value() ? 1 : 0;  // always another one
    m_index->setValue(next);
}

void TryPanel::chooseSample() {
    if (!split() || !m_dataset) {
        return;
    }
    const quint64 stamp = ++m_sampleStamp;
    runInBackground(
        this,
        [dataset = m_dataset, split = *split(), position = static_cast<std::int64_t>(m_index->value())] {
            return dataset->makeBatch(split, {position}, 0, false);
        },
        [this, stamp](const Result<data::HostBatch>& batch) {
            if (stamp != m_sampleStamp || !m_dataset) {
                return;
            }
            if (!batch) {
                say(errorSentence(batch.error()));
                return;
            }
            showSample(*batch);
            predict();
        });
}

void TryPanel::showSample(const data::HostBatch& batch) {
    const data::Dataset& dataset = *m_dataset;
    m_truth = targetText(dataset, batch, 0);
    m_trueNumbers.clear();
    for (std::size_t i = 0; i < dataset.targets().size(); ++i) {
        m_trueNumbers.push_back(targetNumber(dataset, batch, i, 0).value_or(std::nan("")));
    }
    std::vector<GridImage> pictures = samplePictures(dataset, batch);
    if (!pictures.empty()) {
        m_picture->setImages(pictures);
        m_preview->setCurrentWidget(m_picture);
        m_preview->setFixedWidth(kPictureSize + 2 * space::kHuge);
    } else {
        const SampleTable table = sampleRows(dataset, batch), given = sampleRows(dataset, batch, Values::Model);
        m_row->setColumnHidden(2, !hasRawValues(dataset));
        m_row->setRowCount(static_cast<int>(table.header.size()));
        for (int i = 0; i < m_row->rowCount(); ++i) {
            m_row->setItem(i, 0, new QTableWidgetItem(table.header[i]));
            m_row->setItem(i, 1, new QTableWidgetItem(table.rows.front()[i]));
            m_row->setItem(i, 2, new QTableWidgetItem(given.rows.front()[i]));
        }
        m_row->resizeColumnToContents(0);
        m_row->resizeColumnToContents(1);
        m_preview->setCurrentWidget(m_row);
        const bool both = hasRawValues(dataset);
        m_preview->setMaximumWidth(both ? kRowWidth : kPictureSize + 2 * space::kHuge);
        m_preview->setMinimumWidth(both ? kLeastRowWidth : kPictureSize);
    }
    m_preview->show();
}

void TryPanel::browse() {
    auto* dialog = new QFileDialog(this, tr("Choose an input"), text(m_workspace.document().folder()));
    dialog->setObjectName(QStringLiteral("dialog_try_input"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Images (*.png *.jpg *.jpeg)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        m_text->setText(file);
        predict();
    });
    dialog->open();
}

// ---- The answer ----

QString TryPanel::input() const {
    return split() ? QStringLiteral("%1:%2").arg(text(data::toString(*split()))).arg(m_index->value())
                   : m_text->text().trimmed();
}

void TryPanel::say(const QString& sentence) {
    m_answer->setText(sentence);
}

void TryPanel::update() {
    const bool ready = m_workspace.bridge().engineState() == EngineState::Ready;
    m_predict->setEnabled(ready && !m_busy && !m_run.isEmpty() && !input().isEmpty());
    m_reread->setVisible((m_opening && m_reading) || m_stopped);
    m_reread->setText(m_stopped ? tr("Read again") : tr("Stop reading"));
    m_source->setEnabled(!m_run.isEmpty());
    m_inputs->setEnabled(!m_run.isEmpty());
    if (m_run.isEmpty()) {
        say(tr("Select one run to ask its model."));
    } else if (!ready) {
        say(tr("LibTorch is not loaded, so the model cannot compute."));
    } else if (m_opening) {
        say(tr("Reading the data of this run…"));
    } else if (m_stopped) {
        say(tr("Reading the data was stopped."));
    } else if (m_busy) {
        say(tr("Computing…"));
    } else {
        say(tr("Uses the best checkpoint of run %1.").arg(m_run));
    }
}

void TryPanel::predict() {
    if (m_workspace.bridge().engineState() != EngineState::Ready || m_run.isEmpty() || input().isEmpty()) {
        return;
    }
    if (m_busy) {
        m_again = true;  // one at a time: the newest choice is computed next
        return;
    }
    m_busy = true;
    m_verdict->hide();
    update();
    const quint64 stamp = ++m_stamp;
    const std::filesystem::path folder = m_workspace.document().runsFolder() / filePath(m_run);
    const std::filesystem::path projectFolder = m_workspace.document().folder();
    const auto engine = m_workspace.bridge().engine();
    const auto mark = std::make_shared<QString>();
    runInBackground(
        this,
        [folder, projectFolder, engine, input = bytes(input()), mark]() -> Result<std::vector<session::Prediction>> {
            *mark = checkpointMark(folder);
            session::PredictRequest request;
            PLUMBLINE_ASSIGN(request.project, session::projectOfRun(folder, projectFolder));
            PLUMBLINE_ASSIGN(request.checkpoint, session::checkpointOfRun(folder));
            request.inputs = {input};
            return engine->predict(request);
        },
        [this, stamp, mark](const Result<std::vector<session::Prediction>>& predictions) {
            if (stamp != m_stamp) {
                return;
            }
            m_checkpoint = *mark;
            m_noCheckpoint = !predictions && predictions.error().code == "no-checkpoint";
            m_busy = false;
            update();
            if (std::exchange(m_again, false)) {
                predict();
            } else {
                show(predictions);
            }
        });
}

void TryPanel::predictAgain() {
    if (m_busy) {
        m_again = true;
    } else if (split() && m_dataset) {
        predict();
    } else if (!split()) {
        m_verdict->hide();
        m_chart->clear();
        update();
    }
}

namespace {
/// What to know of the checkpoint that answered, in a line of its own.
QString remarkOn(const session::Prediction& prediction) {
    return prediction.remark.empty() ? QString() : QLatin1Char('\n') + engineSentence(prediction.remark);
}
}  // namespace

void TryPanel::show(const Result<std::vector<session::Prediction>>& predictions) {
    if (!predictions) {
        m_unanswered = true;
        if (predictions.error().code == "engine-busy" && !m_workspace.bridge().isActive()) {
            // The run's end came before the refusal: the engine is about to be free.
            QTimer::singleShot(kAskAgainMs, this, &TryPanel::predict);
            return;
        }
        m_chart->clear();
        say(errorSentence(predictions.error()));
        return;
    }
    m_unanswered = false;
    if (predictions->empty()) {
        return;
    }
    const session::Prediction& prediction = predictions->front();
    if (prediction.classes.empty()) {
        showNumbers(prediction);
        return;
    }
    const QString best = text(prediction.classes.front().first);
    QString sentence =
        tr("Predicts %1 with a probability of %2 %.").arg(best).arg(100 * prediction.classes.front().second, 0, 'f', 1);
    if (split()) {
        sentence += QLatin1Char(' ') + tr("Its true label is %1.").arg(m_truth);
        const bool right = best == m_truth;
        m_verdict->setStatus(right ? Severity::Good : Severity::Critical, right ? tr("right") : tr("wrong"));
        m_verdict->show();
    }
    say(sentence + remarkOn(prediction));
    QStringList labels;
    BarSeries bars;
    bars.name = tr("Probability");
    for (const auto& [name, probability] : prediction.classes) {
        labels.append(text(name));
        bars.values.push_back(probability);
    }
    m_chart->setBars(labels, {bars});
}

std::size_t TryPanel::targetOf(const std::string& output) const {
    for (const plan::LossSpec& loss : m_losses) {
        if (loss.output != output || !m_dataset) {
            continue;
        }
        const auto& targets = m_dataset->targets();
        const auto it = std::find_if(targets.begin(), targets.end(),
                                     [&](const data::FeedInfo& target) { return target.name == loss.target; });
        return static_cast<std::size_t>(it - targets.begin());
    }
    return 0;
}

void TryPanel::showNumbers(const session::Prediction& prediction) {
    m_chart->clear();
    QStringList parts;
    std::optional<double> only;
    QString given;  // what the model gives, where that is not in the data's unit
    std::size_t target = 0;
    for (const auto& [name, value] : prediction.outputs.items()) {
        std::optional<double> number = singleNumber(value);
        target = targetOf(name);
        const auto back = number && m_dataset && target < m_dataset->targets().size()
                              ? RawValues::of(m_dataset->targets()[target])
                              : std::nullopt;
        if (back) {
            given = QLatin1Char(' ') + tr("(%1 as the model gives it)").arg(sampleValueText(*number));
            number = back->at(0, *number);
        }
        parts << QStringLiteral("%1 = %2").arg(
            text(name), number ? sampleValueText(*number) + (back ? given : QString()) : text(value.dump()));
        only = prediction.outputs.size() == 1 ? number : std::nullopt;
    }
    if (!only || !split() || target >= m_trueNumbers.size() || !std::isfinite(m_trueNumbers[target])) {
        say(parts.join(QLatin1Char('\n')) + remarkOn(prediction));
        return;
    }
    const double truth = m_trueNumbers[target];
    say(tr("Predicts %1. The true value is %2, so it is off by %3.")
            .arg(sampleValueText(*only) + given, sampleValueText(truth), sampleValueText(std::abs(*only - truth))) +
        remarkOn(prediction));
}

}  // namespace plumbline::gui
