#pragma once
// What every use of a project's model needs: data opened, graph resolved, model built, data bound to the model.

#include <functional>
#include <memory>
#include <string>

#include "core/error.h"
#include "core/run_control.h"
#include "data/dataset.h"
#include "model/model.h"
#include "project/project.h"
#include "train/batch.h"
#include "train/environment.h"
#include "train/objective.h"

namespace plumbline::train {

struct Assembly {
    std::shared_ptr<const data::Dataset> dataset;
    Environment environment;
    std::unique_ptr<EnvironmentScope> scope;  ///< threads and flags, for as long as the assembly lives
    std::unique_ptr<model::Model> model;
    BatchBinder binder;
    BindingNames names;
};

/// Looks again at what was chosen, once the data are open and before the model is built.
using RefineEnvironment =
    std::function<void(const graph::ResolvedModel&, const std::shared_ptr<const data::Dataset>&, Environment&)>;

/// `recorded`: an earlier run's choices, or null. `device`: overrides the plan's; "" does not. Call in the thread that
/// will compute. The first critical problem of the model is the error.
Result<Assembly> assemble(const project::Project& project, const Json& recorded, const std::string& device,
                          RunControl* control, const RefineEnvironment& refine = {});

}  // namespace plumbline::train
