// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form_widget.h"

#include <QEvent>
#include <QLabel>
#include <QPointer>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/empty_state.h"
#include "widgets/form_row.h"
#include "widgets/icons.h"

namespace plumbline::widgets {

struct FormWidget::Private {
    QWidget* body = nullptr;
    QVBoxLayout* layout = nullptr;
    QLabel* empty = nullptr;
    QLabel* noMatch = nullptr;
    QList<FormRow*> rows;
    QHash<QString, FormRow*> byPath;
    QList<std::pair<QString, QWidget*>> headings;
    QHash<QString, Severity> worst;  ///< of a group's problems
    QStringList folded;
    bool foldable = false;
    QHash<QString, bool> hidden;
    QString filter;
    bool readOnly = false;
    QPointer<QWidget> tabAfter;

    bool sameShape(const QList<FieldSpec>& fields) const {
        return std::equal(
            rows.begin(), rows.end(), fields.begin(), fields.end(),
            [](FormRow* row, const FieldSpec& spec) { return row->canShow(spec) && row->spec().group == spec.group; });
    }

    void showFold(QToolButton& button, const QString& group, bool isFolded) const {
        const Severity severity = isFolded ? worst.value(group, Severity::None) : Severity::None;
        {
            const QSignalBlocker quiet(button);
            button.setChecked(!isFolded);
        }
        button.setIcon(severity != Severity::None
                           ? severityIcon(severity)
                           : icon(isFolded ? QStringLiteral("chevron-right") : QStringLiteral("chevron-down")));
        button.setToolTip(isFolded ? FormWidget::tr("Show the settings of this group")
                                   : FormWidget::tr("Fold this group away"));
        const QString name = headingOf(group);
        button.setAccessibleName(severity == Severity::None
                                     ? name
                                     : FormWidget::tr("%1, with a problem: %2").arg(name, severityName(severity)));
    }

    QString headingOf(const QString& group) const {
        const auto first =
            std::find_if(rows.begin(), rows.end(), [&group](const FormRow* row) { return row->spec().group == group; });
        return first == rows.end() || (*first)->spec().heading.isEmpty() ? group : (*first)->spec().heading;
    }

    void nameHeadings() {
        for (const auto& [group, heading] : std::as_const(headings)) {
            if (auto* label = qobject_cast<QLabel*>(heading))
                label->setText(headingOf(group));
            else if (auto* button = qobject_cast<QToolButton*>(heading))
                button->setText(headingOf(group));
        }
    }

    QWidget* makeHeading(FormWidget* form, const QString& group) {
        if (!foldable) {
            auto* heading = new QLabel(group);
            heading->setFont(Theme::instance().titleFont());
            heading->setContentsMargins(0, headings.isEmpty() ? 0 : int(space::kSmall), 0, 0);
            return heading;
        }
        auto* heading = new QToolButton;
        heading->setObjectName(QStringLiteral("fold_") + group);
        heading->setText(group);
        heading->setFont(Theme::instance().titleFont());
        heading->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        heading->setAutoRaise(true);
        heading->setCheckable(true);
        heading->setChecked(true);
        heading->setFocusPolicy(Qt::StrongFocus);
        heading->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        QObject::connect(heading, &QToolButton::toggled, form, [this, form, group](bool open) {
            if (!filter.isEmpty()) {  // all that is found is shown
                refreshVisibility();
                return;
            }
            open ? void(folded.removeAll(group)) : folded.append(group);
            refreshVisibility();
            Q_EMIT form->foldsChanged();
        });
        return heading;
    }

    void refreshVisibility() {
        const auto wanted = [this](const FormRow* row) {
            return !hidden.value(row->spec().path) && row->matches(filter);
        };
        const auto isFolded = [this](const QString& group) {
            return foldable && filter.isEmpty() && !group.isEmpty() && folded.contains(group);
        };
        for (FormRow* row : std::as_const(rows))
            row->setVisible(wanted(row) && !isFolded(row->spec().group));
        for (const auto& [group, heading] : std::as_const(headings)) {
            heading->setVisible(std::any_of(rows.begin(), rows.end(), [&, &name = group](FormRow* row) {
                return row->spec().group == name && wanted(row);
            }));
            if (auto* button = qobject_cast<QToolButton*>(heading))
                showFold(*button, group, isFolded(group));
        }
        empty->setVisible(rows.isEmpty());
        const bool any = std::any_of(rows.begin(), rows.end(), wanted);
        noMatch->setVisible(!rows.isEmpty() && !filter.isEmpty() && !any);
        noMatch->setText(FormWidget::tr("Nothing here is called \"%1\".").arg(filter));
    }
};

FormWidget::FormWidget(QWidget* parent) : QScrollArea(parent), d(std::make_unique<Private>()) {
    d->body = new QWidget;
    d->layout = new QVBoxLayout(d->body);
    d->layout->setContentsMargins(space::kMedium, space::kSmall, space::kMedium, space::kMedium);
    d->layout->setSpacing(space::kSmall);
    d->empty = new QLabel;
    d->empty->setWordWrap(true);
    d->empty->setAlignment(Qt::AlignCenter);
    d->empty->setForegroundRole(QPalette::PlaceholderText);
    d->layout->addWidget(d->empty);
    d->noMatch = nothingFound(QStringLiteral("formNoMatch"), d->body);
    d->layout->addWidget(d->noMatch);
    d->layout->addStretch();
    setWidget(d->body);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setMinimumWidth(200);
}

FormWidget::~FormWidget() = default;

void FormWidget::setFields(const QList<FieldSpec>& fields) {
    if (d->sameShape(fields)) {
        for (qsizetype i = 0; i < fields.size(); ++i)
            d->rows[i]->setSpec(fields[i]);
        d->nameHeadings();
        d->refreshVisibility();
        return;
    }
    // Fields of a group stand together, groups in the order of their first field.
    QStringList groups;
    for (const FieldSpec& spec : fields)
        if (!groups.contains(spec.group))
            groups.append(spec.group);

    // Rows that are wanted again stay as they are, wherever they go; the others leave.
    QHash<QString, FormRow*> kept;
    for (FormRow* row : std::as_const(d->rows)) {
        const auto wanted =
            std::find_if(fields.begin(), fields.end(), [row](const FieldSpec& spec) { return row->canShow(spec); });
        d->layout->removeWidget(row);
        if (wanted != fields.end()) {
            row->setSpec(*wanted);
            kept.insert(wanted->path, row);
            continue;
        }
        // The row may be the sender of the edit that led here: it goes after its signal has returned, and says no more.
        row->disconnect(this);
        row->hide();
        row->setParent(nullptr);
        row->deleteLater();
    }
    for (const auto& [group, heading] : std::as_const(d->headings))
        delete heading;
    d->rows.clear();
    d->byPath.clear();
    d->headings.clear();

    int place = 1;
    QWidget* before = d->tabAfter;
    for (const QString& group : std::as_const(groups)) {
        if (!group.isEmpty()) {
            QWidget* heading = d->makeHeading(this, group);
            d->layout->insertWidget(place++, heading);
            if (d->foldable) {
                if (before)
                    QWidget::setTabOrder(before, heading);
                before = heading;
            }
            d->headings.append({group, heading});
        }
        for (const FieldSpec& spec : fields) {
            if (spec.group != group || d->byPath.contains(spec.path))
                continue;
            FormRow* row = kept.value(spec.path);
            if (!row) {
                row = new FormRow(spec);
                row->setReadOnly(d->readOnly);
                connect(row, &FormRow::edited, this, &FormWidget::edited);
                connect(row, &FormRow::addRequested, this, &FormWidget::addRequested);
                connect(row, &FormRow::removeRequested, this, &FormWidget::removeRequested);
                connect(row, &FormRow::moveRequested, this, &FormWidget::moveRequested);
                connect(row, &FormRow::focused, this, [this, row](const QString& path) {
                    ensureWidgetVisible(row, 0, space::kSmall);
                    Q_EMIT currentFieldChanged(path);
                });
            }
            d->layout->insertWidget(place++, row);
            d->byPath.insert(spec.path, row);
            for (QWidget* stop : row->tabStops()) {
                if (before)
                    QWidget::setTabOrder(before, stop);
                before = stop;
            }
        }
    }
    for (const FieldSpec& spec : fields)
        if (FormRow* row = d->byPath.value(spec.path); row && !d->rows.contains(row))
            d->rows.append(row);
    d->nameHeadings();
    d->refreshVisibility();
}

QList<FieldSpec> FormWidget::fields() const {
    QList<FieldSpec> specs;
    for (FormRow* row : std::as_const(d->rows))
        specs.append(row->spec());
    return specs;
}

void FormWidget::setValue(const QString& path, const QJsonValue& value) {
    if (FormRow* row = d->byPath.value(path))
        row->setValue(value);
}

void FormWidget::setValues(const QHash<QString, QJsonValue>& values) {
    for (FormRow* row : std::as_const(d->rows))
        row->setValue(values.value(row->spec().path, QJsonValue(QJsonValue::Undefined)));
}

QJsonValue FormWidget::value(const QString& path) const {
    const FormRow* row = d->byPath.value(path);
    return row ? row->value() : QJsonValue(QJsonValue::Undefined);
}

void FormWidget::setProblems(const QHash<QString, FieldProblem>& problems) {
    for (FormRow* row : std::as_const(d->rows))
        row->setProblem(problems.value(row->spec().path, FieldProblem{Severity::None, {}}));
    d->worst.clear();
    for (FormRow* row : std::as_const(d->rows)) {
        Severity& worst = d->worst[row->spec().group];
        worst = std::max(worst, problems.value(row->spec().path, FieldProblem{Severity::None, {}}).severity);
    }
    if (d->foldable)
        d->refreshVisibility();
}

void FormWidget::setFieldsAfter(QWidget* before) {
    d->tabAfter = before;
}

void FormWidget::setFoldable(bool foldable) {
    d->foldable = foldable;
}

QStringList FormWidget::foldedGroups() const {
    return d->folded;
}

void FormWidget::setFoldedGroups(const QStringList& groups) {
    d->folded = groups;
    d->refreshVisibility();
}

QStringList FormWidget::groups() const {
    QStringList all;
    for (const auto& [group, heading] : std::as_const(d->headings))
        all.append(group);
    return all;
}

void FormWidget::setFieldEnabled(const QString& path, bool enabled, const QString& reason) {
    if (FormRow* row = d->byPath.value(path)) {
        FieldSpec spec = row->spec();
        spec.enabled = enabled;
        spec.disabledReason = reason;
        row->setSpec(spec);
    }
}

void FormWidget::setFieldVisible(const QString& path, bool visible) {
    d->hidden.insert(path, !visible);
    d->refreshVisibility();
}

void FormWidget::setPlaceholder(const QString& path, const QString& text) {
    if (FormRow* row = d->byPath.value(path)) {
        FieldSpec spec = row->spec();
        spec.placeholder = text;
        row->setSpec(spec);
    }
}

void FormWidget::setReadOnly(bool readOnly) {
    d->readOnly = readOnly;
    for (FormRow* row : std::as_const(d->rows))
        row->setReadOnly(readOnly);
}

void FormWidget::setEmptyText(const QString& text) {
    d->empty->setText(text);
}

void FormWidget::setFilter(const QString& text) {
    d->filter = text.trimmed();
    d->refreshVisibility();
}

QWidget* FormWidget::editor(const QString& path) const {
    const FormRow* row = d->byPath.value(path);
    return row ? row->editor() : nullptr;
}

bool FormWidget::focusField(const QString& path) {
    FormRow* row = d->byPath.value(path);
    if (!row)
        return false;
    if (d->foldable && d->folded.removeAll(row->spec().group) > 0) {
        d->refreshVisibility();
        d->layout->activate();
        Q_EMIT foldsChanged();
    }
    ensureWidgetVisible(row, 0, space::kLarge);
    row->editor()->setFocus(Qt::OtherFocusReason);
    return true;
}

void FormWidget::dropRefused() {
    for (FormRow* row : std::as_const(d->rows))
        row->dropRefused();
}

void FormWidget::commitPending() {
    for (FormRow* row : std::as_const(d->rows))
        row->commit();
}

QString FormWidget::refusedField() const {
    // What is hidden counts for nothing: its setting does not apply.
    const auto found = std::find_if(d->rows.begin(), d->rows.end(), [this](const FormRow* row) {
        return !row->refusal().isEmpty() && !d->hidden.value(row->spec().path);
    });
    return found == d->rows.end() ? QString() : (*found)->spec().path;
}

QString FormWidget::refusal(const QString& path) const {
    const FormRow* row = d->byPath.value(path);
    return row ? row->refusal() : QString();
}

QSize FormWidget::sizeHint() const {
    return {300, 400};
}

}  // namespace plumbline::widgets
