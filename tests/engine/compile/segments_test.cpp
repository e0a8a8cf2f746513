// Where a model can be cut.

#include <gtest/gtest.h>

#include "compile/segments.h"
#include "engine/model/graph_maker.h"

namespace plumbline::compile {
namespace {

using model::testing::GraphMaker;

TEST(Segments, AreTheBlocksOfTheRootCanvasInTheOrderOfExecution) {
    GraphMaker maker;
    const graph::ValueId x = maker.input("x", {2, 3});
    const graph::ValueId a = maker.leaf("block.a", "ReLU", {}, {x});
    const graph::ValueId b = maker.leaf("block.b", "ReLU", {}, {a});
    maker.output("y", maker.leaf("fc", "ReLU", {}, {b}));
    const std::vector<Segment> segments = segmentsOf(maker.model());
    ASSERT_EQ(segments.size(), 2U);
    EXPECT_EQ(segments[0].blocks, std::vector<std::string>{"block"});
    EXPECT_EQ(segments[0].first, 0U);
    EXPECT_EQ(segments[0].count, 2U);
    EXPECT_EQ(segments[1].blocks, std::vector<std::string>{"fc"});
    EXPECT_EQ(segments[1].first, 2U);
    EXPECT_EQ(segments[1].count, 1U);
    EXPECT_EQ(nameOf(joined(segments, 0, 2)), "block … fc");
    EXPECT_EQ(joined(segments, 0, 2).count, 3U);
}

TEST(Segments, OfBlocksWhoseLeavesTakeTurnsAreOne) {
    GraphMaker maker;
    const graph::ValueId x = maker.input("x", {2, 3});
    const graph::ValueId a = maker.leaf("a.0", "ReLU", {}, {x});
    const graph::ValueId b = maker.leaf("b.0", "ReLU", {}, {x});
    const graph::ValueId c = maker.leaf("a.1", "ReLU", {}, {a});
    const graph::ValueId d = maker.leaf("b.1", "ReLU", {}, {b});
    maker.output("y", maker.leaf("add", "Add", {}, {c, d}));
    const std::vector<Segment> segments = segmentsOf(maker.model());
    ASSERT_EQ(segments.size(), 2U);
    EXPECT_EQ(segments[0].blocks, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(segments[0].count, 4U);
    EXPECT_EQ(segments[1].first, 4U);
}

TEST(Part, ReadsWhatOthersMakeAndGivesWhatOthersRead) {
    GraphMaker maker;
    const graph::ValueId x = maker.input("x", {2, 3});
    const graph::ValueId before = maker.leaf("before", "ReLU", {}, {x});
    const graph::ValueId a = maker.leaf("a", "Add", {}, {before, x});
    const graph::ValueId b = maker.leaf("b", "ReLU", {}, {a});
    const graph::ValueId after = maker.leaf("after", "Add", {}, {b, x});
    maker.output("y", after);
    maker.output("z", a);
    const model::Part part = model::partOf(maker.model(), 1, 2);
    EXPECT_EQ(part.inputs, (std::vector<graph::ValueId>{before, x}));
    EXPECT_EQ(part.outputs, (std::vector<graph::ValueId>{a, b}));
    EXPECT_EQ(model::partOf(maker.model(), 2, 1).outputs, std::vector<graph::ValueId>{b});
}

}  // namespace
}  // namespace plumbline::compile
