// The first batch, learnt by heart.

#include <fmt/format.h>

#include <cmath>

#include "core/text.h"
#include "train/probes/probe_bench.h"

namespace plumbline::train {
namespace {

constexpr double kLearnt = 0.1;    ///< share of the first loss that counts as learnt
constexpr double kByHeart = 0.01;  ///< share at which it stops early

}  // namespace

Result<Json> probeOverfit(const session::ProbeRequest& request, RunControl& control, const ProbeProgress& progress) {
    if (!request.project.training.phases.empty()) {
        return fail(ErrorKind::kInvalid, "phases-learn-nothing-by-heart", "The losses of several phases work against each other, so they do not come down to nothing on a batch that is learnt.",
                    "/training/phases", "Train for an epoch and look at the phases' losses.");
    }
    PLUMBLINE_ASSIGN(const auto bench, ProbeBench::make(request.project, control));
    TrainingSetup& setup = bench->setup();
    PLUMBLINE_TRY(bench->nextBatch());
    Json losses = Json::array(), metrics = Json::object();
    double first = 0, last = 0;
    bool accurate = false;
    for (std::int64_t i = 0; i < request.steps; ++i) {
        setup.metrics.reset();
        PLUMBLINE_ASSIGN(const ProbeStep step, bench->step());
        tellCount(request, i + 1, request.steps);
        if (i == 0) {
            first = step.loss;
        }
        last = step.loss;
        losses.push_back(std::isfinite(last) ? Json(last) : Json());
        if (progress && i % 20 == 19) {
            progress(fmt::format("step {}: loss {}", i + 1, numberText(last, 4)));
        }
        if (!std::isfinite(last) || last <= kByHeart * first) {
            break;
        }
    }
    for (const auto& [name, value] : setup.metrics.read("train").values) {
        metrics[name] = std::isfinite(value) ? Json(value) : Json();
        accurate = accurate || (name == "accuracy" && value == 1);
    }
    const bool passed = std::isfinite(last) && (last <= kLearnt * first || accurate);
    const std::string steps = counted(static_cast<std::int64_t>(losses.size()), "step");
    std::string explanation;
    if (passed) {
        explanation = fmt::format("The first batch of {} was learnt: the loss went from {} to {} in {}.", counted(setup.batch.samples, "sample"), numberText(first, 4),
                                  numberText(last, 4), steps);
    } else if (!std::isfinite(last)) {
        explanation = fmt::format("The loss became {} after {}: lower the learning rate, and look at the findings.", numberText(last), steps);
    } else {
        explanation = fmt::format("The first batch of {} was not learnt: the loss went from {} to {} in {}. Dropout, a rate that is too low, too small a model or targets that do not "
                                  "follow from the inputs keep a model from it.",
                                  counted(setup.batch.samples, "sample"), numberText(first, 4), numberText(last, 4), steps);
    }
    return Json{{"losses", losses}, {"steps", losses.size()}, {"first_loss", first}, {"last_loss", std::isfinite(last) ? Json(last) : Json()}, {"metrics", metrics}, {"passed", passed},
                {"explanation", explanation}};
}

}  // namespace plumbline::train
