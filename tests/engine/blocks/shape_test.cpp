// Shape rules where they are easy to get wrong, against PyTorch's documented formulas worked out by hand.

#include <gtest/gtest.h>

#include "blocks_support.h"

namespace plumbline::blocks {
namespace {

using graph::Dim;
using graph::TensorType;

TensorType floats(std::vector<Dim> dims) {
    return {DType::kFloat32, std::move(dims)};
}

std::string shape(const std::string& type, const Json& params, const std::vector<TensorType>& inputs,
                  std::size_t output = 0) {
    const auto result = inferred(type, params, inputs);
    return result ? result->outputs.at(output).shapeText() : result.error().code;
}

TEST(Shapes, Conv2d) {
    const TensorType image = floats({Dim::symbol("B"), 3, 32, 31});
    EXPECT_EQ(shape("Conv2d", {{"out_channels", 8}, {"kernel_size", 3}}, {image}), "B, 8, 30, 29");
    EXPECT_EQ(shape("Conv2d", {{"out_channels", 8}, {"kernel_size", 7}, {"stride", 2}, {"padding", 3}}, {image}),
              "B, 8, 16, 16");
    EXPECT_EQ(shape("Conv2d", {{"out_channels", 8}, {"kernel_size", 4}, {"padding", "same"}, {"dilation", 3}}, {image}),
              "B, 8, 32, 31");
    EXPECT_EQ(shape("Conv2d", {{"out_channels", 8}, {"kernel_size", 3}, {"padding", "same"}, {"stride", 2}}, {image}),
              "bad-parameter");
    EXPECT_EQ(shape("Conv2d", {{"out_channels", 8}, {"kernel_size", 3}, {"groups", 2}}, {image}), "bad-parameter");
    EXPECT_EQ(shape("Conv2d", {{"out_channels", 8}, {"kernel_size", 33}}, {image}), "shape-mismatch");
    EXPECT_EQ(shape("Conv2d", {{"out_channels", 8}, {"kernel_size", 32}, {"padding", {0, 1}}}, {image}), "B, 8, 1, 2");
    EXPECT_EQ(shape("Conv2d", {{"out_channels", 8}, {"kernel_size", 3}, {"padding", 31}, {"padding_mode", "reflect"}},
                    {image}),
              "shape-mismatch");
    EXPECT_EQ(shape("Conv2d", {{"out_channels", 8}, {"kernel_size", 3}, {"padding", 31}, {"padding_mode", "circular"}},
                    {image}),
              "B, 8, 92, 91");
    EXPECT_EQ(shape("Conv2d", {{"out_channels", 8}, {"kernel_size", 3}}, {floats({3, 8, 8})}), "8, 6, 6");
    EXPECT_EQ(shape("Conv2d", {{"out_channels", 8}, {"kernel_size", 3}}, {floats({3, 8})}), "shape-mismatch");
    const auto depthwise =
        inferred("Conv2d", {{"out_channels", 6}, {"kernel_size", {3, 5}}, {"groups", 3}, {"bias", false}},
                 {floats({2, 3, 8, 8})});
    ASSERT_TRUE(depthwise);
    EXPECT_EQ(depthwise->cost.parameters, 6 * 1 * 15);
    EXPECT_EQ(depthwise->cost.macs.constant(), 2 * 6 * 6 * 4 * 15);
    EXPECT_EQ(depthwise->cost.activationBytes.constant(), 2 * 6 * 6 * 4 * 4);
}

TEST(Shapes, ConvTranspose2d) {
    const TensorType image = floats({Dim::symbol("B"), 4, 7, Dim::symbol("W")});
    EXPECT_EQ(
        shape("ConvTranspose2d", {{"out_channels", 8}, {"kernel_size", 4}, {"stride", 2}, {"padding", 1}}, {image}),
        "B, 8, 14, 2*W");
    EXPECT_EQ(shape("ConvTranspose2d", {{"out_channels", 8}, {"kernel_size", 3}, {"output_padding", 1}}, {image}),
              "bad-parameter");
    EXPECT_EQ(shape("ConvTranspose2d",
                    {{"out_channels", 8},
                     {"kernel_size", {3, 1}},
                     {"stride", {1, 2}},
                     {"dilation", {3, 1}},
                     {"output_padding", {2, 1}}},
                    {image}),
              "B, 8, 15, 2*W");
    EXPECT_EQ(shape("ConvTranspose2d", {{"out_channels", 6}, {"kernel_size", 3}, {"groups", 4}}, {image}),
              "bad-parameter");
    EXPECT_EQ(shape("ConvTranspose2d", {{"out_channels", 8}, {"kernel_size", 1}, {"padding", 4}}, {image}),
              "shape-mismatch");
    const auto grouped =
        inferred("ConvTranspose2d", {{"out_channels", 6}, {"kernel_size", {3, 5}}, {"groups", 2}, {"stride", 2}},
                 {floats({2, 4, 8, 8})});
    ASSERT_TRUE(grouped);
    EXPECT_EQ(grouped->cost.parameters, 4 * 3 * 15 + 6);
    EXPECT_EQ(grouped->cost.macs.constant(), 2 * 4 * 64 * 3 * 15);
}

TEST(Shapes, Upsample) {
    const TensorType image = floats({Dim::symbol("B"), 3, 5, Dim::symbol("W")});
    EXPECT_EQ(shape("Upsample", {{"scale_factor", 2}}, {image}), "B, 3, 10, 2*W");
    EXPECT_EQ(shape("Upsample", {{"scale_factor", 1.5}}, {image}), "size-not-fixed");
    EXPECT_EQ(shape("Upsample", {{"scale_factor", 1.7}}, {floats({1, 3, 5, 4})}), "1, 3, 8, 6");
    EXPECT_EQ(shape("Upsample", {{"scale_factor", 0.1}}, {floats({1, 3, 5, 4})}), "bad-parameter");
    EXPECT_EQ(shape("Upsample", {{"size", {7, 9}}, {"mode", "bilinear"}, {"align_corners", true}}, {image}),
              "B, 3, 7, 9");
    EXPECT_EQ(shape("Upsample", {{"size", 7}, {"align_corners", true}}, {image}), "bad-parameter");
    EXPECT_EQ(shape("Upsample", {{"size", 7}, {"scale_factor", 2}}, {image}), "bad-parameter");
    EXPECT_EQ(shape("Upsample", Json::object(), {image}), "bad-parameter");
}

TEST(Shapes, InstanceNormWantsABatchAndMoreThanOneValueAChannel) {
    EXPECT_EQ(shape("InstanceNorm2d", Json::object(), {floats({Dim::symbol("B"), 3, 4, 1})}), "B, 3, 4, 1");
    EXPECT_EQ(shape("InstanceNorm2d", Json::object(), {floats({Dim::symbol("B"), 3, 1, 1})}), "shape-mismatch");
    EXPECT_EQ(shape("InstanceNorm2d", Json::object(), {floats({3, 4, 4})}), "shape-mismatch");
    EXPECT_EQ(shape("InstanceNorm1d", Json::object(), {floats({2, 3, Dim::symbol("L")})}), "2, 3, L");
    EXPECT_EQ(shape("InstanceNorm1d", Json::object(), {floats({2, 3})}), "shape-mismatch");
}

TEST(Shapes, Attention) {
    const Dim batch = Dim::symbol("B");
    const Dim steps = Dim::symbol("T");
    const Json heads{{"num_heads", 2}, {"batch_first", true}};
    EXPECT_EQ(shape("MultiheadAttention", heads, {floats({batch, steps, 8})}), "B, T, 8");
    EXPECT_EQ(shape("MultiheadAttention", heads,
                    {floats({batch, 3, 8}), floats({batch, steps, 6}), floats({batch, steps, 4})}),
              "B, 3, 8");
    EXPECT_EQ(shape("MultiheadAttention", {{"num_heads", 2}}, {floats({5, 2, 7})}), "bad-parameter");
    EXPECT_EQ(shape("MultiheadAttention", heads, {floats({2, 3, 8}), floats({2, 5, 8}), floats({2, 4, 8})}),
              "shape-mismatch");
    EXPECT_EQ(shape("MultiheadAttention", heads, {floats({2, 3, 8}), floats({3, 5, 8})}), "shape-mismatch");
    EXPECT_EQ(shape("MultiheadAttention", heads, {floats({3, 8})}), "shape-mismatch");
    const auto wrongKeys =
        inferred("MultiheadAttention", {{"num_heads", 2}, {"kdim", 5}}, {floats({3, 2, 8}), floats({4, 2, 6})});
    ASSERT_FALSE(wrongKeys);
    EXPECT_EQ(wrongKeys.error().where, "kdim");
    EXPECT_NE(wrongKeys.error().message.find("{1}"), std::string::npos)
        << "it is about the keys: " << wrongKeys.error().message;

    const auto costs = inferred("MultiheadAttention", {{"num_heads", 2}, {"batch_first", true}}, {floats({3, 5, 8})});
    ASSERT_TRUE(costs);
    EXPECT_EQ(costs->cost.macs.constant(), 3 * (4 * 5 * 8 * 8 + 2 * 5 * 5 * 8));
    const auto layer = inferred("TransformerEncoderLayer",
                                {{"nhead", 2}, {"dim_feedforward", 16}, {"batch_first", true}}, {floats({3, 5, 8})});
    ASSERT_TRUE(layer);
    EXPECT_EQ(layer->cost.macs.constant(), 3 * (4 * 5 * 8 * 8 + 2 * 5 * 5 * 8 + 2 * 5 * 8 * 16));
}

TEST(Shapes, TransformerLayersAndPositions) {
    const Json layer{{"nhead", 2}, {"batch_first", true}};
    EXPECT_EQ(shape("TransformerEncoderLayer", layer, {floats({Dim::symbol("B"), 5, 8})}), "B, 5, 8");
    EXPECT_EQ(shape("TransformerEncoderLayer", {{"nhead", 3}}, {floats({5, 2, 8})}), "bad-parameter");
    EXPECT_EQ(shape("TransformerDecoderLayer", layer, {floats({2, 3, 8}), floats({2, 5, 8})}), "2, 3, 8");
    EXPECT_EQ(shape("TransformerDecoderLayer", layer, {floats({2, 3, 8}), floats({2, 5, 6})}), "inferred-disagrees");
    EXPECT_EQ(shape("TransformerDecoderLayer", layer, {floats({2, 3, 8}), floats({4, 5, 8})}), "shape-mismatch");
    EXPECT_EQ(shape("PositionalEncoding", {{"max_len", 4}}, {floats({5, 2, 8})}), "shape-mismatch");
    EXPECT_EQ(shape("PositionalEncoding", {{"max_len", 4}}, {floats({4, 9, 8})}), "4, 9, 8")
        << "positions lie along the first dimension";
    EXPECT_EQ(shape("PositionalEncoding", Json::object(), {floats({4, 9, 7})}), "shape-mismatch");
    EXPECT_EQ(shape("LearnedPositionalEncoding", {{"max_len", 4}, {"batch_first", true}}, {floats({9, 4, 7})}),
              "9, 4, 7");
}

TEST(Shapes, PoolingRoundsDownAndUpAsPyTorchDoes) {
    const TensorType image = floats({1, 2, 7, 8});
    EXPECT_EQ(shape("MaxPool2d", {{"kernel_size", 2}}, {image}), "1, 2, 3, 4");
    EXPECT_EQ(shape("MaxPool2d", {{"kernel_size", 2}, {"ceil_mode", true}}, {image}), "1, 2, 4, 4");
    // The last window would begin in the padding on the far side: it is dropped.
    EXPECT_EQ(shape("MaxPool2d", {{"kernel_size", 2}, {"stride", 3}, {"padding", 1}, {"ceil_mode", true}}, {image}),
              "1, 2, 3, 3");
    EXPECT_EQ(shape("MaxPool2d", {{"kernel_size", 2}, {"padding", 2}}, {image}), "bad-parameter");
    EXPECT_EQ(shape("MaxPool2d", {{"kernel_size", 9}}, {image}), "shape-mismatch");
    EXPECT_EQ(shape("AvgPool2d", {{"kernel_size", {3, 2}}, {"stride", 1}}, {image}), "1, 2, 5, 7");
    EXPECT_EQ(shape("AdaptiveAvgPool2d", {{"output_size", {nullptr, 3}}}, {image}), "1, 2, 7, 3");
    const TensorType open = floats({1, 2, Dim::symbol("H"), 8});
    EXPECT_EQ(shape("MaxPool2d", {{"kernel_size", 3}, {"stride", 2}, {"ceil_mode", true}}, {open}),
              "1, 2, (H) // 2, 4");
    EXPECT_EQ(shape("MaxPool2d", {{"kernel_size", 2}, {"stride", 3}, {"ceil_mode", true}}, {open}), "size-not-fixed");
}

TEST(Shapes, Recurrent) {
    const TensorType sequence = floats({Dim::symbol("T"), Dim::symbol("B"), 4});
    EXPECT_EQ(shape("LSTM", {{"hidden_size", 5}}, {sequence}), "T, B, 5");
    EXPECT_EQ(shape("LSTM", {{"hidden_size", 5}, {"num_layers", 2}, {"bidirectional", true}, {"proj_size", 3}},
                    {sequence}, 1),
              "4, B, 3");
    EXPECT_EQ(shape("LSTM", {{"hidden_size", 5}, {"num_layers", 2}, {"bidirectional", true}, {"proj_size", 3}},
                    {sequence}, 2),
              "4, B, 5");
    EXPECT_EQ(shape("GRU", {{"hidden_size", 5}, {"batch_first", true}}, {sequence}, 1), "1, T, 5")
        << "the first dimension is then the batch";
    EXPECT_EQ(shape("GRU", {{"hidden_size", 5}}, {floats({6, 4})}), "shape-mismatch");
    EXPECT_EQ(shape("LSTM", {{"hidden_size", 5}, {"proj_size", 5}}, {sequence}), "bad-parameter");
    EXPECT_EQ(shape("GRU", {{"hidden_size", 5}}, {sequence, floats({2, Dim::symbol("B"), 5})}), "shape-mismatch");
    const auto lstm = inferred("LSTM", {{"hidden_size", 5}, {"num_layers", 2}}, {floats({6, 2, 4})});
    ASSERT_TRUE(lstm);
    EXPECT_EQ(lstm->cost.macs.constant(), 6 * 2 * (20 * 4 + 20 * 5 + 20 * 5 + 20 * 5));
    EXPECT_EQ(lstm->state[0].name, "weight_ih_l0");
    EXPECT_EQ(lstm->state[4].name, "weight_ih_l1");
}

TEST(Shapes, MergesStretchOnesAndRefuseTheRest) {
    const Dim b = Dim::symbol("B");
    EXPECT_EQ(shape("Add", {}, {floats({b, 4, 1}), floats({5})}), "B, 4, 5");
    EXPECT_EQ(shape("Add", {}, {floats({b, 4}), floats({b, 5})}), "shape-mismatch");
    EXPECT_EQ(shape("Add", {}, {floats({b}), floats({Dim::symbol("T")})}), "shape-mismatch");
    EXPECT_EQ(shape("Add", {}, {floats({b})}), "too-few-inputs");
    EXPECT_EQ(shape("Concat", {{"dim", -1}}, {floats({b, 4}), floats({b, Dim::symbol("T")})}), "B, T + 4");
    EXPECT_EQ(shape("Concat", {{"dim", 0}}, {floats({b, 4}), floats({b, 4})}), "2*B, 4");
    EXPECT_EQ(shape("Concat", {{"dim", 2}}, {floats({b, 4}), floats({b, 4})}), "bad-dimension");
    const auto mixed =
        inferred("Multiply", {},
                 {TensorType{DType::kInt64, {2}}, TensorType{DType::kFloat16, {2}}, TensorType{DType::kBFloat16, {2}}});
    ASSERT_TRUE(mixed);
    EXPECT_EQ(mixed->outputs[0].dtype, DType::kFloat32);
    EXPECT_EQ(inferred("Add", {}, {TensorType{DType::kInt8, {2}}, TensorType{DType::kUInt8, {2}}})->outputs[0].dtype,
              DType::kInt16);
    EXPECT_EQ(inferred("Add", {}, {TensorType{DType::kInt64, {2}}, TensorType{DType::kFloat16, {2}}})->outputs[0].dtype,
              DType::kFloat16);
}

TEST(Shapes, APackageGivesWhatIsDeclaredOfItWhereWhatItGetsIsDeclaredToo) {
    const Dim b = Dim::symbol("B"), t = Dim::symbol("T");
    const auto package = [](const char* inputs, const char* output) {
        return Json{{"path", "a.pt2"}, {"inputs", inputs}, {"output", output}};
    };
    EXPECT_EQ(shape("AOTIPackage", package("float32 [B, 1, 8, 8]", "float32 [B, 32]"), {floats({b, 1, 8, 8})}),
              "B, 32");
    EXPECT_EQ(shape("AOTIPackage", package("float32 [N, 4]", "float32 [N]"), {floats({b * Dim(2), 4})}), "2*B")
        << "a symbol is the package's own";
    EXPECT_EQ(shape("AOTIPackage", package(" float32[N,L] ,int64 [N] ", "float32 [L, N]"),
                    {floats({b, t}), TensorType{DType::kInt64, {b}}}),
              "T, B");
    EXPECT_EQ(inferred("AOTIPackage", package("float32 [B]", "int64 []"), {floats({b})})->outputs[0],
              (TensorType{DType::kInt64, {}}));
    EXPECT_EQ(shape("AOTIPackage", package("float32 [N, N]", "float32 [N]"), {floats({b, t})}), "shape-mismatch");
    EXPECT_EQ(shape("AOTIPackage", package("float32 [8, 4]", "float32 [8]"), {floats({b, 4})}), "shape-mismatch")
        << "a fixed batch is no open one";
    EXPECT_EQ(shape("AOTIPackage", package("float32 [B, 4]", "float32 [B]"), {floats({b, 5})}), "shape-mismatch");
    EXPECT_EQ(shape("AOTIPackage", package("float32 [B, 4]", "float32 [B]"), {floats({b})}), "shape-mismatch");
    EXPECT_EQ(shape("AOTIPackage", package("float32 [B]", "float32 [B]"), {TensorType{DType::kInt64, {b}}}),
              "dtype-mismatch");
    EXPECT_EQ(shape("AOTIPackage", package("float32 [B]", "float32 [B]"), {floats({b}), floats({b})}), "input-count");
    EXPECT_EQ(shape("AOTIPackage", package("float32 [B]", "float32 [C]"), {floats({b})}), "bad-parameter")
        << "no input has C";
    EXPECT_EQ(shape("AOTIPackage", package("float32 [B]", "float32 [B], float32 [B]"), {floats({b})}), "bad-parameter");
    for (const char* wrong :
         {"", " ", "float32", "[B]", "float33 [B]", "float32 [B", "float32 B]", "float32 ]B[", "float32 [B],",
          ", float32 [B]", "float32 [B] float32 [B]", "float32 [0]", "float32 [-1]", "float32 [B,]", "float32 [,]",
          "float32 [2*B]", "float32 [99999999999]", "float32 [1,1,1,1,1,1,1,1,1]", "float32 [B]]"}) {
        EXPECT_EQ(shape("AOTIPackage", package(wrong, "float32 [B]"), {floats({b})}), "bad-parameter") << wrong;
    }
    EXPECT_EQ(inferred("AOTIPackage", package("float32 [B, 1, 8, 8]", "float32 [B, 32]"), {floats({b, 1, 8, 8})})
                  ->cost.parameters,
              0);
}

TEST(Shapes, Tensors) {
    const Dim b = Dim::symbol("B");
    EXPECT_EQ(shape("Flatten", {}, {floats({b, 3, 4, 5})}), "B, 60");
    EXPECT_EQ(shape("Flatten", {{"start_dim", 0}}, {floats({b, 3})}), "3*B");
    EXPECT_EQ(shape("Flatten", {{"start_dim", 2}, {"end_dim", 1}}, {floats({b, 3, 4})}), "bad-dimension");
    EXPECT_EQ(shape("Reshape", {{"shape", {-1, 6, 2}}}, {floats({b, 12})}), "B, 6, 2");
    EXPECT_EQ(shape("Reshape", {{"shape", {-1, 24}}}, {floats({b, 12})}), "shape-mismatch")
        << "whether B is even is not known";
    EXPECT_EQ(shape("Reshape", {{"shape", {4, 3}}}, {floats({12})}), "4, 3");
    EXPECT_EQ(shape("Reshape", {{"shape", {5, 3}}}, {floats({12})}), "shape-mismatch");
    EXPECT_EQ(shape("Reshape", {{"shape", {-1, -1}}}, {floats({12})}), "bad-parameter");
    EXPECT_EQ(shape("Permute", {{"dims", {0, -1, 1}}}, {floats({b, 3, 4})}), "B, 4, 3");
    EXPECT_EQ(shape("Permute", {{"dims", {0, 0, 1}}}, {floats({b, 3, 4})}), "bad-dimension");
    EXPECT_EQ(shape("Select", {}, {floats({b, Dim::symbol("T"), 4})}), "B, 4");
    EXPECT_EQ(shape("Select", {{"index", 3}}, {floats({b, 3, 4})}), "bad-parameter");
    EXPECT_EQ(shape("Mean", {{"dim", {2, 3}}}, {floats({b, 3, 4, 5})}), "B, 3");
    EXPECT_EQ(shape("Mean", {}, {floats({b, 3})}), "") << "one number";
    EXPECT_EQ(inferred("ArgMax", {}, {floats({b, 3})})->outputs[0], (TensorType{DType::kInt64, {b}}));
    EXPECT_EQ(inferred("Sigmoid", {}, {TensorType{DType::kInt64, {b}}})->outputs[0].dtype, DType::kFloat32);
    EXPECT_EQ(inferred("ReLU", {}, {TensorType{DType::kInt64, {b}}})->outputs[0].dtype, DType::kInt64);
    EXPECT_EQ(shape("GELU", {}, {TensorType{DType::kInt64, {b}}}), "dtype-mismatch");
}

}  // namespace
}  // namespace plumbline::blocks
