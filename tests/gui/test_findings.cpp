// SPDX-License-Identifier: GPL-3.0-or-later
// What is said about a run, and what becomes of it: the panel, its card, remedies, older runs, another project.
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QTextBrowser>

#include "diagnostics/detector.h"
#include "gui/help_viewer.h"
#include "gui/issues/evidence_text.h"
#include "gui/issues/issue_panel.h"
#include "gui/pages/model_page.h"
#include "gui/pages/run_table_model.h"
#include "gui/pages/train_plots.h"
#include "widgets/canvas_view.h"
#include "widgets/filter_table.h"
#include "widgets/icons.h"
#include "widgets/labels.h"
#include "window_fixture.h"

namespace plumbline::gui::test {

namespace {

struct Fixture : WindowFixture {
    IssuePanel* panel = named<IssuePanel>("findings_panel");
};

diagnostics::Finding halveTheRate() {
    diagnostics::Finding finding;
    finding.id = "non-finite#1";
    finding.detector = "non-finite";
    finding.severity = graph::Severity::kCritical;
    finding.step = 12;
    finding.epoch = 1;
    finding.block = "conv";
    finding.message = "At step 12 the loss is NaN.";
    finding.evidence = Json{{"what", "loss"}, {"count", 3}, {"median_wait_share", 0.38}, {"step_ms", 12.5}};
    finding.remedies.push_back({"Halve the learning rate to 0.05",
                                Json::parse(R"([{"op":"test","path":"/training/optimizer/lr","value":0.1},
                                                {"op":"replace","path":"/training/optimizer/lr","value":0.05}])"),
                                "live"});
    finding.remedies.push_back({"Look at that batch", Json::array(), "next_run"});
    return finding;
}

}  // namespace

class FindingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRemedySaysWhatItWouldDoThenThatItIsDoneThenThatItDoesNotFit() {
        Fixture f;
        QList<BlockMark> marks;
        connect(&f.window.workspace(), &Workspace::marksShown, this,
                [&](const QList<BlockMark>& shown) { marks = shown; });
        f.window.workspace().showStoredRun("run1", {halveTheRate()});
        QCOMPARE(f.panel->model().openCount(), 1);
        QVERIFY(f.panel->current());
        QCOMPARE(marks.size(), 1);
        QVERIFY(marks.first().severity == widgets::Severity::Critical);
        auto* press = f.named<QPushButton>("findings_remedy_0");
        QVERIFY(press->isEnabled());
        QCOMPARE(f.named<QLabel>("findings_note_0")->text(), QString("training.optimizer.lr: 0.1 → 0.05"));
        QCOMPARE(f.named<QLabel>("findings_note_1")->text(), QString("Look at that batch"));

        press->click();
        QCOMPARE(f.document().setting("training.optimizer.lr").toDouble(), 0.05);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!f.named<QPushButton>("findings_remedy_0")->isEnabled());
        const auto cell = [&](int column) {
            return f.panel->model().data(f.panel->model().index(0, column), Qt::DisplayRole).toString();
        };
        QCOMPARE(cell(IssueModel::SeverityColumn), widgets::severityName(widgets::Severity::Critical));
        QVERIFY2(cell(IssueModel::WhereColumn).endsWith("applied, run again"),
                 qPrintable(cell(IssueModel::WhereColumn)));
        QCOMPARE(f.named<QLabel>("findings_note_0")->text(), QString("Applied, run again."));
        QVERIFY(marks.first().severity == widgets::Severity::Info);

        f.document().undoStack()->undo();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(f.named<QPushButton>("findings_remedy_0")->isEnabled());
        QVERIFY(marks.first().severity == widgets::Severity::Critical);

        QVERIFY(f.document().setSetting("training.optimizer.lr", 0.3));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!f.named<QPushButton>("findings_remedy_0")->isEnabled());
        const QString reason = f.named<QLabel>("findings_note_0")->text();
        QVERIFY2(reason.contains("training.optimizer.lr is 0.3 now") && reason.contains("0.1"), qPrintable(reason));
        QSignalSpy told(&f.window.workspace(), &Workspace::messageRequested);
        QVERIFY(!f.window.workspace().applyRemedy(halveTheRate().remedies.front()));
        QCOMPARE(told.count(), 1);
        QVERIFY(!told.first().at(1).toString().contains("json.exception"));
    }

    void aFindingIsCopiedAsText() {
        Fixture f;
        f.window.workspace().showStoredRun("run1", {halveTheRate()});
        QGuiApplication::clipboard()->clear();
        QTest::keyClick(f.named<QTableView>("findings_table"), Qt::Key_C, Qt::ControlModifier);
        const QString copied = QGuiApplication::clipboard()->text();
        for (const char* part :
             {"At step 12 the loss is NaN.", "conv", "Halve the learning rate to 0.05", "Look at that batch"}) {
            QVERIFY2(copied.contains(part), qPrintable(copied));
        }
    }

    void undoAndRedoOfALiveSettingReachTheRun() {
        Fixture f;
        f.engine->holdAtEnd = true;
        f.window.runs().run();
        QTRY_VERIFY_WITH_TIMEOUT(f.bridge().state() == session::RunState::kRunning, 20000);
        QVERIFY(f.document().setSetting("training.optimizer.lr", 0.02));
        QVERIFY(f.document().setSetting("training.seed", 7));  // not live: stays with the project
        f.document().undoStack()->undo();
        f.document().undoStack()->undo();
        f.document().undoStack()->redo();
        const std::vector<std::string> expected{"training.optimizer.lr=0.02", "training.optimizer.lr=0.1",
                                                "training.optimizer.lr=0.02"};
        QTRY_VERIFY_WITH_TIMEOUT(f.engine->taken() == expected, 20000);
        f.bridge().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!f.bridge().isActive(), 20000);
    }

    void aLiveSettingThatIsLeftOutHasTheDefaultOfTheRunThatIsOn() {
        Fixture f;
        QVERIFY(f.document().setSetting("training.optimizer.type", "AdamW"));
        f.engine->holdAtEnd = true;
        f.window.runs().run();
        QTRY_VERIFY_WITH_TIMEOUT(f.bridge().state() == session::RunState::kRunning, 20000);
        QVERIFY(f.document().setSetting("training.optimizer.weight_decay", 0));
        QVERIFY(f.document().setSetting("training.optimizer.weight_decay", QJsonValue::Undefined));
        QVERIFY(f.document().setSetting("training.optimizer.type",
                                        "SGD"));  // of the next run: this one goes on with AdamW's
        QVERIFY(f.document().setSetting("training.optimizer.lr", 0.02));
        const std::vector<std::string> expected{"training.optimizer.weight_decay=0",
                                                "training.optimizer.weight_decay=0.01", "training.optimizer.lr=0.02"};
        QTRY_VERIFY2_WITH_TIMEOUT(f.engine->taken() == expected, Json(f.engine->taken()).dump().c_str(), 20000);
        f.bridge().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!f.bridge().isActive(), 20000);
    }

    void nothingOfARunStaysWhenAnotherProjectIsOpened() {
        English english;
        Fixture f;
        f.engine->findSomething = true;
        QVERIFY(!f.train().isEmpty());
        QCOMPARE(f.panel->model().openCount(), 1);
        QVERIFY(f.bridge().progress().step > 0);
        auto* chip = f.named<widgets::StatusChip>("status_state");
        QCOMPARE(chip->text(), QString("completed · 1 finding"));
        QVERIFY(f.window.files().openNow(f.temporary.filePath("other")));
        QCOMPARE(f.panel->model().rowCount(), 0);
        QVERIFY(f.bridge().runId().isEmpty());
        QVERIFY(!f.bridge().latest("train.loss"));
        QCOMPARE(chip->text(), QString("idle"));
        QVERIFY(f.named<QLabel>("status_progress_text")->text().isEmpty());
        QVERIFY(f.named<widgets::ElidedLabel>("train_caption")->text().contains("No run"));
    }

    void anEndedRunSaysThatItHasFindingsWhereverItsStateStands() {
        English english;
        Fixture f;
        f.window.show();
        f.engine->findSomething = true;
        f.engine->findIsCritical = true;
        QVERIFY(!f.train().isEmpty());
        auto* chip = f.named<widgets::StatusChip>("status_state");
        QCOMPARE(chip->text(), QString("completed · 1 finding"));
        QVERIFY2(chip->accessibleName().startsWith("critical"), qPrintable(chip->accessibleName()));
        auto* ofPage = f.named<widgets::StatusChip>("train_findings");
        QVERIFY(!ofPage->isHidden());
        QCOMPARE(ofPage->text(), QString("1 finding"));
        QVERIFY(ofPage->accessibleName().startsWith("critical"));
        // Both lead to it.
        f.named<QDockWidget>("dock_findings")->hide();
        QTest::keyClick(chip, Qt::Key_Space);
        QVERIFY(!f.named<QDockWidget>("dock_findings")->isHidden());
        f.named<QDockWidget>("dock_findings")->hide();
        QTest::keyClick(ofPage, Qt::Key_Space);
        QVERIFY(!f.named<QDockWidget>("dock_findings")->isHidden());
        f.window.showPage("runs");
        const QAbstractItemModel* runs = f.named<widgets::FilterTable>("runs_table")->view()->model();
        QTRY_COMPARE_WITH_TIMEOUT(runs->rowCount(), 1, 20000);
        QTRY_COMPARE_WITH_TIMEOUT(runs->index(0, RunTableModel::Status).data().toString(),
                                  QString("completed · 1 finding"), 20000);
        const auto iconOf = [&] {
            return runs->index(0, RunTableModel::Status).data(Qt::DecorationRole).value<QIcon>().pixmap(16).toImage();
        };
        QCOMPARE(iconOf(), widgets::severityIcon(widgets::Severity::Critical).pixmap(16).toImage());
        // A run without any is simply completed.
        f.engine->findSomething = false;
        QVERIFY(!f.train().isEmpty());
        QCOMPARE(chip->text(), QString("completed"));
        QVERIFY(ofPage->isHidden());
    }

    void anOlderRunsFindingsAreReadWithItsPlotsAndAMarkSelectsOne() {
        Fixture f;
        f.engine->findSomething = true;
        QVERIFY(!f.train().isEmpty());
        const QString run = f.bridge().runId();
        f.engine->findSomething = false;
        QVERIFY(!f.train().isEmpty());
        QCOMPARE(f.panel->model().rowCount(), 0);
        f.window.workspace().showRun(run, "train");
        QTRY_COMPARE_WITH_TIMEOUT(f.panel->model().rowCount(), 1, 20000);
        QCOMPARE(f.window.workspace().storedRun(), run);
        QVERIFY(f.named<QDockWidget>("dock_findings")->windowTitle().contains(run));
        diagnostics::Finding second = halveTheRate();
        f.window.workspace().showStoredRun(run, {f.window.workspace().findings().front(), second});
        f.panel->selectKey("loader-stall#1");
        Q_EMIT f.window.findChild<TrainPlots*>()->findingActivated("non-finite#1");
        QCOMPARE(f.panel->current()->key, QString("non-finite#1"));
        QCOMPARE(f.window.currentPage()->id(), QString("train"));
        QVERIFY(!f.train().isEmpty());  // the new run takes its place
        QVERIFY(f.window.workspace().storedRun().isEmpty());
        QCOMPARE(f.panel->model().rowCount(), 0);
    }

    void theKeyboardStaysWhereItWasWhenARemedyIsPressed() {
        Fixture f;
        f.window.show();
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        f.window.workspace().showStoredRun("run1", {halveTheRate()});
        f.window.workspace().showFinding("non-finite#1");
        auto* canvas = f.named<widgets::CanvasView>("canvas");
        canvas->setFocus();
        QTest::mouseClick(f.named<QPushButton>("findings_remedy_0"), Qt::LeftButton);
        QCOMPARE(f.document().setting("training.optimizer.lr").toDouble(), 0.05);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(canvas));
        QTest::keyClick(canvas, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(f.document().setting("training.optimizer.lr").toDouble(), 0.1);

        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        auto* press = f.named<QPushButton>("findings_remedy_0");
        press->setFocus();
        QTest::keyClick(press, Qt::Key_Space);
        QCOMPARE(f.document().setting("training.optimizer.lr").toDouble(), 0.05);
        QVERIFY(QApplication::focusWidget());
        QVERIFY2(!qobject_cast<QLineEdit*>(QApplication::focusWidget()),
                 qPrintable(QApplication::focusWidget()->objectName()));
    }

    void theCardShowsEachNumberWithALabelAndUnit() {
        Fixture f;
        f.window.workspace().showStoredRun("run1", {halveTheRate()});
        QStringList shown;
        for (const QLabel* label : f.named<QWidget>("findings_evidence")->findChildren<QLabel*>()) {
            shown << label->text();
        }
        QVERIFY2(shown.contains("Median share of waiting") && shown.contains("38 %"), qPrintable(shown.join(", ")));
        QVERIFY(shown.contains("12.5 ms"));
        QVERIFY(!shown.contains("median_wait_share"));
        QVERIFY(!f.named<QLabel>("findings_message")->text().contains("count"));
        f.named<QPushButton>("findings_explain")->click();
        auto* page = f.window.findChild<QTextBrowser*>("help_text");
        QVERIFY(page && page->toPlainText().contains("non-finite"));
    }

    void whateverADetectorSeesHasALabelAndEachHasItsPage() {
        QStringList unknown;
        const QDir sources(QStringLiteral(PLUMBLINE_SOURCE_DIR "/engine/diagnostics/detectors"));
        int seen = 0;
        for (const QString& file : sources.entryList({"*.cpp"})) {
            QFile source(sources.filePath(file));
            QVERIFY(source.open(QIODevice::ReadOnly));
            const QString code = QString::fromUtf8(source.readAll());
            const QRegularExpression assignment(QStringLiteral("evidence = \\{(.*?)\\};"),
                                                QRegularExpression::DotMatchesEverythingOption);
            const QRegularExpression key(QStringLiteral("\\{\"([a-z0-9_]+)\","));
            for (const auto& block : assignment.globalMatch(code)) {
                for (const auto& match : key.globalMatch(QStringLiteral("{") + block.captured(1))) {
                    ++seen;
                    if (!isKnownEvidence(match.captured(1))) {
                        unknown << file + ": " + match.captured(1);
                    }
                }
            }
        }
        QVERIFY(seen > 30);
        QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join("\n")));
        for (const diagnostics::DetectorEntry& entry : diagnostics::detectors()) {
            QVERIFY2(QFile::exists(text(documentationFolder() / "detectors" / (entry.spec.id + ".md"))),
                     entry.spec.id.c_str());
        }
    }

    void dataThatCannotBeReadAreAProblemAndReadDataAreSaidToBe() {
        Fixture f;
        auto* panel = f.named<IssuePanel>("problems_panel");
        auto* empty = f.named<QLabel>("problems_empty");
        QVERIFY(!empty->text().contains("settings and data."));
        QTRY_VERIFY_WITH_TIMEOUT(empty->text().contains("settings and data."), 20000);
        QFile csv(f.temporary.filePath("small/table.csv"));
        QVERIFY(csv.open(QIODevice::WriteOnly));
        csv.write("a,b,class\n1,red,0\n2,blue,1\n3,red,0\n4,blue,1\n");
        csv.close();
        Json json = f.document().project().json;
        json["data"]["sources"] = Json::parse(R"({"table": {"type": "csv", "path": "table.csv"}})");
        json["data"]["inputs"] = Json::parse(R"({"image": {"from": ["table.a", "table.b"]}})");
        json["data"]["targets"] = Json::parse(R"({"label": {"from": "table.class"}})");
        QVERIFY(f.document().setJson("table", json));
        const auto dataProblem = [&]() -> QString {
            for (const Issue& issue : panel->model().issues()) {
                if (issue.pointer.startsWith(QLatin1String("/data"))) {
                    return issue.message;
                }
            }
            return {};
        };
        QTRY_VERIFY_WITH_TIMEOUT(!dataProblem().isEmpty(), 20000);
        QVERIFY2(
            dataProblem().contains("table.csv") || dataProblem().contains("\"b\"") || dataProblem().contains("red"),
            qPrintable(dataProblem()));
        f.document().undoStack()->undo();
        QVERIFY(dataProblem().isEmpty());
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::FindingsTest>(argc, argv);
}

#include "test_findings.moc"
