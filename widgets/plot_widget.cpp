// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_widget.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QSaveFile>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "widgets/axis_ticks.h"
#include "widgets/filter_table.h"
#include "widgets/icons.h"
#include "widgets/plot_export.h"
#include "widgets/plot_header.h"
#include "widgets/plot_values_model.h"
#include "widgets/plot_view.h"
#include "widgets/search_popup.h"

namespace plumbline::widgets {

namespace {
constexpr int kDescribeEveryMs = 1000;
constexpr int kHeaderEveryMs = 100;
constexpr double kPanKeyPixels = 60;
constexpr double kZoomKey = 0.8;
constexpr double kPictureScale = 2;
constexpr int kTableHeight = 130;
}  // namespace

struct PlotWidget::Private {
    explicit Private(PlotWidget* widget) : q(widget) {}

    PlotWidget* q;
    PlotContent content;
    QString title;
    QMenu* menu = nullptr;
    QMenu* seriesMenu = nullptr;
    QMenu* marksMenu = nullptr;
    QMenu* axisMenu = nullptr;
    PlotHeader* header = nullptr;
    PlotView* view = nullptr;
    QTableView* table = nullptr;
    PlotValuesModel* model = nullptr;
    QAction *yLog = nullptr, *xLog = nullptr, *showTable = nullptr;
    QAction* resetAction = nullptr;
    QAction *earlier = nullptr, *later = nullptr;
    std::array<QAction*, 3> axisActions{};
    std::vector<std::pair<QAction*, double>> smoothingActions;
    QElapsedTimer sinceDescribed, sinceHeader;
    QTimer late;  ///< brings header, table and description up to date after the last news
    bool dirty = false;

    void buildMenu();
    void fillSeriesMenu();
    void fillMarksMenu();
    void askExport();
    PlotSeries& seriesFor(const QString& id);
    void touched();
    void refreshTexts(bool force);
    int freeCurve() const;
    QCPAxis* axis(PlotSide side) const { return side == PlotSide::Left ? view->yAxis : view->yAxis2; }
};

PlotWidget::PlotWidget(QWidget* parent) : QWidget(parent), d(std::make_unique<Private>(this)) {
    d->content.emptyText = tr("No values yet.");
    d->menu = new QMenu(this);
    d->header = new PlotHeader(d->menu);
    d->view = new PlotView(d->content, this);
    d->model = new PlotValuesModel(d->content, this);
    d->table = new QTableView;
    d->table->setObjectName(QStringLiteral("plotTable"));
    d->table->setModel(d->model);
    d->table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    d->table->verticalHeader()->hide();
    d->table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    d->table->setTabKeyNavigation(false);
    d->table->setFrameShape(QFrame::NoFrame);
    d->table->setFixedHeight(kTableHeight);
    offerCopy(*d->table);
    d->table->hide();
    d->buildMenu();

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(d->header);
    layout->addWidget(d->view, 1);
    layout->addWidget(d->table);
    setFocusProxy(d->view);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);

    d->late.setSingleShot(true);
    d->late.setInterval(kDescribeEveryMs);
    connect(&d->late, &QTimer::timeout, this, [this] { d->refreshTexts(true); });
    d->view->onReplotted = [this] { d->refreshTexts(false); };
    d->view->onZoomChanged = [this] {
        d->header->setZoomed(d->view->isZoomed());
        d->resetAction->setEnabled(d->view->isZoomed());
        Q_EMIT zoomChanged();
    };
    d->view->onCursorMoved = [this](double x) { Q_EMIT cursorMoved(x); };
    d->view->onMarkActivated = [this](const QString& id) { Q_EMIT markActivated(id); };
    connect(d->header, &PlotHeader::titleChosen, this, &PlotWidget::titleChosen);
    connect(d->header, &PlotHeader::seriesToggled, this, &PlotWidget::setSeriesVisible);
    connect(d->header, &PlotHeader::resetClicked, this, &PlotWidget::resetZoom);
    connect(d->header, &PlotHeader::enlargeClicked, this, &PlotWidget::enlargeRequested);
    connect(d->header, &PlotHeader::closeClicked, this, &PlotWidget::closeRequested);
    connect(d->header, &PlotHeader::dragMoved, this, &PlotWidget::dragMoved);
    connect(d->header, &PlotHeader::dropped, this, &PlotWidget::dropped);
    connect(&Theme::instance(), &Theme::changed, d->view, [this] { d->view->applyTheme(); });
    setTitle({});
}

PlotWidget::~PlotWidget() = default;

void PlotWidget::Private::buildMenu() {
    resetAction =
        menu->addAction(icon(QStringLiteral("zoom-reset")), PlotWidget::tr("Reset zoom"), q, &PlotWidget::resetZoom);
    resetAction->setEnabled(false);
    menu->addSeparator();
    yLog = menu->addAction(PlotWidget::tr("Logarithmic y axis"));
    yLog->setObjectName(QStringLiteral("plot_y_log"));
    yLog->setProperty(CommandPalette::kOfOnePlace, true);  // each plot has one
    yLog->setCheckable(true);
    QObject::connect(yLog, &QAction::triggered, q, [this](bool on) { q->setYLog(on); });
    xLog = menu->addAction(PlotWidget::tr("Logarithmic x axis"));
    xLog->setCheckable(true);
    QObject::connect(xLog, &QAction::triggered, q, [this](bool on) { q->setXLog(on); });

    axisMenu = menu->addMenu(PlotWidget::tr("X axis"));
    auto* axes = new QActionGroup(axisMenu);
    const QString axisNames[] = {PlotWidget::tr("Step"), PlotWidget::tr("Epoch"), PlotWidget::tr("Time")};
    for (std::size_t i = 0; i < axisActions.size(); ++i) {
        axisActions[i] = axes->addAction(axisMenu->addAction(axisNames[i]));
        axisActions[i]->setCheckable(true);
        axisActions[i]->setChecked(i == 0);
        QObject::connect(axisActions[i], &QAction::triggered, q, [this, i] { q->setXAxis(static_cast<PlotXAxis>(i)); });
    }
    QMenu* smoothingMenu = menu->addMenu(PlotWidget::tr("Smoothing"));
    auto* factors = new QActionGroup(smoothingMenu);
    for (const double factor : {0.0, 0.6, 0.9, 0.97, 0.99}) {
        QAction* action = smoothingMenu->addAction(factor == 0 ? PlotWidget::tr("Off") : QString::number(factor));
        factors->addAction(action);
        action->setCheckable(true);
        action->setChecked(factor == 0);
        smoothingActions.emplace_back(action, factor);
        QObject::connect(action, &QAction::triggered, q, [this, factor] { q->setSmoothing(factor); });
    }
    seriesMenu = menu->addMenu(PlotWidget::tr("Series"));
    marksMenu = menu->addMenu(PlotWidget::tr("Marks"));
    QObject::connect(menu, &QMenu::aboutToShow, q, [this] {
        fillSeriesMenu();
        fillMarksMenu();
    });
    earlier = menu->addAction(icon(QStringLiteral("chevron-up")), PlotWidget::tr("Move up"), q,
                              [this] { Q_EMIT q->moveRequested(-1); });
    earlier->setObjectName(QStringLiteral("plotMoveUp"));
    earlier->setProperty(CommandPalette::kOfOnePlace, true);
    later = menu->addAction(icon(QStringLiteral("chevron-down")), PlotWidget::tr("Move down"), q,
                            [this] { Q_EMIT q->moveRequested(1); });
    later->setObjectName(QStringLiteral("plotMoveDown"));
    later->setProperty(CommandPalette::kOfOnePlace, true);
    q->setMovable(false);
    menu->addSeparator();
    showTable = menu->addAction(icon(QStringLiteral("table")), PlotWidget::tr("Show values as a table"));
    showTable->setCheckable(true);
    QObject::connect(showTable, &QAction::triggered, q, &PlotWidget::setTableVisible);
    menu->addAction(icon(QStringLiteral("copy")), PlotWidget::tr("Copy plot"), q, &PlotWidget::copyToClipboard);
    menu->addAction(icon(QStringLiteral("export")), PlotWidget::tr("Export plot…"), q, [this] { askExport(); });
}

void PlotWidget::Private::fillSeriesMenu() {
    seriesMenu->clear();
    for (const auto& series : content.series) {
        const QString id = series->spec().id;
        QAction* action = seriesMenu->addAction(series->spec().name.isEmpty() ? id : series->spec().name);
        action->setCheckable(true);
        action->setChecked(series->visible);
        QObject::connect(action, &QAction::triggered, q, [this, id](bool on) { q->setSeriesVisible(id, on); });
    }
    seriesMenu->setEnabled(!content.series.empty());
}

void PlotWidget::Private::fillMarksMenu() {
    marksMenu->clear();
    for (const PlotMark& mark : content.marks) {
        const QString id = mark.id;
        QAction* action = marksMenu->addAction(
            severityIcon(mark.severity),
            content.xName.isEmpty() ? PlotWidget::tr("Step %1: %2").arg(shortNumber(mark.step), mark.text) : mark.text);
        QObject::connect(action, &QAction::triggered, q, [this, id] { Q_EMIT q->markActivated(id); });
    }
    marksMenu->setEnabled(!content.marks.empty());
}

void PlotWidget::Private::askExport() {
    auto* dialog = new QFileDialog(q, PlotWidget::tr("Export plot"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({PlotWidget::tr("PNG picture (*.png)"), PlotWidget::tr("SVG drawing (*.svg)"),
                            PlotWidget::tr("PDF document (*.pdf)"), PlotWidget::tr("CSV table (*.csv)")});
    dialog->setDefaultSuffix(QStringLiteral("png"));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).chopped(1));
    });
    dialog->selectFile(title.isEmpty() ? PlotWidget::tr("plot") : title);
    QObject::connect(dialog, &QFileDialog::fileSelected, q, [this](const QString& path) {
        QString error;
        if (!q->exportTo(path, &error))
            Q_EMIT q->exportFailed(error);
    });
    dialog->open();
}

PlotSeries& PlotWidget::Private::seriesFor(const QString& id) {
    if (PlotSeries* series = content.find(id))
        return *series;
    PlotSeriesSpec spec;
    spec.id = id;
    q->addSeries(spec);
    return *content.find(id);
}

int PlotWidget::Private::freeCurve() const {
    for (int curve = 0;; ++curve) {
        const bool used = std::any_of(content.series.begin(), content.series.end(),
                                      [curve](const auto& series) { return series->spec().curve == curve; });
        if (!used)
            return curve;
    }
}

void PlotWidget::Private::touched() {
    if (q->isVisible())
        view->scheduleReplot();
    else
        dirty = true;
    if (!late.isActive())
        late.start();
}

void PlotWidget::Private::refreshTexts(bool force) {
    if (force || !sinceHeader.isValid() || sinceHeader.elapsed() >= kHeaderEveryMs) {
        sinceHeader.start();
        for (const auto& series : content.series) {
            const QString& unit = series->spec().unit;
            const QString number =
                series->size() == 0 || !series->spec().newest ? QString() : shortNumber(series->raw().values.back());
            header->setValue(series->spec().id,
                             number.isEmpty() || unit.isEmpty() ? number : number + QLatin1Char(' ') + unit);
        }
        if (table->isVisible())
            model->refresh();
    }
    if (force || !sinceDescribed.isValid() || sinceDescribed.elapsed() >= kDescribeEveryMs) {
        sinceDescribed.start();
        const QString summary = q->summaryText();
        view->setAccessibleDescription(summary);
        q->setAccessibleDescription(summary);
        model->refresh();
    }
}

void PlotWidget::setTitleChoices(const QStringList& titles, int current) {
    d->header->setTitleChoices(titles, current);
}

void PlotWidget::setTitle(const QString& title) {
    d->title = title;
    d->header->setTitle(title);
    const QString name = title.isEmpty() ? tr("Plot") : tr("Plot: %1").arg(title);
    setAccessibleName(name);
    d->view->setAccessibleName(name);
    d->table->setAccessibleName(title.isEmpty() ? tr("Values") : tr("Values: %1").arg(title));
}

QString PlotWidget::title() const {
    return d->title;
}

void PlotWidget::setYLabel(const QString& label, PlotSide side) {
    d->view->setAxisLabel(d->axis(side), label);
    d->touched();
}

void PlotWidget::setEmptyText(const QString& text) {
    d->content.emptyText = text;
    d->touched();
}

void PlotWidget::addSeries(const PlotSeriesSpec& asked) {
    PlotSeriesSpec spec = asked;
    PlotSeries* old = d->content.find(spec.id);
    if (spec.curve < 0)
        spec.curve = old ? old->spec().curve : d->freeCurve();
    if (old) {
        const bool smoothChanged = old->spec().smooth != spec.smooth;
        old->spec() = spec;
        if (smoothChanged)
            old->setSmoothing(d->content.smoothing);
    } else {
        auto place = d->content.series.end();
        while (!spec.front && place != d->content.series.begin() && (*(place - 1))->spec().front)
            --place;
        const auto made = d->content.series.insert(place, std::make_unique<PlotSeries>(spec));
        (*made)->setSmoothing(d->content.smoothing);
        d->model->reset();
    }
    d->header->setSeries(spec, isSeriesVisible(spec.id));
    d->touched();
}

void PlotWidget::removeSeries(const QString& id) {
    std::erase_if(d->content.series, [&id](const auto& series) { return series->spec().id == id; });
    d->header->removeSeries(id);
    d->model->reset();
    d->touched();
}

void PlotWidget::clearSeries() {
    for (const QString& id : seriesIds())
        removeSeries(id);
    resetZoom();
}

QStringList PlotWidget::seriesIds() const {
    QStringList ids;
    for (const auto& series : d->content.series)
        ids.append(series->spec().id);
    return ids;
}

void PlotWidget::setSeriesVisible(const QString& id, bool visible) {
    PlotSeries* series = d->content.find(id);
    if (!series || series->visible == visible)
        return;
    series->visible = visible;
    d->header->setChecked(id, visible);
    d->touched();
    Q_EMIT seriesVisibilityChanged(id, visible);
}

bool PlotWidget::isSeriesVisible(const QString& id) const {
    const PlotSeries* series = d->content.find(id);
    return series && series->visible;
}

void PlotWidget::append(const QString& id, const PlotSamples& samples) {
    d->seriesFor(id).append(samples);
    d->touched();
}

void PlotWidget::append(const QString& id, std::span<const double> step, std::span<const double> value) {
    append(id, PlotSamples{step, {}, {}, value});
}

void PlotWidget::setData(const QString& id, const PlotSamples& samples) {
    PlotSeries& series = d->seriesFor(id);
    series.clear();
    series.append(samples);
    d->touched();
}

void PlotWidget::truncateFrom(double step) {
    for (const auto& series : d->content.series)
        series->truncateFrom(step);
    std::erase_if(d->content.skippedSteps, [step](double skipped) { return skipped >= step; });
    d->touched();
}

void PlotWidget::clearData() {
    for (const auto& series : d->content.series)
        series->clear();
    d->content.skippedSteps.clear();
    d->content.epochStarts.clear();
    d->content.marks.clear();
    resetZoom();
    d->touched();
}

int PlotWidget::pointCount(const QString& id) const {
    const PlotSeries* series = d->content.find(id);
    return series ? static_cast<int>(series->size()) : 0;
}

QColor PlotWidget::seriesColor(const QString& id) const {
    const PlotSeries* series = d->content.find(id);
    return series ? widgets::seriesColor(series->spec()) : QColor();
}

void PlotWidget::appendSkippedSteps(std::span<const double> steps) {
    d->content.skippedSteps.insert(d->content.skippedSteps.end(), steps.begin(), steps.end());
    d->touched();
}

void PlotWidget::setEpochStarts(const std::vector<double>& steps) {
    d->content.epochStarts = steps;
    d->touched();
}

void PlotWidget::setMarks(const std::vector<PlotMark>& marks) {
    d->content.marks = marks;
    d->touched();
}

void PlotWidget::setSmoothing(double factor) {
    d->content.smoothing = std::clamp(factor, 0.0, 0.999);
    for (const auto& series : d->content.series)
        series->setSmoothing(d->content.smoothing);
    for (const auto& [action, value] : d->smoothingActions)
        action->setChecked(value == d->content.smoothing);
    d->touched();
}

double PlotWidget::smoothing() const {
    return d->content.smoothing;
}

void PlotWidget::setXAxis(PlotXAxis axis) {
    if (axis == d->content.axis)
        return;
    d->content.axis = axis;
    d->axisActions[static_cast<std::size_t>(axis)]->setChecked(true);
    d->view->refreshAxes();
    d->view->resetZoom();  // a range of steps says nothing about seconds
    d->touched();
}

PlotXAxis PlotWidget::xAxis() const {
    return d->content.axis;
}

void PlotWidget::setYLog(bool on, PlotSide side) {
    if (isYLog(side) == on)
        return;
    d->view->setLog(d->axis(side), on);
    if (side == PlotSide::Left)
        d->yLog->setChecked(on);
    d->touched();
}

bool PlotWidget::isYLog(PlotSide side) const {
    return d->axis(side)->scaleType() == QCPAxis::stLogarithmic;
}

void PlotWidget::setXLog(bool on) {
    if (isXLog() == on)
        return;
    d->view->setLog(d->view->xAxis, on);
    d->xLog->setChecked(on);
    d->touched();
}

bool PlotWidget::isXLog() const {
    return d->view->xAxis->scaleType() == QCPAxis::stLogarithmic;
}

void PlotWidget::setXName(const QString& name) {
    d->content.xName = name;
    d->axisMenu->menuAction()->setVisible(name.isEmpty());
    d->view->refreshAxes();
    d->model->reset();
    d->touched();
}

void PlotWidget::setYLimits(std::optional<double> lower, std::optional<double> upper) {
    d->content.lowerLimit = lower;
    d->content.upperLimit = upper;
    d->touched();
}

bool PlotWidget::isZoomed() const {
    return d->view->isZoomed();
}
bool PlotWidget::isXZoomed() const {
    return d->view->isXZoomed();
}
void PlotWidget::resetZoom() {
    d->view->resetZoom();
}
void PlotWidget::resetXZoom() {
    d->view->resetXZoom();
}
void PlotWidget::zoomX(double lower, double upper) {
    d->view->setX(lower, upper);
}
void PlotWidget::zoomY(double lower, double upper) {
    d->view->setY(lower, upper);
}
void PlotWidget::showCursor(double x) {
    d->view->moveCursor(x, false);
}

std::pair<double, double> PlotWidget::xRange() const {
    return {d->view->xAxis->range().lower, d->view->xAxis->range().upper};
}

std::pair<double, double> PlotWidget::yRange(PlotSide side) const {
    return {d->axis(side)->range().lower, d->axis(side)->range().upper};
}

void PlotWidget::setTableVisible(bool visible) {
    d->table->setVisible(visible);
    d->showTable->setChecked(visible);
    d->model->refresh();
}

bool PlotWidget::isTableVisible() const {
    return !d->table->isHidden();
}

QAbstractTableModel* PlotWidget::valuesModel() const {
    return d->model;
}

QString PlotWidget::summaryText() const {
    QStringList parts;
    for (const auto& series : d->content.series) {
        if (!series->visible || series->size() == 0)
            continue;
        const MinMax range = series->raw().range(0, series->size());
        const QString name = series->spec().name.isEmpty() ? series->spec().id : series->spec().name;
        const QString newest = shortNumber(series->raw().values.back()),
                      place = shortNumber(series->x(PlotXAxis::Step).back());
        QString text = d->content.xName.isEmpty() ? tr("%1 is %2 at step %3").arg(name, newest, place)
                                                  : tr("%1 is %2 at %3 %4").arg(name, newest, d->content.xName, place);
        if (!range.isEmpty())
            text += tr(", between %1 and %2").arg(shortNumber(range.least), shortNumber(range.largest));
        if (!series->nonFinite().empty())
            text += tr(", %n value(s) not finite", nullptr, static_cast<int>(series->nonFinite().size()));
        parts.append(text);
    }
    if (!d->content.skippedSteps.empty())
        parts.append(tr("%n step(s) skipped", nullptr, static_cast<int>(d->content.skippedSteps.size())));
    if (!d->content.marks.empty())
        parts.append(tr("%n mark(s)", nullptr, static_cast<int>(d->content.marks.size())));
    return parts.isEmpty() ? d->content.emptyText : parts.join(QStringLiteral("; ")) + QLatin1Char('.');
}

bool PlotWidget::exportTo(const QString& path, QString* error) {
    QByteArray bytes;
    const QString suffix = path.section(QLatin1Char('.'), -1).toLower();
    if (suffix == QLatin1String("csv")) {
        bytes = toCsv().toUtf8();
    } else if (suffix == QLatin1String("svg")) {
        bytes = plotSvg(*d->view, d->title);
    } else if (suffix == QLatin1String("pdf")) {
        bytes = plotPdf(*d->view, d->title);
    } else if (suffix == QLatin1String("png")) {
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        plotImage(*d->view, d->title, kPictureScale).save(&buffer, "PNG");
    } else {
        if (error)
            *error = tr("A plot is exported as .png, .svg, .pdf or .csv, not as \"%1\". Change the file's ending.")
                         .arg(path);
        return false;
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        if (error)
            *error = tr("%1 could not be written: %2. Choose another folder.").arg(path, file.errorString());
        return false;
    }
    return true;
}

void PlotWidget::copyToClipboard() {
    auto* mime = new QMimeData;
    mime->setImageData(plotImage(*d->view, d->title, kPictureScale));
    mime->setData(QStringLiteral("image/svg+xml"), plotSvg(*d->view, d->title));
    mime->setText(summaryText());
    QApplication::clipboard()->setMimeData(mime);
}

QString PlotWidget::toCsv() const {
    return plotCsv(d->content);
}

QMenu* PlotWidget::menu() const {
    return d->menu;
}
void PlotWidget::setPanelButtonsVisible(bool visible) {
    d->header->setPanelButtonsVisible(visible);
}

void PlotWidget::setMovable(bool movable) {
    d->header->setMovable(movable);
    d->earlier->setVisible(movable);
    d->later->setVisible(movable);
}

void PlotWidget::replotNow() {
    d->view->replotNow();
    d->refreshTexts(true);
    d->dirty = false;
}

QSize PlotWidget::sizeHint() const {
    return {480, 260};
}
QSize PlotWidget::minimumSizeHint() const {
    return {220, 140};
}

void PlotWidget::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    d->view->scheduleReplot();
    d->dirty = false;
}

void PlotWidget::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        d->view->refreshAxes();
        setTitle(d->title);
    }
}

void PlotWidget::contextMenuEvent(QContextMenuEvent* event) {
    d->menu->popup(event->globalPos());
}

void PlotWidget::keyPressEvent(QKeyEvent* event) {
    const QPointF middle = d->view->axisArea().center();
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->matches(QKeySequence::Copy)) {
        copyToClipboard();
        return;
    }
    switch (event->key()) {
        case Qt::Key_Space:
            if (!event->isAutoRepeat())
                d->view->setSpaceHeld(true);
            break;
        case Qt::Key_Left:
            shift ? d->view->panBy(kPanKeyPixels, 0) : d->view->stepCursor(-1);
            break;
        case Qt::Key_Right:
            shift ? d->view->panBy(-kPanKeyPixels, 0) : d->view->stepCursor(1);
            break;
        case Qt::Key_Up:
        case Qt::Key_Down:
            if (!shift) {
                QWidget::keyPressEvent(event);
                return;
            }
            d->view->panBy(0, event->key() == Qt::Key_Up ? kPanKeyPixels : -kPanKeyPixels);
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            d->view->zoomAt(middle, kZoomKey, true, shift);
            break;
        case Qt::Key_Minus:
            d->view->zoomAt(middle, 1 / kZoomKey, true, shift);
            break;
        case Qt::Key_Home:
            resetZoom();
            break;
        case Qt::Key_Menu:
            d->menu->popup(d->view->mapToGlobal(middle.toPoint()));
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

void PlotWidget::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat())
        d->view->setSpaceHeld(false);
    else
        QWidget::keyReleaseEvent(event);
}

}  // namespace plumbline::widgets
