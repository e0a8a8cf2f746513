// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_canvas.h"

#include <QAbstractItemModelTester>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "graph_model.h"
#include "widgets/canvas_items.h"
#include "widgets/canvas_list.h"
#include "widgets/canvas_scene.h"
#include "widgets/canvas_view.h"

using namespace plumbline::widgets;

namespace {

struct Bench {
    GraphModel model;
    CanvasView view;

    Bench() {
        model.add(QStringLiteral("a"), {0, 0});
        model.add(QStringLiteral("b"), {300, 0});
        model.add(QStringLiteral("c"), {600, 0});
        model.link(QStringLiteral("a"), QStringLiteral("b"));
        view.resize(1200, 700);
        view.setModel(&model);
        view.show();
        const bool exposed = QTest::qWaitForWindowExposed(&view);
        Q_ASSERT(exposed);
        Q_UNUSED(exposed)
        view.setZoom(1);
        view.setSnapping(false);
    }
    QPoint at(double x, double y) const { return view.mapFromScene(QPointF(x, y)); }
    QPoint body(const QString& id) { return view.mapFromScene(model.find(id)->position + QPointF(84, 34)); }
    QPoint output(const QString& id) { return view.mapFromScene(model.find(id)->position + QPointF(168, 34)); }
    QPoint input(const QString& id) { return view.mapFromScene(model.find(id)->position + QPointF(0, 34)); }
    void drag(const QPoint& from, const QPoint& to, Qt::MouseButton button = Qt::LeftButton) {
        QTest::mousePress(view.viewport(), button, {}, from);
        QTest::mouseMove(view.viewport(), from + (to - from) / 2);
        QTest::mouseMove(view.viewport(), to);
        QTest::mouseRelease(view.viewport(), button, {}, to);
    }
    void key(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(&view, static_cast<Qt::Key>(key), modifiers);
    }
};

}  // namespace

void TestCanvas::aDragMovesOnce() {
    Bench bench;
    bench.drag(bench.body("a"), bench.body("a") + QPoint(40, 60));
    QCOMPARE(bench.model.requests, QStringList{"move 1"});
    QCOMPARE(bench.model.find("a")->position, QPointF(40, 60));
}

void TestCanvas::aDragOfASelectionMovesAllOfIt() {
    Bench bench;
    bench.view.setSelectedNodes({"a", "b"});
    bench.drag(bench.body("b"), bench.body("b") + QPoint(10, 80));
    QCOMPARE(bench.model.requests, QStringList{"move 2"});
    QCOMPARE(bench.model.find("a")->position, QPointF(10, 80));
    QCOMPARE(bench.view.selectedNodes(), (QStringList{"a", "b"}));
}

void TestCanvas::escapePutsADragBack() {
    Bench bench;
    const QPoint from = bench.body("a");
    QTest::mousePress(bench.view.viewport(), Qt::LeftButton, {}, from);
    QTest::mouseMove(bench.view.viewport(), from + QPoint(50, 50));
    QTest::mouseMove(bench.view.viewport(), from + QPoint(90, 90));
    bench.key(Qt::Key_Escape);
    QTest::mouseRelease(bench.view.viewport(), Qt::LeftButton, {}, from + QPoint(90, 90));
    QVERIFY(bench.model.requests.isEmpty());
    QCOMPARE(bench.view.nodeAt(from), QStringLiteral("a"));
}

void TestCanvas::aDragSnapsToANeighboursLine() {
    Bench bench;
    bench.view.setSnapping(true);
    bench.drag(bench.body("c"), bench.body("c") + QPoint(20, 4));
    QCOMPARE(bench.model.find("c")->position.y(), 0.0);
}

void TestCanvas::aWireConnectsTwoPorts() {
    Bench bench;
    bench.drag(bench.output("b"), bench.input("c"));
    QCOMPARE(bench.model.requests, QStringList{"connect b c"});
}

void TestCanvas::aWireMayBeDroppedOnTheBlockAndDrawnBackwards() {
    Bench bench;
    bench.drag(bench.output("b"), bench.body("c"));
    bench.model.edgeList.removeLast();
    Q_EMIT bench.model.changed();
    bench.drag(bench.input("c"), bench.body("b"));
    QCOMPARE(bench.model.requests, (QStringList{"connect b c", "connect b c"}));
}

void TestCanvas::aPortThatDoesNotFitTakesNoWire() {
    Bench bench;
    bench.model.refusedNode = QStringLiteral("c");
    bench.drag(bench.output("b"), bench.input("c"));
    QVERIFY(bench.model.requests.isEmpty());
}

void TestCanvas::aWireInTheOpenAsksForABlock() {
    Bench bench;
    bench.drag(bench.output("c"), bench.at(700, 250));
    QCOMPARE(bench.model.requests, QStringList{"quickAdd from c"});
}

void TestCanvas::aPortThatIsPressedAsksForABlock() {
    Bench bench;
    for (const QPoint& away :
         {QPoint(-3, 0), QPoint(0, 0), QPoint(4, 2)})  // on the block's side of it and on the other
        QTest::mouseClick(bench.view.viewport(), Qt::LeftButton, {}, bench.output("c") + away);
    QCOMPARE(bench.model.requests, (QStringList{"quickAdd from c", "quickAdd from c", "quickAdd from c"}));
}

void TestCanvas::aWireTakenOffItsInputIsMovedOrRemoved() {
    Bench bench;
    bench.drag(bench.input("b"), bench.input("c"));
    QCOMPARE(bench.model.requests, QStringList{"reconnect a b c"});
    bench.drag(bench.input("b"), bench.at(300, 250));
    QCOMPARE(bench.model.requests.last(), QStringLiteral("remove  1"));
    bench.model.link("a", "b");
    Q_EMIT bench.model.changed();
    bench.model.requests.clear();
    bench.drag(bench.input("b"), bench.input("b") + QPoint(3, 3));
    QVERIFY(bench.model.requests.isEmpty());
}

void TestCanvas::aBlockDroppedOnAWireIsInserted() {
    Bench bench;
    bench.model.add(QStringLiteral("free"), {100, 250});
    Q_EMIT bench.model.changed();
    bench.drag(bench.body("free"), bench.at(234, 34));
    QCOMPARE(bench.model.requests, QStringList{"insert free a b"});
}

void TestCanvas::keysAskForWhatTheySay() {
    Bench bench;
    bench.view.setSelectedNodes({"b"});
    bench.key(Qt::Key_C, Qt::ControlModifier);
    bench.key(Qt::Key_V, Qt::ControlModifier);
    bench.key(Qt::Key_D, Qt::ControlModifier);
    bench.key(Qt::Key_G, Qt::ControlModifier);
    bench.key(Qt::Key_Tab);
    bench.key(Qt::Key_Return);
    bench.key(Qt::Key_Backspace);
    bench.key(Qt::Key_Delete);
    QCOMPARE(bench.model.requests, (QStringList{"copy b", "paste", "duplicate b", "group b", "quickAdd", "activate b",
                                                "leave", "remove b 0"}));
    bench.key(Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(bench.view.selectedNodes(), (QStringList{"a", "c"}));
}

void TestCanvas::arrowsGoToTheNeighbour() {
    Bench bench;
    bench.model.add(QStringLiteral("below"), {300, 200});
    Q_EMIT bench.model.changed();
    bench.key(Qt::Key_Right);
    QCOMPARE(bench.view.currentNode(), QStringLiteral("a"));
    bench.key(Qt::Key_Right);
    QCOMPARE(bench.view.selectedNodes(), QStringList{"b"});
    bench.key(Qt::Key_Down);
    QCOMPARE(bench.view.currentNode(), QStringLiteral("below"));
    bench.key(Qt::Key_Up);
    bench.key(Qt::Key_Left);
    QCOMPARE(bench.view.currentNode(), QStringLiteral("a"));
    bench.key(Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(bench.model.requests, QStringList{"move 1"});
    QVERIFY(bench.view.accessibleDescription().contains(QStringLiteral("Linear")));
}

void TestCanvas::doubleClickAddsEntersOrActivates() {
    Bench bench;
    bench.model.find("b")->composite = true;
    Q_EMIT bench.model.changed();
    QTest::mouseDClick(bench.view.viewport(), Qt::LeftButton, {}, bench.at(100, 250));
    QTest::mouseDClick(bench.view.viewport(), Qt::LeftButton, {}, bench.body("b"));
    QTest::mouseDClick(bench.view.viewport(), Qt::LeftButton, {}, bench.body("a"));
    QCOMPARE(bench.model.requests, (QStringList{"quickAdd", "enter b", "activate a"}));
}

void TestCanvas::aBandSelectsWhatItTouches() {
    Bench bench;
    QSignalSpy selections(&bench.view, &CanvasView::selectionChanged);
    bench.drag(bench.at(-40, -60), bench.at(320, 100));
    QCOMPARE(bench.view.selectedNodes(), (QStringList{"a", "b"}));
    QVERIFY(selections.count() >= 1);
    QTest::mouseClick(bench.view.viewport(), Qt::LeftButton, {}, bench.at(100, 250));
    QVERIFY(bench.view.selectedNodes().isEmpty());
}

void TestCanvas::aWireCanBeSelectedAndDeleted() {
    Bench bench;
    QTest::mouseClick(bench.view.viewport(), Qt::LeftButton, {}, bench.at(234, 34));
    QCOMPARE(bench.view.selectedEdges().size(), 1);
    bench.key(Qt::Key_Delete);
    QCOMPARE(bench.model.requests, QStringList{"remove  1"});
}

void TestCanvas::selectionZoomAndScrollSurviveARefresh() {
    Bench bench;
    bench.view.setSelectedNodes({"b"});
    bench.view.setZoom(1.5);
    bench.view.centerOn(123, 45);
    const QPointF before = bench.view.mapToScene(10, 10);
    bench.model.find("b")->title = QStringLiteral("renamed");
    bench.model.add(QStringLiteral("d"), {2000, 2000});
    Q_EMIT bench.model.changed();
    QCOMPARE(bench.view.selectedNodes(), QStringList{"b"});
    QCOMPARE(bench.view.zoom(), 1.5);
    QCOMPARE(bench.view.mapToScene(10, 10), before);
}

void TestCanvas::eachLevelIsShownWhereItWasLeft() {
    Bench bench;
    bench.view.setZoom(2);
    bench.view.centerOn(50, 60);
    const QPointF before = bench.view.mapToScene(0, 0);
    bench.model.levelName = QStringLiteral("inside");
    Q_EMIT bench.model.levelChanged();
    QVERIFY(bench.view.zoom() <= 1);
    bench.model.levelName.clear();
    Q_EMIT bench.model.levelChanged();
    QCOMPARE(bench.view.zoom(), 2.0);
    QVERIFY((bench.view.mapToScene(0, 0) - before).manhattanLength() < 2);
}

void TestCanvas::panningAndWheelChangeTheViewAlone() {
    Bench bench;
    const QPointF before = bench.view.mapToScene(0, 0);
    bench.drag({500, 500}, {450, 480}, Qt::MiddleButton);
    QCOMPARE(bench.view.mapToScene(0, 0) - before, QPointF(50, 20));
    const QPointF under = bench.view.mapToScene(300, 200);
    QWheelEvent wheel(QPointF(300, 200), bench.view.viewport()->mapToGlobal(QPointF(300, 200)), {}, {0, 240}, {}, {},
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(bench.view.viewport(), &wheel);
    QVERIFY(bench.view.zoom() > 1.2);
    QVERIFY((bench.view.mapToScene(300, 200) - under).manhattanLength() < 2);
    QVERIFY(bench.model.requests.isEmpty());
    QTest::keyPress(&bench.view, Qt::Key_Space);
    const QPointF corner = bench.view.mapToScene(0, 0);
    const double zoom = bench.view.zoom();
    bench.drag(bench.body("a"), bench.body("a") + QPoint(30, 40));
    QTest::keyRelease(&bench.view, Qt::Key_Space);
    QVERIFY(bench.model.requests.isEmpty());
    QVERIFY2((corner - bench.view.mapToScene(0, 0) - QPointF(30, 40) / zoom).manhattanLength() < 3,
             qPrintable(QStringLiteral("%1 %2")
                            .arg(corner.x() - bench.view.mapToScene(0, 0).x())
                            .arg(corner.y() - bench.view.mapToScene(0, 0).y())));
    QVERIFY(bench.view.selectedNodes().isEmpty());
    bench.drag(bench.body("a"), bench.body("a") + QPoint(30, 40));  // without the key the block moves
    QCOMPARE(bench.model.requests, QStringList{"move 1"});
}

void TestCanvas::fitShowsEverything() {
    Bench bench;
    bench.model.add(QStringLiteral("far"), {9000, 4000});
    Q_EMIT bench.model.changed();
    bench.key(Qt::Key_Home);
    const QRectF seen = bench.view.mapToScene(bench.view.viewport()->rect()).boundingRect();
    QVERIFY(seen.contains(QRectF(0, 0, 9168, 4068)));
    QVERIFY(bench.view.reveal("a"));
    QCOMPARE(bench.view.zoom(), 1.0);
    bench.view.setSelectedNodes({"a", "b"});
    bench.key(Qt::Key_Period);
    QVERIFY(bench.view.zoom() > 0.9);
    QVERIFY(!bench.view.reveal("nowhere"));
}

void TestCanvas::aLevelIsFirstShownAtASizeThatCanBeRead() {
    Bench bench;
    bench.model.add(QStringLiteral("far"), {9000, 40});
    Q_EMIT bench.model.changed();
    bench.view.fitLegibly();
    QVERIFY2(bench.view.zoom() >= 0.8, qPrintable(QString::number(bench.view.zoom())));
    const QRectF seen = bench.view.mapToScene(bench.view.viewport()->rect()).boundingRect();
    QVERIFY(seen.contains(QPointF(0, 0)));  // its beginning
}

void TestCanvas::aLevelThatCanBeReadWholeIsFirstShownWhole() {
    Bench bench;  // 768 wide
    bench.view.resize(620, 400);
    QCoreApplication::processEvents();
    bench.view.fitLegibly();
    QVERIFY2(bench.view.zoom() >= 0.6 && bench.view.zoom() < 0.85, qPrintable(QString::number(bench.view.zoom())));
    const QRectF seen = bench.view.mapToScene(bench.view.viewport()->rect()).boundingRect();
    QVERIFY(seen.contains(QRectF(0, 0, 768, 68)));
}

void TestCanvas::aWireToTheNextRowRunsBetweenTheRowsAndCanBePressed() {
    Bench bench;
    CanvasScene scene(&bench.view);
    EdgeItem edge(scene, CanvasEdge{});
    edge.setEnds({800, 34}, {0, 234}, {632, 0, 168, 68}, {0, 200, 168, 68});
    QVERIFY(edge.isNear({400, 134}, 2));  // half way, between the rows
    QVERIFY(edge.isNear({-24, 180}, 2));
    for (int x = 0; x <= 800; x += 20) {  // not over the blocks of either row
        QVERIFY(!edge.isNear(QPointF(x, 68), 30) || x > 780);
        QVERIFY(!edge.isNear(QPointF(x, 200), 30) || x < 20);
    }
}

void TestCanvas::aMenuIsAboutWhatWasPressed() {
    Bench bench;
    QVERIFY(bench.view.reveal("a"));
    bench.view.setSelectedNodes({"a", "b"});
    const QPoint empty(bench.view.viewport()->width() - 3, bench.view.viewport()->height() - 3);
    QTest::mouseClick(bench.view.viewport(), Qt::RightButton, {}, empty);
    QVERIFY(bench.view.selectedNodes().isEmpty());
}

void TestCanvas::aBlockThatVanishesDuringADragDoesNoHarm() {
    Bench bench;
    const QPoint from = bench.body("a");
    QTest::mousePress(bench.view.viewport(), Qt::LeftButton, {}, from);
    QTest::mouseMove(bench.view.viewport(), from + QPoint(50, 50));
    bench.model.remove({"a"}, {});
    QTest::mouseMove(bench.view.viewport(), from + QPoint(60, 60));
    bench.model.requests.clear();
    QTest::mouseRelease(bench.view.viewport(), Qt::LeftButton, {}, from + QPoint(60, 60));
    QVERIFY(bench.model.requests.isEmpty());
    const QPoint port = bench.output("b");
    QTest::mousePress(bench.view.viewport(), Qt::LeftButton, {}, port);
    bench.model.remove({"b"}, {});
    QTest::mouseMove(bench.view.viewport(), port + QPoint(60, 60));
    bench.model.requests.clear();
    QTest::mouseRelease(bench.view.viewport(), Qt::LeftButton, {}, port + QPoint(60, 160));
    QVERIFY(bench.model.requests.isEmpty());
}

void TestCanvas::theModelMayGoFirst() {
    CanvasView view;
    {
        GraphModel model;
        model.add(QStringLiteral("a"), {0, 0});
        view.setModel(&model);
        QCOMPARE(view.nodeAt(view.mapFromScene(84, 34)), QStringLiteral("a"));
    }
    view.selectAll();
    QTest::keyClick(&view, Qt::Key_Delete);
    QVERIFY(view.selectedNodes().isEmpty());
}

void TestCanvas::theListSelectsInStepWithTheCanvas() {
    Bench bench;
    CanvasList list;
    list.follow(&bench.view);
    QAbstractItemModelTester tester(list.listModel(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(list.listModel()->rowCount(), 3);
    QCOMPARE(list.listModel()->index(1, CanvasListModel::Inputs).data().toString(), QStringLiteral("a"));
    bench.view.setSelectedNodes({"c"});
    QCOMPARE(list.selectionModel()->selectedRows().value(0).row(), 2);
    list.selectRow(0);
    QCOMPARE(bench.view.selectedNodes(), QStringList{"a"});
    bench.model.add(QStringLiteral("d"), {0, 300});
    Q_EMIT bench.model.changed();
    QCOMPARE(list.listModel()->rowCount(), 4);
    QCOMPARE(list.selectionModel()->selectedRows().value(0).row(), 0);
    list.setFocus();
    QTest::keyClick(&list, Qt::Key_Return);
    QCOMPARE(bench.model.requests, QStringList{"activate a"});
}

void TestCanvas::allSizesOfZoomArePainted() {
    Bench bench;
    auto* node = bench.model.find("b");
    node->badge = Severity::Critical;
    node->fill = 0.4;
    node->fillText = QStringLiteral("1.2e-3");
    node->composite = true;
    node->inputs.append({QStringLiteral("mask"), true, true});
    bench.model.edgeList[0].problem = true;
    Q_EMIT bench.model.changed();
    bench.view.setHighlighted({"a"});
    for (const double zoom : {0.02, 0.2, 0.45, 1.0, 3.0}) {
        bench.view.setZoom(zoom);
        QVERIFY(!bench.view.grab().isNull());
    }
    QCOMPARE(bench.view.toImage(QSize(320, 200)).size(), QSize(320, 200));
}

namespace {

/// Pixels of a part of the canvas (scene) that are not its background.
int inkIn(CanvasView& view, const QRectF& part) {
    const QImage picture = view.viewport()->grab().toImage();
    const QRect rect = QRectF(view.mapFromScene(part.topLeft()), part.size()).toRect() & picture.rect();
    int ink = 0;
    for (int y = rect.top(); y <= rect.bottom(); ++y)
        for (int x = rect.left(); x <= rect.right(); ++x)
            ink += contrastRatio(picture.pixelColor(x, y), Theme::instance().colors().background) > 1.5;
    return ink;
}

}  // namespace

void TestCanvas::shapesStandOnTheWiresOfTheAutomaticLayout() {
    Bench bench;
    bench.model.edgeList.clear();
    for (const char* id : {"d", "e", "f"})
        bench.model.add(QString::fromLatin1(id), {});
    const char* const wires[][2] = {{"a", "b"}, {"b", "c"}, {"c", "d"}, {"d", "e"}, {"e", "f"}, {"b", "d"}};
    for (const auto& wire : wires) {
        bench.model.link(QString::fromLatin1(wire[0]), QString::fromLatin1(wire[1]));
        bench.model.edgeList.last().label = QStringLiteral("B×128×16×16");
    }
    const auto places = canvasLayout(bench.model.nodeList, bench.model.edgeList);
    for (CanvasNode& node : bench.model.nodeList)
        node.position = places.value(node.id);
    Q_EMIT bench.model.changed();
    bench.view.resize(1400, 900);
    bench.view.fitAll();
    bench.view.setZoom(1);
    auto* scene = static_cast<CanvasScene*>(bench.view.scene());
    QCOMPARE(scene->edges().size(), 6);
    for (const EdgeItem* edge : scene->edges()) {
        const QByteArray name = (edge->edge().from.node + edge->edge().to.node).toUtf8();
        QVERIFY2(edge->labelRect().width() > 40, name.constData());
        QVERIFY(edge->boundingRect().contains(edge->labelRect()));
        for (const NodeItem* node : scene->nodes())
            QVERIFY2(!node->sceneBody().intersects(edge->labelRect()), name.constData());
        QRectF above = edge->labelRect();  // the upper third: more than the wire itself would leave there
        above.setHeight(above.height() / 3);
        bench.view.centerOn(edge->labelRect().center());
        QVERIFY2(inkIn(bench.view, above) > 10, name.constData());
    }
}

void TestCanvas::aShapeStandsAboveBlocksThatAreCloseTogether() {
    Bench bench;
    bench.model.find(QStringLiteral("b"))->position = {168 + 24, 0};  // as another program may have placed them
    bench.model.edgeList[0].label = QStringLiteral("B×128×16×16");
    Q_EMIT bench.model.changed();
    auto* scene = static_cast<CanvasScene*>(bench.view.scene());
    const EdgeItem* edge = scene->edges().first();
    QVERIFY(edge->labelRect().bottom() <= 0);
    QVERIFY(edge->labelRect().bottom() > -20);
    bench.view.centerOn(edge->labelRect().center());
    QVERIFY(inkIn(bench.view, edge->labelRect()) > 20);
}
