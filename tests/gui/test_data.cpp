// SPDX-License-Identifier: GPL-3.0-or-later
// What the Data page says of the data, checked against the data themselves; and where they come from, changed in place.
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QUndoStack>

#include "data/dataset.h"
#include "gui/page.h"
#include "widgets/bar_chart.h"
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
        return QTest::qWaitFor([this] { return window.page("data")->isSettled() && !named<QLabel>("data_counts")->text().isEmpty(); }, 20000);
    }

    std::shared_ptr<const data::Dataset> dataset;
};

}  // namespace

class DataTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatTheModelDoesNotFitIsAProblemWhileItIsEdited() {
        WindowFixture f;
        auto* dock = f.named<QDockWidget>("dock_problems");
        const auto outputs = [&](int count) {
            return f.document().applyPatch("outputs", Json::array({{{"op", "replace"}, {"path", "/model/graph/nodes/fc/params/out_features"}, {"value", count}}}));
        };
        QVERIFY(outputs(7));
        QTRY_COMPARE_WITH_TIMEOUT(dock->windowTitle(), QString("Problems 1"), 20000);
        QVERIFY(outputs(10));
        QTRY_COMPARE_WITH_TIMEOUT(dock->windowTitle(), QString("Problems 0"), 20000);
        QVERIFY(f.document().applyPatch("loss", Json::array({{{"op", "replace"}, {"path", "/training/losses/0/type"}, {"value", "MSELoss"}}})));
        QTRY_COMPARE_WITH_TIMEOUT(dock->windowTitle(), QString("Problems 1"), 20000);
        f.document().undoStack()->undo();
        QTRY_COMPARE_WITH_TIMEOUT(dock->windowTitle(), QString("Problems 0"), 20000);
    }

    void sourceAndSplitsAreTold() {
        Fixture f;
        QVERIFY(f.settled());
        const QString source = f.named<QLabel>("data_source")->text();
        QVERIFY2(source.contains("generated (generated)") && source.contains("image [B, 1, 8, 8] float32") && source.contains("label [B] int64"), qPrintable(source));
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
            const auto split = std::array{data::Split::kTrain, data::Split::kValidation, data::Split::kTest}[static_cast<std::size_t>(column)];
            const auto counts = f.dataset->classCounts(split, "label");
            for (std::size_t i = 0; i < counts.size(); ++i) {
                QCOMPARE(lines[static_cast<int>(i) + 1].split('\t').value(column + 1).toDouble(), static_cast<double>(counts[i]));
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
            QVERIFY2(tip.contains(QString("Sample %1: ").arg(batch->indices[static_cast<std::size_t>(i)])), qPrintable(tip));
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
