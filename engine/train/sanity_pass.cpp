#include "train/sanity_pass.h"

#include "model/failure.h"
#include "train/evaluation.h"
#include "train/model_watch.h"

namespace plumbline::train {

namespace {

/// What a forward pass leaves behind goes back, whichever way the scope ends.
class NoTraces {
public:
    explicit NoTraces(model::Model& model) : m_before(model) {}
    ~NoTraces() { m_before.restore(); }
    NoTraces(const NoTraces&) = delete;
    NoTraces& operator=(const NoTraces&) = delete;

private:
    ForwardTraces m_before;
};

}  // namespace

Status passSanity(TrainingSetup& setup, const project::Project& project, RunControl& control,
                  const std::function<void()>& look, StallWatch* stalls) {
    const plan::TrainingPlan& plan = project.training;
    if (plan.sanityBatches == 0 || plan.validationEvery == 0 || setup.validation == nullptr) {
        return {};
    }
    try {
        // An evaluator of its own: the run's makes no batch ahead that would lie in memory until the first validation.
        data::LoaderSpec loader = project.data.loader;
        loader.workers = 0;
        loader.prefetchBatches = 1;
        PLUMBLINE_ASSIGN(const auto evaluator,
                         Evaluator::make(plan, loader, data::Split::kValidation,
                                         {setup.assembly.model.get(), &setup.assembly.binder, setup.assembly.dataset,
                                          setup.assembly.names, setup.device()}));
        plan::ExpertSpec expert = plan.expert;
        expert.keepEvalAfterValidation = false;
        const NoTraces scope(*setup.assembly.model);
        PLUMBLINE_TRY(evaluator->run(control, nullptr, expert, look, stalls, plan.sanityBatches));
        return {};
    } catch (...) {
        return fail(model::errorOfCurrentException("The first batches of the validation could not be evaluated", ""));
    }
}

}  // namespace plumbline::train
