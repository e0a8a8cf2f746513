#include <filesystem>
#include <limits>
#include <set>

#include "allocation_count.h"
#include "core/files.h"
#include "detector_fixture.h"

namespace plumbline::diagnostics {
namespace {

class AllTogether : public DetectorTest {};

StepStats broken(std::int64_t step) {
    StepStats stats = trainStep(step);
    stats.loss = std::numeric_limits<double>::quiet_NaN();
    return stats;
}

StepStats skipped(std::int64_t step) {
    StepStats stats = trainStep(step);
    stats.usesScaler = stats.foundInf = true;
    stats.applied = false;
    stats.scale = 4;
    return stats;
}

TEST_F(AllTogether, AreThoseOfTheProductEachWithASummaryAndSaneThresholds) {
    std::set<std::string> ids;
    for (const DetectorEntry& entry : detectors()) {
        ids.insert(entry.spec.id);
        EXPECT_FALSE(entry.spec.summary.empty());
        for (const ThresholdSpec& threshold : entry.spec.thresholds) {
            EXPECT_LE(threshold.min, threshold.defaultValue) << entry.spec.id << "." << threshold.name;
            EXPECT_LE(threshold.defaultValue, threshold.max) << entry.spec.id << "." << threshold.name;
            EXPECT_FALSE(threshold.help.empty());
        }
        for (const std::string& cause : entry.spec.consequencesOf) {
            EXPECT_TRUE(std::any_of(detectors().begin(), detectors().end(), [&](const DetectorEntry& other) {
                return other.spec.id == cause;
            })) << cause;
        }
    }
    EXPECT_EQ(ids,
              (std::set<std::string>{"accuracy-at-chance", "frozen-batchnorm-drifts", "input-dtype", "loader-stall",
                                     "loss-diverged", "loss-target-shape", "non-finite", "parameter-not-updating",
                                     "scaler-frozen", "train-mode-not-restored", "validation-in-train-mode"}));
}

TEST_F(AllTogether, HaveAPageEachThatNamesTheirThresholds) {
    for (const DetectorEntry& entry : detectors()) {
        const auto page =
            readFile(std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "docs/detectors" / (entry.spec.id + ".md"));
        ASSERT_TRUE(page) << toSentence(page.error());
        EXPECT_TRUE(page->starts_with("# " + entry.spec.id));
        for (const char* part : {"What it means", "How it is detected", "What to do", "Silent on"}) {
            EXPECT_NE(page->find(part), std::string::npos) << entry.spec.id << ": " << part;
        }
        for (const ThresholdSpec& threshold : entry.spec.thresholds) {
            EXPECT_NE(page->find("`" + threshold.name + "`"), std::string::npos)
                << entry.spec.id << ": " << threshold.name;
        }
    }
}

TEST_F(AllTogether, StaySilentOverAHealthyRun) {
    for (std::int64_t step = 1; step <= 2000; ++step) {
        StepStats stats = trainStep(step);
        stats.loss = 1.0 / static_cast<double>(step);
        if (step % 10 == 0) {
            for (int i = 0; i < 4; ++i) {
                stats.updates.push_back({i, true, StepStats::Gradient::kPresent, 10});
                stats.blockNorms.push_back({i, 0.5});
            }
        }
        stats.batchNormMoved = {1};
        feed(stats);
        if (step % 100 == 0) {
            feed(validation(step));
            StepStats end = trainStep(step);
            end.phase = Phase::kEpochEnd;
            end.trainLossEpoch = 1.0 / static_cast<double>(step);
            end.evaluatedSamples = 1000;
            end.correctSamples = 300 + step / 4;
            end.distinctPredictions = 10;
            feed(end);
        }
    }
    EXPECT_TRUE(isSilent()) << all().front().message;
}

TEST_F(AllTogether, AllocateNothingWhenAllIsWell) {
    StepStats stats = trainStep(1);
    stats.usesScaler = true;
    stats.scale = 65536;
    stats.batchNormMoved = {1};
    for (int i = 0; i < 4; ++i) {
        stats.updates.push_back({i, true, StepStats::Gradient::kPresent, 10});
    }
    for (; stats.step < 200; ++stats.step) {
        m_diagnostics->observe(stats);
    }
    constexpr int kRecords = 20'000;
    const std::size_t before = allocationCount();
    for (int i = 0; i < kRecords; ++i, ++stats.step) {
        m_diagnostics->observe(stats);
    }
    EXPECT_EQ(allocationCount(), before);
    EXPECT_TRUE(isSilent());
}

TEST_F(AllTogether, NumberFindingsAndRaiseEachOnceUntilItCleared) {
    begin({{"non-finite", {{"clear_after", 2}}}});
    EXPECT_EQ(feed(broken(1)).size(), 1U);
    EXPECT_TRUE(feed(broken(2)).empty());
    EXPECT_TRUE(feed(trainStep(3)).empty());
    const auto cleared = feed(trainStep(4));
    ASSERT_EQ(cleared.size(), 1U);
    EXPECT_EQ(cleared.front().id, "non-finite#1");
    EXPECT_EQ(cleared.front().clearedAt, 4);
    const auto again = feed(broken(5));
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again.front().id, "non-finite#2");
    EXPECT_EQ(all().size(), 2U);
}

TEST_F(AllTogether, FoldAConsequenceUnderItsCause) {
    m_facts.usesScaler = true;
    begin();
    StepStats first = skipped(1);
    first.loss = std::numeric_limits<double>::quiet_NaN();
    feed(first);
    for (std::int64_t step = 2; step <= 8; ++step) {
        feed(skipped(step));
    }
    ASSERT_EQ(all().size(), 2U);
    EXPECT_EQ(all()[0].id, "non-finite#1");
    EXPECT_TRUE(all()[0].cause.empty());
    EXPECT_EQ(all()[1].id, "scaler-frozen#1");
    EXPECT_EQ(all()[1].cause, "non-finite#1");
}

TEST_F(AllTogether, FoldAConsequenceThatCameBeforeItsCause) {
    m_facts.usesScaler = true;
    begin();
    for (std::int64_t step = 1; step <= 8; ++step) {
        feed(skipped(step));
    }
    ASSERT_EQ(all().size(), 1U);
    EXPECT_TRUE(all()[0].cause.empty());
    const auto news = feed(broken(9));
    ASSERT_EQ(news.size(), 2U);
    EXPECT_EQ(news[0].id, "non-finite#1");
    EXPECT_EQ(news[1].id, "scaler-frozen#1");
    EXPECT_EQ(news[1].cause, "non-finite#1");
}

TEST_F(AllTogether, GoOnAfterAResumeAsIfNothingHadHappened) {
    m_facts.usesScaler = true;
    begin();
    const std::unique_ptr<Diagnostics> straight = std::move(m_diagnostics);
    begin();
    straight->start(m_facts);
    const auto record = [](std::int64_t step) {
        StepStats stats = step % 40 < 12 ? skipped(step) : trainStep(step);
        stats.usesScaler = true;
        if (step % 5 == 0) {
            stats.updates = {{0, step > 70, StepStats::Gradient::kZero, 5},
                             {3, true, StepStats::Gradient::kPresent, 5}};
        }
        if (step == 33) {
            stats.nonFinite = {{"activation", "conv", "conv.output", 3}};
        }
        return stats;
    };
    for (std::int64_t step = 1; step <= 50; ++step) {
        straight->observe(record(step));
        m_diagnostics->observe(record(step));
    }
    const Json saved = Json::parse(m_diagnostics->saveState().dump());
    begin();
    ASSERT_TRUE(m_diagnostics->loadState(saved));
    for (std::int64_t step = 51; step <= 90; ++step) {
        straight->observe(record(step));
        m_diagnostics->observe(record(step));
    }
    ASSERT_EQ(all().size(), straight->all().size());
    EXPECT_GE(all().size(), 3U);
    for (std::size_t i = 0; i < all().size(); ++i) {
        EXPECT_EQ(toJson(all()[i]), toJson(straight->all()[i]));
    }
}

TEST_F(AllTogether, RefuseASavedStateThatIsNotOne) {
    for (const char* text :
         {"null", "{}", "[1]", R"({"findings":3,"detectors":{}})", R"({"findings":[],"detectors":{"non-finite":{}}})",
          R"({"findings":[{}],"detectors":{}})"}) {
        EXPECT_FALSE(m_diagnostics->loadState(Json::parse(text))) << text;
    }
}

TEST_F(AllTogether, CanBeSwitchedOffOneByOne) {
    begin({{"non-finite", {{"enabled", false}}}});
    feed(broken(1));
    EXPECT_TRUE(isSilent());
}

TEST_F(AllTogether, TellWhatIsWrongInTheirSettings) {
    const auto code = [](const std::map<std::string, Json>& settings) {
        const auto made = Diagnostics::make(settings);
        EXPECT_FALSE(made);
        return made ? std::string() : made.error().code + " " + made.error().where;
    };
    EXPECT_EQ(code({{"non-finit", Json::object()}}), "unknown-detector /monitor/detectors/non-finit");
    EXPECT_EQ(Diagnostics::make({{"non-finit", Json::object()}}).error().hint, "Did you mean \"non-finite\"?");
    EXPECT_EQ(code({{"scaler-frozen", {{"skips", 3}}}}), "unknown-key /monitor/detectors/scaler-frozen/skips");
    EXPECT_EQ(code({{"scaler-frozen", {{"min_scale", -3}}}}),
              "out-of-range /monitor/detectors/scaler-frozen/min_scale");
    EXPECT_EQ(code({{"scaler-frozen", {{"min_scale", "low"}}}}),
              "wrong-type /monitor/detectors/scaler-frozen/min_scale");
    EXPECT_EQ(code({{"scaler-frozen", {{"enabled", 1}}}}), "wrong-type /monitor/detectors/scaler-frozen/enabled");
}

}  // namespace
}  // namespace plumbline::diagnostics
