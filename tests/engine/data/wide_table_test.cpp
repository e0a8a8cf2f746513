// That tables with very many columns cost by their number, as a ratio of processor times.

#include <algorithm>
#include <cstdio>

#include "data/inspect.h"
#include "fixtures.h"
#include "support/thread_time.h"

namespace plumbline::data {
namespace {

using testing::bestOf;

/// A header of so many columns, a class among them, and a few rows; every tenth column has a gap.
std::string tableOf(int columns) {
    std::string text = "y";
    for (int c = 1; c < columns; ++c) {
        text += ",column_" + std::to_string(c);
    }
    text += '\n';
    for (int row = 0; row < 12; ++row) {
        text += row % 2 == 0 ? "1" : "2";
        for (int c = 1; c < columns; ++c) {
            text += c % 10 == 0 && row == 3 ? std::string(",") : "," + std::to_string((c * 7 + row * 13) % 101);
        }
        text += '\n';
    }
    return text;
}

class WideTable : public ::testing::Test {
protected:
    /// "all": the inputs are "t.*"; "named": each column by its name, as beside columns of text; "ignored": all but one
    /// are left out.
    Json specOfWide(const std::string& kind, int columns) {
        Json json = tableSpec({{"missing", "median"}});
        Json names = Json::array();
        for (int c = 1; c < columns; ++c) {
            names.push_back("t.column_" + std::to_string(c));
        }
        if (kind == "named") {
            json["inputs"]["x"]["from"] = std::move(names);
        } else if (kind == "ignored") {
            for (Json& name : names) {
                name = name.get<std::string>().substr(2);
            }
            names.erase(0);
            json["sources"]["t"]["ignore"] = std::move(names);
        }
        return json;
    }

    TemporaryFolder m_folder;
};

TEST_F(WideTable, TenTimesTheColumnsTakeTenTimesAsLong) {
    for (const std::string kind : {"all", "named", "ignored"}) {
        double times[2] = {};
        for (const int large : {0, 1}) {
            const int columns = large == 0 ? 2000 : 20000;
            m_folder.write("table.csv", tableOf(columns));
            const DataSpec spec = specOf(specOfWide(kind, columns));
            times[large] = bestOf(large == 0 ? 5 : 2, [&] {
                const auto dataset = Dataset::open(spec, m_folder.path());
                ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
                EXPECT_EQ((*dataset)->inputs()[0].columns.size(),
                          kind == "ignored" ? 1U : static_cast<std::size_t>(columns) - 1);
            });
        }
        std::printf("20,000 columns, %s: %.1f ms, %.1f times 2,000 columns\n", kind.c_str(), times[1],
                    times[1] / times[0]);
        EXPECT_LT(times[1] / times[0], 40.0) << kind << ": a quadratic step would make it a hundred times";
    }
}

TEST_F(WideTable, ItIsLookedAtAndARowOfItIsReadInProportionToo) {
    double look[2] = {}, read[2] = {};
    for (const int large : {0, 1}) {
        const int columns = large == 0 ? 2000 : 20000;
        const auto file = m_folder.write("table.csv", tableOf(columns));
        look[large] = bestOf(large == 0 ? 5 : 2, [&] { ASSERT_TRUE(inspectTable(file).has_value()); });
        const auto dataset = *open(specOfWide("all", columns), m_folder.path());
        std::string pairs;
        for (int c = columns - 1; c > 0; --c) {
            pairs += (pairs.empty() ? "column_" : ",column_") + std::to_string(c) + "=" + std::to_string(c);
        }
        read[large] = bestOf(large == 0 ? 5 : 2, [&] { ASSERT_TRUE(dataset->makeInput(pairs).has_value()); });
    }
    EXPECT_LT(look[1] / look[0], 40.0);
    EXPECT_LT(read[1] / read[0], 40.0);
}

}  // namespace
}  // namespace plumbline::data
