// The schedules of exported programs, as compiled from what is emitted for PyTorch's reference sequences.

#include "emitted_schedules.h"

#include <gtest/gtest.h>

#include "core/json.h"
#include "emitted_cases.h"

using namespace plumbline;

namespace {

void expectSeries(const Json& wanted, const std::vector<double>& got, const std::string& what) {
    ASSERT_EQ(wanted.size(), got.size()) << what;
    double largest = 0;
    for (const Json& value : wanted) {
        largest = std::max(largest, std::abs(value.get<double>()));
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_NEAR(got[i], wanted[i].get<double>(), 1e-12 * largest) << what << " at " << i;
    }
}

}  // namespace

TEST(EmittedSchedules, GiveTheRatesAndMomentaOfPyTorch) {
    const Json references = readJsonFile(PLUMBLINE_SCHEDULERS).value();
    const auto cases = test::scheduleCases(references);
    ASSERT_EQ(cases.size(), std::size(kEmittedSchedules));
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Json& reference = *cases[i].reference;
        const EmittedSchedule& emitted = kEmittedSchedules[i];
        const std::string what = reference.at("scheduler").get<std::string>() + " " + reference.at("options").dump();
        const auto count = static_cast<std::int64_t>(reference.at("lr").size());
        std::vector<double> rates, momenta;
        if (emitted.follow != nullptr) {
            emitted.follow(references.at("metric").get<std::vector<double>>(), 0.1, rates);
        }
        for (std::int64_t t = 0; t < count; ++t) {
            if (emitted.follow == nullptr) {
                rates.push_back(emitted.rate(0.1, t, count));
            }
            if (emitted.momentum != nullptr) {
                momenta.push_back(emitted.momentum(t, count));
            }
        }
        expectSeries(reference.at("lr"), rates, what);
        EXPECT_EQ(reference.contains("momentum"), emitted.momentum != nullptr) << what;
        if (emitted.momentum != nullptr && reference.contains("momentum")) {
            expectSeries(reference.at("momentum"), momenta, what);
        }
    }
}
