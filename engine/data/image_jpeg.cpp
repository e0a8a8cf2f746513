#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <vector>

// Wants size_t and FILE before it.
#include <jpeglib.h>

#include <jerror.h>

#include "data/image.h"

namespace plumbline::data {
namespace {

struct ErrorManager {
    jpeg_error_mgr base;
    std::jmp_buf escape;
    char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void onError(j_common_ptr info) {
    auto* manager = reinterpret_cast<ErrorManager*>(info->err);
    info->err->format_message(info, manager->message);
    std::longjmp(manager->escape, 1);
}

/// libjpeg fills what is missing with grey and goes on; here a damaged picture is an error.
void onMessage(j_common_ptr info, int level) {
    const int code = info->err->msg_code;
    const bool harmless = code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM || code == JWRN_JFIF_MAJOR;
    if (level < 0 && !harmless) {
        onError(info);
    }
}

/// All state that the jump may leave lies in the caller; nothing here has a destructor.
struct Decoder {
    jpeg_decompress_struct info;
    ErrorManager errors;
};

bool begin(Decoder& decoder, std::string_view bytes) {
    std::memset(&decoder.info, 0, sizeof(decoder.info));
    decoder.info.err = jpeg_std_error(&decoder.errors.base);
    decoder.errors.base.error_exit = &onError;
    decoder.errors.base.emit_message = &onMessage;
    if (setjmp(decoder.errors.escape) != 0) {
        return false;
    }
    jpeg_create_decompress(&decoder.info);
    jpeg_mem_src(&decoder.info, reinterpret_cast<const unsigned char*>(bytes.data()),
                 static_cast<unsigned long>(bytes.size()));
    jpeg_read_header(&decoder.info, TRUE);
    return true;
}

bool finish(Decoder& decoder, std::uint8_t* pixels, std::size_t rowBytes) {
    if (setjmp(decoder.errors.escape) != 0) {
        return false;
    }
    jpeg_start_decompress(&decoder.info);
    while (decoder.info.output_scanline < decoder.info.output_height) {
        JSAMPROW row = pixels + static_cast<std::size_t>(decoder.info.output_scanline) * rowBytes;
        jpeg_read_scanlines(&decoder.info, &row, 1);
    }
    jpeg_finish_decompress(&decoder.info);
    return true;
}

/// Four channels of ink to three of light, as Pillow's convert("RGB") does it: the file holds 255 − ink, as Adobe
/// writes it.
void fromInk(const std::vector<std::uint8_t>& ink, std::vector<std::uint8_t>& pixels) {
    for (std::size_t from = 0, to = 0; from + 3 < ink.size(); from += 4) {
        const unsigned paper = ink[from + 3];
        for (std::size_t channel = 0; channel < 3; ++channel) {
            const unsigned product = (255U - ink[from + channel]) * paper + 128U;
            pixels[to++] = static_cast<std::uint8_t>(paper - (((product >> 8) + product) >> 8));
        }
    }
}

}  // namespace

bool decodeJpeg(std::string_view bytes, bool headerOnly, DecodedImage& decoded, std::string& what) {
    Decoder decoder;
    bool good = begin(decoder, bytes);
    if (good) {
        decoded.height = decoder.info.image_height;
        decoded.width = decoder.info.image_width;
        if (!headerOnly && decoded.height * decoded.width <= kMaxImagePixels) {
            const bool gray = decoder.info.jpeg_color_space == JCS_GRAYSCALE;
            const bool ink = decoder.info.jpeg_color_space == JCS_CMYK || decoder.info.jpeg_color_space == JCS_YCCK;
            decoder.info.out_color_space = gray ? JCS_GRAYSCALE : ink ? JCS_CMYK : JCS_RGB;
            decoded.channels = gray ? 1 : 3;
            const std::size_t count =
                static_cast<std::size_t>(decoded.width) * static_cast<std::size_t>(decoded.height);
            decoded.pixels.resize(count * static_cast<std::size_t>(decoded.channels));
            std::vector<std::uint8_t> inks(ink ? 4 * count : 0);
            const std::size_t rowBytes = static_cast<std::size_t>(decoded.width) * (gray ? 1U : ink ? 4U : 3U);
            good = finish(decoder, ink ? inks.data() : decoded.pixels.data(), rowBytes);
            if (good && ink) {
                fromInk(inks, decoded.pixels);
            }
        }
    }
    if (!good) {
        what = decoder.errors.message;
    }
    jpeg_destroy_decompress(&decoder.info);
    return good;
}

}  // namespace plumbline::data
