// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parallel_plot.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "widgets/axis_ticks.h"
#include "widgets/line_layer.h"
#include "widgets/parallel_plot_private.h"
#include "widgets/theme.h"

namespace plumbline::widgets {

namespace {

constexpr double kLightFrom = 0, kLightTo = 0.58;  ///< of viridis: dark enough on white
constexpr double kSame = 1e-6;                     ///< shares that differ by less are one place
constexpr double kDarkFrom = 0.47, kDarkTo = 1.0;  ///< bright enough on the dark surface

}  // namespace

bool ParallelLine::operator==(const ParallelLine& other) const {
    // No value is the same as no value.
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    return key == other.key && name == other.name &&
           std::equal(values.begin(), values.end(), other.values.begin(), other.values.end(), same);
}

ParallelPlot::ParallelPlot(QWidget* parent)
    : QWidget(parent),
      m_allLayer(std::make_unique<LineLayer>()),
      m_keptLayer(std::make_unique<LineLayer>()),
      m_selectedLayer(std::make_unique<LineLayer>()) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    makeMenu();
    m_pieces.setInterval(0);
    connect(&m_pieces, &QTimer::timeout, this, &ParallelPlot::advanceLayers);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_stale = true;
        m_area.reset();
        update();
    });
}

ParallelPlot::~ParallelPlot() = default;

void ParallelPlot::setEmptyText(const QString& text) {
    m_emptyText = text;
    describe();
}

void ParallelPlot::setContent(ParallelContent content) {
    if (content == m_content)
        return;
    const bool sameAxes =
        content.axes.size() == m_content.axes.size() &&
        std::equal(content.axes.begin(), content.axes.end(), m_content.axes.begin(),
                   [](const ParallelAxis& a, const ParallelAxis& b) { return a.fullName == b.fullName; });
    const auto keyOf = [this](int line) {
        return line < 0 ? std::optional<qint64>() : std::optional(m_content.lines[static_cast<std::size_t>(line)].key);
    };
    std::vector<qint64> chosen;
    for (const int line : selectedLines())
        chosen.push_back(*keyOf(line));
    std::sort(chosen.begin(), chosen.end());
    const std::optional<qint64> hovered = keyOf(m_hovered), current = keyOf(m_line);
    // The last axis grows with the values that come, so its range keeps its values and not its places.
    std::vector<std::optional<Range>> ranges(content.axes.size());
    std::vector<std::optional<std::pair<double, double>>> values(content.axes.size());
    for (int axis = 0; sameAxes && axis < axisCount(); ++axis)
        if (const auto at = range(axis))
            values[static_cast<std::size_t>(axis)] = std::pair(valueAt(axis, at->first), valueAt(axis, at->second));
    m_content = std::move(content);
    m_area.reset();
    const auto count = static_cast<std::size_t>(lineCount());
    m_shares.resize(count * m_content.axes.size());
    m_selected.assign(count, 0);
    m_hovered = m_line = -1;
    for (std::size_t i = 0; i < count; ++i) {
        const ParallelLine& line = m_content.lines[i];
        m_selected[i] = std::binary_search(chosen.begin(), chosen.end(), line.key);
        m_hovered = line.key == hovered ? static_cast<int>(i) : m_hovered;
        m_line = line.key == current ? static_cast<int>(i) : m_line;
        for (std::size_t axis = 0; axis < m_content.axes.size(); ++axis)
            m_shares[i * m_content.axes.size() + axis] =
                axis < line.values.size() ? static_cast<float>(axisShare(m_content.axes[axis], line.values[axis]))
                                          : std::numeric_limits<float>::quiet_NaN();
    }
    for (std::size_t axis = 0; axis < values.size(); ++axis)
        if (values[axis])
            ranges[axis] = Range(axisShare(m_content.axes[axis], values[axis]->first),
                                 axisShare(m_content.axes[axis], values[axis]->second));
    m_ranges = std::move(ranges);
    if (!sameAxes) {
        m_axis = 0;
        m_anchor.reset();
        m_drag.reset();
    }
    m_ranked.resize(count);
    std::iota(m_ranked.begin(), m_ranked.end(), 0);
    const int last = axisCount() - 1;
    // What has no value is drawn first.
    const auto badness = [&](int line) {
        const double share = last < 0 ? std::numeric_limits<double>::quiet_NaN() : shareOf(line, last);
        return std::isnan(share) ? 2.0 : m_content.isMoreBetter ? 1 - share : share;
    };
    std::stable_sort(m_ranked.begin(), m_ranked.end(), [&](int a, int b) { return badness(a) > badness(b); });
    m_stale = true;
    updateKept();
    describe();
}

double ParallelPlot::shareOf(int line, int axis) const {
    return static_cast<double>(
        m_shares[static_cast<std::size_t>(line) * m_content.axes.size() + static_cast<std::size_t>(axis)]);
}

double axisShare(const ParallelAxis& axis, double value) {
    if (!std::isfinite(value) || (axis.logarithmic && value <= 0))
        return std::numeric_limits<double>::quiet_NaN();
    const double low = axis.words.isEmpty() ? axis.low : 0,
                 high = axis.words.isEmpty() ? axis.high : static_cast<double>(axis.words.size() - 1);
    if (!(high > low))
        return 0.5;
    const double share = axis.logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return std::clamp(share, 0.0, 1.0);
}

double ParallelPlot::valueAt(int axis, double share) const {
    const ParallelAxis& at = m_content.axes[static_cast<std::size_t>(axis)];
    const double low = at.words.isEmpty() ? at.low : 0,
                 high = at.words.isEmpty() ? at.high : static_cast<double>(at.words.size() - 1);
    return at.logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share;
}

QString ParallelPlot::valueText(int axis, double value) const {
    const ParallelAxis& at = m_content.axes[static_cast<std::size_t>(axis)];
    if (std::isnan(value))
        return tr("none");
    if (at.words.isEmpty())
        return shortNumber(value);
    return at.words.value(static_cast<int>(std::lround(value)));
}

QString ParallelPlot::rangeText(int axis) const {
    const ParallelAxis& at = m_content.axes[static_cast<std::size_t>(axis)];
    const Range marked = *range(axis);
    const QString& name = at.fullName.isEmpty() ? at.name : at.fullName;
    if (at.words.isEmpty())
        return tr("%1: %2 to %3")
            .arg(name, shortNumber(valueAt(axis, marked.first)), shortNumber(valueAt(axis, marked.second)));
    QStringList within;
    for (int word = 0; word < at.words.size(); ++word) {
        const double share = axisShare(at, word);
        if (share >= marked.first - kSame && share <= marked.second + kSame)
            within << at.words[word];
    }
    return within.isEmpty() ? tr("%1: none").arg(name)
                            : QStringLiteral("%1: %2").arg(name, within.join(QStringLiteral(", ")));
}

QString ParallelPlot::lineText(int line) const {
    if (line < 0 || line >= lineCount())
        return {};
    const ParallelLine& at = m_content.lines[static_cast<std::size_t>(line)];
    QStringList parts;
    for (int axis = 0; axis < axisCount(); ++axis) {
        const ParallelAxis& of = m_content.axes[static_cast<std::size_t>(axis)];
        const double value =
            axis < static_cast<int>(at.values.size()) ? at.values[static_cast<std::size_t>(axis)] : NAN;
        parts << of.name + QLatin1Char(' ') + valueText(axis, value);
    }
    const QString name = line == m_content.best ? tr("%1 (the best)").arg(at.name) : at.name;
    return name + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
}

QString ParallelPlot::toTsv() const {
    const auto joined = [](QStringList cells) {
        for (QString& cell : cells)
            cell.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
        return cells.join(QLatin1Char('\t'));
    };
    QStringList lines, cells{tr("line")};
    for (const ParallelAxis& axis : m_content.axes)
        cells << (axis.fullName.isEmpty() ? axis.name : axis.fullName);
    lines << joined(cells);
    for (const ParallelLine& line : m_content.lines) {
        cells = {line.name};
        for (std::size_t axis = 0; axis < m_content.axes.size(); ++axis) {
            const double value = axis < line.values.size() ? line.values[axis] : NAN;
            cells << (std::isnan(value)                      ? QString()
                      : m_content.axes[axis].words.isEmpty() ? QString::number(value, 'g', 17)
                                                             : valueText(static_cast<int>(axis), value));
        }
        lines << joined(cells);
    }
    return lines.join(QLatin1Char('\n'));
}

QColor ParallelPlot::rankColor(double share, bool dark) {
    const double place = std::clamp(share, 0.0, 1.0);
    return rampColor(dark ? kDarkTo + (kDarkFrom - kDarkTo) * place : kLightFrom + (kLightTo - kLightFrom) * place);
}

QColor ParallelPlot::lineColor(int line) const {
    const double share = shareOf(line, axisCount() - 1);
    return std::isnan(share) ? Theme::instance().colors().muted
                             : rankColor(m_content.isMoreBetter ? 1 - share : share, Theme::instance().isDark());
}

void ParallelPlot::setRange(int axis, std::optional<Range> range) {
    if (axis < 0 || axis >= axisCount() || m_ranges[static_cast<std::size_t>(axis)] == range)
        return;
    m_ranges[static_cast<std::size_t>(axis)] = range;
    updateKept();
    describe();
    Q_EMIT rangesChanged();
}

void ParallelPlot::clearRanges() {
    if (!hasRanges())
        return;
    std::fill(m_ranges.begin(), m_ranges.end(), std::nullopt);
    updateKept();
    describe();
    Q_EMIT rangesChanged();
}

bool ParallelPlot::hasRanges() const {
    return std::any_of(m_ranges.begin(), m_ranges.end(), [](const auto& range) { return range.has_value(); });
}

int ParallelPlot::keptCount() const {
    return static_cast<int>(std::count(m_kept.begin(), m_kept.end(), 1));
}

void ParallelPlot::updateKept() {
    m_kept.assign(static_cast<std::size_t>(lineCount()), 1);
    for (int line = 0; line < lineCount(); ++line) {
        for (int axis = 0; axis < axisCount(); ++axis) {
            const auto& marked = m_ranges[static_cast<std::size_t>(axis)];
            const double share = shareOf(line, axis);
            if (marked && !(share >= marked->first - kSame && share <= marked->second + kSame))
                m_kept[static_cast<std::size_t>(line)] = 0;
        }
    }
    restartKept(false);
    update();
}

QList<int> ParallelPlot::selectedLines() const {
    QList<int> lines;
    for (int line = 0; line < static_cast<int>(m_selected.size()); ++line)
        if (m_selected[static_cast<std::size_t>(line)])
            lines << line;
    return lines;
}

void ParallelPlot::setSelectedLines(const QList<int>& lines) {
    std::vector<char> chosen(static_cast<std::size_t>(lineCount()), 0);
    for (const int line : lines)
        if (line >= 0 && line < lineCount())
            chosen[static_cast<std::size_t>(line)] = 1;
    if (chosen == m_selected)
        return;
    m_selected = std::move(chosen);
    restartSelected();
    update();
}

void ParallelPlot::setHoveredLine(int line) {
    line = line < lineCount() ? line : -1;
    if (line == m_hovered)
        return;
    m_hovered = line;
    update();
}

void ParallelPlot::describe() {
    if (m_content.lines.empty()) {
        setAccessibleDescription(m_emptyText);
        update();
        return;
    }
    QStringList names, said;
    for (const ParallelAxis& axis : m_content.axes)
        names << (axis.fullName.isEmpty() ? axis.name : axis.fullName);
    said << tr("%n line(s) over %1", nullptr, lineCount()).arg(names.join(QStringLiteral(", ")));
    if (m_content.best >= 0)
        said << lineText(m_content.best);
    for (int axis = 0; axis < axisCount(); ++axis)
        if (range(axis))
            said << rangeText(axis);
    if (m_line >= 0)
        said << lineText(m_line);
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    update();
}

}  // namespace plumbline::widgets
