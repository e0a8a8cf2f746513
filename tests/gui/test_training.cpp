// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of a run: points, numbers, memory, colours; and what stays where it is while news arrive.
#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QTabBar>
#include <QTableView>
#include <QUndoStack>
#include <cmath>

#include "gui/issues/issue_panel.h"
#include "gui/model/canvas_adapter.h"
#include "gui/pages/model_page.h"
#include "gui/pages/run_table_model.h"
#include "gui/pages/train_plots.h"
#include "gui/run_controller.h"
#include "widgets/canvas_view.h"
#include "widgets/filter_table.h"
#include "widgets/message_banner.h"
#include "widgets/number_tile.h"
#include "widgets/plot_widget.h"
#include "widgets/scale_bar.h"
#include "window_fixture.h"

namespace plumbline::gui::test {

namespace {

struct Fixture : WindowFixture {
    QString folder() const { return temporary.filePath("small"); }
    QString ended() {
        return QTest::qWaitFor([this] { return !bridge().isActive(); }, 20000) ? bridge().runId() : QString();
    }
    QString tile(const char* name) { return named<widgets::NumberTile>(name)->valueText(); }
    /// A column of the planned rate, as the plot exports it.
    std::vector<double> planned(int column) {
        std::vector<double> values;
        for (const QString& line : named<widgets::PlotWidget>("plot_rate")->toCsv().split(QLatin1Char('\n'))) {
            if (line.startsWith(QLatin1String("lr.planned,"))) {
                values.push_back(line.section(QLatin1Char(','), column, column).toDouble());
            }
        }
        return values;
    }
    std::vector<double> plannedSteps() { return planned(1); }
    std::vector<double> plannedRates() { return planned(4); }
    int points(const char* series) {
        return named<widgets::PlotWidget>("plot_loss")->pointCount(QLatin1String(series));
    }
};

QRect placeOf(const QWidget* widget, const QWidget* window) {
    return {widget->mapTo(window, QPoint()), widget->size()};
}

}  // namespace

class TrainingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPointOfARunIsDrawnAndItsNewestNumbersStandInTheTiles() {
        Fixture f;
        f.engine->validationLoss = 0.25;
        QVERIFY(!f.train().isEmpty());
        QCOMPARE(f.points("train.loss"), 50);
        QCOMPARE(f.points("val.loss"), 1);
        QCOMPARE(f.named<widgets::PlotWidget>("plot_gradient")->pointCount("grad.norm/conv"), 50);
        const QString csv = f.named<widgets::PlotWidget>("plot_loss")->toCsv();
        QVERIFY2(csv.contains("train.loss,50,0,0.050000000000000003,0.02"), qPrintable(csv.right(200)));
        QCOMPARE(f.tile("tile_loss"), QString("0.02"));
        QCOMPARE(f.tile("tile_throughput"), QString("100"));
    }

    void aScalersScaleIsACurveAndEachStepItSkippedAMark() {
        Fixture f;
        f.engine->scales = true;
        QVERIFY(!f.train().isEmpty());
        auto* rate = f.named<widgets::PlotWidget>("plot_rate");
        QCOMPARE(rate->pointCount("scaler.scale"), 50);
        QVERIFY2(rate->toCsv().contains("scaler.scale,9,0,0.0089999999999999993,16384"),
                 qPrintable(rate->toCsv().left(1000)));
        for (const char* plot : {"plot_rate", "plot_loss"}) {  // two steps, however long the run goes on after them
            const QString summary = f.named<widgets::PlotWidget>(plot)->summaryText();
            QVERIFY2(summary.contains("2 step"), qPrintable(summary));
        }
    }

    void theRateIsDrawnOverItsLogarithmWhereItSpansMoreThanTwoDecadesUnlessOneChooses() {
        Fixture f;
        auto* rate = f.named<widgets::PlotWidget>("plot_rate");
        QVERIFY(QTest::qWaitFor([&] { return f.workspace().trainSamples() == 42; }, 20000));
        const auto fallsTo = [&f](double factor) {
            QVERIFY(f.document().setSetting("training.scheduler", QJsonObject{{"type", "linear"},
                                                                              {"unit", "step"},
                                                                              {"start_factor", 1.0},
                                                                              {"end_factor", factor},
                                                                              {"total", 4}}));
        };
        fallsTo(0.1);
        QVERIFY(!rate->isYLog());
        fallsTo(0.001);
        QVERIFY(rate->isYLog());
        f.named<QAction>("rate_axis_linear")->trigger();
        QVERIFY(!rate->isYLog());
        fallsTo(0.0001);
        QVERIFY(!rate->isYLog());  // what was chosen stays
        f.named<QAction>("rate_axis_log")->trigger();
        fallsTo(0.5);
        QVERIFY(rate->isYLog());
        f.named<QAction>("rate_axis_by_values")->trigger();
        QVERIFY(!rate->isYLog());
        fallsTo(0.0);
        QVERIFY(!rate->isYLog());  // 0 has no logarithm
        // A run's own rates count as well.
        auto* plots = f.window.findChild<TrainPlots*>();
        SeriesChunk chunk;
        chunk.series = "lr";
        chunk.step = {1, 2};
        chunk.epoch = {1, 1};
        chunk.seconds = {0, 1};
        chunk.value = {0.1, 0.0001};
        fallsTo(0.5);
        plots->append({chunk});
        QVERIFY(rate->isYLog());
        // The plot's own menu is a choice too, and the layout keeps it.
        rate->findChild<QAction*>("plot_y_log")->trigger();
        QVERIFY(!rate->isYLog());
        QVERIFY(f.named<QAction>("rate_axis_linear")->isChecked());
        const QVariantMap state = plots->layoutState();
        plots->resetLayout();
        QVERIFY(rate->isYLog());
        plots->restoreLayout(state);
        QVERIFY(!rate->isYLog());
    }

    void theRateThatTheSettingsPlanIsDrawnBeforeTheRunAndFollowsThem() {
        Fixture f;
        auto* rate = f.named<widgets::PlotWidget>("plot_rate");
        // Two epochs of three steps, once the data have been read: each a line from its first step to its last.
        QVERIFY(QTest::qWaitFor([&] { return f.workspace().trainSamples() == 42; }, 20000));
        QCOMPARE(f.plannedSteps(), (std::vector<double>{1, 3, 4, 6}));
        QCOMPARE(f.plannedRates(), (std::vector<double>{0.1, 0.1, 0.1, 0.1}));
        const auto schedule = [&f](const char* json) {
            QVERIFY(f.document().setSetting("training.scheduler", QJsonDocument::fromJson(json).object()));
        };
        QVERIFY(f.document().setSetting("training.optimizer.lr", 0.5));
        schedule(R"({"type": "linear", "unit": "step", "start_factor": 1.0, "end_factor": 0.0, "total": 4})");
        QCOMPARE(f.plannedSteps(), (std::vector<double>{1, 2, 3, 4, 5, 6}));
        QCOMPARE(f.plannedRates(), (std::vector<double>{0.5, 0.375, 0.25, 0.125, 0, 0}));
        QVERIFY(f.document().setSetting("training.optimizer.lr", 0.4));
        QCOMPARE(f.plannedRates().front(), 0.4);
        QVERIFY(f.document().setSetting("training.stop.epochs", 1000000));
        QCOMPARE(rate->pointCount("lr.planned"), 2000);
        QVERIFY(f.document().setSetting("training.stop.epochs", 20));

        schedule(R"({"type": "one_cycle"})");  // by epoch, which is refused
        QVERIFY(!rate->seriesIds().contains("lr.planned"));
        schedule(R"({"type": "reduce_on_plateau", "patience": 2})");
        QCOMPARE(f.plannedSteps(), (std::vector<double>{1, 3, 4, 6, 7, 9}));  // three validations
        QCOMPARE(rate->valuesModel()->index(0, 0).data().toString(), QString("lr, planned until validations decide"));
        f.document().undoStack()->undo();
        f.document().undoStack()->undo();
        QCOMPARE(f.plannedSteps().size(), std::size_t{60});
    }

    void theRealRateIsDrawnOverThePlannedOneAndBothHaveTheirNames() {
        Fixture f;
        f.engine->blockValues = {{"lr", 0.1}};
        QVERIFY(QTest::qWaitFor([&] { return f.workspace().trainSamples() == 42; }, 20000));
        QVERIFY(!f.train().isEmpty());
        auto* rate = f.named<widgets::PlotWidget>("plot_rate");
        QCOMPARE(rate->seriesIds(), (QStringList{"lr.planned", "lr"}));  // what was added last is on top
        QCOMPARE(rate->pointCount("lr"), 50);
        QCOMPARE(rate->valuesModel()->index(0, 0).data().toString(), QString("lr, planned"));
        QCOMPARE(rate->valuesModel()->index(1, 0).data().toString(), QString("lr"));
        QVERIFY2(rate->summaryText().contains("lr, planned is 0.1 at step 6"), qPrintable(rate->summaryText()));
        // The plan beside a run is that of the run: what the project says since then is for the next one.
        QVERIFY(f.document().setSetting("training.optimizer.lr", 0.3));
        QCOMPARE(f.plannedRates().back(), 0.1);
        QCOMPARE(rate->seriesIds(), (QStringList{"lr.planned", "lr"}));
        QCOMPARE(rate->pointCount("lr"), 50);
    }

    void aPlannedRateCountsEpochsUntilTheDataHaveBeenRead() {
        OpenProject made;
        const project::Project& project = made.document.project();
        const graph::ResolvedModel& model = made.document.report().model;
        const PlannedRate planned = plannedRate(project.training, model, project.data.loader, -1);
        QVERIFY(planned.countsEpochs);
        QCOMPARE(planned.epoch, (std::vector<double>{1, 2}));
        QCOMPARE(planned.curves.size(), 1);
        QCOMPARE(planned.curves[0].value, (std::vector<double>{0.1, 0.1}));
        QVERIFY(!plannedRate(project.training, model, project.data.loader, 42).countsEpochs);
        TrainPlots plots;
        plots.setPlannedRate(planned);
        auto* rate = plots.findChild<widgets::PlotWidget*>("plot_rate");
        QCOMPARE(rate->pointCount("lr.planned"), 2);
        plots.append(
            {SeriesChunk{.series = "lr", .step = {1, 2}, .epoch = {1, 1}, .seconds = {0, 1}, .value = {0.1, 0.1}}});
        QCOMPARE(rate->pointCount("lr.planned"), 0);  // epochs beside steps would say what is not so
    }

    void theRateOfAllIsDrawnOverThoseOfGroupsAndAPlanHasNoNewestValue() {
        TrainPlots plots;
        PlannedRate planned;
        planned.step = {1, 2};
        planned.epoch = {1, 1};
        planned.curves = {{"lr", "lr, planned", {0.1, 0.2}}};
        plots.setPlannedRate(planned);
        auto* rate = plots.findChild<widgets::PlotWidget*>("plot_rate");
        plots.append(
            {SeriesChunk{.series = "lr", .step = {1, 2}, .epoch = {1, 1}, .seconds = {0, 1}, .value = {0.1, 0.1}},
             SeriesChunk{
                 .series = "lr/head", .step = {1, 2}, .epoch = {1, 1}, .seconds = {0, 1}, .value = {0.1, 0.1}}});
        QCOMPARE(rate->seriesIds(), (QStringList{"lr.planned", "lr/head", "lr"}));
        QTRY_VERIFY(rate->findChild<QAbstractButton*>("series_lr")->accessibleName().contains("newest value"));
        QCOMPARE(rate->findChild<QAbstractButton*>("series_lr.planned")->accessibleName(), QString("lr, planned"));
    }

    void eachPhaseAndEachGroupThatDiffersHasItsPlannedCurveAndItsOwnOverIt() {
        Fixture f;
        auto* rate = f.named<widgets::PlotWidget>("plot_rate");
        QVERIFY(QTest::qWaitFor([&] { return f.workspace().trainSamples() == 42; }, 20000));
        // A step-wise schedule over six steps, and a phase in every other one of them.
        Json training = f.document().project().json.at("training");
        training["scheduler"] =
            Json::parse(R"({"type": "linear", "unit": "step", "start_factor": 1.0, "end_factor": 0.0, "total": 10})");
        training["losses"].push_back(training["losses"][0]);
        training["losses"][0]["phase"] = "body";
        training["losses"][1]["phase"] = "head";
        training["phases"] = Json::parse(
            R"([{"name": "body", "train": ["conv.*", "layers.*"], "optimizer": {"groups": [{"match": "layers.1.*", "lr": 0.02}, {"match": "layers.0.*", "weight_decay": 0}]}},
                                             {"name": "head", "train": "fc.*", "optimizer": {"lr": 0.05}, "every": 2}])");
        QVERIFY(f.document().applyPatch(
            "phases", Json::array({Json{{"op", "replace"}, {"path", "/training"}, {"value", training}}})));
        QCOMPARE(rate->seriesIds(), (QStringList{"lr/body.planned", "lr/body: layers.1.*.planned", "lr/head.planned"}));
        QCOMPARE(rate->valuesModel()->index(2, 0).data().toString(), QString("lr/head, planned"));
        const auto columnOf = [rate](const QString& series, int column) {
            std::vector<double> values;
            for (const QString& line : rate->toCsv().split(QLatin1Char('\n'))) {
                if (line.startsWith(series + QLatin1Char(','))) {
                    values.push_back(line.section(QLatin1Char(','), column, column).toDouble());
                }
            }
            return values;
        };
        QCOMPARE(columnOf("lr/head.planned", 1), (std::vector<double>{1, 2, 3, 4, 5, 6}));
        const std::vector<double> head = columnOf("lr/head.planned", 4);
        for (std::size_t step = 0; step < head.size(); ++step) {
            QVERIFY(std::abs(head[step] - 0.05 * (1 - 0.1 * static_cast<double>(step))) < 1e-12);
        }
        QCOMPARE(columnOf("lr/body: layers.1.*.planned", 4).front(), 0.02);
        // The run's own come over them, each in the colour of its plan.
        auto* plots = f.window.findChild<TrainPlots*>();
        const auto told = [](const char* series, double value) {
            return SeriesChunk{
                .series = series, .step = {1, 2}, .epoch = {1, 1}, .seconds = {0, 1}, .value = {value, value}};
        };
        plots->append({told("lr", 0.1), told("lr/body", 0.1), told("lr/head", 0.05), told("scaler.scale", 65536)});
        QCOMPARE(rate->seriesIds().mid(0, 3),
                 (QStringList{"lr/body.planned", "lr/body: layers.1.*.planned", "lr/head.planned"}));
        const auto colourOf = [rate](const QString& series) { return rate->seriesColor(series); };
        QCOMPARE(colourOf("lr/head"), colourOf("lr/head.planned"));
        QCOMPARE(colourOf("lr/body"), colourOf("lr/body.planned"));
        QVERIFY(colourOf("lr/body") != colourOf("lr/head"));
        QVERIFY(colourOf("scaler.scale") != colourOf("lr/head"));
        // Without phases there is one again, and nothing is left of the others beside a run.
        f.document().undoStack()->undo();
        QCOMPARE(columnOf("lr.planned", 4).size(), std::size_t{4});
        QVERIFY(columnOf("lr/head.planned", 4).empty());
        QCOMPARE(rate->pointCount("lr/head"), 2);
    }

    void aPictureOfTheWindowHasTheNewestNumbersBesideTheTitles() {
        Fixture f;
        f.window.resize(1400, 900);
        f.window.show();
        QVERIFY(f.window.showPage("train"));
        QVERIFY(!f.train().isEmpty());
        auto* loss = f.named<widgets::PlotWidget>("plot_loss");
        const std::vector<double> step{51}, value{0.875};
        (void)pictureOf(f.window);
        loss->append("train.loss", step, value);  // told a moment ago
        const QPixmap picture = pictureOf(f.window);
        QCOMPARE(picture.size() / picture.devicePixelRatio(), f.window.size());
        QStringList told;
        for (const auto* chip : loss->findChildren<QAbstractButton*>()) {
            told << chip->accessibleName();
        }
        QVERIFY2(told.filter("0.875").size() == 1, qPrintable(told.join(", ")));
    }

    void updateRatioAndMemoryOfTheBlocksFillThem() {
        Fixture f;
        f.engine->blockValues = {
            {"update.ratio/conv", 1e-3}, {"update.ratio/layers.0.conv", 1e-5}, {"update.ratio/layers.1.conv", 1e-4}};
        QVERIFY(!f.train().isEmpty());
        auto& adapter = static_cast<ModelPage*>(f.window.page("model"))->adapter();
        auto* choice = f.named<QComboBox>("model_statistic");
        auto* scale = f.named<widgets::ScaleBar>("canvas_scale");
        const auto choose = [choice](const QString& name) {
            QVERIFY2(choice->findText(name) >= 0, qPrintable(name));
            choice->setCurrentText(name);
            Q_EMIT choice->activated(choice->currentIndex());
        };
        const auto fill = [&adapter](const QString& id) {
            for (const widgets::CanvasNode& node : adapter.nodes()) {
                if (node.id == id) {
                    return std::pair(node.fill.value_or(-1), node.fillText);
                }
            }
            return std::pair(-1.0, QString());
        };
        choose("Update ratio");
        QCOMPARE(fill("conv").second, QString::fromUtf8("‖Δw‖/‖w‖ 0.001"));
        QCOMPARE(fill("conv").first, 1.0);
        QCOMPARE(fill("layers").second, QString::fromUtf8("max ‖Δw‖/‖w‖ 0.0001"));  // the largest inside
        QVERIFY(std::abs(fill("layers").first - 0.75) < 1e-9);                      // a decade of four below
        QCOMPARE(fill("relu").first, -1.0);
        QVERIFY2(scale->caption().contains("Update ratio"), qPrintable(scale->caption()));
        adapter.enter("layers");
        QCOMPARE(fill("conv").second, QString::fromUtf8("‖Δw‖/‖w‖ 1e-05"));
        adapter.leave();
        choose("Memory");
        const double most = (8 * 9 * 16 + 16 + 16 * 9 * 32 + 32) * 4 + 16 * 2 * (16 + 32) * 64 * 4.0;
        QCOMPARE(fill("layers").second, bytesText(most));
        QCOMPARE(fill("relu").second, bytesText(16 * 8 * 64 * 4));
        QVERIFY2(scale->caption().contains("bytes") && scale->caption().contains("16"), qPrintable(scale->caption()));
        QVERIFY(f.document().setSetting("data.loader.batch_size", 4));
        QTRY_COMPARE(fill("relu").second, bytesText(4 * 8 * 64 * 4));
    }

    void aBlockWhoseNewestValueIsNotFiniteSaysSo() {
        Fixture f;
        f.engine->blockValues = {{"update.ratio/conv", std::nan("")},
                                 {"update.ratio/layers.0.conv", HUGE_VAL},
                                 {"update.ratio/layers.1.conv", 1e-4}};
        QVERIFY(!f.train().isEmpty());
        auto& adapter = static_cast<ModelPage*>(f.window.page("model"))->adapter();
        auto* choice = f.named<QComboBox>("model_statistic");
        choice->setCurrentText("Update ratio");
        Q_EMIT choice->activated(choice->currentIndex());
        QStringList texts;
        for (const widgets::CanvasNode& node : adapter.nodes()) {
            texts << node.fillText;
        }
        QVERIFY2(texts.contains(QString::fromUtf8("‖Δw‖/‖w‖ NaN")), qPrintable(texts.join(", ")));
        QVERIFY2(texts.contains(QString::fromUtf8("max ‖Δw‖/‖w‖ ∞")), qPrintable(texts.join(", ")));
    }

    void pauseGoesOnAsWellAndAnEmptyPlotSaysWhenItsValuesCome() {
        Fixture f;
        f.engine->holdAtEnd = true;
        auto* metric = f.named<widgets::PlotWidget>("plot_metric");
        QVERIFY2(metric->summaryText().contains("F5"), qPrintable(metric->summaryText()));
        f.window.runs().run();
        QTRY_VERIFY_WITH_TIMEOUT(f.bridge().state() == session::RunState::kRunning, 20000);
        QVERIFY2(metric->summaryText().contains("first validation"), qPrintable(metric->summaryText()));
        QAction* pause = f.window.runs().pauseAction;
        pause->trigger();
        QTRY_VERIFY(f.bridge().isPaused());
        QVERIFY(pause->isEnabled());
        pause->trigger();
        QTRY_VERIFY(f.bridge().state() == session::RunState::kRunning);
        f.bridge().stop();
        QVERIFY(!f.ended().isEmpty());
        QVERIFY2(metric->summaryText().contains("F5"), qPrintable(metric->summaryText()));
    }

    void theTimeLeftIsToldWhileARunIsOnAndNoLonger() {
        Fixture f;
        f.engine->holdAtEnd = true;
        f.window.runs().run();
        QTRY_COMPARE_WITH_TIMEOUT(f.tile("tile_eta"), QString("0:01"), 20000);
        f.bridge().stop();
        QVERIFY(!f.ended().isEmpty());
        QCOMPARE(f.tile("tile_eta"), QString());
    }

    void memoryIsToldByPartsNowAndAtMostDuringARunAfterItAndOfAStoredOne() {
        Fixture f;
        f.engine->holdAtEnd = true;
        const auto shown = [&f](const char* name) { return f.named<QLabel>(name)->text(); };
        QCOMPARE(shown("memory_parameters_now"), QString());
        f.window.runs().run();
        QTRY_COMPARE_WITH_TIMEOUT(shown("memory_parameters_now"), bytesText(1e6), 20000);
        QCOMPARE(shown("memory_parameters_peak"), bytesText(1.5e6));
        QCOMPARE(shown("memory_tensors_peak"), bytesText(9e6));
        f.bridge().stop();
        const QString first = f.ended();
        QCOMPARE(shown("memory_activations_peak"), bytesText(4e6));
        f.engine->holdAtEnd = false;
        QVERIFY(!f.train().isEmpty());
        f.window.page("train")->showRun(first);
        QCOMPARE(shown("memory_activations_peak"), QString());
        QTRY_COMPARE_WITH_TIMEOUT(shown("memory_activations_peak"), bytesText(4e6), 20000);
    }

    void aResumedRunShowsWhatItHadBeforeAndItsFindings() {
        Fixture f;
        f.engine->findSomething = true;
        f.engine->steps = 30;
        const QString run = f.train();
        QCOMPARE(f.points("train.loss"), 30);
        f.engine->findSomething = false;
        f.engine->steps = 50;
        f.window.workspace().requestResume(run);
        QVERIFY(f.bridge().isActive());
        QCOMPARE(f.ended(), run);
        QTRY_VERIFY_WITH_TIMEOUT(f.window.page("train")->isSettled(), 20000);
        // 1 to 20 from the store, 21 to 50 new; 21 to 30 of the first time are gone.
        QCOMPARE(f.points("train.loss"), 50);
        const auto csv = f.named<widgets::PlotWidget>("plot_loss")->toCsv();
        QVERIFY2(csv.indexOf("train.loss,20,") < csv.indexOf("train.loss,21,"), qPrintable(csv));
        QCOMPARE(f.bridge().findings().size(), std::size_t(1));
        QCOMPARE(f.named<IssuePanel>("findings_panel")->model().rowCount(), 1);
    }

    void aResumedRunIsListedAsRunningOnceItGoesOn() {
        Fixture f;
        const QString run = f.train();
        auto* runs = f.window.findChild<RunTableModel*>();
        QVERIFY(runs != nullptr);
        f.engine->holdAtEnd = true;
        f.window.workspace().requestResume(run);
        QTRY_COMPARE_WITH_TIMEOUT(runs->index(0, RunTableModel::Status).data().toString(), QString("running"), 20000);
        f.bridge().stop();
        QCOMPARE(f.ended(), run);
    }

    void aRunThatCannotBeResumedKeepsItsPlots() {
        Fixture f;
        const QString run = f.train();
        f.bridge().setEngine(std::make_shared<RefusingEngine>());
        f.window.workspace().requestResume(run);
        QCOMPARE(f.ended(), run);
        QTRY_COMPARE_WITH_TIMEOUT(f.points("train.loss"), 50, 20000);
    }

    void anotherProjectStartsWithoutTheNumbersOfTheLastRun() {
        Fixture f;
        QVERIFY(!f.train().isEmpty());
        auto& adapter = static_cast<ModelPage*>(f.window.page("model"))->adapter();
        const auto filled = [&adapter] {
            const auto nodes = adapter.nodes();
            return std::any_of(nodes.begin(), nodes.end(),
                               [](const widgets::CanvasNode& node) { return node.fill.has_value(); });
        };
        QTRY_VERIFY(filled());
        QVERIFY(f.window.files().openNow(f.temporary.filePath("other")));
        QVERIFY(!filled());
        QTest::qWait(150);  // nor does a late timer bring them back
        QVERIFY(!filled());
    }

    void aRunKeepsItsColourWhenOthersAreDeletedAndOverAReopening() {
        store::RunInfo a, b, c;
        a.id = "a", a.started = "2026-01-01T00:00:00Z";
        b.id = "b", b.started = "2026-01-02T00:00:00Z";
        c.id = "c", c.started = "2026-01-03T00:00:00Z";
        RunTableModel model;
        model.setRuns({b, a});
        QCOMPARE(model.colorOf("a"), 0);
        QCOMPARE(model.colorOf("b"), 1);
        model.setRuns({b});
        QCOMPARE(model.colorOf("b"), 1);
        RunTableModel later;
        later.setColors(model.colors());
        later.setRuns({c, b});
        QCOMPARE(later.colorOf("b"), 1);
        QCOMPARE(later.colorOf("c"), 0);  // free again
    }

    void theColoursOfAProjectsRunsAreThereAgainInTheNextWindow() {
        Fixture f;
        const QString first = f.train();
        const QString second = f.train();
        const auto colors = [](MainWindow& window) { return window.findChild<RunTableModel*>(); };
        QVERIFY(f.window.showPage("runs"));
        QTRY_COMPARE_WITH_TIMEOUT(colors(f.window)->rowCount(), 2, 20000);
        QCOMPARE(colors(f.window)->colorOf(second), 1);
        QVERIFY(store::deleteRun(f.window.workspace().document().runsFolder() / filePath(first)));
        MainWindow next;
        QVERIFY(next.files().openNow(f.folder()));
        QVERIFY(next.showPage("runs"));
        QTRY_COMPARE_WITH_TIMEOUT(colors(next)->rowCount(), 1, 20000);
        QCOMPARE(colors(next)->colorOf(second), 1);
    }

    void aFindingComesToTheFrontOnlyWhileNobodyUsesTheDocks() {
        Fixture f;
        f.window.show();
        f.engine->findSomething = true;
        auto* findings = f.named<QDockWidget>("dock_findings");
        auto* problems = f.named<IssuePanel>("problems_panel");
        f.named<QDockWidget>("dock_problems")->raise();
        QVERIFY(!f.train().isEmpty());
        QTRY_VERIFY(!f.named<IssuePanel>("findings_panel")->visibleRegion().isEmpty());
        QCOMPARE(findings->windowTitle(), QString("Findings 1 · run %1").arg(f.bridge().runId()));

        f.named<QDockWidget>("dock_problems")->raise();
        QTRY_VERIFY(!problems->visibleRegion().isEmpty());
        f.engine->holdAtEnd = true;
        f.engine->findSomething = false;
        f.window.runs().run();
        QTRY_VERIFY_WITH_TIMEOUT(f.bridge().state() == session::RunState::kRunning, 20000);
        QTest::mouseClick(problems, Qt::LeftButton);
        diagnostics::Finding finding;
        finding.id = "late#1";
        finding.detector = "late";
        finding.severity = graph::Severity::kWarning;
        finding.message = "Something is slow.";
        Q_EMIT f.bridge().findingArrived(finding);
        QVERIFY(!problems->visibleRegion().isEmpty());
        QVERIFY2(findings->windowTitle().contains("1 new"), qPrintable(findings->windowTitle()));
        findings->raise();
        QTRY_VERIFY(!findings->windowTitle().contains("new"));
        f.bridge().stop();
        QVERIFY(!f.ended().isEmpty());
    }

    void aSentenceMovesNothing() {
        Fixture f;
        f.window.resize(1200, 800);
        f.window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        auto* canvas = f.named<widgets::CanvasView>("canvas");
        auto* banner = f.named<widgets::MessageBanner>("message");
        QVERIFY(banner->isHidden());
        const QRect before = placeOf(canvas, &f.window);
        f.window.workspace().tell(widgets::Severity::Warning, "Something was said.", "And what to do about it.",
                                  "Do it", [] {});
        QTest::qWait(50);
        QVERIFY(!banner->isHidden());
        QCOMPARE(placeOf(canvas, &f.window), before);
        const QRect lies = placeOf(banner, &f.window);
        QVERIFY(lies.height() >= banner->minimumSizeHint().height());
        QVERIFY2(lies.width() <= 480 && lies.left() > 600, qPrintable(QString::number(lies.left())));  // in a corner
        QVERIFY(placeOf(f.named<QWidget>("pages"), &f.window).contains(lies));
        f.window.resize(900, 700);
        QTest::qWait(50);
        QVERIFY(placeOf(f.named<QWidget>("pages"), &f.window).contains(placeOf(banner, &f.window)));
        const QRect narrow = placeOf(canvas, &f.window);
        banner->dismiss();
        QTest::qWait(50);
        QCOMPARE(placeOf(canvas, &f.window), narrow);
    }

    void theCanvasIsAsItWasWhenAProjectIsOpenedAgain() {
        Fixture f;
        f.window.resize(1200, 800);
        f.window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        auto* page = static_cast<ModelPage*>(f.window.page("model"));
        auto& canvas = page->canvas();
        page->adapter().showPath("layers.0.conv");
        canvas.setSelectedNodes({"relu"});
        canvas.setZoom(2.5);
        canvas.centerOn(canvas.place()->center + QPointF(60, 20));
        const QPointF center = canvas.place()->center;
        QVERIFY(f.window.files().openNow(f.temporary.filePath("other")));
        QCOMPARE(page->adapter().here().graph, std::string());
        QVERIFY(canvas.zoom() < 2.4);
        QVERIFY(f.window.files().openNow(f.folder()));
        QCOMPARE(page->adapter().here().path, std::string("layers.0"));
        QCOMPARE(canvas.selectedNodes(), QStringList({"relu"}));
        QCOMPARE(canvas.zoom(), 2.5);
        QVERIFY2(QLineF(canvas.place()->center, center).length() < 2,
                 qPrintable(QString("%1").arg(QLineF(canvas.place()->center, center).length())));
        f.window.workspace().document().close();

        MainWindow next;  // and in the next window, which has not been shown yet
        QVERIFY(next.files().openNow(f.folder()));
        next.resize(1200, 800);
        next.show();
        QVERIFY(QTest::qWaitForWindowExposed(&next));
        auto& again = static_cast<ModelPage*>(next.page("model"))->canvas();
        QTRY_COMPARE(again.zoom(), 2.5);
        QCOMPARE(again.selectedNodes(), QStringList({"relu"}));
    }

    void theFirstWindowFitsTheScreenWithItsFrame() {
        QSettings().clear();
        const MainWindow window;
        const QSize room = window.screen()->availableSize();
        QVERIFY2(window.height() + 40 <= room.height(),
                 qPrintable(QString("%1 of %2").arg(window.height()).arg(room.height())));
        QVERIFY(window.width() <= room.width());
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::TrainingTest>(argc, argv);
}

#include "test_training.moc"
