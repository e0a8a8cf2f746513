#include "codegen/script_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <cctype>
#include <set>

namespace plumbline::codegen {
namespace {

const std::set<std::string>& pythonWords() {
    static const std::set<std::string> words{
        "False", "None",    "True",   "and",      "as",     "assert",   "async", "await", "break",  "class", "continue",
        "def",   "del",     "elif",   "else",     "except", "finally",  "for",   "from",  "global", "if",    "import",
        "in",    "is",      "lambda", "nonlocal", "not",    "or",       "pass",  "raise", "return", "try",   "while",
        "with",  "yield",   "self",   "torch",    "int",    "float",    "bool",  "str",   "list",   "len",   "range",
        "print", "getattr", "Tensor", "Tuple",    "List",   "Optional", "max",   "min",   "abs"};
    return words;
}

std::string pythonIdentifier(const std::string& name) {
    std::string result;
    for (const char c : name) {
        result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0])) != 0) {
        result = "v" + result;
    }
    return pythonWords().contains(result) ? result + "_" : result;
}

/// "self.layers" and getattr where a part of the path is a number.
std::string moduleExpression(const std::string& path) {
    std::string expression = "self";
    std::size_t start = 0;
    while (start <= path.size()) {
        const std::size_t dot = std::min(path.find('.', start), path.size());
        const std::string part = path.substr(start, dot - start);
        const bool plain =
            !part.empty() && std::isdigit(static_cast<unsigned char>(part[0])) == 0 && !pythonWords().contains(part);
        expression = plain ? expression + "." + part : fmt::format("getattr({}, \"{}\")", expression, part);
        start = dot + 1;
    }
    return expression;
}

}  // namespace

Result<std::string> scriptSource(const graph::ResolvedModel& model, const graph::BlockRegistry& registry) {
    return scriptSource(model, registry, {model.executionOrder, model.inputs, model.outputs});
}

Result<std::string> scriptSource(const graph::ResolvedModel& model, const graph::BlockRegistry& registry,
                                 const ScriptPart& part) {
    std::vector<std::string> variables(model.values.size());
    std::set<std::string> used;
    const auto unique = [&used](const std::string& wanted) {
        std::string name = wanted;
        for (int i = 2; !used.insert(name).second; ++i) {
            name = fmt::format("{}_{}", wanted, i);
        }
        return name;
    };
    std::string arguments = "self";
    for (const auto& [name, value] : part.inputs) {
        variables[static_cast<std::size_t>(value)] = unique(pythonIdentifier(name));
        arguments += fmt::format(", {}: Tensor", variables[static_cast<std::size_t>(value)]);
    }
    std::string body;
    for (const int index : part.nodes) {
        const graph::ResolvedNode& node = model.nodes[static_cast<std::size_t>(index)];
        const graph::BlockType* type = registry.find(node.type);
        if (type == nullptr || !node.inferred) {
            return fail(ErrorKind::kInvalid, "export-incomplete",
                        fmt::format("{} is not complete, so it cannot be exported", node.path), node.pointer,
                        "plumbline check says what is missing.");
        }
        graph::EmitRequest request;
        request.name = pythonIdentifier(node.path);
        request.module = moduleExpression(node.weightsOf.empty() ? node.path : node.weightsOf);
        request.params = node.params;
        for (const graph::ValueId value : node.inputs) {
            request.inputs.push_back(value == graph::kNoValue ? "" : variables[static_cast<std::size_t>(value)]);
            request.inputTypes.push_back(value == graph::kNoValue ? graph::TensorType{}
                                                                  : model.values[static_cast<std::size_t>(value)].type);
        }
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            const std::string port = node.outputs.size() == 1 ? "" : "_" + type->spec().outputs[i].name;
            variables[static_cast<std::size_t>(node.outputs[i])] = unique(pythonIdentifier(node.path) + port);
            request.outputs.push_back(variables[static_cast<std::size_t>(node.outputs[i])]);
        }
        request.training = node.mode == "eval" ? "False" : node.mode == "stochastic" ? "True" : "";
        const std::string code = type->emitTorchScript(request).forward;
        std::size_t start = 0;
        while (start < code.size()) {
            const std::size_t end = std::min(code.find('\n', start), code.size());
            body += "    " + code.substr(start, end - start) + "\n";
            start = end + 1;
        }
    }
    std::vector<std::string> results;
    for (const auto& [name, value] : part.outputs) {
        if (value == graph::kNoValue) {
            return fail(ErrorKind::kInvalid, "export-incomplete", fmt::format("The output {} is not connected", name),
                        "/model/graph/outputs/" + name, "Connect it.");
        }
        results.push_back(variables[static_cast<std::size_t>(value)]);
    }
    std::string returns = "Tensor";
    if (results.size() > 1) {
        returns = "Tuple[Tensor";
        for (std::size_t i = 1; i < results.size(); ++i) {
            returns += ", Tensor";
        }
        returns += "]";
    }
    return fmt::format("def forward({}) -> {}:\n{}    return {}\n", arguments, returns, body, fmt::join(results, ", "));
}

}  // namespace plumbline::codegen
