#pragma once
// What an AOTInductor package (.pt2) says of itself: read without running anything of it.

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/error.h"

namespace plumbline {

/// A model that torch.export and AOTInductor compiled to native code for one kind of machine.
struct AotiPackage {
    std::uint64_t bytes = 0;  ///< of the file
    std::uint64_t unpackedBytes = 0;
    std::string device;             ///< "cpu", "cuda"
    std::string platform, machine;  ///< "linux", "x86_64"; "" = not stated
    std::string instructions;       ///< sets that the code was compiled for, as "AVX512 AVX512_VNNI"; "" = not stated
};

/// What the file holds of the model with this name. Codes "not-a-zip", "damaged-zip" (zip_file.h), "not-a-package".
Result<AotiPackage> readAotiPackage(const std::filesystem::path& file, const std::string& model);

/// Whether this program on this machine can run it: compiled for the CPU, and for this kind of one. Else
/// "package-elsewhere".
Status runsHere(const AotiPackage& package, const std::filesystem::path& file);

}  // namespace plumbline
