// SPDX-License-Identifier: GPL-3.0-or-later
// Where things are and what is remembered of it: docks, plots, splitters; the scale of the blocks' fill, search and
// copy.
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSplitter>
#include <QTableView>

#include "fake_engine.h"
#include "gui/file_controller.h"
#include "gui/main_window.h"
#include "gui/new_from_data_dialog.h"
#include "gui/new_project_dialog.h"
#include "gui/page.h"
#include "gui/run_controller.h"
#include "support.h"
#include "widgets/canvas_view.h"
#include "widgets/plot_widget.h"
#include "widgets/scale_bar.h"

namespace plumbline::gui::test {

namespace {

struct Fixture {
    explicit Fixture(const QString& folder = {}) {
        if (folder.isEmpty()) {
            OpenProject made;
            if (!made.document.saveAs(filePath(temporary.filePath("small")))) {
                qFatal("no project");
            }
        }
        if (!window.files().openNow(folder.isEmpty() ? temporary.filePath("small") : folder)) {
            qFatal("the project does not open");
        }
        window.workspace().bridge().setEngine(engine);
        window.resize(1400, 900);
        window.show();
        QCoreApplication::processEvents();
    }
    template <class Widget>
    Widget* named(const char* name) {
        return window.findChild<Widget*>(QLatin1String(name));
    }
    bool train() {
        window.runs().run();
        return QTest::qWaitFor([this] { return !window.workspace().bridge().isActive(); }, 20000);
    }
    /// The plots of the Train page as they stand, row by row.
    QStringList plots() {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        QCoreApplication::processEvents();
        QList<widgets::PlotWidget*> shown;
        for (auto* plot : window.page("train")->findChildren<widgets::PlotWidget*>()) {
            if (plot->isVisible()) {
                shown << plot;
            }
        }
        std::sort(shown.begin(), shown.end(), [](const QWidget* a, const QWidget* b) {
            return std::pair(a->y(), a->x()) < std::pair(b->y(), b->x());
        });
        QStringList names;
        for (const auto* plot : shown) {
            names << plot->objectName().mid(5);
        }
        return names;
    }
    void choose(const char* plot, const char* action) {
        for (QAction* each : named<widgets::PlotWidget>(plot)->menu()->actions()) {
            if (each->objectName() == QLatin1String(action)) {
                each->trigger();
            }
        }
    }
    void drag(const char* plot, const char* onto) {
        QWidget* header = nullptr;
        for (QWidget* child : named<QWidget>(plot)->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
            if (child->inherits("plumbline::widgets::PlotHeader")) {
                header = child;
            }
        }
        QVERIFY(header);
        const QWidget* target = named<QWidget>(onto);
        const QPoint from(20, header->height() / 2);
        const QPoint to = header->mapFromGlobal(target->mapToGlobal(target->rect().center()));
        QTest::mousePress(header, Qt::LeftButton, {}, from);
        QTest::mouseMove(header, from + (to - from) / 2);
        QTest::mouseMove(header, to);
        QTest::mouseRelease(header, Qt::LeftButton, {}, to);
    }

    QTemporaryDir temporary;
    std::shared_ptr<FakeEngine> engine = std::make_shared<FakeEngine>();
    MainWindow window;
};

}  // namespace

class ArrangementTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QSettings().clear(); }

    void docksHaveATitleByWhichTheyAreFloatedClosedAndBroughtBack() {
        Fixture f;
        for (const char* name : {"dock_problems", "dock_findings"}) {
            auto* dock = f.named<QDockWidget>(name);
            dock->raise();
            QCoreApplication::processEvents();
            QVERIFY2(!dock->windowTitle().isEmpty(), name);
            QVERIFY2(dock->features().testFlags(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable |
                                                QDockWidget::DockWidgetClosable),
                     name);
            QVERIFY2(!dock->titleBarWidget(), name);  // Qt's own: it can be dragged, and back
            auto* pull = dock->findChild<QAbstractButton*>("qt_dockwidget_floatbutton");
            auto* close = dock->findChild<QAbstractButton*>("qt_dockwidget_closebutton");
            QVERIFY2(pull && pull->isVisible() && close && close->isVisible(), name);
            QTest::mouseClick(pull, Qt::LeftButton);
            QVERIFY2(dock->isFloating() && dock->isVisible(), name);
            QTest::mouseClick(pull, Qt::LeftButton);
            QVERIFY2(!dock->isFloating(), name);
            QTest::mouseClick(close, Qt::LeftButton);
            QVERIFY2(dock->isHidden(), name);
            dock->toggleViewAction()->trigger();
            QVERIFY2(!dock->isHidden(), name);
        }
    }

    void theArrangementIsRememberedAndResetBringsTheFirstOneBack() {
        QTemporaryDir kept;
        QString folder;
        {
            OpenProject made;
            folder = kept.filePath("small");
            QVERIFY(made.document.saveAs(filePath(folder)));
        }
        const QStringList first{"loss", "metric", "gradient", "rate", "throughput", "memory"};
        const QStringList moved{"metric", "loss", "gradient", "throughput", "memory"};
        {
            Fixture f(folder);
            f.window.addDockWidget(Qt::RightDockWidgetArea, f.named<QDockWidget>("dock_problems"));
            f.named<QDockWidget>("dock_findings")->close();
            f.named<QDockWidget>("dock_list")->show();
            QVERIFY(f.window.showPage("train"));
            QCOMPARE(f.plots(), first);
            f.choose("plot_loss", "plotMoveDown");
            Q_EMIT f.named<widgets::PlotWidget>("plot_rate")->closeRequested();
            f.named<QSlider>("train_smoothing")->setValue(40);
            f.named<QComboBox>("train_axis")->setCurrentIndex(2);
            f.named<QCheckBox>("train_log")->setChecked(true);
            f.named<QSplitter>("train_splitter")->setSizes({500, 700});
            QCOMPARE(f.plots(), moved);
            f.window.close();
            QVERIFY(!f.window.isVisible());
        }
        Fixture f(folder);
        QCOMPARE(f.window.dockWidgetArea(f.named<QDockWidget>("dock_problems")), Qt::RightDockWidgetArea);
        QVERIFY(f.named<QDockWidget>("dock_findings")->isHidden());
        QVERIFY(!f.named<QDockWidget>("dock_list")->isHidden());
        QVERIFY(f.window.showPage("train"));
        QCOMPARE(f.plots(), moved);
        QCOMPARE(f.named<QSlider>("train_smoothing")->value(), 40);
        QVERIFY(f.named<widgets::PlotWidget>("plot_loss")->smoothing() > 0.8);
        QCOMPARE(f.named<QComboBox>("train_axis")->currentIndex(), 2);
        QVERIFY(f.named<widgets::PlotWidget>("plot_metric")->xAxis() == widgets::PlotXAxis::Seconds);
        QVERIFY(f.named<widgets::PlotWidget>("plot_loss")->isYLog());
        const QList<int> sizes = f.named<QSplitter>("train_splitter")->sizes();
        QVERIFY2(sizes[0] > 400, qPrintable(QString::number(sizes[0])));

        f.named<QAction>("action_reset_layout")->trigger();
        QCOMPARE(f.window.dockWidgetArea(f.named<QDockWidget>("dock_problems")), Qt::BottomDockWidgetArea);
        QVERIFY(!f.named<QDockWidget>("dock_findings")->isHidden());
        QVERIFY(f.named<QDockWidget>("dock_list")->isHidden());
        QCOMPARE(f.plots(), first);
        QCOMPARE(f.named<widgets::PlotWidget>("plot_loss")->smoothing(), 0.0);
        QVERIFY(f.named<widgets::PlotWidget>("plot_loss")->xAxis() == widgets::PlotXAxis::Step);
        QVERIFY(!f.named<widgets::PlotWidget>("plot_loss")->isYLog());
    }

    void theSplittersOfProblemsAndFindingsAreRemembered() {
        const char* const patch = R"([{"op":"add","path":"/model/graph/nodes/conv/params/in_channels","value":5}])";
        int left = 0;
        for (const bool again : {false, true}) {
            Fixture f;
            QVERIFY(f.window.workspace().document().applyPatch("break", Json::parse(patch)));
            auto* splitter = f.named<QSplitter>("problems_splitter");
            QTRY_VERIFY(splitter->isVisible());
            if (!again) {
                splitter->setSizes({900, 300});
                left = splitter->sizes()[0];
                QVERIFY(f.window.workspace().document().save());
                f.window.close();
                QVERIFY(!f.window.isVisible());
            } else {
                QTRY_VERIFY2(std::abs(splitter->sizes()[0] - left) < 20,
                             qPrintable(QString("%1, not %2").arg(splitter->sizes()[0]).arg(left)));
            }
        }
    }

    void plotsAreMovedByTheirMenuAndByTheirTitle() {
        Fixture f;
        QVERIFY(f.window.showPage("train"));
        f.choose("plot_metric", "plotMoveUp");
        QCOMPARE(f.plots(), (QStringList{"metric", "loss", "gradient", "rate", "throughput", "memory"}));
        f.choose("plot_metric", "plotMoveUp");  // it is the first already
        QCOMPARE(f.plots().first(), QString("metric"));
        f.drag("plot_gradient", "plot_metric");
        QCOMPARE(f.plots(), (QStringList{"gradient", "metric", "loss", "rate", "throughput", "memory"}));
        f.drag("plot_gradient", "plot_rate");
        QCOMPARE(f.plots(), (QStringList{"metric", "loss", "rate", "gradient", "throughput", "memory"}));
        // The other statistic of the gradients stands in the same place.
        Q_EMIT f.named<widgets::PlotWidget>("plot_gradient")->titleChosen(1);
        QCOMPARE(f.plots(), (QStringList{"metric", "loss", "rate", "gradient_max", "throughput", "memory"}));
    }

    void aPlotThatCannotBeWrittenIsTold() {
        Fixture f;
        QSignalSpy told(&f.window.workspace(), &Workspace::messageRequested);
        for (const char* name : {"plot_loss", "runs_overlay"}) {
            auto* plot = f.named<widgets::PlotWidget>(name);
            for (QAction* action : plot->menu()->actions()) {
                if (action->text().startsWith("Export plot")) {
                    action->trigger();
                }
            }
            auto* dialog = plot->findChild<QFileDialog*>();
            QVERIFY2(dialog, name);
            Q_EMIT dialog->fileSelected(f.temporary.filePath("no folder/plot.png"));
            QCOMPARE(told.count(), 1);
            QVERIFY(told.takeFirst().at(1).toString().contains("could not be written"));
            dialog->close();
        }
    }

    void theScaleOfTheFillStandsBesideIt() {
        Fixture f;
        auto* scale = f.named<widgets::ScaleBar>("canvas_scale");
        QVERIFY(scale->isHidden());  // nothing is filled
        QVERIFY(f.train());
        QTRY_VERIFY(!scale->isHidden());
        QVERIFY2(scale->accessibleName().contains("L2") && scale->accessibleName().contains("2"),
                 qPrintable(scale->accessibleName()));
        auto* canvas = f.named<widgets::CanvasView>("canvas");
        QVERIFY(scale->geometry().bottom() <= canvas->viewport()->height());
        canvas->setZoom(1);
        QVERIFY(scale->look() == widgets::ScaleBar::Look::Share);
        canvas->setZoom(0.1);
        QVERIFY(scale->look() == widgets::ScaleBar::Look::Ramp);
        auto* fill = f.named<QComboBox>("model_statistic");
        const auto chooseFill = [fill](const QString& name) {
            fill->setCurrentText(name);
            Q_EMIT fill->activated(fill->currentIndex());
        };
        chooseFill("Parameters");
        QVERIFY2(scale->accessibleName().contains("parameters") && scale->accessibleName().contains("100 %"),
                 qPrintable(scale->accessibleName()));
        chooseFill("No fill");
        QVERIFY(scale->isHidden());
    }

    void ctrlFGoesToTheFilterOfThePage() {
        Fixture f;
        QVERIFY(f.train());
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        const std::pair<const char*, const char*> pages[] = {
            {"data", "data_settings_filter"}, {"train", "training_settings_filter"}, {"runs", "tableFilter"}};
        for (const auto& [page, field] : pages) {
            QVERIFY2(f.window.showPage(page), page);
            QTRY_VERIFY2_WITH_TIMEOUT(f.window.currentPage()->isSettled(), page, 20000);
            f.named<QWidget>("pages")->setFocus();
            QTest::keyClick(&f.window, Qt::Key_F, Qt::ControlModifier);
            QVERIFY2(QApplication::focusWidget(), page);
            QCOMPARE(QApplication::focusWidget()->objectName(), QString(field));
        }
    }

    void everyTableIsCopiedAsText() {
        Fixture f;
        QVERIFY(f.train());
        QStringList without;
        for (const char* page : {"data", "train", "runs", "export", "model"}) {
            QVERIFY2(f.window.showPage(page), page);
            QTRY_VERIFY2_WITH_TIMEOUT(f.window.currentPage()->isSettled(), page, 20000);
        }
        f.named<QAction>("action_shortcuts")->trigger();
        NewFromDataDialog fromData;
        QList<QTableView*> tables = f.window.findChildren<QTableView*>() + fromData.findChildren<QTableView*>();
        QVERIFY(tables.size() > 8);
        for (QTableView* table : std::as_const(tables)) {
            const bool issues = table->objectName() == "problems_table" ||
                                table->objectName() == "findings_table";  // copied as a sentence
            if (!issues && !table->findChild<QAction*>("table_copy")) {
                without << table->objectName();
            }
        }
        QVERIFY2(without.isEmpty(), qPrintable(without.join(", ")));
        QVERIFY(f.window.showPage("data"));  // its keys are those of the page in front
        auto* statistics = f.named<QTableView>("data_statistics");
        QVERIFY(statistics->model()->rowCount() > 0);
        statistics->selectAll();
        QTest::keyClick(statistics, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split('\n');
        QVERIFY2(lines.size() == statistics->model()->rowCount() + 1, qPrintable(QApplication::clipboard()->text()));
        QVERIFY2(lines.first().startsWith("Input\tMean"), qPrintable(lines.first()));
    }

    void everyButtonOfADialogHasANameForScripts() {
        Fixture f;
        QVERIFY(f.train());
        QVERIFY(f.window.showPage("runs"));
        QTRY_VERIFY_WITH_TIMEOUT(
            f.window.currentPage()->isSettled() && f.named<QPushButton>("runs_delete")->isEnabled(), 20000);
        f.named<QPushButton>("runs_delete")->click();
        f.named<QAction>("action_shortcuts")->trigger();
        f.named<QAction>("action_about")->trigger();
        QVERIFY(f.window.workspace().document().setSetting("description", "changed"));
        f.window.close();  // asks
        NewProjectDialog fresh;
        NewFromDataDialog fromData;
        QList<QDialog*> dialogs = f.window.findChildren<QDialog*>();
        dialogs << &fresh << &fromData;
        QVERIFY(dialogs.size() >= 6);
        QStringList nameless;
        for (const QDialog* dialog : std::as_const(dialogs)) {
            for (const QAbstractButton* button : dialog->findChildren<QAbstractButton*>()) {
                if (button->objectName().isEmpty() && !qobject_cast<const QLineEdit*>(button->parentWidget()) &&
                    !button->inherits("QTableCornerButton")) {
                    nameless << dialog->objectName() + ": " + button->text();
                }
            }
            if (dialog->objectName().isEmpty()) {
                nameless << dialog->windowTitle();
            }
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join("\n")));
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::ArrangementTest>(argc, argv);
}

#include "test_arrangement.moc"
