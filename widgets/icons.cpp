// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/icons.h"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <QtMath>

static void initIconResources() {
    Q_INIT_RESOURCE(widgets);
}

namespace plumbline::widgets {

namespace {

QString pathOf(const QString& name) {
    return QStringLiteral(":/plumbline/icons/%1.svg").arg(name);
}

QByteArray source(const QString& name) {
    static QHash<QString, QByteArray> cache;
    const auto found = cache.constFind(name);
    if (found != cache.constEnd())
        return *found;
    initIconResources();
    QFile file(pathOf(name));
    QByteArray text;
    if (file.open(QIODevice::ReadOnly))
        text = file.readAll();
    else
        qWarning("No icon named \"%s\".", qPrintable(name));
    cache.insert(name, text);
    return text;
}

/// The icon in device pixels.
QPixmap rendered(const QString& name, const QSize& size, const QColor& color) {
    const QString key =
        QStringLiteral("plumbline/%1/%2x%3/%4").arg(name).arg(size.width()).arg(size.height()).arg(color.rgba(), 0, 16);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QByteArray text = source(name);
    pixmap = QPixmap(size);
    pixmap.fill(Qt::transparent);
    if (!text.isEmpty()) {
        text.replace("currentColor", color.name().toLatin1());
        QSvgRenderer renderer(text);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setOpacity(color.alphaF());
        const int edge = qMin(size.width(), size.height());
        renderer.render(&painter, QRectF((size.width() - edge) / 2.0, (size.height() - edge) / 2.0, edge, edge));
    }
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

/// Renders the SVG at the size and colour of the moment, so that a change of theme or scale needs no new QIcon.
class ThemedIconEngine : public QIconEngine {
public:
    ThemedIconEngine(QString name, QColor color) : m_name(std::move(name)), m_color(std::move(color)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const double scale = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
        QPixmap pixmap = rendered(m_name, rect.size() * scale, colorFor(mode));
        pixmap.setDevicePixelRatio(scale);
        painter->drawPixmap(rect.topLeft(), pixmap);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
        return rendered(m_name, size, colorFor(mode));
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal) override {
        return rendered(m_name, size, colorFor(mode));  // the size is in device pixels already
    }

    QString key() const override { return QStringLiteral("plumbline"); }
    QString iconName() override { return m_name; }
    QIconEngine* clone() const override { return new ThemedIconEngine(*this); }

private:
    QColor colorFor(QIcon::Mode mode) const {
        const ThemeColors& colors = Theme::instance().colors();
        if (mode == QIcon::Disabled)
            return mixed(colors.surface, colors.muted, 0.6);
        if (mode == QIcon::Selected && !m_color.isValid())
            return colors.onAccent;
        return m_color.isValid() ? m_color : colors.text;
    }

    QString m_name;
    QColor m_color;
};

/// A severity or category icon takes its colour from the theme of the moment.
class TokenIconEngine : public QIconEngine {
public:
    using ColorOf = QColor (*)(int);
    TokenIconEngine(QString name, ColorOf colorOf, int token)
        : m_name(std::move(name)), m_colorOf(colorOf), m_token(token) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        engine(mode).paint(painter, rect, mode, state);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return engine(mode).pixmap(size, mode, state);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
        return pixmap(size, mode, state);
    }
    QString iconName() override { return m_name; }
    QIconEngine* clone() const override { return new TokenIconEngine(*this); }

private:
    /// On a selected row the token's colour would drown in the accent.
    ThemedIconEngine engine(QIcon::Mode mode) const {
        return {m_name, mode == QIcon::Selected ? QColor() : m_colorOf(m_token)};
    }

    QString m_name;
    ColorOf m_colorOf;
    int m_token;
};

}  // namespace

QIcon icon(const QString& name) {
    return source(name).isEmpty() ? QIcon() : QIcon(new ThemedIconEngine(name, QColor()));
}

QIcon icon(const QString& name, const QColor& color) {
    return source(name).isEmpty() ? QIcon() : QIcon(new ThemedIconEngine(name, color));
}

QIcon severityIcon(Severity severity) {
    if (severity == Severity::None)
        return {};
    const auto colorOf = [](int token) { return Theme::instance().severityColor(static_cast<Severity>(token)); };
    return QIcon(new TokenIconEngine(severityIconName(severity), colorOf, static_cast<int>(severity)));
}

QIcon categoryIcon(BlockCategory category) {
    const auto colorOf = [](int token) { return Theme::instance().categoryColor(static_cast<BlockCategory>(token)); };
    return QIcon(new TokenIconEngine(categoryIconName(category), colorOf, static_cast<int>(category)));
}

QString severityIconName(Severity severity) {
    switch (severity) {
        case Severity::Critical:
            return QStringLiteral("critical");
        case Severity::Warning:
            return QStringLiteral("warning");
        case Severity::Info:
            return QStringLiteral("info");
        case Severity::Good:
            return QStringLiteral("good");
        case Severity::None:
            break;
    }
    return {};
}

QString categoryIconName(BlockCategory category) {
    static constexpr const char* kNames[kBlockCategoryCount] = {
        "block-io",         "block-linear",    "block-convolution", "block-pooling",        "block-normalisation",
        "block-activation", "block-recurrent", "block-merge",       "block-regularisation", "block-composite",
        "block-plugin"};
    return QLatin1String(kNames[static_cast<int>(category)]);
}

void paintIcon(QPainter& painter, const QString& name, const QRectF& rect, const QColor& color) {
    const double device = painter.device() ? painter.device()->devicePixelRatioF() : 1.0;
    const double scale = device * std::hypot(painter.worldTransform().m11(), painter.worldTransform().m12());
    const QSize pixels(qMax(1, qCeil(rect.width() * scale)), qMax(1, qCeil(rect.height() * scale)));
    const QPixmap pixmap = rendered(name, pixels, color);
    painter.drawPixmap(rect, pixmap, QRectF(pixmap.rect()));
}

QStringList iconNames() {
    initIconResources();
    QStringList names;
    for (const QString& file : QDir(QStringLiteral(":/plumbline/icons")).entryList({QStringLiteral("*.svg")}))
        names.append(file.chopped(4));
    names.sort();
    return names;
}

}  // namespace plumbline::widgets
