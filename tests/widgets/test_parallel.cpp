// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_parallel.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>
#include <numeric>

#include "widgets/line_layer.h"
#include "widgets/parallel_plot.h"
#include "widgets/theme.h"

using namespace plumbline::widgets;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// lr (by its logarithm), type (words), loss; trial 2 is the best and trial 3 has no loss.
ParallelContent sample() {
    ParallelContent content;
    content.axes = {{"optimizer.lr", "lr", "training.optimizer.lr", 1e-4, 1e-1, true},
                    {"optimizer.type", "type", "training.optimizer.type", 0, 1, false, {"SGD", "Adam", "Lion"}},
                    {"val.loss", "loss", "val.loss", 0, 1}};
    content.lines = {{0, "trial 0", {1e-4, 0, 1}},
                     {1, "trial 1", {1e-3, 1, 0.5}},
                     {2, "trial 2", {1e-2, 2, 0}},
                     {3, "trial 3", {1e-1, 0, kNone}}};
    content.best = 2;
    return content;
}

struct Shown {
    Shown() {
        plot.resize(600, 400);
        plot.setContent(sample());
        plot.show();
        ok = QTest::qWaitForWindowExposed(&plot) && QTest::qWaitFor([this] { return !plot.isDrawing(); });
    }
    QPoint on(int axis, double share) const { return QPointF(plot.axisX(axis), plot.yOf(axis, share)).toPoint(); }
    /// A point of a line between two axes.
    QPoint between(int line, int axis, double part) const {
        const double share = plot.shareOf(line, axis) * (1 - part) + plot.shareOf(line, axis + 1) * part;
        return QPointF(plot.axisX(axis) * (1 - part) + plot.axisX(axis + 1) * part, plot.yOf(axis, share)).toPoint();
    }
    void drag(const QPoint& from, const QPoint& to) {
        QTest::mousePress(&plot, Qt::LeftButton, {}, from);
        QTest::mouseMove(&plot, (from + to) / 2);
        QTest::mouseMove(&plot, to);
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, to);
    }
    ParallelPlot plot;
    bool ok = false;
};

bool near(double a, double b) {
    return std::fabs(a - b) < 0.02;
}

}  // namespace

void TestParallel::aValueStandsWhereItsAxisHasIt() {
    ParallelPlot plot;
    plot.setContent(sample());
    QVERIFY(near(plot.shareOf(0, 0), 0) && near(plot.shareOf(1, 0), 1.0 / 3) && near(plot.shareOf(3, 0), 1));
    QVERIFY(near(plot.shareOf(0, 1), 0) && near(plot.shareOf(1, 1), 0.5) && near(plot.shareOf(2, 1), 1));
    QVERIFY(near(plot.shareOf(1, 2), 0.5) && std::isnan(plot.shareOf(3, 2)));
}

void TestParallel::coloursAreReadableInBothModesAndGoFromTheBestOn() {
    for (const bool dark : {false, true}) {
        const QColor surface = themeColors(dark).surface;
        double before = std::numeric_limits<double>::infinity();
        for (int i = 0; i <= 20; ++i) {
            const double contrast = contrastRatio(ParallelPlot::rankColor(i / 20.0, dark), surface);
            QVERIFY2(contrast >= 3, qPrintable(QString("%1 at %2").arg(contrast).arg(i)));
            // Told by lightness alone as well: the better, the further from the ground.
            QVERIFY2(contrast <= before + 1e-9, qPrintable(QString("%1 at %2").arg(contrast).arg(i)));
            before = contrast;
        }
    }
}

void TestParallel::theLineUnderThePointerIsReadOutAndSelectedByAClick() {
    Shown f;
    QVERIFY(f.ok);
    QSignalSpy hovered(&f.plot, &ParallelPlot::lineHovered), selected(&f.plot, &ParallelPlot::selectionChanged),
        opened(&f.plot, &ParallelPlot::lineActivated);
    QTest::mouseMove(&f.plot, f.between(1, 0, 0.3));
    QCOMPARE(f.plot.hoveredLine(), 1);
    QCOMPARE(hovered.last()[0].toInt(), 1);
    QCOMPARE(f.plot.lineText(1), QString("trial 1: optimizer.lr 0.001, optimizer.type Adam, val.loss 0.5"));
    QTest::mouseClick(&f.plot, Qt::LeftButton, {}, f.between(1, 0, 0.3));
    QCOMPARE(f.plot.selectedLines(), QList<int>{1});
    QTest::mouseClick(&f.plot, Qt::LeftButton, Qt::ControlModifier, f.between(2, 0, 0.3));
    QCOMPARE(f.plot.selectedLines(), (QList<int>{1, 2}));
    QCOMPARE(selected.size(), 2);
    QTest::mouseDClick(&f.plot, Qt::LeftButton, {}, f.between(2, 1, 0.4));
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened.last()[0].toInt(), 2);
    // From outside it is shown and not told again.
    selected.clear();
    f.plot.setSelectedLines({0});
    QCOMPARE(f.plot.selectedLines(), QList<int>{0});
    QVERIFY(selected.isEmpty());
}

void TestParallel::aDragAlongAnAxisMarksARangeAndADoubleClickTakesItAway() {
    Shown f;
    QVERIFY(f.ok);
    QSignalSpy changed(&f.plot, &ParallelPlot::rangesChanged);
    f.drag(f.on(0, 0.2), f.on(0, 0.75));
    QVERIFY(!changed.isEmpty() && f.plot.range(0));
    QVERIFY(near(f.plot.range(0)->first, 0.2) && near(f.plot.range(0)->second, 0.75));
    QVERIFY(!f.plot.isKept(0) && f.plot.isKept(1) && f.plot.isKept(2) && !f.plot.isKept(3));
    f.drag(f.on(1, 0.9), f.on(1, 1));
    QCOMPARE(f.plot.keptCount(), 1);
    QTest::mouseDClick(&f.plot, Qt::LeftButton, {}, f.on(1, 0.5));
    QVERIFY(f.plot.range(0) && !f.plot.range(1));
    QTest::mouseDClick(&f.plot, Qt::LeftButton, {}, QPoint(int(f.plot.axisX(0) + f.plot.axisX(1)) / 2, 2));
    QVERIFY(!f.plot.hasRanges());
    QCOMPARE(f.plot.keptCount(), 4);
}

void TestParallel::aRangeIsMovedAndItsEndsAreDragged() {
    Shown f;
    QVERIFY(f.ok);
    f.plot.setRange(2, ParallelPlot::Range(0.2, 0.4));
    f.drag(f.on(2, 0.3), f.on(2, 0.6));
    QVERIFY(near(f.plot.range(2)->first, 0.5) && near(f.plot.range(2)->second, 0.7));
    f.drag(f.on(2, 0.7), f.on(2, 0.9));
    QVERIFY(near(f.plot.range(2)->first, 0.5) && near(f.plot.range(2)->second, 0.9));
    f.drag(f.on(2, 0.6), f.on(2, 1));  // no further than the axis goes
    QVERIFY(near(f.plot.range(2)->first, 0.6) && near(f.plot.range(2)->second, 1));
}

void TestParallel::linesOutsideTheRangesFadeAndAreNotFound() {
    Shown f;
    QVERIFY(f.ok);
    const QPoint place = f.between(0, 0, 0.5);
    QTest::mouseMove(&f.plot, place);
    QCOMPARE(f.plot.hoveredLine(), 0);
    QTest::mouseMove(&f.plot, QPoint(1, 1));
    QCOMPARE(f.plot.hoveredLine(), -1);
    const auto darkest = [&] {
        const QImage image = f.plot.grab().toImage();
        const double scale = image.devicePixelRatio();
        int least = 255;
        for (int y = -3; y <= 3; ++y)
            least = std::min(
                least, image.pixelColor(QPoint(int(place.x() * scale), int((place.y() + y) * scale))).lightness());
        return least;
    };
    const int before = darkest();
    f.plot.setRange(0, ParallelPlot::Range(0.5, 1));
    QVERIFY(QTest::qWaitFor([&] { return !f.plot.isDrawing(); }));
    QVERIFY2(darkest() > before + 40, qPrintable(QString("%1 and %2").arg(before).arg(darkest())));
    QTest::mouseMove(&f.plot, place);
    QCOMPARE(f.plot.hoveredLine(), -1);
}

void TestParallel::theKeyboardReachesEveryLineAndMarksRanges() {
    Shown f;
    QVERIFY(f.ok);
    QSignalSpy opened(&f.plot, &ParallelPlot::lineActivated), hovered(&f.plot, &ParallelPlot::lineHovered);
    f.plot.setFocus();
    QTest::keyClick(&f.plot, Qt::Key_End);  // the lowest of the first axis
    QCOMPARE(hovered.last()[0].toInt(), 0);
    QVERIFY2(f.plot.accessibleDescription().contains("trial 0: "), qPrintable(f.plot.accessibleDescription()));
    for (const int line : {1, 2, 3, 3}) {
        QTest::keyClick(&f.plot, Qt::Key_Up);
        QCOMPARE(hovered.last()[0].toInt(), line);
    }
    QTest::keyClick(&f.plot, Qt::Key_Down);
    QTest::keyClick(&f.plot, Qt::Key_Space);
    QCOMPARE(f.plot.selectedLines(), QList<int>{2});
    QTest::keyClick(&f.plot, Qt::Key_Return);
    QCOMPARE(opened.last()[0].toInt(), 2);
    // Shift marks from where it began.
    QTest::keyClick(&f.plot, Qt::Key_Down, Qt::ShiftModifier);
    QVERIFY(f.plot.range(0));
    QCOMPARE(f.plot.keptCount(), 2);
    QVERIFY(f.plot.isKept(1) && f.plot.isKept(2));
    QTest::keyClick(&f.plot, Qt::Key_Right);
    QCOMPARE(f.plot.currentAxis(), 1);
    QTest::keyClick(&f.plot, Qt::Key_Delete);  // this one has none
    QVERIFY(f.plot.range(0));
    QTest::keyClick(&f.plot, Qt::Key_Escape);
    QVERIFY(!f.plot.hasRanges());
    QTest::keyClick(&f.plot, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), f.plot.toTsv());
}

void TestParallel::rangesAndWhatIsSelectedOutliveNewContent() {
    Shown f;
    QVERIFY(f.ok);
    f.plot.setRange(0, ParallelPlot::Range(f.plot.shareOf(1, 0), f.plot.shareOf(2, 0)));
    f.plot.setRange(2, ParallelPlot::Range(0, 0.5));  // losses from 0 to 0.5
    f.plot.setSelectedLines({2});
    ParallelContent more = sample();
    more.axes[2].high = 10;  // the axis grows with its values
    more.lines.insert(more.lines.begin(), {7, "trial 7", {1e-3, 0, 10}});
    more.best = 3;
    f.plot.setContent(more);
    QCOMPARE(f.plot.selectedLines(), QList<int>{3});
    QVERIFY(!f.plot.isKept(0) && f.plot.isKept(2) && f.plot.isKept(3));
    QVERIFY(near(f.plot.range(2)->second, 0.05));
    more.axes[0].fullName = "another";
    f.plot.setContent(more);
    QVERIFY(!f.plot.hasRanges());
}

void TestParallel::aLineWithoutAValueEndsBeforeTheLastAxis() {
    Shown f;
    QVERIFY(f.ok);
    QTest::mouseMove(&f.plot, f.between(3, 0, 0.5));
    QCOMPARE(f.plot.hoveredLine(), 3);
    QVERIFY(f.plot.lineText(3).endsWith("val.loss none"));
    QTest::mouseMove(&f.plot, QPointF((f.plot.axisX(1) + f.plot.axisX(2)) / 2, f.plot.yOf(1, 0)).toPoint());
    QVERIFY(f.plot.hoveredLine() != 3);
    // In no range of an axis that it has no value on.
    f.plot.setRange(2, ParallelPlot::Range(0, 1));
    QVERIFY(!f.plot.isKept(3));
    QCOMPARE(f.plot.keptCount(), 3);
}

void TestParallel::theContentIsItsDescriptionAndATable() {
    ParallelPlot plot;
    plot.setEmptyText("No trial yet.");
    QCOMPARE(plot.accessibleDescription(), QString("No trial yet."));
    plot.setContent(sample());
    QVERIFY2(plot.accessibleDescription().contains("training.optimizer.lr") &&
                 plot.accessibleDescription().contains("trial 2 (the best)"),
             qPrintable(plot.accessibleDescription()));
    plot.setRange(1, ParallelPlot::Range(0.4, 1));
    QVERIFY2(plot.accessibleDescription().contains("Adam, Lion"), qPrintable(plot.accessibleDescription()));
    const QStringList lines = plot.toTsv().split('\n');
    QCOMPARE(lines.size(), 5);
    QCOMPARE(lines[0], QString("line\ttraining.optimizer.lr\ttraining.optimizer.type\tval.loss"));
    QCOMPARE(lines[4].split('\t'), QStringList({"trial 3", "0.10000000000000001", "SGD", ""}));
}

void TestParallel::itIsExportedAsPictureDrawingAndTable() {
    Shown f;
    QVERIFY(f.ok);
    const QTemporaryDir folder;
    QString error;
    f.plot.setTitle("Trials of s");
    for (const char* suffix : {"png", "svg", "pdf", "csv"}) {
        const QString path = folder.filePath(QString("plot.") + suffix);
        QVERIFY2(f.plot.exportTo(path, &error), qPrintable(error));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray content = file.readAll();
        if (qstrcmp(suffix, "png") == 0)
            QCOMPARE(QImage::fromData(content).width(), 1200);
        if (qstrcmp(suffix, "svg") == 0)
            QVERIFY(content.contains("Trials of s") && content.contains("polyline"));
        if (qstrcmp(suffix, "csv") == 0)
            QVERIFY(content.startsWith("line,training.optimizer.lr,") && content.count('\n') == 5);
    }
    QVERIFY(!f.plot.exportTo(folder.filePath("plot.gif"), &error) && error.contains("gif"));
    QVERIFY(!f.plot.exportTo(folder.filePath("none/plot.png"), &error) && error.contains("none"));
}

void TestParallel::aLayerIsDrawnInPiecesAndTheLastWholeOneIsShownMeanwhile() {
    using namespace std::chrono_literals;
    LineLayer layer;
    std::vector<int> order(100), drawn;
    std::iota(order.begin(), order.end(), 0);
    QColor color = Qt::red;
    const auto draw = [&](QPainter& painter, int line) {
        drawn.push_back(line);
        painter.fillRect(0, 0, 10, 10, color);
    };
    const auto shown = [&] { return layer.image().pixelColor(5, 5); };
    layer.restart(QSize(10, 10), 1, order);
    layer.advance(0ms, draw);  // out of time at once: some lines, not all
    QVERIFY(!drawn.empty() && drawn.size() < order.size() && !layer.isDone());
    while (!layer.isDone())
        layer.advance(0ms, draw);
    QCOMPARE(drawn, order);
    QCOMPARE(shown(), QColor(Qt::red));
    color = Qt::blue;
    layer.restart(QSize(10, 10), 1, order);
    layer.advance(0ms, draw);
    QCOMPARE(shown(), QColor(Qt::red));
    // What is wanted next does not cut short what is being drawn; what comes at once does.
    drawn.clear();
    layer.restartNext(QSize(10, 10), 1, {7});
    layer.restartNext(QSize(10, 10), 1, {8});
    for (int i = 0; i < 10 && shown() != QColor(Qt::blue); ++i)
        layer.advance(0ms, draw);
    QCOMPARE(shown(), QColor(Qt::blue));
    QVERIFY(!layer.isDone());
    layer.advance(0ms, draw);
    QVERIFY(layer.isDone() && drawn.back() == 8);
    layer.clear();
    QVERIFY(layer.isEmpty() && layer.isDone());
}

void TestParallel::tenThousandLinesAreDrawnPieceByPieceAndThenKept() {
    ParallelContent content;
    for (int axis = 0; axis < 10; ++axis)
        content.axes.push_back({QString("axis %1").arg(axis), {}, {}, 0, 1});
    for (int line = 0; line < 10'000; ++line) {
        ParallelLine each{line, QString::number(line), {}};
        for (int axis = 0; axis < 10; ++axis)
            each.values.push_back(std::fmod(line * 0.61803398875 * (axis + 1), 1.0));
        content.lines.push_back(each);
    }
    content.best = 4242;
    ParallelPlot plot;
    plot.resize(1000, 400);
    plot.setContent(content);
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    QVERIFY(QTest::qWaitFor([&] { return !plot.isDrawing(); }, 60000));
    const QImage whole = plot.grab().toImage();
    QVERIFY(!plot.isDrawing());
    plot.setHoveredLine(17);  // drawn over the picture that is kept
    plot.repaint();
    QVERIFY(!plot.isDrawing());
    QVERIFY(plot.grab().toImage() != whole);
    plot.setHoveredLine(-1);
    QCOMPARE(plot.grab().toImage(), whole);
    // What is being drawn goes with what it was drawn from.
    plot.setRange(3, ParallelPlot::Range(0.1, 0.9));
    plot.repaint();
    plot.setRange(3, ParallelPlot::Range(0.2, 0.9));
    plot.setContent(sample());
    plot.repaint();
    QVERIFY(QTest::qWaitFor([&] { return !plot.isDrawing(); }, 60000));
    QCOMPARE(plot.keptCount(), 4);
    // Where the machine is measured: how long a repaint takes that has nothing to draw anew.
    if (qEnvironmentVariableIsSet("PLUMBLINE_TIMES")) {
        plot.setContent(content);
        plot.repaint();
        QVERIFY(QTest::qWaitFor([&] { return !plot.isDrawing(); }, 60000));
        QBENCHMARK {
            plot.setHoveredLine(plot.hoveredLine() == 5 ? 6 : 5);
            plot.repaint();
        }
    }
}

void TestParallel::nothingAndOneLineAndOddNumbersAreDrawnToo() {
    ParallelPlot plot;
    plot.resize(300, 200);
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    QTest::keyClick(&plot, Qt::Key_Up);
    QTest::mouseMove(&plot, QPoint(50, 50));
    plot.clearRanges();
    ParallelContent content;
    content.axes = {{"a", {}, {}, 5, 5}, {"b", {}, {}, -1, 1, false, {"only"}}, {"c", {}, {}, 1, 10, true}};
    content.lines = {
        {0, "odd", {5, 0, -3}}, {1, "none", {}}, {2, "infinite", {std::numeric_limits<double>::infinity(), 9, 2}}};
    content.best = 0;
    plot.setContent(content);
    plot.setHoveredLine(1);
    plot.repaint();
    QVERIFY(QTest::qWaitFor([&] { return !plot.isDrawing(); }));
    QVERIFY(near(plot.shareOf(0, 0), 0.5) && std::isnan(plot.shareOf(0, 2)) && std::isnan(plot.shareOf(1, 0)) &&
            std::isnan(plot.shareOf(2, 0)));
    QTest::mouseMove(&plot, QPoint(150, 100));
    content.axes = {{"alone", {}, {}, 0, 1}};
    content.lines = {{0, "dot", {0.5}}};
    plot.setContent(content);
    plot.repaint();
    QTest::mouseMove(&plot, QPoint(150, 100));
    QVERIFY(!plot.grab().isNull());
}
