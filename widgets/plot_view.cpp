// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_view.h"

#include <QRegularExpression>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/axis_ticks.h"
#include "widgets/plot_layers.h"
#include "widgets/plot_overlay.h"

namespace plumbline::widgets {

namespace {

constexpr int kReplotEveryMs = 33;
constexpr double kWheelStep = 0.85;
constexpr double kPadding = 0.05;
constexpr double kDotWidth = 5;  ///< of a point that stands for its series
constexpr double kFlat = 10;     ///< a drag lower than this zooms x alone, a narrower one y alone

QCPRange scaled(const QCPAxis* axis, double at, double factor) {
    const QCPRange old = axis->range();
    if (axis->scaleType() == QCPAxis::stLogarithmic && at > 0)
        return {at * std::pow(old.lower / at, factor), at * std::pow(old.upper / at, factor)};
    return {at + (old.lower - at) * factor, at + (old.upper - at) * factor};
}

}  // namespace

PlotSeries* PlotContent::find(const QString& id) const {
    for (const auto& one : series)
        if (one->spec().id == id)
            return one.get();
    return nullptr;
}

bool PlotContent::hasData() const {
    return std::any_of(series.begin(), series.end(), [](const auto& one) { return one->size() > 0; });
}

double PlotContent::mapStep(double step) const {
    if (axis == PlotXAxis::Step)
        return step;
    const PlotSeries* longest = nullptr;
    for (const auto& one : series)
        if (!one->x(axis).empty() && (!longest || one->size() > longest->size()))
            longest = one.get();
    if (!longest)
        return std::numeric_limits<double>::quiet_NaN();
    const auto& steps = longest->x(PlotXAxis::Step);
    const auto& xs = longest->x(axis);
    const auto above = static_cast<std::size_t>(std::lower_bound(steps.begin(), steps.end(), step) - steps.begin());
    if (above == 0)
        return xs.front();
    if (above == steps.size())
        return xs.back();
    const double span = steps[above] - steps[above - 1];
    const double share = span > 0 ? (step - steps[above - 1]) / span : 1;
    return xs[above - 1] + (xs[above] - xs[above - 1]) * share;
}

namespace {

/// Writes ticks as people write them: 10,000 rather than 1e+04.
class LinearTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return shortNumber(tick); }
};

/// Few round values, written as people write them.
class LogTicker : public QCPAxisTicker {
public:
    double leastShare = 0;  ///< of the axis's length between two ticks

    void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks, QVector<double>* subTicks,
                  QVector<QString>* labels) override {
        const std::vector<double> round = logTicks(range.lower, range.upper, tickCount(), leastShare);
        ticks = QVector<double>(round.begin(), round.end());
        if (subTicks)
            subTicks->clear();
        if (labels) {
            labels->clear();
            for (const double tick : ticks)
                labels->append(shortNumber(tick));
        }
    }
};

}  // namespace

QColor seriesColor(const PlotSeriesSpec& spec) {
    return spec.color ? *spec.color : Theme::instance().curveColor(spec.curve);
}

std::vector<double> seriesDashes(const PlotSeriesSpec& spec) {
    const int round = std::max(0, spec.curve) / kCurveColorCount;
    const bool dashed = spec.style != Qt::SolidLine;
    if (round == 0)
        return dashed ? std::vector<double>{6, 4} : std::vector<double>{};
    if (round == 1)
        return dashed ? std::vector<double>{3, 2} : std::vector<double>{1.5, 3};
    // A long dash (short in dashed series), then one dot more each time round.
    std::vector<double> pattern{dashed ? 5.0 : 10.0, 3};
    for (int dot = 1; dot < round; ++dot)
        pattern.insert(pattern.end(), {1.5, 3});
    return pattern;
}

QPen samplePen(const PlotSeriesSpec& spec, const QColor& color) {
    const double width = spec.thin ? 1 : 2;
    QPen pen(color, width);
    if (spec.style == Qt::NoPen) {  // its points alone: one of them
        pen.setWidthF(kDotWidth);
        pen.setCapStyle(Qt::RoundCap);
        pen.setDashPattern({0.01, 100});
        return pen;
    }
    pen.setCapStyle(Qt::FlatCap);
    QList<qreal> pattern;
    for (const double length : seriesDashes(spec))
        pattern.append(length / width);
    if (!pattern.isEmpty())
        pen.setDashPattern(pattern);
    return pen;
}

PlotView::PlotView(PlotContent& content, QWidget* parent) : QCustomPlot(parent), m_content(content) {
    setObjectName(QStringLiteral("plotView"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setNoAntialiasingOnDrag(false);
    setAntialiasedElements(QCP::aeNone);
    setNotAntialiasedElements(QCP::aeGrid | QCP::aeAxes);
    setPlottingHint(QCP::phFastPolylines, true);
    xAxis->setRange(0, 1);
    yAxis->setRange(0, 1);
    yAxis2->setVisible(false);
    yAxis2->grid()->setVisible(false);
    new PlotBackdrop(this, axisRect());
    new PlotCurves(this, axisRect());
    new PlotMarks(this, axisRect());
    m_overlay = new PlotOverlay(this);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (isVisible())
            replotNow();
    });
    applyTheme();
    refreshAxes();
}

void PlotView::applyTheme() {
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    setBackground(QBrush(colors.surface));
    for (QCPAxis* axis : {xAxis, yAxis, yAxis2, xAxis2}) {
        axis->setBasePen(QPen(colors.border));
        axis->setTickPen(QPen(colors.border));
        axis->setSubTickPen(Qt::NoPen);
        axis->setSubTicks(false);
        axis->setTickLengthIn(0);
        axis->setTickLengthOut(3);
        axis->setTickLabelColor(colors.muted);
        axis->setLabelColor(colors.muted);
        axis->setTickLabelFont(theme.smallFont());
        axis->setLabelFont(theme.smallFont());
        axis->setTickLabelPadding(space::kTiny);
        axis->setLabelPadding(space::kTiny);
        axis->grid()->setPen(QPen(colors.gridLine));
        axis->grid()->setZeroLinePen(QPen(colors.gridLine));
        axis->setUpperEnding(QCPLineEnding::esNone);
    }
    axisRect()->setMinimumMargins(QMargins(space::kSmall, space::kSmall, space::kMedium, space::kSmall));
    scheduleReplot();
}

void PlotView::refreshAxes() {
    QSharedPointer<QCPAxisTicker> ticker;
    if (xAxis->scaleType() == QCPAxis::stLogarithmic) {
        ticker = QSharedPointer<LogTicker>::create();
    } else if (m_content.axis == PlotXAxis::Seconds) {
        auto time = QSharedPointer<QCPAxisTickerTime>::create();
        time->setTimeFormat(QStringLiteral("%h:%m:%s"));
        ticker = time;
    } else {
        ticker = QSharedPointer<LinearTicker>::create();
    }
    ticker->setTickCount(6);
    xAxis->setTicker(ticker);
    switch (m_content.axis) {
        case PlotXAxis::Step:
            m_labels[xAxis] = m_content.xName.isEmpty() ? PlotWidget::tr("step") : m_content.xName;
            break;
        case PlotXAxis::Epoch:
            m_labels[xAxis] = PlotWidget::tr("epoch");
            break;
        case PlotXAxis::Seconds:
            m_labels[xAxis] = PlotWidget::tr("time (h:min:s)");
            break;
    }
    for (QCPAxis* axis : {yAxis, yAxis2}) {
        if (axis->scaleType() == QCPAxis::stLogarithmic) {
            axis->setTicker(QSharedPointer<LogTicker>::create());
        } else {
            axis->setTicker(QSharedPointer<LinearTicker>::create());
        }
    }
    fitAxes();
}

void PlotView::setAxisLabel(QCPAxis* axis, const QString& label) {
    m_labels[axis] = label;
    fitAxes();
}

void PlotView::fitAxes() {
    constexpr int kTickEvery = 26, kMostTicks = 5, kLowPlot = 110;
    const QFontMetrics small(Theme::instance().smallFont());
    const int room = height() - 2 * small.height() - 3 * space::kSmall;
    for (QCPAxis* axis : {yAxis, yAxis2}) {
        axis->ticker()->setTickCount(std::clamp(room / kTickEvery, 2, kMostTicks));
        if (const auto log = axis->ticker().dynamicCast<LogTicker>())
            log->leastShare = std::min(1.0, static_cast<double>(small.height()) / std::max(1, room));
        // Half a word says nothing: where there is no room for it all, the unit in brackets alone.
        static const QRegularExpression brackets(QStringLiteral("[(（]([^()（）]+)[)）]$"));
        QString label = m_labels.value(axis);
        if (const auto unit = brackets.match(label); small.horizontalAdvance(label) > room && unit.hasMatch())
            label = unit.captured(1);
        axis->setLabel(small.horizontalAdvance(label) <= room ? label : QString());
    }
    xAxis->setLabel(height() >= kLowPlot ? m_labels.value(xAxis) : QString());
}

void PlotView::setLog(QCPAxis* axis, bool on) {
    axis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    refreshAxes();
    // The old limits may mean nothing on the new scale.
    if (axis == xAxis)
        m_followX = true;
    else
        m_followY = true;
    if (onZoomChanged)
        onZoomChanged();
    scheduleReplot();
}

void PlotView::scheduleReplot() {
    if (m_timer.isActive())
        return;
    const qint64 passed = m_sinceReplot.isValid() ? m_sinceReplot.elapsed() : kReplotEveryMs;
    m_timer.start(static_cast<int>(std::max<qint64>(0, kReplotEveryMs - passed)));
}

void PlotView::replotNow() {
    m_timer.stop();
    followData();
    if (!size().isEmpty())
        replot(rpQueuedRefresh);
    m_overlay->update();
    m_sinceReplot.start();
    if (onReplotted)
        onReplotted();
}

void PlotView::followData() {
    if (m_followX)
        autoScaleX();
    bool right = false;
    for (const auto& series : m_content.series)
        right |= series->visible && series->size() > 0 && series->spec().side == PlotSide::Right;
    yAxis2->setVisible(right);
    if (m_followY) {
        autoScaleY(yAxis, PlotSide::Left);
        autoScaleY(yAxis2, PlotSide::Right);
    }
    const bool any = m_content.hasData();
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setVisible(any);
        axis->grid()->setVisible(any);
    }
}

void PlotView::autoScaleX() {
    MinMax range;
    for (const auto& series : m_content.series) {
        const auto& xs = series->x(m_content.axis);
        if (!series->visible || xs.empty())
            continue;
        std::size_t first = 0;
        if (xAxis->scaleType() == QCPAxis::stLogarithmic)
            while (first + 1 < xs.size() && xs[first] <= 0)
                ++first;
        range.add(xs[first]);
        range.add(xs.back());
    }
    if (range.isEmpty())
        return;
    if (xAxis->scaleType() == QCPAxis::stLogarithmic) {
        range.least = range.least > 0 ? range.least : 1e-3;
        range.largest = std::max(range.largest, range.least * 10);
    } else if (range.largest <= range.least) {
        range.least -= 0.5;
        range.largest += 0.5;
    }
    // A line may begin at the edge; a dot there would be cut.
    const bool dots = std::all_of(m_content.series.begin(), m_content.series.end(),
                                  [](const auto& one) { return one->spec().style == Qt::NoPen; });
    if (dots && xAxis->scaleType() == QCPAxis::stLogarithmic) {
        const double pad = std::pow(range.largest / range.least, kPadding);
        range.least /= pad;
        range.largest *= pad;
    } else if (dots) {
        const double pad = (range.largest - range.least) * kPadding;
        range.least -= pad;
        range.largest += pad;
    }
    xAxis->setRange(range.least, range.largest);
}

void PlotView::autoScaleY(QCPAxis* axis, PlotSide side) {
    const bool log = axis->scaleType() == QCPAxis::stLogarithmic;
    const QCPRange view = xAxis->range();
    MinMax range;
    double leastPositive = INFINITY;
    for (const auto& series : m_content.series) {
        if (!series->visible || series->spec().side != side)
            continue;
        const auto [first, last] = series->indices(m_content.axis, view.lower, view.upper);
        range.add(series->raw().range(first, last));
        if (series->isSmoothed())
            range.add(series->shown().range(first, last));
        leastPositive = std::min(leastPositive, series->leastPositive());
    }
    if (side == PlotSide::Left) {
        if (m_content.lowerLimit)
            range.add(*m_content.lowerLimit);
        if (m_content.upperLimit)
            range.add(*m_content.upperLimit);
    }
    if (range.isEmpty())
        return;
    if (log) {
        if (!std::isfinite(leastPositive))
            return;
        const double lower = range.least > 0 ? range.least : leastPositive;
        const double upper = std::max(range.largest, lower * 1.0001);
        const double decades = std::max(0.3, std::log10(upper / lower));
        axis->setRange(lower / std::pow(10, decades * kPadding), upper * std::pow(10, decades * kPadding));
        return;
    }
    const double span = range.largest - range.least;
    if (span == 0 && range.largest == 0) {
        axis->setRange(-kPadding, 1);  // what stays at zero is an amount, and less than none is no number of it
        return;
    }
    // A flat line stands in the middle of a range one can read.
    const double pad = span > 0 ? span * kPadding : std::fabs(range.largest) * 0.1;
    axis->setRange(range.least - pad, range.largest + pad);
}

void PlotView::resetZoom() {
    m_followX = m_followY = true;
    if (onZoomChanged)
        onZoomChanged();
    scheduleReplot();
}

void PlotView::resetXZoom() {
    m_followX = true;
    if (onZoomChanged)
        onZoomChanged();
    scheduleReplot();
}

void PlotView::setX(double lower, double upper) {
    if (!(upper > lower) || !QCPRange::validRange(lower, upper))
        return;
    if (xAxis->scaleType() == QCPAxis::stLogarithmic && lower <= 0)
        return;
    m_followX = false;
    xAxis->setRange(lower, upper);
    if (onZoomChanged)
        onZoomChanged();
    scheduleReplot();
}

void PlotView::setY(double lower, double upper) {
    if (!(upper > lower) || !QCPRange::validRange(lower, upper))
        return;
    m_followY = false;
    yAxis->setRange(lower, upper);
    if (onZoomChanged)
        onZoomChanged();
    scheduleReplot();
}

void PlotView::zoomAt(const QPointF& at, double factor, bool horizontal, bool vertical) {
    const auto zoomOne = [factor](QCPAxis* axis, double pixel) {
        const QCPRange range = scaled(axis, axis->pixelToCoord(pixel), factor);
        if (QCPRange::validRange(range))
            axis->setRange(range);
    };
    if (horizontal) {
        zoomOne(xAxis, at.x());
        m_followX = false;
    }
    if (vertical) {
        zoomOne(yAxis, at.y());
        zoomOne(yAxis2, at.y());
        m_followY = false;
    }
    if (onZoomChanged)
        onZoomChanged();
    scheduleReplot();
}

void PlotView::panBy(double xPixels, double yPixels) {
    const auto shift = [](QCPAxis* axis, double pixels) {
        const double lower = axis->pixelToCoord(axis->coordToPixel(axis->range().lower) - pixels);
        const double upper = axis->pixelToCoord(axis->coordToPixel(axis->range().upper) - pixels);
        if (QCPRange::validRange(lower, upper))
            axis->setRange(lower, upper);
    };
    if (xPixels != 0) {
        shift(xAxis, xPixels);
        m_followX = false;
    }
    // A y axis that follows the data is left alone by small slips of the hand.
    if (yPixels != 0 && (!m_followY || std::fabs(yPixels) > std::fabs(xPixels))) {
        shift(yAxis, yPixels);
        shift(yAxis2, yPixels);
        m_followY = false;
    }
    if (onZoomChanged)
        onZoomChanged();
    scheduleReplot();
}

void PlotView::setSpaceHeld(bool held) {
    m_spaceHeld = held;
    setCursor(held ? Qt::OpenHandCursor : Qt::ArrowCursor);
}

void PlotView::moveCursor(double x, bool tell) {
    if (x == m_cursor || (std::isnan(x) && std::isnan(m_cursor)))
        return;
    m_cursor = x;
    m_overlay->update();
    if (tell && onCursorMoved)
        onCursorMoved(x);
}

void PlotView::stepCursor(int direction) {
    const PlotSeries* longest = nullptr;
    for (const auto& series : m_content.series)
        if (series->visible && !series->x(m_content.axis).empty() && (!longest || series->size() > longest->size()))
            longest = series.get();
    if (!longest)
        return;
    const auto& xs = longest->x(m_content.axis);
    const auto [first, last] = longest->indices(m_content.axis, xAxis->range().lower, xAxis->range().upper);
    if (first >= last)
        return;
    // Dense curves are walked a pixel at a time, sparse ones value by value.
    const auto perPixel = std::max<std::ptrdiff_t>(
        1, static_cast<std::ptrdiff_t>((last - first) / static_cast<std::size_t>(std::max(1, axisArea().width()))));
    const auto at = static_cast<std::ptrdiff_t>(std::isnan(m_cursor) ? (direction > 0 ? first : last - 1)
                                                                     : longest->nearest(m_content.axis, m_cursor));
    const std::ptrdiff_t next = std::isnan(m_cursor) ? at : at + direction * perPixel;
    moveCursor(xs[static_cast<std::size_t>(
                   std::clamp(next, static_cast<std::ptrdiff_t>(first), static_cast<std::ptrdiff_t>(last) - 1))],
               true);
}

QString PlotView::valueAt(const PlotSeries& series, double x) const {
    const auto& xs = series.x(m_content.axis);
    const std::size_t at = series.nearest(m_content.axis, x);
    if (xs.empty() || at >= xs.size())
        return {};
    const double raw = series.raw().values[at];
    if (!series.isSmoothed() || !std::isfinite(raw))
        return shortNumber(raw);
    return PlotWidget::tr("%1 (raw %2)").arg(shortNumber(series.shown().values[at]), shortNumber(raw));
}

QString PlotView::xText(double x) const {
    if (!m_content.xName.isEmpty() && m_content.axis == PlotXAxis::Step)
        return QStringLiteral("%1 %2").arg(m_content.xName, shortNumber(x));
    switch (m_content.axis) {
        case PlotXAxis::Step:
            return PlotWidget::tr("step %1").arg(shortNumber(std::round(x)));
        case PlotXAxis::Epoch:
            return PlotWidget::tr("epoch %1").arg(x, 0, 'f', 2);
        case PlotXAxis::Seconds:
            break;
    }
    return PlotWidget::tr("%1 s").arg(shortNumber(x));
}

std::optional<std::size_t> PlotView::markAt(const QPointF& position) const {
    for (std::size_t i = m_content.marks.size(); i-- > 0;) {
        const double x = xAxis->coordToPixel(m_content.mapStep(m_content.marks[i].step));
        if (std::isfinite(x) && markRect(axisArea(), x).adjusted(-2, -2, 2, 2).contains(position))
            return i;
    }
    return std::nullopt;
}

void PlotView::mousePressEvent(QMouseEvent* event) {
    m_pressed = m_last = event->position();
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceHeld)) {
        m_panning = true;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton && !markAt(m_pressed) && axisArea().contains(m_pressed.toPoint()) &&
               m_content.hasData()) {
        m_band = QRectF(m_pressed, QSizeF());
    }
}

void PlotView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF position = event->position();
    if (m_panning) {
        panBy(position.x() - m_last.x(), position.y() - m_last.y());
        m_last = position;
        return;
    }
    if (m_band) {
        QRectF area = axisArea();
        QPointF end(std::clamp(position.x(), area.left(), area.right()),
                    std::clamp(position.y(), area.top(), area.bottom()));
        m_band = QRectF(m_pressed, end);
        if (std::fabs(end.y() - m_pressed.y()) < kFlat) {
            m_band->setTop(area.top());
            m_band->setBottom(area.bottom());
        } else if (std::fabs(end.x() - m_pressed.x()) < kFlat) {
            m_band->setLeft(area.left());
            m_band->setRight(area.right());
        }
        m_overlay->update();
        return;
    }
    const auto mark = markAt(position);
    setCursor(mark ? Qt::PointingHandCursor : m_spaceHeld ? Qt::OpenHandCursor : Qt::ArrowCursor);
    if (mark)
        QToolTip::showText(event->globalPosition().toPoint(), m_content.marks[*mark].text, this);
    moveCursor(axisArea().contains(position.toPoint()) ? xAxis->pixelToCoord(position.x())
                                                       : std::numeric_limits<double>::quiet_NaN(),
               true);
}

void PlotView::mouseReleaseEvent(QMouseEvent* event) {
    if (m_panning) {
        m_panning = false;
        setCursor(m_spaceHeld ? Qt::OpenHandCursor : Qt::ArrowCursor);
        return;
    }
    if (m_band) {
        finishBand();
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto mark = markAt(event->position()); mark && markAt(m_pressed) == mark && onMarkActivated)
        onMarkActivated(m_content.marks[*mark].id);
}

void PlotView::finishBand() {
    const QRectF band = m_band->normalized();
    const QRectF area = axisArea();
    m_band.reset();
    m_overlay->update();
    const bool wholeWidth = band.width() >= area.width() - 1;
    const bool wholeHeight = band.height() >= area.height() - 1;
    if ((band.width() < 4 || band.height() < 4) || (wholeWidth && wholeHeight))
        return;
    const double left = xAxis->pixelToCoord(band.left()), right = xAxis->pixelToCoord(band.right());
    const double bottom = yAxis->pixelToCoord(band.bottom()), top = yAxis->pixelToCoord(band.top());
    const double bottom2 = yAxis2->pixelToCoord(band.bottom()), top2 = yAxis2->pixelToCoord(band.top());
    if (!wholeHeight && QCPRange::validRange(bottom, top)) {
        m_followY = false;
        yAxis->setRange(bottom, top);
        yAxis2->setRange(bottom2, top2);
    }
    if (!wholeWidth && QCPRange::validRange(left, right)) {
        m_followX = false;
        xAxis->setRange(left, right);
    }
    if (onZoomChanged)
        onZoomChanged();
    scheduleReplot();
}

void PlotView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_band.reset();
    resetZoom();
}

void PlotView::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (notches == 0 || !m_content.hasData())
        return;
    const QPointF at = event->position();
    const bool overX = at.y() > axisArea().bottom();
    const bool overY = at.x() < axisArea().left() || at.x() > axisArea().right();
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    // Time is what one zooms into; the y axis follows unless it is asked for.
    zoomAt(at, std::pow(kWheelStep, notches), overX || !(overY || shift), overY || shift);
    event->accept();
}

void PlotView::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    moveCursor(std::numeric_limits<double>::quiet_NaN(), true);
}

void PlotView::resizeEvent(QResizeEvent* event) {
    if (!size().isEmpty())  // it would draw into a picture without pixels
        QCustomPlot::resizeEvent(event);
    m_overlay->setGeometry(rect());
    fitAxes();
}

}  // namespace plumbline::widgets
