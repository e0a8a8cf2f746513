// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/welcome_page.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include "gui/convert.h"
#include "gui/engine_text.h"
#include "gui/file_controller.h"
#include "gui/model/model_picture.h"
#include "gui/recent_projects.h"
#include "gui/workspace.h"
#include "widgets/accent_icon.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr QSize kPicture(272, 156);
/// With room above, so that the first row does not touch the list's edge.
constexpr QSize kHung = kPicture + QSize(0, space::kMedium);

QPixmap hung(const QPixmap& picture) {
    QPixmap made(kHung * picture.devicePixelRatio());
    made.setDevicePixelRatio(picture.devicePixelRatio());
    made.fill(Qt::transparent);
    QPainter(&made).drawPixmap(0, space::kMedium, picture);
    return made;
}

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setFont(Theme::instance().titleFont());
    return label;
}

QListWidget* list(const char* name, const QString& accessible, QWidget* parent) {
    auto* made = new QListWidget(parent);
    made->setObjectName(QLatin1String(name));
    made->setAccessibleName(accessible);
    made->setFrameShape(QFrame::NoFrame);
    made->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    return made;
}

}  // namespace

WelcomePage::WelcomePage(Workspace& workspace, FileController& files, QWidget* parent)
    : Page(workspace, parent), m_files(files) {
    auto* title = new QLabel(QStringLiteral("Plumbline"), this);
    QFont large = Theme::instance().titleFont();
    large.setPointSizeF(large.pointSizeF() * 1.8);
    title->setFont(large);
    auto* subtitle = new QLabel(tr("The training workbench that tells you when your model is silently wrong."), this);
    subtitle->setForegroundRole(QPalette::PlaceholderText);
    subtitle->setWordWrap(true);

    auto* fromData = new QPushButton(tr("Start from my data…"), this);
    fromData->setObjectName(QStringLiteral("welcome_from_data"));
    fromData->setToolTip(tr("A table, an IDX file or a folder of images; it can also be dropped on this window."));
    fromData->setDefault(true);
    auto* create = new QPushButton(icon(QStringLiteral("new")), tr("New from template…"), this);
    create->setObjectName(QStringLiteral("welcome_new"));
    auto* open = new QPushButton(icon(QStringLiteral("open")), tr("Open a project…"), this);
    open->setObjectName(QStringLiteral("welcome_open"));
    connect(fromData, &QPushButton::clicked, &files, [&files] { files.startFromData(); });
    connect(create, &QPushButton::clicked, &files, &FileController::newFromTemplate);
    connect(open, &QPushButton::clicked, &files, &FileController::openWithDialog);

    m_recent = list("welcome_recent", tr("Recent projects"), this);
    m_recent->setMinimumWidth(280);
    m_recent->setTextElideMode(Qt::ElideMiddle);
    m_noRecent = new QLabel(tr("No project was opened yet. Start from your data, a template or a sample."), this);
    static_cast<QLabel*>(m_noRecent)->setWordWrap(true);
    m_noRecent->setForegroundRole(QPalette::PlaceholderText);
    m_samples = list("welcome_samples", tr("Sample projects"), this);
    m_samples->setViewMode(QListView::IconMode);
    m_samples->setIconSize(kHung);
    m_samples->setGridSize(kHung + QSize(space::kHuge, 3 * fontMetrics().height() + space::kHuge));
    m_samples->setResizeMode(QListView::Adjust);
    m_samples->setMovement(QListView::Static);
    m_samples->setWordWrap(true);
    m_samples->setSpacing(0);
    m_samples->setUniformItemSizes(true);
    m_samples->viewport()->setAutoFillBackground(false);
    m_recent->viewport()->setAutoFillBackground(false);

    const auto chosen = [](QListWidgetItem* item) { return item->data(Qt::UserRole).toString(); };
    connect(m_recent, &QListWidget::itemActivated, this,
            [this, chosen](QListWidgetItem* item) { m_files.open(chosen(item)); });
    connect(m_recent, &QListWidget::itemClicked, this,
            [this, chosen](QListWidgetItem* item) { m_files.open(chosen(item)); });
    connect(m_samples, &QListWidget::itemActivated, this,
            [this, chosen](QListWidgetItem* item) { m_files.openSample(chosen(item)); });

    auto* left = new QVBoxLayout;
    left->setSpacing(space::kSmall);
    left->addWidget(title);
    left->addWidget(subtitle);
    left->addSpacing(space::kLarge);
    left->addWidget(fromData);
    left->addWidget(create);
    left->addWidget(open);
    left->addSpacing(space::kHuge);
    left->addWidget(heading(tr("Recent"), this));
    left->addWidget(m_noRecent);
    left->addWidget(m_recent, 1);
    auto* right = new QVBoxLayout;
    right->setSpacing(space::kSmall);
    right->addWidget(heading(tr("Samples, with data"), this));
    auto* hint = new QLabel(tr("Double click opens one; each trains on this machine."), this);
    hint->setForegroundRole(QPalette::PlaceholderText);
    hint->setWordWrap(true);
    right->addWidget(hint);
    right->addSpacing(space::kSmall);
    right->addWidget(m_samples, 1);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * space::kHuge, space::kHuge, space::kHuge, space::kHuge);
    layout->setSpacing(2 * space::kHuge);
    layout->addLayout(left, 0);
    layout->addLayout(right, 1);

    setAccentIcon(*fromData, QStringLiteral("import"));
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_filled = false;
        if (isVisible()) {
            activated();
        }
    });
}

void WelcomePage::activated() {
    fillRecent();
    if (!m_filled) {
        m_filled = true;
        fillSamples();
    }
}

void WelcomePage::fillRecent() {
    m_recent->clear();
    for (const QString& folder : RecentProjects::folders()) {
        auto* item = new QListWidgetItem(icon(QStringLiteral("folder")),
                                         QFileInfo(folder).fileName() + QLatin1Char('\n') + folder, m_recent);
        item->setData(Qt::UserRole, folder);
        item->setToolTip(folder);
        item->setSizeHint(QSize(0, 2 * fontMetrics().height() + space::kMedium));
    }
    m_noRecent->setVisible(m_recent->count() == 0);
}

void WelcomePage::fillSamples() {
    m_samples->clear();
    m_toDraw.clear();
    QPixmap empty(kPicture);
    empty.fill(Theme::instance().colors().surface);
    for (const Sample& sample : samples()) {
        const QString about =
            engineText(bytes(sample.description));  // its own translation stands with the engine's texts
        auto* item = new QListWidgetItem(hung(empty), sample.title + QLatin1Char('\n') + about, m_samples);
        item->setData(Qt::UserRole, text(sample.folder));
        item->setToolTip(about);
        item->setSizeHint(m_samples->gridSize() -
                          QSize(space::kSmall, space::kSmall));  // two lines of what it is about
        m_toDraw << text(sample.folder);
    }
    m_pending = static_cast<int>(m_toDraw.size());
    QTimer::singleShot(0, this, &WelcomePage::drawNextPicture);
}

void WelcomePage::drawNextPicture() {
    if (m_toDraw.isEmpty()) {
        m_pending = 0;
        return;
    }
    const QString folder = m_toDraw.takeFirst();
    m_pending = static_cast<int>(m_toDraw.size());
    for (int row = 0; row < m_samples->count(); ++row) {
        if (m_samples->item(row)->data(Qt::UserRole).toString() == folder) {
            const QPixmap picture = modelPicture(filePath(folder), kPicture, devicePixelRatioF());
            if (!picture.isNull()) {
                m_samples->item(row)->setIcon(hung(picture));
            }
        }
    }
    QTimer::singleShot(0, this, &WelcomePage::drawNextPicture);  // one at a time: the window stays awake
}

}  // namespace plumbline::gui
