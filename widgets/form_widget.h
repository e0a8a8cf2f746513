// SPDX-License-Identifier: GPL-3.0-or-later
// A form built from a list of field descriptions: block parameters, training settings.
#pragma once

#include <QHash>
#include <QJsonValue>
#include <QList>
#include <QScrollArea>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>

#include "widgets/theme.h"

namespace plumbline::widgets {

enum class FieldType {
    Integer,
    Real,
    Boolean,
    Text,
    Choice,
    List,        ///< numbers or words with commas: "3, 3" -> [3, 3]
    Json,        ///< any JSON value
    Expression,  ///< a number, or text that starts with "=" as it stands in the project
    Path,        ///< text with a "Browse" button
    Add          ///< no value: a button (text: placeholder) that adds one of `choices` to a list
};

struct FieldChoice {
    QJsonValue value;
    QString label;  ///< the value's text when empty
    QString help;
};

struct FieldSpec {
    QString path;   ///< unique in the form: "kernel_size", "optimizer.lr"
    QString label;  ///< the path's last part when empty
    FieldType type = FieldType::Text;
    QJsonValue defaultValue = QJsonValue::Undefined;  ///< Undefined: no default, the field is required or inferred
    std::optional<double> minimum;
    std::optional<double> maximum;
    QList<FieldChoice> choices;
    QString unit;
    QString help;     ///< tooltip and accessible description
    QString when;     ///< further sentence of both, which the filter does not search: "It applies to the next run."
    QString applies;  ///< note below the field: "applies from the next run"
    QString group;    ///< heading; fields of a group stay together in the order given
    QString
        heading;  ///< what the heading says where that changes; the group when empty. A group's first field tells it
    QString placeholder;            ///< inferred or inherited value, shown while the field is empty: "64 (from conv1)"
    bool allowsExpression = false;  ///< numbers, lists and booleans may also be "=…"
    bool scalarAllowed = false;     ///< List: one value without a comma stays a plain value, "3" -> 3
    bool nullable = false;          ///< "None" is a value: JSON null
    QStringList words;              ///< besides numbers: "auto"
    bool optional = false;          ///< an emptied field means "not set" (Undefined)
    bool enabled = true;
    QString disabledReason;  ///< tooltip while not enabled: "needs momentum > 0"
    bool directory = false;  ///< Path: browse for a folder
    bool removable = false;  ///< begins an element of a list: a button behind it takes the element out
    bool movable = false;    ///< begins an element of a list whose order counts: two buttons move it …
    bool movesUp = false, movesDown = false;  ///< … where there is a place
    QString element;          ///< what the buttons behind it speak of, as "phase 2"; the label when empty
    int nested = 0;           ///< belongs to the field above: how deep its label is set in
    QStringList completions;  ///< Text, List: what may be meant, offered while a person types, for a list by each of
                              ///< its elements
};

struct FieldProblem {
    Severity severity = Severity::Critical;
    QString text;
};

/// Fields below each other with label, editor, unit, reset button and problem line. Object names: `field_<path>` for
/// the editor, `reset_<path>`, `remove_<path>`, `move_up_<path>`, `move_down_<path>`, `problem_<path>`. A commit is
/// Return, leaving the field, or a choice; text that is not a value of the type is refused in place with a sentence and
/// nothing is emitted.
class FormWidget : public QScrollArea {
    Q_OBJECT

public:
    explicit FormWidget(QWidget* parent = nullptr);
    ~FormWidget() override;

    /// Rebuilds what differs: a field whose path and type were there before keeps its editor, focus and undo, and only
    /// its looks and limits are updated.
    void setFields(const QList<FieldSpec>& fields);
    QList<FieldSpec> fields() const;

    /// Never emits edited(). Text being typed is kept unless the value really changed. Undefined: not set.
    void setValue(const QString& path, const QJsonValue& value);
    /// By path; fields that are not named become "not set".
    void setValues(const QHash<QString, QJsonValue>& values);
    /// The committed value; Undefined when not set or not a field.
    QJsonValue value(const QString& path) const;

    /// Replaces all problems. Keys that are no field are ignored.
    void setProblems(const QHash<QString, FieldProblem>& problems);
    void setFieldEnabled(const QString& path, bool enabled, const QString& reason = {});
    void setFieldVisible(const QString& path, bool visible);
    void setPlaceholder(const QString& path, const QString& text);
    void setReadOnly(bool readOnly);

    /// Shown instead of fields when there are none.
    void setEmptyText(const QString& text);
    /// Hides fields whose label, path, help or group do not contain the text; says so where none does.
    void setFilter(const QString& text);

    /// Headings become buttons that fold their group away. A folded group shows its worst problem beside its name; it
    /// opens by itself while a filter is on, and for focusField(). Call it before setFields().
    void setFoldable(bool foldable);
    /// Tab leads from this widget, which lies in the same window, to the first field. Call it before setFields().
    void setFieldsAfter(QWidget* before);
    /// By heading; those that are not there are kept for when they come.
    QStringList foldedGroups() const;
    void setFoldedGroups(const QStringList& groups);
    QStringList groups() const;

    QWidget* editor(const QString& path) const;
    /// Scrolls to the field and focuses it; false when there is none.
    bool focusField(const QString& path);
    /// Text that was refused gives way to the values: after undo and redo, when what is shown is what is so.
    void dropRefused();
    /// Commits what is being typed (before Run or Save).
    void commitPending();
    /// The first field that shows text which was refused, so that its value is another one; empty when there is none.
    QString refusedField() const;
    /// Why its text was refused; empty where it was not.
    QString refusal(const QString& path) const;

    QSize sizeHint() const override;

Q_SIGNALS:
    /// Once per commit and only when the value differs. Undefined: reset to the default, or emptied.
    void edited(const QString& path, const QJsonValue& value);
    /// A button of an Add field: which of its choices (Undefined when it has none).
    void addRequested(const QString& path, const QJsonValue& choice);
    /// The button behind a removable field.
    void removeRequested(const QString& path);
    /// A button behind a movable field: so many places on, before where negative.
    void moveRequested(const QString& path, int places);
    /// A group was folded or unfolded by a person.
    void foldsChanged();
    /// The field that has the focus, for a help panel; empty when none.
    void currentFieldChanged(const QString& path);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

constexpr int kReadDigits = 6;  ///< significant ones that are shown of a number that nobody edits
/// A number as a person writes it: 0.0005, 1e-05, 250000. `digits`: at most so many significant ones; 0: all that the
/// number has.
QString plainNumber(double number, int digits = 0);
/// As fieldText(), a real number with at most kReadDigits: what a field shows while nobody edits it.
QString readText(const FieldSpec& spec, const QJsonValue& value);
/// The text a field shows for a value, and back; what forms, tables and logs share.
QString fieldText(const FieldSpec& spec, const QJsonValue& value);
/// Undefined and a sentence in *problem when the text is no value of the field.
QJsonValue parseField(const FieldSpec& spec, const QString& text, QString* problem = nullptr);

}  // namespace plumbline::widgets
