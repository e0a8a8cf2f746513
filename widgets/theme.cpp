// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme.h"

#include <QApplication>
#include <QCoreApplication>
#include <QEvent>
#include <QFile>
#include <QFontDatabase>
#include <QFontInfo>
#include <QPalette>
#include <QRegularExpression>
#include <QStyle>
#include <QStyleFactory>
#include <QStyleHints>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <memory>

static void initResources() {
    Q_INIT_RESOURCE(widgets);
}

namespace plumbline::widgets {

namespace {

ThemeColors makeLight() {
    ThemeColors c;
    c.background = QColor("#F5F6F8");
    c.surface = QColor("#FFFFFF");
    c.raised = QColor("#FFFFFF");
    c.border = QColor("#D9DDE3");
    c.gridLine = QColor("#E9ECF0");
    c.text = QColor("#1D2430");
    c.muted = QColor("#5F6B7A");
    c.accent = QColor("#2763DB");
    c.onAccent = QColor("#FFFFFF");
    c.critical = QColor("#C62828");
    c.warning = QColor("#9A5B00");
    c.info = QColor("#2763DB");
    c.good = QColor("#1A7F4B");
    c.curves = {QColor("#0072B2"), QColor("#B87800"), QColor("#008A65"),
                QColor("#C65200"), QColor("#B0578F"), QColor("#2384BE")};
    // In the order of BlockCategory: grey, blue, teal, olive, violet, orange, magenta, slate, rose, indigo, brown.
    c.categories = {QColor("#6B7280"), QColor("#2763DB"), QColor("#0B8080"), QColor("#6E7A12"),
                    QColor("#7A4FC4"), QColor("#C05A00"), QColor("#B0318F"), QColor("#4A6076"),
                    QColor("#C13B62"), QColor("#4346B8"), QColor("#80553A")};
    return c;
}

ThemeColors makeDark() {
    ThemeColors c;
    c.background = QColor("#14171C");
    c.surface = QColor("#1C2128");
    c.raised = QColor("#242B34");
    c.border = QColor("#343D48");
    c.gridLine = QColor("#2A313A");
    c.text = QColor("#E6EAF0");
    c.muted = QColor("#9AA6B4");
    c.accent = QColor("#6EA0FF");
    c.onAccent = QColor("#0E1116");
    c.critical = QColor("#FF7B72");
    c.warning = QColor("#F2B84B");
    c.info = QColor("#6EA0FF");
    c.good = QColor("#4CC38A");
    c.curves = {QColor("#3D9BE0"), QColor("#E69F00"), QColor("#22B98A"),
                QColor("#F0803C"), QColor("#DB90BA"), QColor("#7CC8F2")};
    c.categories = {QColor("#9CA3AF"), QColor("#6EA0FF"), QColor("#35BDB2"), QColor("#B3BF4A"),
                    QColor("#B194F0"), QColor("#F0913C"), QColor("#E480C8"), QColor("#8FA7BE"),
                    QColor("#F0849F"), QColor("#9498F5"), QColor("#C79A78")};
    return c;
}

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

bool systemIsDark() {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    return QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark;
#else
    // Fusion's own palette follows the platform's appearance from Qt 6.4 on.
    const std::unique_ptr<QStyle> fusion(QStyleFactory::create(QStringLiteral("Fusion")));
    return fusion && fusion->standardPalette().color(QPalette::Window).lightness() < 128;
#endif
}

QPalette makePalette(const ThemeColors& c) {
    QPalette palette;
    palette.setColor(QPalette::Window, c.background);
    palette.setColor(QPalette::WindowText, c.text);
    palette.setColor(QPalette::Base, c.surface);
    palette.setColor(QPalette::AlternateBase, mixed(c.surface, c.background, 0.6));
    palette.setColor(QPalette::Text, c.text);
    palette.setColor(QPalette::PlaceholderText, c.muted);
    palette.setColor(QPalette::Button, c.raised);
    palette.setColor(QPalette::ButtonText, c.text);
    palette.setColor(QPalette::BrightText, c.onAccent);
    palette.setColor(QPalette::ToolTipBase, c.raised);
    palette.setColor(QPalette::ToolTipText, c.text);
    palette.setColor(QPalette::Highlight, c.accent);
    palette.setColor(QPalette::HighlightedText, c.onAccent);
    palette.setColor(QPalette::Link, c.accent);
    palette.setColor(QPalette::LinkVisited, c.accent);
    palette.setColor(QPalette::Light, mixed(c.raised, c.text, 0.05));
    palette.setColor(QPalette::Midlight, c.gridLine);
    palette.setColor(QPalette::Mid, c.border);
    palette.setColor(QPalette::Dark, mixed(c.border, c.text, 0.25));
    palette.setColor(QPalette::Shadow, mixed(c.background, c.text, 0.5));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, mixed(c.surface, c.muted, 0.75));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, c.border);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, c.muted);
    return palette;
}

/// The style sheet names colours as @text, @border …
QString fillIn(QString sheet, const ThemeColors& c, bool dark) {
    const std::pair<const char*, QColor> names[] = {{"@background", c.background},
                                                    {"@surface", c.surface},
                                                    {"@raised", c.raised},
                                                    {"@border", c.border},
                                                    {"@grid", c.gridLine},
                                                    {"@text", c.text},
                                                    {"@muted", c.muted},
                                                    {"@accent", c.accent},
                                                    {"@onAccent", c.onAccent},
                                                    {"@critical", c.critical},
                                                    {"@warning", c.warning},
                                                    {"@edge", mixed(c.border, c.text, 0.25)},
                                                    {"@hover", mixed(c.raised, c.text, 0.06)},
                                                    {"@pressed", mixed(c.raised, c.text, 0.12)},
                                                    {"@chosen", mixed(c.surface, c.accent, 0.16)}};
    for (const auto& [name, color] : names) {
        // "@onAccent" is no prefix of another name; whole words alone are replaced.
        sheet.replace(QRegularExpression(QString::fromLatin1(name) + QStringLiteral("\\b")), color.name());
    }
    sheet.replace(QStringLiteral("@mode"), dark ? QStringLiteral("dark") : QStringLiteral("light"));
    return sheet.replace(QStringLiteral("@radius"), QString::number(kRadius) + QStringLiteral("px"));
}

QFont withFamily(std::initializer_list<const char*> families, int points, const QFont& fallback) {
    QFont font(fallback);
    for (const char* family : families) {
        if (QFontDatabase::hasFamily(QLatin1String(family))) {
            font.setFamilies({QLatin1String(family), QStringLiteral("Noto Sans CJK SC")});
            break;
        }
    }
    font.setPointSize(points);
    return font;
}

QFont withPoints(QFont font, int points) {
    font.setPointSize(points);
    return font;
}

/// `text` with digits that are all equally wide.
QFont withTabularFigures(QFont text) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    text.setFeature("tnum", 1);
    return text;
#else
    // Font features cannot be chosen before Qt 6.7: take the text family where all its digits are equally wide
    // already, else one whose digits are.
    const auto even = [](const QFont& font) {
        const QFontMetrics measure(font);
        return measure.horizontalAdvance(QStringLiteral("1111")) == measure.horizontalAdvance(QStringLiteral("0000"));
    };
    if (even(text))
        return text;
    for (const char* family : {"Noto Sans", "Liberation Sans", "Nimbus Sans", "DejaVu Sans"}) {
        if (!QFontDatabase::hasFamily(QLatin1String(family)))
            continue;
        const QFont font = withFamily({family}, text.pointSize(), text);
        if (even(font))
            return font;
    }
    return text;
#endif
}

}  // namespace

const ThemeColors& themeColors(bool dark) {
    static const ThemeColors lightColors = makeLight();
    static const ThemeColors darkColors = makeDark();
    return dark ? darkColors : lightColors;
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor mixed(const QColor& under, const QColor& over, double opacity) {
    const auto channel = [opacity](double below, double above) { return below + (above - below) * opacity; };
    return QColor::fromRgbF(static_cast<float>(channel(under.redF(), over.redF())),
                            static_cast<float>(channel(under.greenF(), over.greenF())),
                            static_cast<float>(channel(under.blueF(), over.blueF())));
}

QColor inkOn(const QColor& ground) {
    const QColor dark(Qt::black), light(Qt::white);
    return contrastRatio(ground, dark) >= contrastRatio(ground, light) ? dark : light;
}

QColor rampColor(double t) {
    // viridis (van der Walt and Smith, 2015; CC0) at 17 even stops, linear in between.
    static constexpr std::array<QRgb, 17> kStops = {
        0xff440154, 0xff48186a, 0xff472d7b, 0xff424086, 0xff3b528b, 0xff33638d, 0xff2c728e, 0xff26828e, 0xff21918c,
        0xff1fa088, 0xff28ae80, 0xff3fbc73, 0xff5ec962, 0xff84d44b, 0xffaddc30, 0xffd8e219, 0xfffde725};
    if (std::isnan(t))
        t = 0;
    const double place = std::clamp(t, 0.0, 1.0) * (kStops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), kStops.size() - 2);
    return mixed(QColor(kStops[below]), QColor(kStops[below + 1]), place - static_cast<double>(below));
}

Theme::Fonts Theme::makeFonts() {
    Fonts fonts;
    fonts.text =
        withFamily({"Inter", "Noto Sans", "DejaVu Sans"}, 10, QFontDatabase::systemFont(QFontDatabase::GeneralFont));
    fonts.small = withPoints(fonts.text, 9);
    fonts.title = fonts.text;
    fonts.title.setWeight(QFont::DemiBold);
    fonts.number = withTabularFigures(fonts.text);
    fonts.mono = withFamily({"JetBrains Mono", "DejaVu Sans Mono", "Noto Sans Mono"}, 9,
                            QFontDatabase::systemFont(QFontDatabase::FixedFont));
    fonts.mono.setStyleHint(QFont::Monospace);
    return fonts;
}

Theme& Theme::instance() {
    static Theme theme;
    return theme;
}

void Theme::install(QApplication& application, ThemeMode mode) {
    initResources();
    m_application = &application;
    m_mode = mode;
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.installEventFilter(this);
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, &Theme::refresh,
            Qt::UniqueConnection);
#endif
    connect(&application, &QGuiApplication::fontDatabaseChanged, this, &Theme::refresh, Qt::UniqueConnection);
    refresh();
}

void Theme::setMode(ThemeMode mode) {
    if (m_mode == mode)
        return;
    m_mode = mode;
    refresh();
}

void Theme::refresh() {
    if (!m_application || m_refreshing)
        return;
    m_refreshing = true;
    m_fonts.reset();
    m_dark = m_mode == ThemeMode::Dark || (m_mode == ThemeMode::System && systemIsDark());
    m_application->setFont(textFont());
    m_application->setPalette(makePalette(colors()));
    if (!m_building)
        applyStyleSheet();
    m_refreshing = false;
    Q_EMIT changed();
}

void Theme::applyStyleSheet() {
    QFile file(QStringLiteral(":/plumbline/styles/widgets.qss"));
    if (file.open(QIODevice::ReadOnly))
        m_application->setStyleSheet(fillIn(QString::fromUtf8(file.readAll()), colors(), m_dark));
}

void Theme::build(const std::function<void()>& makeWidgets) {
    m_building = true;
    if (m_application)
        m_application->setStyleSheet({});
    makeWidgets();
    m_building = false;
    if (m_application)
        applyStyleSheet();
}

bool Theme::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ThemeChange && m_mode == ThemeMode::System && systemIsDark() != m_dark)
        QMetaObject::invokeMethod(this, &Theme::refresh, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

QColor Theme::severityColor(Severity severity) const {
    switch (severity) {
        case Severity::Critical:
            return colors().critical;
        case Severity::Warning:
            return colors().warning;
        case Severity::Info:
            return colors().info;
        case Severity::Good:
            return colors().good;
        case Severity::None:
            break;
    }
    return colors().muted;
}

QColor Theme::curveColor(int index) const {
    return colors().curves[static_cast<std::size_t>(std::max(index, 0) % kCurveColorCount)];
}

QColor Theme::categoryColor(BlockCategory category) const {
    return colors().categories[static_cast<std::size_t>(category)];
}

const Theme::Fonts& Theme::fonts() const {
    if (!m_fonts)
        m_fonts = makeFonts();
    return *m_fonts;
}

QString severityName(Severity severity) {
    switch (severity) {
        case Severity::Critical:
            return Theme::tr("critical");
        case Severity::Warning:
            return Theme::tr("warning");
        case Severity::Info:
            return Theme::tr("info");
        case Severity::Good:
            return Theme::tr("good");
        case Severity::None:
            break;
    }
    return {};
}

QString categoryName(BlockCategory category) {
    switch (category) {
        case BlockCategory::InputOutput:
            return Theme::tr("Input and output");
        case BlockCategory::Linear:
            return Theme::tr("Linear");
        case BlockCategory::Convolution:
            return Theme::tr("Convolution");
        case BlockCategory::Pooling:
            return Theme::tr("Pooling");
        case BlockCategory::Normalisation:
            return Theme::tr("Normalisation");
        case BlockCategory::Activation:
            return Theme::tr("Activation");
        case BlockCategory::Recurrent:
            return Theme::tr("Recurrent and attention");
        case BlockCategory::Merge:
            return Theme::tr("Merge and tensor");
        case BlockCategory::Regularisation:
            return Theme::tr("Regularisation");
        case BlockCategory::Composite:
            return Theme::tr("Composites");
        case BlockCategory::Plugin:
            return Theme::tr("Plug-ins");
    }
    return {};
}

}  // namespace plumbline::widgets
