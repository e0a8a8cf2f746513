#include "fixtures.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "data/pipeline.h"
#include "data/resize_plan.h"
#include "data/statistics.h"

namespace plumbline::data {
namespace {

ValueType typeOf(DType dtype, std::vector<std::int64_t> dims) {
    ValueType type;
    type.dtype = dtype;
    type.dims = std::move(dims);
    return type;
}

Result<Pipeline> pipelineOf(const ValueType& type, const std::string& transforms, DType floating = DType::kFloat32,
                            FeedInfo::Statistics statistics = {}) {
    Pipeline pipeline(type);
    for (const Json& transform : parsed(transforms)) {
        BindContext context;
        context.floating = floating;
        context.pointer = "/t";
        context.trainStatistics = [&]() -> Result<FeedInfo::Statistics> { return statistics; };
        PLUMBLINE_TRY(pipeline.append(transform, context));
    }
    return pipeline;
}

template <class Out, class In>
std::vector<Out> run(const Pipeline& pipeline, const std::vector<In>& in, Random* random = nullptr) {
    std::vector<Out> out(static_cast<std::size_t>(pipeline.type().elementCount()));
    EXPECT_EQ(pipeline.type().byteCount(), out.size() * sizeof(Out));
    const Status status =
        pipeline.run(reinterpret_cast<const std::byte*>(in.data()), reinterpret_cast<std::byte*>(out.data()), random);
    EXPECT_TRUE(status.has_value()) << (status ? "" : toSentence(status.error()));
    return out;
}

template <class In>
std::vector<float> transformed(const ValueType& type, const std::string& transforms, const std::vector<In>& in) {
    const auto pipeline = pipelineOf(type, transforms);
    EXPECT_TRUE(pipeline.has_value()) << (pipeline ? "" : toSentence(pipeline.error()));
    return pipeline ? run<float>(*pipeline, in) : std::vector<float>{};
}

TEST(Transforms, ScaleAndNormalizeWorkAChannel) {
    const ValueType image = typeOf(DType::kUInt8, {2, 1, 2});
    const std::vector<std::uint8_t> pixels = {0, 16, 8, 4};
    EXPECT_EQ(transformed(image, R"([{"type": "scale", "by": 0.5}])", pixels), (std::vector<float>{0, 8, 4, 2}));
    EXPECT_EQ(transformed(image, R"([{"type": "normalize", "mean": [8, 4], "std": [2, 4]}])", pixels),
              (std::vector<float>{-4, 4, 1, 0}));
    EXPECT_EQ(transformed(image, R"([{"type": "to_float"}])", pixels), (std::vector<float>{0, 16, 8, 4}));
    EXPECT_FALSE(pipelineOf(image, R"([{"type": "normalize", "mean": [1, 2, 3], "std": 1}])").has_value());
}

TEST(Transforms, NeighbouringScalesBecomeOneAndRoundOnce) {
    const ValueType image = typeOf(DType::kUInt8, {1, 1, 256});
    std::vector<std::uint8_t> pixels(256);
    std::iota(pixels.begin(), pixels.end(), std::uint8_t{0});
    const auto values = transformed(
        image, R"([{"type": "scale", "by": 0.00392156862745098}, {"type": "normalize", "mean": 0.13, "std": 0.31}])",
        pixels);
    for (int i = 0; i < 256; ++i) {
        EXPECT_FLOAT_EQ(values[static_cast<std::size_t>(i)], static_cast<float>((i / 255.0 - 0.13) / 0.31));
    }
    // The same through floats, and per channel after a single one.
    std::vector<float> floats(pixels.begin(), pixels.end());
    EXPECT_EQ(transformed(typeOf(DType::kFloat32, {1, 1, 256}),
                          R"([{"type": "scale", "by": 2}, {"type": "normalize", "mean": [1], "std": [4]}])", floats)[3],
              1.25F);
}

TEST(Transforms, Float64OnPurposeStaysFloat64) {
    const auto pipeline = pipelineOf(typeOf(DType::kFloat64, {2}), R"([{"type": "scale", "by": 3}])", DType::kFloat64);
    ASSERT_TRUE(pipeline.has_value());
    EXPECT_EQ(run<double>(*pipeline, std::vector<double>{0.1, 1e-300}), (std::vector<double>{0.1 * 3, 3e-300}));
}

TEST(Transforms, OneHotFlattenAndReshapeChangeTheDims) {
    ValueType label = typeOf(DType::kInt64, {});
    label.classes = {"a", "b", "c"};
    EXPECT_EQ(transformed(label, R"([{"type": "one_hot"}])", std::vector<std::int64_t>{2}),
              (std::vector<float>{0, 0, 1}));
    EXPECT_EQ(transformed(label, R"([{"type": "one_hot", "classes": 4}])", std::vector<std::int64_t>{1}),
              (std::vector<float>{0, 1, 0, 0}));
    EXPECT_EQ(pipelineOf(label, R"([{"type": "one_hot", "classes": 2}])").error().code, "label-out-of-range");
    EXPECT_FALSE(pipelineOf(label, R"([{"type": "scale", "by": 2}])").has_value());

    const ValueType image = typeOf(DType::kFloat32, {1, 2, 3});
    EXPECT_EQ(pipelineOf(image, R"([{"type": "flatten"}])")->type().dims, (std::vector<std::int64_t>{6}));
    EXPECT_EQ(pipelineOf(image, R"([{"type": "reshape", "shape": [-1, 2]}])")->type().dims,
              (std::vector<std::int64_t>{3, 2}));
    EXPECT_EQ(pipelineOf(image, R"([{"type": "reshape", "shape": [4, -1]}])").error().code, "reshape-mismatch");
    EXPECT_EQ(
        pipelineOf(image, R"([{"type": "reshape", "shape": [9223372036854775807, 9223372036854775807]}])").error().code,
        "reshape-mismatch");
    EXPECT_EQ(transformed(image, R"([{"type": "flatten"}])", std::vector<float>{1, 2, 3, 4, 5, 6}),
              (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Transforms, AnOutOfRangeClassIndexIsToldWhenItComes) {
    ValueType label = typeOf(DType::kInt64, {});
    const auto pipeline = pipelineOf(label, R"([{"type": "one_hot", "classes": 3}])");
    ASSERT_TRUE(pipeline.has_value());
    const std::int64_t index = 3;
    std::vector<float> out(3);
    const Status status =
        pipeline->run(reinterpret_cast<const std::byte*>(&index), reinterpret_cast<std::byte*>(out.data()), nullptr);
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, "label-out-of-range");
}

TEST(Transforms, ResizeKeepsConstantsAveragesWhenShrinkingAndInterpolatesWhenGrowing) {
    EXPECT_EQ(transformed(typeOf(DType::kFloat32, {1, 4, 4}), R"([{"type": "resize", "size": [2, 3]}])",
                          std::vector<float>(16, 5.0F)),
              std::vector<float>(6, 5.0F));
    // Pillow's resize([[0, 10]], width 4, BILINEAR) gives 0, 2.5, 7.5, 10.
    EXPECT_EQ(transformed(typeOf(DType::kFloat32, {1, 1, 2}), R"([{"type": "resize", "size": [1, 4]}])",
                          std::vector<float>{0, 10}),
              (std::vector<float>{0, 2.5F, 7.5F, 10}));
    // Shrinking by two weighs 1 3 3 1, cut at the edge: (3 a + 3 b + 1 c) / 7.
    const auto half = transformed(typeOf(DType::kFloat32, {1, 1, 4}), R"([{"type": "resize", "size": [1, 2]}])",
                                  std::vector<float>{0, 7, 14, 21});
    EXPECT_NEAR(half[0], (3 * 0 + 3 * 7 + 14) / 7.0, 1e-5);
    EXPECT_NEAR(half[1], (7 + 3 * 14 + 3 * 21) / 7.0, 1e-5);
    std::vector<std::uint8_t> bytes(4);
    ResizePlan(1, 2, 1, 4).run(std::vector<std::uint8_t>{0, 255}.data(), bytes.data());
    EXPECT_EQ(bytes, (std::vector<std::uint8_t>{0, 64, 191, 255}));
}

TEST(Augmentation, IsLeftOutWithoutAGeneratorAndRepeatsForItsSeed) {
    const ValueType image = typeOf(DType::kFloat32, {2, 5, 5});
    std::vector<float> pixels(50);
    std::iota(pixels.begin(), pixels.end(), 1.0F);
    const auto pipeline =
        pipelineOf(image, R"([{"type": "random_crop", "padding": 2}, {"type": "random_horizontal_flip"},
                                                {"type": "random_rotation", "degrees": 30}, {"type": "add_noise", "std": 0.5}])");
    ASSERT_TRUE(pipeline.has_value()) << toSentence(pipeline.error());
    EXPECT_TRUE(pipeline->isCopy(false));
    EXPECT_FALSE(pipeline->isCopy(true));
    EXPECT_EQ(run<float>(*pipeline, pixels), pixels);
    Random first(5);
    Random again(5);
    Random other(6);
    const auto drawn = run<float>(*pipeline, pixels, &first);
    EXPECT_EQ(drawn, run<float>(*pipeline, pixels, &again));
    EXPECT_NE(drawn, run<float>(*pipeline, pixels, &other));
}

TEST(Augmentation, ACropIsAShiftThatFillsWithZeros) {
    const ValueType image = typeOf(DType::kUInt8, {1, 3, 3});
    const std::vector<std::uint8_t> pixels = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const auto pipeline = pipelineOf(image, R"([{"type": "random_crop", "padding": 1}])");
    std::set<std::pair<int, int>> shifts;
    Random random(1);
    for (int draw = 0; draw < 200; ++draw) {
        const auto out = run<std::uint8_t>(*pipeline, pixels, &random);
        bool matched = false;
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                bool equal = true;
                for (int y = 0; y < 3; ++y) {
                    for (int x = 0; x < 3; ++x) {
                        const bool inside = y + dy >= 0 && y + dy < 3 && x + dx >= 0 && x + dx < 3;
                        const int expected = inside ? pixels[static_cast<std::size_t>((y + dy) * 3 + x + dx)] : 0;
                        equal = equal && out[static_cast<std::size_t>(y * 3 + x)] == expected;
                    }
                }
                if (equal) {
                    shifts.insert({dy, dx});
                    matched = true;
                }
            }
        }
        EXPECT_TRUE(matched);
    }
    EXPECT_EQ(shifts.size(), 9U);
    // A padding wider than the image may shift everything out.
    const auto wide = pipelineOf(image, R"([{"type": "random_crop", "padding": 50}])");
    for (int draw = 0; draw < 50; ++draw) {
        run<std::uint8_t>(*wide, pixels, &random);
    }
}

TEST(Augmentation, AFlipHasItsProbability) {
    const auto pipeline =
        pipelineOf(typeOf(DType::kUInt8, {1, 1, 2}), R"([{"type": "random_horizontal_flip", "p": 0.25}])");
    Random random(3);
    int flipped = 0;
    for (int draw = 0; draw < 4000; ++draw) {
        flipped += run<std::uint8_t>(*pipeline, std::vector<std::uint8_t>{1, 2}, &random)[0] == 2 ? 1 : 0;
    }
    EXPECT_NEAR(flipped / 4000.0, 0.25, 0.03);
}

TEST(Augmentation, ARotationByNothingIsTheImageAndKeepsTheCentre) {
    const ValueType image = typeOf(DType::kFloat32, {1, 3, 3});
    const std::vector<float> pixels = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    Random random(3);
    EXPECT_EQ(run<float>(*pipelineOf(image, R"([{"type": "random_rotation", "degrees": 0}])"), pixels, &random),
              pixels);
    EXPECT_EQ(run<float>(*pipelineOf(image, R"([{"type": "random_rotation", "degrees": 90}])"), pixels, &random)[4],
              5.0F);
}

TEST(Augmentation, NoiseHasItsDeviation) {
    const auto pipeline = pipelineOf(typeOf(DType::kFloat32, {20000}), R"([{"type": "add_noise", "std": 2}])");
    Random random(3);
    const auto noise = run<float>(*pipeline, std::vector<float>(20000, 0.0F), &random);
    double squares = 0;
    for (const float value : noise) {
        squares += static_cast<double>(value) * value;
    }
    EXPECT_NEAR(std::sqrt(squares / 20000), 2.0, 0.05);
    EXPECT_FALSE(pipelineOf(typeOf(DType::kUInt8, {4}), R"([{"type": "add_noise"}])").has_value());
}

TEST(Augmentation, NormalNumbersTakeTheValuesPlaceInTrainingAlone) {
    const auto pipeline = pipelineOf(typeOf(DType::kFloat32, {20000}), R"([{"type": "random_normal", "std": 2}])");
    Random random(3);
    const std::vector<float> values(20000, 100.0F);
    double sum = 0, squares = 0;
    for (const float value : run<float>(*pipeline, values, &random)) {
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * value;
    }
    EXPECT_NEAR(sum / 20000, 0.0, 0.06);
    EXPECT_NEAR(std::sqrt(squares / 20000), 2.0, 0.05);
    EXPECT_EQ(run<float>(*pipeline, values, nullptr), values);
    EXPECT_FALSE(pipelineOf(typeOf(DType::kInt64, {4}), R"([{"type": "random_normal"}])").has_value());
}

TEST(Casting, RefusesToLoseAFraction) {
    Pipeline pipeline(typeOf(DType::kFloat64, {2}));
    ASSERT_TRUE(pipeline.finish(DType::kInt64, false, "/t").has_value());
    EXPECT_EQ(run<std::int64_t>(pipeline, std::vector<double>{3, -4}), (std::vector<std::int64_t>{3, -4}));
    for (const double bad : {0.5, 1e30, std::nan("")}) {
        const std::vector<double> in = {bad, 0};
        std::vector<std::int64_t> out(2);
        EXPECT_FALSE(
            pipeline
                .run(reinterpret_cast<const std::byte*>(in.data()), reinterpret_cast<std::byte*>(out.data()), nullptr)
                .has_value())
            << bad;
    }
}

TEST(ChannelStatistics, AreThoseOfAPlainTwoPassComputation) {
    Random random(11);
    for (const DType dtype : {DType::kUInt8, DType::kFloat32, DType::kFloat64}) {
        const ValueType type = typeOf(dtype, {3, 4, 5});
        StatisticsAccumulator accumulator(type);
        std::vector<std::vector<double>> channels(3);
        for (int sample = 0; sample < 30; ++sample) {
            std::vector<std::byte> bytes(type.byteCount());
            for (std::size_t i = 0; i < 60; ++i) {
                const auto value = static_cast<double>(random.below(256));
                channels[i / 20].push_back(value);
                if (dtype == DType::kUInt8) {
                    bytes[i] = static_cast<std::byte>(value);
                } else if (dtype == DType::kFloat32) {
                    reinterpret_cast<float*>(bytes.data())[i] = static_cast<float>(value);
                } else {
                    reinterpret_cast<double*>(bytes.data())[i] = value;
                }
            }
            ASSERT_TRUE(accumulator.add(bytes.data()));
        }
        const FeedInfo::Statistics statistics = accumulator.result();
        for (std::size_t c = 0; c < 3; ++c) {
            const double mean = std::accumulate(channels[c].begin(), channels[c].end(), 0.0) / 600;
            double variance = 0;
            for (const double value : channels[c]) {
                variance += (value - mean) * (value - mean) / 600;
            }
            EXPECT_NEAR(statistics.mean[c], mean, 1e-9);
            EXPECT_NEAR(statistics.std[c], std::sqrt(variance), 1e-9);
            EXPECT_EQ(statistics.min[c], *std::min_element(channels[c].begin(), channels[c].end()));
            EXPECT_EQ(statistics.max[c], *std::max_element(channels[c].begin(), channels[c].end()));
        }
        EXPECT_EQ(statistics.samples, 30);
    }
}

}  // namespace
}  // namespace plumbline::data
