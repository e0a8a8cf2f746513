// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/sweeps/sweep_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QThread>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/convert.h"
#include "gui/dialog_buttons.h"
#include "gui/engine_sentence.h"
#include "gui/screen_room.h"
#include "gui/sweeps/parameter_rows.h"
#include "plan/plan.h"
#include "project/varied_settings.h"
#include "store/run_store.h"
#include "sweep/sweep_file.h"
#include "widgets/accent_icon.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr QSize kUsual(820, 640);
constexpr int kMost = 1'000'000'000, kMostTrials = 1'000'000, kMostParallel = 256, kMostEta = 100;
constexpr int kUsualTrials = 20, kUsualMinSteps = 100, kUsualEta = 3;

const struct {
    const char* word;
    const char* label;
    const char* help;
} kMethods[] = {{"random", QT_TRANSLATE_NOOP("plumbline::gui::SweepDialog", "Random"),
                 QT_TRANSLATE_NOOP(
                     "plumbline::gui::SweepDialog",
                     "Each trial draws its values independently and evenly (Bergstra and Bengio 2012); of lists alone "
                     "each combination comes once.")},
                {"grid", QT_TRANSLATE_NOOP("plumbline::gui::SweepDialog", "Grid"),
                 QT_TRANSLATE_NOOP("plumbline::gui::SweepDialog", "Every combination of the values.")},
                {"halving", QT_TRANSLATE_NOOP("plumbline::gui::SweepDialog", "Successive halving"),
                 QT_TRANSLATE_NOOP("plumbline::gui::SweepDialog",
                                   "All trials run some steps, then the better ones go on with several times as many "
                                   "(Jamieson and Talwalkar 2016).")},
                {"tpe", QT_TRANSLATE_NOOP("plumbline::gui::SweepDialog", "TPE"),
                 QT_TRANSLATE_NOOP("plumbline::gui::SweepDialog",
                                   "After ten random trials it tries where it was good (tree-structured Parzen "
                                   "estimator, Bergstra et al. 2011).")}};

QSpinBox* spinBox(const char* name, const QString& label, int least, int most, int value, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(label);
    box->setRange(least, most);
    box->setValue(value);
    box->setGroupSeparatorShown(true);
    return box;
}

}  // namespace

QStringList sweepableSettings() {
    QStringList paths;
    for (const plan::SettingSpec& spec : plan::settings()) {
        if (spec.type != "list" && spec.type != "object") {
            paths << text(spec.path);
        }
    }
    return paths;
}

SweepDialog::SweepDialog(std::shared_ptr<const project::Project> project, bool unsaved, QWidget* parent)
    : QDialog(parent), m_project(std::move(project)) {
    setObjectName(QStringLiteral("dialog_sweep"));
    setWindowTitle(tr("New sweep"));
    resize(withinScreen(kUsual));
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::kMedium);
    auto* intro =
        new QLabel(tr("Each trial is a run with other values of these settings, in a process of its own."), body);
    intro->setObjectName(QStringLiteral("sweep_intro"));
    intro->setWordWrap(true);
    intro->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(intro);
    m_parameters = new ParameterRows(sweepableSettings(), body);
    column->addWidget(m_parameters);
    m_form = new QFormLayout;
    m_form->setHorizontalSpacing(space::kMedium);
    m_form->setVerticalSpacing(space::kSmall);
    makeFields(*m_form);
    column->addLayout(m_form);
    column->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("sweep_scroll"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(body);
    scroll->setMinimumWidth(
        std::min(kUsual.width(), body->minimumSizeHint().width() + scroll->verticalScrollBar()->sizeHint().width()));
    m_problem = new QLabel(this);
    m_problem->setObjectName(QStringLiteral("sweep_problem"));
    m_problem->setWordWrap(true);
    m_warnings = new QWidget(this);
    auto* mark = new QLabel(m_warnings);
    mark->setPixmap(severityIcon(Severity::Warning).pixmap(kIconSize));
    m_warning = new QLabel(m_warnings);
    m_warning->setObjectName(QStringLiteral("sweep_warning"));
    m_warning->setWordWrap(true);
    auto* warnings = new QHBoxLayout(m_warnings);
    warnings->setContentsMargins(0, 0, 0, 0);
    warnings->setSpacing(space::kSmall);
    warnings->addWidget(mark, 0, Qt::AlignTop);
    warnings->addWidget(m_warning, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_start = buttons->addButton(unsaved ? tr("Save and start") : tr("Start"), QDialogButtonBox::AcceptRole);
    m_start->setObjectName(QStringLiteral("sweep_start"));
    m_start->setDefault(true);
    setAccentIcon(*m_start, QStringLiteral("run"));
    m_start->setToolTip(unsaved ? tr("Trials read project.json: what was changed is saved first.") : QString());
    nameDialogButtons(*this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kLarge, space::kLarge, space::kLarge, space::kLarge);
    layout->setSpacing(space::kMedium);
    layout->addWidget(scroll, 1);
    layout->addWidget(m_warnings);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_parameters, &ParameterRows::changed, this, &SweepDialog::update);
    connect(m_method, &QComboBox::currentIndexChanged, this, [this] {
        m_parameters->setGrid(m_method->currentData() == QLatin1String("grid"));
        update();
    });
    connect(m_name, &QLineEdit::textChanged, this, &SweepDialog::update);
    connect(m_series, &QComboBox::currentTextChanged, this, &SweepDialog::update);
    update();
    m_parameters->row(0)->focus();
}

void SweepDialog::makeFields(QFormLayout& form) {
    QWidget* parent = m_parameters->parentWidget();
    m_method = new QComboBox(parent);
    m_method->setObjectName(QStringLiteral("sweep_method"));
    m_method->setAccessibleName(tr("How values are chosen"));
    for (const auto& method : kMethods) {
        m_method->addItem(tr(method.label), QLatin1String(method.word));
    }
    m_methodHelp = new QLabel(parent);
    m_methodHelp->setObjectName(QStringLiteral("sweep_method_help"));
    m_methodHelp->setWordWrap(true);
    m_methodHelp->setForegroundRole(QPalette::PlaceholderText);
    m_trials = spinBox("sweep_trials", tr("Trials"), 1, kMostTrials, kUsualTrials, parent);
    m_parallel = spinBox("sweep_parallel", tr("At a time"), 1, kMostParallel, 1, parent);
    m_parallel->setToolTip(
        tr("Trials at a time; they share the %n processor core(s)", nullptr, QThread::idealThreadCount()));
    m_series = new QComboBox(parent);
    m_series->setObjectName(QStringLiteral("sweep_series"));
    m_series->setAccessibleName(tr("Judged by"));
    m_series->setEditable(true);
    m_series->setInsertPolicy(QComboBox::NoInsert);
    QStringList series{QStringLiteral("val.loss")};
    for (const plan::MetricSpec& metric : m_project->training.metrics) {
        if (plan::metricTraits(metric.type).isNumber) {
            series << QStringLiteral("val.") + text(metric.name());
        }
    }
    series << QStringLiteral("train.loss");
    m_series->addItems(series);
    const std::string& own = m_project->training.checkpoints.bestSeries;
    m_series->setCurrentText(own.empty() ? QStringLiteral("val.loss") : text(own));
    m_mode = new QComboBox(parent);
    m_mode->setObjectName(QStringLiteral("sweep_mode"));
    m_mode->setAccessibleName(tr("Which value is better"));
    m_mode->addItem(tr("as the series says"), QString());
    m_mode->addItem(tr("the smaller one"), QStringLiteral("min"));
    m_mode->addItem(tr("the larger one"), QStringLiteral("max"));
    m_maxSteps = spinBox("sweep_max_steps", tr("Steps of a trial"), 0, kMost, 0, parent);
    m_maxSteps->setSpecialValueText(tr("as the project says"));
    m_minSteps = spinBox("sweep_min_steps", tr("First steps of all trials"), 1, kMost, kUsualMinSteps, parent);
    m_eta = spinBox("sweep_eta", tr("One goes on of"), 2, kMostEta, kUsualEta, parent);
    m_seed = spinBox("sweep_seed", tr("Seed of the values"), 0, kMost, 0, parent);
    m_name = new QLineEdit(parent);
    m_name->setObjectName(QStringLiteral("sweep_name"));
    m_name->setAccessibleName(tr("Name"));
    m_name->setPlaceholderText(tr("sweep1, sweep2 …; runs are called as it, with a number behind"));
    form.addRow(tr("Method"), m_method);
    form.addRow(QString(), m_methodHelp);
    for (QWidget* field : std::initializer_list<QWidget*>{m_trials, m_minSteps, m_eta, m_maxSteps, m_parallel, m_series,
                                                          m_mode, m_seed, m_name}) {
        form.addRow(field->accessibleName(), field);
    }
}

void SweepDialog::update() {
    const QString method = m_method->currentData().toString();
    m_methodHelp->setText(tr(kMethods[m_method->currentIndex()].help));
    const bool halving = method == QLatin1String("halving");
    m_form->setRowVisible(m_minSteps, halving);
    m_form->setRowVisible(m_eta, halving);
    m_form->setRowVisible(m_trials, method != QLatin1String("grid"));
    const Status status = check();
    m_problem->setText(status ? QString() : errorSentence(status.error()));
    m_problem->setVisible(!status);
    m_start->setEnabled(status.has_value());
    m_warning->setText(status ? warning() : QString());
    m_warnings->setVisible(!m_warning->text().isEmpty());
}

QString SweepDialog::warning() const {
    std::vector<project::VariedSetting> varied;
    for (const QString& each : m_parameters->over()) {
        if (const auto parameter = sweep::parseParameter(bytes(each))) {
            varied.push_back({parameter->path, parameter->isRange() ? std::vector{parameter->at(0), parameter->at(1)}
                                                                    : parameter->choices});
        }
    }
    QStringList said;
    for (const graph::Problem& problem : project::variedWithoutEffect(*m_project, varied)) {
        said << engineSentence(problem.message);
    }
    return said.join(QLatin1Char('\n'));
}

Status SweepDialog::check() const {
    const QStringList over = m_parameters->over();
    if (over.isEmpty()) {
        return fail(ErrorKind::kUsage, "no-parameter", bytes(tr("Choose a setting that is to be tried.")));
    }
    QStringList paths;
    const bool grid = m_method->currentData() == QLatin1String("grid");
    for (const QString& each : over) {
        PLUMBLINE_ASSIGN(const sweep::Parameter parameter, sweep::parseParameter(bytes(each)));
        if (paths.contains(text(parameter.path))) {
            return fail(ErrorKind::kUsage, "parameter-twice", bytes(tr("%1 is there twice.").arg(text(parameter.path))),
                        {}, bytes(tr("Put all of its values into one row.")));
        }
        paths << text(parameter.path);
        for (const std::string& value :
             parameter.isRange() ? std::vector{parameter.at(0), parameter.at(1)} : parameter.choices) {
            PLUMBLINE_TRY(project::withSetting(*m_project, parameter.path, value));
        }
    }
    std::vector<sweep::Parameter> parameters;
    for (const QString& each : over) {
        PLUMBLINE_ASSIGN(sweep::Parameter parameter, sweep::parseParameter(bytes(each)));
        parameters.push_back(std::move(parameter));
    }
    PLUMBLINE_TRY(sweep::makeSampler(grid ? "grid" : "random", std::move(parameters), 0));
    if (m_series->currentText().trimmed().isEmpty()) {
        return fail(ErrorKind::kUsage, "no-series", bytes(tr("Say by which series the trials are judged.")));
    }
    if (const std::string name = bytes(m_name->text()); !name.empty()) {
        PLUMBLINE_TRY(sweep::checkSweepName(name));
        PLUMBLINE_TRY(store::checkRunName(name));
    }
    return {};
}

QStringList SweepDialog::arguments() const {
    const QString method = m_method->currentData().toString();
    QStringList all;
    for (const QString& each : m_parameters->over()) {
        all << QStringLiteral("--over") << each;
    }
    all << QStringLiteral("--method") << method;
    if (method != QLatin1String("grid")) {
        all << QStringLiteral("--trials") << QString::number(m_trials->value());
    }
    if (method == QLatin1String("halving")) {
        all << QStringLiteral("--min-steps") << QString::number(m_minSteps->value()) << QStringLiteral("--eta")
            << QString::number(m_eta->value());
    }
    if (m_maxSteps->value() > 0) {
        all << QStringLiteral("--max-steps") << QString::number(m_maxSteps->value());
    }
    all << QStringLiteral("--parallel") << QString::number(m_parallel->value()) << QStringLiteral("--seed")
        << QString::number(m_seed->value());
    all << QStringLiteral("--metric") << m_series->currentText().trimmed();
    if (const QString mode = m_mode->currentData().toString(); !mode.isEmpty()) {
        all << QStringLiteral("--mode") << mode;
    }
    if (!m_name->text().isEmpty()) {
        all << QStringLiteral("--name") << m_name->text();
    }
    return all;
}

}  // namespace plumbline::gui
