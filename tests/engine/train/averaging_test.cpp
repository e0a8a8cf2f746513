#include "train/averaging.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include "../model/built_model.h"
#include "reference.h"

namespace plumbline::train {
namespace {

/// One parameter and one buffer that counts steps in floating point, as ema_swa.json has it.
class TwoTensors final : public model::Model {
public:
    explicit TwoTensors(const Json& w) {
        m_parameters.push_back({"w", test::tensor(w).set_requires_grad(true)});
        m_buffers.push_back({"count", at::zeros({1}, at::kDouble), 0, true});
    }
    at::Tensor w() const { return m_parameters[0].tensor; }
    at::Tensor count() const { return m_buffers[0].tensor; }

    Result<std::vector<at::Tensor>> forward(const std::vector<at::Tensor>&) override {
        return std::vector<at::Tensor>{};
    }
    Result<std::vector<at::Tensor>> forwardPart(const model::Part&, const std::vector<at::Tensor>&) override {
        return std::vector<at::Tensor>{};
    }
    void useCode(std::vector<model::CodedPart>) override {}
    const graph::ResolvedModel& graph() const override { return m_graph; }
    const std::vector<model::NamedState>& parameters() const override { return m_parameters; }
    const std::vector<model::NamedState>& buffers() const override { return m_buffers; }
    std::vector<model::NamedState> stateDict() const override { return {m_parameters[0], m_buffers[0]}; }
    Status loadStateDict(const std::map<std::string, at::Tensor>&) override { return {}; }
    void train(bool) override {}
    bool isTraining(int) const override { return true; }
    void setTraining(int, bool) override {}
    void setObserver(model::LeafObserver*) override {}
    void keepFloat32(std::vector<char>) override {}
    void checkpoint(const std::vector<std::vector<int>>&) override {}
    void switchGradientsOff(std::vector<char>) override {}
    bool recalibrate(bool) override { return false; }
    void setDropShare(double) override {}
    std::shared_ptr<torch::nn::Module> asModule() override { return nullptr; }

private:
    graph::ResolvedModel m_graph;
    std::vector<model::NamedState> m_parameters, m_buffers;
};

plan::AveragingSpec specOf(const Json& one) {
    plan::AveragingSpec spec;
    spec.type = one.at("kind").get<std::string>();
    spec.decay = one.at("decay").is_null() ? 0 : one.at("decay").get<double>();
    spec.every = one.at("update_every").get<std::int64_t>();
    spec.useBuffers = one.at("use_buffers").get<bool>();
    return spec;
}

TEST(WeightAverage, FollowsPyTorchsTrace) {
    const Json json = test::reference("ema_swa.json");
    const at::Tensor a = test::tensor(json.at("A")), b = test::tensor(json.at("b"));
    ASSERT_EQ(json.at("cases").size(), 6U);
    for (const Json& one : json.at("cases")) {
        TwoTensors model(json.at("w0"));
        plan::OptimizerSpec sgd;
        sgd.lr = 0.05;
        sgd.options["momentum"] = 0.9;
        const auto optimizer = *Optimizer::make(sgd, groupParameters(sgd, {{"w", model.w()}}));
        const auto average = WeightAverage::make(specOf(one), model);
        const double tolerance = one.at("kind") == "swa" ? 1e-7 : 1e-12;
        std::size_t next = 0;
        for (std::int64_t step = 1; step <= 20; ++step) {
            model.w().mutable_grad() = at::matmul(a.t(), at::matmul(a, model.w().detach()) - b) * 2;
            optimizer->step();
            model.count().add_(1);
            if (average->isDue(plan::Unit::kStep, step)) {
                average->update();
            }
            EXPECT_FALSE(average->isDue(plan::Unit::kEpoch, step));
            const Json& point = one.at("trace").at(next);
            if (point.at("step").get<std::int64_t>() != step) {
                continue;
            }
            ++next;
            const std::string what = one.at("kind").dump() + " step " + std::to_string(step);
            test::expectNear(model.w(), test::tensor(point.at("w")), 1e-12, what);
            EXPECT_EQ(average->count(), point.at("n_averaged").get<std::int64_t>()) << what;
            if (average->count() > 0) {
                const NamedTensors state = average->state();
                ASSERT_EQ(state.size(), 2U);
                test::expectNear(state[0].second, test::tensor(point.at("avg")), tolerance, what);
                test::expectNear(state[1].second, test::tensor(point.at("avg_count")), tolerance, what + " count");
            } else {
                EXPECT_TRUE(average->state().empty());
            }
        }
        EXPECT_EQ(next, one.at("trace").size());
    }
}

TEST(WeightAverage, BeginsAfterItsStartAndThenGoesOnInItsUnit) {
    TwoTensors model(Json::array({1.0}));
    plan::AveragingSpec spec;
    spec.type = "ema";
    spec.start = 4;
    spec.every = 3;
    spec.unit = plan::Unit::kEpoch;
    const auto average = WeightAverage::make(spec, model);
    std::vector<std::int64_t> due;
    for (std::int64_t epoch = 1; epoch <= 12; ++epoch) {
        if (average->isDue(plan::Unit::kEpoch, epoch)) {
            due.push_back(epoch);
        }
    }
    EXPECT_EQ(due, (std::vector<std::int64_t>{7, 10}));
    EXPECT_EQ(WeightAverage::make({}, model), nullptr);
}

TEST(WeightAverage, LendsTheModelItsWeightsWithoutACopyAndTakesThemBack) {
    TwoTensors model(Json::array({1.0, 2.0}));
    plan::AveragingSpec spec;
    spec.type = "ema";
    spec.decay = 0.5;
    const auto average = WeightAverage::make(spec, model);
    const at::Tensor held = model.w();  // as an optimizer holds it
    {
        const AveragedWeights none(average.get());  // there are none yet
        test::expectNear(held, test::tensor(Json::array({1.0, 2.0})), 0, "none");
    }
    average->update();
    held.detach().fill_(5);
    model.count().fill_(7);
    const void* own = held.const_data_ptr();
    try {
        const AveragedWeights averaged(average.get());
        test::expectNear(held, test::tensor(Json::array({1.0, 2.0})), 0, "averaged");
        test::expectNear(model.count(), test::tensor(Json::array({0.0})), 0, "averaged");
        EXPECT_NE(held.const_data_ptr(), own);
        throw std::runtime_error("an error while they are lent");
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(held.const_data_ptr(), own);
    test::expectNear(held, test::tensor(Json::array({5.0, 5.0})), 0, "own");
    test::expectNear(model.count(), test::tensor(Json::array({7.0})), 0, "own");
    average->update();
    test::expectNear(average->state()[0].second, test::tensor(Json::array({3.0, 3.5})), 0, "goes on");
    EXPECT_EQ(average->bytes(), 3 * 8);
}

TEST(WeightAverage, GoesOnFromASavedState) {
    plan::AveragingSpec spec;
    spec.type = "swa";
    TwoTensors model(Json::array({1.0}));
    const auto average = WeightAverage::make(spec, model);
    const auto moveOn = [&](WeightAverage& one) {
        model.w().detach().mul_(1.7);
        one.update();
    };
    moveOn(*average);
    moveOn(*average);
    std::map<std::string, at::Tensor> saved;
    for (const auto& [name, tensor] : average->state()) {
        saved.emplace(name, tensor.clone());
    }
    const auto other = WeightAverage::make(spec, model);
    ASSERT_TRUE(other->loadState(saved, average->saveState()).has_value());
    moveOn(*average);
    model.w().detach().div_(1.7);
    moveOn(*other);
    test::expectNear(other->state()[0].second, average->state()[0].second, 1e-15, "after");
    saved.erase("w");
    EXPECT_EQ(other->loadState(saved, average->saveState()).error().code, "checkpoint-mismatch");
}

TEST(WeightAverage, TakesBatchNormsStatisticsAnewAsPyTorchDoes) {
    const Json one = test::reference("ema_swa.json").at("update_bn");
    const auto maker = model::testing::chain(
        {graph::Dim::symbol("B"), 3},
        {{"0", "Linear", {{"in_features", 3}, {"out_features", 2}}}, {"1", "BatchNorm1d", {{"num_features", 2}}}},
        DType::kFloat64);
    model::BuildOptions options;
    options.dtype = DType::kFloat64;
    const auto model = model::testing::built(maker, options);
    ASSERT_NE(model, nullptr);
    std::map<std::string, at::Tensor> state;
    for (const model::NamedState& named : model->stateDict()) {
        state.emplace(named.name, named.tensor.clone());
    }
    for (const auto& [name, values] : one.at("params").items()) {
        state.at(name) = test::tensor(values);
    }
    state.at("1.running_mean").fill_(100);  // what an epoch of training has left
    state.at("1.num_batches_tracked").fill_(12);
    ASSERT_TRUE(model->loadStateDict(state).has_value());
    const at::Tensor x = test::tensor(one.at("X"));
    const auto buffer = [&](const std::string& name) {
        for (const model::NamedState& named : model->buffers()) {
            if (named.name == name) {
                return named.tensor;
            }
        }
        return at::Tensor();
    };
    ASSERT_TRUE(model->recalibrate(true));
    for (const auto& [from, to] : {std::pair{0, 4}, std::pair{4, 8}, std::pair{8, 10}}) {
        ASSERT_TRUE(model->forward({x.slice(0, from, to)}).has_value());
    }
    model->recalibrate(false);
    test::expectNear(buffer("1.running_mean"), test::tensor(one.at("running_mean")), 1e-12, "mean");
    test::expectNear(buffer("1.running_var"), test::tensor(one.at("running_var")), 1e-12, "var");
    EXPECT_EQ(buffer("1.num_batches_tracked").item<std::int64_t>(), one.at("num_batches_tracked").get<std::int64_t>());
    // Then they move by the momentum again.
    const at::Tensor before = buffer("1.running_mean").clone();
    ASSERT_TRUE(model->forward({x}).has_value());
    const at::Tensor batch = (at::matmul(x, state.at("0.weight").t()) + state.at("0.bias")).mean(0);
    const double momentum = one.at("momentum_after").get<double>();
    test::expectNear(buffer("1.running_mean"), before * (1 - momentum) + batch * momentum, 1e-12, "momentum");
    // A block that stays in eval mode keeps what it has.
    model->setTraining(1, false);
    EXPECT_FALSE(model->recalibrate(true));
    model->recalibrate(false);
}

}  // namespace
}  // namespace plumbline::train
