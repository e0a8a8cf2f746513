// SPDX-License-Identifier: GPL-3.0-or-later
// The parallel plot as picture or table.
#include <QBuffer>
#include <QFileDialog>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include "widgets/csv_cell.h"
#include "widgets/parallel_plot.h"
#include "widgets/theme.h"

namespace plumbline::widgets {

namespace {

constexpr int kHeadHeight = 32;
constexpr double kScale = 2;  ///< pixels of a picture for one of the screen
constexpr double kPointsPerPixel = 72.0 / 96.0;

}  // namespace

void ParallelPlot::paintPage(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    painter.fillRect(QRect(0, 0, width(), height() + kHeadHeight), theme.colors().surface);
    painter.setFont(theme.titleFont());
    painter.setPen(theme.colors().text);
    painter.drawText(QRect(space::kMedium, 0, width() - space::kMedium, kHeadHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     m_title);
    painter.translate(0, kHeadHeight);
    paintWhole(painter);
}

bool ParallelPlot::exportTo(const QString& path, QString* error) {
    const QSize whole = size() + QSize(0, kHeadHeight);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const QString suffix = path.section(QLatin1Char('.'), -1).toLower();
    QPainter painter;
    if (suffix == QLatin1String("csv")) {
        for (const QString& line : toTsv().split(QLatin1Char('\n'))) {
            QStringList cells;
            for (const QString& cell : line.split(QLatin1Char('\t')))
                cells << csvCell(cell);
            buffer.write((cells.join(QLatin1Char(',')) + QLatin1Char('\n')).toUtf8());
        }
    } else if (suffix == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(whole);
        generator.setViewBox(QRect(QPoint(0, 0), whole));
        generator.setTitle(m_title);
        painter.begin(&generator);
        paintPage(painter);
        painter.end();
    } else if (suffix == QLatin1String("pdf")) {
        QPdfWriter writer(&buffer);
        writer.setTitle(m_title);
        writer.setPageMargins(QMarginsF());
        writer.setPageSize(QPageSize(QSizeF(whole) * kPointsPerPixel, QPageSize::Point));
        writer.setResolution(96);
        painter.begin(&writer);
        paintPage(painter);
        painter.end();
    } else if (suffix == QLatin1String("png")) {
        QImage image(whole * kScale, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(kScale);
        painter.begin(&image);
        paintPage(painter);
        painter.end();
        image.save(&buffer, "PNG");
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

void ParallelPlot::askExport() {
    auto* dialog = new QFileDialog(this, tr("Export plot"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(
        {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF document (*.pdf)"), tr("CSV table (*.csv)")});
    dialog->setDefaultSuffix(QStringLiteral("png"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).chopped(1));
    });
    dialog->selectFile(m_title.isEmpty() ? tr("plot") : m_title);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        QString error;
        if (!exportTo(path, &error))
            Q_EMIT exportFailed(error);
    });
    dialog->open();
}

}  // namespace plumbline::widgets
