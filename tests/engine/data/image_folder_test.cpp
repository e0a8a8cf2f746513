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

TEST_F(Pictures, AJpegOfFourInksIsReadAsPillowConvertsIt) {
    writeJpeg(file("a/one.jpg"), 8, 8, 200, true);
    writeJpeg(file("a/two.jpg"), 8, 8, 255, true);
    const auto dataset = opened();
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    EXPECT_EQ((*dataset)->inputs()[0].dims, (std::vector<std::int64_t>{3, 8, 8}));
    EXPECT_NEAR(bytes(**dataset, 0)[5], 157, 2) << "200 − 55·200/255: ink of each colour on what the black leaves";
    EXPECT_NEAR(bytes(**dataset, 1)[5], 255, 2) << "no ink is white";
}

std::string chunk(const std::string& type, const std::string& data) {
    const std::string body = type + data;
    const auto bigEndian = [](std::size_t value) {
        std::string bytes;
        for (const int shift : {24, 16, 8, 0}) {
            bytes += static_cast<char>(value >> shift);
        }
        return bytes;
    };
    return bigEndian(data.size()) + body +
           bigEndian(crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
}

/// A PNG of at most 255 x 255 with these scanlines, their filter bytes included, and chunks before them.
std::string pngBytes(int depth, int colorType, int width, int height, const std::string& scanlines,
                     const std::string& chunks = {}, bool interlaced = false) {
    const std::string header{0,
                             0,
                             0,
                             static_cast<char>(width),
                             0,
                             0,
                             0,
                             static_cast<char>(height),
                             static_cast<char>(depth),
                             static_cast<char>(colorType),
                             0,
                             0,
                             interlaced ? '\1' : '\0'};
    std::string packed(compressBound(scanlines.size()), '\0');
    uLongf size = packed.size();
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(scanlines.data()),
             scanlines.size());
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunks + chunk("IDAT", packed.substr(0, size)) +
           chunk("IEND", "");
}

/// The expected bytes are those of Pillow 13's convert("RGB").
TEST_F(Pictures, PngOfEveryKindGivesTheBytesThatPillowGives) {
    using namespace std::string_literals;
    const std::string linear = chunk("gAMA", "\x00\x01\x86\xa0"s);
    const std::string palette = chunk("PLTE", "\x01\x02\x03\x28\x32\x3c"s) + chunk("tRNS", "\x00\x80"s);
    struct Kind {
        const char* name;
        std::string png;
        std::vector<std::uint8_t> pixels;
    };
    const std::vector<Kind> kinds{
        {"16-bit gray",
         pngBytes(16, 0, 4, 1, "\0\x00\x10\x00\xff\x10\x00\xff\x80"s),
         {16, 255, 255, 255, 16, 255, 255, 255, 16, 255, 255, 255}},
        {"16-bit colour", pngBytes(16, 2, 1, 1, "\0\x10\x80\x20\xff\xff\x80"s), {16, 32, 255}},
        {"16-bit gray with alpha", pngBytes(16, 4, 1, 1, "\0\x10\xff\x20\xff"s), {16, 16, 16}},
        {"16-bit colour with alpha", pngBytes(16, 6, 1, 1, "\0\x10\xff\x20\xff\x30\xff\x00\x05"s), {16, 32, 48}},
        {"gray with a gamma", pngBytes(8, 0, 2, 1, "\0\x10\xc8"s, linear), {16, 200, 16, 200, 16, 200}},
        {"16-bit colour with a gamma", pngBytes(16, 2, 1, 1, "\0\x10\x00\x20\x00\xff\x00"s, linear), {16, 32, 255}},
        {"4-bit gray", pngBytes(4, 0, 2, 1, "\0\x1f"s), {17, 255, 17, 255, 17, 255}},
        {"2-bit gray", pngBytes(2, 0, 4, 1, "\0\x1b"s), {0, 85, 170, 255, 0, 85, 170, 255, 0, 85, 170, 255}},
        {"1-bit gray", pngBytes(1, 0, 2, 1, "\0\x40"s), {0, 255, 0, 255, 0, 255}},
        {"gray with a transparent one",
         pngBytes(8, 0, 2, 1, "\0\x10\xc8"s, chunk("tRNS", "\x00\x10"s)),
         {16, 200, 16, 200, 16, 200}},
        {"a palette with transparency", pngBytes(8, 3, 2, 1, "\0\x00\x01"s, palette), {1, 40, 2, 50, 3, 60}},
        {"interlaced",
         pngBytes(8, 0, 2, 2, "\0\x01\0\x02\0\x03\x04"s, {}, true),
         {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}}};
    for (const Kind& kind : kinds) {
        m_folder.write("images/a/x.png", kind.png);
        const auto dataset = opened();
        ASSERT_TRUE(dataset.has_value()) << kind.name << ": " << toSentence(dataset.error());
        EXPECT_EQ(bytes(**dataset, 0), kind.pixels) << kind.name;
        const std::vector<std::string> warnings = (*dataset)->warnings();
        const bool told = std::any_of(warnings.begin(), warnings.end(), [](const std::string& text) {
            return text.find("16-bit gray") != std::string::npos;
        });
        EXPECT_EQ(told, kind.name == std::string("16-bit gray")) << kind.name;
    }
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
    m_folder.write("images/a/inner/x.png", "x");
    const Error nested = errorOf();
    EXPECT_EQ(nested.code, "class-nested");
    EXPECT_NE(nested.message.find("its folder inner does"), std::string::npos) << nested.message;
    std::filesystem::remove_all(file("a/inner"));
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
    EXPECT_TRUE((*onDisk)->readsFiles());
    EXPECT_FALSE((*held)->readsFiles());
    std::vector<std::thread> readers;
    std::vector<std::uint64_t> hashes(4);
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        readers.emplace_back([&, i] {
            hashes[i] = (*onDisk)->makeBatch(Split::kTrain, {0, 1, 2}, 0, false)->contentHash();
        });
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
