#include "data/image.h"

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <fstream>

#include "core/files.h"
#include "data/resize_plan.h"
#include "data/source.h"

namespace plumbline::data {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{1} << 30;
constexpr std::size_t kHeaderBytes = std::size_t{64} << 10;

tl::unexpected<Error> imageError(std::string code, const std::filesystem::path& file, const std::string& what,
                                 std::string hint) {
    return fail(ErrorKind::kInvalid, std::move(code), fmt::format("{} {}", file.string(), what), file.string(),
                std::move(hint));
}

Result<DecodedImage> decode(const std::filesystem::path& file, std::string_view bytes, bool headerOnly) {
    using Decode = bool (*)(std::string_view, bool, DecodedImage&, std::string&);
    Decode decoder = nullptr;
    if (bytes.substr(0, 8) == std::string_view("\x89PNG\r\n\x1a\n", 8)) {
        decoder = &decodePng;
    } else if (bytes.substr(0, 3) == "\xFF\xD8\xFF") {
        decoder = &decodeJpeg;
    }
    if (decoder == nullptr) {
        return imageError("not-an-image", file, bytes.empty() ? "is empty" : "is neither PNG nor JPEG",
                          "Remove it, or convert it.");
    }
    DecodedImage image;
    std::string what;
    if (!decoder(bytes, headerOnly, image, what)) {
        return imageError("image-corrupt", file, fmt::format("is damaged: {}", what), "Remove it, or get it anew.");
    }
    if (image.height < 1 || image.width < 1 || image.height > kMaxImagePixels / image.width) {
        return imageError("image-too-large", file,
                          fmt::format("promises {} x {} pixels, more than 100 million", image.width, image.height),
                          "Make it smaller, or remove it.");
    }
    return image;
}

Image toPlanar(const DecodedImage& from, bool gray) {
    Image image;
    image.channels = gray ? 1 : 3;
    image.height = from.height;
    image.width = from.width;
    image.clipped = from.clipped;
    const auto count = static_cast<std::size_t>(from.height * from.width);
    image.pixels.resize(count * static_cast<std::size_t>(image.channels));
    for (std::size_t i = 0; i < count; ++i) {
        if (from.channels == 1) {
            for (std::size_t c = 0; c < static_cast<std::size_t>(image.channels); ++c) {
                image.pixels[c * count + i] = from.pixels[i];
            }
        } else if (gray) {
            const std::uint32_t luma = from.pixels[3 * i] * 19595U + from.pixels[3 * i + 1] * 38470U +
                                       from.pixels[3 * i + 2] * 7471U + 0x8000U;
            image.pixels[i] = static_cast<std::uint8_t>(luma >> 16);
        } else {
            for (std::size_t c = 0; c < 3; ++c) {
                image.pixels[c * count + i] = from.pixels[3 * i + c];
            }
        }
    }
    return image;
}

}  // namespace

Result<ImageSize> readImageSize(const std::filesystem::path& file) {
    PLUMBLINE_ASSIGN(const std::uintmax_t size, regularFileSize(file));
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        return fail(fileError(errno, "read", file));
    }
    std::string bytes(static_cast<std::size_t>(std::min<std::uintmax_t>(size, kHeaderBytes)), '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream) {
        return fail(fileError(EIO, "read", file));
    }
    auto image = decode(file, bytes, true);
    if (!image && size > bytes.size()) {
        // A header longer than that: thumbnails, colour profiles.
        PLUMBLINE_ASSIGN(bytes, readFile(file, kMaxFileBytes));
        image = decode(file, bytes, true);
    }
    if (!image) {
        return fail(image.error());
    }
    return ImageSize{image->height, image->width};
}

Result<Image> readImage(const std::filesystem::path& file, bool gray) {
    PLUMBLINE_ASSIGN(const std::uintmax_t size, regularFileSize(file));
    if (size > kMaxFileBytes) {
        return imageError("image-too-large", file, "is larger than 1 GiB", "Make it smaller, or remove it.");
    }
    PLUMBLINE_ASSIGN(const std::string bytes, readFile(file, kMaxFileBytes));
    PLUMBLINE_ASSIGN(const DecodedImage decoded, decode(file, bytes, false));
    return toPlanar(decoded, gray);
}

Image resized(const Image& image, std::int64_t height, std::int64_t width) {
    if (image.height == height && image.width == width) {
        return image;
    }
    const ResizePlan plan(image.height, image.width, height, width);
    Image result;
    result.channels = image.channels;
    result.height = height;
    result.width = width;
    result.pixels.resize(static_cast<std::size_t>(image.channels * height * width));
    for (std::int64_t c = 0; c < image.channels; ++c) {
        plan.run(image.pixels.data() + c * image.height * image.width, result.pixels.data() + c * height * width);
    }
    return result;
}

}  // namespace plumbline::data
