// plumbline doctor, plumbline fetch-libtorch

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/command.h"
#include "cli/libtorch_setup.h"
#include "core/files.h"

namespace plumbline::cli {
namespace {

constexpr double kLittleSpace =
    2.0e9;  // LibTorch's download and its unpacked files (tools/libtorch/wheels.json), and runs

std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    std::string text;
    while (std::getline(file, text)) {
        if (text.starts_with("model name")) {
            const std::size_t colon = text.find(": ");
            return colon == std::string::npos ? text : text.substr(colon + 2);
        }
    }
    return "unknown";
}

std::string systemName() {
    std::ifstream file("/etc/os-release");
    std::string text;
    while (std::getline(file, text)) {
        if (text.starts_with("PRETTY_NAME=")) {
            text = text.substr(12);
            std::erase(text, '"');
            return text;
        }
    }
    return "unknown";
}

/// A folder that the program writes to: whether it can, and what is free there.
Json checkFolder(const std::string& role, std::filesystem::path folder, const std::string& remedy, Json& problems) {
    std::error_code error;
    std::filesystem::path existing = folder;
    while (!existing.empty() && !std::filesystem::exists(existing, error) && existing != existing.parent_path()) {
        existing = existing.parent_path();
    }
    const bool writable = access(existing.c_str(), W_OK) == 0;
    const auto space = std::filesystem::space(existing, error);
    if (!writable) {
        problems.push_back({{"code", "not-writable"},
                            {"message", fmt::format("The {} folder {} cannot be written to.", role, folder.string())},
                            {"remedy", remedy}});
    }
    if (!error && static_cast<double>(space.available) < kLittleSpace) {
        problems.push_back(
            {{"code", "little-space"},
             {"message",
              fmt::format("{} are free in {}.", bytesText(static_cast<double>(space.available)), existing.string())},
             {"remedy",
              "Free at least 2 GB: LibTorch takes 1.1 GB while it is fetched and 560 MB afterwards, runs and "
              "checkpoints take more."}});
    }
    return {{"path", folder.string()}, {"writable", writable}, {"free_bytes", error ? 0 : space.available}};
}

/// A value of the report, for a person.
std::string valueText(const std::string& name, const Json& value) {
    if (value.is_null() || (value.is_string() && value.get<std::string>().empty()) ||
        (value.is_array() && value.empty())) {
        return name == "gemm_gflops" ? "not measured" : "none";
    }
    if (value.is_boolean()) {
        return value.get<bool>() ? "yes" : "no";
    }
    if (value.is_number_float()) {
        return fmt::format("{:.1f}", value.get<double>());
    }
    if (value.is_number() && (name.ends_with("_threshold") || name.ends_with("_pad"))) {
        return bytesText(value.get<double>());
    }
    if (value.is_object() && value.contains("free_bytes")) {
        return fmt::format("{}, {}, {} free", value.value("path", ""),
                           value.value("writable", false) ? "writable" : "not writable",
                           bytesText(value["free_bytes"].get<double>()));
    }
    if (value.is_array()) {
        std::string text;
        for (const Json& item : value) {
            text += (text.empty() ? "" : ", ") + valueText({}, item);
        }
        return text;
    }
    return value.is_string() ? value.get<std::string>() : value.dump();
}

Result<int> runDoctor(const Output& output) {
    Json document;
    Json problems = Json::array();
    utsname system{};
    uname(&system);
    document["versions"] = {
        {"plumbline", PLUMBLINE_VERSION}, {"compiler", __VERSION__}, {"os", systemName()}, {"kernel", system.release}};
    document["cpu"] = processorName();
    document["threads"] = std::thread::hardware_concurrency();
    document["gemm_gflops"] = nullptr;
    document["cuda"] = {{"loaded", false}, {"reason", "LibTorch is not loaded"}};
    document["folders"]["cache"] = checkFolder(
        "cache", userCacheFolder(), "Change its permissions, or set XDG_CACHE_HOME to another folder.", problems);
    document["folders"]["working"] = checkFolder("working", std::filesystem::current_path(),
                                                 "Change its permissions, or work in another folder.", problems);
    if (const auto libtorch = session::findLibTorch()) {
        document["libtorch_folder"] = libtorch->libraryFolder.parent_path().string();
    }
    const auto engine = session::openEngine();
    if (engine) {
        const Json engineReport = (*engine)->doctor();
        for (const auto& [key, value] : engineReport.items()) {
            if (key == "problems") {
                problems.insert(problems.end(), value.begin(), value.end());
            } else if (document.contains(key) && document[key].is_object() && value.is_object()) {
                document[key].update(value);
            } else {
                document[key] = value;
            }
        }
    } else {
        problems.push_back(
            {{"code", engine.error().code}, {"message", engine.error().message}, {"remedy", engine.error().hint}});
    }
    for (const std::string& remark : session::takeOpeningRemarks()) {
        problems.push_back({{"code", "library-remark"}, {"message", remark}, {"remedy", ""}});
    }
    document["problems"] = problems;
    output.document(document);
    for (const auto& [key, value] : document.items()) {
        if (key == "problems") {
            continue;
        }
        if (!value.is_object()) {
            output.line(fmt::format("{:<14} {}", key, valueText(key, value)));
            continue;
        }
        output.line(key);
        for (const auto& [name, item] : value.items()) {
            output.line(fmt::format("    {:<16} {}", name, valueText(name, item)));
        }
    }
    for (const Json& problem : problems) {
        const std::string remedy = problem.value("remedy", "");
        output.line(fmt::format("problem: {}{}{}", problem.value("message", ""), remedy.empty() ? "" : " ", remedy));
    }
    output.line(problems.empty() ? "No problems." : "");
    return problems.empty() ? 0 : static_cast<int>(ErrorKind::kMachine);
}

}  // namespace

void registerMachine(CLI::App& app, Invocation& invocation) {
    CLI::App* doctor = app.add_subcommand("doctor", "What this machine is and what is wrong with it");
    doctor->callback([&invocation] { invocation.run = runDoctor; });

    auto cuda = std::make_shared<bool>(false);
    CLI::App* fetch = app.add_subcommand(
        "fetch-libtorch", "Bring LibTorch 2.13.0 into the cache folder (540 MB; 2.5 GB with NVIDIA's libraries)");
    fetch->add_flag("--with-cuda", *cuda,
                    "Also NVIDIA's libraries, for training on a GPU; without the flag only with a driver that runs "
                    "them (580 or newer)");
    fetch->callback([&invocation, cuda] {
        invocation.run = [cuda](const Output& output) -> Result<int> {
            PLUMBLINE_TRY(fetchLibTorch(*cuda));
            PLUMBLINE_ASSIGN(const auto location, session::findLibTorch());
            output.document(Json{{"libtorch", location.libraryFolder.string()}});
            output.line("LibTorch is in " + location.libraryFolder.string());
            return 0;
        };
    });
}

}  // namespace plumbline::cli
