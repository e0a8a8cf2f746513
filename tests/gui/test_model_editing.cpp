// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QMimeData>
#include <QSignalSpy>
#include <algorithm>

#include "gui/model/block_fields.h"
#include "gui/model/block_palette.h"
#include "gui/model/canvas_adapter.h"
#include "gui/model/node_ports.h"
#include "support.h"
#include "widgets/canvas_list.h"

namespace plumbline::gui::test {

using widgets::CanvasEdge;
using widgets::CanvasNode;
using widgets::CanvasPortRef;

namespace {

QStringList idsOf(const CanvasAdapter& adapter) {
    QStringList ids;
    for (const CanvasNode& node : adapter.nodes()) {
        ids << node.id;
    }
    return ids;
}

CanvasNode nodeOf(const CanvasAdapter& adapter, const QString& id) {
    for (const CanvasNode& node : adapter.nodes()) {
        if (node.id == id) {
            return node;
        }
    }
    return {};
}

std::optional<CanvasEdge> edgeInto(const CanvasAdapter& adapter, const QString& id, int port = 0) {
    for (const CanvasEdge& edge : adapter.edges()) {
        if (edge.to.node == id && edge.to.port == port) {
            return edge;
        }
    }
    return std::nullopt;
}

}  // namespace

class ModelEditingTest : public QObject {
    Q_OBJECT

    /// Runs one gesture: exactly one undo entry that goes back and comes again.
    static void isOneEntry(ProjectDocument& document, const std::function<void()>& gesture) {
        const Json before = document.project().json;
        const Json layout = document.project().layout;
        const int count = document.undoStack()->count();
        gesture();
        QCOMPARE(document.undoStack()->count(), count + 1);
        const Json after = document.project().json;
        const Json afterLayout = document.project().layout;
        document.undoStack()->undo();
        QVERIFY(document.project().json == before);
        QVERIFY(document.project().layout == layout);
        document.undoStack()->redo();
        QVERIFY(document.project().json == after);
        QVERIFY(document.project().layout == afterLayout);
    }

private Q_SLOTS:
    void theCanvasShowsBlocksWiresAndShapes() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        QCOMPARE(idsOf(adapter),
                 QStringList({"image", "conv", "relu", "layers", "pool", "flatten", "fc", "output:logits"}));
        QCOMPARE(adapter.edges().size(), 7);
        QCOMPARE(nodeOf(adapter, "conv").shape, QString::fromUtf8("B×8×8×8"));
        QCOMPARE(edgeInto(adapter, "fc")->label, QString::fromUtf8("B×32"));
        QVERIFY(nodeOf(adapter, "layers").composite);
        QVERIFY(nodeOf(adapter, "conv").details.contains("k3"));
    }

    void lookingAroundChangesNothing() {
        OpenProject open;
        const Json before = open.document.project().json;
        CanvasAdapter adapter(open.document);
        adapter.nodes();
        adapter.enter("layers");
        QCOMPARE(idsOf(adapter), QStringList({"x", "conv", "relu", "output:y"}));
        QCOMPARE(nodeOf(adapter, "conv").shape, QString::fromUtf8("B×16×8×8"));
        adapter.leave();
        adapter.leave();
        adapter.setFills({{"conv", {0.5, "x"}}});
        adapter.canConnect({"conv", 0, true}, {"fc", 0, false});
        QVERIFY(open.document.project().json == before);
        QVERIFY(open.document.project().layout.is_null());
        QVERIFY(!open.document.isDirty());
    }

    void aNewBlockRunsWhereItIsPut() {
        for (const auto& type : ProjectDocument::registry().all()) {
            const graph::BlockSpec& spec = type->spec();
            OpenProject open;
            CanvasAdapter adapter(open.document);
            adapter.add(text(spec.type), {0, 600}, CanvasPortRef{"conv", 0, true});
            for (const graph::ParameterSpec& parameter : spec.parameters) {
                const bool open_ended = parameter.name == "shape";  // nobody can guess it
                for (const graph::Problem& problem : open.document.report().problems) {
                    QVERIFY2(open_ended || problem.code != "missing-parameter" ||
                                 problem.pointer.find("/" + parameter.name) == std::string::npos,
                             problem.message.c_str());
                }
            }
        }
        OpenProject open;
        CanvasAdapter adapter(open.document);
        adapter.add("Conv2d", {0, 600}, {}, edgeInto(adapter, "relu"));
        QVERIFY2(open.document.report().ok(), open.document.report().problems.empty()
                                                  ? ""
                                                  : open.document.report().problems.front().message.c_str());
        QCOMPARE(nodeOf(adapter, "conv2").shape, QString::fromUtf8("B×16×8×8"));
    }

    void aBlockDroppedOnAWirePushesTheRestAside() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        QStringList ids = idsOf(adapter);
        QList<widgets::CanvasMove> row;  // the chain in one line
        for (qsizetype i = 0; i < ids.size(); ++i) {
            row.append({ids[i], QPointF(216.0 * static_cast<double>(i), 0)});
        }
        adapter.moveNodes(row);
        const CanvasEdge wire = *edgeInto(adapter, "relu");
        const QPointF middle = (nodeOf(adapter, "conv").position + nodeOf(adapter, "relu").position) / 2;
        isOneEntry(open.document, [&] { adapter.add("Tanh", middle, {}, wire); });
        const QList<CanvasNode> nodes = adapter.nodes();
        for (const CanvasNode& a : nodes) {
            for (const CanvasNode& b : nodes) {
                const bool overlap = a.id != b.id && QRectF(a.position, widgets::canvasNodeSize(a))
                                                         .intersects(QRectF(b.position, widgets::canvasNodeSize(b)));
                QVERIFY2(!overlap, qPrintable(a.id + " and " + b.id));
            }
        }
        QVERIFY(nodeOf(adapter, "conv").position.x() < nodeOf(adapter, "tanh").position.x());
        QVERIFY(nodeOf(adapter, "tanh").position.x() < nodeOf(adapter, "relu").position.x());
    }

    void aBlockThatGoesOnFromAPortStandsBesideItAndOverNoOther() {
        for (const bool output : {true, false}) {
            OpenProject open;
            CanvasAdapter adapter(open.document);
            const QRectF port(nodeOf(adapter, "fc").position, widgets::canvasNodeSize(nodeOf(adapter, "fc")));
            // A press on the port, twice: the second finds the first one's place taken.
            for (int i = 0; i < 2; ++i) {
                const QPointF pressed(output ? port.right() : port.left(), port.center().y());
                isOneEntry(open.document, [&] { adapter.add("ReLU", pressed, CanvasPortRef{"fc", 0, output}); });
                const CanvasNode made = nodeOf(adapter, i == 0 ? "relu2" : "relu3");
                QVERIFY2(output ? made.position.x() > port.right() : made.position.x() < port.left() - 168,
                         qPrintable(made.id));
            }
            const QList<CanvasNode> nodes = adapter.nodes();
            for (const CanvasNode& a : nodes) {
                for (const CanvasNode& b : nodes) {
                    const bool made = a.id == "relu2" || a.id == "relu3";
                    const bool overlap = made && a.id != b.id &&
                                         QRectF(a.position, widgets::canvasNodeSize(a))
                                             .intersects(QRectF(b.position, widgets::canvasNodeSize(b)));
                    QVERIFY2(!overlap, qPrintable(a.id + " and " + b.id));
                }
            }
        }
        OpenProject open;
        CanvasAdapter adapter(open.document);
        adapter.add("ReLU", {300, 900}, CanvasPortRef{"fc", 0, true});
        QCOMPARE(nodeOf(adapter, "relu2").position, QPointF(300, 900));  // a wire that was drawn to a free place
    }

    void addingConnectingAndDeletingAreOneEntryEach() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        isOneEntry(open.document, [&] { adapter.add("ReLU", {300, 300}); });
        QVERIFY(idsOf(adapter).contains("relu2"));
        isOneEntry(open.document, [&] { adapter.connectPorts({"conv", 0, true}, {"relu2", 0, false}); });
        QCOMPARE(edgeInto(adapter, "relu2")->from.node, QString("conv"));
        isOneEntry(open.document, [&] { adapter.remove({"relu2"}, {}); });
        QVERIFY(!idsOf(adapter).contains("relu2"));
    }

    void aDeletedBlockIsBridged() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        isOneEntry(open.document, [&] { adapter.remove({"relu"}, {}); });
        QCOMPARE(edgeInto(adapter, "layers")->from.node, QString("conv"));
        QVERIFY(open.document.report().ok());
    }

    void aDeletedWireLeavesTheInputOpenAndNamesTheBlock() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        isOneEntry(open.document, [&] { adapter.remove({}, {*edgeInto(adapter, "fc")}); });
        QVERIFY(!edgeInto(adapter, "fc"));
        QVERIFY(!open.document.report().ok());
        QCOMPARE(nodeOf(adapter, "fc").badge, widgets::Severity::Critical);
    }

    void aBlockDroppedOnAWireGoesInBetween() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        QMimeData data;
        data.setData(kBlockMime, "Dropout");
        QVERIFY(adapter.acceptsDrop(data));
        isOneEntry(open.document, [&] { adapter.drop(data, {100, 100}, edgeInto(adapter, "fc")); });
        QCOMPARE(edgeInto(adapter, "dropout")->from.node, QString("flatten"));
        QCOMPARE(edgeInto(adapter, "fc")->from.node, QString("dropout"));
        QVERIFY(open.document.report().ok());
    }

    void aWireMovesToAnotherInput() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        adapter.add("Add", {0, 400});
        adapter.connectPorts({"conv", 0, true}, {"add", 0, false});
        const auto old = edgeInto(adapter, "add");
        QVERIFY(old.has_value());
        adapter.add("ReLU", {0, 500});
        isOneEntry(open.document, [&] { adapter.reconnect(*old, {"relu2", 0, false}); });
        QVERIFY(!edgeInto(adapter, "add"));
        QCOMPARE(edgeInto(adapter, "relu2")->from.node, QString("conv"));
    }

    void copyPasteAndDuplicateKeepTheWiresAmongThem() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        QSignalSpy selected(&adapter, &CanvasAdapter::selected);
        adapter.copy({"conv", "relu", "layers"});
        QVERIFY(!open.document.isDirty());
        isOneEntry(open.document, [&] { adapter.paste({0, 600}); });
        QCOMPARE(selected.count(), 1);
        QCOMPARE(edgeInto(adapter, "relu2")->from.node, QString("conv2"));
        QVERIFY(!edgeInto(adapter, "conv2"));
        QCOMPARE(open.document.project().model.definitions.size(), std::size_t(1));
        isOneEntry(open.document, [&] { adapter.duplicate({"conv", "relu"}); });
        QCOMPARE(edgeInto(adapter, "conv3")->from.node, QString("image"));
        QCOMPARE(edgeInto(adapter, "relu3")->from.node, QString("conv3"));
    }

    void aClipboardWithoutBlocksIsASentence() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        QSignalSpy refused(&open.document, &ProjectDocument::refused);
        for (const char* content : {"", "hello", "{}", R"({"plumbline_blocks":1,"model":3})"}) {
            QGuiApplication::clipboard()->setText(QLatin1String(content));
            adapter.paste({0, 0});
        }
        QCOMPARE(refused.count(), 4);
        QCOMPARE(open.document.undoStack()->count(), 0);
    }

    void groupingKeepsTheModelAndItsNumbers() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        const auto parameters = open.document.report().model.parameterCount();
        isOneEntry(open.document, [&] { adapter.group({"pool", "flatten", "fc"}); });
        QVERIFY(open.document.report().ok());
        QCOMPARE(open.document.report().model.parameterCount(), parameters);
        adapter.enter("group");
        QVERIFY(idsOf(adapter).contains("fc"));
        QCOMPARE(nodeOf(adapter, "fc").shape, QString::fromUtf8("B×10"));
    }

    void anUndoThatTakesAwayTheCompositeGoesOut() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        adapter.group({"pool", "flatten"});
        adapter.enter("group");
        open.document.undoStack()->undo();
        QCOMPARE(adapter.levels().size(), std::size_t(1));
        QVERIFY(idsOf(adapter).contains("pool"));
    }

    void movingIsOneEntryAndLeavesTheModelAlone() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        const Json model = open.document.project().json;
        isOneEntry(open.document, [&] { adapter.moveNodes({{"conv", {400, 240}}, {"relu", {600, 240}}}); });
        QVERIFY(open.document.project().json == model);
        QCOMPARE(nodeOf(adapter, "conv").position, QPointF(400, 240));
        isOneEntry(open.document, [&] { adapter.arrange(); });
    }

    void aWireThatDoesNotFitSaysWhy() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        const auto loop = adapter.canConnect({"fc", 0, true}, {"conv", 0, false});
        QVERIFY(!loop.ok);
        QVERIFY(loop.reason.contains("loop"));
        const auto shape = adapter.canConnect({"fc", 0, true}, {"output:logits", 0, false});
        QVERIFY(shape.ok);
        adapter.add("Conv2d", {0, 700});
        applyField(adapter, "conv2", "out_channels", 4);
        applyField(adapter, "conv2", "kernel_size", 3);
        adapter.connectPorts({"conv", 0, true}, {"conv2", 0, false});
        const auto flat = adapter.canConnect({"fc", 0, true}, {"conv2", 0, false});
        QVERIFY(!flat.ok);
        QVERIFY2(flat.reason.contains("conv2"), qPrintable(flat.reason));
        QVERIFY(adapter.canConnect({"relu", 0, true}, {"conv2", 0, false}).ok);
        const auto composite = adapter.canConnect({"image", 0, true}, {"layers", 0, false});
        QVERIFY(composite.ok);
        // A composite is tried as a whole: what a block inside it cannot take is refused at its edge, with that block's
        // reason.
        adapter.add("ConvBlock", {0, 900});
        const QString added = idsOf(adapter).filter("convblock", Qt::CaseInsensitive).value(0);
        QVERIFY2(!added.isEmpty(), qPrintable(idsOf(adapter).join(", ")));
        QVERIFY(adapter.canConnect({"relu", 0, true}, {added, 0, false}).ok);
        const auto refused = adapter.canConnect({"fc", 0, true}, {added, 0, false});
        QVERIFY(!refused.ok);
        QVERIFY2(refused.reason.contains(added + ".conv") && refused.reason.contains("10"), qPrintable(refused.reason));
    }

    void sharedWeightsAreShownOnTheBlockThatHasThem() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        adapter.add("Linear", {0, 700}, CanvasPortRef{"flatten", 0, true});
        QVERIFY(applyField(adapter, "linear", "out_features", 10));
        QCOMPARE(nodeOf(adapter, "linear").type, QString("Linear"));
        const std::int64_t own = open.document.report().model.parameterCount();
        QVERIFY(applyField(adapter, "linear", "@weights", "fc"));
        QCOMPARE(nodeOf(adapter, "linear").type, QString::fromUtf8("Linear · weights of fc"));
        QCOMPARE(nodeOf(adapter, "fc").type, QString("Linear"));
        QCOMPARE(open.document.report().model.parameterCount(), own - 330);
        open.document.undoStack()->undo();
        QCOMPARE(nodeOf(adapter, "linear").type, QString("Linear"));
    }

    void aDefinitionCannotComeToContainItself() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        adapter.enter("layers");
        QSignalSpy refused(&open.document, &ProjectDocument::refused);
        adapter.add("ConvBlock", {0, 0});
        QCOMPARE(refused.count(), 1);
        QCOMPARE(open.document.undoStack()->count(), 0);
    }

    void parametersAreEditedAndResetOneEntryEach() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        isOneEntry(open.document, [&] { QVERIFY(applyField(adapter, "conv", "out_channels", 12)); });
        QCOMPARE(nodeOf(adapter, "conv").shape, QString::fromUtf8("B×12×8×8"));
        isOneEntry(open.document, [&] { QVERIFY(applyField(adapter, "conv", "padding", QJsonValue::Undefined)); });
        isOneEntry(open.document, [&] { QVERIFY(applyField(adapter, "conv", "@name", "first")); });
        QCOMPARE(edgeInto(adapter, "relu")->from.node, QString("first"));
        isOneEntry(open.document, [&] { QVERIFY(applyField(adapter, "relu", "@enabled", false)); });
        QVERIFY(!applyField(adapter, "fc", "@from.input", "nobody"));
        isOneEntry(open.document, [&] { adapter.add("Output", {0, 0}); });
        isOneEntry(open.document, [&] { QVERIFY(applyField(adapter, "image", "@shape", QJsonArray({"B", 3, 8, 8}))); });
        QVERIFY(!applyField(adapter, "conv", "@name", "relu"));
    }

    void theFormShowsInferredValuesAndProblems() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        const BlockForm form = formOf(adapter, "conv");
        const auto inChannels = std::find_if(form.fields.begin(), form.fields.end(),
                                             [](const auto& field) { return field.path == "in_channels"; });
        QVERIFY(inChannels != form.fields.end());
        QVERIFY2(inChannels->placeholder.startsWith("1"), qPrintable(inChannels->placeholder));
        QVERIFY(applyField(adapter, "conv", "in_channels", 3));
        QVERIFY(fieldProblems(adapter, "conv").contains("in_channels") ||
                fieldProblems(adapter, "conv").contains("@name"));
    }

    void pathsAndPointersFindTheirBlock() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        QCOMPARE(adapter.showPath("layers.1.conv"), QString("conv"));
        QCOMPARE(adapter.here().path, std::string("layers.1"));
        QCOMPARE(nodeOf(adapter, "conv").shape, QString::fromUtf8("B×32×8×8"));
        QCOMPARE(adapter.showPointer("/model/graph/nodes/fc/params/out_features"), QString("fc"));
        QCOMPARE(adapter.levels().size(), std::size_t(1));
        QCOMPARE(adapter.showPointer("/model/definitions/ConvBlock/nodes/relu"), QString("relu"));
        QCOMPARE(adapter.here().graph, std::string("ConvBlock"));
        QVERIFY(adapter.showPath("nowhere").isEmpty());
    }

    void connectionsGoByPositionByNameAndVariadic() {
        const graph::BlockRegistry& registry = ProjectDocument::registry();
        const Ports concat = portsOf({}, registry, "Concat");
        QVERIFY(concat.inputs.back().variadic);
        graph::Node node;
        node.type = "Concat";
        setConnections(node, concat, {{0, {"a", ""}}, {0, {"b", ""}}, {0, {"c", ""}}});
        QCOMPARE(node.inputs.size(), std::size_t(3));
        QVERIFY(node.inputs[0].port.empty());
        QCOMPARE(connectionsOf(node, concat).size(), std::size_t(3));
        const Ports lstm = portsOf({}, registry, "LSTM");
        QVERIFY(lstm.outputs.size() > 1);
        QCOMPARE(sourceOf("lstm", lstm, 0).toString(), std::string("lstm"));
        QCOMPARE(outputIndex(lstm, sourceOf("lstm", lstm, 1).port), 1);
    }

    void modelsKeepTheRulesOfQt() {
        OpenProject open;
        CanvasAdapter adapter(open.document);
        widgets::CanvasListModel list;
        QAbstractItemModelTester listTester(&list);
        list.setCanvasModel(&adapter);
        PaletteModel palette;
        QAbstractItemModelTester paletteTester(&palette);
        palette.setEntries(paletteEntries(open.document));
        QVERIFY(palette.rowCount() > 5);
        adapter.add("ReLU", {0, 0});
        adapter.remove({"relu", "conv"}, {});
        open.document.undoStack()->undo();
        QCOMPARE(list.rowCount(), 9);
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::ModelEditingTest>(argc, argv);
}

#include "test_model_editing.moc"
