// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/help_viewer.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QImage>
#include <QLocale>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/convert.h"
#include "gui/screen_room.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

namespace {

constexpr int kWidth = 820;
constexpr int kHeight = 700;
constexpr int kBesidePictures = 80;  ///< the margins and a scroll bar

/// Pictures no wider than the text.
class PageBrowser : public QTextBrowser {
public:
    PageBrowser(int pictureWidth, QWidget* parent) : QTextBrowser(parent), m_pictureWidth(pictureWidth) {}

    QVariant loadResource(int type, const QUrl& name) override {
        const QVariant loaded = QTextBrowser::loadResource(type, name);
        QImage picture = type == QTextDocument::ImageResource ? QImage::fromData(loaded.toByteArray()) : QImage();
        if (picture.width() <= m_pictureWidth) {
            return loaded;
        }
        const qreal ratio = devicePixelRatioF();
        picture = picture.scaledToWidth(qRound(m_pictureWidth * ratio), Qt::SmoothTransformation);
        picture.setDevicePixelRatio(ratio);
        return picture;
    }

private:
    int m_pictureWidth;
};

class HelpViewer : public QDialog {
    Q_DECLARE_TR_FUNCTIONS(HelpViewer)

public:
    explicit HelpViewer(QWidget* parent) : QDialog(parent) {
        setObjectName(QStringLiteral("help_viewer"));
        setWindowTitle(tr("Documentation"));
        resize(withinScreen(QSize(kWidth, kHeight)));
        m_browser = new PageBrowser(width() - kBesidePictures, this);
        m_browser->setObjectName(QStringLiteral("help_text"));
        m_browser->setAccessibleName(tr("Documentation"));
        m_browser->setOpenExternalLinks(true);
        auto* row = new QHBoxLayout;
        const auto add = [&](const char* name, const char* iconName, const QString& what) {
            auto* made = new QToolButton(this);
            made->setObjectName(QLatin1String(name));
            made->setIcon(widgets::icon(QLatin1String(iconName)));
            made->setToolTip(what);
            made->setAccessibleName(what);
            made->setAutoRaise(true);
            row->addWidget(made);
            return made;
        };
        auto* back = add("help_back", "chevron-left", tr("Back"));
        auto* home = add("help_home", "home", tr("All pages"));
        row->addStretch(1);
        back->setEnabled(false);
        connect(m_browser, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
        connect(back, &QToolButton::clicked, m_browser, &QTextBrowser::backward);
        connect(home, &QToolButton::clicked, this, [this] { open(QStringLiteral("README.md")); });
        auto* layout = new QVBoxLayout(this);
        layout->addLayout(row);
        layout->addWidget(m_browser, 1);
    }

    bool open(const QString& page) {
        const QString file = text(documentationPage(page));
        if (file.isEmpty()) {
            return false;
        }
        m_browser->setSource(QUrl::fromLocalFile(file), QTextDocument::MarkdownResource);
        return true;
    }

private:
    QTextBrowser* m_browser;
};

}  // namespace

std::filesystem::path documentationFolder() {
    const QString program = QCoreApplication::applicationDirPath();
    for (const QString& candidate :
         {program + QStringLiteral("/../share/doc/plumbline/docs"), QStringLiteral(PLUMBLINE_SOURCE_DIR "/docs")}) {
        if (QFileInfo(candidate).isDir()) {
            return filePath(QDir::cleanPath(candidate));
        }
    }
    return {};
}

std::filesystem::path documentationPage(const QString& page) {
    const std::filesystem::path folder = documentationFolder();
    for (const std::filesystem::path& place : {folder / filePath(QLocale().name()), folder}) {
        if (!folder.empty() && QFileInfo(text(place / filePath(page))).isFile()) {
            return place / filePath(page);
        }
    }
    return {};
}

bool showDocumentation(QWidget* window, const QString& page) {
    auto* viewer = dynamic_cast<HelpViewer*>(
        window->findChild<QDialog*>(QStringLiteral("help_viewer"), Qt::FindDirectChildrenOnly));
    if (!viewer) {
        viewer = new HelpViewer(window);
    }
    if (!viewer->open(page)) {
        return false;
    }
    viewer->show();
    viewer->raise();
    viewer->activateWindow();
    return true;
}

}  // namespace plumbline::gui
