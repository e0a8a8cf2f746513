// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where colours, distances, fonts and motion are decided.
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <array>
#include <functional>
#include <optional>

class QApplication;

namespace plumbline::widgets {

enum class ThemeMode { System, Light, Dark };

/// Ordered: a larger value is worse.
enum class Severity { None, Good, Info, Warning, Critical };

/// What a block is told by: a 3 px edge and an icon.
enum class BlockCategory {
    InputOutput,
    Linear,
    Convolution,
    Pooling,
    Normalisation,
    Activation,
    Recurrent,  ///< recurrent and attention
    Merge,      ///< merge and tensor
    Regularisation,
    Composite,
    Plugin
};
inline constexpr int kBlockCategoryCount = 11;
inline constexpr int kCurveColorCount = 6;

/// Distances in device-independent pixels: the only ones in use.
namespace space {
inline constexpr int kTiny = 4;
inline constexpr int kSmall = 8;
inline constexpr int kMedium = 12;
inline constexpr int kLarge = 16;
inline constexpr int kHuge = 24;
}  // namespace space
inline constexpr int kRadius = 6;
inline constexpr int kIconSize = 16;
inline constexpr int kCategoryEdge = 3;

struct ThemeColors {
    QColor background, surface, raised;
    QColor border, gridLine;
    QColor text, muted;
    QColor accent, onAccent;
    QColor critical, warning, info, good;
    std::array<QColor, kCurveColorCount> curves;
    std::array<QColor, kBlockCategoryCount> categories;
};

/// The tokens of a mode, without an application (tests, pictures).
const ThemeColors& themeColors(bool dark);

/// WCAG contrast ratio of two opaque colours, 1 to 21.
double contrastRatio(const QColor& a, const QColor& b);

/// `over` laid on `under` with the given opacity, as an opaque colour.
QColor mixed(const QColor& under, const QColor& over, double opacity);

/// Black or white, whichever can be read on an opaque colour: at least 4.5 to 1.
QColor inkOn(const QColor& ground);

/// Colour of a perceptually even ramp (viridis), t in 0..1, for heat maps.
QColor rampColor(double t);

/// The running theme: Fusion style, palette and a small style sheet on the application.
/// Window thread only. Widgets that paint by hand read colors() in paintEvent and connect changed() to update().
class Theme : public QObject {
    Q_OBJECT

public:
    static Theme& instance();

    /// Installs style, fonts, palette and style sheet; call once after the QApplication exists.
    void install(QApplication& application, ThemeMode mode = ThemeMode::System);
    void setMode(ThemeMode mode);
    /// Makes many widgets faster: the style sheet is laid on them once, at the end, and not each time one of them gets
    /// a parent.
    void build(const std::function<void()>& makeWidgets);

    ThemeMode mode() const { return m_mode; }
    bool isDark() const { return m_dark; }
    const ThemeColors& colors() const { return themeColors(m_dark); }

    QColor severityColor(Severity severity) const;
    /// Colours repeat after kCurveColorCount.
    QColor curveColor(int index) const;
    QColor categoryColor(BlockCategory category) const;

    QFont textFont() const { return fonts().text; }
    QFont smallFont() const { return fonts().small; }
    QFont titleFont() const { return fonts().title; }
    /// Text font with tabular figures.
    QFont numberFont() const { return fonts().number; }
    QFont monoFont() const { return fonts().mono; }

Q_SIGNALS:
    /// After palette and style sheet are in place.
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Fonts {
        QFont text, small, title, number, mono;
    };

    Theme() = default;
    void refresh();
    void applyStyleSheet();
    static Fonts makeFonts();
    const Fonts& fonts() const;

    QApplication* m_application = nullptr;
    ThemeMode m_mode = ThemeMode::System;
    bool m_dark = false;
    bool m_refreshing = false;
    bool m_building = false;
    mutable std::optional<Fonts> m_fonts;  ///< looking for families takes a millisecond, painting asks each time
};

QString severityName(Severity severity);
QString categoryName(BlockCategory category);

}  // namespace plumbline::widgets
