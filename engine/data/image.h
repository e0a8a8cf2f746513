#pragma once
// Pictures from files: PNG and JPEG, told apart by content. Bytes are those that torchvision's ImageFolder gets from
// Pillow's convert(): alpha dropped, EXIF orientation and gamma ignored, 16-bit colours by their upper byte, 16-bit
// gray cut off at 255.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace plumbline::data {

/// Planar, [channels][height][width].
struct Image {
    std::int64_t channels = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<std::uint8_t> pixels;
    bool clipped = false;  ///< 16-bit gray above 255 was cut off, as Pillow does
};

struct ImageSize {
    std::int64_t height = 0;
    std::int64_t width = 0;
};

constexpr std::int64_t kMaxImagePixels = 100'000'000;

/// Reads the header only.
Result<ImageSize> readImageSize(const std::filesystem::path& file);
/// `gray`: one channel (ITU-R 601 luma), else three. A broken or cut-off file is an error that names it.
Result<Image> readImage(const std::filesystem::path& file, bool gray);
Image resized(const Image& image, std::int64_t height, std::int64_t width);

/// One format each; `what` is set to what is wrong where they return false. `pixels` is row by row, channels
/// interleaved.
struct DecodedImage {
    std::int64_t height = 0;
    std::int64_t width = 0;
    int channels = 0;  ///< 1 gray, 3 RGB
    std::vector<std::uint8_t> pixels;
    bool clipped = false;
};
bool decodePng(std::string_view bytes, bool headerOnly, DecodedImage& image, std::string& what);
bool decodeJpeg(std::string_view bytes, bool headerOnly, DecodedImage& image, std::string& what);

}  // namespace plumbline::data
