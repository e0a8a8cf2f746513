#include "plan/plan.h"
#include "project/project.h"

namespace plumbline::project {

namespace {

/// "auto" as what it came to, so that whoever reads the record need not know the series.
void resolveMode(Json& resolved, const std::string& path, bool isMax) {
    if (Json& mode = resolved[path]; mode == "auto") {
        mode = isMax ? "max" : "min";
    }
}

}  // namespace

Json resolvedSettings(const Project& project) {
    Json resolved = Json::object();
    for (const plan::SettingSpec& spec : plan::settings()) {
        const Json::json_pointer pointer(pointerOfDottedPath(spec.path));
        const bool stated = project.json.contains(pointer) && !project.json.at(pointer).is_null();
        resolved[spec.path] = stated ? project.json.at(pointer) : plan::defaultOf(spec, project.json);
    }
    const plan::TrainingPlan& plan = project.training;
    resolveMode(resolved, "training.stop.target.mode", plan.target.isMax);
    resolveMode(resolved, "training.early_stopping.mode", plan.earlyStopping.isMax);
    resolveMode(resolved, "training.checkpoints.best.mode", plan.checkpoints.bestIsMax);
    return resolved;
}

}  // namespace plumbline::project
