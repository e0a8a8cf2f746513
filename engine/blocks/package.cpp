// AOTIPackage: a model that was compiled elsewhere, as a block. Which file that is, and whether it may run, is asked
// where files are known: project/package_fit.h and model/package.cpp.

#include "blocks/block.h"
#include "graph/tensor_signature.h"

namespace plumbline::blocks {
namespace {

class AotiPackage final : public Block {
public:
    using Block::Block;

    Result<Inference> infer(const InferenceRequest& request) const override {
        PLUMBLINE_ASSIGN(const std::vector<TensorType> declared,
                         graph::parseSignature(request.params["inputs"].get<std::string>(), "inputs"));
        PLUMBLINE_ASSIGN(std::vector<TensorType> outputs,
                         graph::parseSignature(request.params["output"].get<std::string>(), "output"));
        if (outputs.size() != 1) {
            return wrong("bad-parameter",
                         fmt::format("declares {} outputs, and a package's block has one", outputs.size()),
                         "Compile the model with one output.", "output");
        }
        if (declared.size() != request.inputs.size()) {
            return wrong("input-count",
                         fmt::format("declares {} in inputs and gets {}", declared.size(), request.inputs.size()),
                         "Connect one block for each tensor that inputs declares, in its order.", "inputs");
        }
        graph::SymbolSizes<Dim> symbols;
        for (std::size_t i = 0; i < declared.size(); ++i) {
            const TensorType& got = *request.inputs[i];
            if (got.dtype != declared[i].dtype) {
                return wrong("dtype-mismatch",
                             fmt::format("expects {} values and gets {} from {{{}}}", toString(declared[i].dtype),
                                         toString(got.dtype), i),
                             fmt::format("Insert a ToDtype block with dtype {}.", toString(declared[i].dtype)),
                             std::string(toString(declared[i].dtype)));
            }
            if (!graph::matches(declared[i].dims, got.dims, symbols)) {
                return wrong(
                    "shape-mismatch",
                    fmt::format("expects [{}] and gets [{}] from {{{}}}", declared[i].shapeText(), got.shapeText(), i),
                    "Connect a block whose output has that shape, or correct inputs if the package was compiled for "
                    "another one; a symbol stands for one size.");
            }
        }
        TensorType output = outputs.front();
        for (const Dim& dim : output.dims) {
            if (!dim.isConstant() && !symbols.contains(dim.toString())) {
                return wrong("bad-parameter", fmt::format("has \"{}\" in output, which no input has", dim.toString()),
                             "Use a symbol of inputs, or a whole number.", "output");
            }
        }
        output.dims = graph::sizesOf(output.dims, symbols);
        return passThrough(request, std::move(output));
    }
    /// There is none: exports refuse the block, and it is left out where blocks are compiled (graph::runsPackage).
    EmittedCpp emitCpp(const EmitRequest& /*request*/) const override { return {}; }
    EmittedScript emitTorchScript(const EmitRequest& /*request*/) const override { return {}; }
};

ParameterSpec textParameter(std::string name, Json defaultValue, std::string help) {
    ParameterSpec spec;
    spec.name = std::move(name);
    spec.kind = ParameterKind::kText;
    spec.defaultValue = std::move(defaultValue);
    spec.help = std::move(help);
    return spec;
}

}  // namespace

void registerPackage(graph::BlockRegistry& registry) {
    BlockSpec spec;
    spec.type = "AOTIPackage";
    spec.category = "package";
    spec.summary =
        "Runs a model that AOTInductor compiled (.pt2) on the CPU, without gradients; its parameters and "
        "multiply-accumulates are unknown and count as 0.";
    spec.parameters = {
        textParameter("path", nullptr,
                      "The package, from the project's folder: a file of native code, which runs once you trust it "
                      "(plumbline trust)"),
        textParameter("inputs", nullptr,
                      "What it takes, dtype and sizes of each tensor in order, as float32 [B, 3, 32, 32]; a symbol "
                      "where the size may vary"),
        textParameter("output", nullptr, "What it gives, as float32 [B, 512]; a symbol is one of inputs"),
        textParameter("model_name", "model", "Which of the package's models, where it holds several")};
    spec.inputs = {{"inputs", false, true, "In the order that the model was exported with"}};
    spec.outputs = oneOutput();
    spec.telling = {"path"};
    const Json image{{"path", "features.pt2"}, {"inputs", "float32 [B, 1, 8, 8]"}, {"output", "float32 [B, 32]"}};
    const Json two{{"path", "data/pair.pt2"},
                   {"inputs", "float32 [4, T], int64 [4]"},
                   {"output", "float32 [4, T]"},
                   {"model_name", "pair"}};
    spec.examples = {{image, {floats({2, 1, 8, 8})}}, {two, {floats({4, 5}), integers({4})}}};
    registry.add(std::make_unique<AotiPackage>(std::move(spec)));
}

}  // namespace plumbline::blocks
