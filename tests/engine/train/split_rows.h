#pragma once
// Rows of a TinyProject's table, by the split that they fall into: it depends on their number and the seed alone.

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "run_fixture.h"

namespace plumbline::test {

/// Changes the cells (x0 … x3, distance, class) of at most so many rows of a split; rows are known by their x1, which
/// is one of its own in each.
inline void changeRows(const TinyProject& project, data::Split split, std::size_t most,
                       const std::function<void(std::vector<std::string>& cells)>& change) {
    const project::Project read = project.read();
    const auto dataset = data::Dataset::open(read.data, read.folder);
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    std::vector<std::int64_t> positions(static_cast<std::size_t>((*dataset)->size(split)));
    std::iota(positions.begin(), positions.end(), 0);
    const auto batch = (*dataset)->makeBatch(split, positions, 0, false);
    ASSERT_TRUE(batch.has_value());
    const auto* x = batch->inputs[0].as<float>();
    std::set<float> there;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        there.insert(x[4 * i + 1]);
    }
    const auto text = readFile(project.folder() / "points.csv");
    ASSERT_TRUE(text.has_value());
    std::istringstream lines(*text);
    std::string line, all;
    std::size_t changed = 0;
    while (std::getline(lines, line)) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');) {
            cells.push_back(cell);
        }
        if (changed < most && there.contains(std::strtof(cells[1].c_str(), nullptr)) && cells[0] != "x0") {
            change(cells);
            ++changed;
        }
        for (std::size_t i = 0; i < cells.size(); ++i) {
            all += (i == 0 ? "" : ",") + cells[i];
        }
        all += "\n";
    }
    EXPECT_EQ(changed, std::min(most, positions.size()));
    ASSERT_TRUE(writeFileAtomically(project.folder() / "points.csv", all).has_value());
}

}  // namespace plumbline::test
