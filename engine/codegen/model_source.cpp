#include "codegen/model_source.h"

#include <fmt/format.h>

#include "codegen/composite_writer.h"

namespace plumbline::codegen {

Result<std::string> modelSource(const graph::ResolvedModel& model, const graph::Document& document,
                                const graph::BlockRegistry& registry, const std::string& projectName) {
    PLUMBLINE_ASSIGN(const auto structs, writeStructs(model, document, registry));
    std::string text = "#pragma once\n";
    text += fmt::format("// The model of {}.\n", projectName);
    for (const auto& [name, value] : model.inputs) {
        const graph::TensorType& type = model.values[static_cast<std::size_t>(value)].type;
        text += fmt::format("//   input  {}: [{}] {}\n", name, type.shapeText(), toString(type.dtype));
    }
    for (const auto& [name, value] : model.outputs) {
        const graph::TensorType& type = model.values[static_cast<std::size_t>(value)].type;
        text += fmt::format("//   output {}: [{}] {}\n", name, type.shapeText(), toString(type.dtype));
    }
    text += "\n#include <memory>\n#include <torch/torch.h>\n#include <tuple>\n";
    // What a project calls its composites meets no other name in here.
    text += "\nnamespace network {\n";
    for (const StructSource& source : structs) {
        text += "\n" + source.text;
    }
    return text + "\n}  // namespace network\n\nusing network::Model;\n";
}

}  // namespace plumbline::codegen
