// SPDX-License-Identifier: GPL-3.0-or-later
// The window says what is so: what keeps a run from starting, how far a run is that is on, what was changed meanwhile.
#include <QAction>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QUndoStack>

#include "gui/issues/issue_panel.h"
#include "gui/page.h"
#include "gui/pages/run_series.h"
#include "gui/pages/run_table_model.h"
#include "gui/pages/train_plots.h"
#include "store/run_store.h"
#include "widgets/filter_table.h"
#include "widgets/message_banner.h"
#include "widgets/plot_widget.h"
#include "window_fixture.h"

namespace plumbline::gui::test {

namespace {

struct Fixture : WindowFixture {
    QString banner() {
        auto* shown = named<widgets::MessageBanner>("message");
        return shown->isHidden() ? QString() : shown->message();
    }
    QString ended() {
        return QTest::qWaitFor([this] { return !bridge().isActive(); }, 20000) ? bridge().runId() : QString();
    }
    bool noRunWasMade() {
        return QDir(temporary.filePath("small/runs")).entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty();
    }
    QAbstractItemModel* table() { return named<widgets::FilterTable>("runs_table")->view()->model(); }
    void record(const QString& run, const Json& event) {
        auto writer = store::RunWriter::reopen(document().runsFolder() / filePath(run));
        QVERIFY(writer && (*writer)->appendEvent(event) && (*writer)->flush());
    }
};

}  // namespace

class WhatIsSoTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingStartsWhileAFieldShowsTextThatIsNoValue() {
        Fixture f;
        f.window.show();
        f.window.showPage("train");
        auto* rate = f.named<QLineEdit>("field_training.optimizer.lr");
        QVERIFY(rate);
        rate->setText("abc");
        f.window.showPage("model");
        f.window.runs().run();
        QVERIFY(!f.bridge().isActive());
        QVERIFY2(f.banner().contains("abc"), qPrintable(f.banner()));
        QCOMPARE(f.window.currentPage()->id(), QString("train"));
        QCOMPARE(rate->text(), QString("abc"));
        f.named<QAction>("action_preflight")->trigger();
        QCOMPARE(f.engine->probes.load(), 0);
        f.named<QAction>("action_new_sweep")->trigger();
        QVERIFY(!f.window.findChild<QDialog*>("dialog_sweep"));
        QVERIFY(f.noRunWasMade());
        rate->setText("0.25");
        QVERIFY(!f.train().isEmpty());
        QCOMPARE(f.document().setting("training.optimizer.lr"), QJsonValue(0.25));
    }

    void whatTheDataTellKeepsARunFromBeingMade() {
        Fixture f;
        QVERIFY(QTest::qWaitFor([&] { return f.workspace().trainSamples() == 42; }, 20000));
        QVERIFY(f.document().setSetting("training.accumulation", 1000));
        QVERIFY(QTest::qWaitFor([&] { return f.workspace().dataProblem().has_value(); }, 20000));
        f.window.runs().run();
        QVERIFY(!f.bridge().isActive());
        QVERIFY2(f.banner().contains("1000 batches"), qPrintable(f.banner()));
        QVERIFY2(!f.banner().contains("/training"), qPrintable(f.banner()));
        QVERIFY(f.noRunWasMade());
        f.document().undoStack()->undo();
        QTRY_COMPARE_WITH_TIMEOUT(f.banner(), QString(), 20000);
        QVERIFY(!f.train().isEmpty());
    }

    void oneAtATimeOfRunsAndSweepsAndTheToolbarStopsBoth() {
        Fixture f;
        f.workspace().setSweep("sweep s · 1 of 3 trials", false);
        QCOMPARE(f.named<QLabel>("status_progress_text")->text(), QString("sweep s · 1 of 3 trials"));
        f.window.runs().run();
        QVERIFY(!f.bridge().isActive());
        QVERIFY(f.noRunWasMade());
        QVERIFY2(f.banner().contains("sweep"), qPrintable(f.banner()));
        const QSignalSpy stops(&f.workspace(), &Workspace::sweepStopWanted);
        QVERIFY(f.window.runs().stopAction->isEnabled());
        f.window.runs().stopAction->trigger();
        QCOMPARE(stops.size(), 1);
        f.workspace().setSweep("stopping", true);
        QVERIFY(!f.window.runs().stopAction->isEnabled());
        f.workspace().setSweep({}, false);
        QCOMPARE(f.banner(), QString());
        f.engine->holdAtEnd = true;
        f.window.runs().run();
        QVERIFY(f.bridge().isActive());
        f.named<QAction>("action_new_sweep")->trigger();
        QVERIFY(!f.window.findChild<QDialog*>("dialog_sweep"));
        f.window.runs().stopAction->trigger();
        QVERIFY(!f.ended().isEmpty());
    }

    void aRunThatWasStoppedIsOfferedToGoOnWhereItWasStopped() {
        Fixture f;
        f.window.show();
        RunController& runs = f.window.runs();
        QVERIFY(!runs.resumeAction->isEnabled());
        f.engine->holdAtEnd = true;
        const int width = f.named<QWidget>("action_run_button")->width();
        runs.run();
        QTRY_VERIFY_WITH_TIMEOUT(runs.pauseAction->isEnabled(), 20000);
        QVERIFY(!runs.resumeAction->isEnabled());
        runs.pauseAction->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(runs.runAction->text(), QString("Go on"), 20000);
        QCOMPARE(f.named<QWidget>("action_run_button")->width(), width);  // what is beside it stays in its place
        runs.stopAction->trigger();
        const QString stopped = f.ended();
        QVERIFY(!stopped.isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(f.banner().contains("stopped after step"), 20000);
        QVERIFY(runs.resumeAction->isEnabled());
        f.engine->holdAtEnd = false;
        runs.resumeAction->trigger();
        QVERIFY(f.bridge().isActive());
        QCOMPARE(f.banner(), QString());
        QCOMPARE(f.ended(), stopped);
        QVERIFY(!runs.resumeAction->isEnabled());  // it has done all its steps
        QCOMPARE(f.banner(), QString());
    }

    void aRunThatIsOnGoesOnInTheTableAndInThePlotAndCannotBeDeleted() {
        Fixture f;
        f.window.show();
        f.engine->holdAtEnd = true;
        f.engine->stepMs = 5;
        f.window.runs().run();
        f.window.showPage("runs");
        QTRY_COMPARE_WITH_TIMEOUT(f.table()->rowCount(), 1, 20000);
        const auto steps = [&f] { return f.table()->index(0, RunTableModel::Steps).data(Qt::EditRole).toLongLong(); };
        QTRY_VERIFY_WITH_TIMEOUT(steps() > 0, 20000);
        const qlonglong before = steps();
        auto* plot = f.named<widgets::PlotWidget>("runs_overlay");
        QTRY_VERIFY_WITH_TIMEOUT(plot->pointCount(f.bridge().runId()) > 0, 20000);
        const int points = plot->pointCount(f.bridge().runId());
        QTRY_VERIFY_WITH_TIMEOUT(steps() > before, 20000);
        QTRY_VERIFY_WITH_TIMEOUT(plot->pointCount(f.bridge().runId()) > points, 20000);
        auto* remove = f.named<QPushButton>("runs_delete");
        QVERIFY(!remove->isEnabled());
        QVERIFY2(remove->toolTip().contains("Stop it first"), qPrintable(remove->toolTip()));
        f.bridge().stop();
        QVERIFY(!f.ended().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(remove->isEnabled(), 20000);
        remove->click();
        auto* question = f.named<QMessageBox>("dialog_delete_runs");
        QVERIFY(question);
        QVERIFY(question->defaultButton() == question->button(QMessageBox::Cancel));
        question->reject();
    }

    void aChangeWhileARunWentOnStandsInTheComparisonAndAsAMark() {
        Fixture f;
        const QString first = f.train(), second = f.train();
        f.record(first, {{"t_ms", 13.0},
                         {"event", "command"},
                         {"path", "training.optimizer.lr"},
                         {"value", 0.0005123456789},
                         {"step", 13}});
        const auto stored = readStoredRun(f.document().runsFolder() / filePath(first));
        QVERIFY(stored);
        QCOMPARE(stored->changes.size(), 1);
        QCOMPARE(stored->changes[0].step, 14.0);
        f.window.showPage("runs");
        auto* table = f.named<widgets::FilterTable>("runs_table");
        QTRY_COMPARE_WITH_TIMEOUT(f.table()->rowCount(), 2, 20000);
        table->view()->selectAll();
        f.named<QPushButton>("runs_compare")->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.named<QDialog>("dialog_compare_runs"), 20000);
        const auto* differences =
            f.named<QDialog>("dialog_compare_runs")->findChild<widgets::FilterTable*>("compare_table")->view()->model();
        QStringList cells, tips;
        for (int row = 0; row < differences->rowCount(); ++row) {
            for (int column = 0; column < differences->columnCount(); ++column) {
                cells << differences->index(row, column).data().toString();
                tips << differences->index(row, column).data(Qt::ToolTipRole).toString();
            }
        }
        QVERIFY2(cells.contains("0.1, from step 14 on 0.000512346"), qPrintable(cells.join(" | ")));
        QVERIFY2(tips.contains("0.1, from step 14 on 0.0005123456789"), qPrintable(tips.join(" | ")));
    }

    void theFindingsAreThoseOfTheSelectedRunAndTheDockSaysWhose() {
        Fixture f;
        f.window.show();
        f.engine->findSomething = true;
        const QString found = f.train();
        f.engine->findSomething = false;
        const QString clean = f.train();
        auto* dock = f.named<QDockWidget>("dock_findings");
        const auto& findings = f.named<IssuePanel>("findings_panel")->model();
        QVERIFY2(dock->windowTitle().contains(clean), qPrintable(dock->windowTitle()));
        f.window.showPage("runs");
        QTRY_COMPARE_WITH_TIMEOUT(f.table()->rowCount(), 2, 20000);
        const auto select = [&f](const QString& run) {
            auto* model = f.window.findChild<RunTableModel*>();
            f.named<widgets::FilterTable>("runs_table")->selectRow(model->rowOf(run));
        };
        select(found);
        QTRY_COMPARE_WITH_TIMEOUT(findings.rowCount(), 1, 20000);
        QVERIFY2(dock->windowTitle().contains(found), qPrintable(dock->windowTitle()));
        select(clean);
        QTRY_COMPARE_WITH_TIMEOUT(findings.rowCount(), 0, 20000);
        QVERIFY2(dock->windowTitle().contains(clean), qPrintable(dock->windowTitle()));
        // The Train page shows the newest run, and so do the findings there.
        select(found);
        QTRY_COMPARE_WITH_TIMEOUT(findings.rowCount(), 1, 20000);
        f.window.showPage("train");
        QTRY_COMPARE_WITH_TIMEOUT(findings.rowCount(), 0, 20000);
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::WhatIsSoTest>(argc, argv);
}

#include "test_what_is_so.moc"
