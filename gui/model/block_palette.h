// SPDX-License-Identifier: GPL-3.0-or-later
// All block types by category, with search; drag one onto the canvas or press Return.
#pragma once

#include <QList>
#include <QStandardItemModel>
#include <QWidget>

#include "widgets/search_popup.h"

class QLabel;
class QLineEdit;
class QTreeView;
class QSortFilterProxyModel;

namespace plumbline::gui {

class ProjectDocument;

/// What can be added: leaf types in palette order, then the project's definitions. "Input" and "Output" are the
/// graph's own.
struct PaletteEntry {
    QString type, category, categoryTitle, summary;
    int blockCategory = 0;
};
QList<PaletteEntry> paletteEntries(const ProjectDocument& document);
/// The same for the quick-add search.
QList<widgets::SearchEntry> quickAddEntries(const ProjectDocument& document);

/// Category → type, with the type's id as drag data (kBlockMime).
class PaletteModel : public QStandardItemModel {
    Q_OBJECT

public:
    using QStandardItemModel::QStandardItemModel;
    static constexpr int kTypeRole = Qt::UserRole + 1;

    void setEntries(const QList<PaletteEntry>& entries);
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
};

class BlockPalette : public QWidget {
    Q_OBJECT

public:
    explicit BlockPalette(ProjectDocument& document, QWidget* parent = nullptr);

    QLineEdit* searchField() const { return m_search; }
    PaletteModel* model() const { return m_model; }

Q_SIGNALS:
    /// Return or a double click on a type.
    void chosen(const QString& type);
    /// "Open" in the menu of a composite.
    void definitionWanted(const QString& name);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void reload();
    QString currentType() const;

    ProjectDocument& m_document;
    QLineEdit* m_search;
    QTreeView* m_view;
    QLabel* m_none;  ///< what is searched for is no block
    PaletteModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QStringList m_definitions;
};

}  // namespace plumbline::gui
