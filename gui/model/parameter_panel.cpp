// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/parameter_panel.h"

#include <QLabel>
#include <QVBoxLayout>

#include "gui/convert.h"
#include "gui/engine_text.h"
#include "gui/model/block_fields.h"
#include "gui/model/canvas_adapter.h"
#include "widgets/form_widget.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {
QString parametersText(std::int64_t count) {
    return ParameterPanel::tr("%1 parameter(s)", nullptr, pluralOf(static_cast<double>(count)))
        .arg(countText(static_cast<double>(count)));
}
}  // namespace

ParameterPanel::ParameterPanel(CanvasAdapter& adapter, QWidget* parent) : QWidget(parent), m_adapter(adapter) {
    setObjectName(QStringLiteral("parameters"));
    const auto label = [this](const char* name) {
        auto* made = new QLabel(this);
        made->setObjectName(QLatin1String(name));
        made->setWordWrap(true);
        made->setTextInteractionFlags(Qt::TextSelectableByMouse);
        return made;
    };
    m_title = label("parameters_title");
    m_title->setFont(Theme::instance().titleFont());
    m_summary = label("parameters_summary");
    m_summary->setForegroundRole(QPalette::PlaceholderText);
    m_facts = label("parameters_facts");
    m_facts->setFont(Theme::instance().numberFont());
    m_form = new FormWidget(this);
    m_form->setObjectName(QStringLiteral("parameter_form"));
    m_form->setAccessibleName(tr("Parameters"));
    auto* head = new QVBoxLayout;
    head->setContentsMargins(space::kMedium, space::kMedium, space::kMedium, 0);
    head->setSpacing(space::kTiny);
    head->addWidget(m_title);
    head->addWidget(m_summary);
    head->addWidget(m_facts);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::kSmall);
    layout->addLayout(head);
    layout->addWidget(m_form, 1);
    setMinimumWidth(240);
    connect(m_form, &FormWidget::edited, this, &ParameterPanel::apply);
    connect(&adapter, &CanvasModel::changed, this, &ParameterPanel::refresh);
    connect(&adapter.document(), &ProjectDocument::rewound, m_form, &FormWidget::dropRefused);
    connect(&adapter, &CanvasModel::levelChanged, this, [this] { setSelection({}); });
    refresh();
}

void ParameterPanel::setSelection(const QStringList& ids) {
    if (ids != m_ids) {
        m_form->commitPending();
    }
    m_ids = ids;
    refresh();
}

void ParameterPanel::commitPending() {
    m_form->commitPending();
}

bool ParameterPanel::focusField(const QString& path) {
    return m_form->focusField(path);
}

QString ParameterPanel::factsOf(const QString& id) const {
    const graph::Graph* graph = m_adapter.currentGraph();
    const graph::Node* node = graph ? graph->find(bytes(id)) : nullptr;
    if (!node) {
        return {};
    }
    const std::string path = m_adapter.here().pathOf(node->name);
    const auto shapes = [](const ResolvedIndex::Types& types) {
        QStringList parts;
        for (const auto& type : types) {
            parts << (type ? shapeText(*type) : QStringLiteral("?"));
        }
        return parts.join(QStringLiteral(", "));
    };
    QStringList lines;
    const QString in = shapes(m_adapter.index().inputTypes(path));
    const QString out = shapes(m_adapter.index().outputTypes(path));
    if (!in.isEmpty() || !out.isEmpty()) {
        lines << QString::fromUtf8("%1 \u2192 %2")
                     .arg(in.isEmpty() ? QStringLiteral("?") : in, out.isEmpty() ? QStringLiteral("?") : out);
    }
    const ResolvedIndex::Cost cost = m_adapter.index().cost(path);
    QString numbers = parametersText(cost.parameters);
    if (cost.macs) {
        numbers += tr(" · %1 MACs").arg(countText(static_cast<double>(*cost.macs)));
    }
    if (cost.activationBytes && *cost.activationBytes > 0) {
        numbers += tr(" · %1 a sample").arg(bytesText(static_cast<double>(*cost.activationBytes)));
    }
    if (m_adapter.index().has(path)) {
        lines << numbers;
    }
    return lines.join(QLatin1Char('\n'));
}

void ParameterPanel::refresh() {
    const graph::Graph* graph = m_adapter.currentGraph();
    setEnabled(graph != nullptr);
    // Ids that an undo took away are no longer selected.
    QStringList there;
    for (const QString& id : std::as_const(m_ids)) {
        const std::string name = bytes(id);
        const bool exists = graph && (graph->find(name) ||
                                      std::any_of(graph->inputs.begin(), graph->inputs.end(),
                                                  [&](const auto& each) { return each.name == name; }) ||
                                      std::any_of(graph->outputs.begin(), graph->outputs.end(),
                                                  [&](const auto& each) { return outputId(each.name) == name; }));
        if (exists) {
            there << id;
        }
    }
    m_ids = there;
    if (!graph) {
        m_title->clear();
        m_summary->clear();
        m_facts->clear();
        m_form->setFields({});
        return;
    }
    if (m_ids.size() > 1) {
        m_title->setText(tr("%n block(s)", nullptr, static_cast<int>(m_ids.size())));
        m_summary->setText(tr("Select one block to see its parameters."));
        std::int64_t parameters = 0;
        for (const QString& id : std::as_const(m_ids)) {
            parameters += m_adapter.index().cost(m_adapter.here().pathOf(bytes(id))).parameters;
        }
        m_facts->setText(parametersText(parameters));
        m_form->setFields({});
        m_form->setEmptyText({});
        return;
    }
    BlockForm form;
    if (m_ids.isEmpty()) {
        const bool root = graph->name.empty();
        m_title->setText(root ? m_adapter.document().name() : text(graph->name));
        m_summary->setText(root ? tr("The model. Select a block to see its parameters.")
                                : tr("Composite. Changes hold for every instance."));
        const graph::ResolvedModel& model = m_adapter.document().report().model;
        QString facts = root ? parametersText(model.parameterCount()) : QString();
        if (const auto macs = root ? model.macs().evaluate({{"B", 1}, {"T", 1}}) : std::nullopt) {
            facts += tr(" · %1 MACs").arg(countText(static_cast<double>(*macs)));
        }
        m_facts->setText(facts);
        form = formOfLevel(m_adapter);
    } else {
        const QString id = m_ids.first();
        const graph::Node* node = graph->find(bytes(id));
        const QString type = node ? text(node->type) : isOutputId(bytes(id)) ? tr("Output") : tr("Input");
        m_title->setText(QStringLiteral("%1   %2").arg(isOutputId(bytes(id)) ? text(outputName(bytes(id))) : id, type));
        QString summary;
        if (node) {
            const graph::BlockType* leaf = ProjectDocument::registry().find(node->type);
            const graph::Graph* definition = m_adapter.document().project().model.definition(node->type);
            summary = definition ? text(definition->help)
                      : leaf     ? engineText(leaf->spec().summary)
                                 : tr("There is no block type of this name.");
        }
        m_summary->setText(summary);
        m_summary->setVisible(!summary.isEmpty());
        m_facts->setText(factsOf(id));
        form = formOf(m_adapter, id);
    }
    m_summary->setVisible(!m_summary->text().isEmpty());
    m_facts->setVisible(!m_facts->text().isEmpty());
    m_form->setFields(form.fields);
    m_form->setValues(form.values);
    m_form->setProblems(m_ids.isEmpty() ? QHash<QString, FieldProblem>() : fieldProblems(m_adapter, m_ids.first()));
}

void ParameterPanel::apply(const QString& path, const QJsonValue& value) {
    if (m_ids.isEmpty()) {
        if (!applyLevelField(m_adapter, path, value)) {
            refresh();
        }
        return;
    }
    const QString id = m_ids.first();
    if (path == QLatin1String("@name")) {
        // The block is known by its new name from the first refresh on.
        const QString to = value.toString();
        const QString newId = isOutputId(bytes(id)) ? text(outputId(bytes(to))) : to;
        m_ids = {newId};
        if (applyField(m_adapter, id, path, value)) {
            Q_EMIT renamed(newId);
        } else {
            m_ids = {id};
        }
        refresh();
        return;
    }
    if (!applyField(m_adapter, id, path, value)) {
        refresh();  // refused: the field shows what the project has
    }
}

}  // namespace plumbline::gui
