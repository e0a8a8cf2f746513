#pragma once
// Small files and projects for the tests of data/.

#include <gtest/gtest.h>
#include <jpeglib.h>
#include <png.h>
#include <unistd.h>
#include <zlib.h>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace plumbline::data {

/// A folder that is gone with the test.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "plumbline-data-XXXXXX").string();
        m_path = ::mkdtemp(pattern.data());
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path write(const std::string& name, const std::string& content) const {
        const std::filesystem::path file = m_path / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << content;
        return file;
    }

private:
    std::filesystem::path m_path;
};

inline std::string idxHeader(std::uint8_t type, const std::vector<std::uint32_t>& dims) {
    std::string bytes{'\0', '\0', static_cast<char>(type), static_cast<char>(dims.size())};
    for (const std::uint32_t dim : dims) {
        for (const int shift : {24, 16, 8, 0}) {
            bytes += static_cast<char>(dim >> shift);
        }
    }
    return bytes;
}

inline std::string idxBytes(const std::vector<std::uint32_t>& dims, const std::vector<std::uint8_t>& values) {
    return idxHeader(0x08, dims) + std::string(values.begin(), values.end());
}

inline std::string gzip(const std::string& content) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, content.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

/// Interleaved pixels, 1 (gray), 3 (RGB) or 4 (RGBA) channels.
inline void writePng(const std::filesystem::path& file, std::uint32_t width, std::uint32_t height, int channels,
                     const std::vector<std::uint8_t>& pixels) {
    std::filesystem::create_directories(file.parent_path());
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = channels == 1 ? PNG_FORMAT_GRAY : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
    ASSERT_NE(png_image_write_to_file(&image, file.c_str(), 0, pixels.data(), 0, nullptr), 0) << image.message;
}

inline void writeJpeg(const std::filesystem::path& file, std::uint32_t width, std::uint32_t height, std::uint8_t value,
                      bool ink = false) {
    std::filesystem::create_directories(file.parent_path());
    std::FILE* stream = std::fopen(file.c_str(), "wb");
    ASSERT_NE(stream, nullptr);
    jpeg_compress_struct info{};
    jpeg_error_mgr errors{};
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_stdio_dest(&info, stream);
    info.image_width = width;
    info.image_height = height;
    info.input_components = ink ? 4 : 3;
    info.in_color_space = ink ? JCS_CMYK : JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_start_compress(&info, TRUE);
    std::vector<std::uint8_t> row(static_cast<std::size_t>(info.input_components) * width, value);
    JSAMPROW rows = row.data();
    while (info.next_scanline < info.image_height) {
        jpeg_write_scanlines(&info, &rows, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    std::fclose(stream);
}

inline Json parsed(const std::string& text) {
    return Json::parse(text);
}

inline DataSpec specOf(const Json& json) {
    auto spec = readDataSpec(json);
    EXPECT_TRUE(spec.has_value()) << toSentence(spec.error());
    return spec ? *spec : DataSpec{};
}

inline Result<std::shared_ptr<const Dataset>> open(const Json& json, const std::filesystem::path& folder) {
    return Dataset::open(specOf(json), folder);
}

/// The data section of a table `table.csv` with the target `y`; `source` adds to the source's options.
inline Json tableSpec(const Json& source = Json::object(), const Json& target = Json::object(),
                      const Json& splits = Json::object()) {
    Json json = parsed(R"({"sources": {"t": {"type": "csv", "path": "table.csv"}},
                           "inputs": {"x": {"from": "t.*"}}, "targets": {"y": {"from": "t.y"}}, "splits": {"train": 1.0}})");
    if (source.is_object()) {
        json["sources"]["t"].update(source);
    }
    if (target.is_object()) {
        json["targets"]["y"].update(target);
    }
    if (!splits.empty()) {
        json["splits"] = splits;
    }
    return json;
}

inline std::vector<float> floatsOf(const HostTensor& tensor) {
    return {tensor.as<float>(), tensor.as<float>() + tensor.elementCount()};
}
inline std::vector<std::int64_t> integersOf(const HostTensor& tensor) {
    return {tensor.as<std::int64_t>(), tensor.as<std::int64_t>() + tensor.elementCount()};
}
inline std::vector<std::int64_t> allPositions(const Dataset& dataset, Split split) {
    std::vector<std::int64_t> positions(static_cast<std::size_t>(dataset.size(split)));
    for (std::size_t i = 0; i < positions.size(); ++i) {
        positions[i] = static_cast<std::int64_t>(i);
    }
    return positions;
}

}  // namespace plumbline::data
