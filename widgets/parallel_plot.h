// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel coordinates: upright axes beside each other, and a line through all of them for each thing that has a value
// on each.
#pragma once

#include <QRectF>
#include <QStringList>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QMenu;

namespace plumbline::widgets {

class LineLayer;

struct ParallelAxis {
    QString name;       ///< above the axis
    QString shortName;  ///< where there is no room for that; may be empty
    QString fullName;   ///< read out and in the table; the name where it is empty
    double low = 0, high = 1;
    bool logarithmic = false;
    QStringList words = {};          ///< a value is the place in this list then
    std::vector<double> ticks = {};  ///< values that there are; empty: round ones
    bool operator==(const ParallelAxis&) const = default;
};

struct ParallelLine {
    qint64 key = 0;              ///< stays the same while the content changes
    QString name;                ///< "trial 7"
    std::vector<double> values;  ///< one an axis; NaN: none, the line has a gap there
    bool operator==(const ParallelLine&) const;
};

struct ParallelContent {
    std::vector<ParallelAxis> axes;  ///< the last one gives the colour: lines without a value there are grey and dashed
    std::vector<ParallelLine> lines;
    bool isMoreBetter = false;  ///< on the last axis
    int best = -1;              ///< line that is marked
    bool operator==(const ParallelContent&) const = default;
};

/// Ten thousand lines over ten axes stay quick: they are drawn into a picture, some milliseconds at a time, and what is
/// under the pointer is drawn over it.
///
/// Mouse: a line under the pointer is read out, a click selects it (with Ctrl besides others), a double click opens it.
/// A drag along an axis marks a range: lines outside fade; a range can be dragged and its ends as well; a double click
/// on the axis takes it away, elsewhere all. Keys: Left/Right another axis, Up/Down the next line along it, Home/End
/// its first and last, Shift with those marks a range, Space selects, Return opens, Delete takes the axis's range away,
/// Escape all, Ctrl+C copies the values. Window thread only.
class ParallelPlot : public QWidget {
    Q_OBJECT

public:
    explicit ParallelPlot(QWidget* parent = nullptr);
    ~ParallelPlot() override;

    /// Shown while there is no line.
    void setEmptyText(const QString& text);
    /// Of pictures that are exported.
    void setTitle(const QString& title) { m_title = title; }
    /// Ranges stay while the axes are the same, what is selected while its key is there.
    void setContent(ParallelContent content);
    const ParallelContent& content() const { return m_content; }

    /// Shares of the axis from its lower end, 0 to 1.
    using Range = std::pair<double, double>;
    std::optional<Range> range(int axis) const { return m_ranges[static_cast<std::size_t>(axis)]; }
    void setRange(int axis, std::optional<Range> range);
    void clearRanges();
    bool hasRanges() const;
    /// Whether a line lies in all ranges.
    bool isKept(int line) const { return m_kept[static_cast<std::size_t>(line)]; }
    int keptCount() const;

    QList<int> selectedLines() const;
    void setSelectedLines(const QList<int>& lines);
    int hoveredLine() const { return m_hovered; }
    /// From outside, as a row of a table that lies under the pointer; -1: none.
    void setHoveredLine(int line);
    int currentAxis() const { return m_axis; }

    /// "trial 7: lr 0.01, loss 0.25".
    QString lineText(int line) const;
    /// Names and values as TSV.
    QString toTsv() const;
    /// By suffix: .png .svg .pdf .csv. False with a sentence in *error.
    bool exportTo(const QString& path, QString* error);
    /// What a right click offers; for a button beside the plot as well.
    QMenu* menu() const { return m_menu; }
    /// Whether pieces of the picture are still to be drawn.
    bool isDrawing() const { return m_pieces.isActive() || (m_stale && isVisible() && !m_content.lines.empty()); }

    /// Where things stand, for tests.
    double axisX(int axis) const;
    double yOf(int axis, double share) const;
    double shareOf(int line, int axis) const;  ///< NaN: no value
    /// 0: the best, 1: the worst. A part of viridis that has 3:1 on the surface, the best with the most.
    static QColor rankColor(double share, bool dark);

    QSize sizeHint() const override { return {480, 280}; }
    QSize minimumSizeHint() const override { return {240, 140}; }

Q_SIGNALS:
    void rangesChanged();
    void selectionChanged();
    void lineHovered(int line);  ///< -1: none
    void lineActivated(int line);
    void exportFailed(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Drag;

    int axisCount() const { return static_cast<int>(m_content.axes.size()); }
    int lineCount() const { return static_cast<int>(m_content.lines.size()); }
    QRectF area() const;
    double shareAt(double y) const;
    QString valueText(int axis, double value) const;
    double valueAt(int axis, double share) const;
    QString rangeText(int axis) const;
    int axisAt(const QPointF& position) const;
    int lineAt(const QPointF& position) const;
    QColor lineColor(int line) const;
    QList<QPolygonF> pathOf(int line) const;
    bool isDense() const;

    void paintLine(QPainter& painter, int line, double strength) const;
    void paintAxes(QPainter& painter) const;
    void paintTicks(QPainter& painter, int axis) const;
    void paintRange(QPainter& painter, int axis) const;
    void paintMarked(QPainter& painter, int line, double width, const QColor& edge) const;
    void paintBest(QPainter& painter) const;
    /// Title and plot.
    void paintPage(QPainter& painter) const;
    /// Everything, without a picture in between.
    void paintWhole(QPainter& painter) const;

    std::vector<int> orderOf(const std::vector<char>* wanted) const;
    void makeMenu();
    void askExport();
    void restartLayers();
    void restartKept(bool atOnce);
    void restartSelected();
    void advanceLayers();
    void updateKept();
    void describe();

    void hover(int line);
    void readOut(int line);
    void stepAlongAxis(int direction, bool toEnd, bool marks);
    void select(int line, bool besides);

    QString m_title, m_emptyText;
    ParallelContent m_content;
    std::vector<float> m_shares;  ///< of lines, axis by axis; NaN: none
    std::vector<int> m_ranked;    ///< lines, the worst first: the best is drawn over the others
    std::vector<std::optional<Range>> m_ranges;
    std::vector<char> m_kept, m_selected;
    std::unique_ptr<LineLayer> m_allLayer, m_keptLayer, m_selectedLayer;
    QMenu* m_menu = nullptr;
    QTimer m_pieces;
    std::unique_ptr<Drag> m_drag;
    int m_hovered = -1;
    int m_axis = 0;                        ///< of the keyboard
    int m_line = -1;                       ///< of the keyboard
    std::optional<double> m_anchor;        ///< where Shift began to mark
    mutable std::optional<QRectF> m_area;  ///< measuring text takes longer than a line
    bool m_stale = true;                   ///< layers are of another size, content or theme
};

}  // namespace plumbline::widgets
