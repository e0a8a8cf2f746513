// SPDX-License-Identifier: GPL-3.0-or-later
// Looking back at runs and taking one away; commands, menus and words of the window around them.
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTableView>
#include <QTextBrowser>

#include "gui/issues/issue_panel.h"
#include "gui/pages/model_page.h"
#include "gui/pages/run_table_model.h"
#include "widgets/canvas_view.h"
#include "widgets/filter_table.h"
#include "widgets/message_banner.h"
#include "widgets/plot_widget.h"
#include "widgets/search_popup.h"
#include "window_fixture.h"

namespace plumbline::gui::test {

using Fixture = WindowFixture;

class RunsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSelectedRunsLieOverEachOtherEachWithItsPoints() {
        Fixture f;
        const QString first = f.train();
        f.engine->steps = 30;
        const QString second = f.train();
        QVERIFY(!first.isEmpty() && !second.isEmpty());
        QVERIFY(f.window.showPage("runs"));
        auto* table = f.named<widgets::FilterTable>("runs_table");
        QTRY_COMPARE_WITH_TIMEOUT(table->view()->model()->rowCount(), 2, 20000);
        auto* overlay = f.named<widgets::PlotWidget>("runs_overlay");
        table->view()->selectAll();
        QTRY_COMPARE_WITH_TIMEOUT(overlay->seriesIds().size(), 2, 20000);
        QCOMPARE(overlay->pointCount(first), 50);
        QCOMPARE(overlay->pointCount(second), 30);
        QVERIFY2(overlay->toCsv().contains(",50,0,0.050000000000000003,0.02"), qPrintable(overlay->toCsv().right(200)));
        for (int row = 0; row < 2; ++row) {
            table->view()->selectRow(row);
            QTRY_COMPARE_WITH_TIMEOUT(overlay->seriesIds().size(), 1, 20000);
            QVERIFY(overlay->pointCount(overlay->seriesIds().first()) ==
                    (overlay->seriesIds().first() == first ? 50 : 30));
        }
        table->view()->clearSelection();
        QTRY_VERIFY_WITH_TIMEOUT(overlay->seriesIds().isEmpty(), 20000);
    }

    void theCurveOfARunThatEndsWhileItIsLookedAtIsWhole() {
        Fixture f;
        f.engine->saving = true;
        f.engine->validationLoss = 0.5;  // told at the end
        const auto release = qScopeGuard([&] { f.engine->letGo(); });
        f.window.runs().run();
        QTRY_VERIFY_WITH_TIMEOUT(f.bridge().state() == session::RunState::kRunning, 20000);
        QVERIFY(f.window.showPage("runs"));
        auto* overlay = f.named<widgets::PlotWidget>("runs_overlay");
        QTRY_COMPARE_WITH_TIMEOUT(overlay->seriesIds().size(), 1, 20000);
        auto* series = f.named<QComboBox>("runs_series");
        QVERIFY(series->findText("val.loss") < 0);
        f.engine->letGo();
        QTRY_VERIFY_WITH_TIMEOUT(!f.bridge().isActive(), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(series->findText("val.loss") >= 0, 20000);
        QCOMPARE(overlay->pointCount(f.bridge().runId()), 50);
    }

    void twoRunsAreComparedInColoursThatTheTableNames() {
        Fixture f;
        const QString first = f.train();
        QVERIFY(f.document().setSetting("training.optimizer.lr", 0.02));
        const QString second = f.train();
        QVERIFY(!first.isEmpty() && !second.isEmpty());
        QVERIFY(f.window.showPage("runs"));
        auto* table = f.named<widgets::FilterTable>("runs_table");
        QTRY_COMPARE_WITH_TIMEOUT(table->view()->model()->rowCount(), 2, 20000);
        QVERIFY(!f.named<QPushButton>("runs_compare")->isEnabled());
        table->view()->selectAll();
        QVERIFY(f.named<QPushButton>("runs_compare")->isEnabled());
        const auto colour = [&](int row) {
            return table->view()->model()->index(row, RunTableModel::Name).data(Qt::DecorationRole).value<QColor>();
        };
        QVERIFY(colour(0).isValid() && colour(1).isValid());
        QVERIFY(colour(0) != colour(1));
        f.named<QPushButton>("runs_compare")->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.named<QDialog>("dialog_compare_runs"), 20000);
        const auto* differences =
            f.named<QDialog>("dialog_compare_runs")->findChild<widgets::FilterTable*>("compare_table")->view()->model();
        QStringList names;
        for (int row = 0; row < differences->rowCount(); ++row) {
            names << differences->index(row, 0).data().toString();
        }
        QVERIFY2(names.contains("training.optimizer.lr"), qPrintable(names.join(", ")));
        QVERIFY(!names.contains("training.seed"));
        // Another look at the list keeps what is selected.
        f.window.page("runs")->activated();
        QTRY_VERIFY_WITH_TIMEOUT(f.window.page("runs")->isSettled(), 20000);
        QCOMPARE(table->selectedRows().size(), 2);
    }

    void runsThatComeWhileTheFilterHidesAllAreThereWhenItIsCleared() {
        Fixture f;
        QVERIFY(f.window.showPage("runs"));
        auto* table = f.named<widgets::FilterTable>("runs_table");
        const auto rows = [&] { return table->view()->model()->rowCount(); };
        for (int run = 1; run <= 3; ++run) {
            f.train();
            QVERIFY(f.window.showPage("runs"));
            QTRY_COMPARE_WITH_TIMEOUT(rows(), run, 20000);
        }
        table->filterField()->setText("zzz");
        QCOMPARE(rows(), 0);
        for (int run = 4; run <= 6; ++run) {
            f.train();
            QVERIFY(f.window.showPage("runs"));
            QTRY_VERIFY_WITH_TIMEOUT(f.window.page("runs")->isSettled(), 20000);
        }
        table->filterField()->clear();
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 6, 20000);
    }

    void runsAreDeletedAfterAQuestionThatHoldsNothingUp() {
        Fixture f;
        const QString run = f.train();
        QVERIFY(f.window.showPage("runs"));
        auto* table = f.named<widgets::FilterTable>("runs_table");
        QTRY_COMPARE_WITH_TIMEOUT(table->view()->model()->rowCount(), 1, 20000);
        table->view()->selectAll();
        QTRY_VERIFY_WITH_TIMEOUT(f.named<QPushButton>("runs_delete")->isEnabled(), 20000);
        f.named<QPushButton>("runs_delete")->click();
        auto* question =
            f.named<QDialog>("dialog_delete_runs");  // click() came back: the question is no loop of its own
        QVERIFY(question);
        for (QPushButton* button : question->findChildren<QPushButton*>()) {
            if (button->text() == "Delete") {
                button->click();
                break;
            }
        }
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(f.temporary.filePath("small/runs/" + run)), 20000);
        QTRY_COMPARE_WITH_TIMEOUT(table->view()->model()->rowCount(), 0, 20000);
    }

    void theBestRunIsExportedUnlessAnotherIsChosenAndItsFindingsAreSaid() {
        Fixture f;
        f.engine->validationLoss = 0.1;
        f.engine->findSomething = true;
        f.engine->findIsCritical = true;
        const QString best = f.train();
        f.engine->validationLoss = 0.5;
        f.engine->findSomething = false;
        const QString newer = f.train();
        QVERIFY(f.window.showPage("export"));
        auto* weights = f.named<QComboBox>("export_weights");
        QTRY_COMPARE_WITH_TIMEOUT(weights->currentData().toString(), best, 20000);
        auto* warning = f.named<QLabel>("export_warning");
        QTRY_VERIFY_WITH_TIMEOUT(!warning->isHidden(), 20000);
        QVERIFY(warning->text().contains("loader-stall"));
        weights->setCurrentIndex(weights->findData(newer));
        QTRY_VERIFY_WITH_TIMEOUT(warning->isHidden(), 20000);
        QVERIFY(f.window.files().openNow(f.temporary.filePath("other")));
        QTRY_COMPARE_WITH_TIMEOUT(weights->count(), 1, 20000);  // the initial weights alone
        QVERIFY(warning->isHidden());
    }

    void theFolderOfAnExportIsChosenInADialogThatHoldsNothingUp() {
        Fixture f;
        QVERIFY(f.window.showPage("export"));
        f.named<QPushButton>("export_browse")->click();  // comes back: the dialog is no loop of its own
        auto* dialog = f.named<QFileDialog>("dialog_export_folder");
        QVERIFY(dialog);
        QCOMPARE(dialog->fileMode(), QFileDialog::Directory);
        Q_EMIT dialog->fileSelected(f.temporary.filePath("exported"));
        QCOMPARE(f.named<QLineEdit>("export_folder")->text(), f.temporary.filePath("exported"));
    }

    void aWireThatIsGoneIsOneProblemWhoseFixIsOneClick() {
        Fixture f;
        QVERIFY(f.document().editModel("take the wire away", [](graph::Document& model, Json&) {
            model.root.find("fc")->inputs.clear();
            return Status();
        }));
        auto* panel = f.named<IssuePanel>("problems_panel");
        QCOMPARE(f.named<QDockWidget>("dock_problems")->windowTitle(), QString("Problems 1"));
        QVERIFY(panel->model().rowCount() > 1);
        panel->select(0);
        QCOMPARE(panel->current()->code, QString("input-not-connected"));
        QVERIFY(panel->model().issues()[1].consequence);
        QVERIFY(!panel->model()
                     .data(panel->model().index(1, IssueModel::BlockColumn), Qt::DisplayRole)
                     .toString()
                     .contains('/'));
        auto* fix = f.named<QPushButton>("problems_remedy_0");
        QCOMPARE(fix->text(), QString("Connect fc to flatten"));
        fix->click();
        QVERIFY(f.document().report().ok());
        QCOMPARE(panel->model().rowCount(), 0);
    }

    void theSentenceAboutProblemsGoesWhenTheyAreMended() {
        Fixture f;
        QVERIFY(f.document().editModel("break", [](graph::Document& model, Json&) {
            model.root.find("conv")->params["in_channels"] = 5;
            return Status();
        }));
        f.window.runs().run();
        auto* banner = f.named<widgets::MessageBanner>("message");
        QVERIFY(!banner->isHidden());
        f.document().undoStack()->undo();
        QTRY_VERIFY(banner->isHidden());
    }

    void everyCommandIsOfferedOnceAndUnderItsName() {
        Fixture f;
        f.window.show();
        auto* palette = f.named<widgets::CommandPalette>("command_palette");
        palette->popupFor(&f.window);
        const auto* list = palette->findChild<QListView*>();
        QStringList titles;
        for (int row = 0; row < list->model()->rowCount(); ++row) {
            titles << list->model()->index(row, 0).data().toString();
        }
        QStringList once = titles;
        once.removeDuplicates();
        QVERIFY2(titles == once, qPrintable(titles.join(", ")));
        QVERIFY(titles.size() > 20);
        QVERIFY(titles.filter("From the next start").isEmpty());
        QVERIFY(!titles.first().startsWith("Problems"));
        QVERIFY2(titles.contains("Appearance: As the system") && titles.contains("Language: As the system"),
                 qPrintable(titles.join(", ")));
        palette->hide();
    }

    void theViewMenuHasEveryDockAndHelpHasTheDocumentation() {
        Fixture f;
        QStringList view;
        for (QMenu* menu : f.window.menuBar()->findChildren<QMenu*>("menu_view")) {
            for (const QAction* action : menu->actions()) {
                view << action->text();
            }
        }
        for (const QString dock : {"Blocks", "Parameters", "Blocks as a list"}) {
            QVERIFY2(view.contains(dock), qPrintable(dock + " in " + view.join(", ")));
        }
        f.window.findChild<QAction*>("action_documentation")->trigger();
        QVERIFY(f.window.findChild<QTextBrowser*>("help_text")->toPlainText().contains("Detectors"));
    }

    void theCanvasHasAMenuForBlocksWiresAndTheEmptyPlane() {
        Fixture f;
        f.window.show();
        auto* canvas = f.named<widgets::CanvasView>("canvas");
        const auto opened = [&]() -> QStringList {
            Q_EMIT canvas->customContextMenuRequested(QPoint(5, 5));
            QStringList names;
            for (QMenu* menu : f.window.findChildren<QMenu*>("canvas_menu")) {
                names.clear();
                for (const QAction* action : menu->actions()) {
                    names << action->objectName();
                }
                menu->setObjectName("seen");
                menu->close();
            }
            return names;
        };
        canvas->setSelectedNodes({});
        QVERIFY(opened().contains("action_paste"));
        canvas->setSelectedNodes({"layers"});
        const QStringList onBlock = opened();
        QVERIFY(onBlock.contains("action_cut") && onBlock.contains("action_enter") &&
                !onBlock.contains("action_paste"));
    }

    void oneIsOneAndTwoAreTwo() {
        QVERIFY(installTranslations("en"));
        const auto said = [](int count) {
            return QCoreApplication::translate("plumbline::gui::RunController",
                                               "%n problem(s) keep this model from running.", nullptr, count);
        };
        QCOMPARE(said(1), QString("1 problem keeps this model from running."));
        QCOMPARE(said(2), QString("2 problems keep this model from running."));
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::RunsTest>(argc, argv);
}

#include "test_runs.moc"
