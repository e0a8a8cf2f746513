// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/model_page.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/convert.h"
#include "gui/dock_fold.h"
#include "gui/model/block_palette.h"
#include "gui/model/block_statistics.h"
#include "gui/model/breadcrumb.h"
#include "gui/model/canvas_adapter.h"
#include "gui/model/parameter_panel.h"
#include "gui/model/telling.h"
#include "gui/project_memory.h"
#include "gui/workspace.h"
#include "widgets/canvas_list.h"
#include "widgets/canvas_view.h"
#include "widgets/form_widget.h"
#include "widgets/icons.h"
#include "widgets/scale_bar.h"
#include "widgets/search_popup.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {
constexpr int kStateVersion = 1;
constexpr int kWidthOfAll = 760;  ///< with less, the palette makes room: quick-add has every block too
const QString kViewKey = QStringLiteral("canvas");
}  // namespace

ModelPage::ModelPage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
    m_adapter = new CanvasAdapter(workspace.document(), this);
    m_inner = new QMainWindow(this);
    m_inner->setWindowFlags(Qt::Widget);  // docks inside the page; the constructor makes it a window
    m_inner->setObjectName(QStringLiteral("model_inner"));
    m_inner->setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    m_canvas = new CanvasView(m_inner);
    m_canvas->setObjectName(QStringLiteral("canvas"));
    m_canvas->setAccessibleName(tr("Model graph"));
    m_canvas->viewport()->setObjectName(QStringLiteral("canvas_viewport"));
    m_canvas->viewport()->setAccessibleName(m_canvas->accessibleName());
    m_canvas->setFrameShape(QFrame::NoFrame);
    m_canvas->setModel(m_adapter);
    m_hint = new QLabel(m_canvas->viewport());
    m_hint->setObjectName(QStringLiteral("canvas_hint"));
    m_hint->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_hint->setText(tr("No blocks yet. Double click, press Tab or drag one from the left."));
    m_hint->adjustSize();
    m_scale = new ScaleBar(m_canvas->viewport());
    m_scale->setObjectName(QStringLiteral("canvas_scale"));
    m_list = new CanvasList(m_inner);
    m_list->setObjectName(QStringLiteral("canvas_list"));
    m_palette = new BlockPalette(workspace.document(), m_inner);
    m_parameters = new ParameterPanel(*m_adapter, m_inner);
    m_statistics = new BlockStatistics(*m_adapter, workspace.bridge(), this);
    m_quickAdd = new QuickSearchPopup(this);
    m_quickAdd->setObjectName(QStringLiteral("quick_add"));
    m_quickAdd->setPlaceholder(tr("Add a block"));
    m_find = new SearchPopup(this);
    m_find->setObjectName(QStringLiteral("find_block"));
    m_find->setPlaceholder(tr("Find a block"));

    auto* middle = new QWidget(m_inner);
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeStrip());
    column->addWidget(m_canvas, 1);
    m_inner->setCentralWidget(middle);
    makeDocks();
    makeActions();
    m_list->follow(m_canvas);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_inner);

    connect(m_canvas, &CanvasView::selectionChanged, m_parameters, &ParameterPanel::setSelection);
    connect(m_canvas, &CanvasView::zoomChanged, this, [this](double zoom) {
        m_zoom->setText(tr("%1 %").arg(qRound(zoom * 100)));
        m_scale->setLook(zoom < kPlainZoom ? ScaleBar::Look::Ramp : ScaleBar::Look::Share);
    });
    connect(m_statistics, &BlockStatistics::scaleChanged, m_scale,
            [this](const BlockStatistics::Scale& scale) { m_scale->setScale(scale.caption, scale.low, scale.high); });
    connect(m_adapter, &CanvasAdapter::selected, this, &ModelPage::select);
    connect(m_adapter, &CanvasAdapter::quickAddWanted, this, &ModelPage::openQuickAdd);
    connect(m_adapter, &CanvasAdapter::parametersWanted, this, [this](const QString& id) {
        m_canvas->setSelectedNodes({id});
        m_parametersDock->show();
        m_parameters->form()->setFocus();
    });
    connect(m_adapter, &CanvasModel::levelChanged, this, &ModelPage::updateBreadcrumb);
    connect(m_adapter, &CanvasModel::changed, this, [this] {
        updateBreadcrumb();
        updateHint();
    });
    connect(&workspace.document(), &ProjectDocument::closing, this, &ModelPage::rememberView);
    connect(&workspace.document(), &ProjectDocument::projectChanged, this, &ModelPage::restoreView);
    connect(m_breadcrumb, &Breadcrumb::chosen, m_adapter, &CanvasAdapter::goTo);
    connect(m_palette, &BlockPalette::chosen, this, &ModelPage::addFromPalette);
    connect(m_palette, &BlockPalette::definitionWanted, m_adapter, &CanvasAdapter::showDefinition);
    connect(m_parameters, &ParameterPanel::renamed, this,
            [this](const QString& id) { m_canvas->setSelectedNodes({id}); });
    connect(m_quickAdd, &SearchPopup::chosen, this, [this](const QString& type) {
        m_canvas->setFocus();
        m_adapter->add(type, m_quickPosition, m_quickFrom);
    });
    connect(m_quickAdd, &SearchPopup::cancelled, m_canvas, qOverload<>(&QWidget::setFocus));
    connect(m_find, &SearchPopup::chosen, this,
            [this](const QString& path) { revealPointer(QStringLiteral("block:") + path); });
    connect(m_find, &SearchPopup::cancelled, m_canvas, qOverload<>(&QWidget::setFocus));
    connect(&workspace, &Workspace::marksShown, this, [this](const QList<BlockMark>& marks) {
        QHash<QString, CanvasAdapter::Badge> badges;
        for (const BlockMark& mark : marks) {
            if (!mark.block.isEmpty()) {
                CanvasAdapter::Badge& badge = badges[mark.block];
                badge.severity = std::max(badge.severity, mark.severity);
                badge.text += (badge.text.isEmpty() ? QString() : QStringLiteral("\n")) + mark.text;
            }
        }
        m_adapter->setFindingBadges(badges);
    });
    updateBreadcrumb();
    updateHint();
    m_firstState = m_inner->saveState(kStateVersion);
}

// Canvas, list and parameters look at the adapter to their end.
ModelPage::~ModelPage() {
    delete m_inner;
}

QWidget* ModelPage::makeStrip() {
    auto* strip = new QWidget(this);
    strip->setObjectName(QStringLiteral("model_strip"));
    m_breadcrumb = new Breadcrumb(strip);
    m_statistic = new QComboBox(strip);
    m_statistic->setObjectName(QStringLiteral("model_statistic"));
    m_statistic->setAccessibleName(tr("Fill of the blocks"));
    m_statistic->setToolTip(tr("What fills the blocks"));
    m_statistic->addItem(tr("No fill"), static_cast<int>(BlockStatistics::Kind::None));
    m_statistic->addItem(tr("Gradient norm"), static_cast<int>(BlockStatistics::Kind::GradientNorm));
    m_statistic->addItem(tr("Largest gradient"), static_cast<int>(BlockStatistics::Kind::LargestGradient));
    m_statistic->addItem(tr("Update ratio"), static_cast<int>(BlockStatistics::Kind::UpdateRatio));
    m_statistic->addItem(tr("Parameters"), static_cast<int>(BlockStatistics::Kind::Parameters));
    m_statistic->addItem(tr("MACs"), static_cast<int>(BlockStatistics::Kind::Macs));
    m_statistic->addItem(tr("Memory"), static_cast<int>(BlockStatistics::Kind::Memory));
    m_statistic->setCurrentIndex(1);
    auto* label = new QLabel(tr("Fill"), strip);
    label->setBuddy(m_statistic);
    m_zoom = new QLabel(QStringLiteral("100 %"), strip);
    m_zoom->setObjectName(QStringLiteral("model_zoom"));
    m_zoom->setFont(Theme::instance().numberFont());
    m_zoom->setMinimumWidth(m_zoom->fontMetrics().horizontalAdvance(QStringLiteral("0000 %")));
    m_zoom->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    connect(m_statistic, &QComboBox::activated, this, [this](int row) {
        m_statistics->setKind(static_cast<BlockStatistics::Kind>(m_statistic->itemData(row).toInt()));
    });
    const auto button = [this, strip](const char* name, const char* iconName, const QString& what,
                                      const std::function<void()>& run) {
        auto* made = new QToolButton(strip);
        made->setObjectName(QLatin1String(name));
        made->setIcon(icon(QLatin1String(iconName)));
        made->setToolTip(what);
        made->setAccessibleName(what);
        made->setAutoRaise(true);
        connect(made, &QToolButton::clicked, this, run);
        return made;
    };
    auto* layout = new QHBoxLayout(strip);
    layout->setContentsMargins(space::kSmall, space::kTiny, space::kSmall, space::kTiny);
    layout->setSpacing(space::kTiny);
    layout->addWidget(m_breadcrumb);
    layout->addStretch(1);
    layout->addWidget(label);
    layout->addWidget(m_statistic);
    layout->addSpacing(space::kSmall);
    layout->addWidget(button("model_find", "search", tr("Find a block (Ctrl+F)"), [this] { findBlock(); }));
    layout->addWidget(button("model_arrange", "wand", tr("Arrange blocks"), [this] { m_adapter->arrange(); }));
    layout->addWidget(button("model_fit", "fit", tr("Fit all (Home)"), [this] { m_canvas->fitAll(); }));
    layout->addWidget(m_zoom);
    return strip;
}

void ModelPage::makeDocks() {
    const auto dock = [this](const char* name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
        auto* made = new QDockWidget(title, m_inner);
        made->setObjectName(QLatin1String(name));
        made->setWidget(content);
        m_inner->addDockWidget(area, made);
        return made;
    };
    m_paletteDock = dock("dock_palette", tr("Blocks"), m_palette, Qt::LeftDockWidgetArea);
    m_parametersDock = dock("dock_parameters", tr("Parameters"), m_parameters, Qt::RightDockWidgetArea);
    m_listDock = dock("dock_list", tr("Blocks as a list"), m_list, Qt::BottomDockWidgetArea);
    m_listDock->hide();
    m_fold = new DockFold({m_paletteDock}, kWidthOfAll, this);
    m_inner->resizeDocks({m_paletteDock, m_parametersDock}, {190, 300}, Qt::Horizontal);
}

QAction* ModelPage::addCanvasAction(const char* name, const QString& text, const QString& iconName,
                                    const QKeySequence& key, const std::function<void()>& run) {
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    if (!iconName.isEmpty()) {
        action->setIcon(icon(iconName));
    }
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);  // text fields and tables keep their own keys
    m_canvas->addAction(action);
    connect(action, &QAction::triggered, this, run);
    m_actions << action;
    return action;
}

void ModelPage::makeActions() {
    addCanvasAction("action_quick_add", tr("Add a block…"), QStringLiteral("add"), Qt::Key_Tab,
                    [this] { m_canvas->requestQuickAdd(); });
    m_actions << nullptr;
    addCanvasAction("action_cut", tr("Cut blocks"), QStringLiteral("delete"), QKeySequence::Cut, [this] {
        m_canvas->copySelection();
        if (!m_canvas->selectedNodes().isEmpty()) {
            m_canvas->deleteSelection();
        }
    });
    addCanvasAction("action_copy", tr("Copy blocks"), QStringLiteral("copy"), QKeySequence::Copy,
                    [this] { m_canvas->copySelection(); });
    addCanvasAction("action_paste", tr("Paste blocks"), QStringLiteral("paste"), QKeySequence::Paste,
                    [this] { m_canvas->pasteHere(); });
    addCanvasAction("action_duplicate", tr("Duplicate blocks"), QStringLiteral("duplicate"), Qt::CTRL | Qt::Key_D,
                    [this] { m_canvas->duplicateSelection(); });
    addCanvasAction("action_delete", tr("Delete"), QStringLiteral("delete"), QKeySequence::Delete,
                    [this] { m_canvas->deleteSelection(); });
    addCanvasAction("action_select_all", tr("Select all"), {}, QKeySequence::SelectAll,
                    [this] { m_canvas->selectAll(); });
    m_actions << nullptr;
    addCanvasAction("action_group", tr("Group into a composite"), QStringLiteral("group"), Qt::CTRL | Qt::Key_G,
                    [this] { m_canvas->groupSelection(); });
    addCanvasAction("action_enter", tr("Go into the composite"), QStringLiteral("enter"), {}, [this] {
        if (!m_canvas->selectedNodes().isEmpty()) {
            m_adapter->enter(m_canvas->selectedNodes().first());
        }
    });
    addCanvasAction("action_leave", tr("Go out"), QStringLiteral("leave"), Qt::Key_Backspace,
                    [this] { m_adapter->leave(); });
    m_actions << nullptr;
    QAction* find = addCanvasAction("action_find", tr("Find a block…"), QStringLiteral("search"), QKeySequence::Find,
                                    [this] { findBlock(); });
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(find);
    addCanvasAction("action_fit_selection", tr("Fit selection"), QStringLiteral("fit-selection"), Qt::Key_Period,
                    [this] { m_canvas->fitSelection(); });
    addCanvasAction("action_fit_all", tr("Fit all"), QStringLiteral("fit"), Qt::Key_Home,
                    [this] { m_canvas->fitAll(); });
    addCanvasAction("action_zoom_in", tr("Zoom in"), QStringLiteral("zoom-in"), Qt::Key_Plus,
                    [this] { m_canvas->zoomIn(); });
    addCanvasAction("action_zoom_out", tr("Zoom out"), QStringLiteral("zoom-out"), Qt::Key_Minus,
                    [this] { m_canvas->zoomOut(); });
    addCanvasAction("action_arrange", tr("Arrange blocks"), QStringLiteral("wand"), {},
                    [this] { m_adapter->arrange(); });
    m_actions << nullptr;
    for (QDockWidget* dock : {m_paletteDock, m_parametersDock, m_listDock}) {
        dock->toggleViewAction()->setObjectName(QStringLiteral("action_") +
                                                dock->objectName());  // the View menu shows them
    }
    auto* minimap = new QAction(icon(QStringLiteral("minimap")), tr("Minimap"), this);
    minimap->setObjectName(QStringLiteral("action_minimap"));
    minimap->setCheckable(true);
    minimap->setChecked(true);
    connect(minimap, &QAction::toggled, m_canvas, &CanvasView::setMinimapVisible);
    m_actions << minimap;

    m_canvas->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_canvas, &QWidget::customContextMenuRequested, this, &ModelPage::openContextMenu);
}

void ModelPage::openContextMenu(const QPoint& position) {
    const QStringList nodes = m_canvas->selectedNodes();
    const bool onWire = nodes.isEmpty() && !m_canvas->selectedEdges().isEmpty();
    QStringList wanted;
    if (!nodes.isEmpty()) {
        wanted << QStringLiteral("action_cut") << QStringLiteral("action_copy") << QStringLiteral("action_duplicate")
               << QStringLiteral("action_delete") << QString() << QStringLiteral("action_group");
        for (const CanvasNode& node : m_adapter->nodes()) {
            if (nodes.size() == 1 && node.id == nodes.first() && node.composite) {
                wanted << QStringLiteral("action_enter");
            }
        }
        wanted << QString() << QStringLiteral("action_quick_add") << QStringLiteral("action_fit_selection");
    } else if (onWire) {
        wanted << QStringLiteral("action_delete");
    } else {
        wanted << QStringLiteral("action_quick_add") << QStringLiteral("action_paste")
               << QStringLiteral("action_select_all") << QString() << QStringLiteral("action_find")
               << QStringLiteral("action_arrange") << QStringLiteral("action_fit_all");
        if (m_adapter->levels().size() > 1) {
            wanted << QStringLiteral("action_leave");
        }
    }
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("canvas_menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const QString& name : std::as_const(wanted)) {
        if (name.isEmpty()) {
            menu->addSeparator();
            continue;
        }
        for (QAction* action : std::as_const(m_actions)) {
            if (action && action->objectName() == name) {
                menu->addAction(action);
            }
        }
    }
    menu->popup(m_canvas->viewport()->mapToGlobal(position));
}

void ModelPage::activated() {
    m_canvas->setFocus();
    updateHint();
}

void ModelPage::commitPending() {
    m_parameters->commitPending();
}

QString ModelPage::refusedText() const {
    const FormWidget& form = *m_parameters->form();
    return form.refusal(form.refusedField());
}

void ModelPage::revealRefused() {
    m_parameters->focusField(m_parameters->form()->refusedField());
}

void ModelPage::openQuickAdd(const QPointF& position, const QPoint& globalPosition,
                             const std::optional<CanvasPortRef>& from) {
    m_quickPosition = position;
    m_quickFrom = from;
    const QStringList selected = m_canvas->selectedNodes();
    // A new block goes on from the selected one.
    if (!from && selected.size() == 1 && !isOutputId(bytes(selected.first()))) {
        for (const CanvasNode& node : m_adapter->nodes()) {
            if (node.id == selected.first() && !node.outputs.isEmpty()) {
                m_quickFrom = CanvasPortRef{node.id, 0, true};
                m_quickPosition = node.position;  // it stands beside this one
            }
        }
    }
    m_quickAdd->setBlocks(quickAddEntries(workspace().document()));
    m_quickAdd->popupAt(globalPosition);
}

void ModelPage::addFromPalette(const QString& type) {
    m_adapter->add(type, m_canvas->insertPosition());
    m_canvas->setFocus();
}

void ModelPage::findBlock() {
    QList<SearchEntry> entries;
    const ProjectDocument& document = workspace().document();
    if (!document.isOpen()) {
        return;
    }
    for (const graph::ModuleNode& module : document.report().model.tree) {
        if (module.path.empty()) {
            continue;
        }
        SearchEntry entry;
        entry.id = text(module.path);
        entry.title = entry.id;
        entry.subtitle = text(module.type);
        const graph::BlockType* type = ProjectDocument::registry().find(module.type);
        entry.icon = categoryIcon(type ? static_cast<BlockCategory>(categoryOf(type->spec().category))
                                       : BlockCategory::Composite);
        entries << entry;
    }
    m_find->setEntries(entries);
    m_find->popupOver(m_canvas);
}

void ModelPage::updateBreadcrumb() {
    QStringList steps;
    for (const Level& level : m_adapter->levels()) {
        if (level.graph.empty()) {
            steps << workspace().document().name();
        } else {
            const QString path = text(level.path);
            const QString above =
                steps.size() > 1
                    ? text(m_adapter->levels()[static_cast<std::size_t>(steps.size()) - 1].path) + QLatin1Char('.')
                    : QString();
            steps << (path.isEmpty() ? text(level.graph) : path.startsWith(above) ? path.mid(above.size()) : path);
        }
    }
    m_breadcrumb->setSteps(steps);
}

void ModelPage::updateHint() {
    const graph::Graph* graph = m_adapter->currentGraph();
    m_hint->setVisible(graph && graph->nodes.empty() && graph->inputs.empty() && graph->outputs.empty());
    m_hint->move((m_canvas->viewport()->width() - m_hint->width()) / 2,
                 (m_canvas->viewport()->height() - m_hint->height()) / 2);
}

void ModelPage::select(const QStringList& ids) {
    m_canvas->setSelectedNodes(ids);
    if (ids.size() == 1) {
        m_canvas->reveal(ids.first());
    }
}

bool ModelPage::revealPointer(const QString& pointer) {
    QString id;
    if (pointer.startsWith(QLatin1String("block:"))) {
        id = m_adapter->showPath(pointer.mid(6));
    } else if (pointer.startsWith(QLatin1String("/model"))) {
        id = m_adapter->showPointer(pointer);
        if (id.isEmpty()) {
            return true;  // the graph as a whole
        }
    }
    if (id.isEmpty() || !m_canvas->reveal(id)) {
        return false;
    }
    m_canvas->setFocus();
    const QString parameter = pointer.section(QStringLiteral("/params/"), 1).section(QLatin1Char('/'), 0, 0);
    if (!parameter.isEmpty()) {
        m_parameters->setSelection({id});
        m_parameters->focusField(parameter);
    }
    return true;
}

void ModelPage::rememberView() {
    const auto place = m_canvas->place();
    if (!place) {
        return;  // it was never looked at
    }
    const Level& here = m_adapter->here();
    ProjectMemory(workspace().document().folder())
        .setValue(kViewKey, QVariantMap{{QStringLiteral("graph"), text(here.graph)},
                                        {QStringLiteral("path"), text(here.path)},
                                        {QStringLiteral("zoom"), place->zoom},
                                        {QStringLiteral("center"), place->center},
                                        {QStringLiteral("selected"), m_canvas->selectedNodes()}});
}

void ModelPage::restoreView() {
    const ProjectDocument& document = workspace().document();
    const QVariantMap view =
        document.isOpen() ? ProjectMemory(document.folder()).value(kViewKey).toMap() : QVariantMap();
    if (view.isEmpty()) {
        m_canvas->setPlace({});
        return;
    }
    const QString graph = view.value(QStringLiteral("graph")).toString();
    const QString path = view.value(QStringLiteral("path")).toString();
    if (!path.isEmpty()) {
        m_adapter->showPath(path + QStringLiteral(".?"));
    } else if (!graph.isEmpty()) {
        m_adapter->showDefinition(graph);
    }
    if (text(m_adapter->here().graph) != graph) {
        m_canvas->setPlace({});  // the project has changed since
        return;
    }
    m_canvas->setSelectedNodes(view.value(QStringLiteral("selected")).toStringList());
    m_canvas->setPlace(CanvasView::Place{view.value(QStringLiteral("zoom")).toDouble(),
                                         view.value(QStringLiteral("center")).toPointF()});
}

QByteArray ModelPage::saveLayout() const {
    m_fold->unfold();
    const QByteArray state = m_inner->saveState(kStateVersion);
    m_fold->fit(m_room.width());
    return state;
}

void ModelPage::restoreLayout(const QByteArray& state) {
    m_fold->unfold();
    m_inner->restoreState(state, kStateVersion);
    m_fold->fit(m_room.width());
}

void ModelPage::resetLayout() {
    restoreLayout(m_firstState);
}

void ModelPage::setRoom(const QSize& room) {
    m_room = room;
    m_fold->fit(room.width());
}

}  // namespace plumbline::gui
