#include "sweep/parameter.h"

#include <gtest/gtest.h>
#include <cmath>
#include <set>

#include "sweep/sampler.h"

namespace plumbline::sweep {
namespace {

Parameter parameterOf(const std::string& text) {
    auto parameter = parseParameter(text);
    EXPECT_TRUE(parameter.has_value()) << text << ": " << (parameter ? "" : parameter.error().message);
    return parameter.value_or(Parameter{});
}

std::vector<Parameter> parametersOf(const std::vector<std::string>& texts) {
    std::vector<Parameter> all;
    for (const std::string& text : texts) {
        all.push_back(parameterOf(text));
    }
    return all;
}

TEST(SweepParameter, ReadsValuesAndRanges) {
    const Parameter choices = parameterOf("model.graph.nodes.a.params.kernel_size=[3, 3], [5,5],7");
    EXPECT_EQ(choices.choices, (std::vector<std::string>{"[3, 3]", "[5,5]", "7"}));
    EXPECT_EQ(choices.at(0), "[3, 3]");
    EXPECT_EQ(choices.at(0.34), "[5,5]");
    EXPECT_EQ(choices.at(1), "7");

    const Parameter linear = parameterOf("training.optimizer.momentum=0.5..0.9");
    EXPECT_EQ(linear.at(0), "0.5");
    EXPECT_EQ(linear.at(1), "0.9");
    EXPECT_EQ(linear.gridSize(), 0);

    const Parameter logarithmic = parameterOf("training.optimizer.lr=log:1e-4..1e-2/3");
    EXPECT_EQ(logarithmic.gridSize(), 3);
    EXPECT_NEAR(std::stod(logarithmic.gridValue(1)), 1e-3, 1e-15);
    EXPECT_NEAR(std::stod(logarithmic.at(0.25)), std::pow(10, -3.5), 1e-12);

    const Parameter whole = parameterOf("data.loader.batch_size=16..18");
    std::map<std::string, int> drawn;
    for (int i = 0; i < 3000; ++i) {
        ++drawn[whole.at((i + 0.5) / 3000)];
    }
    EXPECT_EQ(drawn, (std::map<std::string, int>{{"16", 1000}, {"17", 1000}, {"18", 1000}}));
    EXPECT_EQ(parameterOf("data.sources.t.file=../a.csv,../b.csv").choices.size(), 2U);
}

TEST(SweepParameter, RefusesWhatIsNoneWithANextStep) {
    for (const char* text : {"", "=1", "lr", "a=1..x", "a=2..1", "a=log:0..1", "a=log:1,2", "a=1,,2", "a=1,1",
                             "a=1..2/1", "a=1..2/x", "a=1..nan", "a=1..3/4", "a=log:1..100/50"}) {
        const auto parameter = parseParameter(text);
        ASSERT_FALSE(parameter.has_value()) << text;
        EXPECT_EQ(parameter.error().exitCode(), 2) << text;
        EXPECT_FALSE(parameter.error().hint.empty()) << text;
    }
}

TEST(Sampler, AGridTakesEachCombinationOnce) {
    const auto grid = makeSampler("grid", parametersOf({"a=1,2,3", "b=0..1/2"}), 0);
    ASSERT_TRUE(grid.has_value());
    ASSERT_EQ((*grid)->trials(), 6);
    std::set<std::string> seen;
    for (std::int64_t trial = 0; trial < 6; ++trial) {
        const Settings settings = (*grid)->settings(trial, (*grid)->point(trial, {}));
        seen.insert(settings.at("a") + "/" + settings.at("b"));
    }
    EXPECT_EQ(seen, (std::set<std::string>{"1/0", "1/1", "2/0", "2/1", "3/0", "3/1"}));
    EXPECT_FALSE(makeSampler("grid", parametersOf({"a=0.0..1.0"}), 0).has_value());
    EXPECT_FALSE(makeSampler("grid", parametersOf({"a=1,2", "a=3"}), 0).has_value());
    EXPECT_FALSE(makeSampler("grid", {}, 0).has_value());
    EXPECT_FALSE(makeSampler("bayes", parametersOf({"a=1,2"}), 0).has_value());
}

TEST(Sampler, DrawsTheSameForTheSameSeedAndCoversTheRange) {
    const auto random = makeSampler("random", parametersOf({"a=0.0..1.0"}), 7);
    const auto again = makeSampler("random", parametersOf({"a=0.0..1.0"}), 7);
    double sum = 0;
    for (std::int64_t trial = 0; trial < 1000; ++trial) {
        const std::vector<double> point = (*random)->point(trial, {});
        EXPECT_EQ(point, (*again)->point(trial, {}));
        sum += point[0];
    }
    EXPECT_NEAR(sum / 1000, 0.5, 0.03);
    EXPECT_NE((*random)->point(0, {}), (*makeSampler("random", parametersOf({"a=0.0..1.0"}), 8))->point(0, {}));
}

TEST(Sampler, RandomTakesEachCombinationOfListsOnceInAnOrderOfItsSeed) {
    for (const char* method : {"random", "halving"}) {
        const auto combinations = [&](std::uint64_t seed) {
            const auto sampler = makeSampler(method, parametersOf({"a=1,2,3", "b=x,y", "c=0.1,0.2"}), seed);
            std::vector<std::string> drawn;
            for (std::int64_t trial = 0; trial < (*sampler)->trials().value_or(0); ++trial) {
                const Settings settings = (*sampler)->settings(trial, (*sampler)->point(trial, {}));
                drawn.push_back(settings.at("a") + "/" + settings.at("b") + "/" + settings.at("c"));
            }
            return drawn;
        };
        const std::vector<std::string> drawn = combinations(3);
        EXPECT_EQ(drawn.size(), 12U);
        EXPECT_EQ(std::set<std::string>(drawn.begin(), drawn.end()).size(), 12U);
        EXPECT_EQ(drawn, combinations(3));
        EXPECT_NE(drawn, combinations(4));
    }
    EXPECT_FALSE((*makeSampler("random", parametersOf({"a=1,2", "b=0.0..1.0"}), 0))->trials()) << "a range has no end";
    EXPECT_FALSE((*makeSampler("tpe", parametersOf({"a=1,2"}), 0))->trials());
}

/// How close the trials 10 … 39 come to the best place, on average.
double meanLoss(const std::string& method, std::uint64_t seed) {
    const auto sampler = makeSampler(method, parametersOf({"a=0.0..1.0", "b=log:1e-5..1e-1", "c=x,y,z"}), seed);
    std::vector<Observation> seen;
    double sum = 0;
    for (std::int64_t trial = 0; trial < 40; ++trial) {
        const std::vector<double> point = (*sampler)->point(trial, seen);
        const Settings settings = (*sampler)->settings(trial, point);
        const double loss = std::pow(std::stod(settings.at("a")) - 0.3, 2) +
                            std::pow((std::log10(std::stod(settings.at("b"))) + 2) / 4, 2) +
                            (settings.at("c") == "y" ? 0 : 0.3);
        seen.push_back({point, loss});
        sum += trial >= 10 ? loss : 0;
    }
    return sum / 30;
}

TEST(Sampler, ParzenEstimatorsTryWhereItWasGood) {
    double parzen = 0, random = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        parzen += meanLoss("tpe", seed);
        random += meanLoss("random", seed);
    }
    EXPECT_LT(parzen, 0.5 * random);
}

}  // namespace
}  // namespace plumbline::sweep
