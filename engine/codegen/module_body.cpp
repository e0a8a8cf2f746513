#include "codegen/module_body.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cmath>
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
        // keywords and alternative spellings
        "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch",
        "char", "char8_t", "char16_t", "char32_t", "class", "compl", "concept", "const", "consteval", "constexpr",
        "constinit", "const_cast", "continue", "co_await", "co_return", "co_yield", "decltype", "default", "delete",
        "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for",
        "friend", "goto", "if", "import", "inline", "int", "long", "module", "mutable", "namespace", "new", "noexcept",
        "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
        "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast",
        "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename",
        "typeof", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
        // what the written code itself uses, and macros in lower case
        "torch", "std", "at", "c10", "int64_t", "on", "parameter", "linux", "unix", "i386", "assert", "errno", "stdin",
        "stdout", "stderr", "major", "minor",
        // names that torch::nn::Module has itself
        "forward", "train", "eval", "parameters", "named_parameters", "buffers", "named_buffers", "children",
        "named_children", "modules", "named_modules", "name", "clone", "to", "save", "load", "apply", "is_training",
        "zero_grad", "is_serializable", "pretty_print", "as", "options", "register_module", "register_parameter",
        "register_buffer", "unregister_module", "replace_module", "shared_from_this", "weak_from_this", "parameters_",
        "buffers_", "children_", "name_", "is_training_"};
    return words;
}

/// Whether a header may have made it a macro: by the beginnings that C sets aside for its own, an underscore among
/// capitals, or one of the few that follow no rule.
bool mayBeMacro(const std::string& word) {
    static const std::set<std::string> kOthers{"BUFSIZ", "CSIGNAL", "INFINITY", "MAXFLOAT",
                                               "NAN",    "NFDBITS", "NULL",     "NZERO"};
    const bool capitals = std::none_of(word.begin(), word.end(), [](unsigned char c) { return std::islower(c) != 0; });
    const auto starts = [&](const char* with) { return word.starts_with(with); };
    return starts("M_") || starts("L_") || kOthers.contains(word) ||
           (capitals && word.size() > 1 &&
            (word.find('_') != std::string::npos || starts("E") || starts("W") || starts("SIG") || starts("SNAN") ||
             starts("PRI") || starts("SCN")));
}

class BodyMaker {
public:
    BodyMaker(const ResolvedModel& model, const graph::BlockRegistry& registry, int treeIndex,
              const CompositeNames& names, bool complete)
        : m_model(model),
          m_registry(registry),
          m_self(model.tree[static_cast<std::size_t>(treeIndex)]),
          m_root(treeIndex == 0),
          m_complete(complete),
          m_names(names),
          m_owner(m_root ? std::string() : ownerOf(m_self)) {}

    Result<ModuleBody> make() {
        m_body.type = m_root ? "Model" : m_self.type;
        m_body.params = m_self.params;
        nameParts();
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
                return fail(
                    ErrorKind::kInvalid, "export-order",
                    fmt::format("The blocks of {} cannot be put in an order in which each has its inputs", m_body.type),
                    m_self.path, "A cycle through a composite cannot be exported; take the composite apart.");
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

    /// Gives every input and child its name in the code: the same whenever it is done for the same instance.
    void nameParts() {
        reserveStructNames(m_self);
        takeInputs();
        collect(m_self, "", "");
    }

    /// A member named as a struct would hide it.
    void reserveStructNames(const ModuleNode& parent) {
        for (const int index : parent.children) {
            const ModuleNode& child = m_model.tree[static_cast<std::size_t>(index)];
            if (child.leaf < 0 && child.type.empty()) {
                reserveStructNames(child);
            } else if (child.leaf < 0) {
                m_used.insert(m_names.use(index).structName);
            }
        }
    }

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
                part.construct =
                    fmt::format("{} = {}register_module(\"{}\", std::make_shared<torch::nn::Module>(\"{}\"));", chain,
                                container.empty() ? "" : container + "->", child.name, child.name);
                m_order[chain] = m_nextOrder++;
                m_body.parts.push_back(std::move(part));
                collect(child, member, chain);
            } else {
                m_children.push_back({index, unique(member), container, child.name, m_nextOrder++});
                m_members[child.path] = {m_children.back().member, index};
            }
        }
    }

    const std::vector<ValueId>& inputsOf(const Child& child) const {
        const ModuleNode& module = m_model.tree[static_cast<std::size_t>(child.tree)];
        return module.leaf >= 0 ? m_model.nodes[static_cast<std::size_t>(module.leaf)].inputs : module.inputs;
    }

    bool isReady(const Child& child) const {
        const auto& inputs = inputsOf(child);
        return std::all_of(inputs.begin(), inputs.end(),
                           [&](ValueId value) { return value == graph::kNoValue || m_variables.contains(value); });
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
        return module.leaf >= 0 ? emitLeaf(child, m_model.nodes[static_cast<std::size_t>(module.leaf)])
                                : emitComposite(child, module);
    }

    /// How this struct reaches the block at `path` inside it, as "conv" or "inner->conv"; "" when it is not inside.
    std::string reach(const std::string& path) const {
        if (const auto it = m_members.find(path); it != m_members.end()) {
            return it->second.name;
        }
        for (const auto& [around, member] : m_members) {
            if (path.starts_with(around + ".")) {
                BodyMaker inner(m_model, m_registry, member.tree, m_names, m_complete);
                inner.nameParts();
                const std::string rest = inner.reach(path);
                return rest.empty() ? "" : member.name + "->" + rest;
            }
        }
        return {};
    }

    Result<std::string> memberOf(const std::string& path, const std::string& block) const {
        std::string member = reach(path);
        if (member.empty()) {
            return fail(
                ErrorKind::kInvalid, "export-shared-weights",
                fmt::format("{} shares the weights of {}, which this part of the model does not hold", block, path),
                block, "Put both into one graph, or export as torchscript.");
        }
        return member;
    }

    /// The path of the block whose weights `own` uses, "" for its own. In a composite that shares another's weights as
    /// a whole, that is its counterpart here: such a composite has the other's struct.
    std::string asSeenHere(const std::string& weights, const std::string& own) const {
        if (m_owner.empty() || !weights.starts_with(m_owner + ".")) {
            return weights;
        }
        const std::string here = m_self.path + weights.substr(m_owner.size());
        return here == own ? std::string() : here;
    }

    std::string registered(std::string construct, const Child& child) const {
        // Emitters register under the member's name with this module; a chain's link belongs to its container.
        const std::string from = fmt::format("register_module(\"{}\"", child.member);
        const std::string to =
            fmt::format("{}register_module(\"{}\"", child.container.empty() ? "" : child.container + "->", child.key);
        if (const std::size_t at = construct.find(from); at != std::string::npos) {
            construct.replace(at, from.size(), to);
        }
        return construct;
    }

    Status emitLeaf(const Child& child, const ResolvedNode& node) {
        const graph::BlockType* type = m_registry.find(node.type);
        if (type == nullptr || !node.inferred) {
            return fail(ErrorKind::kInvalid, "export-incomplete",
                        fmt::format("{} is not complete, so it cannot be exported", node.path), node.pointer,
                        "plumbline check says what is missing.");
        }
        graph::EmitRequest request;
        request.name = child.member;
        // What has no state has nothing to share, and settings of its own.
        const std::string weights = node.state.empty() ? std::string() : asSeenHere(node.weightsOf, node.path);
        if (!weights.empty()) {
            PLUMBLINE_ASSIGN(request.name, memberOf(weights, node.path));
        }
        request.params = node.params;
        request.complete = m_complete;
        for (const ValueId value : node.inputs) {
            request.inputs.push_back(value == graph::kNoValue ? "" : m_variables.at(value));
            request.inputTypes.push_back(
                value == graph::kNoValue ? graph::TensorType{} : m_model.values[static_cast<std::size_t>(value)].type);
        }
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            const auto& ports = type->spec().outputs;
            const std::string variable = unique(
                node.outputs.size() == 1 ? child.member + "_out" : fmt::format("{}_{}", child.member, ports[i].name));
            request.outputs.push_back(variable);
            m_variables[node.outputs[i]] = variable;
        }
        const graph::EmittedCpp code = type->emitCpp(request);
        BodyPart part;
        part.name = child.member;
        part.forward = code.forward;
        part.params = node.params;
        if (weights.empty()) {
            const ResolvedNode* owner = m_model.find(node.weightsOf);
            part.member = code.member;
            part.construct = registered(code.construct, child);
            if ((owner != nullptr ? owner : &node)->frozen && !code.member.empty()) {
                part.afterwards = fmt::format(
                    "for (torch::Tensor& parameter : {}->parameters()) {{ parameter.set_requires_grad(false); }}",
                    child.member);
            }
            if (!node.mode.empty() && !code.member.empty()) {
                part.modes = fmt::format("{}->{}();", child.member, node.mode == "eval" ? "eval" : "train");
            }
        } else if (const ResolvedNode* owner = m_model.find(weights);
                   owner != nullptr && owner->mode != node.mode && !code.member.empty()) {
            // One module, called in two modes.
            const std::string mode = node.mode.empty() ? "is_training()" : node.mode == "eval" ? "false" : "true";
            const std::string before = unique(child.member + "_mode");
            part.forward = fmt::format("const bool {0} = {1}->is_training();\n{1}->train({2});\n{3}\n{1}->train({0});",
                                       before, request.name, mode, code.forward);
        }
        m_order[child.member] = child.order;
        m_body.parts.push_back(std::move(part));
        return {};
    }

    /// Calls each(leaf) for every block below with state.
    template <class Each>
    void forEachStateful(const ModuleNode& module, const Each& each) const {
        for (const int index : module.children) {
            const ModuleNode& child = m_model.tree[static_cast<std::size_t>(index)];
            if (child.leaf < 0) {
                forEachStateful(child, each);
            } else if (const ResolvedNode& node = m_model.nodes[static_cast<std::size_t>(child.leaf)];
                       !node.state.empty()) {
                each(node);
            }
        }
    }

    /// The path of the composite whose weights this one shares as a whole; "" when it has some of its own.
    std::string ownerOf(const ModuleNode& module) const {
        std::string owner;
        forEachStateful(module, [&](const ResolvedNode& node) {
            const std::string rest = node.path.substr(module.path.size());
            if (owner.empty() && node.weightsOf.size() > rest.size() && node.weightsOf.ends_with(rest) &&
                !node.weightsOf.starts_with(module.path + ".")) {
                owner = node.weightsOf.substr(0, node.weightsOf.size() - rest.size());
            }
        });
        bool whole = true;
        forEachStateful(module,
                        [&](const ResolvedNode& node) { whole = whole && node.weightsOf.starts_with(owner + "."); });
        return whole ? owner : std::string();
    }

    /// The struct that shares as a whole is the owner's, called once more: both have to be the same but for their
    /// inputs.
    Status requireSameStruct(const Child& child, const ModuleNode& module, const std::string& owner) const {
        const auto it = std::find_if(m_model.tree.begin(), m_model.tree.end(),
                                     [&](const ModuleNode& node) { return node.path == owner && node.leaf < 0; });
        const CompositeUse mine = m_names.use(child.tree);
        const CompositeUse theirs =
            it == m_model.tree.end() ? CompositeUse{} : m_names.use(static_cast<int>(it - m_model.tree.begin()));
        if (mine.structName != theirs.structName || mine.arguments != theirs.arguments) {
            return fail(
                ErrorKind::kInvalid, "export-shared-weights",
                fmt::format("{} shares the weights of {} and differs from it in other settings", module.path, owner),
                module.path, "Give both the same parameters and modes, or export as torchscript.");
        }
        return {};
    }

    Status emitComposite(const Child& child, const ModuleNode& module) {
        const CompositeUse use = m_names.use(child.tree);
        std::string member = child.member;
        BodyPart part;
        part.name = child.member;
        if (const std::string owner = asSeenHere(ownerOf(module), module.path); !owner.empty()) {
            PLUMBLINE_TRY(requireSameStruct(child, module, owner));
            PLUMBLINE_ASSIGN(member, memberOf(owner, module.path));
        } else {
            part.member = fmt::format("{} {}{{nullptr}};", use.structName, child.member);
            part.construct = registered(
                fmt::format("{0} = register_module(\"{0}\", {1}({2}));", child.member, use.structName, use.arguments),
                child);
        }
        std::string arguments;
        for (const ValueId value : module.inputs) {
            arguments += (arguments.empty() ? "" : ", ") +
                         (value == graph::kNoValue ? std::string("torch::Tensor()") : m_variables.at(value));
        }
        std::vector<std::string> variables;
        for (std::size_t i = 0; i < module.outputs.size(); ++i) {
            variables.push_back(
                unique(module.outputs.size() == 1 ? child.member + "_out" : fmt::format("{}_out{}", child.member, i)));
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
        m_body.parts.push_back(std::move(part));
        return {};
    }

    void sortByConstruction() {
        // Members keep the document's order (and so the order of the weights); calls keep the order found above.
        std::vector<std::size_t> order(m_body.parts.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return m_order[m_body.parts[a].name] < m_order[m_body.parts[b].name];
        });
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
                return fail(ErrorKind::kInvalid, "export-incomplete",
                            fmt::format("The output {} of {} is not connected", name, m_body.type), m_self.pointer,
                            "Connect it.");
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
    std::string m_owner;  ///< of all its weights, another composite; "" as a rule
    ModuleBody m_body;
    std::vector<Child> m_children;
    std::map<ValueId, std::string> m_variables;
    struct Member {
        std::string name;
        int tree;
    };
    std::map<std::string, Member> m_members;  ///< by path
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
        literal += byte < 0x20 || byte == 0x7f || c == '"' || c == '\\' || c == '?' ? fmt::format("\\{:03o}", byte)
                                                                                    : std::string(1, c);
    }
    return literal + "\"";
}

std::string cppNumber(double value) {
    if (std::isinf(value)) {
        return value > 0 ? "std::numeric_limits<double>::infinity()" : "-std::numeric_limits<double>::infinity()";
    }
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string cppDType(DType dtype) {
    switch (dtype) {
        case DType::kFloat32:
            return "torch::kFloat32";
        case DType::kFloat64:
            return "torch::kFloat64";
        case DType::kFloat16:
            return "torch::kHalf";
        case DType::kBFloat16:
            return "torch::kBFloat16";
        case DType::kInt64:
            return "torch::kInt64";
        case DType::kInt32:
            return "torch::kInt32";
        case DType::kInt16:
            return "torch::kInt16";
        case DType::kInt8:
            return "torch::kInt8";
        case DType::kUInt8:
            return "torch::kUInt8";
        case DType::kBool:
            return "torch::kBool";
    }
    return {};
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
    if (result.starts_with("_") && result.size() > 1) {
        result = "m" + result;  // "_A" and "__a" are the compiler's
    }
    // "ConvImpl" is what the struct of "Conv" is called.
    return reservedWords().contains(result) || mayBeMacro(result) || result.ends_with("Impl") ? result + "_" : result;
}

Result<ModuleBody> makeBody(const graph::ResolvedModel& model, const graph::BlockRegistry& registry, int treeIndex,
                            const CompositeNames& names, bool complete) {
    return BodyMaker(model, registry, treeIndex, names, complete).make();
}

}  // namespace plumbline::codegen
