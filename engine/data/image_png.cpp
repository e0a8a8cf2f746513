#include <fmt/format.h>
#include <png.h>

#include "data/image.h"

namespace plumbline::data {
namespace {

/// libpng's simplified interface keeps its setjmp to itself.
struct PngImage {
    png_image image{};
    PngImage() { image.version = PNG_IMAGE_VERSION; }
    ~PngImage() { png_image_free(&image); }
    PngImage(const PngImage&) = delete;
    PngImage& operator=(const PngImage&) = delete;
};

}  // namespace

bool decodePng(std::string_view bytes, bool headerOnly, DecodedImage& decoded, std::string& what) {
    PngImage png;
    if (png_image_begin_read_from_memory(&png.image, bytes.data(), bytes.size()) == 0) {
        what = png.image.message;
        return false;
    }
    decoded.height = png.image.height;
    decoded.width = png.image.width;
    if (headerOnly || decoded.height * decoded.width > kMaxImagePixels) {
        return true;
    }
    const bool color = (png.image.format & PNG_FORMAT_FLAG_COLOR) != 0;
    const bool alpha = (png.image.format & PNG_FORMAT_FLAG_ALPHA) != 0;
    // With alpha in the output format nothing is blended; the alpha is taken out below.
    png.image.format = (color ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY) | (alpha ? PNG_FORMAT_FLAG_ALPHA : 0U);
    const int channels = color ? 3 : 1;
    decoded.channels = channels;
    decoded.pixels.resize(PNG_IMAGE_SIZE(png.image));
    if (png_image_finish_read(&png.image, nullptr, decoded.pixels.data(), 0, nullptr) == 0) {
        what = png.image.message;
        return false;
    }
    if (alpha) {
        const auto count = static_cast<std::size_t>(decoded.height * decoded.width);
        const auto kept = static_cast<std::size_t>(channels);
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t c = 0; c < kept; ++c) {
                decoded.pixels[i * kept + c] = decoded.pixels[i * (kept + 1) + c];
            }
        }
        decoded.pixels.resize(count * kept);
    }
    return true;
}

}  // namespace plumbline::data
