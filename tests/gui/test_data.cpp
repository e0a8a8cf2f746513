// SPDX-License-Identifier: GPL-3.0-or-later
// What the Data page says of the data, checked against the data themselves; and where they come from, changed in place.
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QTableWidget>
#include <QUndoStack>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/copy_tree.h"
#include "data/dataset.h"
#include "gui/page.h"
#include "gui/pages/sample_view.h"
#include "gui/pages/try_panel.h"
#include "session/run_files.h"
#include "widgets/bar_chart.h"
#include "widgets/empty_state.h"
#include "widgets/image_grid.h"
#include "widgets/message_banner.h"
#include "window_fixture.h"

namespace plumbline::gui::test {

namespace {

struct Fixture : WindowFixture {
    Fixture() {
        const auto& project = document().project();
        auto opened = data::Dataset::open(project.data, project.folder);
        if (!opened) {
            qFatal("%s", toSentence(opened.error()).c_str());
        }
        dataset = std::move(*opened);
        window.show();
        window.showPage("data");
    }
    bool settled() {
        return QTest::qWaitFor(
            [this] { return window.page("data")->isSettled() && !named<QLabel>("data_counts")->text().isEmpty(); },
            20000);
    }

    std::shared_ptr<const data::Dataset> dataset;
};

/// The sample with a number as its target, which is scaled like its inputs where asked.
struct TableFixture : WindowFixture {
    explicit TableFixture(bool scaleTarget) {
        const QString folder = temporary.filePath("table");
        const std::filesystem::path sample = filePath(QStringLiteral(PLUMBLINE_SOURCE_DIR "/projects/diabetes"));
        if (!copyTree(sample, filePath(folder), nullptr, {"runs", "exports"}) || !window.files().openNow(folder)) {
            qFatal("no sample");
        }
        if (scaleTarget &&
            !document().applyPatch(
                "scale",
                Json::parse(
                    R"([{"op":"add","path":"/data/targets/target/transforms","value":[{"type":"normalize","statistics":"train"}]}])"))) {
            qFatal("no transform");
        }
        QFile file(folder + "/data/diabetes.csv");
        if (!file.open(QIODevice::ReadOnly)) {
            qFatal("no table");
        }
        file.readLine();
        while (!file.atEnd()) {
            QStringList cells = QString::fromUtf8(file.readLine()).trimmed().split(',');
            for (QString& cell : cells) {
                cell = QString::number(cell.toDouble(), 'g', 6);
            }
            rows << cells.join(',');
        }
        window.show();
        window.showPage("data");
    }
    QStringList rows;  ///< of the file, in six figures
};

std::vector<std::int64_t> everySample(std::size_t count) {
    std::vector<std::int64_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace

class DataTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatTheModelDoesNotFitIsAProblemWhileItIsEdited() {
        WindowFixture f;
        auto* dock = f.named<QDockWidget>("dock_problems");
        // Two splits are too small for a sample of each class, which is told.
        QTRY_COMPARE_WITH_TIMEOUT(dock->windowTitle(), QString("Problems 2"), 20000);
        const auto outputs = [&](int count) {
            return f.document().applyPatch(
                "outputs",
                Json::array(
                    {{{"op", "replace"}, {"path", "/model/graph/nodes/fc/params/out_features"}, {"value", count}}}));
        };
        QVERIFY(outputs(7));
        QTRY_COMPARE_WITH_TIMEOUT(dock->windowTitle(), QString("Problems 1"), 20000);
        QVERIFY(outputs(10));
        QTRY_COMPARE_WITH_TIMEOUT(dock->windowTitle(), QString("Problems 2"), 20000);
        QVERIFY(f.document().applyPatch(
            "loss", Json::array({{{"op", "replace"}, {"path", "/training/losses/0/type"}, {"value", "MSELoss"}}})));
        QTRY_COMPARE_WITH_TIMEOUT(dock->windowTitle(), QString("Problems 1"), 20000);
        f.document().undoStack()->undo();
        QTRY_COMPARE_WITH_TIMEOUT(dock->windowTitle(), QString("Problems 2"), 20000);
    }

    void sourceAndSplitsAreTold() {
        Fixture f;
        QVERIFY(f.settled());
        const QString source = f.named<QLabel>("data_source")->text();
        QVERIFY2(source.contains("generated (generated)") && source.contains("image [B, 1, 8, 8] float32") &&
                     source.contains("label [B] int64"),
                 qPrintable(source));
        const QString counts = f.named<QLabel>("data_counts")->text();
        QVERIFY2(counts.startsWith("42 training · 9 validation · 9 test"), qPrintable(counts));
        auto* statistics = f.named<QTableWidget>("data_statistics");
        QCOMPARE(statistics->rowCount(), 1);
        QCOMPARE(statistics->item(0, 1)->text(), QString::number(f.dataset->inputs()[0].statistics.mean[0], 'g', 4));
    }

    void theBarsAreTheCountsOfTheClassesInEverySplit() {
        Fixture f;
        QVERIFY(f.settled());
        const QStringList lines = f.named<widgets::BarChart>("data_classes")->toTsv().trimmed().split('\n');
        QCOMPARE(lines.size(), 11);  // a header and ten classes
        for (int column = 0; column < 3; ++column) {
            const auto split = std::array{data::Split::kTrain, data::Split::kValidation,
                                          data::Split::kTest}[static_cast<std::size_t>(column)];
            const auto counts = f.dataset->classCounts(split, "label");
            for (std::size_t i = 0; i < counts.size(); ++i) {
                QCOMPARE(lines[static_cast<int>(i) + 1].split('\t').value(column + 1).toDouble(),
                         static_cast<double>(counts[i]));
            }
        }
    }

    void theGridHasTheSamplesOfTheSplitWithTheirLabels() {
        Fixture f;
        QVERIFY(f.settled());
        auto* grid = f.named<widgets::ImageGrid>("data_grid");
        QTRY_COMPARE_WITH_TIMEOUT(grid->imageCount(), 42, 20000);
        f.named<QComboBox>("data_split")->setCurrentIndex(2);
        QTRY_COMPARE_WITH_TIMEOUT(grid->imageCount(), 9, 20000);
        QCOMPARE(f.named<QLabel>("data_position")->text(), QString("1–9 of 9"));
        const auto batch = f.dataset->makeBatch(data::Split::kTest, {0, 1, 2, 3, 4, 5, 6, 7, 8}, 0, false);
        QVERIFY(batch);
        for (int i = 0; i < 9; ++i) {
            const QString tip = grid->model()->index(i, 0).data(Qt::ToolTipRole).toString();
            QVERIFY2(tip.contains(QString("Sample %1: ").arg(batch->indices[static_cast<std::size_t>(i)])),
                     qPrintable(tip));
        }
    }

    void aTableShowsTheDatasOwnValuesBesideTheModels() {
        TableFixture f(true);
        auto* values = f.named<QComboBox>("data_values");
        auto* table = f.named<QTableWidget>("data_table");
        QTRY_VERIFY_WITH_TIMEOUT(table->rowCount() > 0 && !values->isHidden(), 20000);
        // Every row of the table stands in the file as it is shown.
        for (int row = 0; row < table->rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < table->columnCount(); ++column) {
                cells << QString::number(table->item(row, column)->text().toDouble(), 'g', 6);
            }
            QVERIFY2(f.rows.contains(cells.join(',')), qPrintable(cells.join(',')));
        }
        auto* statistics = f.named<QTableWidget>("data_statistics");
        QVERIFY(statistics->item(0, 1)->text().toDouble() > 20);  // the mean age
        const QString raw = table->item(0, 0)->text();
        values->setCurrentIndex(1);
        const QString given = table->item(0, 0)->text();
        QVERIFY(std::abs(given.toDouble()) < 5 && given != raw);
        QCOMPARE(statistics->item(0, 1)->text(), QString("0"));  // and not what rounding left of it
        values->setCurrentIndex(2);
        QCOMPARE(table->item(0, 0)->text(), QString::fromUtf8("%1 \u2192 %2").arg(raw, given));
    }

    void aTargetThatIsANumberHasAHistogram() {
        TableFixture f(false);
        auto* chart = f.named<widgets::BarChart>("data_classes");
        QTRY_VERIFY_WITH_TIMEOUT(chart->barText(0).contains(" to "), 20000);
        QCOMPARE(f.named<QComboBox>("data_values")->isHidden(), false);  // the inputs are scaled
        QVERIFY2(chart->titleText().startsWith("Values of target"), qPrintable(chart->titleText()));
        const QStringList lines = chart->toTsv().split('\n');
        QVERIFY2(lines[1].startsWith("25 to "), qPrintable(lines[1]));  // the least of the file
        QVERIFY2(lines.last().section('\t', 0, 0).endsWith(" to 346"), qPrintable(lines.last()));
        double samples[3] = {};
        for (const QString& line : lines.mid(1)) {
            for (int split = 0; split < 3; ++split) {
                samples[split] += line.section('\t', split + 1, split + 1).toDouble();
            }
        }
        QCOMPARE(samples[0] + samples[1] + samples[2], static_cast<double>(f.rows.size()));
        QVERIFY(samples[0] > samples[1] && samples[1] > 0 && samples[2] > 0);
    }

    void aPredictionIsToldInTheDatasUnit() {
        TableFixture f(true);
        session::Prediction prediction;
        prediction.outputs = Json{{"progression", Json::array({0.0})}};
        f.engine->answer = {prediction};
        f.bridge().setEngine(f.engine);
        QVERIFY(!f.train().isEmpty());
        // A checkpoint file, so that there is a model to ask; the engine of this test does not look into it.
        const QString checkpoints = text(f.bridge().runFolder()) + "/checkpoints";
        QVERIFY(QDir().mkpath(checkpoints));
        QFile checkpoint(checkpoints + "/best.ckpt");
        QVERIFY(checkpoint.open(QIODevice::WriteOnly) && checkpoint.write("x") == 1);
        checkpoint.close();
        if (!session::checkpointOfRun(f.bridge().runFolder())) {
            checkpoint.rename(checkpoints + "/step-000000000050.ckpt");
        }
        TryPanel panel(f.workspace());
        panel.resize(700, 300);
        panel.setVisible(true);
        panel.setRun(f.bridge().runId());
        auto* answer = panel.findChild<QLabel*>("try_answer");
        QTRY_VERIFY2_WITH_TIMEOUT(answer->text().contains("off by"), qPrintable(answer->text()), 20000);
        static const QRegularExpression kSentence(
            "Predicts ([0-9.]+) \\(0 as the model gives it\\)\\. The true value is ([0-9.]+), so it is off by "
            "([0-9.]+)\\.");
        const auto match = kSentence.match(answer->text());
        QVERIFY2(match.hasMatch(), qPrintable(answer->text()));
        const double mean = match.captured(1).toDouble(), truth = match.captured(2).toDouble();
        QVERIFY2(mean > 130 && mean < 175, qPrintable(answer->text()));  // 0 is the mean of the training split
        QVERIFY(truth == std::round(truth) && truth >= 25 && truth <= 346);
        QVERIFY(std::abs(match.captured(3).toDouble() - std::abs(mean - truth)) < 0.01);
        auto* row = panel.findChild<QTableWidget*>("try_row");
        QVERIFY(!row->isColumnHidden(2));
        QCOMPARE(row->item(0, 1)->text().toDouble(), std::round(row->item(0, 1)->text().toDouble()));  // an age
        QVERIFY(std::abs(row->item(0, 2)->text().toDouble()) < 5);
    }

    void readingCanBeStoppedAndTakenUpAgain() {
        WindowFixture f;
        f.window.show();
        auto* empty = f.named<widgets::EmptyState>("data_empty");
        auto* button = empty->findChild<QPushButton*>("emptyStateButton");
        // Held from here, so that it goes on until it is told to stop.
        const auto snapshot = f.document().snapshot();
        f.window.showPage("data");
        const DataReader::Reading reading = f.workspace().dataReader().read(snapshot->data, snapshot->folder);
        QVERIFY(!reading->isDone());  // its end is told by the event loop
        QVERIFY(!button->isHidden());
        QCOMPARE(button->text(), QString("Stop reading"));
        button->click();
        QVERIFY(reading->isStopped());
        QTRY_VERIFY_WITH_TIMEOUT(reading->isDone(), 20000);
        if (!reading->result()) {
            QTRY_COMPARE(button->text(), QString("Read again"));
            button->click();
        }
        QTRY_VERIFY_WITH_TIMEOUT(
            f.window.page("data")->isSettled() && !f.named<QLabel>("data_counts")->text().isEmpty(), 20000);
        QVERIFY(f.workspace().dataReader().read(snapshot->data, snapshot->folder) != reading);
    }

    void everyPixelIsTheNumberThatTheModelGets() {
        Fixture f;
        const auto batch = f.dataset->makeBatch(data::Split::kTrain, {0, 1, 2, 3, 4}, 0, false);
        QVERIFY(batch);
        const auto pictures = samplePictures(*f.dataset, *batch);
        QCOMPARE(pictures.size(), std::size_t(5));
        const float* values = batch->inputs[0].as<float>();
        constexpr int kElements = 5 * 8 * 8;
        const auto [low, high] = std::minmax_element(values, values + kElements);
        QVERIFY(*high > *low);
        QSet<int> greys;
        for (int i = 0; i < kElements; ++i) {
            const QRgb pixel = pictures[static_cast<std::size_t>(i / 64)].image.pixel(i % 8, i / 8 % 8);
            const double expected = 255.0 * (values[i] - *low) / (*high - *low);
            QVERIFY2(
                std::abs(qRed(pixel) - expected) <= 0.51 && qRed(pixel) == qGreen(pixel) && qRed(pixel) == qBlue(pixel),
                qPrintable(QString("sample %1, element %2: %3 instead of %4")
                               .arg(i / 64)
                               .arg(i % 64)
                               .arg(qRed(pixel))
                               .arg(expected)));
            greys.insert(qRed(pixel));
        }
        QVERIFY2(greys.size() > 50, qPrintable(QString::number(greys.size())));
        // The grid on the page shows them.
        QVERIFY(f.settled());
        auto* grid = f.named<widgets::ImageGrid>("data_grid");
        QTRY_COMPARE_WITH_TIMEOUT(grid->imageCount(), 42, 20000);
        const auto page = f.dataset->makeBatch(data::Split::kTrain, everySample(42), 0, false);
        QVERIFY(page);
        const auto shown = samplePictures(*f.dataset, *page);
        for (const int row : {0, 17, 41}) {
            grid->setCurrentImage(row);
            QTest::keyClick(grid, Qt::Key_C, Qt::ControlModifier);
            QCOMPARE(QGuiApplication::clipboard()->image().convertToFormat(QImage::Format_RGB32),
                     shown[static_cast<std::size_t>(row)].image);
        }
    }

    void anOptionOfASourceIsChangedInPlaceAsOneUndoEntry() {
        Fixture f;
        QVERIFY(f.settled());
        auto* table = f.named<QTableWidget>("data_sources");
        const auto rowOf = [table](const QString& option) {
            for (int row = 0; row < table->rowCount(); ++row) {
                if (table->item(row, 1)->text() == option) {
                    return row;
                }
            }
            return -1;
        };
        QVERIFY(rowOf("samples") >= 0);
        QCOMPARE(table->item(rowOf("samples"), 2)->text(), QString("60"));
        table->item(rowOf("samples"), 2)->setText("120");
        QTRY_COMPARE(f.document().setting("data.sources.generated.samples").toInt(), 120);
        QCOMPARE(f.document().undoStack()->count(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(f.named<QLabel>("data_counts")->text().startsWith("84 training"), 20000);
        f.document().undoStack()->undo();
        QCOMPARE(table->item(rowOf("samples"), 2)->text(), QString("60"));

        // What cannot be is refused with a sentence; the table shows what is so.
        table->item(rowOf("type"), 2)->setText("tape");
        QTRY_VERIFY2(f.named<widgets::MessageBanner>("message")->message().contains("tape"), "no sentence");
        QCOMPARE(table->item(rowOf("type"), 2)->text(), QString("generated"));
        QCOMPARE(f.document().undoStack()->index(), 0);
        table->item(rowOf("seed"), 2)->setText("");
        QTRY_VERIFY(f.document().setting("data.sources.generated.seed").isUndefined());
        QCOMPARE(rowOf("seed"), -1);
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::DataTest>(argc, argv);
}

#include "test_data.moc"
