#include "plan/loss_formula.h"

#include <gtest/gtest.h>

#include "plan/loss_traits.h"

using namespace plumbline;
using namespace plumbline::plan;

namespace {

/// The sentence that a formula is refused with; "" where it is read.
std::string refusal(const std::string& text) {
    const auto formula = parseLossFormula(text, "/p");
    if (formula) {
        return "";
    }
    EXPECT_EQ(formula.error().kind, ErrorKind::kInvalid);
    EXPECT_EQ(formula.error().where, "/p");
    EXPECT_FALSE(formula.error().hint.empty()) << text;
    return formula.error().message;
}

}  // namespace

TEST(LossFormula, IsReadInTheOrderThatItsOperatorsBind) {
    const auto formula = parseLossFormula("-a ** 2 * b + 1e-3 <= mean(target.c, -1)", "/p").value();
    std::vector<std::string> steps;
    for (const FormulaStep& step : formula.steps) {
        steps.push_back(step.kind == FormulaStep::Kind::kName   ? formula.names[step.name].name
                        : step.kind == FormulaStep::Kind::kCall ? step.text
                                                                : std::to_string(step.number));
    }
    EXPECT_EQ(steps, (std::vector<std::string>{"a", "2.000000", "**", "neg", "b", "*", "0.001000", "+", "c",
                                               "-1.000000", "mean", "<="}));
    ASSERT_EQ(formula.names.size(), 3U);
    EXPECT_EQ(formula.names[2].of, "target");
    EXPECT_EQ(formula.names[1].column, 11U);
}

TEST(LossFormula, NamesEachNameOnceAndTakesAFunctionsNameForOneWithoutBrackets) {
    const auto formula = parseLossFormula("mean((y - mean) * (y - t))", "/p").value();
    ASSERT_EQ(formula.names.size(), 3U);
    EXPECT_EQ(formula.names[1].name, "mean");
}

TEST(LossFormula, ThatCannotBeReadIsASentenceWithThePosition) {
    EXPECT_EQ(refusal("mean((y - t) ** 2"),
              "The formula cannot be read at position 18: the \"(\" at position 5 is not closed.");
    EXPECT_EQ(refusal("(y + t"), "The formula cannot be read at position 7: the \"(\" at position 1 is not closed.");
    EXPECT_EQ(refusal("y + t)"), "The formula cannot be read at position 6: a \")\" closes nothing.");
    EXPECT_EQ(refusal("y + "), "The formula cannot be read at position 5: it ends where a value is wanted.");
    EXPECT_EQ(refusal("y $ t"), "The formula cannot be read at position 3: an operator or the end is wanted.");
    EXPECT_EQ(refusal("1 + average(y)"), "The formula cannot be read at position 5: there is no function \"average\".");
    EXPECT_EQ(refusal("clamp(y, 1)"), "The formula cannot be read at position 1: clamp takes 3 values and got 2.");
    EXPECT_EQ(refusal("mean(y, t)"),
              "The formula cannot be read at position 9: the second value of mean is the number of a dimension.");
    EXPECT_EQ(refusal("mean()"), "The formula cannot be read at position 1: mean takes 1 or 2 values and got 0.");
    EXPECT_EQ(refusal("1.2.3 * y"), "The formula cannot be read at position 1: this is no number that fits.");
    EXPECT_EQ(refusal("1e999 * y"), "The formula cannot be read at position 1: this is no number that fits.");
    EXPECT_EQ(refusal(" \n"), "ExpressionLoss has no formula.");
    EXPECT_NE(refusal("y[0]"), "");
    EXPECT_NE(refusal("__import__('os')"), "");
    EXPECT_EQ(parseLossFormula("1 + meen(y)", "/p").error().hint, "Did you mean \"mean\"?");
}

TEST(LossFormula, IsLimitedInLengthAndDepth) {
    EXPECT_NE(refusal(std::string(5000, ' ') + "y"), "");
    EXPECT_NE(refusal(std::string(500, '(') + "y" + std::string(500, ')')), "");
    EXPECT_NE(refusal(std::string(3000, '-') + "y"), "");
    EXPECT_NE(refusal("y" +
                      [] {
                          std::string all;
                          for (int i = 0; i < 300; ++i) {
                              all += "**y";
                          }
                          return all;
                      }()),
              "");
    std::string wide = "y";
    while (wide.size() < 4000) {
        wide += "+y";
    }
    EXPECT_EQ(refusal(wide), "");
}

TEST(LossTraits, AreKnownOfEveryLoss) {
    for (const TypeSpec& type : lossTypes()) {
        LossSpec loss;
        loss.type = type.name;
        const LossTraits& traits = lossTraits(type.name);
        EXPECT_EQ(tellsClasses(loss), traits.kind == LossKind::kClasses || traits.kind == LossKind::kEither)
            << type.name;
        EXPECT_TRUE(traits.kind != LossKind::kOther || type.name == "CTCLoss" || type.name == "TripletMarginLoss" ||
                    type.name == "MultiLabelMarginLoss" || type.name == "ExpressionLoss" || traits.samplesMean)
            << type.name;
    }
    EXPECT_EQ(ignoredLabel(LossSpec("CrossEntropyLoss", "y", "t")), -100);
    EXPECT_EQ(ignoredLabel(LossSpec("MSELoss", "y", "t")), std::nullopt);
}

TEST(LossTraits, ALossOfTwoIsItsTermsWithTheirOwnOptions) {
    const LossSpec both("DiceCELoss", "y", "t", 3.0,
                        Json{{"dice_weight", 0.5}, {"squared", true}, {"label_smoothing", 0.1}, {"ignore_index", 7}});
    const std::vector<LossSpec> terms = termsOf(both);
    ASSERT_EQ(terms.size(), 2U);
    EXPECT_EQ(terms[0].type, "DiceLoss");
    EXPECT_EQ(terms[0].weight, 1.5);
    EXPECT_EQ(terms[0].options, (Json{{"squared", true}, {"ignore_index", 7}}));
    EXPECT_EQ(terms[1].type, "CrossEntropyLoss");
    EXPECT_EQ(terms[1].weight, 3.0);
    EXPECT_EQ(terms[1].options, (Json{{"label_smoothing", 0.1}, {"ignore_index", 7}}));
    EXPECT_EQ(terms[1].output, "y");
}

TEST(LossTraits, ANameThatIsAnOutputAndATargetSaysWhich) {
    LossSpec loss("ExpressionLoss", "", "", 1.0, Json{{"expression", "mean(y - y)"}});
    const auto unclear = bindLoss(loss, {"y"}, {"y"}, "/training/losses/0");
    ASSERT_FALSE(unclear);
    EXPECT_EQ(unclear.error().where, "/training/losses/0/expression");
    EXPECT_EQ(unclear.error().hint, "Write output.y or target.y.");
    loss.options["expression"] = "mean(square(output.y - target.y))";
    const auto binding = bindLoss(loss, {"x", "y"}, {"y"}, "");
    ASSERT_TRUE(binding) << binding.error().message;
    EXPECT_EQ(binding->outputs, std::vector<std::size_t>{1});
    EXPECT_EQ(binding->targets, std::vector<std::size_t>{0});
}
