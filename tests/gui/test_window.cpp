// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAction>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QTableWidget>
#include <QToolButton>
#include <QTranslator>

#include "fake_engine.h"
#include "gui/engine_text.h"
#include "gui/file_controller.h"
#include "gui/issues/issue_model.h"
#include "gui/issues/issue_panel.h"
#include "gui/main_window.h"
#include "gui/model/canvas_adapter.h"
#include "gui/new_project_dialog.h"
#include "gui/pages/model_page.h"
#include "gui/run_controller.h"
#include "support.h"
#include "widgets/canvas_view.h"

Q_DECLARE_METATYPE(plumbline::gui::RunOutcome)

namespace plumbline::gui::test {

namespace {

/// A folder with the small project, not opened.
struct ProjectFolder {
    ProjectFolder() {
        OpenProject open;
        folder = temporary.filePath("small");
        if (!open.document.saveAs(filePath(folder))) {
            qFatal("cannot save");
        }
    }
    QTemporaryDir temporary;
    QString folder;
};

}  // namespace

class WindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pagesNeedAProjectExceptWelcome() {
        MainWindow window;
        QCOMPARE(window.currentPage()->id(), QString("welcome"));
        QVERIFY(!window.showPage("model"));
        QVERIFY(!window.runs().runAction->isEnabled());
        ProjectFolder project;
        QVERIFY(window.files().openNow(project.folder));
        QCOMPARE(window.currentPage()->id(), QString("model"));
        QVERIFY(window.runs().runAction->isEnabled());
        QVERIFY(!window.showPage("no such page"));
    }

    void everyInteractiveWidgetHasANameForPeopleAndForScripts() {
        MainWindow window;
        ProjectFolder project;
        QVERIFY(window.files().openNow(project.folder));
        window.show();
        QCoreApplication::processEvents();
        QStringList nameless;
        for (QWidget* widget : window.findChildren<QWidget*>()) {
            const bool interactive = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QLineEdit*>(widget) ||
                                     qobject_cast<QAbstractItemView*>(widget);
            if (!interactive || !widget->isVisible() || widget->objectName().startsWith("qt_") ||
                widget->objectName().startsWith("_q_") ||
                qobject_cast<QLineEdit*>(widget->parentWidget())) {  // Qt's own buttons inside a text field
                continue;
            }
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            const bool named = !widget->accessibleName().isEmpty() ||
                               (button && (!button->text().isEmpty() || !button->toolTip().isEmpty()));
            const bool identified =
                !widget->objectName().isEmpty() ||
                (button && qobject_cast<QToolButton*>(widget) &&
                 !static_cast<QToolButton*>(widget)->actions().isEmpty()) ||
                QByteArray(widget->metaObject()->className()).startsWith("QDockWidgetTitleButton") ||
                QByteArray(widget->metaObject()->className()) == "QHeaderView";
            if ((!named && QByteArray(widget->metaObject()->className()) != "QHeaderView" &&
                 !QByteArray(widget->metaObject()->className()).startsWith("QDockWidgetTitleButton")) ||
                !identified) {
                nameless << QString("%1 '%2' in '%3'")
                                .arg(widget->metaObject()->className(), widget->objectName(),
                                     widget->parentWidget()->objectName());
            }
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join("\n")));
    }

    void everyActionHasANameAndShortcutsAreNotGivenTwice() {
        MainWindow window;
        ProjectFolder project;
        QVERIFY(window.files().openNow(project.folder));
        QHash<QString, QString> taken;
        for (QAction* action : window.findChildren<QAction*>()) {
            if (action->shortcutContext() == Qt::WidgetShortcut) {
                continue;
            }
            for (const QKeySequence& key : action->shortcuts()) {
                const QString text = key.toString();
                QVERIFY2(!taken.contains(text) || taken.value(text) == action->objectName(),
                         qPrintable(text + " is both " + taken.value(text) + " and " + action->objectName()));
                taken.insert(text, action->objectName());
            }
        }
        QVERIFY(taken.contains("Ctrl+K"));
        QVERIFY(taken.contains("F5"));
        QVERIFY(taken.contains("Shift+F5"));
        QVERIFY(taken.contains("F11"));
        QVERIFY(taken.contains("Ctrl+Q"));  // on every desktop
    }

    void aProblemJumpsToItsBlockAndItsRemedyIsOneUndoEntry() {
        MainWindow window;
        ProjectFolder project;
        QVERIFY(window.files().openNow(project.folder));
        ProjectDocument& document = window.workspace().document();
        QVERIFY(document.editModel("break", [](graph::Document& model, Json&) {
            model.definition("ConvBlock")->find("conv")->params["in_channels"] = 5;
            return Status();
        }));
        auto* panel = window.findChild<IssuePanel*>("problems_panel");
        QVERIFY(panel->model().openCount() > 0);
        panel->select(0);
        auto* page = static_cast<ModelPage*>(window.page("model"));
        Q_EMIT panel->activated(panel->model().issues().first());
        QCOMPARE(page->adapter().here().graph, std::string("ConvBlock"));
        QCOMPARE(page->canvas().selectedNodes(), QStringList({"conv"}));
        if (!panel->current()->remedies.empty()) {
            const int count = document.undoStack()->count();
            Q_EMIT panel->remedyChosen(panel->current()->remedies.front());
            QCOMPARE(document.undoStack()->count(), count + 1);
        }
    }

    void runIsRefusedWhileTheModelIsBroken() {
        MainWindow window;
        ProjectFolder project;
        QVERIFY(window.files().openNow(project.folder));
        window.workspace().bridge().setEngine(std::make_shared<FakeEngine>());
        QVERIFY(window.workspace().document().editModel("break", [](graph::Document& model, Json&) {
            model.root.find("conv")->params["in_channels"] = 5;
            return Status();
        }));
        QSignalSpy told(&window.workspace(), &Workspace::messageRequested);
        window.runs().run();
        QVERIFY(!window.workspace().bridge().isActive());
        QCOMPARE(told.count(), 1);
    }

    void aRunIsDrainedToTheLastValueAndEnds() {
        ProjectFolder project;
        ProjectDocument document;
        QVERIFY(document.open(filePath(project.folder)));
        RunBridge bridge;
        auto engine = std::make_shared<FakeEngine>();
        engine->findSomething = true;
        bridge.setEngine(engine);
        qint64 points = 0;
        connect(&bridge, &RunBridge::metricsArrived, this, [&](const QList<SeriesChunk>& chunks) {
            for (const SeriesChunk& chunk : chunks) {
                points += static_cast<qint64>(chunk.value.size());
                QCOMPARE(chunk.step.size(), chunk.value.size());
            }
        });
        std::optional<RunOutcome> end;
        connect(&bridge, &RunBridge::finished, this, [&](const RunOutcome& outcome) { end = outcome; });
        bridge.start({document.snapshot(), "named", {}, 0});
        QVERIFY(bridge.isActive());
        QTRY_VERIFY_WITH_TIMEOUT(end.has_value(), 10000);
        QVERIFY(end->state == session::RunState::kCompleted);
        QCOMPARE(points + static_cast<qint64>(bridge.dropped()), 100);
        QCOMPARE(*bridge.latest("train.loss"), 1.0 / 50);
        QCOMPARE(bridge.findings().size(), std::size_t(1));
        QVERIFY(!bridge.isActive());
        QVERIFY(QFileInfo::exists(project.folder + "/runs"));
    }

    void pauseStopAndFailureAreStates() {
        ProjectFolder project;
        ProjectDocument document;
        QVERIFY(document.open(filePath(project.folder)));
        RunBridge bridge;
        auto engine = std::make_shared<FakeEngine>();
        engine->holdAtEnd = true;
        bridge.setEngine(engine);
        std::optional<RunOutcome> end;
        connect(&bridge, &RunBridge::finished, this, [&](const RunOutcome& outcome) { end = outcome; });
        bridge.start({document.snapshot(), {}, {}, 0});
        QTRY_VERIFY_WITH_TIMEOUT(bridge.state() == session::RunState::kRunning, 10000);
        bridge.pause();
        QTRY_VERIFY(bridge.state() == session::RunState::kPaused);
        bridge.unpause();
        QTRY_VERIFY(bridge.state() == session::RunState::kRunning);
        bridge.stop();
        QVERIFY(bridge.state() == session::RunState::kStopping);  // shown at once
        QTRY_VERIFY_WITH_TIMEOUT(end.has_value(), 10000);
        QVERIFY(end->state == session::RunState::kStopped);

        end.reset();
        engine->holdAtEnd = false;
        engine->failAtEnd = true;
        bridge.start({document.snapshot(), {}, {}, 0});
        QTRY_VERIFY_WITH_TIMEOUT(end.has_value(), 10000);
        QVERIFY(end->state == session::RunState::kFailed);
        QVERIFY(end->error.has_value());
    }

    void closingDuringARunStopsItFirst() {
        ProjectFolder project;
        auto engine = std::make_shared<FakeEngine>();
        engine->holdAtEnd = true;
        MainWindow window;
        QVERIFY(window.files().openNow(project.folder));
        window.workspace().bridge().setEngine(engine);
        window.show();
        window.runs().run();
        QTRY_VERIFY_WITH_TIMEOUT(window.workspace().bridge().state() == session::RunState::kRunning, 10000);
        window.close();
        QVERIFY(window.isVisible());
        auto* box = window.findChild<QDialog*>("dialog_run_is_on");
        QVERIFY(box != nullptr);
        box->findChild<QPushButton*>()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), 10000);
        QVERIFY(!window.workspace().bridge().isActive());
    }

    void unsavedChangesAreAskedAboutOnClosing() {
        ProjectFolder project;
        MainWindow window;
        QVERIFY(window.files().openNow(project.folder));
        window.show();
        QVERIFY(window.workspace().document().setSetting("description", "changed"));
        window.close();
        QVERIFY(window.isVisible());
        auto* box = window.findChild<QDialog*>("dialog_unsaved");
        QVERIFY(box != nullptr);
        for (QPushButton* button : box->findChildren<QPushButton*>()) {
            if (button->text() == "Save") {
                button->click();
                break;
            }
        }
        QTRY_VERIFY(!window.isVisible());
        ProjectDocument again;
        QVERIFY(again.openForReading(filePath(project.folder)));
        QCOMPARE(again.setting("description").toString(), QString("changed"));
    }

    void issueRowsKeepTheRulesOfQt() {
        IssueModel model;
        QAbstractItemModelTester tester(&model);
        const auto issue = [](const char* key) {
            Issue made;
            made.key = QString(key);
            made.message = made.key;
            return made;
        };
        model.setIssues({issue("a"), issue("b"), issue("c")});
        QPersistentModelIndex c(model.index(2, 0));
        model.setIssues({issue("a"), issue("c")});
        QCOMPARE(c.row(), 1);
        model.setIssues({issue("x"), issue("a"), issue("c"), issue("d")});
        QCOMPARE(c.row(), 2);
        model.setIssues({});
        QCOMPARE(model.rowCount(), 0);
    }

    void everyTemplateGivesAProjectThatOpens() {
        NewProjectDialog dialog;
        for (const project::TemplateInfo& info : project::templates()) {
            dialog.selectTemplate(text(info.id));
            auto* create = dialog.findChild<QPushButton*>("new_create");
            QVERIFY2(create->isEnabled(), info.id.c_str());
            QTemporaryDir temporary;
            ProjectDocument document;
            const Status made = document.create(dialog.project(), filePath(temporary.filePath("p")));
            QVERIFY2(made.has_value(), made ? "" : toSentence(made.error()).c_str());
            QVERIFY2(document.report().ok(), info.id.c_str());
        }
        dialog.findChild<QLineEdit*>("new_name")->setText("a/b");
        QVERIFY(!dialog.findChild<QPushButton*>("new_create")->isEnabled());
    }

    void noStringIsUntranslated() {
        const QString file = QStringLiteral(PLUMBLINE_SOURCE_DIR "/resources/translations/plumbline_zh_CN.ts");
        QFile ts(file);
        QVERIFY2(ts.open(QIODevice::ReadOnly), qPrintable(file));
        QVERIFY(!ts.readAll().contains("type=\"unfinished\""));
        // The sources may have gone on: what lupdate finds now must all be there.
        const QString lupdate = QStringLiteral(PLUMBLINE_LUPDATE);
        if (!QFile::exists(lupdate)) {
            QSKIP("lupdate is not installed");
        }
        QTemporaryDir temporary;
        const QString copy = temporary.filePath("plumbline_zh_CN.ts");
        QVERIFY(QFile::copy(file, copy));
        QProcess process;
        process.start(lupdate, {"-silent", "-I", PLUMBLINE_SOURCE_DIR, "-locations", "none", "-no-obsolete",
                                PLUMBLINE_SOURCE_DIR "/widgets", PLUMBLINE_SOURCE_DIR "/gui", "-ts", copy});
        QVERIFY(process.waitForFinished(60000));
        QFile updated(copy);
        QVERIFY(updated.open(QIODevice::ReadOnly));
        QStringList missing;
        QString source;
        for (const QString& line : QString::fromUtf8(updated.readAll()).split('\n')) {
            if (line.contains("<source>")) {
                source = line.trimmed();
            } else if (line.contains("type=\"unfinished\"")) {
                missing << source;
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join("\n")));
    }

    void theListOfKeysHasEveryKeyOfEveryAction() {
        MainWindow window;
        window.findChild<QAction*>("action_shortcuts")->trigger();
        const auto* table = window.findChild<QTableWidget*>("shortcuts_table");
        QVERIFY(table);
        QSet<QString> told;
        for (int row = 0; row < table->rowCount(); ++row) {
            for (const QString& key : table->item(row, 0)->text().split(QRegularExpression(", | "))) {
                told << QKeySequence(key).toString();
            }
        }
        for (int page = 2; page < 7; ++page) {
            told << QStringLiteral("Ctrl+%1").arg(page);  // "Ctrl+1 … Ctrl+7"
        }
        QStringList missing;
        int keys = 0;
        for (const QAction* action : window.findChildren<QAction*>()) {
            const QString key = action->shortcut().toString();
            keys += key.isEmpty() ? 0 : 1;
            if (!key.isEmpty() && !told.contains(key)) {
                missing << key + " " + action->text();
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join("\n")));
        QVERIFY(keys > 25);
    }

    void theEnginesTextsAreTranslatedToo() {
        QTranslator translator;
        QVERIFY(translator.load(":/i18n/plumbline_zh_CN.qm"));
        QStringList missing;
        for (const QString& english : allEngineTexts()) {
            if (translator.translate("Engine", english.toUtf8().constData()).isEmpty()) {
                missing << english;
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join("\n")));
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::WindowTest>(argc, argv);
}

#include "test_window.moc"
