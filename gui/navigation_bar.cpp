// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/navigation_bar.h"

#include <QAction>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/page.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr int kHeight = 60;
constexpr int kLeastHeight = 30;  ///< in a low window
constexpr int kWithText = 46;     ///< below this the icon stands alone; its name is in the tool tip

/// A tool button whose checked state is an accent bar and the accent colour, not a sunken frame.
class PageButton : public QToolButton {
public:
    explicit PageButton(QWidget* parent) : QToolButton(parent) {
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    }
    QSize sizeHint() const override { return {QToolButton::sizeHint().width(), kHeight}; }

protected:
    void paintEvent(QPaintEvent*) override {
        const ThemeColors& colors = Theme::instance().colors();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF box = QRectF(rect()).adjusted(space::kTiny, 2, -space::kTiny, -2);
        if (isChecked() || underMouse() || isDown()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(
                mixed(colors.background, isChecked() ? colors.accent : colors.text, isChecked() ? 0.14 : 0.06));
            painter.drawRoundedRect(box, kRadius, kRadius);
        }
        if (hasFocus()) {
            painter.setPen(QPen(colors.accent, 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), kRadius, kRadius);
        }
        const QColor ink = !isEnabled()  ? mixed(colors.background, colors.muted, 0.5)
                           : isChecked() ? colors.accent
                                         : colors.text;
        const int iconSide = 22;
        const bool withText = height() >= kWithText;
        const int textHeight = withText ? fontMetrics().height() : 0;
        const qreal top = (height() - iconSide - (withText ? int(space::kTiny) : 0) - textHeight) / 2.0;
        paintIcon(painter, property("iconName").toString(), QRectF((width() - iconSide) / 2.0, top, iconSide, iconSide),
                  ink);
        if (!withText) {
            return;
        }
        painter.setPen(ink);
        painter.setFont(font());
        painter.drawText(QRectF(0, top + iconSide + space::kTiny, width(), textHeight), Qt::AlignCenter, text());
    }
};

}  // namespace

NavigationBar::NavigationBar(const QList<Page*>& pages, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("navigation"));
    setAccessibleName(tr("Pages"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space::kSmall, 0, space::kSmall);
    layout->setSpacing(0);
    auto* group = new QButtonGroup(this);
    int widest = 72;
    for (int i = 0; i < pages.size(); ++i) {
        auto* button = new PageButton(this);
        button->setObjectName(QStringLiteral("page_") + pages[i]->id());
        button->setAccessibleName(pages[i]->title());
        button->setProperty("iconName", pages[i]->iconName());
        button->setText(pages[i]->title());
        button->setFont(Theme::instance().smallFont());
        button->setCheckable(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setToolTip(QStringLiteral("%1 (Ctrl+%2)").arg(pages[i]->title()).arg(i + 1));
        widest = std::max(widest, button->fontMetrics().horizontalAdvance(pages[i]->title()) + 2 * space::kMedium);
        group->addButton(button, i);
        layout->addWidget(button);
        m_buttons << button;

        auto* action = new QAction(icon(pages[i]->iconName()), pages[i]->title(), this);
        action->setObjectName(QStringLiteral("action_page_") + pages[i]->id());
        action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)));
        connect(action, &QAction::triggered, this, [this, i] {
            if (m_buttons[i]->isEnabled()) {
                Q_EMIT chosen(i);
            }
        });
        m_actions << action;
    }
    for (QToolButton* button : std::as_const(m_buttons)) {
        button->setFixedWidth(widest);
        button->setMinimumHeight(kLeastHeight);
    }
    layout->addStretch(1);
    setFixedWidth(widest + 1);
    // Toggled rather than clicked: assistive technology toggles a button without a click.
    connect(group, &QButtonGroup::idToggled, this, [this](int index, bool on) {
        if (on && index != m_current) {
            m_current = index;
            Q_EMIT chosen(index);
        }
    });
}

void NavigationBar::setCurrent(int index) {
    m_current = index;
    m_buttons[index]->setChecked(true);
}

void NavigationBar::setPageEnabled(int index, bool enabled) {
    m_buttons[index]->setEnabled(enabled);
    m_actions[index]->setEnabled(enabled);
}

void NavigationBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(Theme::instance().colors().border);
    painter.drawLine(width() - 1, 0, width() - 1, height());
}

}  // namespace plumbline::gui
