// A plan of several optimizers: how it is read, and what is refused.
#include <gtest/gtest.h>
#include <functional>

#include "plan/freezing.h"
#include "plan/loss_traits.h"
#include "plan/plan.h"

namespace plumbline::plan {
namespace {

Json adversaries() {
    return parseJson(R"({
      "losses": [{"type": "MSELoss", "output": "real", "target": "t", "phase": "discriminator"},
                 {"type": "MSELoss", "output": "judged", "target": "t", "phase": "generator", "weight": 2}],
      "optimizer": {"type": "Adam", "lr": 0.0002, "betas": [0.5, 0.999], "weight_decay": 0.1},
      "phases": [{"name": "discriminator", "train": ["discriminator.*", "head.*"]},
                 {"name": "generator", "train": "generator.*", "optimizer": {"type": "SGD", "momentum": 0.9, "lr": 0.01}, "every": 5}]})",
                     "")
        .value();
}

TrainingPlan phasedPlan(const Json& json) {
    auto plan = readTrainingPlan(json);
    EXPECT_TRUE(plan.has_value()) << (plan ? "" : toSentence(plan.error()));
    return plan ? *plan : TrainingPlan{};
}

/// Code and pointer of what reading or checking refuses first; "" for a plan that is fine.
std::string refusedPhases(const std::function<void(Json&)>& change, std::string* sentence = nullptr) {
    Json json = adversaries();
    change(json);
    const auto plan = readTrainingPlan(json);
    if (!plan) {
        EXPECT_FALSE(plan.error().hint.empty()) << plan.error().message;
        if (sentence != nullptr) {
            *sentence = toSentence(plan.error());
        }
        return plan.error().code + " " + plan.error().where;
    }
    for (const PlanProblem& problem : checkPlan(*plan, 100, 10, false, true)) {
        if (problem.critical) {
            EXPECT_FALSE(problem.hint.empty()) << problem.message;
            if (sentence != nullptr) {
                *sentence = problem.message + " " + problem.hint;
            }
            return problem.code + " " + problem.pointer;
        }
    }
    return "";
}

TEST(TrainingPhases, TakeOverFromTheOptimizerWhatTheyDoNotState) {
    const TrainingPlan plan = phasedPlan(adversaries());
    ASSERT_EQ(plan.phases.size(), 2U);
    const PhaseSpec &judge = plan.phases[0], &maker = plan.phases[1];
    EXPECT_EQ(judge.train, (std::vector<std::string>{"discriminator.*", "head.*"}));
    EXPECT_EQ(judge.optimizer.type, "Adam");
    EXPECT_EQ(judge.optimizer.lr, 0.0002);
    EXPECT_EQ(judge.optimizer.pair("betas").first, 0.5);
    EXPECT_FALSE(judge.ownLr || judge.ownWeightDecay);
    EXPECT_EQ(judge.every, 1);
    EXPECT_EQ(maker.optimizer.type, "SGD");
    EXPECT_EQ(maker.optimizer.lr, 0.01);
    EXPECT_EQ(maker.optimizer.number("momentum"), 0.9);
    EXPECT_EQ(maker.optimizer.weightDecay, 0.1);
    EXPECT_TRUE(maker.ownLr);
    EXPECT_FALSE(maker.ownWeightDecay);
    EXPECT_EQ(maker.every, 5);
    EXPECT_EQ(plan.losses[1].phase, "generator");
    // What the other type does not have is not taken over, and nobody is told of it.
    EXPECT_TRUE(plan.withoutEffect.empty());
    EXPECT_TRUE(checkPlan(plan, 100, 10, false, true).empty());
}

TEST(TrainingPhases, TellWhatAPhaseStatesInVain) {
    Json json = adversaries();
    json["phases"][0]["optimizer"] = {{"momentum", 0.9}};
    EXPECT_EQ(phasedPlan(json).withoutEffect, std::vector<std::string>{"/training/phases/0/optimizer/momentum"});
}

TEST(TrainingPhases, TellOfOneWhoseLossesAllHaveTheWeightZero) {
    TrainingPlan plan = phasedPlan(adversaries());
    const auto told = [&plan] {
        std::vector<std::string> sentences;
        for (const PlanProblem& problem : checkPlan(plan, 100, 10, false, true)) {
            if (problem.code == "zero-loss-weight") {
                EXPECT_FALSE(problem.critical);
                sentences.push_back(problem.pointer + " " + problem.message);
            }
        }
        return sentences;
    };
    EXPECT_TRUE(told().empty());
    const std::string phase = plan.losses.back().phase;
    for (LossSpec& loss : plan.losses) {
        loss.weight = loss.phase == phase ? 0 : 1;
    }
    ASSERT_EQ(told().size(), 1U);
    EXPECT_NE(told()[0].find("phase \"" + phase + "\""), std::string::npos) << told()[0];
}

TEST(TrainingPhases, RefuseWhatCannotBeDone) {
    EXPECT_EQ(refusedPhases([](Json&) {}), "");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][0].erase("train"); }),
              "missing-key /training/phases/0/train");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][0]["train"] = 3; }), "wrong-type /training/phases/0/train");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][1]["every"] = 0; }),
              "out-of-range /training/phases/1/every");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][1]["evry"] = 2; }), "unknown-key /training/phases/1/evry");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][1]["optimizer"]["lr"] = "fast"; }),
              "wrong-type /training/phases/1/optimizer/lr");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][1]["optimizer"]["rate"] = 1; }),
              "unknown-key /training/phases/1/optimizer/rate");
    EXPECT_EQ(refusedPhases([](Json& json) {
                  json["phases"][1]["optimizer"] = {{"type", "LBFGS"}};
              }),
              "lbfgs-in-phase /training/phases/1/optimizer/type");
    EXPECT_EQ(refusedPhases([](Json& json) {
                  json["phases"][1]["optimizer"] = {{"type", "SGD"}, {"nesterov", true}};
              }),
              "nesterov-needs-momentum /training/phases/1/optimizer/nesterov");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][1]["name"] = "discriminator"; }).substr(0, 11),
              "phase-twice");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][1]["name"] = "two\nlines"; }),
              "bad-phase-name /training/phases/1/name");
    EXPECT_EQ(refusedPhases([](Json& json) { json["losses"][1]["phase"] = "discriminator"; }),
              "phase-without-loss /training/phases/1");
    EXPECT_EQ(refusedPhases([](Json& json) {
                  json["losses"].push_back(json["losses"][0]);
                  json["losses"][2]["phase"] = "generater";
              }),
              "unknown-phase /training/losses/2/phase");
    EXPECT_EQ(refusedPhases([](Json& json) {
                  json["losses"].push_back(json["losses"][0]);
                  json["losses"][2].erase("phase");
              }),
              "unknown-phase /training/losses/2/phase");
    EXPECT_EQ(refusedPhases([](Json& json) { json.erase("phases"); }), "unknown-phase /training/losses/0/phase");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][0]["every"] = 2; }),
              "no-phase-each-step /training/phases/0/every");
    EXPECT_EQ(refusedPhases([](Json& json) { json["accumulation"] = 2; }),
              "phases-with-accumulation /training/accumulation");
    EXPECT_EQ(refusedPhases([](Json& json) { json["expert"]["skip_zero_grad"] = true; }),
              "phases-with-mistake /training/expert/skip_zero_grad");
    EXPECT_EQ(refusedPhases([](Json& json) { json["expert"]["validate_in_train_mode"] = true; }), "");
    EXPECT_EQ(refusedPhases([](Json& json) {
                  json["metrics"] = Json::array(
                      {Json{{"type", "mae"}, {"output", "real"}, {"target", "t"}, {"name", "loss.generator"}}});
              }),
              "metric-twice /training/metrics/0/name");
}

TEST(TrainingPhases, SayWhatIsWrongWithOneInOneSentenceAndWhatToDo) {
    std::string sentence;
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][1]["name"] = ""; }, &sentence),
              "bad-phase-name /training/phases/1/name");
    EXPECT_EQ(sentence,
              "Phase 2 has no name, so no loss can name it. Give it a short one, as \"generator\", and write the same "
              "into its loss as \"phase\".");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][1]["name"] = std::string(41, 'x'); }, &sentence),
              "bad-phase-name /training/phases/1/name");
    EXPECT_EQ(
        sentence,
        "The name of phase 2 is 41 bytes long, and 40 are the most: it becomes part of the series' names. Shorten it.");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][1]["name"] = "two\nlines"; }, &sentence),
              "bad-phase-name /training/phases/1/name");
    EXPECT_EQ(sentence, "The name of phase 2 holds a line break or another control character. Write it in one line.");
    const char* const how = "Write full names, with * for anything: discriminator.*";
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][0]["train"] = Json::array(); }, &sentence),
              "missing-key /training/phases/0/train");
    EXPECT_EQ(sentence, std::string("/training/phases/0/train names no parameter that the phase trains. ") + how);
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][0]["train"] = ""; }, &sentence),
              "wrong-type /training/phases/0/train");
    EXPECT_EQ(sentence, std::string("/training/phases/0/train is empty, so it matches no parameter. ") + how);
    // The element that is wrong is named, not the list that is right.
    EXPECT_EQ(refusedPhases(
                  [](Json& json) {
                      json["phases"][0]["train"] = {"a.*", 3};
                  },
                  &sentence),
              "wrong-type /training/phases/0/train/1");
    EXPECT_EQ(sentence,
              "/training/phases/0/train/1 has to be a text and is an integer. Write a text in quotes, as \"name\".");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][0]["train"] = 3; }, &sentence),
              "wrong-type /training/phases/0/train");
    EXPECT_EQ(
        sentence,
        std::string("/training/phases/0/train has to be a pattern of names or a list of them and is an integer. ") +
            how);
    EXPECT_EQ(refusedPhases(
                  [](Json& json) {
                      json["no_grad"] = {"a", 3};
                  },
                  &sentence),
              "wrong-type /training/no_grad/1");
    EXPECT_EQ(sentence, "/training/no_grad/1 has to be a text and is an integer. Write a text in quotes, as \"name\".");
    // In a phase the default is another one.
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][1]["optimizer"]["lr"] = "fast"; }, &sentence),
              "wrong-type /training/phases/1/optimizer/lr");
    EXPECT_EQ(sentence,
              "/training/phases/1/optimizer/lr has to be a number and is a text. Write a number without quotes, as "
              "0.5. Where it is left out the phase takes that of training.optimizer.");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"][1]["every"] = 1.5; }, &sentence),
              "wrong-type /training/phases/1/every");
    EXPECT_EQ(sentence,
              "/training/phases/1/every has to be an integer and is 1.5. Write a whole number without quotes, as 16.");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"] = "discriminator"; }, &sentence),
              "wrong-type /training/phases");
    EXPECT_EQ(sentence,
              "/training/phases has to be a list and is a text. Write a list of objects in brackets, each in braces: "
              "[{\"name\": \"phase\", …}]. Where it is left out it is [].");
    EXPECT_EQ(refusedPhases([](Json& json) { json["losses"][1].erase("phase"); }, &sentence),
              "unknown-phase /training/losses/1/phase");
    EXPECT_EQ(sentence,
              "The loss MSELoss does not say which phase minimises it. Write \"phase\": \"generator\" into it, or "
              "another of training.phases.");
    EXPECT_EQ(refusedPhases([](Json& json) { json["phases"] = Json::array(); }, &sentence),
              "unknown-phase /training/losses/0/phase");
    EXPECT_EQ(sentence,
              "A loss names the phase \"discriminator\", and training.phases has none. Take \"phase\" out of the loss, "
              "or add the phase to training.phases.");
}

TEST(TrainingPhases, TellACauseAndNotWhatFollowsFromIt) {
    const auto codes = [](const std::function<void(Json&)>& change) {
        Json json = adversaries();
        change(json);
        std::vector<std::string> told;
        for (const PlanProblem& problem : checkPlan(phasedPlan(json), 100, 10, false, true)) {
            told.push_back(problem.code);
        }
        return told;
    };
    using Codes = std::vector<std::string>;
    EXPECT_EQ(codes([](Json& json) { json["phases"][1]["name"] = ""; }), Codes{"bad-phase-name"});
    EXPECT_EQ(codes([](Json& json) { json["losses"][1]["phase"] = "generater"; }), Codes{"unknown-phase"});
    EXPECT_EQ(codes([](Json& json) { json["losses"][1]["phase"] = "discriminator"; }), Codes{"phase-without-loss"});
}

TEST(TrainingPhases, TellOfOneThatTheRunIsTooShortFor) {
    const auto told = [](std::int64_t every, std::int64_t samples) {
        Json json = adversaries();
        json["phases"][1]["every"] = every;
        std::string places;
        for (const PlanProblem& problem : checkPlan(phasedPlan(json), samples, 10, false, true)) {
            places += problem.code + " " + problem.pointer;
        }
        return places;
    };
    EXPECT_EQ(told(100, 100), "phase-outlasts-run /training/phases/1/every")
        << "100 steps, of which it takes the first";
    EXPECT_EQ(told(99, 100), "") << "it takes two";
    EXPECT_EQ(told(100000, -1), "") << "how many steps there are, the data tell";
}

TEST(TrainingPhases, CheckTheScheduleForEachOptimizer) {
    // The second phase's rate is above min_lr and the first one's is not.
    EXPECT_EQ(refusedPhases([](Json& json) {
                  json["scheduler"] = {{"type", "cosine"}, {"min_lr", 0.001}};
              }),
              "min-lr-above-lr /training/scheduler/min_lr");
    EXPECT_EQ(
        refusedPhases([](Json& json) {
            json["scheduler"] = {{"type", "reduce_on_plateau"}, {"patience", 3}, {"series", "val.loss.generator"}};
        }),
        "");
    EXPECT_EQ(refusedPhases([](Json& json) {
                  json["checkpoints"]["best"] = {{"series", "val.loss.generator"}, {"mode", "min"}};
              }),
              "");
    EXPECT_EQ(refusedPhases([](Json& json) {
                  json["checkpoints"]["best"] = {{"series", "val.loss.judge"}, {"mode", "min"}};
              }),
              "best-series-unknown /training/checkpoints/best/series");
}

TEST(TrainingPhases, EndARunByTheLossOfOneOfThem) {
    EXPECT_EQ(refusedPhases([](Json& json) {
                  json["early_stopping"] = {{"patience", 2}, {"series", "val.loss.generator"}, {"restore_best", true}};
              }),
              "");
    EXPECT_EQ(refusedPhases([](Json& json) {
                  json["early_stopping"] = {{"patience", 2}, {"series", "val.loss.judge"}};
              }),
              "stop-series-unknown /training/early_stopping/series");
    EXPECT_EQ(refusedPhases([](Json& json) {
                  json["stop"]["target"] = {{"series", "val.loss.generator"}, {"value", 0.1}, {"mode", "min"}};
              }),
              "");
    EXPECT_EQ(refusedPhases([](Json& json) {
                  json["stop"]["target"] = {{"series", "train.loss.generator"}};
              }),
              "stop-series-unknown /training/stop/target/series");
}

TEST(TrainingPhases, FreezeWhatNoneOfThemTrains) {
    Json json = adversaries();
    json["phases"][1]["optimizer"]["groups"] = Json::array({Json{{"match", "*.stem.*"}, {"frozen", true}}});
    const TrainingPlan plan = phasedPlan(json);
    EXPECT_EQ(phaseOf(plan, "head.weight")->name, "discriminator");
    EXPECT_EQ(phaseOf(plan, "generator.0.weight")->name, "generator");
    EXPECT_EQ(phaseOf(plan, "embedding.weight"), nullptr);
    EXPECT_EQ(epochsFrozen(plan, "embedding.weight"), kFrozenForEver);
    EXPECT_EQ(epochsFrozen(plan, "generator.0.weight"), 0);
    EXPECT_EQ(epochsFrozen(plan, "generator.stem.weight"), kFrozenForEver);
    EXPECT_EQ(phaseOf(TrainingPlan(), "embedding.weight"), nullptr);
    EXPECT_EQ(epochsFrozen(TrainingPlan(), "embedding.weight"), 0);
}

TEST(TrainingPhases, ALossOfSeveralTermsKeepsItsPhase) {
    LossSpec loss("DiceCELoss", "y", "t");
    loss.phase = "judge";
    for (const LossSpec& term : termsOf(loss)) {
        EXPECT_EQ(term.phase, "judge") << term.type;
    }
}

}  // namespace
}  // namespace plumbline::plan
