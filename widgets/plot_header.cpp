// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_header.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOptionToolButton>
#include <QStylePainter>
#include <QToolButton>
#include <algorithm>
#include <limits>
#include <numeric>

#include "widgets/icons.h"
#include "widgets/labels.h"
#include "widgets/plot_view.h"

namespace plumbline::widgets {

namespace {

constexpr int kSampleWidth = 18;
constexpr int kLongestName = 400, kShortestName = 60, kLeastName = 40, kNameStep = 20;
constexpr int kChipHeight = 24;

QToolButton* makeButton(const QString& iconName, const QString& objectName, const QString& text) {
    auto* button = new QToolButton;
    button->setIcon(icon(iconName));
    button->setIconSize(QSize(14, 14));
    button->setAutoRaise(true);
    button->setObjectName(objectName);
    button->setToolTip(text);
    button->setAccessibleName(text);
    return button;
}

}  // namespace

SeriesChip::SeriesChip(const PlotSeriesSpec& spec, QWidget* parent) : QAbstractButton(parent) {
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::TabFocus);
    setSpec(spec);
    connect(this, &QAbstractButton::toggled, this, &SeriesChip::describe);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void SeriesChip::setSpec(const PlotSeriesSpec& spec) {
    m_spec = spec;
    setText(spec.name.isEmpty() ? spec.id : spec.name);
    setObjectName(QStringLiteral("series_") + spec.id);
    describe();
}

void SeriesChip::setValue(const QString& value) {
    if (value == m_value)
        return;
    m_value = value;
    const int width = QFontMetrics(Theme::instance().numberFont()).horizontalAdvance(value);
    if (width > m_valueWidth) {
        m_valueWidth = width;
        updateGeometry();
    }
    describe();
}

void SeriesChip::describe() {
    setAccessibleName(m_value.isEmpty() ? text() : tr("%1, newest value %2").arg(text(), m_value));
    setToolTip(isChecked() ? tr("%1: click to hide").arg(text()) : tr("%1: click to show").arg(text()));
    update();
}

QSize SeriesChip::sizeHint() const {
    return {widthFor(std::numeric_limits<int>::max()), kChipHeight};
}

int SeriesChip::widthFor(int longestName) const {
    return nameWidthFor(longestName) + (m_valueWidth > 0 ? m_valueWidth + space::kTiny : 0);
}

int SeriesChip::nameWidthFor(int longestName) const {
    const int name = std::min(QFontMetrics(Theme::instance().smallFont()).horizontalAdvance(text()), longestName);
    return kSampleWidth + 4 * space::kTiny + name;
}

void SeriesChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = Theme::instance().colors();
    if (hasFocus() || underMouse()) {
        painter.setPen(hasFocus() ? QPen(colors.accent) : QPen(Qt::NoPen));
        painter.setBrush(mixed(colors.surface, colors.text, 0.05));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
    }
    const int middle = height() / 2;
    painter.setPen(samplePen(m_spec, isChecked() ? seriesColor(m_spec) : colors.border));
    painter.drawLine(QPointF(space::kTiny, middle), QPointF(space::kTiny + kSampleWidth, middle));
    int x = kSampleWidth + 2 * space::kTiny;
    painter.setFont(Theme::instance().smallFont());
    painter.setPen(colors.muted);
    const int whole = painter.fontMetrics().horizontalAdvance(text());
    // A name that is cut short anyway gives way to the value only where both have room.
    const bool withValue = width() >= widthFor(std::min(whole, kShortestName));
    const int wanted = withValue ? sizeHint().width() : nameWidthFor(whole);
    const int nameWidth = std::max(0, std::min(whole, whole - (wanted - width())));
    // Names of one plot begin alike and differ at the end.
    painter.drawText(QRect(x, 0, nameWidth, height()), Qt::AlignVCenter | Qt::AlignLeft,
                     nameWidth < whole ? painter.fontMetrics().elidedText(text(), Qt::ElideMiddle, nameWidth) : text());
    if (!isChecked())
        painter.drawLine(x, middle, x + nameWidth, middle);
    x += nameWidth + space::kTiny;
    painter.setFont(Theme::instance().numberFont());
    painter.setPen(isChecked() ? colors.text : colors.muted);
    if (withValue)
        painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, m_value);
}

namespace {

/// A title to choose from that ends in … where there is no room for all of it.
class TitleButton : public QToolButton {
protected:
    void paintEvent(QPaintEvent*) override {
        QStyleOptionToolButton option;
        initStyleOption(&option);
        if (const int wanted = sizeHint().width();
            width() < wanted) {  // a text's width is rounded: only where room is missing
            const int around = wanted - fontMetrics().horizontalAdvance(text());
            option.text = fontMetrics().elidedText(text(), Qt::ElideRight, width() - around);
        }
        QStylePainter(this).drawComplexControl(QStyle::CC_ToolButton, option);
    }
};

}  // namespace

PlotHeader::PlotHeader(QMenu* menu, QWidget* parent)
    : QWidget(parent),
      m_title(new ElidedLabel),
      m_chooser(new TitleButton),
      m_room(new QWidget),
      m_overflow(new QToolButton(m_room)),
      m_overflowMenu(new QMenu(this)),
      m_reset(makeButton(QStringLiteral("zoom-reset"), QStringLiteral("plotResetZoom"), tr("Reset zoom"))),
      m_more(makeButton(QStringLiteral("more"), QStringLiteral("plotMore"), tr("More"))),
      m_enlarge(
          makeButton(QStringLiteral("enlarge"), QStringLiteral("plotEnlarge"), tr("Enlarge or restore this plot"))),
      m_close(makeButton(QStringLiteral("close"), QStringLiteral("plotClose"), tr("Close this plot"))) {
    m_title->setObjectName(QStringLiteral("plotTitleText"));
    m_title->setFont(Theme::instance().titleFont());
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_chooser->setObjectName(QStringLiteral("plotTitle"));
    m_chooser->setAutoRaise(true);
    m_chooser->setFont(Theme::instance().titleFont());
    m_chooser->setPopupMode(QToolButton::InstantPopup);
    m_chooser->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_chooser->setMinimumWidth(60);
    m_chooser->hide();
    m_room->setFixedHeight(kChipHeight);
    m_room->installEventFilter(this);
    m_room->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_overflow->setAutoRaise(true);
    m_overflow->setFixedHeight(kChipHeight);
    m_overflow->setPopupMode(QToolButton::InstantPopup);
    m_overflow->setMenu(m_overflowMenu);
    m_overflow->setObjectName(QStringLiteral("plotMoreSeries"));
    m_overflow->setAccessibleName(tr("More series"));
    m_overflow->hide();
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(menu);
    m_reset->hide();
    m_enlarge->hide();
    m_close->hide();

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::kMedium, space::kTiny, space::kTiny, 0);
    layout->setSpacing(space::kTiny);
    layout->addWidget(m_title);
    layout->addWidget(m_chooser);
    layout->addSpacing(space::kSmall);
    layout->addWidget(m_room, 1);
    for (QToolButton* button : {m_reset, m_more, m_enlarge, m_close})
        layout->addWidget(button);

    connect(m_reset, &QToolButton::clicked, this, &PlotHeader::resetClicked);
    connect(m_enlarge, &QToolButton::clicked, this, &PlotHeader::enlargeClicked);
    connect(m_close, &QToolButton::clicked, this, &PlotHeader::closeClicked);
}

void PlotHeader::setTitle(const QString& title) {
    m_title->setText(title);
}

void PlotHeader::setTitleChoices(const QStringList& titles, int current) {
    if (!m_chooser->menu())
        m_chooser->setMenu(new QMenu(m_chooser));
    m_chooser->menu()->clear();
    for (int i = 0; i < titles.size(); ++i) {
        QAction* action = m_chooser->menu()->addAction(titles[i]);
        action->setCheckable(true);
        action->setChecked(i == current);
        connect(action, &QAction::triggered, this, [this, i] { Q_EMIT titleChosen(i); });
    }
    m_chooser->setText(titles.value(current));
    m_chooser->setToolTip(tr("Choose what this plot shows"));
    m_chooser->setAccessibleName(tr("%1: choose what this plot shows").arg(titles.value(current)));
    m_chooser->setVisible(!titles.isEmpty());
    m_title->setVisible(titles.isEmpty());
}

SeriesChip* PlotHeader::find(const QString& id) const {
    const auto found =
        std::find_if(m_chips.begin(), m_chips.end(), [&id](const SeriesChip* chip) { return chip->id() == id; });
    return found == m_chips.end() ? nullptr : *found;
}

void PlotHeader::setSeries(const PlotSeriesSpec& spec, bool visible) {
    SeriesChip* chip = find(spec.id);
    if (!chip) {
        chip = new SeriesChip(spec, m_room);
        m_chips.push_back(chip);
        connect(chip, &QAbstractButton::toggled, this, [this, chip](bool on) { Q_EMIT seriesToggled(chip->id(), on); });
    }
    chip->setSpec(spec);
    {
        const QSignalBlocker quiet(chip);
        chip->setChecked(visible);
    }
    chip->update();
    arrange();
}

void PlotHeader::removeSeries(const QString& id) {
    if (SeriesChip* chip = find(id)) {
        std::erase(m_chips, chip);
        chip->hide();
        chip->deleteLater();
        arrange();
    }
}

void PlotHeader::setChecked(const QString& id, bool visible) {
    if (SeriesChip* chip = find(id))
        chip->setChecked(visible);
}

void PlotHeader::setValue(const QString& id, const QString& value) {
    if (SeriesChip* chip = find(id)) {
        const QSize before = chip->sizeHint();
        chip->setValue(value);
        if (chip->sizeHint() != before)
            arrange();
    }
}

void PlotHeader::setZoomed(bool zoomed) {
    m_reset->setVisible(zoomed);
}

void PlotHeader::setPanelButtonsVisible(bool visible) {
    m_enlarge->setVisible(visible);
    m_close->setVisible(visible);
}

void PlotHeader::setMovable(bool movable) {
    m_movable = movable;
    m_title->setCursor(movable ? Qt::OpenHandCursor : Qt::ArrowCursor);
    m_title->setToolTip(movable ? tr("Drag to move this plot") : QString());
}

void PlotHeader::mousePressEvent(QMouseEvent* event) {
    if (!m_movable || event->button() != Qt::LeftButton) {
        QWidget::mousePressEvent(event);
        return;
    }
    m_pressed = event->globalPosition().toPoint();
}

void PlotHeader::mouseMoveEvent(QMouseEvent* event) {
    const QPoint now = event->globalPosition().toPoint();
    if (!m_pressed || (!m_dragging && (now - *m_pressed).manhattanLength() < QApplication::startDragDistance()))
        return;
    if (!m_dragging)
        setCursor(Qt::ClosedHandCursor);
    m_dragging = true;
    Q_EMIT dragMoved(now);
}

void PlotHeader::mouseReleaseEvent(QMouseEvent* event) {
    const bool dropping = m_dragging;
    m_pressed.reset();
    m_dragging = false;
    unsetCursor();
    if (dropping)
        Q_EMIT dropped(event->globalPosition().toPoint());
}

QSize PlotHeader::minimumSizeHint() const {
    return {120, kChipHeight + space::kSmall};
}

// Its room changes with the title and the buttons as well.
bool PlotHeader::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_room && event->type() == QEvent::Resize)
        arrange();
    return QWidget::eventFilter(watched, event);
}

void PlotHeader::arrange() {
    constexpr int kOverflowWidth = 40;
    // A long title gives way to the button behind which the series are.
    m_room->setMinimumWidth(m_chips.empty() ? 0 : kOverflowWidth);
    const auto total = [this](int longestName) {
        return std::accumulate(m_chips.begin(), m_chips.end(), 0, [longestName](int sum, const SeriesChip* chip) {
            return sum + chip->widthFor(longestName) + int(space::kTiny);
        });
    };
    // All of them, with names as long as there is room for. Where even short ones do not fit, the first ones have their
    // whole names, one more what is left, and the others are in a menu.
    int longestName = kLongestName;
    while (longestName > kShortestName && total(longestName) > m_room->width())
        longestName = std::max(kShortestName, longestName - kNameStep);
    const bool allFit = total(longestName) <= m_room->width();
    const int available = m_room->width() - (allFit ? 0 : kOverflowWidth);
    int x = 0;
    std::size_t shown = 0;
    for (bool more = true; more && shown < m_chips.size();) {
        SeriesChip* chip = m_chips[shown];
        const int wanted = chip->widthFor(allFit ? longestName : kLongestName), left = available - x;
        if (std::min(wanted, chip->nameWidthFor(kLeastName)) > left)
            break;
        more = wanted <= left;
        chip->setGeometry(x, 0, std::min(wanted, left), kChipHeight);
        chip->show();
        x += chip->width() + space::kTiny;
        ++shown;
    }
    for (std::size_t i = shown; i < m_chips.size(); ++i)
        m_chips[i]->hide();
    const bool overflow = shown < m_chips.size();
    m_overflow->setVisible(overflow);
    if (!overflow)
        return;
    m_overflow->setText(QStringLiteral("+%1").arg(m_chips.size() - shown));
    m_overflow->move(x, 0);
    m_overflow->adjustSize();
    m_overflowMenu->clear();
    for (std::size_t i = shown; i < m_chips.size(); ++i) {
        SeriesChip* chip = m_chips[i];
        QAction* action = m_overflowMenu->addAction(chip->accessibleName());
        action->setCheckable(true);
        action->setChecked(chip->isChecked());
        connect(action, &QAction::triggered, chip, &QAbstractButton::click);
    }
}

}  // namespace plumbline::widgets
