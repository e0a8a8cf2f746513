// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_layers.h"

#include <algorithm>
#include <cmath>

#include "widgets/icons.h"

namespace plumbline::widgets {

namespace {

constexpr std::size_t kPlainPen = 20000;  ///< points in view from which the pen is 1 px without antialiasing
constexpr double kNoisyInk = 8;           ///< length of all lines over the plot's width
constexpr double kPenWidth = 1.6;
constexpr std::size_t kManyLines = 500;
constexpr double kCapLength = 0.5;  ///< what a round end adds to a line
constexpr double kRawShare = 0.25;  ///< opacity of the raw curve behind the smoothed one
constexpr double kPointRadius = 2.5;

/// Draws lines one by one, and many of them with the pen of one pixel, which needs no outline of each line. What is
/// mostly up and down (noise) is drawn once and without antialiasing: broad strokes of that length cost several times a
/// frame and show no more. The rest is drawn twice, a little apart across each line: together they are as broad and as
/// smooth as one stroke.
void drawLines(QCPPainter* painter, const std::vector<QLineF>& lines, double width) {
    double ink = 0;
    for (const QLineF& line : lines)
        ink += std::fabs(line.dx()) + std::fabs(line.dy());
    const bool noisy = ink > kNoisyInk * width;
    QPen pen = painter->pen();
    const double apart = pen.isCosmetic() || noisy || lines.size() < kManyLines ? 0 : (pen.widthF() - 1) / 2;
    if (noisy || apart > 0) {
        pen.setWidthF(1);
        pen.setCosmetic(true);
        pen.setCapStyle(Qt::FlatCap);
        painter->setPen(pen);
        painter->setAntialiasing(!noisy);
    }
    if (apart == 0) {
        painter->drawLines(lines.data(), static_cast<int>(lines.size()));
        return;
    }
    std::vector<QLineF> both;
    both.reserve(2 * lines.size());
    for (const QLineF& line : lines) {
        const bool flat = std::fabs(line.dx()) >= std::fabs(line.dy());
        const QPointF across(flat ? 0 : apart, flat ? apart : 0);
        const double length = std::hypot(line.dx(), line.dy());
        const QPointF along =
            length > 0 ? QPointF(line.dx(), line.dy()) * (kCapLength / length) : QPointF(kCapLength, 0);
        const QLineF whole(line.p1() - along, line.p2() + along);
        both.push_back(whole.translated(across));
        both.push_back(whole.translated(-across));
    }
    painter->drawLines(both.data(), static_cast<int>(both.size()));
}

/// Coordinates to pixels without QCPAxis' checks for each point.
class AxisMap {
public:
    explicit AxisMap(const QCPAxis* axis) : m_log(axis->scaleType() == QCPAxis::stLogarithmic) {
        const double lower = value(axis->range().lower);
        const double upper = value(axis->range().upper);
        const double first = axis->coordToPixel(axis->range().lower);
        const double last = axis->coordToPixel(axis->range().upper);
        m_scale = upper > lower ? (last - first) / (upper - lower) : 0;
        m_offset = first - lower * m_scale;
        m_floor = axis->range().lower;
    }
    double operator()(double coordinate) const { return value(coordinate) * m_scale + m_offset; }
    double coordinate(double pixel) const {
        const double place = (pixel - m_offset) / m_scale;
        return m_log ? std::pow(10.0, place) : place;
    }
    bool isLog() const { return m_log; }
    bool canDraw(double coordinate) const { return std::isfinite(coordinate) && (!m_log || coordinate > 0); }

private:
    double value(double coordinate) const {
        // On a log axis what is not positive lies below the picture.
        return m_log ? std::log10(std::max(coordinate, m_floor > 0 ? m_floor * 1e-3 : 1e-300)) : coordinate;
    }
    bool m_log;
    double m_scale = 1, m_offset = 0, m_floor = 0;
};

/// First index from `from` on whose x is not below `end`. `guess`: how many there were in the column before.
std::size_t endOfColumn(const std::vector<double>& xs, std::size_t from, std::size_t last, double end,
                        std::size_t guess) {
    std::size_t low = from;
    std::size_t step = guess;
    for (bool guessed = true; low + step < last && xs[low + step] < end; guessed = false) {
        low += step;
        step = guessed ? 4 : 2 * step;
    }
    const auto begin = xs.begin();
    return static_cast<std::size_t>(
        std::lower_bound(begin + static_cast<std::ptrdiff_t>(low),
                         begin + static_cast<std::ptrdiff_t>(std::min(last, low + step + 1)), end) -
        begin);
}
/// Where in a pattern of on and off lengths a curve is.
class DashWalk {
public:
    explicit DashWalk(const std::vector<double>& pattern)
        : m_pattern(pattern), m_left(pattern.empty() ? 0 : pattern.front()) {}
    bool isOn() const { return m_place % 2 == 0; }
    double left() const { return m_left; }
    void advance(double length) {
        for (m_left -= length; m_left <= 1e-9; m_left += m_pattern[m_place])
            m_place = (m_place + 1) % m_pattern.size();
    }

private:
    const std::vector<double>& m_pattern;
    std::size_t m_place = 0;
    double m_left;
};

/// Splits lines into dashes along their length; QPainter's own dashes are slow on long curves.
void appendDashes(std::vector<QLineF>& lines, const std::vector<QPointF>& points, const std::vector<double>& pattern) {
    DashWalk walk(pattern);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const QLineF whole(points[i - 1], points[i]);
        const double length = whole.length();
        if (length == 0)
            continue;
        double at = 0;
        while (at < length) {
            const double to = std::min(length, at + walk.left());
            if (walk.isOn())
                lines.push_back({whole.pointAt(at / length), whole.pointAt(to / length)});
            walk.advance(to - at);
            at = to;
        }
    }
}

}  // namespace

struct PlotCurves::Look {
    QColor color;
    bool dense = false;               ///< thin pen without antialiasing
    std::vector<double> dashes = {};  ///< on and off lengths in pixels
    bool points = false;
    bool thin = false;
};

PlotBackdrop::PlotBackdrop(PlotView* view, QCPAxisRect* area)
    : QCPLayerable(view, QStringLiteral("background")), m_view(view), m_area(area) {}

void PlotBackdrop::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

void PlotBackdrop::draw(QCPPainter* painter) {
    const ThemeColors& colors = Theme::instance().colors();
    const QRect area = m_area->rect();
    const PlotContent& content = m_view->content();
    if (!content.hasData()) {
        painter->setPen(colors.muted);
        painter->setFont(m_view->font());
        painter->drawText(area.adjusted(space::kLarge, 0, -space::kLarge, 0), Qt::AlignCenter | Qt::TextWordWrap,
                          content.emptyText);
        return;
    }
    const AxisMap x(m_view->xAxis);
    const QColor band = mixed(colors.surface, colors.text, 0.03);
    for (std::size_t i = 1; i < content.epochStarts.size(); i += 2) {
        const double from = x(content.mapStep(content.epochStarts[i]));
        const double to =
            i + 1 < content.epochStarts.size() ? x(content.mapStep(content.epochStarts[i + 1])) : area.right() + 1.0;
        const double left = std::max<double>(area.left(), from);
        const double right = std::min<double>(area.right() + 1, to);
        if (right > left)
            painter->fillRect(QRectF(left, area.top(), right - left, area.height()), band);
    }
}

PlotCurves::PlotCurves(PlotView* view, QCPAxisRect* area)
    : QCPLayerable(view, QStringLiteral("main")), m_view(view), m_area(area) {}

void PlotCurves::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

void PlotCurves::draw(QCPPainter* painter) {
    const PlotContent& content = m_view->content();
    const QCPRange range = m_view->xAxis->range();
    std::size_t inView = 0;
    for (const auto& series : content.series) {
        if (!series->visible)
            continue;
        const auto [first, last] = series->indices(content.axis, range.lower, range.upper);
        inView += (last - first) * (series->isSmoothed() ? 2 : 1);
    }
    const bool dense = inView > kPlainPen;
    const QColor surface = Theme::instance().colors().surface;
    for (const auto& series : content.series) {
        if (series->visible && series->isSmoothed())
            drawColumn(painter, *series, series->raw(),
                       {mixed(surface, seriesColor(series->spec()), kRawShare), true, {}, false});
    }
    for (const auto& series : content.series) {
        if (series->visible)
            drawColumn(painter, *series, series->shown(),
                       {seriesColor(series->spec()), dense, seriesDashes(series->spec()), series->spec().points,
                        series->spec().thin});
    }
}

void PlotCurves::drawColumn(QCPPainter* painter, const PlotSeries& series, const PlotColumn& column,
                            const Look& look) const {
    const PlotXAxis axis = m_view->content().axis;
    const auto& xs = series.x(axis);
    if (xs.empty())
        return;
    const AxisMap mapX(m_view->xAxis);
    const AxisMap mapY(series.spec().side == PlotSide::Left ? m_view->yAxis : m_view->yAxis2);
    const QRect area = m_area->rect();
    auto [first, last] = series.indices(axis, m_view->xAxis->range().lower, m_view->xAxis->range().upper);
    if (first > 0)
        --first;
    if (last < xs.size())
        ++last;
    if (first >= last)
        return;

    QPen pen(look.color, look.dense || look.thin ? 1 : kPenWidth);
    pen.setCosmetic(look.dense);
    pen.setCapStyle(look.dense ? Qt::FlatCap : Qt::RoundCap);
    pen.setJoinStyle(Qt::RoundJoin);
    painter->setAntialiasing(!look.dense);
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);

    std::vector<QLineF> lines;
    const std::size_t columns = static_cast<std::size_t>(std::max(1, area.width()));
    if (last - first > 2 * columns) {
        // A few lines a pixel column: in from the column before, then from its least to its largest value.
        lines.reserve(2 * columns);
        const double limit = 4.0 * area.height();
        const auto clampY = [&](double y) { return std::clamp(y, area.top() - limit, area.bottom() + limit); };
        std::size_t from = first;
        QPointF previous;
        double previousTop = 0, previousBottom = 0;
        bool joined = false;
        std::size_t perColumn = (last - first) / columns;
        DashWalk walk(look.dashes);
        for (int pixel = area.left() - 1; from < last && pixel <= area.right() + 1; ++pixel) {
            const double end = mapX.coordinate(pixel + 0.5);
            std::size_t to = endOfColumn(xs, from, last, end, perColumn);
            // Where a column holds several blocks of the pyramid, the last one that it shares goes to the next column:
            // that is less than a quarter of a pixel, and whole blocks are read at once.
            if (to < last && to - from >= 4 * MinMaxPyramid::kFan)
                to -= to % MinMaxPyramid::kFan;
            if (to == from)
                continue;
            perColumn = to - from;
            const bool off = !look.dashes.empty() && !walk.isOn();
            if (!look.dashes.empty())
                walk.advance(1);
            const MinMax range = column.range(from, to);
            if (range.isEmpty() || (mapY.isLog() && range.largest <= 0)) {
                joined = false;
            } else {
                const double top = clampY(mapY(range.largest));
                const double bottom = clampY(mapY(range.least));
                const double firstY = mapY.canDraw(column.values[from]) ? clampY(mapY(column.values[from])) : bottom;
                const double lastY = mapY.canDraw(column.values[to - 1]) ? clampY(mapY(column.values[to - 1])) : bottom;
                if (!off) {
                    // Columns that overlap touch already.
                    if (joined && (previousTop > bottom || previousBottom < top))
                        lines.push_back({previous, QPointF(pixel, firstY)});
                    lines.push_back({QPointF(pixel, bottom), QPointF(pixel, std::min(top, bottom - 0.5))});
                }
                previous = QPointF(pixel, lastY);
                previousTop = top;
                previousBottom = bottom;
                joined = true;
            }
            from = to;
        }
        drawLines(painter, lines, area.width());
        return;
    }

    // One path with round joins looks best, but stroking it costs far more than its lines one by one (phFastPolylines
    // does the same).
    constexpr std::size_t kLongestPath = 200;
    const bool asLines = look.dense || last - first > kLongestPath;
    std::vector<QPointF> run, dots;
    const auto flush = [&] {
        if (run.size() == 1)
            dots.push_back(run[0]);
        else if (!look.dashes.empty())
            appendDashes(lines, run, look.dashes);
        else if (asLines)
            for (std::size_t i = 1; i < run.size(); ++i)
                lines.push_back({run[i - 1], run[i]});
        else
            painter->drawPolyline(run.data(), static_cast<int>(run.size()));
        run.clear();
    };
    const double far = 1e6;  // beyond which the rasteriser overflows
    for (std::size_t i = first; i < last; ++i) {
        const double value = column.values[i];
        if (!mapY.canDraw(value) || (mapX.isLog() && xs[i] <= 0)) {
            flush();
            continue;
        }
        const QPointF point(std::clamp(mapX(xs[i]), -far, far), std::clamp(mapY(value), -far, far));
        if (series.spec().style != Qt::NoPen)
            run.push_back(point);
        if (look.points)
            dots.push_back(point);
    }
    flush();
    if (!lines.empty())
        drawLines(painter, lines, area.width());
    if (!dots.empty()) {
        painter->setAntialiasing(true);
        painter->setPen(Qt::NoPen);
        painter->setBrush(look.color);
        for (const QPointF& dot : dots)
            painter->drawEllipse(dot, kPointRadius, kPointRadius);
    }
}

PlotMarks::PlotMarks(PlotView* view, QCPAxisRect* area)
    : QCPLayerable(view, QStringLiteral("overlay")), m_view(view), m_area(area) {}

void PlotMarks::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(true);
}

QRectF markRect(const QRect& area, double x) {
    return {x - kMarkSize / 2.0, static_cast<double>(area.top() + 2), kMarkSize, kMarkSize};
}

void PlotMarks::draw(QCPPainter* painter) {
    const Theme& theme = Theme::instance();
    const PlotContent& content = m_view->content();
    const QRect area = m_area->rect();
    const AxisMap x(m_view->xAxis);
    const auto inside = [&area](double pixel) { return pixel >= area.left() - 1 && pixel <= area.right() + 1; };
    constexpr double kHalf = 3.5;

    // NaN and infinity: a cross on the axis, in the critical colour. One a pixel column is enough.
    painter->setPen(QPen(theme.severityColor(Severity::Critical), 1.5));
    for (const auto& series : content.series) {
        if (!series->visible || series->x(content.axis).empty())
            continue;
        double before = -1e9;
        for (const std::size_t index : series->nonFinite()) {
            const double place = x(series->x(content.axis)[index]);
            if (!inside(place) || place - before < 2)
                continue;
            before = place;
            const double y = area.bottom() - kHalf - 1;
            painter->drawLine(QPointF(place - kHalf, y - kHalf), QPointF(place + kHalf, y + kHalf));
            painter->drawLine(QPointF(place - kHalf, y + kHalf), QPointF(place + kHalf, y - kHalf));
        }
    }
    // Skipped steps: a small triangle that stands on the axis.
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.severityColor(Severity::Warning));
    double before = -1e9;
    for (const double step : content.skippedSteps) {
        const double place = x(content.mapStep(step));
        if (!inside(place) || place - before < 2)
            continue;
        before = place;
        const QPointF corners[] = {{place - kHalf, area.bottom() + 0.0},
                                   {place + kHalf, area.bottom() + 0.0},
                                   {place, area.bottom() - 2 * kHalf}};
        painter->drawPolygon(corners, 3);
    }
    for (const PlotMark& mark : content.marks) {
        const double place = x(content.mapStep(mark.step));
        if (!inside(place))
            continue;
        const QColor color = theme.severityColor(mark.severity);
        painter->setPen(QPen(mixed(theme.colors().surface, color, 0.6), 1, Qt::DotLine));
        painter->drawLine(QPointF(place, area.top() + kMarkSize + 4), QPointF(place, area.bottom()));
        const QRectF icon = markRect(area, place);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.colors().surface);
        painter->drawEllipse(icon.adjusted(-1, -1, 1, 1));
        paintIcon(*painter, severityIconName(mark.severity == Severity::None ? Severity::Info : mark.severity), icon,
                  color);
    }
}

}  // namespace plumbline::widgets
