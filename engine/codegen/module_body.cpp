#include "codegen/module_body.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>

namespace plumbline::codegen {
namespace {

using graph::ModuleNode;
using graph::ResolvedModel;
using graph::ResolvedNode;
using graph::ValueId;

const std::set<std::string>& reservedWords() {
    static const std::set<std::string> words{
        "alignas", "alignof", "and", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const", "continue", "default", "delete",
        "do", "double", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long",
        "mutable", "namespace", "new", "not", "operator", "or", "private", "protected", "public", "register", "return", "short", "signed",
        "sizeof", "static", "struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typeid", "union", "unsigned", "using",
        "virtual", "void", "volatile", "while", "xor", "torch", "std", "at", "c10",
        // names that torch::nn::Module has itself
        "forward", "train", "eval", "parameters", "buffers", "children", "modules", "name", "clone", "to", "save", "load", "apply", "named_parameters",
        "is_training", "zero_grad", "register_module", "register_parameter", "register_buffer", "pretty_print", "as", "options"};
    return words;
}

class BodyMaker {
public:
    BodyMaker(const ResolvedModel& model, const graph::BlockRegistry& registry, int treeIndex, const CompositeNames& names, bool complete)
        : m_model(model),
          m_registry(registry),
          m_self(model.tree[static_cast<std::size_t>(treeIndex)]),
          m_root(treeIndex == 0),
          m_complete(complete),
          m_names(names) {}

    Result<ModuleBody> make() {
        m_body.type = m_root ? "Model" : m_self.type;
        m_body.params = m_self.params;
        takeInputs();
        collect(m_self, "", "");
        // Children stand in construction order; forward calls them as soon as their inputs exist.
        std::vector<Child> waiting = std::move(m_children);
        while (!waiting.empty()) {
            bool progressed = false;
            for (auto it = waiting.begin(); it != waiting.end();) {
                if (isReady(*it)) {
                    PLUMBLINE_TRY(emit(*it));
                    it = waiting.erase(it);
                    progressed = true;
                } else {
                    ++it;
                }
            }
            if (!progressed) {
                return fail(ErrorKind::kInvalid, "export-order", fmt::format("The blocks of {} cannot be put in an order in which each has its inputs", m_body.type), m_self.path,
                            "A cycle through a composite cannot be exported; take the composite apart.");
            }
        }
        sortByConstruction();
        PLUMBLINE_TRY(takeResults());
        return std::move(m_body);
    }

private:
    struct Child {
        int tree;
        std::string member;     ///< C++ name
        std::string container;  ///< member that holds it ("" = this), for chains
        std::string key;        ///< name under which it is registered
        int order;
    };

    void takeInputs() {
        const auto add = [&](const std::string& name, ValueId value) {
            const std::string variable = unique(cppIdentifier(name));
            m_body.inputs.push_back(variable);
            m_variables[value] = variable;
        };
        if (m_root) {
            for (const auto& [name, value] : m_model.inputs) {
                add(name, value);
            }
            return;
        }
        for (std::size_t i = 0; i < m_self.inputs.size(); ++i) {
            // An input nobody connected, or one value given twice: each still is an argument.
            const std::string name = m_self.inputs.size() == 1 ? "x" : fmt::format("x{}", i);
            add(name, m_self.inputs[i]);
        }
    }

    void collect(const ModuleNode& parent, const std::string& prefix, const std::string& container) {
        for (const int index : parent.children) {
            const ModuleNode& child = m_model.tree[static_cast<std::size_t>(index)];
            const std::string member = prefix.empty() ? cppIdentifier(child.name) : prefix + "_" + child.name;
            if (child.leaf < 0 && child.type.empty()) {
                const std::string chain = unique(member);
                BodyPart part;
                part.name = chain;
                part.member = fmt::format("std::shared_ptr<torch::nn::Module> {};", chain);
                part.construct = fmt::format("{} = {}register_module(\"{}\", std::make_shared<torch::nn::Module>(\"{}\"));", chain,
                                             container.empty() ? "" : container + "->", child.name, child.name);
                m_order[chain] = m_nextOrder++;
                m_body.parts.push_back(std::move(part));
                collect(child, member, chain);
            } else {
                m_children.push_back({index, unique(member), container, child.name, m_nextOrder++});
            }
        }
    }

    const std::vector<ValueId>& inputsOf(const Child& child) const {
        const ModuleNode& module = m_model.tree[static_cast<std::size_t>(child.tree)];
        return module.leaf >= 0 ? m_model.nodes[static_cast<std::size_t>(module.leaf)].inputs : module.inputs;
    }

    bool isReady(const Child& child) const {
        const auto& inputs = inputsOf(child);
        return std::all_of(inputs.begin(), inputs.end(), [&](ValueId value) { return value == graph::kNoValue || m_variables.contains(value); });
    }

    std::string unique(const std::string& wanted) {
        std::string name = wanted;
        for (int i = 2; !m_used.insert(name).second; ++i) {
            name = fmt::format("{}_{}", wanted, i);
        }
        return name;
    }

    Status emit(const Child& child) {
        const ModuleNode& module = m_model.tree[static_cast<std::size_t>(child.tree)];
        return module.leaf >= 0 ? emitLeaf(child, m_model.nodes[static_cast<std::size_t>(module.leaf)]) : emitComposite(child, module);
    }

    /// The member of this body that holds the owner's weights.
    Result<std::string> memberOf(const std::string& path, const std::string& block) const {
        const auto it = m_members.find(path);
        if (it == m_members.end()) {
            return fail(ErrorKind::kInvalid, "export-shared-weights",
                        fmt::format("{} shares the weights of {}, which belongs to another composite", block, path), block,
                        "Put both into one graph, or export as torchscript.");
        }
        return it->second;
    }

    std::string registered(std::string construct, const Child& child) const {
        // Emitters register under the member's name with this module; a chain's link belongs to its container.
        const std::string from = fmt::format("register_module(\"{}\"", child.member);
        const std::string to = fmt::format("{}register_module(\"{}\"", child.container.empty() ? "" : child.container + "->", child.key);
        if (const std::size_t at = construct.find(from); at != std::string::npos) {
            construct.replace(at, from.size(), to);
        }
        return construct;
    }

    Status emitLeaf(const Child& child, const ResolvedNode& node) {
        const graph::BlockType* type = m_registry.find(node.type);
        if (type == nullptr || !node.inferred) {
            return fail(ErrorKind::kInvalid, "export-incomplete", fmt::format("{} is not complete, so it cannot be exported", node.path), node.pointer,
                        "plumbline check says what is missing.");
        }
        graph::EmitRequest request;
        request.name = child.member;
        if (!node.weightsOf.empty()) {
            PLUMBLINE_ASSIGN(request.name, memberOf(node.weightsOf, node.path));
        }
        request.params = node.params;
        request.complete = m_complete;
        for (const ValueId value : node.inputs) {
            request.inputs.push_back(value == graph::kNoValue ? "" : m_variables.at(value));
            request.inputTypes.push_back(value == graph::kNoValue ? graph::TensorType{} : m_model.values[static_cast<std::size_t>(value)].type);
        }
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            const auto& ports = type->spec().outputs;
            const std::string variable = unique(node.outputs.size() == 1 ? child.member + "_out" : fmt::format("{}_{}", child.member, ports[i].name));
            request.outputs.push_back(variable);
            m_variables[node.outputs[i]] = variable;
        }
        const graph::EmittedCpp code = type->emitCpp(request);
        BodyPart part;
        part.name = child.member;
        part.forward = code.forward;
        part.params = node.params;
        if (node.weightsOf.empty()) {
            part.member = code.member;
            part.construct = registered(code.construct, child);
            if (node.frozen && !code.member.empty()) {
                part.afterwards = fmt::format("for (torch::Tensor& parameter : {}->parameters()) {{ parameter.set_requires_grad(false); }}", child.member);
            }
            if (node.mode == "eval" && !code.member.empty()) {
                part.modes = fmt::format("{}->eval();", child.member);
            }
        }
        m_order[child.member] = child.order;
        m_members[node.path] = child.member;
        m_body.parts.push_back(std::move(part));
        return {};
    }

    /// The path of the sibling whose weights this whole composite shares; "" when it has its own.
    std::string ownerOf(const ModuleNode& module) const {
        for (const int index : module.children) {
            const ModuleNode& child = m_model.tree[static_cast<std::size_t>(index)];
            if (child.leaf < 0) {
                if (const std::string owner = ownerOf(child); !owner.empty()) {
                    return owner.substr(0, owner.rfind('.'));
                }
                continue;
            }
            const ResolvedNode& node = m_model.nodes[static_cast<std::size_t>(child.leaf)];
            if (!node.weightsOf.empty() && node.weightsOf.ends_with("." + child.name)) {
                return node.weightsOf.substr(0, node.weightsOf.size() - child.name.size() - 1);
            }
        }
        return {};
    }

    Status emitComposite(const Child& child, const ModuleNode& module) {
        const CompositeUse use = m_names.use(child.tree);
        std::string member = child.member;
        BodyPart part;
        part.name = child.member;
        if (const std::string owner = ownerOf(module); !owner.empty()) {
            PLUMBLINE_ASSIGN(member, memberOf(owner, module.path));
        } else {
            part.member = fmt::format("{} {}{{nullptr}};", use.structName, child.member);
            part.construct = registered(fmt::format("{0} = register_module(\"{0}\", {1}({2}));", child.member, use.structName, use.arguments), child);
        }
        std::string arguments;
        for (const ValueId value : module.inputs) {
            arguments += (arguments.empty() ? "" : ", ") + (value == graph::kNoValue ? std::string("torch::Tensor()") : m_variables.at(value));
        }
        std::vector<std::string> variables;
        for (std::size_t i = 0; i < module.outputs.size(); ++i) {
            variables.push_back(unique(module.outputs.size() == 1 ? child.member + "_out" : fmt::format("{}_out{}", child.member, i)));
            if (module.outputs[i] != graph::kNoValue) {
                m_variables[module.outputs[i]] = variables.back();
            }
        }
        if (variables.size() == 1) {
            part.forward = fmt::format("torch::Tensor {} = {}->forward({});", variables[0], member, arguments);
        } else {
            std::string list;
            for (const std::string& variable : variables) {
                list += (list.empty() ? "" : ", ") + variable;
            }
            part.forward = fmt::format("auto [{}] = {}->forward({});", list, member, arguments);
        }
        m_order[child.member] = child.order;
        m_members[module.path] = child.member;
        m_body.parts.push_back(std::move(part));
        return {};
    }

    void sortByConstruction() {
        // Members keep the document's order (and so the order of the weights); calls keep the order found above.
        std::vector<std::size_t> order(m_body.parts.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return m_order[m_body.parts[a].name] < m_order[m_body.parts[b].name]; });
        std::vector<BodyPart> sorted(order.size());
        m_body.callOrder.resize(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            sorted[i] = std::move(m_body.parts[order[i]]);
            m_body.callOrder[order[i]] = i;
        }
        m_body.parts = std::move(sorted);
    }

    Status takeResults() {
        const auto add = [&](const std::string& name, ValueId value) -> Status {
            const auto it = m_variables.find(value);
            if (it == m_variables.end()) {
                return fail(ErrorKind::kInvalid, "export-incomplete", fmt::format("The output {} of {} is not connected", name, m_body.type), m_self.pointer, "Connect it.");
            }
            m_body.results.push_back(it->second);
            m_body.resultNames.push_back(name);
            return {};
        };
        if (m_root) {
            for (const auto& [name, value] : m_model.outputs) {
                PLUMBLINE_TRY(add(name, value));
            }
            return {};
        }
        for (std::size_t i = 0; i < m_self.outputs.size(); ++i) {
            PLUMBLINE_TRY(add(fmt::format("output {}", i), m_self.outputs[i]));
        }
        return {};
    }

    const ResolvedModel& m_model;
    const graph::BlockRegistry& m_registry;
    const ModuleNode& m_self;
    bool m_root;
    bool m_complete;
    const CompositeNames& m_names;
    ModuleBody m_body;
    std::vector<Child> m_children;
    std::map<ValueId, std::string> m_variables;
    std::map<std::string, std::string> m_members;  ///< path → member
    std::map<std::string, int> m_order;
    int m_nextOrder = 0;
    std::set<std::string> m_used;
};

}  // namespace

std::string cppString(const std::string& text) {
    std::string literal = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        // Three octal digits end by themselves, whatever follows; '?' could begin a trigraph.
        literal += byte < 0x20 || byte == 0x7f || c == '"' || c == '\\' || c == '?' ? fmt::format("\\{:03o}", byte) : std::string(1, c);
    }
    return literal + "\"";
}

std::string cppComment(const std::string& text) {
    std::string lines;
    std::string line;
    const auto end = [&] {
        if (!line.empty()) {
            lines += "// " + line + "\n";
        }
        line.clear();
    };
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            end();
        } else if (c == '\\') {
            line += '/';  // a backslash at the end of a line would take the next line into the comment
        } else if (static_cast<unsigned char>(c) >= 0x20) {
            line += c;
        }
    }
    end();
    return lines;
}

std::string cppIdentifier(const std::string& name) {
    std::string result;
    for (const char c : name) {
        result += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '_';
    }
    if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0])) != 0) {
        result = "m" + result;
    }
    return reservedWords().contains(result) ? result + "_" : result;
}

Result<ModuleBody> makeBody(const graph::ResolvedModel& model, const graph::BlockRegistry& registry, int treeIndex, const CompositeNames& names,
                            bool complete) {
    return BodyMaker(model, registry, treeIndex, names, complete).make();
}

}  // namespace plumbline::codegen
