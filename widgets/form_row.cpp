// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QFileDialog>
#include <QFocusEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QStringListModel>
#include <QStyle>
#include <QToolButton>

#include "widgets/icons.h"

namespace plumbline::widgets {

namespace {
constexpr int kPlainLines = 4;
constexpr int kChoiceChars = 6;  ///< of a choice at least
constexpr int kLineChars = 16;   ///< of a text that has buttons behind it, before it goes below its label
constexpr int kMostOffered = 12;
constexpr int kLabelShare = 2;
constexpr int kEditorShare = 3;
constexpr int kStackedBelow = 250;  ///< width from which label and editor stand side by side, if the label has the room

QString labelOf(const FieldSpec& spec) {
    return spec.label.isEmpty() ? spec.path.section(QLatin1Char('.'), -1) : spec.label;
}

/// Of a list it completes the element that is being typed, which is the last one.
class ElementCompleter : public QCompleter {
public:
    using QCompleter::QCompleter;

    QStringList splitPath(const QString& path) const override {
        return {path.mid(path.lastIndexOf(QLatin1Char(',')) + 1).trimmed()};
    }
    QString pathFromIndex(const QModelIndex& index) const override {
        const auto* line = qobject_cast<const QLineEdit*>(widget());
        const QString text = line ? line->text() : QString();
        const auto comma = text.lastIndexOf(QLatin1Char(','));
        return (comma < 0 ? QString() : text.left(comma + 1) + QLatin1Char(' ')) + QCompleter::pathFromIndex(index);
    }
};
}  // namespace

FormRow::FormRow(const FieldSpec& spec, QWidget* parent)
    : QWidget(parent),
      m_spec(spec),
      m_grid(new QGridLayout(this)),
      m_editors(new QHBoxLayout),
      m_label(new QLabel),
      m_unit(new QLabel),
      m_note(new QLabel),
      m_problemLine(new QWidget),
      m_problemIcon(new QLabel),
      m_problemText(new QLabel),
      m_reset(new QToolButton) {
    m_label->setWordWrap(true);
    m_label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    for (QLabel* muted : {m_unit, m_note}) {
        muted->setForegroundRole(QPalette::PlaceholderText);
        muted->setFont(Theme::instance().smallFont());
    }
    m_note->setWordWrap(true);
    m_problemText->setWordWrap(true);
    m_problemText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problemText->setObjectName(QStringLiteral("problem_") + spec.path);
    auto* problemLayout = new QHBoxLayout(m_problemLine);
    problemLayout->setContentsMargins(0, 0, 0, 0);
    problemLayout->setSpacing(space::kTiny);
    problemLayout->addWidget(m_problemIcon, 0, Qt::AlignTop);
    problemLayout->addWidget(m_problemText, 1);
    m_reset->setObjectName(QStringLiteral("reset_") + spec.path);
    m_reset->setIcon(icon(QStringLiteral("reset")));
    m_reset->setIconSize(QSize(14, 14));
    m_reset->setAutoRaise(true);
    QSizePolicy keepsRoom = m_reset->sizePolicy();
    keepsRoom.setRetainSizeWhenHidden(true);
    m_reset->setSizePolicy(keepsRoom);

    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(space::kSmall);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(0, kLabelShare);
    m_grid->setColumnStretch(1, kEditorShare);
    // Editors of all rows begin at the same place: one cell, whatever stands behind them.
    m_editors->setContentsMargins(0, 0, 0, 0);
    m_editors->setSpacing(space::kTiny);
    place(false);
    buildEditor();
    m_editors->addWidget(m_unit);
    m_editors->addWidget(m_reset);
    if (m_spec.removable || m_spec.movable)
        buildElementButtons();

    connect(m_reset, &QToolButton::clicked, this, [this] {
        m_refusal.clear();
        take(QJsonValue::Undefined);
        refreshEditor();
    });
    connect(&Theme::instance(), &Theme::changed, this, &FormRow::refreshProblem);
    refreshLooks();
    refreshEditor();
    refreshProblem();
}

void FormRow::buildEditor() {
    const QString name = QStringLiteral("field_") + m_spec.path;
    if (m_spec.type == FieldType::Boolean) {
        m_check = new QCheckBox;
        m_check->setObjectName(name);
        m_check->installEventFilter(this);
        m_editors->addWidget(m_check, 1);
        // Toggled rather than clicked: assistive technology toggles a box without a click.
        connect(m_check, &QCheckBox::toggled, this, [this](bool on) { take(on); });
    } else if (m_spec.type == FieldType::Choice) {
        m_combo = new QComboBox;
        m_combo->setObjectName(name);
        m_combo->setFocusPolicy(Qt::StrongFocus);  // a wheel gives no focus, and without it changes nothing
        m_combo->installEventFilter(this);
        // Wants room for its longest choice, and goes below its label for that; a narrower form cuts it, but is not
        // held wide.
        m_combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        m_combo->setMinimumWidth(kChoiceChars * m_combo->fontMetrics().averageCharWidth() + space::kHuge);
        m_editors->addWidget(m_combo, 1);
        connect(m_combo, &QComboBox::activated, this,
                [this](int index) { take(m_combo->itemData(index).toJsonValue()); });
    }
    if (m_spec.type == FieldType::Json) {
        m_plain = new QPlainTextEdit;
        m_plain->setObjectName(name);
        m_plain->setTabChangesFocus(true);
        m_plain->setFont(Theme::instance().monoFont());
        m_plain->setFixedHeight(m_plain->fontMetrics().lineSpacing() * kPlainLines + space::kMedium);
        m_plain->installEventFilter(this);
        m_editors->addWidget(m_plain, 1);
        connect(m_plain, &QPlainTextEdit::textChanged, this, &FormRow::reconsider);
    } else if (m_spec.type == FieldType::Add) {
        buildAddButton();
    } else if ((!m_check && !m_combo) || m_spec.allowsExpression) {
        m_line = new QLineEdit;
        m_line->setMinimumWidth(40);
        const bool second = m_check || m_combo;
        m_line->setObjectName(second ? name + QStringLiteral("_expression") : name);
        m_line->installEventFilter(this);
        if (m_spec.type != FieldType::Text && m_spec.type != FieldType::Path)
            m_line->setFont(Theme::instance().monoFont());
        m_editors->addWidget(m_line, 1);
        connect(m_line, &QLineEdit::editingFinished, this, &FormRow::commit);
        connect(m_line, &QLineEdit::textChanged, this, &FormRow::reconsider);
        if (!m_spec.completions.isEmpty()) {
            m_completions = new QStringListModel(m_spec.completions, this);
            QCompleter* completer = m_spec.type == FieldType::List ? new ElementCompleter(m_completions, m_line)
                                                                   : new QCompleter(m_completions, m_line);
            completer->setCaseSensitivity(Qt::CaseInsensitive);
            completer->setFilterMode(Qt::MatchContains);
            completer->setMaxVisibleItems(kMostOffered);
            m_line->setCompleter(completer);
            // After the line has taken what was chosen.
            connect(completer, qOverload<const QString&>(&QCompleter::activated), this, &FormRow::commit,
                    Qt::QueuedConnection);
        }
        if (second) {
            m_asText = new QToolButton;
            m_asText->setObjectName(QStringLiteral("expression_") + m_spec.path);
            m_asText->setIcon(icon(QStringLiteral("code")));
            m_asText->setIconSize(QSize(14, 14));
            m_asText->setCheckable(true);
            m_asText->setAutoRaise(true);
            m_asText->setToolTip(tr("Write an expression"));
            m_asText->setAccessibleName(tr("Write an expression for %1").arg(labelOf(m_spec)));
            m_editors->addWidget(m_asText);
            connect(m_asText, &QToolButton::clicked, this, [this](bool on) {
                useText(on);
                editor()->setFocus();
            });
        }
    }
    if (m_spec.type == FieldType::Path) {
        m_browse = new QToolButton;
        m_browse->setObjectName(QStringLiteral("browse_") + m_spec.path);
        m_browse->setIcon(icon(QStringLiteral("folder")));
        m_browse->setAccessibleName(tr("Browse for %1").arg(labelOf(m_spec)));
        m_browse->setToolTip(tr("Browse"));
        m_editors->addWidget(m_browse);
        connect(m_browse, &QToolButton::clicked, this, &FormRow::browse);
    }
    useText(false);
}

void FormRow::place(bool stacked) {
    m_stacked = stacked;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_label, m_note, m_problemLine})
        m_grid->removeWidget(widget);
    m_grid->removeItem(m_editors);
    m_editors->setContentsMargins(stacked ? m_spec.nested * int(space::kMedium) : 0, 0, 0, 0);  // below its label
    const int column = stacked ? 0 : 1, span = stacked ? 2 : 1, below = stacked ? 1 : 0;
    m_grid->addWidget(m_label, 0, 0, 1, span);
    m_grid->addLayout(m_editors, below, column, 1, span);
    m_grid->addWidget(m_note, below + 1, column, 1, span);
    m_grid->addWidget(m_problemLine, below + 2, 0, 1, 2);
}

void FormRow::arrange() {
    // A word of the label that does not fit beside the editor would be cut off or touch it: "label_smoothing".
    int longest = 0;
    const QStringList words = m_label->text().split(QLatin1Char(' '));
    for (const QString& word : words)
        longest = std::max(longest, m_label->fontMetrics().horizontalAdvance(word));
    const int beside = width() - m_grid->horizontalSpacing();
    const int room = beside * kLabelShare / (kLabelShare + kEditorShare);
    const bool choiceIsCut = m_combo && m_editors->sizeHint().width() > beside - room;
    const int behind = m_up ? m_editors->sizeHint().width() - (m_line ? m_line->sizeHint().width() : 0) : 0;
    const bool lineIsCut =
        m_up && m_line && beside - room - behind < kLineChars * m_line->fontMetrics().averageCharWidth();
    const bool stacked =
        width() < kStackedBelow || longest + m_label->contentsMargins().left() > room || choiceIsCut || lineIsCut;
    if (stacked != m_stacked)
        place(stacked);
}

void FormRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void FormRow::buildAddButton() {
    m_add = new QToolButton;
    m_add->setObjectName(QStringLiteral("field_") + m_spec.path);
    m_add->setIcon(icon(QStringLiteral("add")));
    m_add->setIconSize(QSize(14, 14));
    m_add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_add->setFocusPolicy(Qt::StrongFocus);
    m_add->installEventFilter(this);
    m_editors->addWidget(m_add);
    m_editors->addStretch(1);
    connect(m_add, &QToolButton::clicked, this, [this] {
        if (m_spec.choices.size() < 2) {
            Q_EMIT addRequested(m_spec.path, m_spec.choices.isEmpty() ? QJsonValue(QJsonValue::Undefined)
                                                                      : m_spec.choices.first().value);
            return;
        }
        auto* menu = new QMenu(this);
        menu->setObjectName(QStringLiteral("menu_") + m_spec.path);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        for (const FieldChoice& choice : std::as_const(m_spec.choices)) {
            QAction* action = menu->addAction(fieldText(m_spec, choice.value));
            action->setToolTip(choice.help);
            action->setData(QVariant::fromValue(choice.value));
        }
        connect(menu, &QMenu::triggered, this,
                [this](const QAction* chosen) { Q_EMIT addRequested(m_spec.path, chosen->data().toJsonValue()); });
        menu->popup(m_add->mapToGlobal(QPoint(0, m_add->height())));
    });
}

QToolButton* FormRow::addElementButton(const QString& name, const QString& iconName) {
    auto* button = new QToolButton;
    button->setObjectName(name + m_spec.path);
    button->setIcon(icon(iconName));
    button->setIconSize(QSize(14, 14));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    m_editors->addWidget(button);
    return button;
}

void FormRow::buildElementButtons() {
    if (m_spec.movable) {
        m_up = addElementButton(QStringLiteral("move_up_"), QStringLiteral("move-up"));
        m_down = addElementButton(QStringLiteral("move_down_"), QStringLiteral("move-down"));
        connect(m_up, &QToolButton::clicked, this, [this] { Q_EMIT moveRequested(m_spec.path, -1); });
        connect(m_down, &QToolButton::clicked, this, [this] { Q_EMIT moveRequested(m_spec.path, 1); });
    }
    if (m_spec.removable) {
        m_remove = addElementButton(QStringLiteral("remove_"), QStringLiteral("remove"));
        connect(m_remove, &QToolButton::clicked, this, [this] { Q_EMIT removeRequested(m_spec.path); });
    }
}

/// All that may be meant, whatever stands there.
void FormRow::offerAll() {
    QCompleter* completer = m_line->completer();
    completer->setCompletionPrefix({});
    completer->complete();
}

bool FormRow::isTextual() const {
    return editor() == m_line || editor() == m_plain;
}

QWidget* FormRow::editor() const {
    if (m_plain)
        return m_plain;
    if (m_add)
        return m_add;
    if (m_line && (!m_asText || m_asText->isChecked()))
        return m_line;
    return m_check ? static_cast<QWidget*>(m_check) : m_combo;
}

QList<QWidget*> FormRow::tabStops() const {
    QList<QWidget*> stops;
    for (int i = 0; i < m_editors->count(); ++i) {
        QWidget* widget = m_editors->itemAt(i)->widget();
        if (widget && (widget->focusPolicy() & Qt::TabFocus))
            stops.append(widget);
    }
    return stops;
}

void FormRow::useText(bool text) {
    if (!m_asText)
        return;
    m_asText->setChecked(text);
    m_line->setVisible(text);
    if (m_check)
        m_check->setVisible(!text);
    if (m_combo)
        m_combo->setVisible(!text);
    m_label->setBuddy(editor());
}

// No focus proxy: with one, QWidget::setTabOrder() would take the row for the end of its editor, and tear the chain.
void FormRow::focusInEvent(QFocusEvent* event) {
    editor()->setFocus(event->reason());
}

void FormRow::setSpec(const FieldSpec& spec) {
    const bool sameEditor = spec.choices.size() == m_spec.choices.size() && spec.defaultValue == m_spec.defaultValue;
    m_spec = spec;
    if (m_completions && m_completions->stringList() != m_spec.completions)
        m_completions->setStringList(m_spec.completions);
    refreshLooks();
    if (!sameEditor || m_combo)
        refreshEditor();
    refreshProblem();
}

void FormRow::refreshLooks() {
    const QString label = labelOf(m_spec);
    m_label->setText(label);
    m_label->setContentsMargins(m_spec.nested * int(space::kMedium), 0, 0, 0);
    arrange();
    m_label->setToolTip(m_spec.enabled ? QString(m_spec.help + QLatin1Char(' ') + m_spec.when).trimmed()
                                       : m_spec.disabledReason);
    m_label->setEnabled(m_spec.enabled);
    m_label->setBuddy(editor());
    m_unit->setText(m_spec.unit);
    m_unit->setVisible(!m_spec.unit.isEmpty());
    m_note->setText(m_spec.applies);
    m_note->setVisible(!m_spec.applies.isEmpty());

    QStringList about;
    if (!m_spec.help.isEmpty())
        about.append(m_spec.help);
    if (!m_spec.when.isEmpty())
        about.append(m_spec.when);
    if (!m_spec.unit.isEmpty())
        about.append(tr("Unit: %1.").arg(m_spec.unit));
    if (!m_spec.defaultValue.isUndefined())
        about.append(tr("Default: %1.").arg(fieldText(m_spec, m_spec.defaultValue)));
    if (!m_spec.enabled && !m_spec.disabledReason.isEmpty())
        about.append(m_spec.disabledReason);
    if (m_completions)
        about.append(tr("Press Down for a list of what there is."));
    const QString hint = m_spec.placeholder.isEmpty() ? fieldText(m_spec, m_spec.defaultValue) : m_spec.placeholder;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_line, m_plain, m_check, m_combo, m_add}) {
        if (!widget)
            continue;
        widget->setAccessibleName(label);
        widget->setAccessibleDescription(about.join(QLatin1Char(' ')));
        const QString whole = widget == m_line && m_read != m_shown ? tr("Exactly: %1").arg(m_shown) : QString();
        widget->setToolTip(
            (QStringList(whole.isEmpty() ? QStringList() : QStringList{whole}) + about).join(QLatin1Char('\n')));
        widget->setEnabled(m_spec.enabled && (!m_readOnly || widget == m_line || widget == m_plain));
    }
    if (m_line) {
        m_line->setPlaceholderText(hint);
        m_line->setReadOnly(m_readOnly);
    }
    if (m_plain) {
        m_plain->setPlaceholderText(hint);
        m_plain->setReadOnly(m_readOnly);
    }
    if (m_add) {
        m_add->setText(m_spec.placeholder);
        m_add->setAccessibleName(m_spec.placeholder);
    }
    const QString element = m_spec.element.isEmpty() ? label : m_spec.element;
    const auto showButton = [this](QToolButton* button, bool can, const QString& says) {
        if (button) {
            button->setEnabled(can && !m_readOnly);
            button->setAccessibleName(says);
            button->setToolTip(says);
        }
    };
    showButton(m_remove, true, tr("Remove %1").arg(element));
    showButton(m_up, m_spec.movesUp, tr("Move %1 up").arg(element));
    showButton(m_down, m_spec.movesDown, tr("Move %1 down").arg(element));
    if (m_asText)
        m_asText->setEnabled(m_spec.enabled && !m_readOnly);
    if (m_browse)
        m_browse->setEnabled(m_spec.enabled && !m_readOnly);
    m_reset->setAccessibleName(tr("Reset %1").arg(label));
    m_reset->setToolTip(m_spec.defaultValue.isUndefined()
                            ? tr("Reset")
                            : tr("Reset to the default, %1").arg(fieldText(m_spec, m_spec.defaultValue)));
    m_reset->setVisible(!m_value.isUndefined() && m_value != m_spec.defaultValue && m_spec.enabled && !m_readOnly &&
                        (!m_spec.defaultValue.isUndefined() || m_spec.optional || !m_spec.placeholder.isEmpty()));
}

void FormRow::setValue(const QJsonValue& value) {
    const bool same = value == m_value && value.type() == m_value.type();
    const bool typing = isTextual() && editor()->hasFocus() && !isUntouched();
    m_value = value;
    if (!(same && (typing || !m_refusal.isEmpty()))) {
        m_refusal.clear();
        refreshEditor();
    }
    refreshLooks();
    refreshProblem();
}

void FormRow::refreshEditor() {
    const QJsonValue shown = m_value.isUndefined() && (m_check || m_combo) ? m_spec.defaultValue : m_value;
    const bool expression = m_asText && m_value.isString() && m_value.toString().startsWith(QLatin1Char('='));
    if (m_asText && (expression || !m_line->hasFocus()))
        useText(expression);
    if (m_check) {
        const QSignalBlocker quiet(m_check);
        m_check->setChecked(shown.toBool());
    }
    if (m_combo) {
        m_combo->clear();
        int current = -1;
        for (const FieldChoice& choice : m_spec.choices) {
            const QString text = fieldText(m_spec, choice.value);
            m_combo->addItem(text, QVariant::fromValue(choice.value));
            m_combo->setItemData(m_combo->count() - 1, choice.help, Qt::ToolTipRole);
            if (choice.value == shown)
                current = m_combo->count() - 1;
        }
        if (m_spec.nullable) {
            m_combo->addItem(QStringLiteral("None"), QVariant::fromValue(QJsonValue(QJsonValue::Null)));
            if (shown.isNull())
                current = m_combo->count() - 1;
        }
        if (current < 0 && !shown.isUndefined() && !expression) {
            // A value from a file that is no choice stays visible until another is chosen.
            m_combo->addItem(tr("%1 (not a choice)").arg(fieldText(m_spec, shown)), QVariant::fromValue(shown));
            current = m_combo->count() - 1;
        }
        m_combo->setPlaceholderText(m_spec.placeholder);
        m_combo->setCurrentIndex(current);
        arrange();
    }
    if (m_line || m_plain) {
        noteShown();
        showText(m_editing ? m_shown : m_read);
    }
}

void FormRow::noteShown() {
    m_shown = m_value.isUndefined() ? QString() : fieldText(m_spec, m_value);
    m_read = m_line && !m_value.isUndefined() ? readText(m_spec, m_value) : m_shown;
}

QString FormRow::typedText() const {
    return m_plain ? m_plain->toPlainText() : m_line ? m_line->text() : QString();
}

bool FormRow::isUntouched() const {
    return typedText() == m_shown || (!m_editing && typedText() == m_read);
}

void FormRow::showForm(bool edited) {
    const bool untouched = isUntouched();
    m_editing = edited;
    if (untouched)
        showText(edited ? m_shown : m_read);
    if (!edited)
        m_line->setCursorPosition(0);
}

void FormRow::showText(const QString& text) {
    // Setting the same text would throw the field's own undo away.
    if (typedText() == text)
        return;
    if (m_plain)
        m_plain->setPlainText(text);
    else if (m_line) {
        m_line->setText(text);
        if (!m_line->hasFocus())
            m_line->setCursorPosition(0);  // a long text is read from its beginning
    }
}

void FormRow::commit() {
    if (!isTextual() || m_readOnly)
        return;
    const QString text = typedText();
    if (isUntouched()) {
        if (!m_refusal.isEmpty()) {
            m_refusal.clear();
            refreshProblem();
        }
        return;
    }
    QString problem;
    const QJsonValue value = parseField(m_spec, text, &problem);
    m_refusal = problem;
    if (problem.isEmpty()) {
        take(value);
        noteShown();
        showText(m_editing ? m_shown : m_read);
        refreshLooks();
    }
    refreshProblem();
}

void FormRow::reconsider() {
    if (m_refusal.isEmpty())
        return;
    QString problem;
    if (!isUntouched())
        parseField(m_spec, typedText(), &problem);
    if (problem != m_refusal) {
        m_refusal = problem;
        refreshProblem();
    }
}

void FormRow::dropRefused() {
    if (m_refusal.isEmpty())
        return;
    m_refusal.clear();
    refreshEditor();
    refreshProblem();
}

bool FormRow::isLeft(const QFocusEvent& event) {
    return event.reason() != Qt::PopupFocusReason && event.reason() != Qt::ActiveWindowFocusReason;
}

bool FormRow::leavesToDocument(const QKeyEvent& key) const {
    if (!m_line || m_line->isReadOnly())
        return false;
    return (key.matches(QKeySequence::Undo) && !m_line->isUndoAvailable()) ||
           (key.matches(QKeySequence::Redo) && !m_line->isRedoAvailable());
}

void FormRow::take(const QJsonValue& value) {
    if (value == m_value && value.type() == m_value.type())
        return;
    m_value = value;
    refreshLooks();
    Q_EMIT edited(m_spec.path, value);
}

void FormRow::stepBy(int step) {
    bool ok = false;
    const QString text = m_line->text().isEmpty() ? fieldText(m_spec, m_spec.defaultValue) : m_line->text();
    const qlonglong number = text.toLongLong(&ok);
    if (!ok)
        return;
    const double next = static_cast<double>(number + step);
    if ((m_spec.minimum && next < *m_spec.minimum) || (m_spec.maximum && next > *m_spec.maximum))
        return;
    m_line->selectAll();
    m_line->insert(QString::number(number + step));  // unlike setText, this can be undone in the field
}

void FormRow::browse() {
    auto* dialog =
        new QFileDialog(this, m_spec.directory ? tr("Choose a folder") : tr("Choose a file"), m_line->text());
    dialog->setObjectName(QStringLiteral("dialog_") + m_spec.path);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(m_spec.directory ? QFileDialog::Directory : QFileDialog::ExistingFile);
    dialog->setOption(QFileDialog::ShowDirsOnly, m_spec.directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_line->setText(path);
        commit();
    });
    dialog->open();
}

void FormRow::setProblem(const FieldProblem& problem) {
    m_problem = problem;
    refreshProblem();
}

void FormRow::setReadOnly(bool readOnly) {
    m_readOnly = readOnly;
    refreshLooks();
}

void FormRow::refreshProblem() {
    const FieldProblem shown = m_refusal.isEmpty() ? m_problem : FieldProblem{Severity::Critical, m_refusal};
    const bool any = shown.severity != Severity::None && !shown.text.isEmpty();
    m_problemLine->setVisible(any);
    m_problemText->setText(any ? shown.text : QString());
    if (any)
        m_problemIcon->setPixmap(severityIcon(shown.severity).pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
    const QString mark = !any                                   ? QString()
                         : shown.severity == Severity::Critical ? QStringLiteral("critical")
                         : shown.severity == Severity::Warning  ? QStringLiteral("warning")
                                                                : QString();
    for (QWidget* widget : std::initializer_list<QWidget*>{m_line, m_plain, m_combo}) {
        if (widget && widget->property("problem").toString() != mark) {
            widget->setProperty("problem", mark);
            widget->style()->unpolish(widget);
            widget->style()->polish(widget);
        }
    }
}

bool FormRow::matches(const QString& filter) const {
    const auto has = [&filter](const QString& text) { return text.contains(filter, Qt::CaseInsensitive); };
    return filter.isEmpty() || has(m_spec.path) || has(labelOf(m_spec)) || has(m_spec.help) || has(m_spec.group);
}

bool FormRow::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::FocusIn:
            Q_EMIT focused(m_spec.path);
            if (watched == m_line)
                showForm(true);
            break;
        case QEvent::FocusOut:
            if (watched == m_plain) {
                commit();
            } else if (watched == m_line && isLeft(*static_cast<QFocusEvent*>(event))) {
                commit();
                showForm(false);
            }
            break;
        case QEvent::ShortcutOverride:
            // Ctrl+Z goes on to the document once the field's own text is back.
            if (watched == m_line && leavesToDocument(*static_cast<QKeyEvent*>(event))) {
                event->ignore();
                return true;
            }
            break;
        case QEvent::Wheel:
            // Scrolling the form must not change a choice that happens to pass under the pointer.
            if (watched == m_combo && !m_combo->hasFocus()) {
                event->ignore();
                return true;
            }
            break;
        case QEvent::KeyPress: {
            const auto* key = static_cast<QKeyEvent*>(event);
            if (watched == m_line && key->key() == Qt::Key_Escape && m_line->text() != m_shown) {
                m_refusal.clear();
                showText(m_shown);
                refreshProblem();
                return true;
            }
            if (watched == m_line && m_spec.type == FieldType::Integer && !m_readOnly &&
                (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
                stepBy(key->key() == Qt::Key_Up ? 1 : -1);
                return true;
            }
            if (watched == m_line && m_completions && key->key() == Qt::Key_Down && !m_readOnly) {
                offerAll();
                return true;
            }
            if (watched == m_plain && key->modifiers().testFlag(Qt::ControlModifier) &&
                (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
                commit();
                return true;
            }
            break;
        }
        default:
            break;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace plumbline::widgets
