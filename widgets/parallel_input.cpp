// SPDX-License-Identifier: GPL-3.0-or-later
// What the mouse and the keyboard do on the parallel plot.
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/icons.h"
#include "widgets/parallel_plot_private.h"

namespace plumbline::widgets {

namespace {
constexpr double kNear = 6;   ///< pixels from a line that still mean it
constexpr double kEnd = 5;    ///< pixels from a range's end that mean the end
constexpr double kClick = 4;  ///< pixels that are no drag
}  // namespace

int ParallelPlot::axisAt(const QPointF& position) const {
    if (m_content.lines.empty())
        return -1;
    for (int axis = 0; axis < axisCount(); ++axis)
        if (std::fabs(position.x() - axisX(axis)) <= kGrip)
            return axis;
    return -1;
}

int ParallelPlot::lineAt(const QPointF& position) const {
    const QRectF at = area();
    if (lineCount() == 0 || axisCount() < 2 || !at.adjusted(-kNear, -kNear, kNear, kNear).contains(position))
        return -1;
    const double gap = at.width() / (axisCount() - 1),
                 place = std::clamp((position.x() - at.left()) / gap, 0.0, axisCount() - 1.0);
    const int left = std::min(static_cast<int>(place), axisCount() - 2);
    const double part = place - left;
    int nearest = -1;
    double least = kNear;
    // From the best on: it lies over the others.
    for (auto line = m_ranked.rbegin(); line != m_ranked.rend(); ++line) {
        const double from = shareOf(*line, left), to = shareOf(*line, left + 1);
        if (!m_kept[static_cast<std::size_t>(*line)])
            continue;
        const double rise = at.height() * (to - from);
        // An end that lies on one of the two axes is there without the other one.
        const double share = std::isnan(from) ? (part > 0.95 ? to : NAN)
                             : std::isnan(to) ? (part < 0.05 ? from : NAN)
                                              : from + (to - from) * part;
        if (std::isnan(share))
            continue;
        const double across = std::fabs(at.bottom() - at.height() * share - position.y());
        const double distance = std::isnan(rise) ? across : across * gap / std::hypot(gap, rise);
        if (distance < least) {
            least = distance;
            nearest = *line;
        }
    }
    return nearest;
}

void ParallelPlot::hover(int line) {
    if (line == m_hovered)
        return;
    setHoveredLine(line);
    Q_EMIT lineHovered(line);
}

void ParallelPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        QWidget::mousePressEvent(event);
        return;
    }
    const int axis = axisAt(event->position());
    if (axis < 0) {
        const int line = lineAt(event->position());
        if (line >= 0)
            select(line, event->modifiers().testFlag(Qt::ControlModifier));
        return;
    }
    m_drag = std::make_unique<Drag>();
    m_drag->axis = axis;
    m_axis = axis;
    m_drag->pressed = event->position();
    m_drag->from = shareAt(event->position().y());
    m_drag->before = range(axis);
    if (m_drag->before) {
        const double low = yOf(axis, m_drag->before->first), high = yOf(axis, m_drag->before->second),
                     y = event->position().y();
        m_drag->kind = std::fabs(y - high) <= kEnd  ? Drag::Kind::High
                       : std::fabs(y - low) <= kEnd ? Drag::Kind::Low
                       : y > high && y < low        ? Drag::Kind::Move
                                                    : Drag::Kind::Mark;
    }
    update();
}

void ParallelPlot::mouseMoveEvent(QMouseEvent* event) {
    if (m_drag) {
        const double share = shareAt(event->position().y());
        m_drag->moved = m_drag->moved || (event->position() - m_drag->pressed).manhattanLength() > kClick;
        if (!m_drag->moved)
            return;
        Range marked(std::min(m_drag->from, share), std::max(m_drag->from, share));
        if (m_drag->before && m_drag->kind == Drag::Kind::Move) {
            const double by = std::clamp(share - m_drag->from, -m_drag->before->first, 1 - m_drag->before->second);
            marked = Range(m_drag->before->first + by, m_drag->before->second + by);
        } else if (m_drag->before && m_drag->kind != Drag::Kind::Mark) {
            const double other = m_drag->kind == Drag::Kind::High ? m_drag->before->first : m_drag->before->second;
            marked = Range(std::min(other, share), std::max(other, share));
        }
        setRange(m_drag->axis, marked);
        QToolTip::showText(event->globalPosition().toPoint(),
                           tr("%1 · %n line(s)", nullptr, keptCount()).arg(rangeText(m_drag->axis)), this);
        return;
    }
    const int axis = axisAt(event->position());
    const auto marked = axis < 0 ? std::nullopt : range(axis);
    const double share = shareAt(event->position().y());
    setCursor(axis < 0                                                    ? Qt::ArrowCursor
              : marked && share > marked->first && share < marked->second ? Qt::SizeAllCursor
                                                                          : Qt::SizeVerCursor);
    const int line = lineAt(event->position());
    hover(line);
    if (line >= 0)
        QToolTip::showText(event->globalPosition().toPoint(), lineText(line), this);
    else if (axis >= 0 && !area().contains(event->position()))
        QToolTip::showText(event->globalPosition().toPoint(), m_content.axes[static_cast<std::size_t>(axis)].fullName,
                           this);
    else
        QToolTip::hideText();
}

void ParallelPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m_drag) {
        const std::unique_ptr<Drag> drag = std::move(m_drag);
        QToolTip::hideText();
        // A click on an axis means the line that ends there.
        if (const int line = drag->moved ? -1 : lineAt(event->position()); line >= 0)
            select(line, event->modifiers().testFlag(Qt::ControlModifier));
    }
    QWidget::mouseReleaseEvent(event);
}

void ParallelPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    const int axis = axisAt(event->position()), line = lineAt(event->position());
    if (axis >= 0 && range(axis))
        setRange(axis, std::nullopt);
    else if (line >= 0)
        Q_EMIT lineActivated(line);
    else if (axis < 0)
        clearRanges();
}

void ParallelPlot::leaveEvent(QEvent*) {
    hover(-1);
}

void ParallelPlot::select(int line, bool besides) {
    std::vector<char> chosen = besides ? m_selected : std::vector<char>(m_selected.size(), 0);
    chosen[static_cast<std::size_t>(line)] = besides ? !chosen[static_cast<std::size_t>(line)] : 1;
    m_line = line;
    m_anchor.reset();
    QList<int> lines;
    for (int each = 0; each < lineCount(); ++each)
        if (chosen[static_cast<std::size_t>(each)])
            lines << each;
    const bool changes = chosen != m_selected;
    setSelectedLines(lines);
    describe();
    if (changes)
        Q_EMIT selectionChanged();
}

void ParallelPlot::readOut(int line) {
    const QList<QPolygonF> parts = pathOf(line);
    const double share = shareOf(line, m_axis);
    const QPointF at(axisX(m_axis), std::isnan(share) ? area().center().y() : yOf(m_axis, share));
    QToolTip::showText(mapToGlobal(at.toPoint()), lineText(line), this);
}

void ParallelPlot::stepAlongAxis(int direction, bool toEnd, bool marks) {
    std::vector<int> along;
    if (axisCount() == 0)
        return;
    for (int line = 0; line < lineCount(); ++line)
        // While a range is being marked, what lies outside of it is what it grows to.
        if (!std::isnan(shareOf(line, m_axis)) && (marks || m_kept[static_cast<std::size_t>(line)]))
            along.push_back(line);
    if (along.empty())
        return;
    std::stable_sort(along.begin(), along.end(), [&](int a, int b) { return shareOf(a, m_axis) < shareOf(b, m_axis); });
    const auto found = std::find(along.begin(), along.end(), m_line);
    const int last = static_cast<int>(along.size()) - 1;
    const int before = found == along.end() ? -1 : static_cast<int>(found - along.begin());
    const int place = toEnd || before < 0 ? (direction > 0 ? last : 0) : std::clamp(before + direction, 0, last);
    if (marks && !m_anchor)
        m_anchor = shareOf(along[static_cast<std::size_t>(before < 0 ? place : before)], m_axis);
    m_line = along[static_cast<std::size_t>(place)];
    if (marks) {
        const double share = shareOf(m_line, m_axis);
        setRange(m_axis, Range(std::min(*m_anchor, share), std::max(*m_anchor, share)));
    } else {
        m_anchor.reset();
    }
    describe();
    readOut(m_line);
    Q_EMIT lineHovered(m_line);
}

void ParallelPlot::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(toTsv());
        return;
    }
    const bool marks = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
            m_axis = std::clamp(m_axis + (event->key() == Qt::Key_Left ? -1 : 1), 0, std::max(0, axisCount() - 1));
            m_anchor.reset();
            if (m_line >= 0)
                readOut(m_line);
            update();
            break;
        case Qt::Key_Up:
            stepAlongAxis(1, false, marks);
            break;
        case Qt::Key_Down:
            stepAlongAxis(-1, false, marks);
            break;
        case Qt::Key_Home:
            stepAlongAxis(1, true, marks);
            break;
        case Qt::Key_End:
            stepAlongAxis(-1, true, marks);
            break;
        case Qt::Key_Space:
            if (m_line >= 0)
                select(m_line, event->modifiers().testFlag(Qt::ControlModifier));
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (m_line >= 0)
                Q_EMIT lineActivated(m_line);
            break;
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            m_anchor.reset();
            setRange(m_axis, std::nullopt);
            break;
        case Qt::Key_Escape:
            if (!hasRanges()) {
                QWidget::keyPressEvent(event);
                return;
            }
            m_anchor.reset();
            clearRanges();
            break;
        default:
            QWidget::keyPressEvent(event);
            return;
    }
}

void ParallelPlot::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void ParallelPlot::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    m_anchor.reset();
    Q_EMIT lineHovered(m_hovered);
    update();
}

void ParallelPlot::makeMenu() {
    m_menu = new QMenu(this);
    m_menu->addAction(icon(QStringLiteral("copy")), tr("Copy values"), this,
                      [this] { QApplication::clipboard()->setText(toTsv()); });
    m_menu->addAction(icon(QStringLiteral("export")), tr("Export plot…"), this, &ParallelPlot::askExport);
    QAction* clear = m_menu->addAction(tr("Clear ranges"), this, &ParallelPlot::clearRanges);
    connect(m_menu, &QMenu::aboutToShow, this, [this, clear] { clear->setEnabled(hasRanges()); });
}

void ParallelPlot::contextMenuEvent(QContextMenuEvent* event) {
    m_menu->popup(event->globalPos());
}

}  // namespace plumbline::widgets
