// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does on a page: a note typed beside a run, a block searched and dropped, the numbers of the model, an
// export.
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSet>
#include <QTableView>
#include <QToolTip>
#include <QTreeView>
#include <QUndoStack>

#include "gui/model/block_fields.h"
#include "gui/model/block_palette.h"
#include "gui/model/canvas_adapter.h"
#include "gui/model/node_ports.h"
#include "gui/pages/model_page.h"
#include "gui/pages/run_table_model.h"
#include "widgets/canvas_view.h"
#include "widgets/filter_table.h"
#include "window_fixture.h"

namespace plumbline::gui::test {

namespace {

struct Fixture : WindowFixture {
    Fixture() {
        window.resize(1400, 900);
        window.show();
        QCoreApplication::processEvents();
    }
    ModelPage& model() { return *static_cast<ModelPage*>(window.page("model")); }
    /// Types of the palette that are shown.
    QStringList shownTypes() {
        const QAbstractItemModel* tree = named<QTreeView>("palette_tree")->model();
        QStringList types;
        for (int group = 0; group < tree->rowCount(); ++group) {
            const QModelIndex parent = tree->index(group, 0);
            for (int row = 0; row < tree->rowCount(parent); ++row) {
                types << tree->index(row, 0, parent).data(PaletteModel::kTypeRole).toString();
            }
        }
        return types;
    }
};

}  // namespace

class PagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everySampleHasAPictureOfItsBlocks() {
        Fixture f;
        QVERIFY(f.window.showPage("welcome"));
        QTRY_VERIFY_WITH_TIMEOUT(f.window.currentPage()->isSettled(), 20000);
        const auto* list = f.named<QListWidget>("welcome_samples");
        QCOMPARE(list->count(), 8);
        QList<QImage> seen;
        for (int row = 0; row < list->count(); ++row) {
            const QImage picture =
                list->item(row)->icon().pixmap(list->iconSize()).toImage().convertToFormat(QImage::Format_RGB32);
            const QString name = list->item(row)->text().section('\n', 0, 0);
            QSet<QRgb> colours;
            int edges = 0;
            // Each has a Linear or an Embedding, or is made of composites.
            const QColor blocks[] = {widgets::Theme::instance().categoryColor(widgets::BlockCategory::Linear),
                                     widgets::Theme::instance().categoryColor(widgets::BlockCategory::Composite)};
            for (int y = 0; y < picture.height(); ++y) {
                for (int x = 0; x < picture.width(); ++x) {
                    colours.insert(picture.pixel(x, y));
                    edges += picture.pixelColor(x, y) == blocks[0] || picture.pixelColor(x, y) == blocks[1] ? 1 : 0;
                }
            }
            QVERIFY2(colours.size() > 50, qPrintable(QString("%1: %2 colours").arg(name).arg(colours.size())));
            QVERIFY2(edges > 10, qPrintable(name));
            QVERIFY2(!seen.contains(picture), qPrintable(name));
            seen << picture;
        }
    }

    void whileAWireIsDraggedAPortThatFitsLightsUpAndOneThatDoesNotSaysWhy() {
        Fixture f;
        QVERIFY(f.window.showPage("model"));
        auto& adapter = f.model().adapter();
        auto& canvas = f.model().canvas();
        adapter.add("Conv2d", {0, 700});
        QVERIFY(applyField(adapter, "conv2", "out_channels", 4) && applyField(adapter, "conv2", "kernel_size", 3) &&
                applyField(adapter, "conv2", "padding", 1));
        adapter.connectPorts({"conv", 0, true}, {"conv2", 0, false});
        adapter.moveNodes({{"pool", {5000, 5000}}, {"fc", {5000, 5200}}, {"conv2", {5400, 5100}}});
        canvas.setZoom(1);
        canvas.centerOn(5250, 5150);
        const auto port = [&](const QString& id, bool output) {
            for (const widgets::CanvasNode& node : adapter.nodes()) {
                if (node.id == id) {
                    const QSizeF size = widgets::canvasNodeSize(node);
                    return canvas.mapFromScene(node.position + QPointF(output ? size.width() : 0, size.height() / 2));
                }
            }
            return QPoint();
        };
        const QPoint target = port("conv2", false);
        const auto lit = [&] {
            const QImage picture = canvas.viewport()->grab().toImage();
            int found = 0;
            for (int y = -3; y <= 3; ++y) {
                for (int x = -3; x <= 3; ++x) {
                    found +=
                        picture.pixelColor((QPointF(target + QPoint(x, y)) * picture.devicePixelRatio()).toPoint()) ==
                        widgets::Theme::instance().colors().accent;
                }
            }
            return found > 20;
        };
        const auto dragFrom = [&](const QString& id) {
            QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, port(id, true));
            QTest::mouseMove(canvas.viewport(), port(id, true) + QPoint(30, 30));
            QTest::mouseMove(canvas.viewport(), port(id, true) + QPoint(50, 40));
        };
        QVERIFY(!lit());
        dragFrom("pool");
        QVERIFY(lit());
        QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, port("conv", true));
        const int entries = f.document().undoStack()->count();
        dragFrom("fc");
        QVERIFY(!lit());
        QTest::mouseMove(canvas.viewport(), target);
        QVERIFY2(QToolTip::text().contains("conv2") && QToolTip::text().contains("10"), qPrintable(QToolTip::text()));
        QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, target);
        QCOMPARE(f.document().undoStack()->count(), entries);  // nor is it connected
    }

    void aNoteTypedBesideARunIsKeptWithIt() {
        Fixture f;
        const QString run = f.train();
        QVERIFY(!run.isEmpty());
        QVERIFY(f.window.showPage("runs"));
        QTableView* table = f.named<widgets::FilterTable>("runs_table")->view();
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 1, 20000);
        const QModelIndex cell = table->model()->index(0, RunTableModel::Note);
        table->setCurrentIndex(cell);
        table->edit(cell);
        auto* editor = table->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, "warm-up was too short");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(cell.data().toString(), QString("warm-up was too short"));
        const auto kept = readJsonFile(filePath(f.temporary.filePath("small/runs/" + run)) / "note.json");
        QVERIFY2(kept.has_value(), kept ? "" : kept.error().message.c_str());
        QCOMPARE(kept->value("note", ""), std::string("warm-up was too short"));
    }

    void thePaletteShowsWhatIsSearchedAndReturnAddsIt() {
        Fixture f;
        const qsizetype all = f.shownTypes().size();
        auto* search = f.named<QLineEdit>("palette_search");
        QTest::keyClicks(search, "conv2d");
        const QStringList found = f.shownTypes();
        QVERIFY2(found.contains("Conv2d") && !found.contains("Linear") && found.size() < all,
                 qPrintable(found.join(", ")));
        const std::size_t before = f.document().project().model.root.nodes.size();
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(f.document().project().model.root.nodes.size(), before + 1);
        QCOMPARE(f.document().project().model.root.nodes.back().type, std::string("Conv2d"));
        search->clear();
        QCOMPARE(f.shownTypes().size(), all);
        QTest::keyClicks(search, "no such block");
        QVERIFY(f.shownTypes().isEmpty());
    }

    void aBlockDraggedFromThePaletteIsDroppedOnTheCanvas() {
        Fixture f;
        auto* palette = f.model().findChild<BlockPalette*>();
        QModelIndexList dragged;
        for (int group = 0; group < palette->model()->rowCount(); ++group) {
            const QModelIndex parent = palette->model()->index(group, 0);
            for (int row = 0; row < palette->model()->rowCount(parent); ++row) {
                if (palette->model()->index(row, 0, parent).data(PaletteModel::kTypeRole).toString() == "Dropout") {
                    dragged << palette->model()->index(row, 0, parent);
                }
            }
        }
        QCOMPARE(dragged.size(), 1);
        const std::unique_ptr<QMimeData> mime(palette->model()->mimeData(dragged));
        widgets::CanvasView& canvas = f.model().canvas();
        canvas.setZoom(1);
        const auto drop = [&](const QPoint& place, const QMimeData& what) {
            QDragEnterEvent enter(place, Qt::CopyAction, &what, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(canvas.viewport(), &enter);
            QDragMoveEvent move(place, Qt::CopyAction, &what, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(canvas.viewport(), &move);
            QDropEvent dropped(place, Qt::CopyAction, &what, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(canvas.viewport(), &dropped);
            return enter.isAccepted();
        };
        QMimeData foreign;
        foreign.setText("some text");
        const std::size_t before = f.document().project().model.root.nodes.size();
        QVERIFY(!drop({30, canvas.viewport()->height() - 30}, foreign));
        QCOMPARE(f.document().project().model.root.nodes.size(), before);
        const QPoint open(canvas.viewport()->width() / 2, canvas.viewport()->height() - 40);
        QVERIFY(canvas.nodeAt(open).isEmpty());
        QVERIFY(drop(open, *mime));
        QCOMPARE(f.document().project().model.root.nodes.size(), before + 1);
        const graph::Node& made = f.document().project().model.root.nodes.back();
        QCOMPARE(made.type, std::string("Dropout"));
        QVERIFY(made.inputs.empty());
        QPointF place;
        for (const widgets::CanvasNode& node : f.model().adapter().nodes()) {
            if (node.id == text(made.name)) {
                place = node.position;
            }
        }
        const QPointF wanted = canvas.mapToScene(open);
        QVERIFY2(std::hypot(place.x() - wanted.x(), place.y() - wanted.y()) < 200,
                 qPrintable(QString("%1, %2").arg(place.x()).arg(place.y())));
    }

    void thePanelTellsParametersAndMacs() {
        English english;
        Fixture f;
        auto* facts = f.named<QLabel>("parameters_facts");
        QVERIFY(facts);
        const graph::ResolvedModel& model = f.document().report().model;
        QVERIFY(model.parameterCount() > 0);
        f.model().canvas().setSelectedNodes({});
        QVERIFY2(facts->text().contains(countText(static_cast<double>(model.parameterCount()))) &&
                     facts->text().contains("MACs"),
                 qPrintable(facts->text()));
        f.model().canvas().setSelectedNodes({"conv"});
        // 8 filters of 1x3x3 and a bias each; the same numbers at each of 8x8 places.
        QVERIFY2(facts->text().contains("80 parameters"), qPrintable(facts->text()));
        QVERIFY2(facts->text().contains(countText(8.0 * 9 * 64)), qPrintable(facts->text()));
        f.model().canvas().setSelectedNodes({"fc", "conv"});
        QVERIFY2(facts->text().contains(countText(80 + 32 * 10 + 10)), qPrintable(facts->text()));
    }

    void anExportIsStartedCancelledAndJudged() {
        Fixture f;
        QVERIFY(f.window.showPage("export"));
        auto* start = f.named<QPushButton>("export_start");
        auto* cancel = f.named<QPushButton>("export_cancel");
        auto* state = f.named<QLabel>("export_state");
        auto* verdict = f.named<QLabel>("export_verdict");
        auto* files = f.named<QListWidget>("export_files");
        QTRY_VERIFY_WITH_TIMEOUT(start->isEnabled() && f.named<QComboBox>("export_weights")->count() > 0, 20000);
        QVERIFY(cancel->isHidden());

        f.engine->holdExport = true;
        start->click();
        QVERIFY(!start->isEnabled() && !cancel->isHidden());
        QTRY_COMPARE_WITH_TIMEOUT(f.engine->exports.load(), 1, 20000);
        cancel->click();
        QTRY_VERIFY_WITH_TIMEOUT(start->isEnabled() && cancel->isHidden(), 20000);
        QVERIFY2(state->text().contains("stopped"), qPrintable(state->text()));
        QVERIFY(verdict->text().isEmpty());
        QCOMPARE(files->count(), 0);

        f.engine->holdExport = false;
        f.engine->exported.files = {"model.cpp", "weights.bin"};
        f.engine->exported.checked = true;
        f.engine->exported.passed = true;
        f.engine->exported.forwardMax = 1.5e-7;
        start->click();
        QTRY_COMPARE_WITH_TIMEOUT(files->count(), 2, 20000);
        QVERIFY2(verdict->text().contains("the same") && verdict->text().contains("1.5e-07"),
                 qPrintable(verdict->text()));
        QVERIFY2(!verdict->text().contains("training"), "this format does not train");
        QVERIFY(!f.named<QPushButton>("export_open_folder")->isHidden());

        f.engine->exported.passed = false;
        start->click();
        QTRY_VERIFY_WITH_TIMEOUT(verdict->text().contains("differ"), 20000);
    }

    void theFolderOfAnExportFollowsTheFormatUntilOneIsWritten() {
        Fixture f;
        QVERIFY(f.window.showPage("export"));
        auto* format = f.named<QComboBox>("export_format");
        auto* folder = f.named<QLineEdit>("export_folder");
        QTRY_VERIFY_WITH_TIMEOUT(folder->text().endsWith("exports/cpp"), 20000);
        format->setCurrentIndex(format->findData("torchscript"));
        QVERIFY2(folder->text().endsWith("exports/torchscript"), qPrintable(folder->text()));
        folder->setText("/somewhere/else");
        format->setCurrentIndex(format->findData("state-dict"));
        QCOMPARE(folder->text(), QString("/somewhere/else"));
    }

    void deletingRunsNamesThem() {
        Fixture f;
        const QString first = f.train(), second = f.train();
        QVERIFY(!first.isEmpty() && !second.isEmpty());
        QVERIFY(f.window.showPage("runs"));
        QTableView* table = f.named<widgets::FilterTable>("runs_table")->view();
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 2, 20000);
        table->selectAll();
        QTRY_VERIFY_WITH_TIMEOUT(f.named<QPushButton>("runs_delete")->isEnabled(), 20000);
        f.named<QPushButton>("runs_delete")->click();
        auto* question = f.named<QDialog>("dialog_delete_runs");
        QVERIFY(question);
        const QString asked = question->findChild<QLabel*>("qt_msgbox_label")->text();
        QVERIFY2(asked.contains(first) && asked.contains(second), qPrintable(asked));
        question->findChild<QPushButton*>("dialog_delete_runs_reject")->click();
        QVERIFY(QFileInfo::exists(f.temporary.filePath("small/runs/" + first)));
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::PagesTest>(argc, argv);
}

#include "test_pages.moc"
