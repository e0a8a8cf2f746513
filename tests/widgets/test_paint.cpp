// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_paint.h"

#include <QApplication>
#include <QHelpEvent>
#include <QRandomGenerator>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>
#include <limits>
#include <numeric>

#include "graph_model.h"
#include "widgets/canvas_view.h"
#include "widgets/plot_view.h"
#include "widgets/plot_widget.h"

using namespace plumbline::widgets;

namespace {

const ThemeColors& colors() {
    return Theme::instance().colors();
}

/// A plot of one series, painted.
struct Drawn {
    explicit Drawn(std::size_t count, bool constant = false) {
        std::vector<double> steps(count), values(count);
        std::iota(steps.begin(), steps.end(), 0.0);
        QRandomGenerator random(7);
        for (double& value : values)
            value = constant ? 1.0 : random.generateDouble();
        plot.addSeries({.id = QStringLiteral("loss"), .curve = 0});
        plot.append(QStringLiteral("loss"), steps, values);
        plot.resize(700, 400);
        plot.show();
        if (!QTest::qWaitForWindowExposed(&plot))
            qFatal("no window");
        view = static_cast<PlotView*>(plot.findChild<QWidget*>(QStringLiteral("plotView")));
    }
    QImage picture() {
        plot.replotNow();
        return view->grab().toImage();
    }
    int x(double step) const { return qRound(view->xAxis->coordToPixel(step)); }
    QColor curve() const { return Theme::instance().curveColor(0); }

    PlotWidget plot;
    PlotView* view = nullptr;
};

/// Pixels near a colour: what is thin is drawn with soft edges.
int near(const QImage& image, const QRect& area, const QColor& color) {
    constexpr int kSoft = 70;
    int found = 0;
    for (int y = std::max(0, area.top()); y <= std::min(area.bottom(), image.height() - 1); ++y)
        for (int x = std::max(0, area.left()); x <= std::min(area.right(), image.width() - 1); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            found += std::abs(pixel.red() - color.red()) < kSoft && std::abs(pixel.green() - color.green()) < kSoft &&
                     std::abs(pixel.blue() - color.blue()) < kSoft;
        }
    return found;
}

int count(const QImage& picture, const QRect& part, const QColor& color) {
    int found = 0;
    const QRect inside = part & picture.rect();
    for (int y = inside.top(); y <= inside.bottom(); ++y)
        for (int x = inside.left(); x <= inside.right(); ++x)
            found += picture.pixelColor(x, y).rgb() == color.rgb();
    return found;
}

/// Pixels that stand out from what is behind them.
int ink(const QImage& picture, const QRect& part, const QColor& behind, double contrast = 2) {
    int found = 0;
    const QRect inside = part & picture.rect();
    for (int y = inside.top(); y <= inside.bottom(); ++y)
        for (int x = inside.left(); x <= inside.right(); ++x)
            found += contrastRatio(picture.pixelColor(x, y), behind) > contrast;
    return found;
}

void turnWheel(QWidget* widget, const QPoint& place) {
    QWheelEvent event(place, widget->mapToGlobal(place), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(widget, &event);
}

struct Board {
    Board() {
        model.add(QStringLiteral("a"), {0, 0});
        model.add(QStringLiteral("b"), {300, 0});
        model.add(QStringLiteral("c"), {300, 150});
        view.resize(900, 500);
        view.setModel(&model);
        view.setMinimapVisible(false);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view))
            qFatal("no window");
        view.setZoom(1);
        view.centerOn(250, 100);
    }
    QImage picture() { return view.viewport()->grab().toImage(); }
    QPoint at(const QString& id, double x, double y) {
        return view.mapFromScene(model.find(id)->position + QPointF(x, y));
    }
    /// The inner part of a block on the screen.
    QRect body(const QString& id) { return QRect(at(id, 8, 8), at(id, 160, 60)); }

    GraphModel model;
    CanvasView view;
};

}  // namespace

void TestPaint::theWheelZoomsIntoWhatIsUnderThePointer() {
    Drawn drawn(1001);
    (void)drawn.picture();
    const QRect area = drawn.view->axisArea();
    const QPoint place(area.left() + area.width() / 4, area.center().y());
    const double under = drawn.view->xAxis->pixelToCoord(place.x());
    const auto yBefore = drawn.plot.yRange();
    turnWheel(drawn.view, place);
    QVERIFY(drawn.plot.isXZoomed());
    const auto [lower, upper] = drawn.plot.xRange();
    QVERIFY(lower > 0 && upper < 1000);
    QVERIFY(std::abs(drawn.view->xAxis->pixelToCoord(place.x()) - under) < 2);  // it stays under the pointer
    drawn.plot.resetZoom();
    (void)drawn.picture();
    turnWheel(drawn.view, {area.left() - 10, area.center().y()});  // over the y axis
    QVERIFY(!drawn.plot.isXZoomed() && drawn.plot.isZoomed());
    QVERIFY(drawn.plot.yRange().second - drawn.plot.yRange().first < yBefore.second - yBefore.first);
}

void TestPaint::theReadOutFollowsTheMouseUntilItLeaves() {
    Drawn drawn(1001);
    (void)drawn.picture();
    QSignalSpy cursor(&drawn.plot, &PlotWidget::cursorMoved);
    const QRect area = drawn.view->axisArea();
    QTest::mouseMove(drawn.view, area.center() - QPoint(5, 0));
    QTest::mouseMove(drawn.view, area.center());
    QVERIFY(!cursor.isEmpty());
    QVERIFY(std::abs(cursor.last()[0].toDouble() - 500) < 5);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(drawn.view, &leave);
    QVERIFY(std::isnan(cursor.last()[0].toDouble()));
}

void TestPaint::theRawCurveStandsPaleBehindItsSmoothedOne() {
    Drawn drawn(300);
    const QColor pale = mixed(colors().surface, drawn.curve(), 0.25);
    const int before = count(drawn.picture(), drawn.view->axisArea(), pale);
    drawn.plot.setSmoothing(0.97);
    const QImage smoothed = drawn.picture();
    QVERIFY2(count(smoothed, drawn.view->axisArea(), pale) > 500 + before,
             qPrintable(QString::number(count(smoothed, drawn.view->axisArea(), pale))));
    QVERIFY(count(smoothed, drawn.view->axisArea(), drawn.curve()) > 100);
}

void TestPaint::whatIsNotFiniteOrSkippedIsMarkedOnTheAxis() {
    Drawn drawn(101, true);
    const QColor critical = Theme::instance().severityColor(Severity::Critical),
                 warning = Theme::instance().severityColor(Severity::Warning);
    const QImage before = drawn.picture();
    const std::vector<double> late{101, 102}, values{std::numeric_limits<double>::quiet_NaN(), 1.0}, skipped{30};
    drawn.plot.append(QStringLiteral("loss"), late, values);
    drawn.plot.appendSkippedSteps(skipped);
    const QImage now = drawn.picture();
    const QRect area = drawn.view->axisArea();
    const auto onTheAxis = [&](double step) { return QRect(drawn.x(step) - 5, area.bottom() - 10, 11, 11); };
    QVERIFY(count(before, area, critical) == 0 && count(before, area, warning) == 0);
    QVERIFY(near(now, onTheAxis(101), critical) > 8);
    QVERIFY(count(now, onTheAxis(30), warning) > 8);
    QCOMPARE(count(now, onTheAxis(60), critical) + count(now, onTheAxis(60), warning), 0);
}

void TestPaint::everySecondEpochHasABand() {
    Drawn drawn(301, true);
    const QColor band = mixed(colors().surface, colors().text, 0.03);
    QCOMPARE(count(drawn.picture(), drawn.view->axisArea(), band), 0);
    drawn.plot.setEpochStarts({0, 100, 200});
    const QImage picture = drawn.picture();
    const QRect area = drawn.view->axisArea();
    const auto share = [&](double from, double to) {
        const QRect part(QPoint(drawn.x(from) + 2, area.top()), QPoint(drawn.x(to) - 2, area.bottom()));
        return static_cast<double>(count(picture, part, band)) / (part.width() * part.height());
    };
    QVERIFY(share(100, 200) > 0.8);
    QCOMPARE(share(0, 100) + share(200, 300), 0.0);
}

void TestPaint::manyPointsAreDrawnWithAThinPen() {
    const auto thickness = [](std::size_t points) {
        Drawn drawn(points, true);
        const QImage picture = drawn.picture();
        const QRect area = drawn.view->axisArea();
        return ink(picture, QRect(area.left() + area.width() / 3, area.top(), 1, area.height() - 12), colors().surface,
                   1.25);
    };
    const int few = thickness(15'000), many = thickness(25'000);
    QVERIFY2(many >= 1 && few > many, qPrintable(QString("%1 and %2 pixels").arg(few).arg(many)));
}

void TestPaint::portsThatFitLightUpAndBlocksThatDoNotFade() {
    Board board;
    board.model.refusedNode = QStringLiteral("c");
    const QImage before = board.picture();
    const auto port = [&](const QString& id) { return QRect(board.at(id, 0, 34) - QPoint(3, 3), QSize(7, 7)); };
    QVERIFY(count(before, port(QStringLiteral("b")), colors().accent) == 0);
    QTest::mousePress(board.view.viewport(), Qt::LeftButton, {}, board.at(QStringLiteral("a"), 168, 34));
    QTest::mouseMove(board.view.viewport(), board.at(QStringLiteral("a"), 200, 60));
    QTest::mouseMove(board.view.viewport(), board.at(QStringLiteral("a"), 220, 80));
    const QImage now = board.picture();
    QVERIFY(count(now, port(QStringLiteral("b")), colors().accent) > 20);
    QCOMPARE(count(now, port(QStringLiteral("c")), colors().accent), 0);
    QCOMPARE(ink(now, board.body(QStringLiteral("b")), colors().raised, 4),
             ink(before, board.body(QStringLiteral("b")), colors().raised, 4));
    QVERIFY(ink(before, board.body(QStringLiteral("c")), colors().raised, 4) > 30);
    QVERIFY(ink(now, board.body(QStringLiteral("c")), colors().raised, 4) < 5);
    QTest::mouseRelease(board.view.viewport(), Qt::LeftButton, {}, board.at(QStringLiteral("a"), 220, 80));
}

void TestPaint::aPortThatDoesNotFitSaysWhy() {
    Board board;
    board.model.refusedNode = QStringLiteral("c");
    QTest::mousePress(board.view.viewport(), Qt::LeftButton, {}, board.at(QStringLiteral("a"), 168, 34));
    QTest::mouseMove(board.view.viewport(), board.at(QStringLiteral("a"), 220, 80));
    QTest::mouseMove(board.view.viewport(), board.at(QStringLiteral("c"), 0, 34));
    QVERIFY2(QToolTip::text().contains("expects 32 channels"), qPrintable(QToolTip::text()));
    QTest::mouseMove(board.view.viewport(), board.at(QStringLiteral("b"), 0, 34));
    QTRY_VERIFY(!QToolTip::isVisible() || !QToolTip::text().contains("expects"));
    QTest::mouseRelease(board.view.viewport(), Qt::LeftButton, {}, board.at(QStringLiteral("a"), 220, 80));
}

void TestPaint::aBadgeSitsOnTheUpperRightCornerAndTellsItsText() {
    Board board;
    const QColor critical = Theme::instance().severityColor(Severity::Critical);
    const auto corner = [&] {
        return QRect(board.at(QStringLiteral("b"), 150, -12), board.at(QStringLiteral("b"), 180, 14));
    };
    QCOMPARE(near(board.picture(), corner(), critical), 0);
    board.model.find(QStringLiteral("b"))->badge = Severity::Critical;
    board.model.find(QStringLiteral("b"))->badgeText = QStringLiteral("Loss is NaN");
    Q_EMIT board.model.changed();
    QVERIFY(near(board.picture(), corner(), critical) > 10);
    const QPoint place = board.at(QStringLiteral("b"), 164, 2);
    QHelpEvent help(QEvent::ToolTip, place, board.view.viewport()->mapToGlobal(place));
    QApplication::sendEvent(board.view.viewport(), &help);
    QCOMPARE(QToolTip::text(), QStringLiteral("Loss is NaN"));
    QToolTip::hideText();
}

void TestPaint::farAwayABlockIsItsNameThenItsColourAlone() {
    Board board;
    board.model.find(QStringLiteral("a"))->fill = 0.7;
    Q_EMIT board.model.changed();
    const auto shades = [&](const QString& id) {
        const QImage picture = board.picture();
        QSet<QRgb> all;
        const QRect part = QRect(board.at(id, 14, 14), board.at(id, 154, 54)) & picture.rect();
        for (int y = part.top(); y <= part.bottom(); ++y)
            for (int x = part.left(); x <= part.right(); ++x)
                all.insert(picture.pixel(x, y));
        return all;
    };
    board.view.setZoom(0.4);
    board.view.centerOn(250, 100);
    QVERIFY(shades(QStringLiteral("b")).size() > 4);  // its name
    board.view.setZoom(0.2);
    board.view.centerOn(250, 100);
    const QColor block =
        mixed(colors().background, colors().categories[static_cast<std::size_t>(BlockCategory::Linear)], 0.75);
    QCOMPARE(shades(QStringLiteral("b")), QSet<QRgb>{block.rgb()});
    QCOMPARE(shades(QStringLiteral("a")), QSet<QRgb>{rampColor(0.7).rgb()});
}
