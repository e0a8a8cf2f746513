// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_export.h"

#include <QBuffer>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <cmath>

#include "widgets/csv_cell.h"

namespace plumbline::widgets {

namespace {

constexpr int kHeadHeight = 32;
constexpr int kSampleWidth = 18;

/// Title, legend and plot, as on the screen but without buttons.
void paintWhole(PlotView& view, const QString& title, QCPPainter& painter) {
    const Theme& theme = Theme::instance();
    const QSize size = view.size();
    painter.fillRect(QRect(0, 0, size.width(), size.height() + kHeadHeight), theme.colors().surface);
    painter.setFont(theme.titleFont());
    painter.setPen(theme.colors().text);
    int x = space::kMedium;
    const QRect line(0, 0, size.width(), kHeadHeight);
    painter.drawText(line.adjusted(x, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, title);
    x += painter.fontMetrics().horizontalAdvance(title) + space::kLarge;
    painter.setFont(theme.smallFont());
    for (const auto& series : view.content().series) {
        if (!series->visible)
            continue;
        const QString name = series->spec().name.isEmpty() ? series->spec().id : series->spec().name;
        painter.setPen(samplePen(series->spec(), seriesColor(series->spec())));
        painter.drawLine(QPointF(x, kHeadHeight / 2.0), QPointF(x + kSampleWidth, kHeadHeight / 2.0));
        x += kSampleWidth + space::kTiny;
        painter.setPen(theme.colors().text);
        painter.drawText(line.adjusted(x, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, name);
        x += painter.fontMetrics().horizontalAdvance(name) + space::kMedium;
    }
    painter.translate(0, kHeadHeight);
    view.toPainter(&painter, size.width(), size.height());
}

QSize wholeSize(const PlotView& view) {
    return view.size() + QSize(0, kHeadHeight);
}

QString exact(double value) {
    return QString::number(value, 'g', 17);
}

}  // namespace

QImage plotImage(PlotView& view, const QString& title, double scale) {
    QImage image(wholeSize(view) * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Theme::instance().colors().surface);
    QCPPainter painter;
    painter.begin(&image);
    painter.setMode(QCPPainter::pmNoCaching);
    paintWhole(view, title, painter);
    painter.end();
    return image;
}

QByteArray plotSvg(PlotView& view, const QString& title) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(wholeSize(view));
    generator.setViewBox(QRect(QPoint(0, 0), wholeSize(view)));
    generator.setTitle(title);
    QCPPainter painter;
    painter.begin(&generator);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    paintWhole(view, title, painter);
    painter.end();
    return buffer.data();
}

QByteArray plotPdf(PlotView& view, const QString& title) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(title);
    constexpr double kPointsPerPixel = 72.0 / 96.0;
    writer.setPageMargins(QMarginsF());
    writer.setPageSize(QPageSize(QSizeF(wholeSize(view)) * kPointsPerPixel, QPageSize::Point));
    writer.setResolution(96);
    QCPPainter painter;
    painter.begin(&writer);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    paintWhole(view, title, painter);
    painter.end();
    return buffer.data();
}

QString plotCsv(const PlotContent& content) {
    QString text = QStringLiteral("series,step,epoch,seconds,value\n");
    for (const auto& series : content.series) {
        const auto& steps = series->x(PlotXAxis::Step);
        const auto& epochs = series->x(PlotXAxis::Epoch);
        const auto& seconds = series->x(PlotXAxis::Seconds);
        const QString id = csvCell(series->spec().id);
        for (std::size_t i = 0; i < series->size(); ++i) {
            text += id + QLatin1Char(',') + exact(steps[i]) + QLatin1Char(',') +
                    (epochs.empty() ? QString() : exact(epochs[i])) + QLatin1Char(',') +
                    (seconds.empty() ? QString() : exact(seconds[i])) + QLatin1Char(',') +
                    exact(series->raw().values[i]) + QLatin1Char('\n');
        }
    }
    return text;
}

}  // namespace plumbline::widgets
