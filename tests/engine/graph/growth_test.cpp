// That the cost of resolving grows with the model, as a ratio of processor times; tests/bench/graph measures how long
// it takes.

#include <gtest/gtest.h>

#include <cstdio>

#include "graph_support.h"
#include "support/thread_time.h"

namespace plumbline::graph {
namespace {

using testing::bestOf;

/// Convolution, norm and activation by turns in one chain of `count` blocks.
Json chainOf(int count) {
    Json nodes = Json::object();
    std::string from = "x";
    for (int i = 0; i < count; ++i) {
        const std::string name = "block" + std::to_string(i);
        Json node = {{"type", i % 3 == 0 ? "Conv2d" : i % 3 == 1 ? "BatchNorm2d" : "ReLU"}, {"from", from}};
        if (i % 3 == 0) {
            node["params"] = {{"out_channels", "=8 * 2"}, {"kernel_size", 3}, {"padding", 1}};
        }
        nodes.get_ref<Json::object_t&>().std::vector<std::pair<const std::string, Json>>::emplace_back(name,
                                                                                                       std::move(node));
        from = name;
    }
    return {{"graph",
             {{"inputs", {{"x", {{"shape", {"B", 3, 16, 16}}, {"dtype", "float32"}}}}},
              {"nodes", nodes},
              {"outputs", {{"y", from}}}}}};
}

TEST(Growth, TenThousandBlocksTakeTenTimesAsLong) {
    const Document small = documentOf(chainOf(1000));
    const Document large = documentOf(chainOf(10000));
    const double one = bestOf(5, [&] { (void)resolve(small, blocks::builtinBlocks()); });
    const double ten = bestOf(3, [&] { (void)resolve(large, blocks::builtinBlocks()); });
    std::printf("10,000 blocks: resolve %.2f ms, %.1f times 1,000 blocks\n", ten, ten / one);
    EXPECT_LT(ten / one, 40.0) << "a quadratic step would make it a hundred times";
}

TEST(Growth, TenThousandSwitchedOffBlocksAreNoTrouble) {
    Json model = chainOf(10000);
    for (auto& [name, node] : model["graph"]["nodes"].items()) {
        node["enabled"] = name == "block9999";
    }
    model["graph"]["nodes"]["block9999"] = {{"type", "ReLU"}, {"from", "block9998"}};
    const Document document = documentOf(model);
    EXPECT_TRUE(resolve(document, blocks::builtinBlocks()).ok());
}

}  // namespace
}  // namespace plumbline::graph
