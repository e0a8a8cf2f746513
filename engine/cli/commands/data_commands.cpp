// plumbline data, plumbline tune-loader

#include <fmt/format.h>
#include <algorithm>

#include "cli/command.h"
#include "cli/finite.h"
#include "cli/signals.h"
#include "core/hash.h"
#include "core/text.h"
#include "data/dataset.h"

namespace plumbline::cli {
namespace {

struct DataArguments {
    std::string project;
    std::string split = "train";
    std::int64_t batches = 1;
    std::vector<std::string> settings;
};

constexpr data::Split kSplits[] = {data::Split::kTrain, data::Split::kValidation, data::Split::kTest};

data::LoaderOptions loaderOptions(const project::Project& project, data::Split split) {
    data::LoaderOptions options;
    options.split = split;
    options.batchSize = project.data.loader.batchSize;
    options.workers = project.data.loader.workers;
    options.prefetchBatches = project.data.loader.prefetchBatches;
    options.shuffle = split == data::Split::kTrain && project.data.loader.shuffle;
    options.dropLast = split == data::Split::kTrain && project.data.loader.dropLast;
    options.augment = split == data::Split::kTrain;
    options.seed = project.training.seed;
    options.sameWorkerSeed = project.training.expert.sameWorkerSeed;
    options.noShufflePerEpoch = project.training.expert.noShufflePerEpoch;
    return options;
}

Json feedJson(const data::FeedInfo& feed) {
    return {{"name", feed.name},
            {"dtype", std::string(toString(feed.dtype))},
            {"dims", feed.dims},
            {"classes", feed.classes},
            {"columns", feed.columns},
            {"statistics",
             {{"mean", feed.statistics.mean},
              {"std", feed.statistics.std},
              {"min", feed.statistics.min},
              {"max", feed.statistics.max}}}};
}

std::string shapeText(const std::vector<std::int64_t>& dims) {
    std::string text = "B";
    for (const std::int64_t dim : dims) {
        text += fmt::format(", {}", dim);
    }
    return "[" + text + "]";
}

void printFeed(const Output& output, const char* role, const data::FeedInfo& feed) {
    output.line(fmt::format("{} {}: {} {}", role, feed.name, shapeText(feed.dims), toString(feed.dtype)));
    const auto& statistics = feed.statistics;
    for (std::size_t i = 0; i < std::min<std::size_t>(statistics.mean.size(), 16); ++i) {
        output.line(fmt::format("    {}  mean {}  std {}  min {}  max {}",
                                i < feed.columns.size() ? feed.columns[i] : fmt::format("channel {}", i),
                                numberText(statistics.mean[i], 4), numberText(statistics.std[i], 4),
                                numberText(statistics.min[i], 4), numberText(statistics.max[i], 4)));
    }
}

Result<int> runData(const DataArguments& arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const project::Project project, openWithSettings(arguments.project, arguments.settings));
    PLUMBLINE_ASSIGN(const data::Split split, data::parseSplit(arguments.split));
    PLUMBLINE_ASSIGN(const auto dataset, data::Dataset::open(project.data, project.folder));
    Json document;
    for (const data::Split each : kSplits) {
        document["counts"][std::string(data::toString(each))] = dataset->size(each);
    }
    for (const data::FeedInfo& feed : dataset->inputs()) {
        document["inputs"].push_back(feedJson(feed));
    }
    document["targets"] = Json::array();
    document["classes"] = Json::object();
    for (const data::FeedInfo& feed : dataset->targets()) {
        document["targets"].push_back(feedJson(feed));
        for (const data::Split each : kSplits) {
            const auto counts = dataset->classCounts(each, feed.name);
            for (std::size_t i = 0; i < counts.size(); ++i) {
                document["classes"][feed.name][i < feed.classes.size() ? feed.classes[i] : std::to_string(i)]
                        [std::string(data::toString(each))] = counts[i];
            }
        }
    }
    document["fingerprint"] = dataset->fingerprint();
    document["resident_bytes"] = dataset->residentBytes();
    document["batches"] = Json::array();
    if (dataset->size(split) > 0) {
        PLUMBLINE_ASSIGN(const auto loader, data::makeLoader(dataset, loaderOptions(project, split)));
        for (std::int64_t i = 0; i < std::min(arguments.batches, loader->batchesPerEpoch()); ++i) {
            PLUMBLINE_ASSIGN(const auto batch, loader->next());
            if (!batch) {
                break;
            }
            document["batches"].push_back(
                {{"index", batch->index}, {"size", batch->size()}, {"content_hash", toHex(batch->contentHash())}});
        }
    }
    output.document(document);
    output.line(fmt::format("samples: train {}, validation {}, test {}", dataset->size(kSplits[0]),
                            dataset->size(kSplits[1]), dataset->size(kSplits[2])));
    for (const data::FeedInfo& feed : dataset->inputs()) {
        printFeed(output, "input", feed);
    }
    for (const data::FeedInfo& feed : dataset->targets()) {
        printFeed(output, "target", feed);
        std::vector<std::vector<std::string>> rows{{"class", "train", "validation", "test"}};
        std::vector<std::vector<std::int64_t>> counts;
        for (const data::Split each : kSplits) {
            counts.push_back(dataset->classCounts(each, feed.name));
        }
        for (std::size_t i = 0; i < counts[0].size(); ++i) {
            rows.push_back({i < feed.classes.size() ? feed.classes[i] : std::to_string(i), std::to_string(counts[0][i]),
                            std::to_string(counts[1][i]), std::to_string(counts[2][i])});
        }
        if (rows.size() > 1) {
            output.table(rows);
        }
    }
    for (const Json& batch : document["batches"]) {
        output.line(fmt::format("{} batch {}: {}, content {}", arguments.split, batch["index"].get<std::int64_t>(),
                                counted(batch["size"].get<std::int64_t>(), "sample"),
                                batch["content_hash"].get<std::string>()));
    }
    return 0;
}

Result<int> runTune(const DataArguments& arguments, double seconds, const Output& output) {
    PLUMBLINE_ASSIGN(const project::Project project, openWithSettings(arguments.project, arguments.settings));
    PLUMBLINE_ASSIGN(const auto dataset, data::Dataset::open(project.data, project.folder));
    RunControl control;
    const SignalScope signals(control);
    PLUMBLINE_ASSIGN(const data::TuneResult result,
                     data::tuneLoader(dataset, loaderOptions(project, data::Split::kTrain), seconds, &control));
    if (exitCodeOf(control.stopReason()) != 0) {
        return fail(stoppedBySignal());
    }
    Json sweep = Json::array();
    std::vector<std::vector<std::string>> rows{{"workers", "samples/s", "spread"}};
    for (const data::SweepPoint& point : result.sweep) {
        sweep.push_back(
            {{"workers", point.workers}, {"samples_per_second", point.samplesPerSecond}, {"spread", point.spread}});
        rows.push_back({std::to_string(point.workers), countText(point.samplesPerSecond),
                        fmt::format("{:.1f} %", 100 * point.spread)});
    }
    output.document(Json{{"sweep", sweep},
                         {"chosen", result.chosen},
                         {"limited_by", result.limitedBy},
                         {"explanation", result.explanation}});
    output.table(rows);
    output.line(
        fmt::format("{}; limited by {}. {}", counted(result.chosen, "worker"), result.limitedBy, result.explanation));
    output.line(fmt::format("Set it with: --set data.loader.workers={}", result.chosen));
    return 0;
}

}  // namespace

void registerData(CLI::App& app, Invocation& invocation) {
    auto arguments = std::make_shared<DataArguments>();
    CLI::App* command =
        app.add_subcommand("data", "Show what the model will get: counts, classes, statistics, first batches");
    command->add_option("PROJECT", arguments->project, "Folder or project.json")->required();
    command->add_option("--split", arguments->split, "train, validation or test: whose batches to show")
        ->capture_default_str();
    command->add_option("--batch", arguments->batches, "How many batches to make and hash")
        ->capture_default_str()
        ->check(CLI::Range(0, 1000000));
    command->add_option("--set", arguments->settings, "Change a setting for this command, as a.b=v");
    command->callback([&invocation, arguments] {
        invocation.run = [arguments](const Output& output) { return runData(*arguments, output); };
    });

    auto tune = std::make_shared<DataArguments>();
    auto seconds = std::make_shared<double>(0.5);
    CLI::App* sweep = app.add_subcommand("tune-loader", "Measure how many loader workers pay off");
    sweep->add_option("PROJECT", tune->project, "Folder or project.json")->required();
    sweep->add_option("--seconds", *seconds, "Seconds a measurement")
        ->capture_default_str()
        ->check(CLI::Range(0.05, 60.0) & notNan());
    sweep->add_option("--set", tune->settings, "Change a setting for this command, as a.b=v");
    sweep->callback([&invocation, tune, seconds] {
        invocation.run = [tune, seconds](const Output& output) { return runTune(*tune, *seconds, output); };
    });
}

}  // namespace plumbline::cli
