#include "fixtures.h"

#include <fstream>
#include <thread>

#include "core/files.h"
#include "data/image.h"

namespace plumbline::data {
namespace {

class Pictures : public ::testing::Test {
protected:
    Result<std::shared_ptr<const Dataset>> opened(const Json& source = Json::object()) {
        Json json = parsed(R"({"sources": {"s": {"type": "image_folder", "path": "images"}},
            "inputs": {"image": {"from": "s.image"}}, "targets": {"label": {"from": "s.label"}}, "splits": {"train": 1}})");
        json["sources"]["s"].update(source);
        return open(json, m_folder.path());
    }
    Error errorOf(const Json& source = Json::object()) {
        const auto result = opened(source);
        EXPECT_FALSE(result.has_value());
        return result ? Error{} : result.error();
    }
    std::filesystem::path file(const std::string& name) const { return m_folder.path() / "images" / name; }
    void drawTwoClasses() {
        writePng(file("cat/a.png"), 2, 2, 3, {255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30});
        writePng(file("cat/b.png"), 2, 2, 1, {1, 2, 3, 4});
        writePng(file("dog/c.PNG"), 2, 2, 4, {9, 8, 7, 0, 1, 1, 1, 255, 2, 2, 2, 255, 3, 3, 3, 255});
    }
    std::vector<std::uint8_t> bytes(const Dataset& dataset, std::int64_t position) {
        const auto batch = dataset.makeBatch(Split::kTrain, {position}, 0, false);
        EXPECT_TRUE(batch.has_value());
        const HostTensor& tensor = batch->inputs[0];
        return {tensor.as<std::uint8_t>(), tensor.as<std::uint8_t>() + tensor.elementCount()};
    }

    TemporaryFolder m_folder;
};

TEST_F(Pictures, AreByteImagesWithPlanesAndTheFolderAsClass) {
    drawTwoClasses();
    const auto dataset = opened();
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    EXPECT_EQ((*dataset)->inputs()[0].dims, (std::vector<std::int64_t>{3, 2, 2}));
    EXPECT_EQ((*dataset)->targets()[0].classes, (std::vector<std::string>{"cat", "dog"}));
    EXPECT_EQ(bytes(**dataset, 0), (std::vector<std::uint8_t>{255, 0, 0, 10, 0, 255, 0, 20, 0, 0, 255, 30}));
    EXPECT_EQ(bytes(**dataset, 1), (std::vector<std::uint8_t>{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}));
    // Alpha is dropped, not blended.
    EXPECT_EQ(bytes(**dataset, 2)[0], 9);
    EXPECT_EQ((*dataset)->classCounts(Split::kTrain, "label"), (std::vector<std::int64_t>{2, 1}));
}

TEST_F(Pictures, GrayIsTheLumaOfTheColours) {
    drawTwoClasses();
    const auto dataset = opened({{"color", "gray"}});
    ASSERT_TRUE(dataset.has_value());
    EXPECT_EQ((*dataset)->inputs()[0].dims, (std::vector<std::int64_t>{1, 2, 2}));
    EXPECT_EQ(bytes(**dataset, 0), (std::vector<std::uint8_t>{76, 150, 29, 18}));
}

TEST_F(Pictures, JpegIsReadByContentWhateverItsName) {
    writeJpeg(file("a/one.jpg"), 8, 8, 200);
    writeJpeg(file("a/two.png"), 8, 8, 100);
    const auto dataset = opened();
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    EXPECT_NEAR(bytes(**dataset, 0)[5], 200, 2);
    EXPECT_NEAR(bytes(**dataset, 1)[5], 100, 2);
}

TEST_F(Pictures, UnequalSizesNameBothImagesAndResizeMendsIt) {
    drawTwoClasses();
    writePng(file("dog/d.png"), 4, 6, 1, std::vector<std::uint8_t>(24, 77));
    const Error error = errorOf();
    EXPECT_EQ(error.code, "image-sizes");
    EXPECT_NE(error.message.find("a.png has 2 x 2"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("d.png has 4 x 6"), std::string::npos) << error.message;
    EXPECT_NE(error.hint.find("resize"), std::string::npos);
    const auto dataset = opened({{"resize", {3, 5}}});
    ASSERT_TRUE(dataset.has_value());
    EXPECT_EQ((*dataset)->inputs()[0].dims, (std::vector<std::int64_t>{3, 3, 5}));
    EXPECT_EQ(bytes(**dataset, 3), std::vector<std::uint8_t>(45, 77));
}

TEST_F(Pictures, EveryTruncationOfAnImageNamesItsFile) {
    for (const bool jpeg : {false, true}) {
        const auto image = file(jpeg ? "a/x.jpg" : "a/x.png");
        if (jpeg) {
            writeJpeg(image, 24, 24, 90);
        } else {
            std::vector<std::uint8_t> pixels(24 * 24);
            for (std::size_t i = 0; i < pixels.size(); ++i) {
                pixels[i] = static_cast<std::uint8_t>(i * 7);
            }
            writePng(image, 24, 24, 1, pixels);
        }
        const std::string whole = *readFile(image);
        // A PNG without its last chunk or a JPEG without its end mark is cut off as well.
        for (std::size_t size = 0; size < whole.size(); size += size < 40 ? 1 : 7) {
            m_folder.write(jpeg ? "images/a/x.jpg" : "images/a/x.png", whole.substr(0, size));
            const auto result = opened();
            if (result) {
                EXPECT_FALSE(jpeg) << size;
                EXPECT_GE(size, whole.size() - 12) << "only IEND may be missing";
                continue;
            }
            EXPECT_NE(result.error().message.find("x."), std::string::npos) << result.error().message;
        }
        std::filesystem::remove(image);
    }
}

TEST_F(Pictures, ADamagedImageIsSeenWhereItsPixelsAreRead) {
    std::vector<std::uint8_t> pixels(64 * 64);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        pixels[i] = static_cast<std::uint8_t>(i * i);
    }
    writePng(file("a/x.png"), 64, 64, 1, pixels);
    std::string bytes = *readFile(file("a/x.png"));
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
    m_folder.write("images/a/x.png", bytes);
    EXPECT_EQ(errorOf().code, "image-corrupt");
    // Past the budget it is decoded later, and the loader tells.
    const auto dataset = opened({{"memory_budget_mb", 0}});
    if (dataset) {
        const auto batch = (*dataset)->makeBatch(Split::kTrain, {0}, 0, false);
        ASSERT_FALSE(batch.has_value());
        EXPECT_NE(batch.error().message.find("x.png"), std::string::npos);
    }
}

TEST_F(Pictures, AnImageThatPromisesTooManyPixelsIsRefused) {
    writePng(file("a/x.png"), 2, 2, 1, {1, 2, 3, 4});
    std::string bytes = *readFile(file("a/x.png"));
    // Width and height in IHDR, and its checksum.
    for (const std::size_t at : {17U, 21U}) {
        bytes[at] = 0x01;
    }
    const auto crc = static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + 12), 17));
    for (std::size_t i = 0; i < 4; ++i) {
        bytes[29 + i] = static_cast<char>(crc >> (24 - 8 * i));
    }
    m_folder.write("images/a/x.png", bytes);
    const Error error = errorOf();
    EXPECT_EQ(error.code, "image-too-large") << error.message;
}

TEST_F(Pictures, FoldersThatHoldNoClassesAreSentences) {
    EXPECT_EQ(errorOf().code, "file-missing");
    m_folder.write("images/readme.txt", "x");
    EXPECT_EQ(errorOf().code, "no-classes");
    m_folder.write("images/a/notes.txt", "x");
    EXPECT_EQ(errorOf().code, "class-empty");
    m_folder.write("images/a/x.png", "not a picture");
    EXPECT_EQ(errorOf().code, "not-an-image");
    m_folder.write("images/a/x.png", "");
    EXPECT_EQ(errorOf().code, "not-an-image");
    m_folder.write("file", "x");
    EXPECT_EQ(errorOf({{"path", "file"}}).code, "not-a-folder");
}

TEST_F(Pictures, HiddenAndOtherFilesAreLeftOut) {
    drawTwoClasses();
    m_folder.write("images/.git/x.png", "x");
    m_folder.write("images/cat/.DS_Store", "x");
    m_folder.write("images/cat/notes.txt", "x");
    const auto dataset = opened();
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    EXPECT_EQ((*dataset)->size(Split::kTrain), 3);
    ASSERT_EQ((*dataset)->warnings().size(), 1U);
    EXPECT_NE((*dataset)->warnings()[0].find("1 entries"), std::string::npos);
}

TEST_F(Pictures, PastTheBudgetTheySayTheSameAndStayOnDisk) {
    drawTwoClasses();
    const auto held = opened();
    const auto onDisk = opened({{"memory_budget_mb", 0}});
    ASSERT_TRUE(held.has_value() && onDisk.has_value());
    EXPECT_EQ((*held)->residentBytes(), 36U);
    EXPECT_EQ((*onDisk)->residentBytes(), 0U);
    std::vector<std::thread> readers;
    std::vector<std::uint64_t> hashes(4);
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        readers.emplace_back([&, i] { hashes[i] = (*onDisk)->makeBatch(Split::kTrain, {0, 1, 2}, 0, false)->contentHash(); });
    }
    for (std::thread& reader : readers) {
        reader.join();
    }
    for (const std::uint64_t hash : hashes) {
        EXPECT_EQ(hash, (*held)->makeBatch(Split::kTrain, {0, 1, 2}, 0, false)->contentHash());
    }
    EXPECT_EQ((*held)->inputs()[0].statistics.mean, (*onDisk)->inputs()[0].statistics.mean);
}

TEST_F(Pictures, AnInputForPredictIsAnyPicture) {
    drawTwoClasses();
    writeJpeg(m_folder.path() / "new.jpg", 30, 20, 128);
    const auto dataset = *opened();
    const auto input = dataset->makeInput("new.jpg");
    ASSERT_TRUE(input.has_value()) << toSentence(input.error());
    EXPECT_EQ(input->inputs[0].dims, (std::vector<std::int64_t>{1, 3, 2, 2}));
    EXPECT_NEAR(input->inputs[0].as<std::uint8_t>()[0], 128, 2);
    EXPECT_FALSE(dataset->makeInput("images").has_value());
}

}  // namespace
}  // namespace plumbline::data
