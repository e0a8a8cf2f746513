#include <ATen/ops/full.h>

#include "reference.h"
#include "train/clip.h"
#include "train/scheduler.h"

namespace plumbline::train {
namespace {

TEST(Scheduler, GivesPyTorchsRates) {
    const Json json = test::reference("schedulers.json");
    for (const Json& one : json.at("cases")) {
        plan::SchedulerSpec spec;
        const Json& options = one.at("options");
        if (one.at("scheduler") == "StepLR") {
            spec.type = "step";
            spec.stepSize = options.at("step_size").get<std::int64_t>();
            spec.gamma = options.at("gamma").get<double>();
        } else {
            spec.type = "cosine";
            spec.total = options.at("T_max").get<std::int64_t>();
            spec.minLr = options.value("eta_min", 0.0);
        }
        const Scheduler scheduler(spec, 60);
        // PyTorch's cosine swings back past T_max; ours stays at its end.
        const std::int64_t last = spec.type == "cosine" ? spec.total : 60;
        for (std::int64_t i = 0; i < std::min<std::int64_t>(last, 60); ++i) {
            const double want = one.at("lr").at(static_cast<std::size_t>(i)).get<double>();
            EXPECT_NEAR(scheduler.rate(0.1, i), want, 1e-12 * std::max(want, 1e-3)) << one.at("options").dump() << " at " << i;
        }
        EXPECT_DOUBLE_EQ(scheduler.rate(0.1, 10'000), spec.type == "cosine" ? spec.minLr : scheduler.rate(0.1, 10'000));
    }
}

TEST(Scheduler, WarmsUpLinearlyAndThenFallsOverWhatIsLeft) {
    plan::SchedulerSpec spec;
    spec.type = "cosine";
    spec.warmup = 10;
    const Scheduler scheduler(spec, 60);
    EXPECT_DOUBLE_EQ(scheduler.rate(2.0, 0), 0.2);
    EXPECT_DOUBLE_EQ(scheduler.rate(2.0, 9), 2.0);
    EXPECT_DOUBLE_EQ(scheduler.rate(2.0, 10), 2.0);
    EXPECT_DOUBLE_EQ(scheduler.rate(2.0, 35), 1.0);
    EXPECT_NEAR(scheduler.rate(2.0, 60), 0.0, 1e-15);
}

TEST(Clip, GivesPyTorchsNormAndGradients) {
    const Json json = test::reference("clip.json");
    const auto check = [&](const Json& one, const Json& input, double maxNorm, double type) {
        std::vector<at::Tensor> gradients;
        for (const Json& gradient : input) {
            gradients.push_back(test::tensor(gradient));
        }
        const at::Tensor total = clipGradNorm(gradients, maxNorm, type);
        test::expectNear(total, test::tensor(one.at("total_norm")), 1e-12, one.dump());
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            test::expectNear(gradients[i], test::tensor(one.at("grads").at(i)), 1e-12, one.dump());
        }
    };
    for (const Json& one : json.at("cases")) {
        check(one, json.at("grads"), one.at("max_norm").get<double>(), test::number(one.at("norm_type")));
    }
    check(json.at("edge").at(0), Json::parse("[[0,0,0]]"), 1, 2);
    check(json.at("edge").at(1), Json::parse(R"([[1,"inf"]])"), 1, 2);
    check(json.at("edge").at(2), Json::parse(R"([[1,"nan"]])"), 1, 2);
}

}  // namespace
}  // namespace plumbline::train
