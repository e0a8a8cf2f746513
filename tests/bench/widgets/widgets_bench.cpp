// SPDX-License-Identifier: GPL-3.0-or-later
// Times what has to stay fast, as one JSON document. Nothing is asserted: a busy machine is not a defect.
#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

#include "widgets/canvas_view.h"
#include "widgets/graph_model.h"
#include "widgets/layered_layout.h"
#include "widgets/plot_widget.h"

using namespace plumbline::widgets;

namespace {

/// Median and least of several runs, in milliseconds; and the processor's share of the median, which other programs
/// on the machine disturb less.
QJsonObject timed(int runs, const std::function<void()>& work) {
    std::vector<double> times, processor;
    for (int i = 0; i < runs; ++i) {
        QElapsedTimer timer;
        timer.start();
        const std::clock_t before = std::clock();
        work();
        processor.push_back(1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(times.begin(), times.end());
    std::sort(processor.begin(), processor.end());
    return {{"median_ms", times[times.size() / 2]},
            {"least_ms", times.front()},
            {"median_cpu_ms", processor[processor.size() / 2]}};
}

void paint(QWidget& widget) {
    QImage image(widget.size(), QImage::Format_ARGB32_Premultiplied);
    widget.render(&image);
}

QJsonObject benchPlot() {
    constexpr int kSeries = 10, kPoints = 100000, kNews = 1000;
    PlotWidget plot;
    plot.resize(1200, 700);
    plot.show();
    QRandomGenerator random(1);
    std::vector<double> steps, values;
    for (int series = 0; series < kSeries; ++series) {
        steps.clear();
        values.clear();
        for (int i = 0; i < kPoints; ++i) {
            steps.push_back(i);
            values.push_back(series + std::exp(-i / 20000.0) + 0.3 * random.generateDouble());
        }
        plot.append(QStringLiteral("series %1").arg(series), steps, values);
    }
    plot.replotNow();
    QJsonObject result;
    result["repaint_10x100000"] = timed(15, [&] { plot.replotNow(); });
    plot.setSmoothing(0.9);
    result["repaint_10x100000_smoothed"] = timed(15, [&] { plot.replotNow(); });
    plot.setSmoothing(0);
    int next = kPoints;
    result["append_10x1000_and_repaint"] = timed(10, [&] {
        steps.clear();
        values.clear();
        for (int i = 0; i < kNews; ++i, ++next) {
            steps.push_back(next);
            values.push_back(random.generateDouble());
        }
        for (int series = 0; series < kSeries; ++series)
            plot.append(QStringLiteral("series %1").arg(series), steps, values);
        plot.replotNow();
    });
    plot.zoomX(1000, 2900);  // 19,000 points in view: the broad pen with antialiasing
    result["repaint_19000_points_in_view"] = timed(10, [&] { plot.replotNow(); });
    return result;
}

QJsonObject benchCanvas(int count) {
    GraphModel model;
    fillChains(model, count, 100);
    CanvasView view;
    view.resize(1400, 900);
    view.show();
    QJsonObject result;
    result["build"] = timed(1, [&] { view.setModel(&model); });
    result["refresh"] = timed(5, [&] { Q_EMIT model.changed(); });
    view.fitAll();
    paint(view);
    result["paint_at_fit_all"] = timed(10, [&] { paint(*view.viewport()); });
    view.setZoom(1);
    result["paint_at_zoom_1"] = timed(10, [&] { paint(*view.viewport()); });
    return result;
}

QJsonObject benchLayout(int count) {
    QRandomGenerator random(1);
    const std::vector<QSizeF> sizes(static_cast<std::size_t>(count), QSizeF(168, 68));
    std::vector<LayoutEdge> edges;
    for (int i = 1; i < count; ++i)
        edges.push_back({std::max(0, i - 1 - random.bounded(3)), i});
    for (int i = 0; i < count / 2; ++i) {
        const int from = random.bounded(count - 1);
        edges.push_back({from, from + 1 + random.bounded(std::min(20, count - from - 1))});
    }
    return timed(3, [&] { layeredLayout(sizes, edges); });
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme::instance().install(application, ThemeMode::Light);
    QJsonObject result;
    result["plot"] = benchPlot();
    result["canvas_10000"] = benchCanvas(10000);
    result["canvas_1000"] = benchCanvas(1000);
    result["layout_1000"] = benchLayout(1000);
    result["layout_10000"] = benchLayout(10000);
    std::puts(QJsonDocument(result).toJson().constData());
    return 0;
}
