// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/try_panel.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/background.h"
#include "gui/convert.h"
#include "gui/workspace.h"
#include "session/run_files.h"
#include "widgets/bar_chart.h"
#include "widgets/icons.h"

namespace plumbline::gui {

using namespace widgets;

TryPanel::TryPanel(Workspace& workspace, QWidget* parent) : QWidget(parent), m_workspace(workspace) {
    auto* title = new QLabel(tr("Try the model"), this);
    title->setFont(Theme::instance().titleFont());
    m_input = new QLineEdit(this);
    m_input->setObjectName(QStringLiteral("try_input"));
    m_input->setAccessibleName(tr("Input"));
    m_input->setPlaceholderText(tr("An image file, or columns as a=1, b=2"));
    auto* browseButton = new QPushButton(icon(QStringLiteral("folder")), tr("Browse…"), this);
    browseButton->setObjectName(QStringLiteral("try_browse"));
    m_predict = new QPushButton(icon(QStringLiteral("run")), tr("Predict"), this);
    m_predict->setObjectName(QStringLiteral("try_predict"));
    m_answer = new QLabel(this);
    m_answer->setObjectName(QStringLiteral("try_answer"));
    m_answer->setWordWrap(true);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_chart = new BarChart(this);
    m_chart->setObjectName(QStringLiteral("try_chart"));
    m_chart->setAccessibleName(tr("Probability of each class"));
    m_chart->setUnit(tr("probability"));

    auto* row = new QHBoxLayout;
    row->addWidget(m_input, 1);
    row->addWidget(browseButton);
    row->addWidget(m_predict);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, space::kSmall);
    layout->setSpacing(space::kSmall);
    layout->addWidget(title);
    layout->addLayout(row);
    layout->addWidget(m_answer);
    layout->addWidget(m_chart, 1);

    connect(browseButton, &QPushButton::clicked, this, &TryPanel::browse);
    connect(m_predict, &QPushButton::clicked, this, &TryPanel::predict);
    connect(m_input, &QLineEdit::returnPressed, this, &TryPanel::predict);
    connect(m_input, &QLineEdit::textChanged, this, [this] { update(); });
    connect(&workspace.bridge(), &RunBridge::engineChanged, this, [this] { update(); });
    update();
}

void TryPanel::setRun(const QString& run) {
    if (run == m_run) {
        return;
    }
    ++m_stamp;
    m_busy = false;
    m_run = run;
    m_chart->clear();
    update();
}

void TryPanel::update() {
    const bool ready = m_workspace.bridge().engineState() == EngineState::Ready;
    m_predict->setEnabled(ready && !m_busy && !m_run.isEmpty() && !m_input->text().trimmed().isEmpty());
    if (m_run.isEmpty()) {
        m_answer->setText(tr("Select one run to ask its model."));
    } else if (!ready) {
        m_answer->setText(tr("LibTorch is not loaded, so the model cannot compute."));
    } else if (m_busy) {
        m_answer->setText(tr("Computing…"));
    } else {
        m_answer->setText(tr("Uses the best checkpoint of run %1.").arg(m_run));
    }
}

void TryPanel::browse() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Choose an input"), text(m_workspace.document().folder()),
                                                      tr("Images (*.png *.jpg *.jpeg);;All files (*)"));
    if (!file.isEmpty()) {
        m_input->setText(file);
        predict();
    }
}

void TryPanel::predict() {
    if (!m_predict->isEnabled()) {
        return;
    }
    m_busy = true;
    update();
    const quint64 stamp = ++m_stamp;
    const std::filesystem::path folder = m_workspace.document().runsFolder() / filePath(m_run);
    const std::filesystem::path projectFolder = m_workspace.document().folder();
    const std::string input = bytes(m_input->text().trimmed());
    const auto engine = m_workspace.bridge().engine();
    runInBackground(
        this,
        [=]() -> Result<std::vector<session::Prediction>> {
            session::PredictRequest request;
            PLUMBLINE_ASSIGN(request.project, session::projectOfRun(folder, projectFolder));
            PLUMBLINE_ASSIGN(request.checkpoint, session::checkpointOfRun(folder));
            request.inputs = {input};
            return engine->predict(request);
        },
        [this, stamp](Result<std::vector<session::Prediction>> predictions) {
            if (stamp == m_stamp) {
                m_busy = false;
                update();
                show(predictions);
            }
        });
}

void TryPanel::show(const Result<std::vector<session::Prediction>>& predictions) {
    m_chart->clear();
    if (!predictions) {
        m_answer->setText(text(toSentence(predictions.error())));
        return;
    }
    if (predictions->empty()) {
        return;
    }
    const session::Prediction& prediction = predictions->front();
    if (prediction.classes.empty()) {
        m_answer->setText(text(prediction.outputs.dump()));
        return;
    }
    m_answer->setText(tr("%1, with a probability of %2 %")
                          .arg(text(prediction.classes.front().first))
                          .arg(100 * prediction.classes.front().second, 0, 'f', 1));
    QStringList labels;
    BarSeries bars;
    bars.name = tr("Probability");
    for (const auto& [name, probability] : prediction.classes) {
        labels.append(text(name));
        bars.values.push_back(probability);
    }
    m_chart->setBars(labels, {bars});
}

}  // namespace plumbline::gui
