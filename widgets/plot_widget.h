// SPDX-License-Identifier: GPL-3.0-or-later
// A live line plot: many named series, appended while they grow, never a lost zoom.
#pragma once

#include <QColor>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "widgets/theme.h"

class QAbstractTableModel;
class QMenu;

namespace plumbline::widgets {

class PlotGroup;

/// What the horizontal axis counts.
enum class PlotXAxis { Step, Epoch, Seconds };
enum class PlotSide { Left, Right };

struct PlotSeriesSpec {
    QString id = {};    ///< unique in the plot, e.g. "train.loss"
    QString name = {};  ///< shown; the id when empty
    /// Index into the theme's curves, so that it follows light and dark; a run keeps its index everywhere. From
    /// kCurveColorCount on the colours come round again with another line pattern each time.
    /// -1: the next unused one.
    int curve = -1;
    std::optional<QColor> color = {};    ///< overrides curve, same in both modes
    Qt::PenStyle style = Qt::SolidLine;  ///< train solid, validation dashed; NoPen: its points alone, some hundred
    PlotSide side = PlotSide::Left;      ///< right for a second scale
    bool smooth = true;                  ///< false: never smoothed (learning rate, loss scale)
    bool points = false;                 ///< a dot at each value (few, far apart values)
    bool thin = false;                   ///< a line of one pixel
    QString unit = {};                   ///< behind the newest value, e.g. "ms"; empty for none
    bool newest = true;                  ///< false: no newest value beside its name (a plan)
    bool front = false;                  ///< drawn over those that come later
};

/// Columns of equal length, x ascending. `epoch` and `seconds` may be empty when that axis is never shown.
struct PlotSamples {
    std::span<const double> step;
    std::span<const double> epoch;
    std::span<const double> seconds;
    std::span<const double> value;  ///< NaN and infinities are marked on the axis, not drawn
};

/// An event on the x axis that can be opened (a finding, a checkpoint).
struct PlotMark {
    QString id;
    double step = 0;
    Severity severity = Severity::Info;
    QString text;  ///< tooltip and accessible text
};

/// A plot with title, newest values, axes, zoom, read-out, smoothing, marks and export.
///
/// Mouse: drag = box zoom (a flat drag zooms one axis), double click = reset, wheel = zoom (over an axis: that axis),
/// space- or middle-drag = pan, click on a mark opens it. Keys: Left/Right move the cursor, Shift+arrows pan, + and -
/// zoom, Home resets, Ctrl+C copies. Window thread only. Replots at most once per 33 ms and only while visible.
class PlotWidget : public QWidget {
    Q_OBJECT

public:
    explicit PlotWidget(QWidget* parent = nullptr);
    ~PlotWidget() override;

    void setTitle(const QString& title);
    QString title() const;
    /// The title becomes a button with these choices; a choice emits titleChosen().
    void setTitleChoices(const QStringList& titles, int current);
    /// Units stand on the axis: "loss (nats)"; empty for none.
    void setYLabel(const QString& label, PlotSide side = PlotSide::Left);
    /// Shown while there is no data.
    void setEmptyText(const QString& text);

    /// Adds a series, or changes the looks of one with the same id (its data stays).
    void addSeries(const PlotSeriesSpec& spec);
    void removeSeries(const QString& id);
    void clearSeries();
    QStringList seriesIds() const;
    void setSeriesVisible(const QString& id, bool visible);
    bool isSeriesVisible(const QString& id) const;

    /// Appends to a series, which is made with default looks when it is new. Cheap; may be called for each batch of
    /// news.
    void append(const QString& id, const PlotSamples& samples);
    void append(const QString& id, std::span<const double> step, std::span<const double> value);
    /// Replaces the data; the zoom stays.
    void setData(const QString& id, const PlotSamples& samples);
    /// Drops everything at or after a step (a resumed run starts over there).
    void truncateFrom(double step);
    void clearData();
    int pointCount(const QString& id) const;
    /// As it is drawn; invalid where there is none.
    QColor seriesColor(const QString& id) const;

    /// Steps whose optimizer update was skipped: small marks on the axis.
    void appendSkippedSteps(std::span<const double> steps);
    /// First step of every epoch; every second epoch gets a faint band.
    void setEpochStarts(const std::vector<double>& steps);
    void setMarks(const std::vector<PlotMark>& marks);

    /// Factor of the exponential moving average, 0 (off) to 0.999; the raw curve stays behind at 25 %.
    void setSmoothing(double factor);
    double smoothing() const;
    void setXAxis(PlotXAxis axis);
    PlotXAxis xAxis() const;
    /// What stands in the samples' `step` where that is none ("learning rate"); the axis offers nothing else then.
    /// Empty: steps.
    void setXName(const QString& name);
    void setYLog(bool on, PlotSide side = PlotSide::Left);
    bool isYLog(PlotSide side = PlotSide::Left) const;
    void setXLog(bool on);
    bool isXLog() const;
    /// Always shown on the left axis while not zoomed, e.g. 0 to 1 for an accuracy.
    void setYLimits(std::optional<double> lower, std::optional<double> upper);

    bool isZoomed() const;
    bool isXZoomed() const;
    void resetZoom();
    void resetXZoom();
    void zoomX(double lower, double upper);
    void zoomY(double lower, double upper);
    /// Shows the read-out at x without telling cursorMoved(); NaN hides it.
    void showCursor(double x);
    std::pair<double, double> xRange() const;
    std::pair<double, double> yRange(PlotSide side = PlotSide::Left) const;

    /// Table below the plot with the newest values; also what assistive technology reads.
    void setTableVisible(bool visible);
    bool isTableVisible() const;
    /// Columns: series, newest value, its step, least, largest, count, non-finite. Owned by the plot.
    QAbstractTableModel* valuesModel() const;
    /// The plot as one paragraph of text.
    QString summaryText() const;

    /// By suffix: .png .svg .pdf .csv. False with a sentence in *error.
    bool exportTo(const QString& path, QString* error = nullptr);
    /// PNG and SVG, and the values as text.
    void copyToClipboard();
    /// `series,step,epoch,seconds,value`, full precision.
    QString toCsv() const;

    /// Everything the plot's "More" button offers; owned by the plot. Pages may add actions.
    QMenu* menu() const;
    /// Shows the buttons that emit enlargeRequested() and closeRequested(). Hidden by default.
    void setPanelButtonsVisible(bool visible);
    /// The title can be dragged (dragMoved(), dropped()), the menu moves by one place (moveRequested()). Off by
    /// default.
    void setMovable(bool movable);

    /// Paints now, whatever the throttle says (pictures, tests, benchmarks).
    void replotNow();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// A mark was clicked, or chosen in the menu.
    void markActivated(const QString& id);
    void zoomChanged();
    /// Step under the pointer or keyboard cursor; NaN when it left.
    void cursorMoved(double x);
    void seriesVisibilityChanged(const QString& id, bool visible);
    /// The file chosen in the export dialog could not be written.
    void exportFailed(const QString& sentence);
    void titleChosen(int index);
    void enlargeRequested();
    void closeRequested();
    /// Among the plots beside it: -1 towards the first, 1 towards the last.
    void moveRequested(int places);
    void dragMoved(const QPoint& globalPosition);
    void dropped(const QPoint& globalPosition);

protected:
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// Plots that share one cursor and, unless told otherwise, one x range, smoothing and axis. Does not own the plots.
class PlotGroup : public QObject {
    Q_OBJECT

public:
    explicit PlotGroup(QObject* parent = nullptr);

    void add(PlotWidget* plot);
    void remove(PlotWidget* plot);
    void setSharesRange(bool shares);
    bool sharesRange() const { return m_sharesRange; }

    void setSmoothing(double factor);
    void setXAxis(PlotXAxis axis);
    void setXLog(bool on);
    void setEpochStarts(const std::vector<double>& steps);
    void setMarks(const std::vector<PlotMark>& marks);
    void resetZoom();

private:
    void shareCursor(PlotWidget* source, double x);
    void shareRange(PlotWidget* source);

    std::vector<PlotWidget*> m_plots;
    bool m_sharesRange = true;
    bool m_sharing = false;
};

}  // namespace plumbline::widgets
