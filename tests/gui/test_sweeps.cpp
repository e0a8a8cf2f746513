// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps: what a new one is asked for, the process that runs it, its trials as they come, and runs that have a parent.
// PLUMBLINE_SHOTS names a folder for pictures of what was looked at.
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <cmath>

#include "core/files.h"
#include "gui/pages/run_table_model.h"
#include "gui/pages/sweeps_page.h"
#include "gui/sweeps/parameter_rows.h"
#include "gui/sweeps/sweep_dialog.h"
#include "gui/sweeps/sweep_filter.h"
#include "gui/sweeps/sweep_list.h"
#include "gui/sweeps/sweep_process.h"
#include "gui/sweeps/trial_lines.h"
#include "gui/sweeps/trial_model.h"
#include "gui/sweeps/trial_plot.h"
#include "gui/sweeps/trial_views.h"
#include "widgets/empty_state.h"
#include "widgets/filter_table.h"
#include "widgets/labels.h"
#include "widgets/message_banner.h"
#include "widgets/parallel_plot.h"
#include "widgets/plot_widget.h"
#include "window_fixture.h"

namespace plumbline::gui::test {

namespace {

sweep::SweepPlan planOf(const std::string& name) {
    sweep::SweepPlan plan;
    plan.name = name;
    plan.method = "random";
    plan.over = {"training.optimizer.lr=log:1e-4..1e-1", "training.optimizer.type=SGD,AdamW"};
    plan.trials = 4;
    plan.series = "val.loss";
    plan.definitionHash = "x";
    return plan;
}

sweep::Trial trialOf(std::int64_t number, const std::string& lr, const std::string& type, const std::string& status,
                     std::optional<double> value, const std::string& run = "") {
    sweep::Trial trial;
    trial.number = number;
    trial.point = {0.5, 0.5};
    trial.settings = {{"training.optimizer.lr", lr}, {"training.optimizer.type", type}};
    trial.status = status;
    trial.value = value;
    trial.run = run;
    if (status == "failed") {
        trial.error = "The batch does not fit into memory.";
    }
    return trial;
}

/// Four trials of which one failed and one has not ended.
void writeSweep(const std::filesystem::path& sweeps, const std::string& name, const std::string& run = "run-0") {
    auto file = sweep::SweepFile::create(sweeps, planOf(name));
    if (!file || !file->put(trialOf(0, "0.01", "SGD", "completed", 0.5, run)) ||
        !file->put(trialOf(1, "0.001", "AdamW", "completed", 0.25, "run-1")) ||
        !file->put(trialOf(2, "0.09", "SGD", "failed", std::nullopt, "run-2")) ||
        !file->put(trialOf(3, "0.0005", "AdamW", "running", std::nullopt))) {
        qFatal("no sweep");
    }
}

/// A program in the place of plumbline.
QString script(const QTemporaryDir& folder, const QByteArray& lines) {
    const QString path = folder.filePath("program.sh");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/bash\n" + lines + "\n") < 0 ||
        !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner)) {
        qFatal("no program");
    }
    return path;
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Goes on until it is interrupted, and says so as plumbline does.
const QByteArray kUntilInterrupted =
    "trap 'exit 130' INT\necho \"$@\" > \"$(dirname \"$0\")/told\"\nwhile true; do sleep 0.05; done";

void shoot(QWidget& widget, const char* name) {
    if (const QString shots = qEnvironmentVariable("PLUMBLINE_SHOTS"); !shots.isEmpty()) {
        QTest::qWait(300);  // what is laid out later
        QVERIFY(widget.grab().save(QStringLiteral("%1/%2.png").arg(shots, QLatin1String(name))));
    }
}

struct SweepFixture : WindowFixture {
    SweepFixture() {
        window.resize(1200, 800);
        window.show();
    }
    SweepsPage* page() { return static_cast<SweepsPage*>(window.page("sweeps")); }
    std::filesystem::path sweeps() { return document().folder() / "sweeps"; }
    bool look() {
        window.showPage("sweeps");
        page()->activated();
        return QTest::qWaitFor([this] { return page()->isSettled(); }, 20000);
    }
    QAbstractItemModel* trials() { return named<widgets::FilterTable>("sweep_trials")->view()->model(); }
};

}  // namespace

class SweepsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutASweepThePageSaysWhatWouldBeHere() {
        SweepFixture f;
        QVERIFY(f.look());
        QVERIFY(f.named<widgets::EmptyState>("sweeps_empty")->isVisible());
        auto* fresh = f.named<widgets::EmptyState>("sweeps_empty")->findChild<QPushButton*>("emptyStateButton");
        QVERIFY(fresh->isEnabled() && fresh->toolTip().isEmpty());
        // While a sweep of another project is on, the button says so instead of doing nothing.
        f.page()->process().setProgram(script(f.temporary, kUntilInterrupted));
        f.page()->process().start(filePath(f.temporary.filePath("other")), {});
        QTRY_VERIFY_WITH_TIMEOUT(!contentOf(f.temporary.filePath("told")).isEmpty(), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(!fresh->isEnabled(), 20000);
        QVERIFY2(fresh->toolTip().contains("other"), qPrintable(fresh->toolTip()));
        f.page()->process().stop();
        QTRY_VERIFY_WITH_TIMEOUT(fresh->isEnabled(), 20000);
        QVERIFY(!f.named<widgets::FilterTable>("sweep_trials")->isVisible());
    }

    void trialsStandWithStateObjectiveAndParametersAndTheBestIsMarked() {
        SweepFixture f;
        writeSweep(f.sweeps(), "first");
        QVERIFY(f.look());
        QTRY_COMPARE_WITH_TIMEOUT(f.trials()->rowCount(), 4, 20000);
        QStringList heads;
        for (int column = 0; column < f.trials()->columnCount(); ++column) {
            heads << f.trials()->headerData(column, Qt::Horizontal).toString();
        }
        QCOMPARE(heads, QStringList({"Trial", "State", "val.loss", "optimizer.lr", "optimizer.type", "Run", "Remark"}));
        const auto cell = [&](int row, int column) { return f.trials()->index(row, column).data().toString(); };
        QCOMPARE(cell(1, TrialModel::Objective), metricText(0.25));
        QCOMPARE(cell(1, TrialModel::FirstParameter), QString("0.001"));
        QCOMPARE(cell(2, TrialModel::State), QString("failed"));
        QCOMPARE(cell(2, 6), QString("The batch does not fit into memory."));
        QCOMPARE(cell(3, TrialModel::State), QString("stopped"));  // no process runs it
        QVERIFY(!f.trials()->index(1, TrialModel::Number).data(Qt::DecorationRole).isNull());
        QVERIFY(f.trials()->index(0, TrialModel::Number).data(Qt::DecorationRole).isNull());
        QVERIFY(f.named<widgets::ElidedLabel>("sweep_summary")->text().contains("3 of 4"));
        // By the objective the best comes first and what has none last.
        auto* view = f.named<widgets::FilterTable>("sweep_trials")->view();
        view->sortByColumn(TrialModel::Objective, Qt::AscendingOrder);
        QCOMPARE(cell(0, TrialModel::Number), QString("1"));
        QCOMPARE(cell(1, TrialModel::Number), QString("0"));
        shoot(f.window, "sweeps");
    }

    void thePlotHasADotForEachTrialThatHasAValue() {
        SweepFixture f;
        writeSweep(f.sweeps(), "first");
        QVERIFY(f.look());
        auto* plot = f.named<widgets::PlotWidget>("sweep_plot");
        QTRY_COMPARE_WITH_TIMEOUT(plot->pointCount("trials"), 1, 20000);
        QCOMPARE(plot->pointCount("best"), 1);
        QVERIFY(plot->isXLog());
        QVERIFY2(plot->toCsv().contains("0.001"), qPrintable(plot->toCsv()));
        auto* parameter = f.named<QComboBox>("sweep_parameter");
        parameter->setCurrentIndex(1);  // words: counted in the order in which they are listed
        QVERIFY(!plot->isXLog());
        QCOMPARE(plot->pointCount("trials"), 1);
        QCOMPARE(placeOnAxis(*sweep::parseParameter("training.optimizer.type=SGD,AdamW"),
                             trialOf(1, "0.001", "AdamW", "completed", 0.25)),
                 std::optional(2.0));
    }

    void eachTrialIsALineOverItsParametersAndTheObjective() {
        SweepEntry entry;
        entry.plan = planOf("first");
        entry.plan.isMax = true;
        for (const char* over : {"training.optimizer.lr=log:1e-4..1e-1", "training.optimizer.type=SGD,AdamW",
                                 "data.loader.batch_size=16,32,64", "training.optimizer.betas=[0.9,0.99],[0.8,0.9]"}) {
            entry.parameters.push_back(*sweep::parseParameter(over));
        }
        entry.trials = {trialOf(0, "0.01", "AdamW", "completed", 0.5), trialOf(3, "0.001", "SGD", "completed", 500.0),
                        trialOf(4, "0.001", "SGD", "failed", 0.1), trialOf(5, "0.001", "SGD", "running", std::nullopt)};
        entry.trials[0].settings["data.loader.batch_size"] = "32";
        entry.trials[0].settings["training.optimizer.betas"] = "[0.8,0.9]";
        const widgets::ParallelContent lines = linesOf(entry);
        QCOMPARE(lines.axes.size(), std::size_t{5});
        QVERIFY(lines.axes[0].logarithmic && lines.axes[0].words.isEmpty());
        QCOMPARE(lines.axes[0].high, 0.1);
        QCOMPARE(lines.axes[1].words, QStringList({"SGD", "AdamW"}));
        QVERIFY(!lines.axes[2].logarithmic && lines.axes[2].ticks == std::vector<double>({16, 32, 64}));
        QCOMPARE(lines.axes[3].words, QStringList({"[0.9,0.99]", "[0.8,0.9]"}));
        QCOMPARE(lines.axes[4].fullName, QString("val.loss"));
        QVERIFY(lines.axes[4].logarithmic && lines.axes[4].low == 0.5 &&
                lines.axes[4].high == 500);  // what failed does not count
        QVERIFY(lines.isMoreBetter);
        QCOMPARE(lines.lines.size(), std::size_t{4});
        QCOMPARE(lines.best, 1);
        QCOMPARE(lines.lines[1].key, 3);
        QCOMPARE(lines.lines[0].values, std::vector<double>({0.01, 1, 32, 1, 0.5}));
        QVERIFY(std::isnan(lines.lines[1].values[2]) && std::isnan(lines.lines[2].values[4]) &&
                std::isnan(lines.lines[3].values[4]));
    }

    void aLineIsItsRowAndARangeLeavesTheOthersOut() {
        SweepFixture f;
        writeSweep(f.sweeps(), "first");
        QVERIFY(f.look());
        auto* lines = f.named<widgets::ParallelPlot>("sweep_lines");
        auto* table = f.named<widgets::FilterTable>("sweep_trials");
        QTRY_COMPARE_WITH_TIMEOUT(f.trials()->rowCount(), 4, 20000);
        QVERIFY(lines->isVisible());
        QCOMPARE(lines->content().lines.size(), std::size_t{4});
        table->selectRow(1);
        QCOMPARE(lines->selectedLines(), QList<int>{1});
        // By the keyboard: the largest of the first axis, lr 0.09.
        lines->setFocus();
        QTest::keyClick(lines, Qt::Key_Home);
        QVERIFY(f.window.findChild<TrialModel*>()->index(2, 0).data(Qt::BackgroundRole).isValid());
        QTest::keyClick(lines, Qt::Key_Space);
        QCOMPARE(table->selectedRows(), QList<int>{2});
        QCOMPARE(lines->selectedLines(), QList<int>{2});
        // A range on the words: only what is AdamW.
        lines->setRange(1, widgets::ParallelPlot::Range(0.9, 1));
        QCOMPARE(f.trials()->rowCount(), 2);
        QVERIFY2(f.named<widgets::ElidedLabel>("sweep_marked")->text().startsWith("2 of 4"),
                 qPrintable(f.named<widgets::ElidedLabel>("sweep_marked")->text()));
        shoot(f.window, "sweeps-range");
        // Another look at the folder keeps it.
        QVERIFY(f.look());
        QCOMPARE(f.trials()->rowCount(), 2);
        // What is not seen leaves nothing out.
        auto* view = f.named<QComboBox>("sweep_view");
        view->setCurrentIndex(1);
        QVERIFY(!lines->isVisible() && f.named<widgets::PlotWidget>("sweep_plot")->isVisible());
        QCOMPARE(f.trials()->rowCount(), 4);
        view->setCurrentIndex(0);
        QCOMPARE(f.trials()->rowCount(), 2);
        lines->setRange(2, widgets::ParallelPlot::Range(0.9, 1));
        QCOMPARE(f.trials()->rowCount(), 0);
        f.named<QPushButton>("sweep_clear_ranges")->click();
        QCOMPARE(f.trials()->rowCount(), 4);
        QVERIFY(!f.named<QPushButton>("sweep_clear_ranges")->isVisible());
        // Of another sweep none is left.
        lines->setRange(1, widgets::ParallelPlot::Range(0.9, 1));
        writeSweep(f.sweeps(), "second");
        QVERIFY(f.look());
        auto* choice = f.named<QComboBox>("sweep_choice");
        QTRY_COMPARE_WITH_TIMEOUT(choice->count(), 2, 20000);
        choice->setCurrentIndex(1 - choice->currentIndex());
        QVERIFY(!lines->hasRanges());
        QCOMPARE(f.trials()->rowCount(), 4);
    }

    void aSweepThatRunsElsewhereIsAskedToStop() {
        SweepFixture f;
        writeSweep(f.sweeps(), "first");
        auto held = sweep::SweepFile::open(f.sweeps(), "first");
        auto* stop = f.named<QPushButton>("sweep_stop");
        f.page()->setAnswerWait(600'000);
        {
            const auto lock = held->lock();
            QVERIFY(lock.has_value());
            QVERIFY(f.look());
            QTRY_VERIFY_WITH_TIMEOUT(stop->isEnabled(), 20000);
            stop->click();
            QTRY_COMPARE_WITH_TIMEOUT(held->stopRequest(), sweep::StopRequest::kAsked, 20000);
            QTRY_VERIFY_WITH_TIMEOUT(f.named<QComboBox>("sweep_choice")->currentText().contains("stopping"), 20000);
            QVERIFY(!stop->isEnabled());
            QVERIFY(held->hearStop());
            QVERIFY(f.look());
            QVERIFY(!stop->isEnabled());
        }
        QVERIFY(f.look());
        QTRY_VERIFY_WITH_TIMEOUT(f.named<QPushButton>("sweep_resume")->isEnabled(), 20000);
        QVERIFY(!stop->isEnabled());
        // A process that does not answer, as one of an earlier version: nothing is left that would stop it later.
        {
            const auto lock = held->lock();
            f.page()->setAnswerWait(0);
            QVERIFY(f.look());
            QTRY_VERIFY_WITH_TIMEOUT(stop->isEnabled(), 20000);
            stop->click();
            QTRY_VERIFY_WITH_TIMEOUT(f.named<widgets::MessageBanner>("message")->message().contains("does not answer"),
                                     20000);
            QTRY_COMPARE_WITH_TIMEOUT(held->stopRequest(), sweep::StopRequest::kNone, 20000);
        }
        // It ended while it was still shown as running.
        {
            const auto lock = held->lock();
            QVERIFY(f.look());
            QTRY_VERIFY_WITH_TIMEOUT(stop->isEnabled(), 20000);
            f.page()->deactivated();  // no further look
        }
        stop->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.named<widgets::MessageBanner>("message")->message().contains("No process runs"),
                                 20000);
        QCOMPARE(held->stopRequest(), sweep::StopRequest::kNone);
    }

    void theDialogWarnsOfASettingThatChangesNothing() {
        OpenProject project;
        SweepDialog dialog(project.document.snapshot(), false, nullptr);
        dialog.show();
        auto* warning = dialog.findChild<QLabel*>("sweep_warning");
        auto* start = dialog.findChild<QPushButton*>("sweep_start");
        dialog.parameters().row(0)->setOver("training.optimizer.amsgrad", "true,false");
        QVERIFY2(warning->isVisible() && warning->text().contains("amsgrad changes nothing"),
                 qPrintable(warning->text()));
        QVERIFY(start->isEnabled());
        dialog.findChild<QPushButton*>("sweep_add")->click();
        dialog.parameters().row(1)->setOver("training.optimizer.type", "SGD,AdamW");
        QVERIFY2(!warning->isVisible(), qPrintable(warning->text()));
    }

    void whatIsStillRunInAnotherProcessCannotBeResumedAndIsNotWrittenTo() {
        SweepFixture f;
        writeSweep(f.sweeps(), "first");
        auto held = sweep::SweepFile::open(f.sweeps(), "first");
        QVERIFY(held.has_value());
        QFile torn(text(f.sweeps() / "first" / "trials.jsonl"));
        {
            const auto lock = held->lock();
            QVERIFY(lock.has_value());
            QVERIFY(torn.open(QIODevice::Append));
            torn.write("{\"trial\": 3, \"poi");  // a line that its writer is just at
            torn.close();
            const QByteArray before = contentOf(torn.fileName());
            QVERIFY(f.look());
            QTRY_COMPARE_WITH_TIMEOUT(f.trials()->rowCount(), 4, 20000);
            QCOMPARE(f.trials()->index(3, TrialModel::State).data().toString(), QString("running"));
            QVERIFY(!f.named<QPushButton>("sweep_resume")->isEnabled());
            QCOMPARE(contentOf(torn.fileName()), before);
        }
        QVERIFY(f.look());
        QTRY_VERIFY_WITH_TIMEOUT(f.named<QPushButton>("sweep_resume")->isEnabled(), 20000);
    }

    void aSweepIsStartedSeenLiveStoppedAndResumed() {
        SweepFixture f;
        QVERIFY(f.look());
        const QString program = script(f.temporary, kUntilInterrupted);
        f.page()->process().setProgram(program);
        f.named<QAction>("action_new_sweep")->trigger();
        auto* dialog = f.named<SweepDialog>("dialog_sweep");
        QVERIFY(dialog);
        QVERIFY(!dialog->findChild<QPushButton*>("sweep_start")->isEnabled());
        dialog->parameters().row(0)->setOver("training.optimizer.lr", "0.1, 0.01");
        QVERIFY2(dialog->findChild<QPushButton*>("sweep_start")->isEnabled(),
                 qPrintable(dialog->findChild<QLabel*>("sweep_problem")->text()));
        shoot(*dialog, "sweep-dialog");
        dialog->findChild<QPushButton*>("sweep_start")->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.page()->process().isActive(), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(!contentOf(f.temporary.filePath("told")).isEmpty(), 20000);
        const QString told = contentOf(f.temporary.filePath("told"));
        QVERIFY2(told.startsWith("--json sweep " + text(f.document().folder()) +
                                 " --over training.optimizer.lr=0.1, 0.01 --method random --trials 20"),
                 qPrintable(told));
        QVERIFY(!f.named<QAction>("action_new_sweep")->isEnabled());
        // Its process writes; the page sees it without being asked.
        writeSweep(f.sweeps(), "sweep1");
        QTRY_COMPARE_WITH_TIMEOUT(f.trials()->rowCount(), 4, 20000);
        QCOMPARE(f.named<QComboBox>("sweep_choice")->currentData().toString(), QString("sweep1"));
        auto grown = sweep::SweepFile::open(f.sweeps(), "sweep1");
        QVERIFY(grown && grown->put(trialOf(3, "0.0005", "AdamW", "completed", 0.125, "run-3")));
        QTRY_COMPARE_WITH_TIMEOUT(f.trials()->index(3, TrialModel::Objective).data(Qt::EditRole).toDouble(), 0.125,
                                  20000);
        f.named<QPushButton>("sweep_stop")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!f.page()->process().isActive(), 20000);
        QVERIFY(!f.named<widgets::MessageBanner>("message")->isVisible());  // a stop that was asked for is no failure
        QVERIFY(grown->put(trialOf(3, "0.0005", "AdamW", "running", std::nullopt)));
        QVERIFY(f.look());
        QTRY_VERIFY_WITH_TIMEOUT(f.named<QPushButton>("sweep_resume")->isEnabled(), 20000);
        f.named<QPushButton>("sweep_resume")->click();
        QTRY_VERIFY_WITH_TIMEOUT(contentOf(f.temporary.filePath("told")).contains("--resume sweep1"), 20000);
        f.page()->process().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!f.page()->process().isActive(), 20000);
    }

    void aChangeThatIsNotSavedIsSavedBeforeTheTrialsReadIt() {
        SweepFixture f;
        QVERIFY(f.look());
        f.page()->process().setProgram(script(f.temporary, "exit 0"));
        QVERIFY(f.document().setSetting("training.stop.epochs", 7));
        QVERIFY(f.document().isDirty());
        f.named<QAction>("action_new_sweep")->trigger();
        auto* dialog = f.named<SweepDialog>("dialog_sweep");
        QCOMPARE(dialog->findChild<QPushButton*>("sweep_start")->text(), QString("Save and start"));
        dialog->parameters().row(0)->setOver("training.optimizer.lr", "0.1,0.01");
        dialog->accept();
        QVERIFY(!f.document().isDirty());
        const auto json = readJsonFile(f.document().folder() / "project.json");
        QVERIFY(json.has_value());
        QCOMPARE(json->at("training").at("stop").at("epochs").get<int>(), 7);
        QTRY_VERIFY_WITH_TIMEOUT(!f.page()->process().isActive(), 20000);
    }

    void whatTheProgramSaysWentWrongIsSaidInTheWindow() {
        SweepFixture f;
        QVERIFY(f.look());
        f.page()->process().setProgram(script(f.temporary, "cat \"$(dirname \"$0\")/answer\"; exit 2"));
        QVERIFY(writeJsonFile(filePath(f.temporary.filePath("answer")),
                              Json{{"error",
                                    {{"code", "sweep-exists"},
                                     {"message", "There is a sweep \"a\" already."},
                                     {"where", ""},
                                     {"hint", "Choose another --name."}}}}));
        QSignalSpy ended(&f.page()->process(), &SweepProcess::ended);
        f.page()->process().start(f.document().folder(), {});
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 20000);
        QTRY_VERIFY_WITH_TIMEOUT(f.named<widgets::MessageBanner>("message")->isVisible(), 20000);
        QVERIFY(f.named<widgets::MessageBanner>("message")->message().contains("There is a sweep \"a\" already."));
    }

    void aProgramThatIsNotThereIsASentence() {
        SweepProcess process;
        process.setProgram("/nowhere/plumbline");
        QSignalSpy failed(&process, &SweepProcess::failed), ended(&process, &SweepProcess::ended);
        process.start("/tmp", {});
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 20000);
        QCOMPARE(ended.size(), 1);
        QVERIFY(!process.isActive());
    }

    void closingTheWindowAsksAndStopsTheSweepFirst() {
        SweepFixture f;
        QVERIFY(f.look());
        f.page()->process().setProgram(script(f.temporary, kUntilInterrupted));
        f.page()->process().start(f.document().folder(), {});
        QTRY_VERIFY_WITH_TIMEOUT(!contentOf(f.temporary.filePath("told")).isEmpty(), 20000);
        f.window.close();
        QVERIFY(f.window.isVisible());
        auto* question = f.named<QDialog>("dialog_sweep_is_on");
        QVERIFY(question);
        for (QPushButton* button : question->findChildren<QPushButton*>()) {
            if (button->text() == "Stop the sweep") {
                button->click();
                break;
            }
        }
        QTRY_VERIFY_WITH_TIMEOUT(!f.window.isVisible(), 20000);
        QVERIFY(!f.page()->process().isActive());
    }

    void whatIsNotSavedIsAskedForBeforeTheSweepIsStoppedAndFurtherPressesSayWhatIsWaitedFor() {
        SweepFixture f;
        QVERIFY(f.look());
        f.page()->process().setProgram(
            script(f.temporary,
                   "dir=$(dirname \"$0\")\ntrap 'asked=1' INT\ntouch \"$dir/told\"\necho x > \"$dir/told\"\n"
                   "while [ -z \"$asked\" ] || [ ! -f \"$dir/saved\" ]; do sleep 0.05; done\nexit 130"));
        f.page()->process().start(f.document().folder(), {});
        QTRY_VERIFY_WITH_TIMEOUT(!contentOf(f.temporary.filePath("told")).isEmpty(), 20000);
        QVERIFY(f.document().setSetting("training.stop.epochs", 7));
        const auto press = [&](const char* dialog, const char* label) {
            for (QPushButton* button : f.named<QDialog>(dialog)->findChildren<QPushButton*>()) {
                if (button->text() == QLatin1String(label)) {
                    button->click();
                    return;
                }
            }
            QFAIL(label);
        };
        f.window.close();
        QVERIFY(f.named<QDialog>("dialog_unsaved") && !f.named<QDialog>("dialog_sweep_is_on"));
        press("dialog_unsaved", "Cancel");
        QVERIFY(!f.page()->process().isStopping());
        QTRY_VERIFY_WITH_TIMEOUT(!f.named<QDialog>("dialog_unsaved"), 20000);
        f.window.close();
        press("dialog_unsaved", "Give up changes");
        QVERIFY(!f.page()->process().isStopping());
        press("dialog_sweep_is_on", "Stop the sweep");
        QVERIFY(f.page()->process().isStopping());
        auto* banner = f.named<widgets::MessageBanner>("message");
        QTRY_COMPARE_WITH_TIMEOUT(banner->message(), QString("The window closes once the trials are saved."), 20000);
        QVERIFY(f.window.isVisible());
        QVERIFY(writeFileAtomically(filePath(f.temporary.filePath("saved")), "x"));
        // What was given up is not asked for again.
        QTRY_VERIFY_WITH_TIMEOUT(!f.window.isVisible(), 20000);
        QVERIFY(!f.document().isOpen());
    }

    void aSweepThatNeedsLongToSaveOutlivesTheWindowAndIsInterruptedOnce() {
        QTemporaryDir folder;
        {
            SweepProcess process;
            process.setEndWait(200);
            process.setProgram(
                script(folder,
                       "dir=$(dirname \"$0\")\ntrap 'echo x >> \"$dir/signals\"' INT\necho x > \"$dir/told\"\n"
                       "while [ ! -f \"$dir/free\" ]; do sleep 0.05; done\necho x > \"$dir/saved\""));
            process.start(filePath(folder.path()), {});
            QTRY_VERIFY_WITH_TIMEOUT(!contentOf(folder.filePath("told")).isEmpty(), 20000);
            process.stop();
        }
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(folder.filePath("signals")), QByteArray("x\n"), 20000);
        QVERIFY(writeFileAtomically(filePath(folder.filePath("free")), "x"));
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(folder.filePath("saved")), QByteArray("x\n"), 20000);
        QCOMPARE(contentOf(folder.filePath("signals")), QByteArray("x\n"));
    }

    void theSettingsOfATrialOfAFinishedSweepBecomeTheProjects() {
        SweepFixture f;
        writeSweep(f.sweeps(), "first");
        QVERIFY(f.look());
        QTRY_COMPARE_WITH_TIMEOUT(f.trials()->rowCount(), 4, 20000);
        auto* table = f.named<widgets::FilterTable>("sweep_trials");
        table->selectRow(1);
        QVERIFY(!f.named<QPushButton>("sweep_use")->isEnabled());  // it could not be resumed any more
        auto file = sweep::SweepFile::open(f.sweeps(), "first");
        QVERIFY(file && file->put(trialOf(3, "0.0005", "AdamW", "completed", 0.75, "run-3")));
        QVERIFY(f.look());
        QTRY_VERIFY_WITH_TIMEOUT(f.named<QPushButton>("sweep_use")->isEnabled(), 20000);
        QCOMPARE(table->selectedRows(), QList<int>{1});  // a look keeps what is selected
        f.named<QPushButton>("sweep_use")->click();
        QCOMPARE(f.document().setting("training.optimizer.lr").toDouble(), 0.001);
        QCOMPARE(f.document().setting("training.optimizer.type").toString(), QString("AdamW"));
        f.document().undoStack()->undo();
        QCOMPARE(f.document().setting("training.optimizer.lr").toDouble(), 0.1);
        QCOMPARE(f.document().setting("training.optimizer.type").toString(), QString("SGD"));
    }

    void theDialogSaysWhatKeepsASweepFromStartingAndWhatItAsksFor() {
        OpenProject project;
        SweepDialog dialog(project.document.snapshot(), false, nullptr);
        auto* problem = dialog.findChild<QLabel*>("sweep_problem");
        auto* start = dialog.findChild<QPushButton*>("sweep_start");
        dialog.show();
        QVERIFY(problem->isVisible() && !start->isEnabled());
        const auto write = [&](const char* name, const QString& words) {
            dialog.findChild<QLineEdit*>(QLatin1String(name))->setText(words);
        };
        dialog.parameters().row(0)->setOver("training.optimizer.rate", "0.1,0.2");
        QVERIFY2(!start->isEnabled() && problem->text().contains("rate"), qPrintable(problem->text()));
        dialog.parameters().row(0)->setOver("training.stop.epochs", "1,much");
        QVERIFY(!start->isEnabled());
        dialog.parameters().row(0)->setOver("training.stop.epochs", "1,2");
        QVERIFY2(start->isEnabled(), qPrintable(problem->text()));
        // A range over the logarithm, in a row of its own.
        dialog.findChild<QPushButton*>("sweep_add")->click();
        dialog.parameters().row(1)->setOver("training.optimizer.lr", "");
        dialog.findChild<QComboBox*>("sweep_kind_2")->setCurrentIndex(2);
        write("sweep_from_2", "0");
        write("sweep_to_2", "0.1");
        QVERIFY(!start->isEnabled());  // no logarithm of 0
        write("sweep_from_2", "1e-4");
        QVERIFY2(start->isEnabled(), qPrintable(problem->text()));
        QCOMPARE(dialog.parameters().over(),
                 QStringList({"training.stop.epochs=1,2", "training.optimizer.lr=log:1e-4..0.1"}));
        dialog.parameters().row(1)->setOver("training.stop.epochs", "3");
        QVERIFY2(!start->isEnabled() && problem->text().contains("twice"), qPrintable(problem->text()));
        dialog.findChild<QToolButton*>("sweep_remove_2")->click();
        QVERIFY(start->isEnabled());
        auto* method = dialog.findChild<QComboBox*>("sweep_method");
        method->setCurrentIndex(method->findData("halving"));
        QVERIFY(dialog.findChild<QSpinBox*>("sweep_min_steps")->isVisible());
        QVERIFY(dialog.arguments().join(' ').contains("--method halving --trials 20 --min-steps 100 --eta 3"));
        method->setCurrentIndex(method->findData("grid"));
        QVERIFY(!dialog.findChild<QSpinBox*>("sweep_trials")->isVisible());
        QVERIFY(!dialog.arguments().contains("--trials"));
        write("sweep_name", "a b");
        QVERIFY(!start->isEnabled());
        write("sweep_name", "lr-search");
        QVERIFY(dialog.arguments().join(' ').endsWith("--name lr-search"));
    }

    void aGridOfARangeNeedsHowManyValuesAndTheDialogAsksForThem() {
        OpenProject project;
        SweepDialog dialog(project.document.snapshot(), false, nullptr);
        dialog.show();
        auto* method = dialog.findChild<QComboBox*>("sweep_method");
        method->setCurrentIndex(method->findData("grid"));
        dialog.parameters().row(0)->setOver("training.optimizer.momentum", "");
        dialog.findChild<QComboBox*>("sweep_kind_1")->setCurrentIndex(1);
        dialog.findChild<QLineEdit*>("sweep_from_1")->setText("0");
        dialog.findChild<QLineEdit*>("sweep_to_1")->setText("0.9");
        dialog.findChild<QSpinBox*>("sweep_count_1")->setValue(4);
        QCOMPARE(dialog.parameters().over(), QStringList{"training.optimizer.momentum=0..0.9/4"});
        QVERIFY2(dialog.findChild<QPushButton*>("sweep_start")->isEnabled(),
                 qPrintable(dialog.findChild<QLabel*>("sweep_problem")->text()));
    }

    void runsNameTheirParentAndOneGoesThere() {
        SweepFixture f;
        const QString parent = f.train(), child = f.train();
        QVERIFY(!parent.isEmpty() && !child.isEmpty());
        {
            auto writer = store::RunWriter::reopen(f.document().runsFolder() / filePath(child));
            QVERIFY(writer.has_value());
            QVERIFY((*writer)->putRecord(
                "choices", Json{{"parent", {{"run", bytes(parent)}, {"step", 40}, {"checkpoint", "x"}}}}));
            QVERIFY((*writer)->flush());
        }
        auto* table = f.named<widgets::FilterTable>("runs_table");
        auto* model = f.window.findChild<RunTableModel*>();
        const auto row = [&](const QString& run) { return model->rowOf(run); };
        const auto cell = [&](const QString& run, int column) {
            return model->index(row(run), column).data().toString();
        };
        QVERIFY(f.window.showPage("runs"));
        f.window.page("runs")->activated();
        QTRY_COMPARE_WITH_TIMEOUT(cell(child, RunTableModel::Parent), parent + ", step 40", 20000);
        QCOMPARE(cell(parent, RunTableModel::Parent), QString());
        QVERIFY(!table->view()->isColumnHidden(RunTableModel::Parent));
        QVERIFY(table->view()->isColumnHidden(RunTableModel::Objective));
        auto* action = f.named<QAction>("action_run_parent");
        QVERIFY(table->view()->actions().contains(action));
        table->selectRow(row(parent));
        QVERIFY(!action->isEnabled());
        table->selectRow(row(child));
        QVERIFY(action->isEnabled());
        action->trigger();
        QCOMPARE(table->selectedRows(), QList<int>{row(parent)});
        // Once that is deleted, a sentence says so.
        QVERIFY(store::deleteRun(f.document().runsFolder() / filePath(parent)));
        f.window.page("runs")->activated();
        QTRY_COMPARE_WITH_TIMEOUT(model->rowCount(), 1, 20000);
        table->selectRow(0);
        action->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(f.named<widgets::MessageBanner>("message")->message().contains(parent), 20000);
    }

    void theTrialsOfASweepAreFilteredSortedByTheirObjectiveAndLeadToIt() {
        SweepFixture f;
        const QString own = f.train(), trial = f.train();
        QVERIFY(!own.isEmpty() && !trial.isEmpty());
        writeSweep(f.sweeps(), "first", bytes(trial));
        QVERIFY(f.window.showPage("runs"));
        f.window.page("runs")->activated();
        auto* table = f.named<widgets::FilterTable>("runs_table");
        auto* model = f.window.findChild<RunTableModel*>();
        auto* filter = f.named<SweepFilter>("runs_sweep");
        QTRY_VERIFY_WITH_TIMEOUT(filter->isVisible(), 20000);
        QCOMPARE(model->index(model->rowOf(trial), RunTableModel::Parent).data().toString(),
                 QString("Sweep first, trial 0"));
        QCOMPARE(model->index(model->rowOf(trial), RunTableModel::Objective).data(Qt::EditRole).toDouble(), 0.5);
        table->view()->sortByColumn(RunTableModel::Objective, Qt::AscendingOrder);
        QCOMPARE(table->view()->model()->index(0, 0).data(RunTableModel::IdRole).toString(), trial);
        filter->setCurrentIndex(filter->findText("Sweep: first"));
        QCOMPARE(table->view()->model()->rowCount(), 1);
        QCOMPARE(table->view()->model()->index(0, 0).data(RunTableModel::IdRole).toString(), trial);
        shoot(f.window, "runs-of-a-sweep");
        // Another look at the list keeps the filter.
        f.window.page("runs")->activated();
        QTRY_VERIFY_WITH_TIMEOUT(f.window.page("runs")->isSettled(), 20000);
        QCOMPARE(table->view()->model()->rowCount(), 1);
        // The runs of another project are not hidden by it.
        QVERIFY(f.window.files().openNow(f.temporary.filePath("other")));
        QVERIFY(filter->isOff());
        QVERIFY(f.window.files().openNow(f.temporary.filePath("small")));
        QVERIFY(f.window.showPage("runs"));
        QTRY_COMPARE_WITH_TIMEOUT(table->view()->model()->rowCount(), 2, 20000);
        filter->setCurrentIndex(1);  // without trials
        QCOMPARE(table->view()->model()->index(0, 0).data(RunTableModel::IdRole).toString(), own);
        filter->setCurrentIndex(0);
        QCOMPARE(table->view()->model()->rowCount(), 2);
        table->selectRow(model->rowOf(trial));
        f.named<QAction>("action_run_parent")->trigger();
        QCOMPARE(f.window.currentPage()->id(), QString("sweeps"));
        QTRY_COMPARE_WITH_TIMEOUT(f.named<widgets::FilterTable>("sweep_trials")->selectedRows(), QList<int>{0}, 20000);
    }

    void aCopiedFolderIsAnotherSweepAndTheRunsStayWithTheFirst() {
        QTemporaryDir folder;
        const std::filesystem::path sweeps = filePath(folder.path());
        writeSweep(sweeps, "first");
        std::filesystem::copy(sweeps / "first", sweeps / "second", std::filesystem::copy_options::recursive);
        const std::vector<SweepEntry> all = readSweeps(sweeps);
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[0].plan.name, std::string("first"));
        QCOMPARE(all[1].plan.name, std::string("second"));
        QCOMPARE(trialOrigins(all).value("run-0").sweep, QString("first"));
    }

    void aSweepThatCannotBeReadIsASentenceAndTheOthersAreThere() {
        SweepFixture f;
        writeSweep(f.sweeps(), "whole");
        std::filesystem::create_directories(f.sweeps() / "broken");
        QVERIFY(writeFileAtomically(f.sweeps() / "broken" / "sweep.json", "{"));
        const std::vector<SweepEntry> all = readSweeps(f.sweeps());
        QCOMPARE(all.size(), std::size_t{2});
        QVERIFY(all[0].error.has_value());
        QCOMPARE(all[1].trials.size(), std::size_t{4});
        QVERIFY(f.look());
        auto* choice = f.named<QComboBox>("sweep_choice");
        QTRY_COMPARE_WITH_TIMEOUT(choice->count(), 2, 20000);
        choice->setCurrentIndex(0);
        QVERIFY(!f.named<widgets::ElidedLabel>("sweep_summary")->text().isEmpty());
        QVERIFY(!f.named<QPushButton>("sweep_resume")->isEnabled());
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::SweepsTest>(argc, argv);
}

#include "test_sweeps.moc"
