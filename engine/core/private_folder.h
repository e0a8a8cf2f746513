#pragma once
// A folder of temporary files that only this user may look into, and that no end of the program leaves behind for long.

#include <filesystem>
#include <string>

#include "core/descriptor.h"
#include "core/error.h"

namespace plumbline {

/// Gone with what is in it once the object is. A process that is killed leaves its folder; the next one that is made of
/// the same kind removes it.
class PrivateFolder {
public:
    /// "<folder of temporary files>/<kind>-<number of this process>-<six random letters>", empty.
    static Result<PrivateFolder> make(const std::string& kind);
    ~PrivateFolder();
    PrivateFolder(PrivateFolder&& other) noexcept;
    PrivateFolder& operator=(PrivateFolder&&) = delete;
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }

private:
    PrivateFolder(std::filesystem::path path, Descriptor lock);

    std::filesystem::path m_path;  ///< empty: moved from
    Descriptor m_lock;             ///< locked for as long as the folder has an owner; -1 where that is not possible
};

}  // namespace plumbline
