// SPDX-License-Identifier: GPL-3.0-or-later
// The confusion matrices of a run: read from its events, drawn, and what is confused most.
// PLUMBLINE_SHOTS names a folder for pictures of what was looked at.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>

#include "gui/pages/matrix_dialog.h"
#include "gui/pages/matrix_model.h"
#include "store/run_store.h"
#include "widgets/empty_state.h"
#include "widgets/filter_table.h"
#include "window_fixture.h"

namespace plumbline::gui::test {

namespace {

/// As a run of three epochs has them; the second one has the best validation loss.
std::vector<Json> events() {
    return {
        Json::parse(R"json({"event": "start", "elapsed_ms": 0})json"),
        Json::parse(R"json({"event": "epoch", "epoch": 1, "step": 10, "metrics": {"val.loss": 0.9},
                "matrices": {"train.confusion_matrix": {"classes": ["cat", "dog, small"], "counts": [[9, 1], [5, 5]]},
                             "val.confusion_matrix": {"classes": ["cat", "dog, small"], "counts": [[3, 1], [2, 0]]}}})json"),
        Json::parse(R"json({"event": "epoch", "epoch": 2, "step": 20, "metrics": {"val.loss": 0.5},
                "matrices": {"val.confusion_matrix": {"classes": ["cat", "dog, small"], "counts": [[4, 0], [1, 1]]}}})json"),
        Json::parse(R"json({"event": "epoch", "epoch": 3, "step": 30, "metrics": {"val.loss": null},
                "matrices": {"val.confusion_matrix": {"classes": ["cat", "dog, small"], "counts": [[2, 2], [0, 2]]}, "val.other": {"classes": ["a"], "counts": [[1, 2]]}}})json"),
        Json::parse(
            R"json({"event": "test", "step": 30, "matrices": {"test.confusion_matrix": {"classes": ["cat", "dog, small"], "counts": [[7, 1], [0, 0]]}}})json")};
}

ConfusionMatrix matrixOf(int classes) {
    ConfusionMatrix matrix;
    for (int i = 0; i < classes; ++i) {
        matrix.classes << QStringLiteral("class %1").arg(i);
    }
    for (int truth = 0; truth < classes; ++truth) {
        for (int predicted = 0; predicted < classes; ++predicted) {
            matrix.counts.push_back(truth == predicted                   ? 50 - truth % 20
                                    : predicted == (truth + 1) % classes ? truth % 20
                                                                         : 0);
        }
    }
    return matrix;
}

void shoot(QWidget& widget, const char* name) {
    if (const QString shots = qEnvironmentVariable("PLUMBLINE_SHOTS"); !shots.isEmpty()) {
        QTest::qWait(300);  // what is laid out later
        QVERIFY(widget.grab().save(QStringLiteral("%1/%2.png").arg(shots, QLatin1String(name))));
    }
}

}  // namespace

class MatrixTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachMatrixOfTheEventsIsFoundWithItsEpochAndTheBestIsMarked() {
        const RunMatrices read = matricesOfEvents(events(), "val.loss", false);
        QCOMPARE(read.records.size(), std::size_t{5});  // one that is not square is none
        QCOMPARE(read.bestSeries, QString("val.loss"));
        QList<qint64> epochs;
        for (const MatrixRecord& record : read.records) {
            epochs << record.epoch;
            QCOMPARE(record.best, record.epoch == 2);
        }
        QCOMPARE(epochs, (QList<qint64>{1, 1, 2, 3, 0}));
        QCOMPARE(read.records.back().metric, QString("test.confusion_matrix"));
        // By a series whose larger values are better, and by one that no epoch has.
        QVERIFY(matricesOfEvents(events(), "val.loss", true).records.front().best);
        QVERIFY(matricesOfEvents(events(), "val.accuracy", true).bestSeries.isEmpty());
    }

    void aRowIsATrueClassAndItsSharesAreOfThatRow() {
        const ConfusionMatrix matrix = *matrixOfJson(events()[1].at("matrices").at("train.confusion_matrix"));
        QCOMPARE(matrix.at(0, 1), qint64{1});
        QCOMPARE(matrix.at(1, 0), qint64{5});
        QCOMPARE(matrix.share(0, 0), 0.9);
        QCOMPARE(matrix.share(1, 0), 0.5);
        QCOMPARE(matrix.samples(), qint64{20});
        QCOMPARE(matrix.right(), qint64{14});
        QCOMPARE(matrix.toCsv(), QString("true\\predicted,cat,\"dog, small\"\ncat,9,1\n\"dog, small\",5,5\n"));
        QVERIFY(std::isnan(matricesOfEvents(events(), "", false).records.back().matrix.share(1, 0)));
    }

    void whatIsNoMatrixIsLeftOut() {
        for (const char* json :
             {"{}", "[]", R"({"classes": ["a"], "counts": []})", R"({"classes": ["a"], "counts": [["x"]]})",
              R"({"classes": ["a", "b"], "counts": [[1, 2], [3]]})"}) {
            QVERIFY2(!matrixOfJson(Json::parse(json)), json);
        }
    }

    void theModelSaysCountsAndSharesAndColoursByTheShare() {
        MatrixModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setMatrix(*matrixOfJson(events()[1].at("matrices").at("train.confusion_matrix")));
        QCOMPARE(model.index(0, 0).data().toString(), QString("9\n90 %"));
        QCOMPARE(model.index(1, 0).data(Qt::ToolTipRole).toString(),
                 QString("true dog, small, predicted cat: 5 of 10 (50 %)"));
        QCOMPARE(model.index(0, 0).data(Qt::BackgroundRole).value<QColor>(), widgets::rampColor(0.9));
        for (int cell = 0; cell < 4; ++cell) {
            const QModelIndex index = model.index(cell / 2, cell % 2);
            QVERIFY(widgets::contrastRatio(index.data(Qt::BackgroundRole).value<QColor>(),
                                           index.data(Qt::ForegroundRole).value<QColor>()) >= 4.5);
        }
        model.setCells(MatrixCells::Shares);
        QCOMPARE(model.index(0, 1).data().toString(), QString("10 %"));
        model.setMatrix(matrixOf(3));
        QCOMPARE(model.rowCount(), 3);
    }

    void theDialogShowsTheLastEpochOfTheValidationAndAnyOther() {
        MatrixDialog dialog("run 1", nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        dialog.setMatrices(matricesOfEvents(events(), "val.loss", false));
        auto* metric = dialog.findChild<QComboBox*>("matrix_metric");
        auto* epoch = dialog.findChild<QComboBox*>("matrix_epoch");
        auto* table = dialog.findChild<QTableView*>("matrix_table");
        QCOMPARE(metric->currentText(), QString("val.confusion_matrix"));
        QCOMPARE(epoch->count(), 3);
        QCOMPARE(epoch->currentText(), QString("3 (last)"));
        QCOMPARE(epoch->itemText(1), QString("2 (best)"));
        QCOMPARE(table->model()->index(0, 0).data(Qt::EditRole).toInt(), 2);
        epoch->setCurrentIndex(1);
        QCOMPARE(table->model()->index(0, 0).data(Qt::EditRole).toInt(), 4);
        QVERIFY(dialog.findChild<QLabel*>("matrix_summary")->text().contains("5 of 6"));
        auto* pairs = dialog.findChild<widgets::FilterTable*>("matrix_pairs");
        QCOMPARE(pairs->view()->model()->rowCount(), 1);
        QCOMPARE(pairs->view()->model()->index(0, 0).data().toString(), QString("dog, small"));
        QTest::keyClick(pairs->filterField(), Qt::Key_Return);
        QTest::keyClick(epoch, Qt::Key_Return);
        QVERIFY(dialog.isVisible());  // Enter closes nothing
        pairs->selectRow(0);
        QCOMPARE(table->currentIndex().row(), 1);
        QCOMPARE(table->currentIndex().column(), 0);
        dialog.findChild<QPushButton*>("matrix_copy")->click();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith("true\\predicted,cat"));
        metric->setCurrentText("test.confusion_matrix");
        QCOMPARE(epoch->currentText(), QString("after the training"));
        shoot(dialog, "matrix-small");
    }

    void aLargeMatrixHasSmallCellsAndNamesWhatIsConfusedMost() {
        MatrixDialog dialog("run 1", nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        RunMatrices matrices;
        matrices.records.push_back({"val.confusion_matrix", 1, 10, false, matrixOf(200)});
        dialog.setMatrices(matrices);
        auto* table = dialog.findChild<QTableView*>("matrix_table");
        QCOMPARE(table->model()->columnCount(), 200);
        QVERIFY(table->horizontalHeader()->sectionSize(0) < 30);
        QVERIFY(table->model()->index(0, 0).data().toString().isEmpty());
        QVERIFY(!table->model()->index(0, 0).data(Qt::AccessibleTextRole).toString().isEmpty());
        auto* pairs = dialog.findChild<widgets::FilterTable*>("matrix_pairs")->view()->model();
        QCOMPARE(pairs->index(0, 2).data().toInt(), 19);
        shoot(dialog, "matrix-large");
        RunMatrices ten;
        ten.records.push_back({"val.confusion_matrix", 1, 10, false, matrixOf(10)});
        dialog.resize(960, 680);  // as it is where the screen is large enough
        dialog.setMatrices(ten);
        QVERIFY(table->horizontalHeader()->sectionSize(0) > 40);
        // All ten fit, beside the list.
        QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
        QCOMPARE(table->verticalScrollBar()->maximum(), 0);
        shoot(dialog, "matrix-ten");
        RunMatrices three;
        three.records.push_back({"val.confusion_matrix", 1, 10, false, matrixOf(3)});
        dialog.setMatrices(three);
        QTRY_VERIFY(table->horizontalHeader()->sectionSize(0) > 90);  // they fill their place
        QVERIFY(table->verticalHeader()->sectionSize(0) > 90);
        QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
        shoot(dialog, "matrix-three");
    }

    void theButtonOfTheRunsPageOpensItAndARunWithoutOneSaysHowToGetIt() {
        WindowFixture f;
        const QString run = f.train();
        QVERIFY(!run.isEmpty());
        f.window.show();
        QVERIFY(f.window.showPage("runs"));
        auto* button = f.named<QPushButton>("runs_matrix");
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), 20000);
        button->click();
        auto* dialog = f.named<MatrixDialog>("dialog_matrix");
        QVERIFY(dialog);
        auto* empty = dialog->findChild<widgets::EmptyState*>("matrix_empty");
        const auto said = [empty] {
            QString all;
            for (const QLabel* label : empty->findChildren<QLabel*>()) {
                all += label->text() + ' ';
            }
            return all;
        };
        QTRY_VERIFY_WITH_TIMEOUT(said().contains("no confusion matrix"), 20000);
        QVERIFY(said().contains("training.metrics"));
        // It can be had from here, and taken back.
        const auto metrics = [&f] { return f.document().project().training.metrics.size(); };
        const std::size_t before = metrics();
        QPushButton* add = nullptr;
        for (auto* each : empty->findChildren<QPushButton*>()) {
            add = each->isVisibleTo(empty) ? each : add;
        }
        QVERIFY(add);
        add->click();
        QCOMPARE(metrics(), before + 1);
        QCOMPARE(f.document().project().training.metrics.back().type, std::string("confusion_matrix"));
        QVERIFY(f.document().report().ok());
        QVERIFY(!add->isVisibleTo(empty));
        f.document().undoStack()->undo();
        QCOMPARE(metrics(), before);
        dialog->close();
        // One that has them.
        {
            auto writer = store::RunWriter::reopen(f.document().runsFolder() / filePath(run));
            QVERIFY(writer.has_value());
            for (const Json& event : events()) {
                QVERIFY((*writer)->appendEvent(event));
            }
            QVERIFY((*writer)->flush());
        }
        // Of matrices that are too many, the newest ones: of 12 cells, 4 of the test, 6 of an epoch and the event
        // before.
        const std::filesystem::path folder = f.document().runsFolder() / filePath(run);
        const auto all = readMatrices(folder), few = readMatrices(folder, 12), none = readMatrices(folder, 0);
        QVERIFY(all && few && none);
        QCOMPARE(all->records.size(), std::size_t{5});
        QVERIFY(!all->isCut && few->isCut && none->isCut);
        QCOMPARE(few->records.size(), std::size_t{3});
        QCOMPARE(few->records.front().epoch, qint64{2});
        QCOMPARE(none->records.back().metric, QString("test.confusion_matrix"));  // the newest one in any case
        MatrixDialog cut("run 1", nullptr);
        cut.setAttribute(Qt::WA_DeleteOnClose, false);
        cut.setMatrices(*few);
        QVERIFY(cut.findChild<QLabel*>("matrix_summary")->text().contains("Older epochs are left out"));
        QTRY_VERIFY_WITH_TIMEOUT(!f.named<MatrixDialog>("dialog_matrix"), 20000);
        button->click();
        dialog = f.named<MatrixDialog>("dialog_matrix");
        QTRY_COMPARE_WITH_TIMEOUT(dialog->findChild<QComboBox*>("matrix_epoch")->count(), 3, 20000);
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::MatrixTest>(argc, argv);
}

#include "test_matrix.moc"
