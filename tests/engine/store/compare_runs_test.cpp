#include "store/compare_runs.h"

#include "store_fixture.h"

namespace plumbline::store {
namespace {

std::filesystem::path runWith(const std::filesystem::path& runs, const Json& definition,
                              const std::vector<Json>& events) {
    auto writer = newRun(runs, "", definition);
    for (const Json& event : events) {
        EXPECT_TRUE(writer->appendEvent(event));
    }
    EXPECT_TRUE(writer->flush());
    return writer->folder();
}

Json command(std::int64_t stepsDone, const Json& value) {
    return {
        {"t_ms", 1.0}, {"event", "command"}, {"path", "training.optimizer.lr"}, {"value", value}, {"step", stepsDone}};
}

TEST(CompareRuns, AValueThatWasChangedWhileARunWentOnIsToldWithItsStep) {
    const testing::TemporaryFolder runs;
    const Json definition{{"training", {{"optimizer", {{"lr", 0.002}}}, {"epochs", 3}}}};
    const auto changed = runWith(runs.path(), definition,
                                 {command(13, 0.0005), command(20, 0.0005), command(29, 0.001), command(29, 0.003)});
    const auto untouched = runWith(runs.path(), definition, {});
    const auto comparison = compareRuns(*openRun(changed), *openRun(untouched));
    ASSERT_TRUE(comparison) << toSentence(comparison.error());
    ASSERT_EQ(comparison->settings.size(), 1U);  // the definitions are the same
    const ValuePair& pair = comparison->settings[0];
    EXPECT_EQ(pair.name, "/training/optimizer/lr");
    EXPECT_EQ(pair.a, 0.002);
    EXPECT_EQ(pair.b, 0.002);
    ASSERT_EQ(pair.changesOfA.size(), 2U);
    EXPECT_EQ(pair.changesOfA[0].step, 14);
    EXPECT_EQ(pair.changesOfA[0].value, 0.0005);
    EXPECT_EQ(pair.changesOfA[1].step, 30);  // of two at one step the later one holds
    EXPECT_EQ(pair.changesOfA[1].value, 0.003);
    EXPECT_TRUE(pair.changesOfB.empty());
    EXPECT_EQ(pair.difference(), 0.0);
}

TEST(CompareRuns, TheDifferenceIsThatOfNumbersAlone) {
    EXPECT_EQ((ValuePair{"x", 2, 5, {}, {}}).difference(), 3.0);
    EXPECT_EQ((ValuePair{"x", "SGD", 5, {}, {}}).difference(), std::nullopt);
    EXPECT_EQ((ValuePair{"x", nullptr, 5, {}, {}}).difference(), std::nullopt);
}

}  // namespace
}  // namespace plumbline::store
