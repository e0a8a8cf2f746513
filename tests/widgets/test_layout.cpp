// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_layout.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QRectF>
#include <QTest>
#include <algorithm>

#include "widgets/canvas_model.h"
#include "widgets/layered_layout.h"

using namespace plumbline::widgets;

namespace {

std::vector<QSizeF> sameSizes(int count) {
    return std::vector<QSizeF>(static_cast<std::size_t>(count), QSizeF(168, 68));
}

bool overlaps(const std::vector<QPointF>& places, const std::vector<QSizeF>& sizes) {
    std::vector<QRectF> rects;
    for (std::size_t i = 0; i < places.size(); ++i)
        rects.push_back(QRectF(places[i], sizes[i]));
    std::sort(rects.begin(), rects.end(), [](const QRectF& a, const QRectF& b) { return a.left() < b.left(); });
    for (std::size_t i = 0; i < rects.size(); ++i)
        for (std::size_t j = i + 1; j < rects.size() && rects[j].left() < rects[i].right(); ++j)
            if (rects[i].intersects(rects[j]))
                return true;
    return false;
}

std::vector<LayoutEdge> randomEdges(int nodes, int edges, quint32 seed) {
    QRandomGenerator random(seed);
    std::vector<LayoutEdge> result;
    for (int i = 1; i < nodes; ++i)
        result.push_back({std::max(0, i - 1 - random.bounded(3)), i});
    for (int i = nodes; i < edges; ++i) {
        const int from = random.bounded(nodes - 1);
        result.push_back({from, from + 1 + random.bounded(std::min(20, nodes - from - 1))});
    }
    return result;
}

}  // namespace

void TestLayout::aChainIsAStraightLine() {
    const auto sizes = sameSizes(6);
    std::vector<LayoutEdge> edges;
    for (int i = 1; i < 6; ++i)
        edges.push_back({i - 1, i});
    const auto places = layeredLayout(sizes, edges);
    for (std::size_t i = 1; i < 6; ++i) {
        QCOMPARE(places[i].y(), places[0].y());
        QVERIFY(places[i].x() >= places[i - 1].x() + 168);
    }
}

void TestLayout::aSkipLeavesTheMainPathStraight() {
    // input → a → b → c → add, and input → add.
    const auto places = layeredLayout(sameSizes(5), std::vector<LayoutEdge>{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}});
    for (std::size_t i = 1; i < 5; ++i)
        QVERIFY(qAbs(places[i].y() - places[0].y()) <= 1);
}

void TestLayout::edgesRunToTheRightAndNothingOverlaps() {
    for (quint32 seed = 1; seed <= 20; ++seed) {
        const int count = 60;
        std::vector<QSizeF> sizes = sameSizes(count);
        QRandomGenerator random(seed);
        for (QSizeF& size : sizes)
            size.setHeight(40 + random.bounded(120));
        const auto edges = randomEdges(count, 90, seed);
        const auto places = layeredLayout(sizes, edges);
        QVERIFY(!overlaps(places, sizes));
        for (const LayoutEdge& edge : edges)
            QVERIFY(places[static_cast<std::size_t>(edge.from)].x() + 168 <
                    places[static_cast<std::size_t>(edge.to)].x());
    }
}

void TestLayout::cyclesSelfLoopsAndWildIndicesAreSurvived() {
    const auto places =
        layeredLayout(sameSizes(4), std::vector<LayoutEdge>{{0, 1}, {1, 2}, {2, 0}, {3, 3}, {7, 1}, {-1, 2}});
    QCOMPARE(places.size(), std::size_t(4));
    QVERIFY(!overlaps(places, sameSizes(4)));
    QVERIFY(layeredLayout({}, {}).empty());
}

void TestLayout::separatePartsStandBelowEachOther() {
    const auto places = layeredLayout(sameSizes(4), std::vector<LayoutEdge>{{0, 1}, {2, 3}});
    QCOMPARE(places[0].y(), places[1].y());
    QVERIFY(places[2].y() > places[0].y() + 68);
    QCOMPARE(places[2].x(), places[0].x());
}

void TestLayout::theSameGraphGivesTheSamePicture() {
    const auto sizes = sameSizes(200);
    const auto edges = randomEdges(200, 320, 5);
    QVERIFY(layeredLayout(sizes, edges) == layeredLayout(sizes, edges));
}

void TestLayout::aLargeGraphHasNoOverlap() {
    const auto sizes = sameSizes(1000);
    QVERIFY(!overlaps(layeredLayout(sizes, randomEdges(1000, 1500, 3)), sizes));
}

void TestLayout::aLongChainGoesOnInTheNextRow() {
    QList<CanvasNode> nodes(12);
    QList<CanvasEdge> edges;
    for (int i = 0; i < 12; ++i) {
        nodes[i].id = QString::number(i);
        if (i > 0) {
            CanvasEdge edge;
            edge.from = {QString::number(i - 1), 0, true};
            edge.to = {QString::number(i), 0, false};
            edges << edge;
        }
    }
    const auto places = canvasLayout(nodes, edges);
    double right = 0;
    QSet<double> rows;
    std::vector<QPointF> all;
    for (const CanvasNode& node : nodes) {
        const QPointF place = places.value(node.id);
        right = std::max(right, place.x() + canvasNodeSize(node).width());
        rows.insert(place.y());
        all.push_back(place);
    }
    QCOMPARE(rows.size(), 3);
    QVERIFY2(right < 1100, qPrintable(QString::number(right)));
    QVERIFY(!overlaps(all, std::vector<QSizeF>(12, canvasNodeSize(nodes[0]))));
}

void TestLayout::namesOfBlocksFindTheirPlaces() {
    QList<CanvasNode> nodes(2);
    nodes[0].id = QStringLiteral("a");
    nodes[1].id = QStringLiteral("b");
    CanvasEdge edge;
    edge.from = {QStringLiteral("a"), 0, true};
    edge.to = {QStringLiteral("b"), 0, false};
    CanvasEdge dangling = edge;
    dangling.to.node = QStringLiteral("gone");
    const auto places = canvasLayout(nodes, {edge, dangling});
    QVERIFY(places.value(QStringLiteral("a")).x() < places.value(QStringLiteral("b")).x());
}
