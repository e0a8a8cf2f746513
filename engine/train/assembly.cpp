#include "train/assembly.h"

#include "blocks/register.h"
#include "graph/output_maker.h"
#include "graph/refusal.h"
#include "model/build_stop.h"
#include "model/failure.h"
#include "model/memory.h"
#include "project/block_choice.h"
#include "project/data_fit.h"
#include "project/package_fit.h"

namespace plumbline::train {

Result<Assembly> assemble(const project::Project& project, const Json& recorded, const std::string& device,
                          RunControl* control, const RefineEnvironment& refine) {
    const graph::ResolvedModel graph =
        project::withPlacedPackages(graph::resolve(project.model, blocks::builtinBlocks()), project.folder);
    PLUMBLINE_TRY(graph::refuseCritical(graph.problems));
    const model::StopWhileBuilding stop(control);
    Assembly assembly;
    PLUMBLINE_ASSIGN(assembly.dataset, data::Dataset::open(project.data, project.folder, control));
    PLUMBLINE_TRY(project::checkDataFit(project.training, graph, *assembly.dataset));
    plan::TrainingPlan plan = project.training;
    if (!device.empty()) {
        plan.device = device;
    }
    try {
        PLUMBLINE_ASSIGN(assembly.environment,
                         chooseEnvironment(plan, project.monitor, graph, project.data.loader.batchSize, recorded));
        if (refine) {
            refine(graph, assembly.dataset, assembly.environment);
        }
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
    PLUMBLINE_ASSIGN(std::vector<char> float32, project::float32Blocks(plan, graph));
    assembly.model->keepFloat32(std::move(float32));
    PLUMBLINE_ASSIGN(std::vector<char> gradientsOff, project::blocksWithoutGradients(plan, graph));
    assembly.model->switchGradientsOff(std::move(gradientsOff));
    PLUMBLINE_ASSIGN(assembly.binder, BatchBinder::make(graph, *assembly.dataset, assembly.environment.device));
    for (const auto& [name, value] : graph.outputs) {
        assembly.names.outputs.push_back(name);
        assembly.names.outputBlocks.push_back(graph::makerOf(graph, value));
    }
    assembly.names.targets = assembly.binder.targetNames();
    for (const data::FeedInfo& target : assembly.dataset->targets()) {
        assembly.names.classes.push_back(target.classes);
    }
    return assembly;
}

}  // namespace plumbline::train
