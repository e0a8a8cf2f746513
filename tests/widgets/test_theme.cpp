// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_theme.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFontInfo>
#include <QFontMetrics>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include "widgets/icons.h"
#include "widgets/theme.h"

using namespace plumbline::widgets;

void TestTheme::textHasContrastOfFourAndAHalf() {
    for (const bool dark : {false, true}) {
        const ThemeColors& c = themeColors(dark);
        for (const QColor& below : {c.background, c.surface, c.raised}) {
            for (const QColor& text : {c.text, c.muted, c.accent, c.critical, c.warning, c.info, c.good})
                QVERIFY2(
                    contrastRatio(text, below) >= 4.5,
                    qPrintable(
                        QStringLiteral("%1 on %2: %3").arg(text.name(), below.name()).arg(contrastRatio(text, below))));
        }
        QVERIFY(contrastRatio(c.onAccent, c.accent) >= 4.5);
    }
}

void TestTheme::whatCarriesMeaningHasContrastOfThree() {
    for (const bool dark : {false, true}) {
        const ThemeColors& c = themeColors(dark);
        for (const QColor& below : {c.background, c.surface, c.raised}) {
            for (const QColor& color : c.curves)
                QVERIFY2(contrastRatio(color, below) >= 3, qPrintable(color.name() + " on " + below.name()));
            for (const QColor& color : c.categories)
                QVERIFY2(contrastRatio(color, below) >= 3, qPrintable(color.name() + " on " + below.name()));
        }
    }
}

void TestTheme::heatRampGrowsEvenlyInBrightness() {
    double before = -1;
    for (int i = 0; i <= 20; ++i) {
        const double now = contrastRatio(rampColor(i / 20.0), Qt::black);
        QVERIFY(now > before);
        before = now;
    }
    QCOMPARE(rampColor(-3), rampColor(0));
    QCOMPARE(rampColor(7), rampColor(1));
}

void TestTheme::switchingModesChangesPaletteAndTells() {
    Theme& theme = Theme::instance();
    QSignalSpy changes(&theme, &Theme::changed);
    theme.setMode(ThemeMode::Dark);
    QCOMPARE(changes.count(), 1);
    QVERIFY(theme.isDark());
    QCOMPARE(qApp->palette().color(QPalette::Window), themeColors(true).background);
    theme.setMode(ThemeMode::Light);
    QCOMPARE(qApp->palette().color(QPalette::Window), themeColors(false).background);
    QVERIFY(!qApp->styleSheet().contains(QLatin1Char('@')));
}

void TestTheme::everyPictureNamedInTheStyleSheetExists() {
    const QRegularExpression url(QStringLiteral("url\\(([^)]*)\\)"));
    auto found = url.globalMatch(qApp->styleSheet());
    int count = 0;
    while (found.hasNext()) {
        const QString path = found.next().captured(1);
        QVERIFY2(QFile::exists(path), qPrintable(path));
        ++count;
    }
    QVERIFY(count > 0);
}

void TestTheme::everyIconDrawsSomethingInTheAskedColour() {
    QVERIFY(iconNames().size() > 60);
    for (const QString& name : iconNames()) {
        const QImage image = icon(name, Qt::red).pixmap(QSize(24, 24), 2.0).toImage();
        QCOMPARE(image.size(), QSize(48, 48));
        int red = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                red += qAlpha(image.pixel(x, y)) > 128 && qRed(image.pixel(x, y)) > 200;
        QVERIFY2(red > 20, qPrintable(name));
    }
    for (int category = 0; category < kBlockCategoryCount; ++category) {
        QVERIFY(!categoryIcon(static_cast<BlockCategory>(category)).isNull());
        QVERIFY(!categoryName(static_cast<BlockCategory>(category)).isEmpty());
    }
    QVERIFY(icon(QStringLiteral("no-such-icon")).isNull());
}

void TestTheme::severitiesHaveShapesOfTheirOwn() {
    QSet<QString> names;
    for (const Severity severity : {Severity::Good, Severity::Info, Severity::Warning, Severity::Critical}) {
        QVERIFY(!severityIcon(severity).isNull());
        names.insert(severityIconName(severity));
    }
    QCOMPARE(names.size(), 4);
    QVERIFY(severityIcon(Severity::None).isNull());
}

void TestTheme::figuresOfNumbersAreEquallyWide() {
    const QFontMetricsF metrics(Theme::instance().numberFont());
    for (QChar digit = u'0'; digit <= u'9'; digit = QChar(digit.unicode() + 1))
        QVERIFY(qAbs(metrics.horizontalAdvance(digit) - metrics.horizontalAdvance(u'0')) < 0.5);
    // In a Latin family: figures of an East Asian one are wider than the text beside them.
    const QString family = QFontInfo(Theme::instance().numberFont()).family();
    QVERIFY2(!family.contains(QStringLiteral("CJK")) && !family.contains(QStringLiteral("Droid Sans Fallback")),
             qPrintable(family));
    QVERIFY2(
        metrics.horizontalAdvance(u'0') < 1.25 * QFontMetricsF(Theme::instance().textFont()).horizontalAdvance(u'0'),
        qPrintable(family));
}
