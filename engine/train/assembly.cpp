#include "train/assembly.h"

#include <fmt/format.h>

#include <algorithm>

#include "blocks/register.h"
#include "graph/refusal.h"
#include "model/failure.h"
#include "model/memory.h"

namespace plumbline::train {

namespace {

/// A class that the model has no output for would end the run in the middle of it, or the whole program on a GPU.
Status classesFit(const plan::TrainingPlan& plan, const graph::ResolvedModel& graph, const data::Dataset& dataset, const BindingNames& names) {
    for (std::size_t i = 0; i < plan.losses.size(); ++i) {
        const plan::LossSpec& loss = plan.losses[i];
        const auto binding = findBinding(names, loss.output, loss.target, "");
        if (loss.type != "CrossEntropyLoss" || !binding) {
            continue;
        }
        const graph::TensorType& logits = graph.values[static_cast<std::size_t>(graph.outputs[binding->output].second)].type;
        if (logits.rank() < 2 || !logits.dims[1].isConstant()) {
            continue;
        }
        const std::int64_t classes = logits.dims[1].constant().value_or(0);
        const Json ignored = loss.options.is_object() ? loss.options.value("ignore_index", Json()) : Json();
        for (const data::Split split : {data::Split::kTrain, data::Split::kValidation, data::Split::kTest}) {
            const std::vector<std::int64_t> counts = dataset.classCounts(split, names.targets[binding->target]);
            for (auto label = static_cast<std::size_t>(classes); label < counts.size(); ++label) {
                if (counts[label] > 0 && ignored != Json(label)) {
                    return fail(ErrorKind::kInvalid, "label-out-of-range",
                                fmt::format("The target {} has the class {} (counted from 0), and the output {} tells only {} classes apart.",
                                            names.targets[binding->target], label, names.outputs[binding->output], classes),
                                fmt::format("/training/losses/{}", i), fmt::format("Give the model {} outputs, or correct the labels.", counts.size()));
                }
            }
        }
    }
    return {};
}

}  // namespace

Result<Assembly> assemble(const project::Project& project, const Json& recorded, const std::string& device, RunControl* control) {
    const graph::ResolvedModel graph = graph::resolve(project.model, blocks::builtinBlocks());
    PLUMBLINE_TRY(graph::refuseCritical(graph.problems));
    Assembly assembly;
    PLUMBLINE_ASSIGN(assembly.dataset, data::Dataset::open(project.data, project.folder, control));
    plan::TrainingPlan plan = project.training;
    if (!device.empty()) {
        plan.device = device;
    }
    try {
        PLUMBLINE_ASSIGN(assembly.environment, chooseEnvironment(plan, project.monitor, graph, project.data.loader.batchSize, recorded));
        assembly.scope = std::make_unique<EnvironmentScope>(assembly.environment, plan.determinism);
    } catch (...) {
        return fail(model::errorOfCurrentException("The device could not be set up", "/training/device"));
    }
    model::installCountingAllocator();
    model::BuildOptions options;
    options.seed = plan.seed;
    options.device = assembly.environment.device;
    options.channelsLast = assembly.environment.channelsLast;
    PLUMBLINE_ASSIGN(assembly.model, model::Model::build(graph, options));
    PLUMBLINE_ASSIGN(assembly.binder, BatchBinder::make(graph, *assembly.dataset, assembly.environment.device));
    for (const auto& [name, value] : graph.outputs) {
        assembly.names.outputs.push_back(name);
    }
    assembly.names.targets = assembly.binder.targetNames();
    PLUMBLINE_TRY(classesFit(plan, graph, *assembly.dataset, assembly.names));
    return assembly;
}

}  // namespace plumbline::train
