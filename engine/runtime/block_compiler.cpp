#include "runtime/block_compiler.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "blocks/register.h"
#include "plan/loss_traits.h"
#include "project/data_fit.h"
#include "train/evaluation.h"
#include "train/packages.h"

namespace plumbline::runtime {
namespace {

using Samples = std::vector<std::vector<at::Tensor>>;

data::Split splitWithSamples(const data::Dataset& dataset, data::Split wanted) {
    for (const data::Split split : {wanted, data::Split::kValidation, data::Split::kTrain}) {
        if (dataset.size(split) > 0) {
            return split;
        }
    }
    return data::Split::kTest;
}

/// A batch, one of other samples and, where the model takes it, one of another size: that of a split's last batch as a
/// rule.
Result<Samples> samplesOf(const train::Assembly& assembly, const CompileWish& wish) {
    const data::Split split = splitWithSamples(*assembly.dataset, wish.split);
    const std::int64_t size = assembly.dataset->size(split);
    const auto fixed = project::fixedBatch(assembly.model->graph());
    const std::int64_t batch = fixed ? fixed->second : std::clamp<std::int64_t>(wish.batchSize, 1, size);
    std::vector<std::pair<std::int64_t, std::int64_t>> wanted{
        {0, batch}, {batch < size ? batch : size / 2, batch}};  // first position, count
    if (!fixed) {
        const std::int64_t rest = size % batch;
        wanted.emplace_back(0, rest > 0 ? rest : batch > 1 ? batch / 2 : 2);
    }
    Samples samples;
    for (const auto& [first, count] : wanted) {
        std::vector<std::int64_t> positions;
        for (std::int64_t i = 0; i < count; ++i) {
            positions.push_back((first + i) % size);
        }
        PLUMBLINE_ASSIGN(const data::HostBatch host, assembly.dataset->makeBatch(split, positions, 0, false));
        train::TensorBatch bound;
        assembly.binder.bind(host, bound);
        for (at::Tensor& tensor : bound.inputs) {
            tensor = tensor.clone();  // it looked into the batch's memory
        }
        samples.push_back(std::move(bound.inputs));
    }
    return samples;
}

/// By output: whether a loss takes its largest value for the class.
std::vector<char> classOutputs(const plan::TrainingPlan& plan, const train::BindingNames& names) {
    std::vector<char> tells(names.outputs.size());
    for (const plan::LossSpec& loss : plan.losses) {
        if (const auto binding = train::findBinding(names, loss.output, loss.target, "");
            binding && plan::tellsClasses(loss)) {
            tells[binding->output] = 1;
        }
    }
    return tells;
}

}  // namespace

Result<std::unique_ptr<compile::CompiledModel>> compileBlocks(const train::Assembly& assembly,
                                                              const project::Project& project, const CompileWish& wish,
                                                              RunControl* control) {
    const at::NoGradGuard noGrad;
    PLUMBLINE_ASSIGN(const Samples samples, samplesOf(assembly, wish));
    compile::CompileOptions options;
    options.classOutputs = classOutputs(project.training, assembly.names);
    options.control = control;
    if (wish.followsPrecision && project.training.precision != plan::Precision::kFp32) {
        options.keepEager = "blocks are compiled for the precision fp32 alone";
    }
    return compile::CompiledModel::make(*assembly.model, blocks::builtinBlocks(), samples, options);
}

Result<Json> compileReport(const session::CompileRequest& request, RunControl& control) {
    PLUMBLINE_ASSIGN(const train::Assembly assembly,
                     train::assemble(request.project, nullptr, request.device, &control));
    PLUMBLINE_TRY(train::loadModelState(*assembly.model, request.checkpoint));
    const train::EvaluationMode mode(*assembly.model);
    CompileWish wish;
    wish.batchSize = request.batchSize > 0 ? request.batchSize : request.project.data.loader.batchSize;
    PLUMBLINE_ASSIGN(const auto compiled, compileBlocks(assembly, request.project, wish, &control));
    const at::NoGradGuard noGrad;
    PLUMBLINE_ASSIGN(const Samples samples, samplesOf(assembly, wish));
    for (const std::vector<at::Tensor>& sample : samples) {
        PLUMBLINE_TRY(assembly.model->forward(sample));
    }
    return compiled->report();
}

}  // namespace plumbline::runtime
