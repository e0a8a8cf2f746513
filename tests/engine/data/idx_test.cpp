#include "data/inspect.h"
#include "fixtures.h"

#include <cstring>
#include <limits>

namespace plumbline::data {
namespace {

class IdxFiles : public ::testing::Test {
protected:
    Result<std::shared_ptr<const Dataset>> opened(const std::string& images, const std::string& labels,
                                                  const Json& source = Json::object()) {
        m_folder.write("images.idx", images);
        m_folder.write("labels.idx", labels);
        Json json = parsed(R"({"sources": {"s": {"type": "idx", "images": "images.idx", "labels": "labels.idx"}},
            "inputs": {"image": {"from": "s.image"}}, "targets": {"label": {"from": "s.label"}}, "splits": {"train": 1}})");
        json["sources"]["s"].update(source);
        return open(json, m_folder.path());
    }
    Error errorOf(const std::string& images, const std::string& labels, const Json& source = Json::object()) {
        const auto result = opened(images, labels, source);
        EXPECT_FALSE(result.has_value());
        return result ? Error{} : result.error();
    }

    TemporaryFolder m_folder;
    std::string m_images = idxBytes({3, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255});
    std::string m_labels = idxBytes({3}, {2, 0, 1});
};

TEST_F(IdxFiles, ImagesStayBytesWithAChannelAndLabelsBecomeInt64) {
    const auto dataset = opened(m_images, m_labels);
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    const auto batch = *(*dataset)->makeBatch(Split::kTrain, {2, 0}, 0, false);
    EXPECT_EQ(batch.inputs[0].dtype, DType::kUInt8);
    EXPECT_EQ(batch.inputs[0].dims, (std::vector<std::int64_t>{2, 1, 2, 2}));
    EXPECT_EQ(batch.inputs[0].as<std::uint8_t>()[3], 255);
    EXPECT_EQ(integersOf(batch.targets[0]), (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(batch.indices, (std::vector<std::int64_t>{2, 0}));
    EXPECT_EQ((*dataset)->inputs()[0].statistics.max[0], 255.0);
    EXPECT_NEAR((*dataset)->inputs()[0].statistics.mean[0], 310.0 / 12, 1e-12);
}

TEST_F(IdxFiles, GzipAndPlainAreTheSameData) {
    const auto plain = opened(m_images, m_labels);
    const auto packed = opened(gzip(m_images), gzip(m_labels));
    ASSERT_TRUE(plain.has_value() && packed.has_value());
    EXPECT_EQ((*plain)->fingerprint(), (*packed)->fingerprint());
    EXPECT_NE((*plain)->fingerprint(), (*opened(m_images, idxBytes({3}, {2, 0, 0})))->fingerprint());
}

TEST_F(IdxFiles, EveryTruncationOfEitherFileIsAnError) {
    for (const bool packed : {false, true}) {
        const std::string images = packed ? gzip(m_images) : m_images;
        const std::string labels = packed ? gzip(m_labels) : m_labels;
        for (std::size_t size = 0; size < images.size(); ++size) {
            const Error error = errorOf(images.substr(0, size), labels);
            EXPECT_NE(error.message.find("images.idx"), std::string::npos) << error.message;
        }
        for (std::size_t size = 0; size < labels.size(); ++size) {
            errorOf(images, labels.substr(0, size));
        }
    }
}

TEST_F(IdxFiles, EveryFlippedByteOfAGzipStreamIsSeenOrHarmless) {
    const std::string images = gzip(m_images);
    const std::string reference = (*opened(images, m_labels))->fingerprint();
    for (std::size_t i = 0; i < images.size(); ++i) {
        std::string damaged = images;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
        const auto result = opened(damaged, m_labels);
        if (result) {
            // The time stamp and the system in gzip's header.
            EXPECT_EQ((*result)->fingerprint(), reference) << "byte " << i;
        }
    }
}

TEST_F(IdxFiles, AWrongMagicNumberIsToldWithWhatIsThere) {
    const Error error = errorOf("\x89PNG\r\n", m_labels);
    EXPECT_EQ(error.code, "idx-magic");
    EXPECT_NE(error.message.find("89 50 4e 47"), std::string::npos) << error.message;
    EXPECT_EQ(errorOf(idxHeader(0x0A, {1}), m_labels).code, "idx-magic");
    EXPECT_EQ(errorOf(idxHeader(0x08, {}), m_labels).code, "idx-magic");
    EXPECT_EQ(errorOf("", m_labels).code, "idx-magic");
}

TEST_F(IdxFiles, AHeaderThatPromisesTheWorldIsRefusedWithoutAllocating) {
    EXPECT_EQ(errorOf(idxHeader(0x08, {0xFFFFFFFF, 0xFFFF, 0xFFFF}) + "abc", m_labels).code, "file-truncated");
    EXPECT_EQ(errorOf(idxHeader(0x0E, {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}) + "abc", m_labels).code, "file-truncated");
    EXPECT_EQ(errorOf(gzip(idxHeader(0x08, {1000, 10000, 10000})), m_labels).code, "file-truncated");
    EXPECT_EQ(errorOf(m_images + "more", m_labels).code, "idx-too-long");
    EXPECT_EQ(errorOf(idxHeader(0x08, {0, 2, 2}), m_labels).code, "no-samples");
}

TEST_F(IdxFiles, CountsThatDifferAndLabelsOutOfRangeAreErrors) {
    const Error counts = errorOf(m_images, idxBytes({2}, {0, 1}));
    EXPECT_EQ(counts.code, "idx-counts");
    EXPECT_NE(counts.message.find("3 images"), std::string::npos);
    const Error range = errorOf(m_images, m_labels, {{"classes", 2}});
    EXPECT_EQ(range.code, "label-out-of-range");
    EXPECT_NE(range.message.find("sample 0 is 2"), std::string::npos) << range.message;
    EXPECT_EQ(errorOf(m_images, idxHeader(0x09, {3}) + std::string("\x01\xFF\x00", 3)).code, "label-out-of-range");
    EXPECT_EQ(errorOf(m_labels, m_images).code, "idx-labels");
}

TEST_F(IdxFiles, ClassesCanBeNamed) {
    const auto dataset = opened(m_images, m_labels, {{"classes", {"cat", "dog", "fish"}}});
    ASSERT_TRUE(dataset.has_value());
    EXPECT_EQ((*dataset)->targets()[0].classes, (std::vector<std::string>{"cat", "dog", "fish"}));
}

TEST_F(IdxFiles, RealNumbersAreReadInTheFilesByteOrderAndCheckedForNaN) {
    const auto bigEndian = [](float value) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, 4);
        return std::string{static_cast<char>(bits >> 24), static_cast<char>(bits >> 16), static_cast<char>(bits >> 8),
                           static_cast<char>(bits)};
    };
    const std::string header = idxHeader(0x0D, {3, 1});
    const auto dataset = opened(header + bigEndian(1.5F) + bigEndian(-2.0F) + bigEndian(3.25F), m_labels);
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    const auto batch = *(*dataset)->makeBatch(Split::kTrain, {0, 1, 2}, 0, false);
    EXPECT_EQ(floatsOf(batch.inputs[0]), (std::vector<float>{1.5F, -2.0F, 3.25F}));
    const Error error =
        errorOf(header + bigEndian(1.5F) + bigEndian(std::numeric_limits<float>::quiet_NaN()) + bigEndian(0), m_labels);
    EXPECT_EQ(error.code, "not-finite");
    EXPECT_NE(error.message.find("sample 1"), std::string::npos);
}

TEST_F(IdxFiles, WidenedIntegersKeepTheirValues) {
    const auto dataset = opened(idxHeader(0x0B, {3, 1}) + std::string("\x01\x00\xFF\xFF\x00\x07", 6), m_labels);
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    EXPECT_EQ(floatsOf((*dataset)->makeBatch(Split::kTrain, {0, 1, 2}, 0, false)->inputs[0]),
              (std::vector<float>{256, -1, 7}));
}

TEST_F(IdxFiles, APictureForPredictIsScaledToTheDataSizeAndRange) {
    // Values up to 16 as in the 8x8 digits: white becomes 16.
    const auto dataset = opened(idxBytes({3, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16}), m_labels);
    ASSERT_TRUE(dataset.has_value());
    writePng(m_folder.path() / "white.png", 20, 10, 3, std::vector<std::uint8_t>(600, 255));
    const auto input = (*dataset)->makeInput((m_folder.path() / "white.png").string());
    ASSERT_TRUE(input.has_value()) << toSentence(input.error());
    EXPECT_EQ(input->inputs[0].dims, (std::vector<std::int64_t>{1, 1, 2, 2}));
    EXPECT_EQ(input->inputs[0].as<std::uint8_t>()[3], 16);
    EXPECT_TRUE((*dataset)->makeInput("white.png").has_value());
    const RawInput raw = (*dataset)->rawInputs().at(0);
    EXPECT_EQ(raw.parts.at(0).kind, RawForm::Kind::kPicture);
    EXPECT_EQ(raw.parts[0].white, 16);
    EXPECT_EQ((*dataset)->makeInput("nothing.png").error().code, "file-missing");
}

TEST_F(IdxFiles, AnImageCanBeItsOwnTarget) {
    m_folder.write("images.idx", m_images);
    const auto dataset = open(parsed(R"({"sources": {"s": {"type": "idx", "images": "images.idx"}},
        "inputs": {"x": {"from": "s.image", "transforms": [{"type": "to_float"}]}}, "targets": {"y": {"from": "s.image", "dtype": "float32"}},
        "splits": {"train": 1}})"),
                              m_folder.path());
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    const auto batch = *(*dataset)->makeBatch(Split::kTrain, {1}, 0, false);
    EXPECT_EQ(floatsOf(batch.inputs[0]), floatsOf(batch.targets[0]));
}

TEST_F(IdxFiles, PositionsOutsideTheSplitAreRefused) {
    const auto dataset = *opened(m_images, m_labels);
    EXPECT_FALSE(dataset->makeBatch(Split::kTrain, {3}, 0, false).has_value());
    EXPECT_FALSE(dataset->makeBatch(Split::kTest, {0}, 0, false).has_value());
    EXPECT_FALSE(dataset->makeBatch(Split::kTrain, {-1}, 0, false).has_value());
}

TEST_F(IdxFiles, InspectingAPairWithoutSamplesIsASentence) {
    for (const bool noImages : {true, false}) {
        m_folder.write("x-images-idx3-ubyte",
                       idxBytes({noImages ? 0U : 1U, 2, 2}, std::vector<std::uint8_t>(noImages ? 0 : 4, 1)));
        m_folder.write("x-labels-idx1-ubyte", idxBytes({0}, {}));
        const auto found = inspectData({m_folder.path() / "x-images-idx3-ubyte"});
        ASSERT_FALSE(found.has_value());
        EXPECT_EQ(found.error().code, "idx-empty") << found.error().message;
        EXPECT_FALSE(found.error().hint.empty());
    }
}

}  // namespace
}  // namespace plumbline::data
