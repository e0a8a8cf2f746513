#include "data/image_listing.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cerrno>

#include "core/files.h"

namespace plumbline::data {

bool isImageName(const std::filesystem::path& file) {
    std::string extension = file.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension == ".png" || extension == ".jpg" || extension == ".jpeg";
}

Result<std::vector<std::filesystem::directory_entry>> listFolder(const std::filesystem::path& folder) {
    std::error_code error;
    std::vector<std::filesystem::directory_entry> entries;
    std::filesystem::directory_iterator it(folder, error);
    for (; !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
        if (it->path().filename().string().front() != '.') {
            entries.push_back(*it);
        }
    }
    if (error) {
        Error problem = fileError(error.value(), "read", folder);
        if (error.value() == ENOTDIR) {
            problem.code = "not-a-folder";
            problem.message =
                fmt::format("Cannot read {}: it is a file, and an image_folder needs a folder", folder.string());
        }
        return fail(std::move(problem));
    }
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.path().filename() < b.path().filename(); });
    return entries;
}

bool holdsImages(const std::filesystem::path& folder) {
    const auto entries = listFolder(folder);
    std::error_code ignored;
    return entries && std::any_of(entries->begin(), entries->end(), [&](const auto& entry) {
               return isImageName(entry.path()) && !entry.is_directory(ignored);
           });
}

Result<ImageListing> listImages(const std::filesystem::path& folder) {
    PLUMBLINE_ASSIGN(const auto folders, listFolder(folder));
    ImageListing listing;
    for (const auto& entry : folders) {
        std::error_code error;
        if (!entry.is_directory(error)) {
            continue;
        }
        PLUMBLINE_ASSIGN(const auto files, listFolder(entry.path()));
        const auto label = static_cast<std::int64_t>(listing.classes.size());
        const std::size_t before = listing.images.size();
        std::filesystem::path nested;
        for (const auto& file : files) {
            if (file.is_directory(error)) {
                ++listing.folders;
                nested = nested.empty() && holdsImages(file.path()) ? file.path() : nested;
            } else if (isImageName(file.path())) {
                listing.images.push_back({file.path(), label});
            } else {
                ++listing.others;
            }
        }
        if (listing.images.size() == before && !nested.empty()) {
            return fail(ErrorKind::kInvalid, "class-nested",
                        fmt::format("{} holds no image itself, its folder {} does", entry.path().string(),
                                    nested.filename().string()),
                        entry.path().string(), "A class is one folder of images: move them up into it.");
        }
        if (listing.images.size() == before) {
            return fail(ErrorKind::kInvalid, "class-empty",
                        fmt::format("{} holds no PNG or JPEG image", entry.path().string()), entry.path().string(),
                        "Each subfolder is a class; add images to it, or remove it.");
        }
        listing.classes.push_back(entry.path().filename().string());
    }
    if (listing.classes.empty()) {
        return fail(ErrorKind::kInvalid, "no-classes", fmt::format("{} has no subfolders", folder.string()),
                    folder.string(), "Put the images of each class into a subfolder named after it.");
    }
    return listing;
}

}  // namespace plumbline::data
