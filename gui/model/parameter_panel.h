// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected: its type, shapes and costs, and the form of its parameters.
#pragma once

#include <QWidget>

class QLabel;

namespace plumbline::widgets {
class FormWidget;
}

namespace plumbline::gui {

class CanvasAdapter;

class ParameterPanel : public QWidget {
    Q_OBJECT

public:
    explicit ParameterPanel(CanvasAdapter& adapter, QWidget* parent = nullptr);

    /// Block ids of the level that is shown; none = the level itself.
    void setSelection(const QStringList& ids);
    void refresh();
    void commitPending();
    /// Scrolls to a parameter; false when the form has none of that name.
    bool focusField(const QString& path);
    widgets::FormWidget* form() const { return m_form; }

Q_SIGNALS:
    /// The selected block was given another name.
    void renamed(const QString& id);

private:
    QString factsOf(const QString& id) const;
    void apply(const QString& path, const QJsonValue& value);

    CanvasAdapter& m_adapter;
    QStringList m_ids;
    QLabel* m_title;
    QLabel* m_summary;
    QLabel* m_facts;
    widgets::FormWidget* m_form;
};

}  // namespace plumbline::gui
