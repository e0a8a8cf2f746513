#pragma once
// The pictures of a folder that holds one folder a class.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"

namespace plumbline::data {

struct ListedImage {
    std::filesystem::path file;
    std::int64_t label = 0;
};

/// Classes and, a class after the other, files by name; hidden entries are left out.
struct ImageListing {
    std::vector<std::string> classes;
    std::vector<ListedImage> images;
    std::int64_t others = 0;   ///< files of class folders that are not PNG or JPEG
    std::int64_t folders = 0;  ///< folders within class folders: nothing of them is read
};

Result<ImageListing> listImages(const std::filesystem::path& folder);

/// Entries of a folder by name, hidden ones left out.
Result<std::vector<std::filesystem::directory_entry>> listFolder(const std::filesystem::path& folder);
/// Whether there is a PNG or JPEG directly in the folder, by its name.
bool holdsImages(const std::filesystem::path& folder);
/// Whether the name ends as that of a PNG or JPEG does.
bool isImageName(const std::filesystem::path& file);

}  // namespace plumbline::data
