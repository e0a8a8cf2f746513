#include "data/inspect.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>

#include "data/idx_reader.h"
#include "data/image.h"
#include "data/image_listing.h"
#include "data/source.h"

namespace plumbline::data {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMeasuredImages = 2000;
constexpr std::size_t kDecodedImages = 24;
const char* const kWhatWorks =
    "Choose a CSV table, an IDX file of images with its labels beside it, or a folder with one folder of images a "
    "class.";

tl::unexpected<Error> unusable(std::string code, const fs::path& path, const std::string& what, std::string hint) {
    return fail(ErrorKind::kInvalid, std::move(code), fmt::format("{} {}", path.string(), what), path.string(),
                std::move(hint));
}

std::string lowerExtension(const fs::path& file) {
    std::string extension = file.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

/// Whether the file begins as gzip does.
bool isPacked(const fs::path& file) {
    std::error_code ignored;
    char magic[2] = {};
    return fs::is_regular_file(file, ignored) && std::ifstream(file, std::ios::binary).read(magic, 2) &&
           magic[0] == '\x1f' && magic[1] == '\x8b';
}

bool replaceAll(std::string& text, std::string_view from, std::string_view to) {
    bool any = false;
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
        any = true;
    }
    return any;
}

// ---- IDX ----

Status describeIdx(FoundData& found, RunControl* control) {
    PLUMBLINE_ASSIGN(IdxArray images, readIdx(found.path, control));
    PLUMBLINE_ASSIGN(IdxArray labels, readIdx(found.labels, control));
    if (images.dims.size() == 1 && labels.dims.size() > 1) {
        std::swap(images, labels);
        std::swap(found.path, found.labels);
    }
    for (const auto& [array, file] : {std::pair{&images, &found.path}, std::pair{&labels, &found.labels}}) {
        if (array->dims[0] == 0) {
            return unusable("idx-empty", *file, "promises 0 samples", "Choose a file that holds some, or get it anew.");
        }
    }
    if (images.dims.size() < 2 || images.dims.size() > 4 || images.elementsPerSample() == 0) {
        return unusable("idx-images", found.path,
                        images.dims.size() < 2
                            ? std::string("holds one number a sample, which is no image")
                            : fmt::format("has the dims {}, which are no images", formatDims(images.dims)),
                        "Choose the file of the images; its labels are looked for beside it.");
    }
    if (labels.dims.size() != 1) {
        return unusable("idx-labels", found.labels,
                        fmt::format("has the dims {}, and labels are one number a sample", formatDims(labels.dims)),
                        "Choose the labels that belong to these images, together with them.");
    }
    if (labels.dims[0] != images.dims[0]) {
        return unusable("idx-counts", found.labels,
                        fmt::format("holds {} labels and {} holds {} images", labels.dims[0],
                                    found.path.filename().string(), images.dims[0]),
                        "Choose the labels that belong to these images, together with them.");
    }
    FoundImages& result = found.images;
    result.samples = images.dims[0];
    result.dims.assign(images.dims.begin() + 1, images.dims.end());
    if (result.dims.size() == 2) {
        result.dims.insert(result.dims.begin(), 1);
    }
    result.typicalSide = result.dims.size() == 3 ? std::min(result.dims[1], result.dims[2]) : 0;
    result.bytes = images.dtype == DType::kUInt8;
    result.gray = result.dims.size() == 3 && result.dims[0] == 1;
    if (result.bytes) {
        const auto* pixels = reinterpret_cast<const std::uint8_t*>(images.bytes.data());
        result.largest = std::max<std::int64_t>(*std::max_element(pixels, pixels + images.bytes.size()), 1);
    }
    if (labels.dtype == DType::kFloat32 || labels.dtype == DType::kFloat64) {
        return {};
    }
    // The reader of the source says which label is out of range; here only their number counts.
    std::int64_t largest = 0;
    const auto width = labels.bytes.size() / static_cast<std::size_t>(labels.dims[0]);
    for (std::int64_t row = 0; row < labels.dims[0]; ++row) {
        std::int64_t label = 0;
        std::memcpy(&label, labels.bytes.data() + static_cast<std::size_t>(row) * width,
                    std::min(width, sizeof(label)));
        largest = std::max(largest, std::min<std::int64_t>(label, 99'999));
    }
    for (std::int64_t i = 0; i <= largest; ++i) {
        result.classes.push_back(std::to_string(i));
    }
    return {};
}

/// The labels of these images, or the images of these labels, by the names MNIST and others use; else the only other
/// IDX file.
fs::path idxPartner(const fs::path& file) {
    const fs::path folder = file.parent_path();
    const std::string name = file.filename().string();
    fs::path namedSo;  // beside it and damaged: reading it says how
    for (const auto& [from, to] :
         {std::pair{"images", "labels"}, std::pair{"labels", "images"}, std::pair{"image", "label"},
          std::pair{"label", "image"}, std::pair{"data", "labels"}, std::pair{"x_", "y_"}, std::pair{"X_", "y_"}}) {
        std::string other = name;
        if (!replaceAll(other, from, to)) {
            continue;
        }
        std::string ranked = other;
        if (!replaceAll(ranked, "idx3", "idx1")) {
            replaceAll(ranked, "idx1", "idx3");
        }
        for (std::string candidate : {other, ranked}) {
            const bool packed = candidate.ends_with(".gz");
            for (const std::string& spelled :
                 {candidate, packed ? candidate.substr(0, candidate.size() - 3) : candidate + ".gz"}) {
                std::error_code ignored;
                if (spelled != name && isIdx(folder / spelled)) {
                    return folder / spelled;
                }
                if (spelled != name && fs::is_regular_file(folder / spelled, ignored)) {
                    namedSo = folder / spelled;
                }
            }
        }
    }
    if (!namedSo.empty()) {
        return namedSo;
    }
    fs::path only;
    const auto entries = listFolder(folder);
    for (const auto& entry : entries ? *entries : std::vector<fs::directory_entry>()) {
        if (entry.path().filename() != file.filename() && isIdx(entry.path())) {
            if (!only.empty()) {
                return {};
            }
            only = entry.path();
        }
    }
    return only;
}

Result<FoundData> inspectIdx(const fs::path& file, RunControl* control) {
    FoundData found;
    found.kind = FoundData::Kind::kIdx;
    found.path = file;
    found.labels = idxPartner(file);
    if (found.labels.empty()) {
        return unusable("idx-pair", file, "is one half of an IDX pair, and the other half is not beside it",
                        "Choose images and labels together.");
    }
    PLUMBLINE_TRY(describeIdx(found, control));
    return found;
}

// ---- Images ----

bool isGray(const Image& image) {
    if (image.channels == 1) {
        return true;
    }
    const std::size_t plane = image.pixels.size() / 3;
    return std::equal(image.pixels.begin(), image.pixels.begin() + static_cast<std::ptrdiff_t>(plane),
                      image.pixels.begin() + static_cast<std::ptrdiff_t>(plane)) &&
           std::equal(image.pixels.begin(), image.pixels.begin() + static_cast<std::ptrdiff_t>(plane),
                      image.pixels.begin() + static_cast<std::ptrdiff_t>(2 * plane));
}

Result<FoundData> inspectImages(const fs::path& folder, RunControl* control) {
    PLUMBLINE_ASSIGN(const ImageListing listing, listImages(folder));
    FoundData found;
    found.kind = FoundData::Kind::kImageFolder;
    found.path = folder;
    FoundImages& result = found.images;
    result.samples = static_cast<std::int64_t>(listing.images.size());
    result.classes = listing.classes;
    const std::size_t stride = (listing.images.size() + kMeasuredImages - 1) / kMeasuredImages;
    std::vector<std::int64_t> sides;
    ImageSize first;
    for (std::size_t i = 0; i < listing.images.size(); i += stride) {
        PLUMBLINE_TRY(checkStop(control));
        PLUMBLINE_ASSIGN(const ImageSize size, readImageSize(listing.images[i].file));
        if (sides.empty()) {
            first = size;
        }
        // Unless every file was looked at, a size has to be set: one that differs would end the run.
        result.sizesDiffer =
            result.sizesDiffer || stride > 1 || size.height != first.height || size.width != first.width;
        sides.push_back(std::min(size.height, size.width));
    }
    std::nth_element(sides.begin(), sides.begin() + static_cast<std::ptrdiff_t>(sides.size() / 2), sides.end());
    result.typicalSide = sides[sides.size() / 2];
    result.gray = true;
    const std::size_t step = std::max<std::size_t>(listing.images.size() / kDecodedImages, 1);
    for (std::size_t i = 0; i < listing.images.size() && result.gray; i += step) {
        PLUMBLINE_TRY(checkStop(control));
        PLUMBLINE_ASSIGN(const Image image, readImage(listing.images[i].file, false));
        result.gray = isGray(image);
    }
    result.dims = {result.gray ? 1 : 3, first.height, first.width};
    return found;
}

// ---- What is it? ----

Result<FoundData> inspectFile(const fs::path& file, RunControl* control) {
    PLUMBLINE_ASSIGN(const std::uintmax_t bytes, regularFileSize(file));
    if (bytes == 0) {
        return unusable("empty-file", file, "is empty", kWhatWorks);
    }
    if (isIdx(file)) {
        return inspectIdx(file, control);
    }
    std::string head(4096, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(stream.gcount()));
    if (head.starts_with("\x89PNG") || head.starts_with("\xFF\xD8\xFF") || isImageName(file)) {
        return unusable("one-image", file, "is a single image",
                        "Choose the folder that holds one folder of images a class.");
    }
    if (head.starts_with("PK\x03\x04") || lowerExtension(file) == ".xls") {
        return unusable("spreadsheet", file, "is a spreadsheet or an archive",
                        "Save the sheet as CSV, or unpack the archive, and choose that.");
    }
    if (isPacked(file)) {
        if (const auto read = readIdx(file, control); !read && read.error().code != "idx-magic") {
            return fail(read.error());
        }
        return unusable("packed", file, "is packed with gzip and holds no IDX data",
                        "Unpack it with gunzip, and choose what comes out.");
    }
    const bool utf16 =
        head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF");  // the table's reader says what to do
    if (!utf16 && head.find('\0') != std::string::npos) {
        return unusable("unknown-file", file, "is neither a table nor an IDX file", kWhatWorks);
    }
    FoundData found;
    found.path = file;
    PLUMBLINE_ASSIGN(found.table, inspectTable(file, control));
    return found;
}

/// The first folder below that has folders of images in it; empty: there is none near.
fs::path classesBelow(const fs::path& top) {
    constexpr int kDeepest = 4;
    constexpr std::size_t kMostFolders = 500;
    std::vector<std::pair<fs::path, int>> waiting{{top, 0}};
    for (std::size_t i = 0; i < waiting.size() && i < kMostFolders; ++i) {
        const auto [folder, depth] = waiting[i];
        const auto entries = listFolder(folder);
        for (const auto& entry : entries ? *entries : std::vector<fs::directory_entry>()) {
            std::error_code ignored;
            if (!entry.is_directory(ignored)) {
                continue;
            }
            if (depth > 0 && holdsImages(entry.path())) {
                return folder;
            }
            if (depth < kDeepest) {
                waiting.emplace_back(entry.path(), depth + 1);
            }
        }
    }
    return {};
}

Result<FoundData> inspectFolder(const fs::path& folder, RunControl* control) {
    std::error_code ignored;
    if (fs::exists(folder / "project.json", ignored)) {
        return unusable("is-a-project", folder, "already is a project", "Open it instead.");
    }
    PLUMBLINE_ASSIGN(const auto entries, listFolder(folder));
    std::vector<fs::path> tables, idx;
    bool classes = false;
    for (const auto& entry : entries) {
        if (entry.is_directory(ignored)) {
            classes = classes || holdsImages(entry.path());
        } else if (isIdx(entry.path())) {
            idx.push_back(entry.path());
        } else if (lowerExtension(entry.path()) == ".csv" || lowerExtension(entry.path()) == ".tsv") {
            tables.push_back(entry.path());
        }
    }
    if (classes) {
        return inspectImages(folder, control);
    }
    if (!idx.empty()) {
        const auto train = std::find_if(idx.begin(), idx.end(), [](const fs::path& file) {
            return file.filename().string().find("train") != std::string::npos;
        });
        return inspectIdx(train != idx.end() ? *train : idx.front(), control);
    }
    if (tables.size() == 1) {
        return inspectFile(tables.front(), control);
    }
    if (tables.size() > 1) {
        return unusable("several-tables", folder, fmt::format("holds {} tables", tables.size()),
                        fmt::format("Choose one of them, {} for instance.", tables.front().filename().string()));
    }
    if (holdsImages(folder)) {
        return unusable("no-classes", folder, "holds images, but no folders that say what they show",
                        "Put the images of each class into a folder named after it, and choose the folder above.");
    }
    if (const fs::path below = classesBelow(folder); !below.empty()) {
        return unusable(
            "folders-of-classes", folder,
            fmt::format("holds folders of classes, {} for instance", below.lexically_relative(folder).string()),
            fmt::format("Choose {}; training, validation and test are split from it.", below.string()));
    }
    return unusable("no-data", folder, "holds no table, IDX file or folders of images", kWhatWorks);
}

}  // namespace

Result<FoundData> inspectData(const std::vector<std::filesystem::path>& paths, RunControl* control) {
    if (paths.empty()) {
        return fail(ErrorKind::kUsage, "no-data", "No file was chosen", {}, kWhatWorks);
    }
    std::vector<fs::path> whole;
    for (const fs::path& path : paths) {
        std::error_code error;
        whole.push_back(fs::absolute(path, error).lexically_normal());
        if (!whole.back().has_filename()) {
            whole.back() = whole.back().parent_path();  // "folder/" is "folder"
        }
    }
    // A damaged half is told as such, by reading it.
    const auto isHalf = [](const fs::path& file) { return isIdx(file) || isPacked(file); };
    if (whole.size() == 2 && isHalf(whole[0]) && isHalf(whole[1])) {
        FoundData found;
        found.kind = FoundData::Kind::kIdx;
        found.path = whole[0];
        found.labels = whole[1];
        PLUMBLINE_TRY(describeIdx(found, control));
        return found;
    }
    if (whole.size() > 1) {
        return fail(ErrorKind::kInvalid, "several-files",
                    fmt::format("{} files are too many to start from", whole.size()), whole.front().string(),
                    "Choose one table, one folder, or an IDX file of images with its labels.");
    }
    std::error_code ignored;
    return fs::is_directory(whole.front(), ignored) ? inspectFolder(whole.front(), control)
                                                    : inspectFile(whole.front(), control);
}

}  // namespace plumbline::data
