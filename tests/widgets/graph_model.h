// SPDX-License-Identifier: GPL-3.0-or-later
// A canvas model in memory that obeys its requests and writes them down.
#pragma once

#include <QStringList>

#include "widgets/canvas_model.h"

class GraphModel : public plumbline::widgets::CanvasModel {
public:
    using Node = plumbline::widgets::CanvasNode;
    using Edge = plumbline::widgets::CanvasEdge;
    using Port = plumbline::widgets::CanvasPortRef;
    using Verdict = plumbline::widgets::CanvasVerdict;

    QList<Node> nodeList;
    QList<Edge> edgeList;
    QString levelName;
    QStringList requests;
    QString refusedNode;  ///< takes no wire

    Node& add(const QString& id, QPointF position) {
        Node node;
        node.id = node.title = id;
        node.type = QStringLiteral("Linear");
        node.category = plumbline::widgets::BlockCategory::Linear;
        node.position = position;
        node.inputs = {{QStringLiteral("input"), false, false}};
        node.outputs = {{QStringLiteral("output"), false, false}};
        nodeList.append(node);
        return nodeList.last();
    }
    void link(const QString& from, const QString& to) {
        edgeList.append({Port{from, 0, true}, Port{to, 0, false}, QStringLiteral("B×64"), false, {}});
    }
    Node* find(const QString& id) {
        for (Node& node : nodeList)
            if (node.id == id)
                return &node;
        return nullptr;
    }

    QList<Node> nodes() const override { return nodeList; }
    QList<Edge> edges() const override { return edgeList; }
    QString level() const override { return levelName; }
    Verdict canConnect(const Port& from, const Port& to) const override {
        if (to.node == refusedNode || from.node == refusedNode)
            return {false, QStringLiteral("%1 expects 32 channels.").arg(refusedNode)};
        return {};
    }
    void moveNodes(const QList<plumbline::widgets::CanvasMove>& moves) override {
        for (const auto& move : moves)
            find(move.node)->position = move.position;
        say(QStringLiteral("move %1").arg(moves.size()));
    }
    void connectPorts(const Port& from, const Port& to) override {
        edgeList.append({from, to, {}, false, {}});
        say(QStringLiteral("connect %1 %2").arg(from.node, to.node));
    }
    void reconnect(const Edge& old, const Port& to) override {
        say(QStringLiteral("reconnect %1 %2 %3").arg(old.from.node, old.to.node, to.node));
    }
    void remove(const QStringList& ids, const QList<Edge>& wires) override {
        for (const QString& id : ids) {
            nodeList.removeIf([&id](const Node& node) { return node.id == id; });
            edgeList.removeIf([&id](const Edge& edge) { return edge.from.node == id || edge.to.node == id; });
        }
        for (const Edge& wire : wires)
            edgeList.removeIf([&wire](const Edge& edge) { return edge.sameWire(wire); });
        say(QStringLiteral("remove %1 %2").arg(ids.join(QLatin1Char(','))).arg(wires.size()));
    }
    void insertOnEdge(const QString& node, const Edge& edge, const QPointF& position) override {
        find(node)->position = position;
        say(QStringLiteral("insert %1 %2 %3").arg(node, edge.from.node, edge.to.node));
    }
    void copy(const QStringList& ids) override { say(QStringLiteral("copy ") + ids.join(QLatin1Char(','))); }
    void paste(const QPointF&) override { say(QStringLiteral("paste")); }
    void duplicate(const QStringList& ids) override { say(QStringLiteral("duplicate ") + ids.join(QLatin1Char(','))); }
    void group(const QStringList& ids) override { say(QStringLiteral("group ") + ids.join(QLatin1Char(','))); }
    void enter(const QString& id) override { say(QStringLiteral("enter ") + id); }
    void leave() override { say(QStringLiteral("leave")); }
    void activate(const QString& id) override { say(QStringLiteral("activate ") + id); }
    void quickAdd(const QPointF&, const QPoint&, const std::optional<Port>& from) override {
        say(from ? QStringLiteral("quickAdd from ") + from->node : QStringLiteral("quickAdd"));
    }

    void say(const QString& request) {
        requests.append(request);
        Q_EMIT changed();
    }
};

/// Chains of `length` blocks below each other, joined at both ends.
inline void fillChains(GraphModel& model, int count, int length) {
    constexpr double kColumn = 232, kRow = 100;
    for (int i = 0; i < count; ++i) {
        auto& node = model.add(QStringLiteral("block%1").arg(i), QPointF((i % length) * kColumn, (i / length) * kRow));
        node.category = static_cast<plumbline::widgets::BlockCategory>(i % plumbline::widgets::kBlockCategoryCount);
        node.details = QStringLiteral("32, k3 s2 p1");
        node.shape = QStringLiteral("B×32×8×8");
        if (i % length != 0)
            model.link(QStringLiteral("block%1").arg(i - 1), node.id);
        else if (i > 0)
            model.link(QStringLiteral("block%1").arg(i - length), node.id);
    }
}
