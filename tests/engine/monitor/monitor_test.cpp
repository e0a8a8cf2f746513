// The monitor in a training loop that somebody wrote by hand.
#include "monitor/monitor.h"

#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/rnn.h>
#include <torch/optim/sgd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace plumbline::monitor {
namespace {

struct OwnLoop {
    torch::nn::Sequential net{torch::nn::Linear(4, 8), torch::nn::BatchNorm1d(8), torch::nn::ReLU(),
                              torch::nn::Dropout(0.1), torch::nn::Linear(8, 1)};
    std::unique_ptr<Monitor> monitor;
    std::vector<diagnostics::Finding> findings;
    bool evalForValidation = true;
    bool trainAfterwards = true;
    bool stepsTheOptimizer = true;
    double lossFactor = 1;

    void run(int epochs) {
        torch::manual_seed(1);
        monitor = *Monitor::make(watchModule(net.ptr()), {.stride = 1, .detectors = {}});
        monitor->onFinding([this](const diagnostics::Finding& finding) { findings.push_back(finding); });
        torch::optim::SGD optimizer(net->parameters(), 0.05);
        const at::Tensor x = at::randn({64, 4}), y = x.sum(1, true);
        for (int epoch = 0; epoch < epochs; ++epoch) {
            for (int batch = 0; batch < 8; ++batch) {
                monitor->beginStep(epoch, batch);
                optimizer.zero_grad();
                const at::Tensor loss = (net->forward(x) - y).square().mean() * lossFactor;
                loss.backward();
                monitor->afterBackward(loss.item<double>());
                if (stepsTheOptimizer) {
                    optimizer.step();
                }
                monitor->afterStep({.learningRate = 0.05, .stepMs = 1.0, .loaderWaitMs = 0.0});
            }
            if (evalForValidation) {
                net->eval();
            }
            monitor->beginValidation();
            {
                const torch::NoGradGuard noGrad;
                net->forward(x);
            }
            monitor->endValidation();
            if (trainAfterwards) {
                net->train();
            }
        }
    }
};

TEST(MonitorInOwnLoop, IsSilentWhenAllIsWell) {
    OwnLoop loop;
    loop.run(5);
    EXPECT_TRUE(loop.findings.empty()) << loop.findings.front().message;
    EXPECT_GT(*loop.monitor->lastStep().gradNormL2, 0);
    EXPECT_EQ(loop.monitor->lastStep().step, 40);
}

TEST(MonitorInOwnLoop, FindsValidationInTrainMode) {
    OwnLoop loop;
    loop.evalForValidation = false;
    loop.run(2);
    ASSERT_EQ(loop.findings.size(), 1U);
    EXPECT_EQ(loop.findings[0].detector, "validation-in-train-mode");
    EXPECT_EQ(loop.findings[0].severity, graph::Severity::kCritical);
}

TEST(MonitorInOwnLoop, WarnsOnlyOfAModeThatChangesNothing) {
    for (const bool validates : {true, false}) {
        OwnLoop loop;
        loop.net = torch::nn::Sequential(torch::nn::Linear(4, 8), torch::nn::ReLU(), torch::nn::Linear(8, 1));
        (validates ? loop.evalForValidation : loop.trainAfterwards) = false;
        loop.run(2);
        ASSERT_EQ(loop.findings.size(), 1U);
        EXPECT_EQ(loop.findings[0].detector, validates ? "validation-in-train-mode" : "train-mode-not-restored");
        EXPECT_EQ(loop.findings[0].severity, graph::Severity::kWarning);
        EXPECT_NE(loop.findings[0].message.find("None of them is known to compute otherwise"), std::string::npos)
            << loop.findings[0].message;
    }
}

TEST(WatchModule, KnowsWhatDropsValuesWithoutAModuleOfItsOwn) {
    const auto drops = [](const std::shared_ptr<torch::nn::Module>& module) {
        return watchModule(module).facts.blocks.at(0).dropsInside;
    };
    EXPECT_TRUE(drops(torch::nn::LSTM(torch::nn::LSTMOptions(4, 8).num_layers(2).dropout(0.5)).ptr()));
    EXPECT_FALSE(drops(torch::nn::LSTM(torch::nn::LSTMOptions(4, 8).num_layers(2)).ptr()));
    EXPECT_FALSE(drops(torch::nn::Linear(4, 8).ptr()));
    EXPECT_TRUE(drops(torch::nn::MultiheadAttention(torch::nn::MultiheadAttentionOptions(8, 2).dropout(0.1)).ptr()));
}

TEST(MonitorInOwnLoop, FindsThatTrainModeIsNotRestored) {
    OwnLoop loop;
    loop.trainAfterwards = false;
    loop.run(2);
    ASSERT_FALSE(loop.findings.empty());
    EXPECT_EQ(loop.findings[0].detector, "train-mode-not-restored");
}

TEST(MonitorInOwnLoop, FindsAnOptimizerThatDoesNotStep) {
    OwnLoop loop;
    loop.stepsTheOptimizer = false;
    loop.run(4);
    ASSERT_FALSE(loop.findings.empty());
    EXPECT_EQ(loop.findings[0].detector, "parameter-not-updating");
}

TEST(MonitorInOwnLoop, FindsALossThatIsNotFinite) {
    OwnLoop loop;
    loop.lossFactor = std::numeric_limits<double>::quiet_NaN();
    loop.run(1);
    ASSERT_FALSE(loop.findings.empty());
    EXPECT_EQ(loop.findings[0].detector, "non-finite");
}

/// A monitored model of one parameter, as a loop of one's own would have it.
struct OneParameter {
    torch::nn::Linear net{torch::nn::Linear(2, 1)};
    std::unique_ptr<Monitor> monitor = *Monitor::make(watchModule(net.ptr()), {.stride = 1, .detectors = {}});
    std::vector<diagnostics::Finding> findings;

    OneParameter() {
        monitor->onFinding([this](const diagnostics::Finding& finding) { findings.push_back(finding); });
    }
    void step(double loss) {
        monitor->beginStep(1, m_step * 4);
        for (int i = 0; i < 3; ++i) {
            monitor->sawBatchLoss(1.0, m_step * 4 + i);
        }
        monitor->sawBatchLoss(loss, m_step * 4 + 3);
        monitor->afterBackward(loss);
        monitor->afterStep({.learningRate = 0.0, .stepMs = 1.0, .loaderWaitMs = 0.0});
        ++m_step;
    }
    std::int64_t m_step = 0;
};

TEST(Monitor, NamesTheBatchOfAnAccumulatedStepWhoseLossIsNotFinite) {
    OneParameter loop;
    loop.step(1.0);
    EXPECT_TRUE(loop.findings.empty());
    loop.step(std::numeric_limits<double>::quiet_NaN());
    ASSERT_EQ(loop.findings.size(), 1U);
    EXPECT_EQ(loop.findings.front().step, 2);
    EXPECT_EQ(loop.findings.front().evidence.at("batch"), 7);
}

TEST(Monitor, GoesOnWithTheEndOfAnEpochAllOfWhoseStepsWereDone) {
    OneParameter before;
    before.step(1.0);
    OneParameter after;
    ASSERT_TRUE(after.monitor->loadState(before.monitor->saveState()));
    after.monitor->endEpoch({});
    after.step(1.0);
    EXPECT_TRUE(after.findings.empty());
}

TEST(Monitor, FindsAnActivationThatNeitherLossNorGradientShows) {
    OneParameter loop;
    loop.step(1.0);
    loop.monitor->beginStep(1, 9);
    loop.monitor->sawNonFiniteActivation(0, 5);
    loop.monitor->afterBackward(1.0);
    loop.monitor->afterStep({.learningRate = 0.0, .stepMs = 1.0, .loaderWaitMs = 0.0});
    ASSERT_EQ(loop.findings.size(), 1U);
    EXPECT_EQ(loop.findings.front().evidence.at("what"), "activation");
    EXPECT_EQ(loop.findings.front().evidence.at("count"), 5);
}

TEST(Monitor, MeasuresAnOpenStepAgainAfterAResume) {
    OneParameter before;
    before.step(1.0);
    before.monitor->beginStep(1, 4);
    ASSERT_TRUE(before.monitor->measures());
    OneParameter after;
    ASSERT_TRUE(after.monitor->loadState(before.monitor->saveState()));
    after.monitor->beginStep(1, 4);
    EXPECT_TRUE(after.monitor->measures());
    EXPECT_EQ(after.monitor->lastStep().step, 2);
}

TEST(TensorStatistics, AgreeWithLibTorch) {
    for (const std::int64_t count : {0, 1, 31, 33, 5000, 70001}) {
        const at::Tensor tensor = at::randn({count});
        const TensorStatistics statistics = statisticsOf(tensor);
        EXPECT_NEAR(std::sqrt(statistics.sumSquares), tensor.to(at::kDouble).norm().item<double>(),
                    1e-6 * (1 + std::sqrt(static_cast<double>(count))));
        EXPECT_EQ(statistics.maxAbs, count == 0 ? 0 : tensor.abs().max().item<double>());
        EXPECT_EQ(statistics.nonFinite, 0);
        const TensorStatistics general = statisticsOf(tensor.to(at::kDouble));
        EXPECT_NEAR(general.sumSquares, statistics.sumSquares, 1e-4 * (1 + general.sumSquares));
    }
}

TEST(TensorStatistics, CountWhatIsNotFiniteAndKeepTheRest) {
    at::Tensor tensor = at::randn({10000});
    tensor[17] = std::numeric_limits<float>::quiet_NaN();
    tensor[9000] = -std::numeric_limits<float>::infinity();
    tensor[9999] = 7;
    EXPECT_EQ(statisticsOf(tensor).nonFinite, 2);
    EXPECT_EQ(statisticsOf(tensor).maxAbs, 7);
    // Squares of large finite values overflow float32, not the sum.
    at::Tensor large = at::zeros({100}).fill_(1e30);
    EXPECT_NEAR(std::sqrt(statisticsOf(large).sumSquares), 1e31, 1e25);
    EXPECT_EQ(statisticsOf(large).nonFinite, 0);
}

using Updates = std::vector<diagnostics::StepStats::Update>;

/// Parameters of a thousand values and a watch that looks after each step, never closely.
struct Watching {
    std::vector<at::Tensor> tensors;
    ChangeWatch watch;
    std::int64_t applied = 0;
    int due = 0;  ///< steps in which a whole comparison was due

    explicit Watching(std::size_t count)
        : tensors([count] {
              std::vector<at::Tensor> made;
              for (std::size_t i = 0; i < count; ++i) {
                  made.push_back(at::randn({1000}));
              }
              return made;
          }()),
          watch(tensors) {
        watch.begin(0);
    }
    Updates step() {
        Updates updates;
        due += watch.isDue(++applied) ? 1 : 0;
        watch.look(applied, false, updates);
        return updates;
    }
};

TEST(ChangeWatch, FindsWhatHasNeverMovedAfterThreeStepsAndNothingElse) {
    Watching watching(2);
    for (int step = 1; step <= 3; ++step) {
        watching.tensors[1] += 0.1;
        const Updates updates = watching.step();
        ASSERT_EQ(updates.size(), step == 3 ? 1U : 0U) << step;
        EXPECT_EQ(watching.due, step == 3 ? 1 : 0);
        if (step == 3) {
            EXPECT_EQ(updates[0].parameter, 0);
            EXPECT_FALSE(updates[0].changed);
            EXPECT_EQ(updates[0].appliedSteps, 3);
            EXPECT_EQ(updates[0].gradient, diagnostics::StepStats::Gradient::kUndefined);
        }
    }
}

TEST(ChangeWatch, FindsWithinFiveStepsWhatStopsMovingAndTellsWhenItMovesAgain) {
    Watching watching(1);
    for (int step = 0; step < 100; ++step) {
        watching.tensors[0] += 0.1;
        EXPECT_TRUE(watching.step().empty());
    }
    EXPECT_EQ(watching.due, 0);
    int steps = 0;
    for (Updates updates; updates.empty() && steps < 20; ++steps) {
        updates = watching.step();
    }
    EXPECT_EQ(steps, 5);
    watching.tensors[0] += 0.1;
    const Updates updates = watching.step();
    ASSERT_EQ(updates.size(), 1U);
    EXPECT_TRUE(updates[0].changed);
    watching.tensors[0] += 0.1;
    EXPECT_TRUE(watching.step().empty()) << "told once";
}

TEST(ChangeWatch, LooksAtGrowingDistancesAtWhatMovesWhereNobodyLooks) {
    Watching watching(1);
    const std::int64_t value = 7;  // none of the first sample
    for (int step = 0; step < 1000; ++step) {
        watching.tensors[0][value] += 0.1;
        EXPECT_TRUE(watching.step().empty()) << step;
    }
    EXPECT_LE(watching.due, 10);
}

TEST(ChangeWatch, GoesOnAfterAResumeAsIfThereHadBeenNone) {
    Watching whole(3), before(3);
    before.tensors[1] += 0.1;
    whole.tensors[1] += 0.1;
    for (int step = 1; step <= 2; ++step) {
        before.tensors[2] += 0.1;
        whole.tensors[2] += 0.1;
        EXPECT_TRUE(before.step().empty());
        EXPECT_TRUE(whole.step().empty());
    }
    ChangeWatch after(before.tensors);
    after.loadState(before.watch.saveState());
    after.begin(2);
    for (std::int64_t applied = 3; applied <= 12; ++applied) {
        before.tensors[2] += 0.1;
        whole.tensors[2] += 0.1;
        Updates resumed;
        EXPECT_EQ(after.isDue(applied), whole.watch.isDue(applied)) << applied;
        after.look(applied, false, resumed);
        const Updates all = whole.step();
        ASSERT_EQ(resumed.size(), all.size()) << applied;
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_EQ(resumed[i].parameter, all[i].parameter);
            EXPECT_EQ(resumed[i].appliedSteps, all[i].appliedSteps);
        }
    }
}

/// A loop of SGD steps over a network with BatchNorm, looked at every thousand steps.
struct RarelyMeasured {
    torch::nn::Sequential net;
    std::unique_ptr<Monitor> monitor;
    std::vector<diagnostics::Finding> findings;
    std::vector<std::int64_t> measured;
    std::unique_ptr<torch::optim::SGD> optimizer;
    at::Tensor x, y;

    /// `noisyBias`: with a bias before BatchNorm, whose gradient is rounding errors alone.
    explicit RarelyMeasured(bool noisyBias = false)
        : net(torch::nn::Linear(torch::nn::LinearOptions(4, 8).bias(noisyBias)), torch::nn::BatchNorm1d(8),
              torch::nn::ReLU(), torch::nn::Linear(8, 1)) {}

    void start(Watch watch) {
        monitor = *Monitor::make(std::move(watch), {.stride = 1000, .detectors = {}});
        monitor->onFinding([this](const diagnostics::Finding& finding) { findings.push_back(finding); });
        std::vector<at::Tensor> trained;
        for (const at::Tensor& parameter : net->parameters()) {
            if (parameter.requires_grad()) {
                trained.push_back(parameter);
            }
        }
        optimizer = std::make_unique<torch::optim::SGD>(trained, 0.01);
        x = at::randn({64, 4});
        y = x.sum(1, true);
    }
    void step(bool stepsTheOptimizer = true, double infinity = 0) {
        const std::int64_t number = monitor->lastStep().step + 1;
        monitor->beginStep(1, number);
        optimizer->zero_grad();
        const at::Tensor loss = (net->forward(x) - y).square().mean();
        loss.backward();
        if (infinity != 0) {
            net->parameters().back().mutable_grad().fill_(infinity);
        }
        std::vector<TensorStatistics> known;
        if (clips) {
            std::vector<at::Tensor> gradients;
            for (const at::Tensor& parameter : net->parameters()) {
                gradients.push_back(parameter.grad());
            }
            statisticsOf(gradients, known);
        }
        monitor->afterBackward(loss.item<double>(), clips ? &known : nullptr);
        if (monitor->measures()) {
            measured.push_back(number);
        }
        if (stepsTheOptimizer) {
            optimizer->step();
        }
        monitor->afterStep({.learningRate = 0.01, .stepMs = 1.0, .loaderWaitMs = 0.0});
    }
    bool clips = false;
};

TEST(Monitor, FindsInTheThirdStepThatNothingMovesHoweverRarelyItMeasures) {
    RarelyMeasured loop;
    loop.start(watchModule(loop.net.ptr()));
    for (int step = 0; step < 3; ++step) {
        loop.step(false);
    }
    ASSERT_EQ(loop.findings.size(), 1U);
    EXPECT_EQ(loop.findings[0].detector, "parameter-not-updating");
    EXPECT_EQ(loop.findings[0].step, 3);
    EXPECT_EQ(loop.findings[0].evidence.at("gradient"), "present");
}

TEST(Monitor, MeasuresAHealthyRunNoOftenerForItsExactLooks) {
    // How often the noise of the bias moves it is chance, and other arithmetic of the machine is another chance: what
    // holds is how often it is looked at in all.
    std::size_t looks = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed);
        torch::manual_seed(seed);
        RarelyMeasured loop(true);
        loop.start(watchModule(loop.net.ptr()));
        for (int step = 0; step < 300; ++step) {
            loop.step();
        }
        EXPECT_TRUE(loop.findings.empty()) << loop.findings.front().message;
        looks += loop.measured.size();
        EXPECT_LE(loop.measured.size(), 100U);
        EXPECT_GE(loop.measured.size(), 2U);
    }
    EXPECT_LE(looks, 20U * 30U) << "the bias that stands still is looked at at growing distances";
}

TEST(Monitor, FindsAFrozenBatchNormThatDriftsInTheStepItDrifts) {
    RarelyMeasured loop;
    for (at::Tensor parameter : loop.net->ptr(1)->parameters()) {
        parameter.set_requires_grad(false);
    }
    loop.net->ptr(1)->eval();
    loop.start(watchModule(loop.net.ptr()));
    for (int step = 0; step < 20; ++step) {
        loop.step();
    }
    EXPECT_TRUE(loop.findings.empty()) << loop.findings.front().message;
    loop.net->ptr(1)->train();
    loop.step();
    ASSERT_EQ(loop.findings.size(), 1U);
    EXPECT_EQ(loop.findings[0].detector, "frozen-batchnorm-drifts");
    EXPECT_EQ(loop.findings[0].step, 21);
}

void setLearning(const std::shared_ptr<torch::nn::Module>& module, bool on) {
    for (at::Tensor parameter : module->parameters()) {
        parameter.set_requires_grad(on);
    }
}

TEST(Monitor, FollowsABatchNormThatIsSetFreeLater) {
    RarelyMeasured loop;
    setLearning(loop.net->ptr(1), false);
    loop.net->ptr(1)->eval();
    loop.start(watchModule(loop.net.ptr()));
    for (int step = 0; step < 20; ++step) {
        loop.step();
    }
    EXPECT_TRUE(loop.monitor->facts().blocks[1].frozen);
    loop.monitor->endEpoch({});
    setLearning(loop.net->ptr(1), true);
    loop.net->ptr(1)->train();
    loop.optimizer = std::make_unique<torch::optim::SGD>(loop.net->parameters(), 0.01);
    for (int step = 0; step < 10; ++step) {
        loop.step();
    }
    EXPECT_TRUE(loop.findings.empty()) << loop.findings.front().message;
    EXPECT_FALSE(loop.monitor->facts().blocks[1].frozen);
    // Within an epoch, and in a step that is not measured.
    setLearning(loop.net->ptr(1), false);
    loop.net->ptr(1)->eval();
    loop.monitor->endEpoch({});
    loop.step();
    setLearning(loop.net->ptr(1), true);
    loop.net->ptr(1)->train();
    loop.step();
    EXPECT_TRUE(loop.findings.empty()) << loop.findings.front().message;
}

TEST(Monitor, IsSilentOnALayerThatIsFrozenLaterAndWatchesOneThatIsSetFree) {
    RarelyMeasured loop;
    loop.start(watchModule(loop.net.ptr()));
    for (int step = 0; step < 20; ++step) {
        loop.step();
    }
    setLearning(loop.net->ptr(3), false);
    for (int step = 0; step < 30; ++step) {
        loop.step();
    }
    EXPECT_TRUE(loop.findings.empty()) << loop.findings.front().message;
    setLearning(loop.net->ptr(3), true);
    loop.monitor->endEpoch({});
    // The optimizer is not given what has been set free.
    std::vector<at::Tensor> given = loop.net->ptr(0)->parameters();
    for (const at::Tensor& parameter : loop.net->ptr(1)->parameters()) {
        given.push_back(parameter);
    }
    loop.optimizer = std::make_unique<torch::optim::SGD>(given, 0.01);
    for (int step = 0; step < 5; ++step) {
        loop.step();
    }
    ASSERT_EQ(loop.findings.size(), 1U);
    EXPECT_EQ(loop.findings[0].detector, "parameter-not-updating");
    EXPECT_EQ(loop.findings[0].block, "3");
    EXPECT_EQ(loop.findings[0].step, 53);
    // Frozen again, nothing is wrong with it any more.
    setLearning(loop.net->ptr(3), false);
    loop.monitor->endEpoch({});
    loop.step();
    EXPECT_TRUE(loop.monitor->findings().at(0).clearedAt);
}

TEST(Monitor, DoesNotTakeAGradientThatIsBackForAMove) {
    torch::manual_seed(3);
    torch::nn::Linear net(2, 1);
    auto monitor = *Monitor::make(watchModule(net.ptr()), {.stride = 1, .detectors = {}});
    const at::Tensor x = at::randn({8, 2});
    for (int step = 1; step <= 40; ++step) {
        monitor->beginStep(1, step);
        net->zero_grad();
        (net->forward(x).square().mean() * (step < 30 ? 0.0 : 1.0)).backward();
        monitor->afterBackward(1.0);
        monitor->afterStep({.learningRate = 0.1, .stepMs = 1.0, .loaderWaitMs = 0.0});
    }
    ASSERT_EQ(monitor->findings().size(), 1U);
    EXPECT_EQ(monitor->findings()[0].evidence.at("gradient"), "zero");
    EXPECT_FALSE(monitor->findings()[0].clearedAt) << "no step was ever taken";
}

TEST(Monitor, CarriesTheLastLearningRateIntoAValidationAlsoAfterAResume) {
    OneParameter before;
    before.monitor->beginStep(1, 0);
    before.monitor->afterBackward(1.0);
    before.monitor->afterStep({.learningRate = 0.2, .stepMs = 1.0, .loaderWaitMs = 0.0});
    OneParameter after;
    ASSERT_TRUE(after.monitor->loadState(Json::parse(before.monitor->saveState().dump())));
    for (OneParameter* loop : {&before, &after}) {
        loop->net->eval();
        loop->monitor->beginValidation();
        loop->monitor->endValidation(std::numeric_limits<double>::quiet_NaN());
        ASSERT_EQ(loop->findings.size(), 1U);
        EXPECT_EQ(loop->findings[0].evidence.at("learning_rate"), 0.2);
        EXPECT_FALSE(loop->findings[0].evidence.contains("batch"));
        EXPECT_EQ(loop->findings[0].remedies.at(0).title, "Halve the learning rate from 0.2 to 0.1");
    }
}

TEST(Monitor, ARemedyStartsFromTheLiveRateAlsoWhereItChangedAfterTheDetectorsBegan) {
    OneParameter loop;
    loop.monitor->beginStep(1, 0);
    loop.monitor->afterBackward(1.0);
    loop.monitor->afterStep({.learningRate = 0.2, .stepMs = 1.0, .loaderWaitMs = 0.0});
    loop.monitor->setLiveLearningRate(0.8);
    loop.net->eval();
    loop.monitor->beginValidation();
    loop.monitor->endValidation(std::numeric_limits<double>::quiet_NaN());
    ASSERT_EQ(loop.findings.size(), 1U);
    EXPECT_EQ(loop.findings[0].remedies.at(0).title, "Halve the learning rate from 0.8 to 0.4");
}

TEST(Monitor, FindsAnInfiniteGradientInItsStepWhereClippingHasLookedAtIt) {
    RarelyMeasured loop;
    loop.clips = true;
    loop.start(watchModule(loop.net.ptr()));
    for (int step = 1; step <= 6; ++step) {
        loop.step(true, step == 6 ? std::numeric_limits<double>::infinity() : 0);
    }
    ASSERT_EQ(loop.findings.size(), 1U);
    EXPECT_EQ(loop.findings[0].step, 6);
    EXPECT_EQ(loop.findings[0].evidence.at("what"), "gradient");
    EXPECT_EQ(loop.findings[0].evidence.at("batch"), 6);
}

TEST(Monitor, SaysBetweenWhichStepsAParameterWasSpoiltWhereNobodyLooked) {
    RarelyMeasured loop;
    loop.start(watchModule(loop.net.ptr()));
    for (int step = 1; step <= 7; ++step) {
        loop.step(true, step == 6 ? std::numeric_limits<double>::infinity() : 0);
    }
    ASSERT_EQ(loop.findings.size(), 1U);
    EXPECT_EQ(loop.findings[0].step, 7);
    EXPECT_EQ(loop.findings[0].evidence.at("what"), "parameter");
    EXPECT_EQ(loop.findings[0].evidence.at("first_update"), loop.measured.back());
    EXPECT_EQ(loop.findings[0].evidence.at("last_update"), 6);
}

/// Parameters with gradients of their own, looked at by a ZeroWatch.
struct ZeroWatching {
    std::vector<at::Tensor> tensors{at::zeros({50}), at::zeros({50}), at::zeros({50})};
    std::vector<TensorStatistics> statistics;
    ZeroWatch watch{tensors, 4};
    std::int64_t applied = 0;

    ZeroWatching() {
        for (at::Tensor& tensor : tensors) {
            tensor.mutable_grad() = at::zeros({50});
            tensor.mutable_grad()[7] = 1;
        }
    }
    Updates step(bool measured) {
        Updates updates;
        ++applied;
        if (measured) {
            std::vector<at::Tensor> gradients;
            for (const at::Tensor& tensor : tensors) {
                gradients.push_back(tensor.grad());
            }
            statisticsOf(gradients, statistics);
            watch.measured(applied, statistics, updates);
        } else {
            watch.look(applied, updates);
        }
        return updates;
    }
};

TEST(ZeroWatch, TellsOfAGradientThatIsZeroInEveryStepAndOfItsReturn) {
    ZeroWatching watching;
    watching.tensors[1].mutable_grad().zero_();
    EXPECT_TRUE(watching.step(true).empty());
    EXPECT_TRUE(watching.step(false).empty());
    EXPECT_TRUE(watching.step(false).empty());
    const Updates updates = watching.step(false);
    ASSERT_EQ(updates.size(), 1U);
    EXPECT_EQ(updates[0].parameter, 1);
    EXPECT_TRUE(updates[0].changed);
    EXPECT_EQ(updates[0].gradient, diagnostics::StepStats::Gradient::kZero);
    EXPECT_EQ(updates[0].zeroSteps, 4);
    EXPECT_TRUE(watching.step(false).empty()) << "from here on measured steps suffice";
    EXPECT_EQ(watching.step(true).size(), 1U);
    watching.tensors[1].mutable_grad()[3] = 2;
    const Updates back = watching.step(true);
    ASSERT_EQ(back.size(), 1U);
    EXPECT_EQ(back[0].gradient, diagnostics::StepStats::Gradient::kPresent);
}

TEST(ZeroWatch, IsSilentWhereOneStepInBetweenHadAGradientOrWhereThereIsNone) {
    ZeroWatching watching;
    watching.tensors[0].mutable_grad().zero_();
    watching.tensors[2].mutable_grad().reset();
    EXPECT_TRUE(watching.step(true).empty());
    EXPECT_TRUE(watching.step(false).empty());
    watching.tensors[0].mutable_grad()[49] = 1e-30;
    EXPECT_TRUE(watching.step(false).empty());
    watching.tensors[0].mutable_grad().zero_();
    for (int step = 0; step < 20; ++step) {
        EXPECT_TRUE(watching.step(false).empty()) << "nobody has measured since";
    }
    EXPECT_TRUE(watching.step(true).empty());
}

TEST(ZeroWatch, GoesOnAfterAResume) {
    ZeroWatching watching;
    watching.tensors[1].mutable_grad().zero_();
    EXPECT_TRUE(watching.step(true).empty());
    EXPECT_TRUE(watching.step(false).empty());
    ZeroWatch after(watching.tensors, 4);
    after.loadState(Json::parse(watching.watch.saveState().dump()));
    Updates updates;
    after.look(3, updates);
    EXPECT_TRUE(updates.empty());
    after.look(4, updates);
    EXPECT_EQ(updates.size(), 1U);
}

TEST(MonitorInOwnLoop, FindsALayerBehindADeadActivationThoughWeightDecayMovesIt) {
    torch::manual_seed(3);
    torch::nn::Linear first(4, 8);
    torch::nn::Sequential net{first, torch::nn::ReLU(), torch::nn::Linear(8, 1)};
    {
        const torch::NoGradGuard noGrad;
        first->bias.fill_(-1e6);
    }
    auto monitor = *Monitor::make(watchModule(net.ptr()), {.stride = 1000, .detectors = {}});
    std::vector<diagnostics::Finding> findings;
    monitor->onFinding([&](const diagnostics::Finding& finding) { findings.push_back(finding); });
    torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.01).weight_decay(0.01));
    const at::Tensor x = at::randn({64, 4}), y = x.sum(1, true);
    for (int step = 1; step <= 30; ++step) {
        monitor->beginStep(1, step);
        optimizer.zero_grad();
        const at::Tensor loss = (net->forward(x) - y).square().mean();
        loss.backward();
        monitor->afterBackward(loss.item<double>());
        optimizer.step();
        monitor->afterStep({.learningRate = 0.01, .stepMs = 1.0, .loaderWaitMs = 0.0});
    }
    ASSERT_EQ(findings.size(), 2U) << "the dead layer and the weight behind it";
    EXPECT_EQ(findings[0].detector, "parameter-not-updating");
    EXPECT_EQ(findings[0].step, 20);
    EXPECT_EQ(findings[0].evidence.at("gradient"), "zero");
    EXPECT_EQ(findings[0].block, "0");
    EXPECT_EQ(findings[1].block, "2");
    EXPECT_EQ(findings[1].evidence.at("parameters").size(), 1U) << "its bias learns";
}

double ratioOf(const std::vector<BlockUpdate>& updates, int block) {
    const auto found =
        std::find_if(updates.begin(), updates.end(), [block](const auto& update) { return update.block == block; });
    return found == updates.end() ? -1 : found->ratio;
}

TEST(Monitor, TellsHowFarAStepMovesEachBlockAgainstItsOwnSize) {
    torch::manual_seed(3);
    torch::nn::Sequential net{torch::nn::Linear(4, 8), torch::nn::ReLU(), torch::nn::Linear(8, 1)};
    Watch watch = watchModule(net.ptr());
    const auto blockOf = [&](const std::string& path) {
        const auto& blocks = watch.facts.blocks;
        return static_cast<int>(
            std::find_if(blocks.begin(), blocks.end(), [&](const auto& block) { return block.path == path; }) -
            blocks.begin());
    };
    const int first = blockOf("0"), last = blockOf("2");
    auto monitor = *Monitor::make(std::move(watch), {.stride = 2, .detectors = {}});
    torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));
    for (int step = 1; step <= 4; ++step) {
        monitor->beginStep();
        optimizer.zero_grad();
        const at::Tensor loss = net->forward(at::randn({16, 4})).square().mean();
        loss.backward();
        monitor->afterBackward(loss.item<double>());
        std::vector<at::Tensor> before;
        for (const at::Tensor& parameter : net->parameters()) {
            before.push_back(parameter.detach().clone());
        }
        const bool applied = step != 3;
        if (applied) {
            optimizer.step();
        }
        monitor->afterStep({.learningRate = 0.05, .applied = applied, .stepMs = 1.0, .loaderWaitMs = 0.0});
        if (step != 1) {  // in between, or skipped
            EXPECT_TRUE(monitor->blockUpdates().empty()) << step;
            continue;
        }
        ASSERT_EQ(monitor->blockUpdates().size(), 2U);
        for (const auto& [block, weight] : {std::pair(first, std::size_t{0}), std::pair(last, std::size_t{2})}) {
            const auto whole = [&](const at::Tensor& a, const at::Tensor& b) {
                return std::sqrt(a.square().sum().item<double>() + b.square().sum().item<double>());
            };
            const double moved =
                whole(net->parameters()[weight] - before[weight], net->parameters()[weight + 1] - before[weight + 1]);
            const double size = whole(before[weight], before[weight + 1]);
            EXPECT_NEAR(ratioOf(monitor->blockUpdates(), block), moved / size, 1e-5 * moved / size);
            EXPECT_GT(moved, 0);
        }
    }
}

TEST(UpdateWatch, TakesTurnsWhereTheModelIsLargeAndGoesOnWhereItWas) {
    Watch watch;
    for (int block = 0; block < 4; ++block) {
        watch.facts.blocks.push_back({"b" + std::to_string(block), "", "", ""});
        diagnostics::RunFacts::Parameter facts;
        facts.frozen = block == 2;
        watch.facts.parameters.push_back(facts);
        watch.parameters.push_back(at::zeros({100}) + (block == 1 ? 0.0 : 2.0));
        watch.parameterBlocks.push_back(block);
    }
    UpdateWatch updates(watch, 200);
    const auto look = [&watch](UpdateWatch& by, bool applied = true) {
        std::vector<BlockUpdate> found;
        by.before();
        for (at::Tensor& parameter : watch.parameters) {
            parameter.add_(0.5);
        }
        applied ? by.after(found) : by.drop();
        std::vector<int> blocks;
        for (const auto& update : found) {
            blocks.push_back(update.block);
        }
        return std::pair(blocks, found);
    };
    const auto [blocks, found] = look(updates);
    EXPECT_EQ(blocks, std::vector<int>{0}) << "a block that was all zeros has no ratio";
    EXPECT_DOUBLE_EQ(found[0].ratio, 0.25);
    EXPECT_EQ(look(updates, false).first, std::vector<int>{});
    UpdateWatch resumed(watch, 200);
    resumed.setTurn(updates.turn());
    EXPECT_EQ(look(updates).first, std::vector<int>{3}) << "2 is frozen";
    EXPECT_EQ(look(resumed).first, std::vector<int>{3});
    EXPECT_EQ(look(updates).first, (std::vector<int>{0, 1}));
    UpdateWatch small(watch, 10);
    EXPECT_EQ(look(small).first, std::vector<int>{0}) << "one at least";
    watch.parameters[1].fill_(std::numeric_limits<float>::infinity());
    const auto spoilt = look(small).second;
    ASSERT_EQ(spoilt.size(), 1U);
    EXPECT_TRUE(std::isnan(spoilt[0].ratio));
}

TEST(UpdateWatch, LeavesOutABlockThatIsFarLargerThanWhatIsCopiedAtOnceAndThoseThatAreFrozen) {
    Watch watch;
    for (const int size : {100, 161, 160}) {
        const int block = static_cast<int>(watch.facts.blocks.size());
        watch.facts.blocks.push_back({"b" + std::to_string(block), "", "", ""});
        watch.facts.parameters.emplace_back();
        watch.parameters.push_back(at::zeros({size}) + 2.0);
        watch.parameterBlocks.push_back(block);
    }
    UpdateWatch updates(watch, 10);
    const auto next = [&] {
        std::vector<BlockUpdate> found;
        updates.before();
        for (at::Tensor& parameter : watch.parameters) {
            parameter.add_(0.5);
        }
        updates.after(found);
        std::vector<int> blocks;
        for (const BlockUpdate& update : found) {
            blocks.push_back(update.block);
        }
        return blocks;
    };
    using Blocks = std::vector<int>;
    EXPECT_EQ(next(), Blocks{0});
    EXPECT_EQ(next(), Blocks{2}) << "1 has more than 16 times 10 elements";
    EXPECT_EQ(next(), Blocks{0});
    watch.facts.parameters[2].frozen = true;
    updates.follow(watch);
    EXPECT_EQ(next(), Blocks{0});
    EXPECT_EQ(next(), Blocks{0});
    watch.facts.parameters[0].frozen = true;
    watch.facts.parameters[2].frozen = false;
    updates.follow(watch);
    EXPECT_EQ(next(), Blocks{2});
    EXPECT_EQ(next(), Blocks{2});
}

TEST(ChangeWatch, LooksFromTheStartAtWhatItIsToldToFollow) {
    Watching watching(2);
    for (int step = 0; step < 10; ++step) {
        watching.tensors[0] += 0.1;
        watching.tensors[1] += 0.1;
        EXPECT_TRUE(watching.step().empty());
    }
    watching.watch.follow(1, at::Tensor());
    for (int step = 0; step < 10; ++step) {
        watching.tensors[0] += 0.1;
        EXPECT_TRUE(watching.step().empty()) << "nobody looks at the other one";
    }
    watching.watch.follow(1, watching.tensors[1]);
    for (int step = 1; step <= 3; ++step) {
        watching.tensors[0] += 0.1;
        const Updates updates = watching.step();
        ASSERT_EQ(updates.size(), step == 3 ? 1U : 0U) << step;
    }
    EXPECT_TRUE(watching.watch.standsStill(1));
    EXPECT_FALSE(watching.watch.standsStill(0));
}

TEST(Governor, KeepsMeasurementsUnderTheBudget) {
    Governor governor(0, 0.02);
    for (int step = 1; step <= 2000; ++step) {
        if (governor.isDue(step)) {
            governor.measurementTook(0.05);
        }
        governor.stepTook(0.25);
    }
    EXPECT_LE(governor.share(), 0.02 / 6);
    EXPECT_EQ(governor.stride(), 100);
    for (int step = 2001; step <= 20000; ++step) {
        if (governor.isDue(step)) {
            governor.measurementTook(0.05);
        }
        governor.stepTook(50);
    }
    EXPECT_EQ(governor.stride(), 1);
}

TEST(Governor, LeavesAFixedStrideAlone) {
    Governor governor(7);
    int measured = 0;
    for (int step = 1; step <= 70; ++step) {
        if (governor.isDue(step)) {
            ++measured;
            governor.measurementTook(100);
        }
        governor.stepTook(0.1);
    }
    EXPECT_EQ(measured, 10);
    EXPECT_EQ(governor.stride(), 7);
}

}  // namespace
}  // namespace plumbline::monitor
