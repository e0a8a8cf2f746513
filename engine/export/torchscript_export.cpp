// TorchScript: one file that torch.jit.load reads in Python and torch::jit::load in C++, without any of our code.

#include <ATen/Context.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/export.h>
#include <torch/csrc/jit/serialization/import.h>

#include "codegen/script_source.h"
#include "compile/script_module.h"
#include "export/container.h"
#include "export/format.h"
#include "export/parity.h"
#include "export/tensor_files.h"
#include "model/failure.h"
#include "train/batch.h"

namespace plumbline::exporting {
namespace {

constexpr const char* kFile = "model.ts";
constexpr std::int64_t kBatch = 8;

NamedTensors outputsOf(const graph::ResolvedModel& graph, const c10::IValue& value) {
    NamedTensors outputs;
    if (value.isTensor()) {
        outputs.emplace_back("forward." + graph.outputs[0].first, value.toTensor());
        return outputs;
    }
    const auto& elements = value.toTupleRef().elements();
    for (std::size_t i = 0; i < elements.size(); ++i) {
        outputs.emplace_back("forward." + graph.outputs[i].first, elements[i].toTensor());
    }
    return outputs;
}

Status verify(FormatContext& context, session::ExportReport& report) {
    PLUMBLINE_TRY(requireData(context));
    const data::Split split =
        context.dataset->size(data::Split::kValidation) > 0 ? data::Split::kValidation : data::Split::kTrain;
    PLUMBLINE_ASSIGN(const data::HostBatch batch,
                     context.dataset->makeBatch(split, positionsToCompare(context, split, kBatch), 0, false));
    PLUMBLINE_ASSIGN(const train::BatchBinder binder,
                     train::BatchBinder::make(context.graph, *context.dataset, at::kCPU));
    train::TensorBatch bound;
    binder.bind(batch, bound);
    const std::vector<c10::IValue> arguments(bound.inputs.begin(), bound.inputs.end());
    const c10::InferenceMode inference;
    context.model.train(false);
    // Blocks that draw in evaluation too draw the same on both sides.
    at::manual_seed(context.request.project.training.seed);
    PLUMBLINE_ASSIGN(const auto reference, context.model.forward(bound.inputs));
    NamedTensors expected;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        expected.emplace_back("forward." + context.graph.outputs[i].first, reference[i]);
    }
    torch::jit::Module loaded = torch::jit::load((context.folder / kFile).string());
    loaded.eval();
    at::manual_seed(context.request.project.training.seed);
    compare(expected, outputsOf(context.graph, loaded.forward(arguments)), report);
    return {};
}

}  // namespace

Status exportTorchScript(FormatContext& context, session::ExportReport& report) {
    PLUMBLINE_ASSIGN(const std::string source, codegen::scriptSource(context.graph, context.registry));
    try {
        torch::jit::Module module = compile::makeScriptModule(context.model);
        module.define(source);
        module.eval();
        PLUMBLINE_TRY(writeContainer(context.folder / kFile, [&module](const ByteSink& sink) {
            torch::jit::ExportModule(module, sink, {}, false);
        }));
        report.files.emplace_back(kFile);
    } catch (...) {
        Error error = model::errorOfCurrentException("TorchScript refused the model", "");
        if (error.kind == ErrorKind::kRunFailed) {
            error.code = "torchscript-failed";
            error.hint = "Export as cpp or state-dict.";
        }
        return fail(std::move(error));
    }
    if (!context.request.verify) {
        return {};
    }
    try {
        const Status compared = verify(context, report);
        return compared ? compared : fail(comparisonError(compared.error()));
    } catch (...) {
        return fail(
            comparisonError(model::errorOfCurrentException("The exported model cannot be run on the data", "")));
    }
}

}  // namespace plumbline::exporting
