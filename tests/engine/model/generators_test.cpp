// Copies of the generators within the process: what is drawn after going back is what was drawn before.
#include "model/generators.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/DistributionsHelper.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

namespace plumbline::model {
namespace {

/// An odd number of normal values of one type leaves the other half of a pair for the next one.
at::Tensor drawn() {
    std::vector<double> values;
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    auto* const cpu = at::check_generator<at::CPUGeneratorImpl>(generator);
    for (int i = 0; i < 3; ++i) {
        values.push_back(at::normal_distribution<double>(0, 1)(cpu));
        values.push_back(at::normal_distribution<float>(0, 1)(cpu));
        values.push_back(static_cast<double>(cpu->random()));
    }
    return at::tensor(values, at::kDouble);
}

TEST(Generators, CopiesGoBackToWhereTheyWereTakenHoweverOften) {
    GeneratorCopies copies;
    for (int time = 0; time < 3; ++time) {
        drawn();
        copyGenerators(copies);
        ASSERT_EQ(copies.size(), 1U);
        const at::Tensor first = drawn();
        restoreGenerators(copies);
        EXPECT_TRUE(at::equal(drawn(), first)) << time;
        restoreGenerators(copies);
        EXPECT_TRUE(at::equal(drawn(), first)) << time << ": the copy itself does not move";
    }
}

TEST(Generators, ACopyIsWhatTheSavedStateIs) {
    drawn();
    GeneratorCopies copies;
    copyGenerators(copies);
    drawn();
    copyGenerators(copies);  // into the ones that are there
    const GeneratorStates saved = saveGenerators();
    EXPECT_TRUE(at::equal(copies.front().get_state(), saved.at("cpu")));
}

}  // namespace
}  // namespace plumbline::model
