// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/new_from_data_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTableWidget>
#include <QVBoxLayout>

#include "gui/background.h"
#include "gui/convert.h"
#include "gui/dialog_buttons.h"
#include "gui/dropped_files.h"
#include "gui/engine_sentence.h"
#include "gui/engine_text.h"
#include "gui/project_place.h"
#include "gui/screen_room.h"
#include "project/project.h"
#include "widgets/empty_state.h"
#include "widgets/filter_table.h"
#include "widgets/labels.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

using Kind = data::FoundData::Kind;
using Note = project::ColumnUse::Note;
using Role = project::ColumnUse::Role;

constexpr std::array<std::array<double, 3>, 3> kSplits{{{0.7, 0.15, 0.15}, {0.8, 0.1, 0.1}, {0.6, 0.2, 0.2}}};

QString describeFound(const data::FoundData& found) {
    if (found.kind == Kind::kTable) {
        const auto columns = static_cast<int>(found.table.columns.size());
        return NewFromDataDialog::tr("A table of %1 rows and %n columns.", nullptr, columns)
            .arg(countText(static_cast<double>(found.table.rows)));
    }
    const data::FoundImages& images = found.images;
    const QString count = countText(static_cast<double>(images.samples));
    if (images.dims.size() != 3) {
        return NewFromDataDialog::tr("%1 samples of %2 values each.").arg(count).arg(images.dims.back());
    }
    return images.sizesDiffer
               ? NewFromDataDialog::tr("%1 images of different sizes.").arg(count)
               : NewFromDataDialog::tr("%1 images of %2 × %3.").arg(count).arg(images.dims[2]).arg(images.dims[1]);
}

QString noteOf(const project::ColumnUse& use) {
    const QString number = countText(static_cast<double>(use.count));
    switch (use.note) {
        case Note::kNone:
            return {};
        case Note::kNoValues:
            return NewFromDataDialog::tr("it has no values");
        case Note::kConstant:
            return NewFromDataDialog::tr("the same value in every row");
        case Note::kNumbersRows:
            return NewFromDataDialog::tr("it numbers the rows");
        case Note::kByChoice:
            return {};
        case Note::kNotANumber:
            return NewFromDataDialog::tr("\"%1\" in row %2 is no number").arg(text(use.text)).arg(use.count);
        case Note::kManyTexts:
            return NewFromDataDialog::tr("%1 different texts").arg(number);
        case Note::kTexts:
            return NewFromDataDialog::tr("%1 different texts").arg(number);
        case Note::kMedian:
            return NewFromDataDialog::tr("%1 gaps are filled with the median").arg(number);
        case Note::kMostFrequent:
            return NewFromDataDialog::tr("%1 gaps are filled with the most frequent text").arg(number);
        case Note::kRowsDropped:
            return NewFromDataDialog::tr("%1 rows without it are left out").arg(number);
    }
    return {};
}

QString roleOf(const project::ColumnUse& use) {
    switch (use.role) {
        case Role::kTarget:
            return NewFromDataDialog::tr("predicted");
        case Role::kNumber:
            return NewFromDataDialog::tr("input, a number");
        case Role::kCategory:
            return NewFromDataDialog::tr("input, a category");
        case Role::kLeftOut:
            return NewFromDataDialog::tr("left out");
    }
    return {};
}

QComboBox* choice(const char* name, const QString& accessible, QWidget* parent) {
    auto* made = new QComboBox(parent);
    made->setObjectName(QLatin1String(name));
    made->setAccessibleName(accessible);
    return made;
}

}  // namespace

NewFromDataDialog::NewFromDataDialog(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("dialog_new_from_data"));
    setWindowTitle(tr("Start from my data"));
    setAcceptDrops(true);
    resize(withinScreen(QSize(760, 600)));
    m_start = new EmptyState(this);
    m_start->setObjectName(QStringLiteral("data_choose"));
    m_start->setIconName(QStringLiteral("import"));
    m_start->setButton(tr("Choose a file…"));
    m_start->setSecondButton(tr("Choose a folder…"));
    connect(m_start, &EmptyState::buttonClicked, this, &NewFromDataDialog::chooseFile);
    connect(m_start, &EmptyState::secondButtonClicked, this, &NewFromDataDialog::chooseFolder);
    m_choices = makeChoices();
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_start);
    m_stack->addWidget(m_choices);
    m_buttons = ProjectPlace::makeButtons(this);
    nameDialogButtons(*this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kLarge, space::kLarge, space::kLarge, space::kLarge);
    layout->setSpacing(space::kLarge);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_buttons);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &NewFromDataDialog::create);
    ask(tr("Drop a table, a folder of images or an IDX file here, or choose it."),
        tr("A table has one row a sample; a folder has one folder of images a class; the labels of an IDX file lie "
           "beside it."));
    update();
}

NewFromDataDialog::~NewFromDataDialog() {
    if (m_control) {
        m_control->requestStop();  // what still reads ends soon; its result is dropped
    }
}

QWidget* NewFromDataDialog::makeChoices() {
    auto* box = new QWidget(this);
    m_path = new ElidedLabel({}, box);
    m_path->setObjectName(QStringLiteral("data_path"));
    m_path->setElideMode(Qt::ElideMiddle);
    auto* other = new QPushButton(tr("Choose other data"), box);
    other->setObjectName(QStringLiteral("data_other"));
    other->setAutoDefault(false);
    connect(other, &QPushButton::clicked, this, [this] {
        m_stack->setCurrentWidget(m_start);
        update();
    });
    m_summary = new QLabel(box);
    m_summary->setObjectName(QStringLiteral("data_summary"));
    m_summary->setWordWrap(true);
    m_target = choice("data_target", tr("What is predicted"), box);
    m_task = choice("data_task", tr("Predicted as"), box);
    m_task->addItem(tr("a class"), QStringLiteral("classes"));
    m_task->addItem(tr("a number"), QStringLiteral("number"));
    m_template = choice("data_template", tr("Model"), box);
    m_splits = choice("data_splits", tr("Splits"), box);
    for (const auto& split : kSplits) {
        m_splits->addItem(tr("%1 % training, %2 % validation, %3 % test")
                              .arg(100 * split[0], 0, 'f', 0)
                              .arg(100 * split[1], 0, 'f', 0)
                              .arg(100 * split[2], 0, 'f', 0));
    }
    m_columns = new QTableWidget(0, 3, box);
    m_columns->setTabKeyNavigation(false);
    widgets::offerCopy(*m_columns);
    m_columns->setObjectName(QStringLiteral("data_columns"));
    m_columns->setAccessibleName(tr("Columns of the table"));
    m_columns->setHorizontalHeaderLabels({tr("Column"), tr("Used as"), tr("Note")});
    m_columns->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_columns->verticalHeader()->hide();
    m_columns->horizontalHeader()->setStretchLastSection(true);
    m_columns->setShowGrid(false);
    m_classes = new QLabel(box);
    m_classes->setObjectName(QStringLiteral("data_class_names"));
    m_classes->setWordWrap(true);
    m_classes->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_copy = new QCheckBox(tr("Copy the data into the project"), box);
    m_copy->setObjectName(QStringLiteral("data_copy"));
    m_copy->setToolTip(tr("Otherwise it is read where it lies."));
    m_place = new ProjectPlace(box);

    auto* source = new QHBoxLayout;
    source->addWidget(m_path, 1);
    source->addWidget(other);
    auto* target = new QHBoxLayout;
    target->addWidget(m_target, 1);
    m_targetLabel = new QLabel(tr("as"), box);
    target->addWidget(m_targetLabel);
    target->addWidget(m_task);
    auto* form = new QFormLayout;
    form->addRow(tr("Predict"), target);
    form->addRow(tr("Model"), m_template);
    form->addRow(tr("Splits"), m_splits);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::kMedium);
    layout->addLayout(source);
    layout->addWidget(m_summary);
    layout->addLayout(form);
    layout->addWidget(m_columns, 1);
    layout->addWidget(m_classes, 1);
    layout->addWidget(m_copy);
    layout->addWidget(m_place);

    const auto proposeAgain = [this] {
        if (!m_filling) {
            propose();
        }
    };
    connect(m_target, &QComboBox::currentIndexChanged, this, [this, proposeAgain] {
        if (!m_filling) {
            const QSignalBlocker quiet(m_task);
            m_task->setCurrentIndex(-1);  // what fits the new target is proposed anew
        }
        proposeAgain();
    });
    connect(m_task, &QComboBox::currentIndexChanged, this, proposeAgain);
    connect(m_template, &QComboBox::currentIndexChanged, this, proposeAgain);
    connect(m_splits, &QComboBox::currentIndexChanged, this, proposeAgain);
    connect(m_columns, &QTableWidget::itemChanged, this, [this](QTableWidgetItem* item) {
        if (m_filling || item->column() != 0) {
            return;
        }
        m_leftOut.removeAll(item->text());
        if (item->checkState() == Qt::Unchecked) {
            m_leftOut.append(item->text());
        }
        // Not from inside the table's own signal: the proposal fills the table anew.
        QMetaObject::invokeMethod(this, &NewFromDataDialog::propose, Qt::QueuedConnection);
    });
    connect(m_place, &ProjectPlace::changed, this, &NewFromDataDialog::update);
    return box;
}

// ---- Choosing ----

void NewFromDataDialog::chooseFile() {
    auto* dialog = new QFileDialog(this, tr("Choose a table or an IDX file"),
                                   QStandardPaths::writableLocation(QStandardPaths::HomeLocation));
    dialog->setObjectName(QStringLiteral("dialog_data_file"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &NewFromDataDialog::inspect);
    dialog->open();
}

void NewFromDataDialog::chooseFolder() {
    auto* dialog = new QFileDialog(this, tr("Choose a folder of images"),
                                   QStandardPaths::writableLocation(QStandardPaths::HomeLocation));
    dialog->setObjectName(QStringLiteral("dialog_data_folder"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::filesSelected, this, &NewFromDataDialog::inspect);
    dialog->open();
}

void NewFromDataDialog::dragEnterEvent(QDragEnterEvent* event) {
    if (!droppedFiles(event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
    }
}

void NewFromDataDialog::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    inspect(droppedFiles(event->mimeData()));
}

void NewFromDataDialog::ask(const QString& sentence, const QString& detail) {
    m_start->setText(sentence);
    m_start->setDetail(detail);
    m_stack->setCurrentWidget(m_start);
}

void NewFromDataDialog::inspect(const QStringList& paths) {
    if (paths.isEmpty()) {
        return;
    }
    if (m_control) {
        m_control->requestStop();
    }
    m_control = std::make_shared<RunControl>();
    m_busy = true;
    ask(tr("Looking into %1…").arg(text(filePath(paths.first()).filename())), {});
    update();
    std::vector<std::filesystem::path> files;
    for (const QString& path : paths) {
        files.push_back(filePath(path));
    }
    const quint64 stamp = ++m_stamp;
    runInBackground(
        this, [files, control = m_control] { return data::inspectData(files, control.get()); },
        [this, stamp, first = paths.first()](Result<data::FoundData> found) {
            if (stamp != m_stamp) {
                return;
            }
            m_busy = false;
            if (!found && found.error().code == "is-a-project") {
                Q_EMIT projectFound(first);
                reject();
                return;
            }
            show(std::move(found));
        });
}

void NewFromDataDialog::show(Result<data::FoundData> found) {
    if (!found) {
        ask(engineSentence(found.error().message + '.'), engineSentence(found.error().hint));
        update();
        return;
    }
    m_found = std::move(*found);
    m_leftOut.clear();
    m_filling = true;
    m_target->clear();
    m_template->clear();
    for (const data::FoundColumn& column : m_found.table.columns) {
        m_target->addItem(text(column.name));
    }
    for (const std::string& id : project::templatesFor(m_found)) {
        for (const project::TemplateInfo& info : project::templates()) {
            if (info.id == id) {
                m_template->addItem(engineText(info.title), text(id));
            }
        }
    }
    m_target->setCurrentIndex(-1);
    m_task->setCurrentIndex(-1);
    m_filling = false;
    m_path->setText(text(m_found.path));
    m_summary->setText(describeFound(m_found));
    QString name = text(m_found.path.stem().stem());
    m_place->setName(name.isEmpty() ? tr("my-model") : name);
    propose();
    if (m_refused) {
        ask(engineSentence(m_refused->message + '.'), engineSentence(m_refused->hint));
        return;
    }
    m_stack->setCurrentWidget(m_choices);
    update();
}

// ---- The proposal ----

project::DataChoices NewFromDataDialog::choices() const {
    project::DataChoices made;
    if (m_found.kind == Kind::kTable) {
        made.target = bytes(m_target->currentText());
    }
    made.task = bytes(m_task->currentData().toString());
    made.templateId = bytes(m_template->currentData().toString());
    made.splits = kSplits[static_cast<std::size_t>(std::max(0, m_splits->currentIndex()))];
    for (const QString& column : m_leftOut) {
        made.leftOut.push_back(bytes(column));
    }
    return made;
}

void NewFromDataDialog::propose() {
    project::DataChoices wanted = choices();
    if (m_found.kind != Kind::kTable) {
        wanted.task.clear();  // the labels decide
    }
    auto proposal = project::proposeProject(m_found, wanted);
    m_refused = proposal ? std::nullopt : std::optional(proposal.error());
    if (proposal) {
        m_proposal = std::move(*proposal);
        showProposal();
    }
    update();
}

void NewFromDataDialog::showProposal() {
    m_filling = true;
    const bool table = m_found.kind == Kind::kTable;
    if (table) {
        m_target->setCurrentText(text(m_proposal.target));
    } else if (m_target->count() == 0) {
        m_target->addItem(tr("the label"));
        m_target->setCurrentIndex(0);
    }
    m_target->setEnabled(table);
    m_task->setCurrentIndex(m_proposal.task == project::Task::kNumber ? 1 : 0);
    m_task->setEnabled(m_proposal.canChooseTask);
    m_columns->setVisible(table);
    m_classes->setVisible(!table);
    table ? showColumns() : showImages();
    m_filling = false;
}

void NewFromDataDialog::showColumns() {
    const auto& columns = m_proposal.columns;
    m_columns->setRowCount(static_cast<int>(columns.size()));
    for (int row = 0; row < m_columns->rowCount(); ++row) {
        const project::ColumnUse& use = columns[static_cast<std::size_t>(row)];
        auto* name = new QTableWidgetItem(text(use.name));
        const bool free = use.role == Role::kNumber || use.role == Role::kCategory || use.note == Note::kByChoice;
        name->setFlags(free ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable
                            : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        if (free) {
            name->setCheckState(use.role == Role::kLeftOut ? Qt::Unchecked : Qt::Checked);
        }
        m_columns->setItem(row, 0, name);
        m_columns->setItem(row, 1, new QTableWidgetItem(roleOf(use)));
        m_columns->setItem(row, 2, new QTableWidgetItem(noteOf(use)));
    }
    m_columns->resizeColumnToContents(0);
    m_columns->resizeColumnToContents(1);
}

void NewFromDataDialog::showImages() {
    QStringList lines;
    QStringList names;
    constexpr std::size_t kShown = 20;
    for (std::size_t i = 0; i < m_found.images.classes.size() && i < kShown; ++i) {
        names << text(m_found.images.classes[i]);
    }
    if (m_found.images.classes.size() > kShown) {
        names << QStringLiteral("…");
    }
    if (!names.isEmpty()) {
        lines << tr("%n classes: %1", nullptr, static_cast<int>(m_found.images.classes.size()))
                     .arg(names.join(QStringLiteral(", ")));
    }
    const auto& dims = m_proposal.imageDims;
    if (dims.size() == 3) {
        lines << (dims[0] == 1 ? tr("The model gets them in grey, %1 × %2 pixels.")
                               : tr("The model gets them in colour, %1 × %2 pixels."))
                     .arg(dims[2])
                     .arg(dims[1]);
    }
    m_classes->setText(lines.join(QLatin1Char('\n')));
}

void NewFromDataDialog::update() {
    const bool choosing = m_stack->currentWidget() == m_choices;
    const QString refusal =
        m_refused ? engineSentence(m_refused->message + ". " + m_refused->hint) : m_place->refusal();
    m_place->showRefusal(refusal);
    m_choices->setEnabled(!m_busy);
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(choosing && !m_busy && refusal.isEmpty());
}

void NewFromDataDialog::create() {
    if (!m_buttons->button(QDialogButtonBox::Ok)->isEnabled()) {
        return;
    }
    m_busy = true;
    update();
    m_summary->setText(tr("Reading the data…"));
    m_control = std::make_shared<RunControl>();
    const quint64 stamp = ++m_stamp;
    runInBackground(
        this,
        [proposal = m_proposal, name = bytes(m_place->name()), control = m_control] {
            return project::makeFromData(proposal, name, control.get());
        },
        [this, stamp](Result<Json> made) {
            if (stamp != m_stamp) {
                return;
            }
            m_busy = false;
            m_summary->setText(describeFound(m_found));
            if (!made) {
                m_refused = made.error();  // until another choice is made
                update();
                return;
            }
            m_project = std::move(*made);
            m_place->remember();
            accept();
        });
}

std::filesystem::path NewFromDataDialog::folder() const {
    return m_place->folder();
}

bool NewFromDataDialog::copiesData() const {
    return m_copy->isChecked();
}

}  // namespace plumbline::gui
