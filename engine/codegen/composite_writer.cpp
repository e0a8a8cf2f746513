#include "codegen/composite_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "codegen/literal_variation.h"

namespace plumbline::codegen {
namespace {

/// A constructor argument: its name and its value in every instance of the struct.
struct Argument {
    std::string type;
    std::string name;
    std::vector<std::string> values;
};

/// Instances whose bodies differ in literals only.
struct Family {
    std::string structName;
    std::vector<int> instances;  ///< tree indices
    std::vector<ModuleBody> bodies;
    std::vector<Argument> arguments;
};

std::string wholeText(const ModuleBody& body) {
    std::string text = fmt::format("{}|{}|", fmt::join(body.inputs, ","), fmt::join(body.results, ","));
    for (const BodyPart& part : body.parts) {
        text +=
            fmt::format("{}\n{}\n{}\n{}\n{}\n", part.member, part.construct, part.forward, part.afterwards, part.modes);
    }
    return text;
}

std::string typeOf(const std::string& literal) {
    if (literal == "true" || literal == "false") {
        return "bool";
    }
    return literal.find_first_of(".eE") == std::string::npos ? "int64_t" : "double";
}

/// Whether the texts are what `values` are, as literals.
bool sameValues(const std::vector<std::string>& literals, const std::vector<Json>& values) {
    for (std::size_t i = 0; i < literals.size(); ++i) {
        const Json literal = Json::parse(literals[i], nullptr, false);
        if (literal.is_discarded() || literal != values[i]) {
            return false;
        }
    }
    return true;
}

class FamilyWriter {
public:
    FamilyWriter(Family& family, const graph::Document& document, const std::set<std::string>& structNames)
        : m_family(family), m_document(document), m_structNames(structNames) {}

    std::string write() {
        const ModuleBody& body = m_family.bodies.front();
        std::string members;
        std::string constructor;
        std::string afterwards;
        std::string modes;
        std::vector<std::string> forwards(body.parts.size());
        for (std::size_t p = 0; p < body.parts.size(); ++p) {
            const BodyPart& part = body.parts[p];
            if (!part.member.empty()) {
                members += "    " + part.member + "\n";
            }
            if (!part.construct.empty()) {
                constructor += "        " + substituted(p, &BodyPart::construct, false) + "\n";
            }
            if (!part.afterwards.empty()) {
                afterwards += "        " + part.afterwards + "\n";
            }
            if (!part.modes.empty()) {
                modes += "        " + part.modes + "\n";
            }
            forwards[p] = substituted(p, &BodyPart::forward, true);
        }
        std::string forward;
        for (const std::size_t p : body.callOrder) {
            forward += indented(forwards[p]);
        }
        return assemble(body, members, constructor + afterwards, modes, forward);
    }

private:
    static std::string indented(const std::string& code) {
        std::string text;
        std::size_t start = 0;
        while (start < code.size()) {
            const std::size_t end = std::min(code.find('\n', start), code.size());
            if (end > start) {
                text += "        " + code.substr(start, end - start) + "\n";
            }
            start = end + 1;
        }
        return text;
    }

    /// The code of a part with the literals that differ between instances replaced by arguments.
    std::string substituted(std::size_t part, std::string BodyPart::*code, bool inForward) {
        std::vector<std::vector<std::string>> literals;
        for (const ModuleBody& body : m_family.bodies) {
            literals.push_back(literalsOf(body.parts[part].*code));
        }
        std::vector<std::string> names(literals[0].size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            std::vector<std::string> values;
            for (const auto& list : literals) {
                values.push_back(list[i]);
            }
            if (std::any_of(values.begin(), values.end(),
                            [&](const std::string& value) { return value != values[0]; })) {
                names[i] = argumentFor(part, values);
                if (inForward && std::find(m_kept.begin(), m_kept.end(), names[i]) == m_kept.end()) {
                    m_kept.push_back(names[i]);
                }
                names[i] += inForward ? "_" : "";
            }
        }
        return withLiterals(m_family.bodies.front().parts[part].*code, names);
    }

    std::string argumentFor(std::size_t part, const std::vector<std::string>& values) {
        for (const Argument& argument : m_family.arguments) {
            if (argument.values == values) {
                return argument.name;
            }
        }
        std::string name = nameFor(part, values);
        const auto taken = [&](const std::string& word) {
            return m_structNames.contains(word) ||
                   std::any_of(m_family.arguments.begin(), m_family.arguments.end(),
                               [&](const Argument& argument) { return argument.name == word; }) ||
                   std::any_of(m_family.bodies[0].parts.begin(), m_family.bodies[0].parts.end(),
                               [&](const BodyPart& other) { return other.name == word || other.name == word + "_"; });
        };
        if (taken(name)) {
            name = m_family.bodies[0].parts[part].name + "_" + name;
        }
        const std::string base = name;
        for (int i = 2; taken(name); ++i) {
            name = fmt::format("{}_{}", base, i);
        }
        m_family.arguments.push_back({typeOf(values[0]), name, values});
        return name;
    }

    /// The composite's own parameter, or the block's, that has these values.
    std::string nameFor(std::size_t part, const std::vector<std::string>& values) const {
        const auto search = [&](const std::function<const Json&(const ModuleBody&)>& params) -> std::string {
            const Json& first = params(m_family.bodies[0]);
            if (!first.is_object()) {
                return {};
            }
            for (const auto& [key, value] : first.items()) {
                std::vector<Json> column;
                for (const ModuleBody& body : m_family.bodies) {
                    const Json& object = params(body);
                    column.push_back(object.is_object() && object.contains(key) ? object.at(key) : Json());
                }
                if (sameValues(values, column)) {
                    return cppIdentifier(key);
                }
            }
            return {};
        };
        std::string name = search([](const ModuleBody& body) -> const Json& { return body.params; });
        if (name.empty()) {
            name = search([part](const ModuleBody& body) -> const Json& { return body.parts[part].params; });
        }
        return name.empty() ? m_family.bodies[0].parts[part].name + "_value" : name;
    }

    std::string assemble(const ModuleBody& body, const std::string& members, const std::string& constructor,
                         const std::string& modes, const std::string& forward) const {
        std::string parameters;
        std::string kept;
        std::string initialisers;
        for (const Argument& argument : m_family.arguments) {
            parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", argument.type, argument.name);
            if (std::find(m_kept.begin(), m_kept.end(), argument.name) != m_kept.end()) {
                kept += fmt::format("    {} {}_;\n", argument.type, argument.name);
                initialisers +=
                    fmt::format("{}{}_({})", initialisers.empty() ? " : " : ", ", argument.name, argument.name);
            }
        }
        std::string arguments;
        for (const std::string& input : body.inputs) {
            arguments += fmt::format("{}const torch::Tensor& {}", arguments.empty() ? "" : ", ", input);
        }
        std::string returnType = "torch::Tensor";
        std::string result = body.results.empty() ? "torch::Tensor()" : body.results[0];
        std::string comment;
        if (body.results.size() > 1) {
            returnType = "std::tuple<";
            for (std::size_t i = 0; i < body.results.size(); ++i) {
                returnType += i == 0 ? "torch::Tensor" : ", torch::Tensor";
            }
            returnType += ">";
            result = fmt::format("std::make_tuple({})", fmt::join(body.results, ", "));
        }
        const graph::Graph* definition = m_document.definition(body.type);
        if (definition != nullptr && !definition->help.empty()) {
            comment = cppComment(definition->help);
        }
        std::string text = comment;
        text += fmt::format("struct {0}Impl : torch::nn::Module {{\n", m_family.structName);
        text += fmt::format("    {}{}Impl({}){} {{\n{}    }}\n\n", m_family.arguments.size() == 1 ? "explicit " : "",
                            m_family.structName, parameters, initialisers, constructor);
        if (body.results.size() > 1 && body.type == "Model") {
            text += fmt::format("    // Gives {}.\n", fmt::join(body.resultNames, ", "));
        }
        text += fmt::format("    {} forward({}) {{\n{}        return {};\n    }}\n\n", returnType, arguments, forward,
                            result);
        if (!modes.empty()) {
            text += fmt::format(
                "    void train(bool on = true) override {{\n        torch::nn::Module::train(on);\n{}    }}\n\n",
                modes);
        }
        text += members + kept + fmt::format("}};\nTORCH_MODULE({});\n", m_family.structName);
        return text;
    }

    Family& m_family;
    const graph::Document& m_document;
    const std::set<std::string>& m_structNames;
    std::vector<std::string> m_kept;  ///< arguments that forward needs
};

class StructWriter final : public CompositeNames {
public:
    StructWriter(const graph::ResolvedModel& model, const graph::Document& document,
                 const graph::BlockRegistry& registry)
        : m_model(model), m_document(document), m_registry(registry) {}

    Result<std::vector<StructSource>> write() {
        std::vector<StructSource> sources;
        for (const std::vector<int>& level : levels()) {
            PLUMBLINE_TRY(writeLevel(level, sources));
        }
        return sources;
    }

    CompositeUse use(int treeIndex) const override {
        const auto it = m_uses.find(treeIndex);
        return it == m_uses.end() ? CompositeUse{} : it->second;
    }

private:
    bool isComposite(int index) const {
        const graph::ModuleNode& node = m_model.tree[static_cast<std::size_t>(index)];
        return index == 0 || (node.leaf < 0 && !node.type.empty());
    }

    /// Composites grouped by how deep they nest, the innermost first.
    std::vector<std::vector<int>> levels() const {
        std::vector<std::vector<int>> result;
        const std::function<int(int)> depthOf = [&](int index) {
            int depth = -1;
            for (const int child : m_model.tree[static_cast<std::size_t>(index)].children) {
                depth = std::max(depth, depthOf(child));
            }
            if (!isComposite(index)) {
                return depth;
            }
            ++depth;
            if (result.size() <= static_cast<std::size_t>(depth)) {
                result.resize(static_cast<std::size_t>(depth) + 1);
            }
            result[static_cast<std::size_t>(depth)].push_back(index);
            return depth;
        };
        depthOf(0);
        return result;
    }

    Status writeLevel(const std::vector<int>& level, std::vector<StructSource>& sources) {
        std::map<std::string, std::vector<int>> byType;
        std::vector<std::string> types;  // in the order in which they come
        for (const int index : level) {
            const std::string type = index == 0 ? "Model" : m_model.tree[static_cast<std::size_t>(index)].type;
            if (byType[type].empty()) {
                types.push_back(type);
            }
            byType[type].push_back(index);
        }
        std::vector<Family> families;
        for (const std::string& type : types) {
            PLUMBLINE_ASSIGN(std::vector<Family> ofType, familiesOf(byType[type], false));
            if (ofType.size() > 1) {
                // With every option spelled out, what one instance leaves at its default becomes an argument as well.
                PLUMBLINE_ASSIGN(std::vector<Family> complete, familiesOf(byType[type], true));
                if (complete.size() < ofType.size()) {
                    ofType = std::move(complete);
                }
            }
            for (Family& family : ofType) {
                family.structName = type == "Model" ? "Model" : structName(type);
                families.push_back(std::move(family));
            }
        }
        for (Family& family : families) {
            sources.push_back({family.structName, FamilyWriter(family, m_document, m_structNames).write()});
            for (std::size_t i = 0; i < family.instances.size(); ++i) {
                std::string arguments;
                for (const Argument& argument : family.arguments) {
                    arguments += (arguments.empty() ? "" : ", ") + argument.values[i];
                }
                m_uses[family.instances[i]] = {family.structName, arguments};
            }
        }
        return {};
    }

    /// Instances of one type, those together whose code differs in literals alone.
    Result<std::vector<Family>> familiesOf(const std::vector<int>& instances, bool complete) const {
        std::vector<Family> families;
        std::map<std::string, std::size_t> bySkeleton;
        for (const int index : instances) {
            PLUMBLINE_ASSIGN(ModuleBody body, makeBody(m_model, m_registry, index, *this, complete));
            const auto [it, fresh] = bySkeleton.emplace(skeletonOf(wholeText(body)), families.size());
            if (fresh) {
                families.emplace_back();
            }
            families[it->second].instances.push_back(index);
            families[it->second].bodies.push_back(std::move(body));
        }
        return families;
    }

    std::string structName(const std::string& type) {
        const std::string base = cppIdentifier(type);
        std::string name = base;
        for (int i = 2; !m_structNames.insert(name).second; ++i) {
            name = fmt::format("{}{}", base, i);
        }
        return name;
    }

    const graph::ResolvedModel& m_model;
    const graph::Document& m_document;
    const graph::BlockRegistry& m_registry;
    std::map<int, CompositeUse> m_uses;
    std::set<std::string> m_structNames{"Model"};
};

}  // namespace

Result<std::vector<StructSource>> writeStructs(const graph::ResolvedModel& model, const graph::Document& document,
                                               const graph::BlockRegistry& registry) {
    return StructWriter(model, document, registry).write();
}

}  // namespace plumbline::codegen
