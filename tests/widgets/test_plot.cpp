// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_plot.h"

#include <QAbstractItemModelTester>
#include <QAbstractTableModel>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMimeData>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <numeric>
#include <set>

#include "widgets/plot_series.h"
#include "widgets/plot_view.h"
#include "widgets/plot_widget.h"

using namespace plumbline::widgets;

namespace {

std::vector<double> counting(int first, int count) {
    std::vector<double> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), first);
    return values;
}

std::vector<double> noise(int count, quint32 seed) {
    QRandomGenerator random(seed);
    std::vector<double> values;
    for (int i = 0; i < count; ++i)
        values.push_back(random.generateDouble());
    return values;
}

void show(PlotWidget& plot) {
    plot.resize(600, 400);
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    plot.replotNow();
}

QWidget* viewOf(PlotWidget& plot) {
    return plot.findChild<QWidget*>(QStringLiteral("plotView"));
}

void drag(QWidget* widget, const QPoint& from, const QPoint& to) {
    QTest::mousePress(widget, Qt::LeftButton, {}, from);
    QTest::mouseMove(widget, (from + to) / 2);
    QTest::mouseMove(widget, to);
    QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
}

}  // namespace

void TestPlot::thePyramidAnswersAsASearchWould() {
    std::vector<double> values = noise(5000, 1);
    values[17] = NAN;
    values[4000] = INFINITY;
    MinMaxPyramid pyramid;
    // Grown in uneven pieces, as news arrives.
    for (std::size_t end = 1; end < values.size(); end = std::min(values.size(), end * 2 + 3)) {
        pyramid.extend(std::span(values).first(end));
        if (end == values.size())
            break;
    }
    pyramid.extend(values);
    QRandomGenerator random(2);
    for (int i = 0; i < 500; ++i) {
        const auto first = static_cast<std::size_t>(random.bounded(5000));
        const auto last = first + static_cast<std::size_t>(random.bounded(5001 - static_cast<int>(first)));
        MinMax expected;
        for (std::size_t j = first; j < last; ++j)
            expected.add(values[j]);
        const MinMax found = pyramid.range(values, first, last);
        QCOMPARE(found.least, expected.least);
        QCOMPARE(found.largest, expected.largest);
    }
}

void TestPlot::smoothingIsTheBiasCorrectedAverage() {
    PlotSeries series(PlotSeriesSpec{.id = QStringLiteral("s")});
    series.setSmoothing(0.5);
    const std::vector<double> step{0, 1, 2}, value{4, NAN, 1};
    series.append({step, {}, {}, value});
    QCOMPARE(series.shown().values[0], 4.0);
    QVERIFY(std::isnan(series.shown().values[1]));
    QCOMPARE(series.shown().values[2], (0.5 * 2 + 0.5 * 1) / (1 - 0.25));
    series.setSmoothing(0);
    QCOMPARE(series.shown().values[2], 1.0);
}

void TestPlot::appendingInPiecesSmoothsAsAtOnce() {
    const std::vector<double> step = counting(0, 1000), value = noise(1000, 3);
    PlotSeries whole(PlotSeriesSpec{.id = QStringLiteral("a")}), pieces(PlotSeriesSpec{.id = QStringLiteral("b")});
    whole.setSmoothing(0.9);
    pieces.setSmoothing(0.9);
    whole.append({step, {}, {}, value});
    for (std::size_t i = 0; i < 1000; i += 37) {
        const std::size_t n = std::min<std::size_t>(37, 1000 - i);
        pieces.append({std::span(step).subspan(i, n), {}, {}, std::span(value).subspan(i, n)});
    }
    QVERIFY(whole.shown().values == pieces.shown().values);
}

void TestPlot::aResumedRunReplacesWhatCameAfterItsCheckpoint() {
    PlotWidget plot;
    plot.append(QStringLiteral("loss"), counting(0, 100), noise(100, 4));
    plot.truncateFrom(60);
    QCOMPARE(plot.pointCount(QStringLiteral("loss")), 60);
    plot.append(QStringLiteral("loss"), counting(60, 10), noise(10, 5));
    QCOMPARE(plot.pointCount(QStringLiteral("loss")), 70);
}

void TestPlot::valuesOutOfOrderAreSorted() {
    PlotSeries series(PlotSeriesSpec{.id = QStringLiteral("s")});
    const std::vector<double> late{5, 6}, early{1, 2}, lateValues{50, 60}, earlyValues{10, 20};
    series.append({late, {}, {}, lateValues});
    series.append({early, {}, {}, earlyValues});
    QVERIFY((series.raw().values == std::vector<double>{10, 20, 50, 60}));
    QCOMPARE(series.raw().range(0, 2).largest, 20.0);
}

void TestPlot::newDataNeverResetsAZoom() {
    PlotWidget plot;
    plot.append(QStringLiteral("loss"), counting(0, 100), noise(100, 6));
    show(plot);
    plot.zoomX(20, 40);
    plot.zoomY(0.2, 0.4);
    plot.append(QStringLiteral("loss"), counting(100, 500), noise(500, 7));
    plot.replotNow();
    QCOMPARE(plot.xRange(), std::make_pair(20.0, 40.0));
    QCOMPARE(plot.yRange(), std::make_pair(0.2, 0.4));
    QVERIFY(plot.isZoomed());
    plot.resetZoom();
    plot.replotNow();
    QVERIFY(!plot.isZoomed());
    QCOMPARE(plot.xRange().second, 599.0);
}

void TestPlot::withoutAZoomTheAxesFollowTheData() {
    PlotWidget plot;
    show(plot);
    const std::vector<double> step{0, 10}, value{1, 3};
    plot.append(QStringLiteral("loss"), step, value);
    plot.replotNow();
    QCOMPARE(plot.xRange(), std::make_pair(0.0, 10.0));
    QVERIFY(plot.yRange().first < 1 && plot.yRange().second > 3);
}

void TestPlot::draggingZoomsIntoTheBoxAndDoubleClickResets() {
    PlotWidget plot;
    plot.append(QStringLiteral("loss"), counting(0, 100), noise(100, 8));
    show(plot);
    const auto whole = plot.xRange();
    QSignalSpy zooms(&plot, &PlotWidget::zoomChanged);
    drag(viewOf(plot), {200, 100}, {400, 250});
    plot.replotNow();
    QVERIFY(zooms.count() > 0);
    QVERIFY(plot.xRange().first > whole.first && plot.xRange().second < whole.second);
    QTest::mouseDClick(viewOf(plot), Qt::LeftButton, {}, {300, 150});
    plot.replotNow();
    QCOMPARE(plot.xRange(), whole);
}

void TestPlot::aFlatDragZoomsTheStepsAlone() {
    PlotWidget plot;
    plot.append(QStringLiteral("loss"), counting(0, 100), noise(100, 9));
    show(plot);
    drag(viewOf(plot), {200, 150}, {400, 153});
    QVERIFY(plot.isXZoomed());
    const auto before = plot.yRange();
    const std::vector<double> step{50}, value{100};  // the y axis still follows
    plot.append(QStringLiteral("loss"), step, value);
    plot.replotNow();
    QVERIFY(plot.yRange().second > before.second);
}

void TestPlot::keysPanZoomAndReset() {
    PlotWidget plot;
    plot.append(QStringLiteral("loss"), counting(0, 100), noise(100, 10));
    show(plot);
    QSignalSpy cursor(&plot, &PlotWidget::cursorMoved);
    QTest::keyClick(viewOf(plot), Qt::Key_Right);
    QTest::keyClick(viewOf(plot), Qt::Key_Right);
    QCOMPARE(cursor.count(), 2);
    QCOMPARE(cursor[1][0].toDouble(), 1.0);
    QTest::keyClick(viewOf(plot), Qt::Key_Plus);
    QVERIFY(plot.isZoomed());
    QTest::keyClick(viewOf(plot), Qt::Key_Home);
    QVERIFY(!plot.isZoomed());
}

void TestPlot::plotsOfAGroupShareCursorAndSteps() {
    PlotWidget first, second, third;
    PlotGroup group;
    for (PlotWidget* plot : {&first, &second}) {
        plot->append(QStringLiteral("x"), counting(0, 100), noise(100, 11));
        group.add(plot);
        show(*plot);
    }
    first.zoomX(10, 20);
    QCOMPARE(second.xRange(), std::make_pair(10.0, 20.0));
    first.resetZoom();
    QVERIFY(!second.isXZoomed());
    group.setSmoothing(0.6);
    group.add(&third);
    QCOMPARE(third.smoothing(), 0.6);
    group.setSharesRange(false);
    first.zoomX(1, 2);
    QVERIFY(!second.isZoomed());
}

void TestPlot::aMarkThatIsClickedIsTold() {
    PlotWidget plot;
    plot.append(QStringLiteral("loss"), counting(0, 101), noise(101, 12));
    plot.setMarks({{QStringLiteral("finding-3"), 50, Severity::Critical, QStringLiteral("Loss is NaN")}});
    show(plot);
    QSignalSpy opened(&plot, &PlotWidget::markActivated);
    // The mark stands at the middle of the axis; its icon is near the top.
    QWidget* view = viewOf(plot);
    for (int x = 0; x < view->width() && opened.isEmpty(); x += 4)
        QTest::mouseClick(view, Qt::LeftButton, {}, {x, 18});
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened[0][0].toString(), QStringLiteral("finding-3"));
    QVERIFY(!plot.isZoomed());
}

void TestPlot::otherAxesRedrawTheSameValues() {
    PlotWidget plot;
    const std::vector<double> step{0, 1, 2}, epoch{0, 0.5, 1}, seconds{0, 10, 30}, value{1, 2, 3};
    plot.append(QStringLiteral("loss"), PlotSamples{step, epoch, seconds, value});
    show(plot);
    plot.setXAxis(PlotXAxis::Seconds);
    plot.replotNow();
    QCOMPARE(plot.xRange(), std::make_pair(0.0, 30.0));
    plot.setXAxis(PlotXAxis::Epoch);
    plot.replotNow();
    QCOMPARE(plot.xRange(), std::make_pair(0.0, 1.0));
}

void TestPlot::logAxisKeepsToPositiveValues() {
    PlotWidget plot;
    const std::vector<double> step{0, 1, 2, 3}, value{-1, 0, 1e-3, 10};
    plot.append(QStringLiteral("loss"), step, value);
    show(plot);
    plot.setYLog(true);
    plot.replotNow();
    QVERIFY(plot.yRange().first > 0);
    QVERIFY(plot.yRange().first <= 1e-3 && plot.yRange().second >= 10);
    plot.setXLog(true);
    plot.replotNow();
    QVERIFY(plot.xRange().first > 0);
}

void TestPlot::whatIsNoStepHasItsOwnName() {
    PlotWidget plot;
    plot.setXName(QStringLiteral("learning rate"));
    plot.setXLog(true);
    const std::vector<double> rate{0.001, 0.01, 0.1}, loss{3, 2, 5};
    plot.append(QStringLiteral("loss"), rate, loss);
    plot.setMarks({{QStringLiteral("best"), 0.01, Severity::Good, QStringLiteral("Suggested: 0.01")}});
    QVERIFY2(plot.summaryText().contains(QStringLiteral("loss is 5 at learning rate 0.1")),
             qPrintable(plot.summaryText()));
    QStringList titles;
    for (int column = 0; column < plot.valuesModel()->columnCount(); ++column)
        titles << plot.valuesModel()->headerData(column, Qt::Horizontal).toString();
    QVERIFY(titles.contains(QStringLiteral("learning rate")));
    QVERIFY(!titles.contains(QStringLiteral("Step")));
    show(plot);
    plot.replotNow();
    QVERIFY(plot.xRange().first > 0 && plot.xRange().second >= 0.1);
    plot.setXName({});
    QVERIFY(plot.summaryText().contains(QStringLiteral("loss is 5 at step 0.1")));
}

void TestPlot::theNewestValuesAreATable() {
    PlotWidget plot;
    QAbstractItemModelTester tester(plot.valuesModel(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    const std::vector<double> step{0, 1, 2}, value{4, NAN, 2};
    plot.addSeries({.id = QStringLiteral("train.loss"), .name = QStringLiteral("train")});
    plot.append(QStringLiteral("train.loss"), step, value);
    const QAbstractTableModel* model = plot.valuesModel();
    QCOMPARE(model->rowCount(), 1);
    QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("train"));
    QCOMPARE(model->index(0, 1).data(Qt::EditRole).toDouble(), 2.0);
    QCOMPARE(model->index(0, 4).data(Qt::EditRole).toDouble(), 4.0);
    QCOMPARE(model->index(0, 6).data().toInt(), 1);
    QVERIFY(plot.summaryText().contains(QStringLiteral("train is 2 at step 2")));
    plot.removeSeries(QStringLiteral("train.loss"));
    QCOMPARE(model->rowCount(), 0);
}

void TestPlot::exportsInFourFormatsAndRefusesAFifth() {
    PlotWidget plot;
    plot.setTitle(QStringLiteral("Loss"));
    const std::vector<double> step{0, 1}, value{0.1, 0.30000000000000004};
    plot.append(QStringLiteral("train.loss"), step, value);
    show(plot);
    QTemporaryDir folder;
    QString error;
    for (const QString& suffix :
         {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("csv")}) {
        const QString path = folder.filePath(QStringLiteral("plot.") + suffix);
        QVERIFY2(plot.exportTo(path, &error), qPrintable(error));
        QVERIFY(QFileInfo(path).size() > 40);
    }
    QCOMPARE(QImage(folder.filePath(QStringLiteral("plot.png"))).width() % 2, 0);
    QFile csv(folder.filePath(QStringLiteral("plot.csv")));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    QCOMPARE(csv.readAll(), QByteArray("series,step,epoch,seconds,value\ntrain.loss,0,,,0.10000000000000001\ntrain."
                                       "loss,1,,,0.30000000000000004\n"));
    QVERIFY(!plot.exportTo(folder.filePath(QStringLiteral("plot.gif")), &error));
    QVERIFY(error.contains(QStringLiteral(".png")));
    QVERIFY(!plot.exportTo(folder.filePath(QStringLiteral("no/such/folder/plot.png")), &error));
    QVERIFY(!error.isEmpty());
}

void TestPlot::copyingGivesPictureDrawingAndText() {
    PlotWidget plot;
    const std::vector<double> step{0, 1}, value{1, 2};
    plot.append(QStringLiteral("loss"), step, value);
    show(plot);
    plot.copyToClipboard();
    const QMimeData* mime = QApplication::clipboard()->mimeData();
    QVERIFY(mime->hasImage());
    QVERIFY(mime->data(QStringLiteral("image/svg+xml")).contains("<svg"));
    QVERIFY(mime->text().contains(QStringLiteral("loss is 2")));
}

void TestPlot::oddDataIsDrawnWithoutHarm() {
    PlotWidget plot;
    show(plot);
    const std::vector<double> none, one{1}, big{1e300}, nan{NAN};
    plot.append(QStringLiteral("empty"), none, none);
    plot.append(QStringLiteral("one"), one, one);
    plot.replotNow();
    plot.append(QStringLiteral("nan"), one, nan);
    plot.append(QStringLiteral("big"), one, big);
    plot.replotNow();
    plot.setYLog(true);
    plot.replotNow();
    const std::vector<double> step = counting(0, 5000);
    plot.append(QStringLiteral("all nan"), step, std::vector<double>(5000, NAN));
    plot.setSmoothing(0.9);
    plot.setXLog(true);
    plot.replotNow();
    plot.zoomX(1e-9, 1e9);
    plot.replotNow();
    QVERIFY(!viewOf(plot)->grab().isNull());
}

void TestPlot::whatStaysAtZeroIsDrawnAtTheFootOfAnAxisWithoutNegativeNumbers() {
    PlotWidget plot;
    plot.append(QStringLiteral("loader wait"), counting(0, 50), std::vector<double>(50, 0.0));
    plot.resize(400, 300);
    plot.show();
    plot.replotNow();
    QVERIFY2(plot.yRange().first > -0.2 && plot.yRange().first <= 0, qPrintable(QString::number(plot.yRange().first)));
    QVERIFY(plot.yRange().second >= 0.5);
}

void TestPlot::hiddenPlotsDoNotPaintUntilTheyAreShown() {
    PlotWidget plot;
    plot.append(QStringLiteral("loss"), counting(0, 10), noise(10, 13));
    QCoreApplication::processEvents();
    QCOMPARE(plot.xRange(), std::make_pair(0.0, 1.0));
    plot.resize(300, 200);
    plot.show();
    QTRY_COMPARE(plot.xRange().second, 9.0);
}

void TestPlot::noTwoOfManyCurvesLookAlike() {
    for (const Qt::PenStyle style : {Qt::SolidLine, Qt::DashLine}) {
        std::set<std::pair<QRgb, std::vector<double>>> looks;
        constexpr int kCurves = 60;
        for (int curve = 0; curve < kCurves; ++curve) {
            PlotSeriesSpec spec;
            spec.curve = curve;
            spec.style = style;
            looks.insert({seriesColor(spec).rgb(), seriesDashes(spec)});
        }
        QCOMPARE(looks.size(), std::size_t{kCurves});
    }
    // Antialiasing mixes the colour of a thin line with what is behind it.
    const auto isNearly = [](const QColor& a, const QColor& b) {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 200;
    };
    // And drawn so: the seventh curve has the first one's colour and gaps that the first one has not.
    PlotWidget plot;
    const std::vector<double> steps = counting(0, 50);
    const std::vector<double> flat(50, 1.0);
    const auto drawn = [&](int curve) {
        plot.clearSeries();
        PlotSeriesSpec spec;
        spec.id = QStringLiteral("a");
        spec.curve = curve;
        plot.addSeries(spec);
        plot.append(spec.id, steps, flat);
        plot.replotNow();
        const QImage image = viewOf(plot)->grab().toImage();
        qsizetype count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (isNearly(image.pixelColor(x, y), seriesColor(spec)))
                    ++count;
        return count;
    };
    show(plot);
    drawn(0);  // the first picture only settles the layout
    const qsizetype solid = drawn(0), dotted = drawn(kCurveColorCount);
    QVERIFY2(dotted > 0 && dotted < solid * 0.7, qPrintable(QStringLiteral("%1 of %2").arg(dotted).arg(solid)));
}

void TestPlot::theTitleChoosesAmongSeveral() {
    PlotWidget plot;
    plot.setTitle(QStringLiteral("Gradient norm"));
    plot.setTitleChoices({QStringLiteral("Gradient norm"), QStringLiteral("Update ratio")}, 0);
    show(plot);
    auto* button = plot.findChild<QToolButton*>(QStringLiteral("plotTitle"));
    QVERIFY(button && button->isVisible());
    QCOMPARE(button->text(), QStringLiteral("Gradient norm"));
    QVERIFY(!button->accessibleName().isEmpty());
    QSignalSpy chosen(&plot, &PlotWidget::titleChosen);
    button->menu()->actions()[1]->trigger();
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].toInt(), 1);
}

void TestPlot::namesOfSeriesNeverCoverTheTitle() {
    PlotWidget plot;
    plot.setTitle(QStringLiteral("A rather long title of a plot"));
    for (int i = 0; i < 9; ++i)
        plot.append(QStringLiteral("layers.%1.convolution").arg(i), counting(0, 3), counting(1, 3));
    show(plot);
    for (const int width : {900, 420, 260, 180}) {
        plot.resize(width, 300);
        QCoreApplication::processEvents();
        auto* title = plot.findChild<QWidget*>(QStringLiteral("plotTitleText"));
        QVERIFY(title);
        const QRect titleArea(title->mapTo(&plot, QPoint()), title->size());
        for (auto* chip : plot.findChildren<QAbstractButton*>()) {
            if (chip == title || !chip->isVisible())
                continue;
            const QRect area = QRect(chip->mapTo(&plot, QPoint()), chip->size()) &
                               QRect(chip->parentWidget()->mapTo(&plot, QPoint()), chip->parentWidget()->size());
            QVERIFY2(!area.intersects(titleArea),
                     qPrintable(QStringLiteral("%1 at %2").arg(chip->objectName()).arg(width)));
        }
        auto* more = plot.findChild<QToolButton*>(QStringLiteral("plotMoreSeries"));
        QVERIFY(more->isVisible());
        QVERIFY2(more->parentWidget()->rect().contains(more->geometry()),
                 qPrintable(QStringLiteral("the rest is cut at %1").arg(width)));
    }
}
