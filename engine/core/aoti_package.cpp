#include "core/aoti_package.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json.h"
#include "core/text.h"
#include "core/zip_file.h"

namespace plumbline {
namespace {

constexpr std::uint64_t kLargestMetadata = std::uint64_t{1} << 20;
/// What every file of a package begins with is a folder of the archive's own name; old ones have none.
constexpr std::string_view kModels = "data/aotinductor/";

struct Contents {
    std::vector<const ZipEntry*> libraries, metadata;
    bool hasSource = false;
    std::set<std::string> otherModels;
};

/// "<archive>/data/aotinductor/<model>/<rest>", <archive>/ left out in old ones: the model, and the rest.
std::pair<std::string_view, std::string_view> placeOf(std::string_view name) {
    const std::size_t slash = name.find('/');
    if (!name.starts_with(kModels) && slash != std::string_view::npos) {
        name.remove_prefix(slash + 1);
    }
    if (!name.starts_with(kModels)) {
        return {};
    }
    name.remove_prefix(kModels.size());
    const std::size_t end = name.find('/');
    return end == std::string_view::npos ? std::pair<std::string_view, std::string_view>{}
                                         : std::pair(name.substr(0, end), name.substr(end + 1));
}

Contents contentsOf(const ZipFile& zip, const std::string& model) {
    Contents contents;
    for (const ZipEntry& entry : zip.entries()) {
        const auto [name, file] = placeOf(entry.name);
        if (name.empty() || file.empty()) {
            continue;
        }
        if (name != model) {
            contents.otherModels.insert(std::string(name));
        } else if (file.ends_with(".so")) {
            contents.libraries.push_back(&entry);
        } else if (file.ends_with("wrapper_metadata.json")) {
            contents.metadata.push_back(&entry);
        } else {
            contents.hasSource = contents.hasSource || file.ends_with(".cpp");
        }
    }
    return contents;
}

tl::unexpected<Error> notAPackage(const std::filesystem::path& file, std::string message, std::string hint) {
    return fail(ErrorKind::kInvalid, "not-a-package", std::move(message), file.string(), std::move(hint));
}

const char* const kMake = "Make one with torch._inductor.aoti_compile_and_package.";

/// The words of /proc/cpuinfo's first line of flags; empty where there is none.
const std::set<std::string>& processorFlags() {
    static const std::set<std::string> flags = [] {
        std::set<std::string> found;
        std::ifstream file("/proc/cpuinfo");
        std::string line;
        while (std::getline(file, line)) {
            if (line.starts_with("flags")) {
                std::istringstream words(line);
                std::string word;
                while (words >> word) {
                    found.insert(word);
                }
                break;
            }
        }
        return found;
    }();
    return flags;
}

/// What code of a set of instructions uses (torch/_inductor/cpu_vec_isa.py), as the kernel calls it.
struct InstructionSet {
    std::string_view name;
    std::array<const char*, 4> flags;
};
constexpr std::array<InstructionSet, 5> kInstructionSets = {{
    {"AVX2", {"avx2", "fma", "f16c", "avx2"}},
    {"AVX512", {"avx512f", "avx512dq", "avx512vl", "avx512bw"}},
    {"AVX512_VNNI", {"avx512_vnni", "avx512_vnni", "avx512_vnni", "avx512_vnni"}},
    {"AVX512_BF16", {"avx512_bf16", "avx512_bf16", "avx512_bf16", "avx512_bf16"}},
    {"AMX_TILE", {"amx_tile", "amx_tile", "amx_tile", "amx_tile"}},
}};

/// The first set that this processor lacks; "" = none. One that is not known here counts as there.
std::string lackingSet(const std::string& instructions) {
    const std::set<std::string>& here = processorFlags();
    std::istringstream words(instructions);
    std::string word;
    while (!here.empty() && words >> word) {
        const auto known = std::find_if(kInstructionSets.begin(), kInstructionSets.end(),
                                        [&](const InstructionSet& one) { return one.name == word; });
        if (known != kInstructionSets.end() && std::any_of(known->flags.begin(), known->flags.end(),
                                                           [&](const char* flag) { return !here.contains(flag); })) {
            return word;
        }
    }
    return {};
}

}  // namespace

Result<AotiPackage> readAotiPackage(const std::filesystem::path& file, const std::string& model) {
    PLUMBLINE_ASSIGN(const ZipFile zip, ZipFile::open(file));
    const std::string name = file.string();
    const Contents contents = contentsOf(zip, model);
    if (contents.libraries.empty() && !contents.otherModels.empty() && !contents.hasSource) {
        return notAPackage(file,
                           fmt::format("{} holds no model \"{}\"; it has \"{}\"", name, shortened(oneLine(model)),
                                       shortened(*contents.otherModels.begin())),
                           "Set model_name to one that it has.");
    }
    if (contents.libraries.empty() && contents.hasSource) {
        return notAPackage(file, fmt::format("{} holds source code and no compiled library", name),
                           "Make it without aot_inductor.package_cpp_only.");
    }
    if (contents.libraries.size() != 1 || contents.metadata.size() != 1) {
        return notAPackage(file,
                           contents.libraries.empty()
                               ? fmt::format("{} is a zip file and no AOTInductor package", name)
                               : fmt::format("{} does not hold one compiled library and what that says of itself, as "
                                             "an AOTInductor package does",
                                             name),
                           kMake);
    }
    PLUMBLINE_ASSIGN(const std::string text, zip.read(*contents.metadata.front(), kLargestMetadata));
    const auto metadata = parseJson(text, file.string());
    const auto textOf = [&](const char* key) {
        const bool stated =
            metadata && metadata->is_object() && metadata->contains(key) && metadata->at(key).is_string();
        return stated ? oneLine(metadata->at(key).get<std::string>()) : std::string();
    };
    AotiPackage package;
    package.device = textOf("AOTI_DEVICE_KEY");
    package.platform = textOf("AOTI_PLATFORM");
    package.machine = textOf("AOTI_MACHINE");
    package.instructions = textOf("AOTI_CPU_ISA");
    if (package.device.empty()) {
        return notAPackage(file, fmt::format("{} does not say for which device it was compiled", name), kMake);
    }
    std::error_code error;
    package.bytes = std::filesystem::file_size(file, error);
    package.unpackedBytes = zip.totalBytes();
    return package;
}

Status runsHere(const AotiPackage& package, const std::filesystem::path& file) {
    const auto elsewhere = [&](const std::string& what, const std::string& hint) {
        return fail(ErrorKind::kInvalid, "package-elsewhere",
                    fmt::format("{} was compiled for {}", file.string(), what), file.string(), hint);
    };
    if (package.device != "cpu") {
        return elsewhere(fmt::format("the device \"{}\", and packages run on the CPU here", shortened(package.device)),
                         "Compile it with the model and its inputs on the CPU.");
    }
    utsname system{};
    uname(&system);
    if (!package.platform.empty() && package.platform != "linux") {
        return elsewhere(fmt::format("the system \"{}\", and this is linux", shortened(package.platform)),
                         "Compile it on such a machine as this one.");
    }
    if (!package.machine.empty() && package.machine != system.machine) {
        return elsewhere(
            fmt::format("a {} processor, and this is a {} one", shortened(package.machine), system.machine),
            "Compile it on such a machine as this one.");
    }
    if (const std::string lacking = lackingSet(package.instructions); !lacking.empty()) {
        return elsewhere(fmt::format("a processor with {}, which this one has not", lacking),
                         "Compile it on this machine, or with ATEN_CPU_CAPABILITY=avx2.");
    }
    return {};
}

}  // namespace plumbline
