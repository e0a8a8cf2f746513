// SPDX-License-Identifier: GPL-3.0-or-later
// The graph editor: palette, canvas, parameters.
#pragma once

#include <optional>

#include "gui/page.h"
#include "widgets/canvas_model.h"

class QComboBox;
class QDockWidget;
class QLabel;
class QMainWindow;

namespace plumbline::widgets {
class CanvasList;
class CanvasView;
class QuickSearchPopup;
class ScaleBar;
class SearchPopup;
}  // namespace plumbline::widgets

namespace plumbline::gui {

class BlockPalette;
class BlockStatistics;
class DockFold;
class Breadcrumb;
class CanvasAdapter;
class ParameterPanel;

class ModelPage : public Page {
    Q_OBJECT

public:
    explicit ModelPage(Workspace& workspace, QWidget* parent = nullptr);
    ~ModelPage() override;

    QString id() const override { return QStringLiteral("model"); }
    QString title() const override { return tr("Model"); }
    QString iconName() const override { return QStringLiteral("model"); }
    void activated() override;
    void commitPending() override;
    QString refusedText() const override;
    void revealRefused() override;
    QList<QAction*> pageActions() const override { return m_actions; }
    /// "block:layers.0.conv" or a pointer into /model.
    bool revealPointer(const QString& pointer) override;
    QByteArray saveLayout() const override;
    void restoreLayout(const QByteArray& state) override;
    void resetLayout() override;
    void setRoom(const QSize& room) override;

    CanvasAdapter& adapter() { return *m_adapter; }
    widgets::CanvasView& canvas() { return *m_canvas; }
    ParameterPanel& parameters() { return *m_parameters; }

private:
    QWidget* makeStrip();
    void makeDocks();
    void makeActions();
    QAction* addCanvasAction(const char* name, const QString& text, const QString& icon, const QKeySequence& key,
                             const std::function<void()>& run);
    void openQuickAdd(const QPointF& position, const QPoint& globalPosition,
                      const std::optional<widgets::CanvasPortRef>& from);
    void addFromPalette(const QString& type);
    void findBlock();
    /// Over what the press selected: a block, a wire or the empty canvas.
    void openContextMenu(const QPoint& position);
    void updateBreadcrumb();
    void updateHint();
    void select(const QStringList& ids);
    /// Level, zoom, place and selection of a project, from one opening to the next.
    void rememberView();
    void restoreView();

    CanvasAdapter* m_adapter;
    widgets::CanvasView* m_canvas;
    widgets::CanvasList* m_list;
    BlockPalette* m_palette;
    ParameterPanel* m_parameters;
    Breadcrumb* m_breadcrumb;
    QComboBox* m_statistic;
    QLabel* m_zoom;
    QLabel* m_hint;
    widgets::ScaleBar* m_scale;
    BlockStatistics* m_statistics;
    widgets::QuickSearchPopup* m_quickAdd;
    widgets::SearchPopup* m_find;
    QMainWindow* m_inner;
    DockFold* m_fold;
    QSize m_room{1 << 20, 1 << 20};
    QDockWidget* m_paletteDock;
    QDockWidget* m_parametersDock;
    QDockWidget* m_listDock;
    QByteArray m_firstState;
    QList<QAction*> m_actions;
    QPointF m_quickPosition;
    std::optional<widgets::CanvasPortRef> m_quickFrom;
};

}  // namespace plumbline::gui
