// SPDX-License-Identifier: GPL-3.0-or-later
// One field of a form: label, editor, unit, reset, note and problem line. Used by FormWidget alone.
#pragma once

#include <QWidget>

#include "widgets/form_widget.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QHBoxLayout;
class QKeyEvent;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QStringListModel;
class QToolButton;

namespace plumbline::widgets {

class FormRow : public QWidget {
    Q_OBJECT

public:
    explicit FormRow(const FieldSpec& spec, QWidget* parent = nullptr);

    const FieldSpec& spec() const { return m_spec; }
    /// Whether the editor that is there suits the field.
    bool canShow(const FieldSpec& spec) const {
        return m_spec.path == spec.path && m_spec.type == spec.type &&
               m_spec.allowsExpression == spec.allowsExpression && m_spec.removable == spec.removable &&
               m_spec.movable == spec.movable && m_spec.completions.isEmpty() == spec.completions.isEmpty();
    }
    /// New looks and limits for the same path and type.
    void setSpec(const FieldSpec& spec);

    QJsonValue value() const { return m_value; }
    void setValue(const QJsonValue& value);
    void setProblem(const FieldProblem& problem);
    void setReadOnly(bool readOnly);
    void commit();
    /// Text that was refused gives way to the value.
    void dropRefused();
    /// Why the text that is shown is no value; empty when it is one.
    const QString& refusal() const { return m_refusal; }

    /// What holds the focus.
    QWidget* editor() const;
    /// What Tab stops at, from left to right: the editor in all its forms and the buttons behind it.
    QList<QWidget*> tabStops() const;
    bool matches(const QString& filter) const;

Q_SIGNALS:
    void edited(const QString& path, const QJsonValue& value);
    void addRequested(const QString& path, const QJsonValue& choice);
    void removeRequested(const QString& path);
    void moveRequested(const QString& path, int places);
    void focused(const QString& path);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    /// Label beside the editor, or above it where there is little room.
    void place(bool stacked);
    /// Label and editor side by side, or one above the other where there is no room.
    void arrange();
    void buildEditor();
    void buildAddButton();
    void buildElementButtons();
    QToolButton* addElementButton(const QString& name, const QString& iconName);
    void offerAll();
    void useText(bool text);
    void refreshLooks();
    void refreshEditor();
    void refreshProblem();
    /// The text changed: what was refused may be so no longer.
    void reconsider();
    void take(const QJsonValue& value);
    void stepBy(int step);
    void browse();
    QString typedText() const;
    /// The text is that of the value, in one of its two forms.
    bool isUntouched() const;
    /// The whole number while it is edited, what can be read at a glance otherwise, from its beginning.
    void showForm(bool edited);
    void showText(const QString& text);
    bool isTextual() const;
    /// Of m_value, into m_shown and m_read.
    void noteShown();
    /// The keyboard goes elsewhere for good: not to the field's own menu, nor to another window.
    static bool isLeft(const QFocusEvent& event);
    /// The field itself has nothing to take back (or to do again).
    bool leavesToDocument(const QKeyEvent& key) const;

    FieldSpec m_spec;
    QJsonValue m_value = QJsonValue::Undefined;
    QString m_shown;         ///< text of m_value in the text editor
    QString m_read;          ///< shown instead while nobody edits it: a number of many digits is shorter so
    bool m_editing = false;  ///< the line has the keyboard
    QString m_refusal;
    FieldProblem m_problem{Severity::None, {}};
    bool m_readOnly = false;
    bool m_stacked = false;

    QGridLayout* m_grid;
    QHBoxLayout* m_editors;
    QLabel* m_label;
    QLabel* m_unit;
    QLabel* m_note;
    QWidget* m_problemLine;
    QLabel* m_problemIcon;
    QLabel* m_problemText;
    QToolButton* m_reset;
    QToolButton* m_asText = nullptr;
    QToolButton* m_browse = nullptr;
    QLineEdit* m_line = nullptr;
    QPlainTextEdit* m_plain = nullptr;
    QCheckBox* m_check = nullptr;
    QComboBox* m_combo = nullptr;
    QToolButton* m_add = nullptr;
    QToolButton* m_remove = nullptr;
    QToolButton* m_up = nullptr;
    QToolButton* m_down = nullptr;
    QStringListModel* m_completions = nullptr;
};

}  // namespace plumbline::widgets
