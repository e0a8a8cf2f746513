// SPDX-License-Identifier: GPL-3.0-or-later
// A plot as picture or table. Internal to the plot.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

#include "widgets/plot_view.h"

namespace plumbline::widgets {

QImage plotImage(PlotView& view, const QString& title, double scale);
QByteArray plotSvg(PlotView& view, const QString& title);
QByteArray plotPdf(PlotView& view, const QString& title);
/// `series,step,epoch,seconds,value`; empty where an axis was not given.
QString plotCsv(const PlotContent& content);

}  // namespace plumbline::widgets
