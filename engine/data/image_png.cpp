#include <png.h>
#include <csetjmp>
#include <cstdio>
#include <cstring>

#include "data/image.h"

namespace plumbline::data {
namespace {

/// Everything that the jump out of libpng may leave lies in the caller; nothing here has a destructor.
struct Decoder {
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::jmp_buf escape;
    char message[128] = {};
    const char* bytes = nullptr;
    std::size_t left = 0;
};

[[noreturn]] void onError(png_structp png, png_const_charp text) {
    auto* decoder = static_cast<Decoder*>(png_get_error_ptr(png));
    std::snprintf(decoder->message, sizeof(decoder->message), "%s", text);
    std::longjmp(decoder->escape, 1);
}

void onWarning(png_structp, png_const_charp) {}

void onRead(png_structp png, png_bytep out, std::size_t size) {
    auto* decoder = static_cast<Decoder*>(png_get_io_ptr(png));
    if (size > decoder->left) {
        png_error(png, "it ends too early");
    }
    std::memcpy(out, decoder->bytes, size);
    decoder->bytes += size;
    decoder->left -= size;
}

bool begin(Decoder& decoder) {
    if (setjmp(decoder.escape) != 0) {
        return false;
    }
    decoder.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder, &onError, &onWarning);
    decoder.info = decoder.png != nullptr ? png_create_info_struct(decoder.png) : nullptr;
    if (decoder.info == nullptr) {
        std::snprintf(decoder.message, sizeof(decoder.message), "libpng has no memory for it");
        return false;
    }
    png_set_benign_errors(decoder.png, 1);
    png_set_read_fn(decoder.png, &decoder, &onRead);
    png_read_info(decoder.png, decoder.info);
    return true;
}

/// Numbers as they are stored: no gamma, no transparency, no colour profile. Bytes of one row come back.
bool chooseFormat(Decoder& decoder, bool wideGray, std::size_t& rowBytes, int& passes) {
    if (setjmp(decoder.escape) != 0) {
        return false;
    }
    const int type = png_get_color_type(decoder.png, decoder.info);
    if (type == PNG_COLOR_TYPE_PALETTE) {
        png_set_palette_to_rgb(decoder.png);
    } else if (type == PNG_COLOR_TYPE_GRAY) {
        png_set_expand_gray_1_2_4_to_8(decoder.png);
    }
    png_set_strip_alpha(decoder.png);
    if (!wideGray) {
        png_set_strip_16(decoder.png);
    }
    passes = png_set_interlace_handling(decoder.png);
    png_read_update_info(decoder.png, decoder.info);
    rowBytes = png_get_rowbytes(decoder.png, decoder.info);
    return true;
}

bool readRows(Decoder& decoder, std::uint8_t* pixels, std::size_t rowBytes, std::int64_t height, int passes) {
    if (setjmp(decoder.escape) != 0) {
        return false;
    }
    for (int pass = 0; pass < passes; ++pass) {
        for (std::int64_t row = 0; row < height; ++row) {
            png_read_row(decoder.png, pixels + static_cast<std::size_t>(row) * rowBytes, nullptr);
        }
    }
    return true;
}

/// As Pillow makes bytes of 16-bit gray: what is above 255 becomes 255. (Of 16-bit colours it keeps the upper byte.)
void clipToBytes(DecodedImage& image) {
    const std::size_t count = image.pixels.size() / 2;
    for (std::size_t i = 0; i < count; ++i) {
        const bool above = image.pixels[2 * i] != 0;
        image.clipped = image.clipped || above;
        image.pixels[i] = above ? 255 : image.pixels[2 * i + 1];
    }
    image.pixels.resize(count);
}

bool decode(Decoder& decoder, bool headerOnly, DecodedImage& decoded) {
    if (!begin(decoder)) {
        return false;
    }
    decoded.height = png_get_image_height(decoder.png, decoder.info);
    decoded.width = png_get_image_width(decoder.png, decoder.info);
    if (headerOnly || decoded.height * decoded.width > kMaxImagePixels) {
        return true;
    }
    const int type = png_get_color_type(decoder.png, decoder.info);
    const bool wideGray = type == PNG_COLOR_TYPE_GRAY && png_get_bit_depth(decoder.png, decoder.info) == 16;
    decoded.channels = (type & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1;
    std::size_t rowBytes = 0;
    int passes = 1;
    if (!chooseFormat(decoder, wideGray, rowBytes, passes)) {
        return false;
    }
    decoded.pixels.resize(rowBytes * static_cast<std::size_t>(decoded.height));
    if (!readRows(decoder, decoded.pixels.data(), rowBytes, decoded.height, passes)) {
        return false;
    }
    if (wideGray) {
        clipToBytes(decoded);
    }
    return true;
}

}  // namespace

bool decodePng(std::string_view bytes, bool headerOnly, DecodedImage& decoded, std::string& what) {
    Decoder decoder;
    decoder.bytes = bytes.data();
    decoder.left = bytes.size();
    const bool good = decode(decoder, headerOnly, decoded);
    if (!good) {
        what = decoder.message;
    }
    png_destroy_read_struct(&decoder.png, &decoder.info, nullptr);
    return good;
}

}  // namespace plumbline::data
