// SPDX-License-Identifier: GPL-3.0-or-later
// The short experiments before a run: what they are asked, what is shown of their answer, how they stop and what they
// refuse. PLUMBLINE_SHOTS names a folder for pictures of what was looked at.
#include <QAbstractButton>
#include <QAction>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSet>
#include <QSpinBox>
#include <QTableView>

#include "gui/pages/probe_dialog.h"
#include "widgets/filter_table.h"
#include "widgets/flame_chart.h"
#include "widgets/plot_widget.h"
#include "window_fixture.h"

namespace plumbline::gui::test {

namespace {

Json reportOf(const QByteArray& action) {
    if (action == "action_preflight") {
        return Json::parse(R"json({"training": {"batches": 2, "batch_ms": 12.5, "loader_wait_ms": 1.25, "loss": 2.3025},
            "validation": {"batches": 2, "batch_ms": 4.0, "metrics": {"val.loss": 2.31, "val.accuracy": null}},
            "epoch_seconds": 42, "run_seconds": 84, "steps_per_epoch": 3, "peak_memory_bytes": 214000000,
            "memory": {"parameters": 1000000, "gradients": 1000000, "optimizer_state": 0, "prefetch": 4096},
            "blocks": [{"block": "conv", "type": "Conv2d", "forward_ms": 0.5, "kept_bytes": 32768, "peak_bytes": 65536},
                       {"block": "fc", "type": "Linear", "forward_ms": 0.1, "kept_bytes": 640, "peak_bytes": 9000000}],
            "findings": [{"id": "loader-stall#1", "detector": "loader-stall", "severity": "warning", "step": 2, "epoch": 0, "block": "conv",
                          "message": "The loader waits 38 % of step time.", "evidence": {"wait": 0.38}, "remedies": []}]})json");
    }
    if (action == "action_find_lr") {
        return Json::parse(
            R"json({"points": [[1e-4, 2.5, 2.5], [1e-3, 2.4, 2.45], [0.0123, 1.5, 2.0], [0.1, 1.0, 1.4], [1.0, 9.0, 6.0]],
            "suggested": 0.0123, "lowest_loss_at": 0.1, "diverged_at": 1.0, "explanation": "The loss falls fastest at 0.0123, is lowest at 0.1 and diverges at 1.",
            "highest_now": 0.1, "factor": 0.12, "changes": [{"path": "training.optimizer.lr", "from": 0.1, "value": 0.012}]})json");
    }
    if (action == "action_find_batch_size") {
        return Json::parse(
            R"json({"sizes": [{"batch_size": 8, "step_ms": 2.0, "samples_per_second": 4000, "peak_memory_bytes": 2000000},
                      {"batch_size": 32, "step_ms": 4.0, "samples_per_second": 8000, "peak_memory_bytes": 8000000},
                      {"batch_size": 64, "step_ms": 7.9, "samples_per_second": 8100, "peak_memory_bytes": 16000000}],
            "chosen": 32, "largest": 64, "limited_by": "data", "budget_bytes": 4000000000, "bytes_per_sample": 250000,
            "explanation": "The training split has 100 samples. The smallest batch within 5 % of the best throughput is chosen."})json");
    }
    if (action == "action_overfit") {
        return Json::parse(
            R"json({"losses": [2.3, 1.0, null, 0.01], "steps": 4, "first_loss": 2.3, "last_loss": 0.01, "metrics": {"accuracy": 1.0}, "passed": true,
            "explanation": "The first batch of 16 samples was learnt: the loss went from 2.3 to 0.01 in 4 steps."})json");
    }
    return Json::parse(
        R"json({"steps": 20, "phases": {"loader_wait_ms": 1, "to_device_ms": 0, "forward_ms": 3, "loss_ms": 0.5, "backward_ms": 4, "optimizer_ms": 1,
            "monitor_ms": 0.25, "other_ms": 0.25, "total_ms": 10},
        "blocks": [{"block": "conv", "type": "Conv2d", "forward_ms": 2, "backward_ms": 3, "kept_bytes": 32768, "live_bytes": 0, "growth_bytes": 0},
                   {"block": "fc", "type": "Linear", "forward_ms": 0.5, "backward_ms": 0.75, "kept_bytes": 640, "live_bytes": 0, "growth_bytes": 128}],
        "memory": {"timeline": [[0, 1000000, "forward", ""], [2, 3000000, "forward", "conv"], [9, 1000000, "optimizer", ""]], "growth_bytes": 2000000}})json");
}

const QList<QByteArray> kActions{"action_preflight", "action_find_lr", "action_find_batch_size", "action_overfit",
                                 "action_profile"};

struct Fixture : WindowFixture {
    explicit Fixture(const QByteArray& action = "action_find_lr") : name(action) {
        engine->probed = reportOf(action);
        window.resize(1200, 800);
        window.show();
        window.showPage("train");
    }
    void open() { named<QAction>(name.constData())->trigger(); }
    ProbeDialog* dialog() { return named<ProbeDialog>("dialog_probe"); }
    /// Opened and at its end.
    bool ran() {
        open();
        return QTest::qWaitFor([this] { return !dialog()->isBusy(); }, 20000);
    }
    QString sentence() { return named<QLabel>("probe_sentence")->text(); }
    QPushButton* button(const char* which) { return named<QPushButton>(which); }
    QString cell(const char* table, int row, int column) {
        const auto* model = named<widgets::FilterTable>(table)->view()->model();
        return model->index(row, column).data().toString();
    }
    int rows(const char* table) { return named<widgets::FilterTable>(table)->view()->model()->rowCount(); }
    QByteArray name;
};

}  // namespace

class ProbesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theButtonAndTheEditMenuHaveAllFive() {
        Fixture f;
        const auto* menu = f.named<QMenu>("before_run_menu");
        const auto* edit = f.named<QMenu>("menu_edit");
        QVERIFY(f.button("before_run")->menu() == menu);
        QCOMPARE(menu->actions().size(), kActions.size());
        for (const QByteArray& action : kActions) {
            QVERIFY2(menu->actions().contains(f.named<QAction>(action.constData())), action.constData());
            QVERIFY2(edit->actions().contains(f.named<QAction>(action.constData())), action.constData());
        }
        f.window.showPage("model");
        QVERIFY(!edit->actions().contains(f.named<QAction>("action_preflight")));
    }

    void theLearningRateIsDrawnMarkedAndSetAsOneUndoStep() {
        Fixture f;
        QVERIFY(f.ran());
        QVERIFY(!f.dialog()->isModal());
        QCOMPARE(f.engine->lastProbe.kind, session::ProbeKind::kLearningRate);
        QCOMPARE(f.engine->lastProbe.steps, std::int64_t{100});
        QCOMPARE(f.engine->lastProbe.lowest, 1e-7);
        QCOMPARE(f.engine->lastProbe.highest, 10.0);
        QCOMPARE(f.sentence(), QString("The loss falls fastest at 0.0123, is lowest at 0.1 and diverges at 1."));
        auto* curve = f.named<widgets::PlotWidget>("probe_curve");
        QVERIFY(curve->isXLog());
        QCOMPARE(curve->pointCount("loss"), 5);
        QCOMPARE(curve->pointCount("smoothed"), 5);
        QVERIFY2(curve->summaryText().contains("learning rate 1") && curve->summaryText().contains("2 mark"),
                 qPrintable(curve->summaryText()));
        QCOMPARE(f.rows("probe_points"), 5);
        QVERIFY2(f.cell("probe_points", 2, 0).contains("suggested"), qPrintable(f.cell("probe_points", 2, 0)));
        QCOMPARE(f.named<widgets::FilterTable>("probe_points")->selectedRows(), QList<int>{2});

        auto* apply = f.button("probe_apply");
        QVERIFY(apply->isVisible() && apply->isEnabled());
        QVERIFY2(apply->text().contains("0.012"), qPrintable(apply->text()));
        const int before = f.document().undoStack()->count();
        apply->click();
        QCOMPARE(f.document().setting("training.optimizer.lr").toDouble(), 0.012);
        QCOMPARE(f.document().undoStack()->count(), before + 1);
        QVERIFY(!apply->isEnabled());
        QVERIFY2(f.named<QLabel>("probe_applied")->text().contains("0.012"),
                 qPrintable(f.named<QLabel>("probe_applied")->text()));
        f.document().undoStack()->undo();
        QCOMPARE(f.document().setting("training.optimizer.lr").toDouble(), 0.1);
        QVERIFY(apply->isEnabled());
        QCOMPARE(f.named<QLabel>("probe_applied")->text(), QString());
    }

    void severalRatesAreSetTogetherAsOneUndoStep() {
        Fixture f;
        f.engine->probed["changes"] = Json::parse(
            R"json([{"path": "training.scheduler.max_lr", "from": 0.1, "value": 0.012}, {"path": "training.optimizer.lr", "from": 0.05, "value": 0.006}])json");
        QVERIFY(f.ran());
        auto* apply = f.button("probe_apply");
        QVERIFY2(apply->text().contains("0.12"), qPrintable(apply->text()));
        const QJsonValue typeBefore = f.document().setting("training.scheduler.type");
        const int before = f.document().undoStack()->count();
        QVERIFY(f.document().setSetting("training.scheduler.type", QStringLiteral("one_cycle")));
        apply->click();
        QCOMPARE(f.document().setting("training.scheduler.max_lr").toDouble(), 0.012);
        QCOMPARE(f.document().setting("training.optimizer.lr").toDouble(), 0.006);
        QCOMPARE(f.document().undoStack()->count(), before + 2);
        QVERIFY(!apply->isEnabled());
        f.document().undoStack()->undo();
        QVERIFY(f.document().setting("training.scheduler.max_lr").isUndefined());
        QVERIFY(f.document().setting("training.optimizer.lr").toDouble() != 0.006);
        f.document().undoStack()->undo();
        QCOMPARE(f.document().setting("training.scheduler.type"), typeBefore);
    }

    void whereNoRateIsSuggestedThereIsNothingToSet() {
        Fixture f;
        f.engine->probed["suggested"] = nullptr;
        QVERIFY(f.ran());
        QVERIFY(!f.button("probe_apply")->isVisible());
        QVERIFY(f.named<widgets::FilterTable>("probe_points")->selectedRows().isEmpty());
    }

    void theChosenBatchIsMarkedAndSet() {
        Fixture f("action_find_batch_size");
        QVERIFY(f.ran());
        QCOMPARE(f.engine->lastProbe.budgetBytes, std::int64_t{0});
        QCOMPARE(f.engine->lastProbe.largest, std::int64_t{65536});
        QCOMPARE(f.rows("probe_sizes"), 3);
        QVERIFY(f.cell("probe_sizes", 1, 0).contains("chosen"));
        QVERIFY(!f.cell("probe_sizes", 0, 0).contains("chosen"));
        QVERIFY2(f.cell("probe_sizes", 1, 3).contains("8.0 MB"), qPrintable(f.cell("probe_sizes", 1, 3)));
        f.named<QSpinBox>("probe_budget")->setValue(2000);
        f.button("probe_start")->click();
        QVERIFY(QTest::qWaitFor([&] { return !f.dialog()->isBusy(); }, 20000));
        QCOMPARE(f.engine->lastProbe.budgetBytes, std::int64_t{2'000'000'000});
        f.button("probe_apply")->click();
        QCOMPARE(f.document().setting("data.loader.batch_size").toInt(), 32);
    }

    void preflightShowsTimesBlocksByMemoryAndFindings() {
        Fixture f("action_preflight");
        QVERIFY(f.ran());
        for (const char* part : {"12.5 ms", "0:42", "1:24", "214.0 MB"}) {
            QVERIFY2(f.sentence().contains(part), qPrintable(f.sentence()));
        }
        QCOMPARE(f.cell("probe_blocks", 0, 0), QString("fc"));  // the largest first
        QCOMPARE(f.cell("probe_blocks", 1, 0), QString("conv"));
        auto* findings = f.named<QTableView>("probe_findings_table");
        QVERIFY(findings);
        QCOMPARE(findings->model()->rowCount(), 1);
        QVERIFY(!f.button("probe_apply")->isVisible());
    }

    void preflightWithoutFindingsGivesTheirRoomToTheTables() {
        English english;
        Fixture f("action_preflight");
        f.engine->probed["findings"] = Json::array();
        f.engine->probed["epoch_seconds"] = 0.3;
        QVERIFY(f.ran());
        QVERIFY(f.dialog()->findChild<QTableView*>("probe_findings_table") == nullptr);
        QVERIFY2(f.sentence().contains("about 0.3 s"), qPrintable(f.sentence()));
        const QTableView* facts = f.named<widgets::FilterTable>("probe_facts")->view();
        QCOMPARE(facts->horizontalHeader()->sectionResizeMode(0), QHeaderView::Stretch);
        QVERIFY(!facts->horizontalHeader()->stretchLastSection());
        QVERIFY(f.dialog()->findChild<QPushButton*>("dialog_probe_reject")->icon().isNull());
    }

    void itOpensWithTheFieldsOfItsKindWithinTheScreen() {
        Fixture f("action_overfit");
        QVERIFY(f.ran());
        QVERIFY(f.named<QSpinBox>("probe_budget")->isHidden());
        QVERIFY(f.dialog()->width() <= QGuiApplication::primaryScreen()->availableSize().width());
    }

    void itsKeysUndoAndRedoWhatItSet() {
        Fixture f("action_find_batch_size");
        QVERIFY(f.ran());
        f.dialog()->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(f.dialog()));
        const int before = f.document().setting("data.loader.batch_size").toInt();
        f.button("probe_apply")->click();
        f.button("probe_start")->setFocus();
        const int after = f.document().setting("data.loader.batch_size").toInt();
        QVERIFY(before != after);
        QTest::keyClick(f.dialog(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(f.document().setting("data.loader.batch_size").toInt(), before);
        QTest::keyClick(f.dialog(), Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(f.document().setting("data.loader.batch_size").toInt(), after);
    }

    void overfitDrawsTheLossAndPassesOverWhatIsNoNumber() {
        Fixture f("action_overfit");
        QVERIFY(f.ran());
        QCOMPARE(f.engine->lastProbe.steps, std::int64_t{200});
        auto* curve = f.named<widgets::PlotWidget>("probe_curve");
        QCOMPARE(curve->pointCount("loss"), 4);
        QVERIFY2(curve->summaryText().contains("1 value"), qPrintable(curve->summaryText()));
        QVERIFY(f.sentence().contains("was learnt"));
    }

    void aProfileIsAFlameOfPhasesAndBlocksAndATable() {
        Fixture f("action_profile");
        QVERIFY(f.ran());
        QCOMPARE(f.engine->lastProbe.steps, std::int64_t{20});
        QVERIFY2(f.sentence().contains("40 %") && f.sentence().contains("2.0 MB"), qPrintable(f.sentence()));
        auto* flame = f.named<widgets::FlameChart>("probe_flame");
        const auto& spans = flame->spans();
        QCOMPARE(spans.size(), std::size_t{12});
        double end = 0;
        for (const widgets::FlameSpan& span : spans) {
            if (span.lane == 0) {
                QCOMPARE(span.start, end);
                end += span.length;
            }
        }
        QCOMPARE(end, 10.0);
        // Blocks lie below their phase, backward the other way round.
        QCOMPARE(spans[8].id, QString("conv"));
        QCOMPARE(spans[8].start, spans[2].start);
        QCOMPARE(spans[10].id, QString("fc"));
        QCOMPARE(spans[10].start, spans[4].start);
        QVERIFY(spans[11].start + spans[11].length <= spans[4].start + spans[4].length);
        QTest::mouseClick(flame, Qt::LeftButton, {}, flame->spanRect(10).center().toPoint());
        QCOMPARE(f.named<widgets::FilterTable>("probe_blocks")->selectedRows(), QList<int>{1});
        // The keys go down from a phase to the block below it, and to the next one.
        flame->setFocus();
        flame->setSpans(std::vector(spans), 10);
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Right, Qt::Key_Down, Qt::Key_Right}) {
            QTest::keyClick(flame, key);
        }
        QCOMPARE(flame->currentSpan(), 9);
        const QStringList titles{"Block", "Type", "Forward (ms)", "Backward (ms)", "Keeps", "Grows by"};
        const auto* model = f.named<widgets::FilterTable>("probe_blocks")->view()->model();
        for (int column = 0; column < titles.size(); ++column) {
            QCOMPARE(model->headerData(column, Qt::Horizontal).toString(), titles[column]);
        }
        QCOMPARE(f.cell("probe_blocks", 0, 2), QString("2.000"));
    }

    void aTraceIsAskedForAndWrittenByAnotherProfile() {
        Fixture f("action_profile");
        QVERIFY(f.ran());
        QVERIFY(f.engine->lastProbe.trace.empty());
        f.button("probe_save_trace")->click();
        auto* files = f.named<QFileDialog>("dialog_probe_trace");
        QVERIFY(files);
        const QString file = f.temporary.filePath("steps.json");
        Q_EMIT files->fileSelected(file);
        files->close();
        QVERIFY(QTest::qWaitFor([&] { return f.engine->probes == 2 && !f.dialog()->isBusy(); }, 20000));
        QCOMPARE(f.engine->lastProbe.trace, bytes(file));
        QVERIFY2(f.sentence().contains(file), qPrintable(f.sentence()));
        f.button("probe_start")->click();
        QVERIFY(QTest::qWaitFor([&] { return f.engine->probes == 3 && !f.dialog()->isBusy(); }, 20000));
        QVERIFY(f.engine->lastProbe.trace.empty());  // asked for once
    }

    void theBarSaysHowManyStepsOfHowManyAreDone() {
        Fixture f;
        f.engine->holdProbe = true;
        f.engine->probeDone = 25;
        f.engine->probeTotal = 100;
        f.open();
        auto* bar = f.named<QProgressBar>("probe_progress");
        QCOMPARE(bar->maximum(), 0);  // not known before the first step
        QTRY_VERIFY_WITH_TIMEOUT(bar->maximum() > 0, 20000);
        QCOMPARE(bar->value() * 4, bar->maximum());
        QCOMPARE(bar->text(), QString("25 of 100"));
        f.button("probe_stop")->click();
        QVERIFY(QTest::qWaitFor([&] { return !f.dialog()->isBusy(); }, 20000));
        f.engine->probeTotal = 0;
        f.button("probe_start")->click();
        QCOMPARE(bar->maximum(), 0);  // what the one before had counted is gone
        f.button("probe_stop")->click();
        QVERIFY(QTest::qWaitFor([&] { return !f.dialog()->isBusy(); }, 20000));
    }

    void theRunMenuHasThemOnEveryPageWithTheirKeys() {
        Fixture f("action_preflight");
        const auto* run = f.named<QMenu>("menu_run");
        for (const QByteArray& action : kActions) {
            QVERIFY2(run->actions().contains(f.named<QAction>(action.constData())), action.constData());
            QVERIFY2(!f.named<QAction>(action.constData())->shortcut().isEmpty(), action.constData());
        }
        QVERIFY(run->actions().contains(f.named<QAction>("action_new_sweep")));
        f.window.showPage("model");
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        QTest::keyClick(&f.window, Qt::Key_F7);
        QTRY_VERIFY_WITH_TIMEOUT(f.dialog() && f.engine->probes == 1, 20000);
        QVERIFY(QTest::qWaitFor([&] { return !f.dialog()->isBusy(); }, 20000));
    }

    void stopEndsItAndNothingIsChanged() {
        Fixture f;
        f.engine->holdProbe = true;
        f.open();
        QVERIFY(f.dialog()->isBusy());
        QVERIFY(QTest::qWaitFor([&] { return f.sentence().contains("loss 2.5"); }, 20000));
        QVERIFY(f.named<QPlainTextEdit>("probe_log")->isVisible());
        QVERIFY(!f.button("probe_start")->isEnabled());
        f.button("probe_stop")->click();
        QVERIFY(QTest::qWaitFor([&] { return !f.dialog()->isBusy(); }, 20000));
        QVERIFY2(f.sentence().contains("Nothing was changed"), qPrintable(f.sentence()));
        QVERIFY(!f.named<QScrollArea>("probe_result")->isVisible());
        QVERIFY(f.button("probe_start")->isEnabled());
        QVERIFY(!f.button("probe_stop")->isEnabled());
        QVERIFY(!f.document().isDirty());
    }

    void anotherKindEndsTheOneThatIsOnFirst() {
        Fixture f;
        f.engine->holdProbe = true;
        f.open();
        QVERIFY(QTest::qWaitFor([&] { return f.engine->probes == 1; }, 20000));
        f.open();  // the same goes on
        QTest::qWait(50);
        QCOMPARE(f.engine->probes.load(), 1);
        f.named<QAction>("action_overfit")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return f.engine->probes == 2; }, 20000));
        f.engine->holdProbe = false;
        QVERIFY(QTest::qWaitFor([&] { return !f.dialog()->isBusy(); }, 20000));
        QCOMPARE(f.engine->lastProbe.kind, session::ProbeKind::kOverfit);
    }

    void aFailureIsItsSentence() {
        Fixture f;
        f.engine->probed = nullptr;
        QVERIFY(f.ran());
        QVERIFY2(f.sentence().contains("does not fit into memory") && f.sentence().contains("Halve the batch size"),
                 qPrintable(f.sentence()));
        QVERIFY(!f.button("probe_apply")->isVisible());
    }

    void aBrokenModelIsRefusedBeforeTheEngineIsAsked() {
        Fixture f;
        QVERIFY(f.document().applyPatch(
            "outputs",
            Json::array({{{"op", "replace"}, {"path", "/model/graph/nodes/fc/params/out_features"}, {"value", 0}}})));
        QVERIFY(f.ran());
        QVERIFY2(f.sentence().contains("out_features"), qPrintable(f.sentence()));
        QVERIFY(f.named<QLabel>("probe_empty")->isHidden());
        QCOMPARE(f.engine->probes.load(), 0);
    }

    void aRunThatIsOnRefusesItAndOneThatBeginsEndsIt() {
        Fixture f;
        f.engine->holdProbe = true;
        f.open();
        QVERIFY(QTest::qWaitFor([&] { return f.engine->probes == 1; }, 20000));
        f.engine->holdAtEnd = true;
        f.window.runs().run();
        QVERIFY(QTest::qWaitFor([&] { return !f.dialog()->isBusy(); }, 20000));
        QVERIFY2(f.sentence().contains("a run began"), qPrintable(f.sentence()));
        f.button("probe_start")->click();
        QVERIFY(!f.dialog()->isBusy());
        QVERIFY2(f.sentence().contains("A run is on"), qPrintable(f.sentence()));
        f.bridge().stop();
        QVERIFY(QTest::qWaitFor([&] { return !f.bridge().isActive(); }, 20000));
        QCOMPARE(f.engine->probes.load(), 1);
    }

    void itWaitsForLibTorchAndCanBeStoppedMeanwhile() {
        OpenProject project;
        Workspace workspace;
        QVERIFY(workspace.document().open(filePath(project.folder)));
        ProbeDialog dialog(workspace);
        dialog.begin(session::ProbeKind::kOverfit);
        auto* sentence = dialog.findChild<QLabel*>("probe_sentence");
        auto* stop = dialog.findChild<QPushButton*>("probe_stop");
        QVERIFY2(sentence->text().contains("being loaded"), qPrintable(sentence->text()));
        stop->click();
        QVERIFY2(sentence->text().contains("Nothing was changed"), qPrintable(sentence->text()));
        QVERIFY(!stop->isEnabled());
        dialog.begin(session::ProbeKind::kOverfit);
        auto engine = std::make_shared<FakeEngine>();
        engine->probed = reportOf("action_overfit");
        workspace.bridge().setEngine(engine);
        QVERIFY(QTest::qWaitFor([&] { return engine->probes == 1 && !dialog.isBusy(); }, 20000));
        QVERIFY(sentence->text().contains("was learnt"));
    }

    void closingStopsIt() {
        Fixture f;
        f.engine->holdProbe = true;
        f.open();
        QVERIFY(QTest::qWaitFor([&] { return f.engine->probes == 1; }, 20000));
        QTest::keyClick(f.dialog(), Qt::Key_Escape);
        QVERIFY(!f.dialog()->isVisible());
        QVERIFY(QTest::qWaitFor([&] { return !f.dialog()->isBusy(); }, 20000));
    }

    void everyWidgetHasNamesAndTheKeyboardReachesIt_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<bool>("dark");
        for (const QByteArray& action : kActions) {
            QTest::addRow("%s light", action.constData()) << action << false;
            QTest::addRow("%s dark", action.constData()) << action << true;
        }
    }

    void everyWidgetHasNamesAndTheKeyboardReachesIt() {
        QFETCH(QByteArray, action);
        QFETCH(bool, dark);
        widgets::Theme::instance().setMode(dark ? widgets::ThemeMode::Dark : widgets::ThemeMode::Light);
        Fixture f(action);
        QVERIFY(f.ran());
        ProbeDialog* dialog = f.dialog();
        dialog->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        QSet<QWidget*> wanted;
        QStringList nameless;
        for (QWidget* widget : dialog->findChildren<QWidget*>()) {
            const bool inside = qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) ||
                                qobject_cast<QLineEdit*>(widget->parentWidget()) ||
                                widget->objectName().startsWith("qt_");
            if (!widget->isVisible() || !widget->isEnabled() || !(widget->focusPolicy() & Qt::TabFocus) ||
                widget->focusProxy() || inside) {
                continue;
            }
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            if (widget->objectName().isEmpty() ||
                (widget->accessibleName().isEmpty() && !(button && !button->text().isEmpty()))) {
                nameless << QString("%1 '%2'").arg(widget->metaObject()->className(), widget->objectName());
            }
            wanted.insert(widget);
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join("\n")));
        QVERIFY(wanted.size() >= 4);
        QWidget* const first = f.button("probe_start");
        first->setFocus(Qt::TabFocusReason);
        QSet<QWidget*> reached;
        int steps = 0;
        do {
            QWidget* now = QApplication::focusWidget();
            QVERIFY(now);
            reached.insert(now);
            QTest::keyClick(now, Qt::Key_Tab);
        } while (QApplication::focusWidget() != first && ++steps < 200);
        QVERIFY2(steps < 200, "it does not come back");
        QStringList missing;
        for (const QWidget* widget : wanted - reached) {
            missing << widget->objectName();
        }
        const QString shots = qEnvironmentVariable("PLUMBLINE_SHOTS");
        if (!shots.isEmpty()) {
            QVERIFY(dialog->grab().save(
                QString("%1/%2-%3.png").arg(shots, QString::fromLatin1(action), dark ? "dark" : "light")));
        }
        widgets::Theme::instance().setMode(widgets::ThemeMode::Light);
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join("\n")));
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::ProbesTest>(argc, argv);
}

#include "test_probes.moc"
