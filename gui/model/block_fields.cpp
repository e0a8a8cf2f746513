// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/block_fields.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <algorithm>

#include "graph/init.h"
#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/engine_text.h"
#include "gui/model/node_ports.h"
#include "gui/model/telling.h"

namespace plumbline::gui {

using widgets::FieldChoice;
using widgets::FieldProblem;
using widgets::FieldSpec;
using widgets::FieldType;

namespace {

struct BlockFieldsTr {
    Q_DECLARE_TR_FUNCTIONS(BlockFields)
};

FieldType typeOf(graph::ParameterKind kind) {
    using graph::ParameterKind;
    switch (kind) {
        case ParameterKind::kInt:
            return FieldType::Integer;
        case ParameterKind::kFloat:
            return FieldType::Real;
        case ParameterKind::kBool:
            return FieldType::Boolean;
        case ParameterKind::kChoice:
            return FieldType::Choice;
        case ParameterKind::kIntList:
        case ParameterKind::kDimList:
            return FieldType::Expression;  // one number, a list, or =…
        default:
            return FieldType::Text;
    }
}

FieldSpec field(const QString& path, const QString& label, FieldType type, const QString& group,
                const QString& help = {}) {
    FieldSpec made;
    made.path = path;
    made.label = label;
    made.type = type;
    made.group = group;
    made.help = help;
    made.optional = true;
    return made;
}

/// "[3, 3]" reads badly in a form, "3, 3" well; one number stays one.
FieldSpec parameterField(const graph::ParameterSpec& parameter, const Json& resolved) {
    FieldSpec made = field(text(parameter.name), text(parameter.name), typeOf(parameter.kind),
                           BlockFieldsTr::tr("Parameters"), engineText(parameter.help));
    made.allowsExpression =
        parameter.kind != graph::ParameterKind::kText && parameter.kind != graph::ParameterKind::kChoice;
    if (parameter.kind == graph::ParameterKind::kIntList || parameter.kind == graph::ParameterKind::kDimList) {
        made.type = FieldType::List;
        made.scalarAllowed = true;
        made.allowsExpression = true;
    }
    if (!parameter.defaultValue.is_null()) {
        made.defaultValue = toQt(parameter.defaultValue);
    }
    made.minimum = parameter.min;
    made.maximum = parameter.max;
    for (const std::string& choice : parameter.choices) {
        made.choices << FieldChoice{text(choice), text(choice), {}};
    }
    const auto value = resolved.find(parameter.name);
    if (parameter.inferred && value != resolved.end() && !value->is_null()) {
        made.placeholder = BlockFieldsTr::tr("%1 (from the input)").arg(valueText(*value));
    } else if (parameter.inferred) {
        made.placeholder = BlockFieldsTr::tr("follows from the input");
    } else if (parameter.defaultValue.is_null() && !parameter.nullable) {
        made.placeholder = BlockFieldsTr::tr("has to be given");
    } else if (parameter.nullable && parameter.defaultValue.is_null()) {
        made.placeholder = BlockFieldsTr::tr("none");
    }
    return made;
}

QString sourcesHelp() {
    return BlockFieldsTr::tr("The block this comes from: its name, or name.output. Empty leaves it open.");
}

void addInputs(const CanvasAdapter& adapter, const std::string& id, const Ports& ports, BlockForm& form) {
    const graph::Graph& graph = *adapter.currentGraph();
    const QString group = BlockFieldsTr::tr("Inputs");
    if (isOutputId(id)) {
        for (const graph::GraphOutput& output : graph.outputs) {
            if (output.name == outputName(id)) {
                form.fields << field(QStringLiteral("@from.input"), BlockFieldsTr::tr("comes from"), FieldType::Text,
                                     group, sourcesHelp());
                form.values.insert(QStringLiteral("@from.input"), text(output.source.toString()));
            }
        }
        return;
    }
    const graph::Node& node = *graph.find(id);
    const std::vector<Connection> connections = connectionsOf(node, ports);
    for (std::size_t i = 0; i < ports.inputs.size(); ++i) {
        QStringList sources;
        for (const Connection& connection : connections) {
            if (connection.port == static_cast<int>(i)) {
                sources << text(connection.source.toString());
            }
        }
        const QString path = QStringLiteral("@from.") + text(ports.inputs[i].name);
        FieldSpec made = field(
            path, text(ports.inputs[i].name), FieldType::Text, group,
            ports.inputs[i].variadic ? BlockFieldsTr::tr("The blocks these come from, with commas.") : sourcesHelp());
        made.placeholder = ports.inputs[i].optional ? BlockFieldsTr::tr("optional") : BlockFieldsTr::tr("open");
        form.fields << made;
        if (!sources.isEmpty()) {
            form.values.insert(path, sources.join(QStringLiteral(", ")));
        }
    }
}

/// The scheme, then what it knows.
void addInit(const graph::Node& node, const QString& group, BlockForm& form) {
    FieldSpec scheme = field(QStringLiteral("@init.scheme"), BlockFieldsTr::tr("initialisation"), FieldType::Choice,
                             group, BlockFieldsTr::tr("How the weights start."));
    scheme.defaultValue = QString();
    scheme.choices = {{QString(), BlockFieldsTr::tr("PyTorch's default"), {}}};
    for (const std::string& name : graph::initSchemes()) {
        if (name != "default") {
            scheme.choices << FieldChoice{text(name), text(name), {}};
        }
    }
    form.fields << scheme;
    if (!node.init.is_object() || !node.init.contains("scheme") || !node.init.at("scheme").is_string()) {
        return;
    }
    const std::string chosen = node.init.at("scheme").get<std::string>();
    if (chosen == "default") {
        return;
    }
    form.values.insert(scheme.path, text(chosen));
    for (const graph::InitKey& key : graph::initKeys(chosen)) {
        FieldSpec made = field(QStringLiteral("@init.") + text(key.name), text(key.name),
                               key.words.empty() ? FieldType::Real : FieldType::Choice, group);
        made.placeholder = BlockFieldsTr::tr("PyTorch's default");
        made.nested = 1;
        for (const std::string& word : key.words) {
            made.choices << FieldChoice{text(word), text(word), {}};
        }
        if (node.init.contains(key.name)) {
            form.values.insert(made.path, toQt(node.init.at(key.name)));
        }
        form.fields << made;
    }
}

void addBehaviour(const graph::Node& node, BlockForm& form) {
    const QString group = BlockFieldsTr::tr("Behaviour");
    FieldSpec enabled = field(
        QStringLiteral("@enabled"), BlockFieldsTr::tr("enabled"), FieldType::Boolean, group,
        BlockFieldsTr::tr("A disabled block passes its first input through. May be an expression: =dropout > 0."));
    enabled.allowsExpression = true;
    enabled.defaultValue = true;
    FieldSpec repeat = field(QStringLiteral("@repeat"), BlockFieldsTr::tr("repeat"), FieldType::Integer, group,
                             BlockFieldsTr::tr("Makes a chain of this many; parameters may use index."));
    repeat.allowsExpression = true;
    repeat.minimum = 1;
    repeat.placeholder = BlockFieldsTr::tr("once");
    FieldSpec frozen = field(QStringLiteral("@frozen"), BlockFieldsTr::tr("frozen"), FieldType::Boolean, group,
                             BlockFieldsTr::tr("Its parameters get no gradient."));
    frozen.defaultValue = false;
    FieldSpec mode = field(QStringLiteral("@mode"), BlockFieldsTr::tr("mode"), FieldType::Choice, group,
                           BlockFieldsTr::tr("Whether it follows the model's train and eval modes."));
    mode.defaultValue = QString();
    mode.choices = {{QString(), BlockFieldsTr::tr("follows the model"), {}},
                    {QStringLiteral("eval"), BlockFieldsTr::tr("stays in eval"), {}},
                    {QStringLiteral("stochastic"), BlockFieldsTr::tr("stays in train"), {}}};
    FieldSpec weights = field(QStringLiteral("@weights"), BlockFieldsTr::tr("weights of"), FieldType::Text, group,
                              BlockFieldsTr::tr("Shares the parameters of this block of the same graph."));
    weights.placeholder = BlockFieldsTr::tr("its own");
    form.fields << enabled << repeat << frozen << mode;
    addInit(node, group, form);
    form.fields << weights
                << field(QStringLiteral("@note"), BlockFieldsTr::tr("note"), FieldType::Text, group,
                         BlockFieldsTr::tr("A remark for people."));
    const auto put = [&form](const QString& path, const Json& value) {
        if (!value.is_null()) {
            form.values.insert(path, toQt(value));
        }
    };
    put(QStringLiteral("@enabled"), node.enabled);
    put(QStringLiteral("@repeat"), node.repeat);
    if (node.frozen) {
        form.values.insert(QStringLiteral("@frozen"), true);
    }
    if (!node.mode.empty()) {
        form.values.insert(QStringLiteral("@mode"), text(node.mode));
    }
    if (!node.weights.empty()) {
        form.values.insert(QStringLiteral("@weights"), text(node.weights));
    }
    if (!node.note.empty()) {
        form.values.insert(QStringLiteral("@note"), text(node.note));
    }
}

FieldSpec declaredField(const graph::ParameterDeclaration& parameter, const QString& path, const QString& group) {
    FieldSpec made = field(path, text(parameter.name), FieldType::Expression, group, text(parameter.help));
    made.type = parameter.type == "int"     ? FieldType::Integer
                : parameter.type == "float" ? FieldType::Real
                : parameter.type == "bool"  ? FieldType::Boolean
                : parameter.type == "list"  ? FieldType::List
                                            : FieldType::Text;
    made.allowsExpression = true;
    made.minimum = parameter.min;
    made.maximum = parameter.max;
    return made;
}

FieldSpec nameField() {
    FieldSpec name =
        field(QStringLiteral("@name"), BlockFieldsTr::tr("name"), FieldType::Text, BlockFieldsTr::tr("Block"),
              BlockFieldsTr::tr("Letters, digits and _; part of the names of its parameters."));
    name.optional = false;
    return name;
}

}  // namespace

BlockForm formOf(const CanvasAdapter& adapter, const QString& idText) {
    BlockForm form;
    const graph::Graph* graph = adapter.currentGraph();
    if (!graph) {
        return form;
    }
    const std::string id = bytes(idText);
    const graph::Document& model = adapter.document().project().model;
    form.values.insert(QStringLiteral("@name"), text(isOutputId(id) ? outputName(id) : id));
    form.fields << nameField();
    if (isOutputId(id)) {
        addInputs(adapter, id, {}, form);
        return form;
    }
    for (const graph::GraphInput& input : graph->inputs) {
        if (input.name == id) {
            if (graph->name.empty()) {
                FieldSpec shape = field(
                    QStringLiteral("@shape"), BlockFieldsTr::tr("shape"), FieldType::List, BlockFieldsTr::tr("Tensor"),
                    BlockFieldsTr::tr("Dimensions with commas; B is the batch, other words are symbols."));
                shape.optional = false;
                FieldSpec dtype = field(QStringLiteral("@dtype"), BlockFieldsTr::tr("dtype"), FieldType::Choice,
                                        BlockFieldsTr::tr("Tensor"));
                for (const char* each : {"float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8",
                                         "uint8", "bool"}) {
                    dtype.choices << FieldChoice{QLatin1String(each), QLatin1String(each), {}};
                }
                form.fields << shape << dtype;
                form.values.insert(shape.path, toQt(input.shape));
                form.values.insert(dtype.path, text(input.dtype));
            }
            return form;
        }
    }
    const graph::Node* node = graph->find(id);
    if (!node) {
        return {};
    }
    const std::string path = adapter.here().pathOf(id);
    if (const graph::Graph* definition = model.definition(node->type)) {
        const Json* values = adapter.index().compositeParams(path);
        for (const graph::ParameterDeclaration& parameter : definition->parameters) {
            FieldSpec made = declaredField(parameter, text(parameter.name), BlockFieldsTr::tr("Parameters"));
            if (!parameter.defaultValue.is_null()) {
                made.defaultValue = toQt(parameter.defaultValue);
            } else {
                made.placeholder = BlockFieldsTr::tr("has to be given");
            }
            const bool isExpression = node->params.contains(parameter.name) && node->params[parameter.name].is_string();
            if (isExpression && values && values->contains(parameter.name)) {
                made.help += (made.help.isEmpty() ? QString() : QStringLiteral("\n")) +
                             BlockFieldsTr::tr("Here: %1").arg(valueText((*values)[parameter.name]));
            }
            form.fields << made;
        }
    } else if (const graph::BlockType* type = ProjectDocument::registry().find(node->type)) {
        const graph::ResolvedNode* leaf = adapter.index().leaf(path);
        for (const graph::ParameterSpec& parameter : type->spec().parameters) {
            form.fields << parameterField(parameter, leaf ? leaf->params : Json::object());
        }
    }
    for (const auto& [name, value] : node->params.items()) {
        form.values.insert(text(name), toQt(value));
    }
    addInputs(adapter, id, portsOf(model, ProjectDocument::registry(), node->type), form);
    addBehaviour(*node, form);
    return form;
}

BlockForm formOfLevel(const CanvasAdapter& adapter) {
    BlockForm form;
    const graph::Graph* graph = adapter.currentGraph();
    if (!graph) {
        return form;
    }
    if (graph->name.empty()) {
        const QString group = BlockFieldsTr::tr("Project");
        FieldSpec name = field(QStringLiteral("@project.name"), BlockFieldsTr::tr("name"), FieldType::Text, group);
        name.optional = false;
        form.fields << name
                    << field(QStringLiteral("@project.description"), BlockFieldsTr::tr("description"), FieldType::Text,
                             group);
        form.values.insert(name.path, text(adapter.document().project().name));
        form.values.insert(QStringLiteral("@project.description"), text(adapter.document().project().description));
        return form;
    }
    const QString group = BlockFieldsTr::tr("Composite");
    FieldSpec name = field(QStringLiteral("@definition.name"), BlockFieldsTr::tr("name"), FieldType::Text, group);
    name.optional = false;
    form.fields << name
                << field(QStringLiteral("@definition.help"), BlockFieldsTr::tr("help"), FieldType::Text, group,
                         BlockFieldsTr::tr("One line on what it does."));
    form.values.insert(name.path, text(graph->name));
    if (!graph->help.empty()) {
        form.values.insert(QStringLiteral("@definition.help"), text(graph->help));
    }
    for (const graph::ParameterDeclaration& parameter : graph->parameters) {
        FieldSpec made = declaredField(parameter, QStringLiteral("@default.") + text(parameter.name),
                                       BlockFieldsTr::tr("Its parameters, with defaults"));
        made.allowsExpression = false;
        form.fields << made;
        if (!parameter.defaultValue.is_null()) {
            form.values.insert(made.path, toQt(parameter.defaultValue));
        }
    }
    FieldSpec add = field(QStringLiteral("@parameter.add"), BlockFieldsTr::tr("add a parameter"), FieldType::Text,
                          BlockFieldsTr::tr("Its parameters, with defaults"),
                          BlockFieldsTr::tr("Name and default, as channels = 16. Blocks inside use it as =channels."));
    add.placeholder = QStringLiteral("channels = 16");
    FieldSpec remove = field(QStringLiteral("@parameter.remove"), BlockFieldsTr::tr("remove a parameter"),
                             FieldType::Choice, BlockFieldsTr::tr("Its parameters, with defaults"));
    remove.choices << FieldChoice{QString(), QStringLiteral("–"), {}};
    for (const graph::ParameterDeclaration& parameter : graph->parameters) {
        remove.choices << FieldChoice{text(parameter.name), text(parameter.name), {}};
    }
    form.fields << add;
    if (!graph->parameters.empty()) {
        form.fields << remove;
        form.values.insert(remove.path, QString());
    }
    return form;
}

QHash<QString, FieldProblem> fieldProblems(const CanvasAdapter& adapter, const QString& idText) {
    QHash<QString, FieldProblem> found;
    const std::string id = bytes(idText);
    const bool root = adapter.here().graph.empty();
    const QString scope = root ? QStringLiteral("/model/graph/")
                               : QStringLiteral("/model/definitions/%1/").arg(text(adapter.here().graph));
    const QString node = scope + QStringLiteral("nodes/") + idText;
    const QString input = scope + QStringLiteral("inputs/") + idText;
    const QString output = scope + QStringLiteral("outputs/") + text(isOutputId(id) ? outputName(id) : id);
    for (const graph::Problem& problem : adapter.document().report().problems) {
        const QString pointer = text(problem.pointer);
        const bool mine = pointer == node || pointer.startsWith(node + QLatin1Char('/')) || pointer == input ||
                          pointer.startsWith(input + QLatin1Char('/')) || pointer == output;
        if (!mine) {
            continue;
        }
        QString path = QStringLiteral("@name");
        const QString rest = pointer.mid(pointer.startsWith(node) ? node.size() + 1 : input.size() + 1);
        const QString first = rest.section(QLatin1Char('/'), 0, 0);
        if (first == QLatin1String("params")) {
            path = rest.section(QLatin1Char('/'), 1, 1);
        } else if (first == QLatin1String("init")) {
            path = QStringLiteral("@init.scheme");
        } else if (first == QLatin1String("shape") || first == QLatin1String("dtype") ||
                   first == QLatin1String("enabled") || first == QLatin1String("repeat") ||
                   first == QLatin1String("weights")) {
            path = QLatin1Char('@') + first;
        } else if (first == QLatin1String("from")) {
            path = QStringLiteral("@from.input");
        }
        const FieldProblem told{toWidget(problem.severity), engineSentence(problem.message)};
        if (!found.contains(path) || found.value(path).severity < told.severity) {
            found.insert(path, told);
        }
    }
    return found;
}

}  // namespace plumbline::gui
