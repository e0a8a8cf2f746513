#include "data/data_spec.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "core/json_errors.h"
#include "data/source.h"
#include "data/transform.h"

namespace plumbline::data {
namespace {

tl::unexpected<Error> invalid(std::string code, std::string message, std::string pointer, std::string hint = {}) {
    return fail(ErrorKind::kInvalid, std::move(code), std::move(message), std::move(pointer), std::move(hint));
}

std::string nearestOrAll(std::string_view word, const std::vector<std::string>& known, std::string_view what) {
    return didYouMean(word, known,
                      known.empty() ? fmt::format("There is no {} yet.", what)
                                    : fmt::format("Known are {}.", fmt::join(known, ", ")));
}

Status objectOrError(const Json& value, const std::string& pointer) {
    JsonObject object(value, pointer);
    if (!value.is_object()) {
        return object.finish();
    }
    return {};
}

Result<std::vector<SourceSpec>> readSources(const Json& value, const std::string& pointer) {
    PLUMBLINE_TRY(objectOrError(value, pointer));
    std::vector<SourceSpec> sources;
    for (const auto& [name, options] : value.items()) {
        const std::string at = pointerTo(pointer, name);
        if (name.empty() || name.find('.') != std::string::npos) {
            return invalid("source-name", fmt::format("A source cannot be named \"{}\"", name), at,
                           "Choose a name without a dot: the dot separates source and column.");
        }
        PLUMBLINE_TRY(objectOrError(options, at));
        JsonObject object(options, at);
        const std::string typeName = object.requiredString("type");
        if (typeName.empty()) {
            PLUMBLINE_TRY(object.finish());
        }
        const SourceType* type = findSourceType(typeName);
        if (type == nullptr) {
            std::vector<std::string> known;
            for (const SourceType& candidate : sourceTypes()) {
                known.emplace_back(candidate.name);
            }
            return invalid("unknown-source", fmt::format("There is no source type \"{}\"", typeName),
                           pointerTo(at, "type"), nearestOrAll(typeName, known, "source type"));
        }
        PLUMBLINE_TRY(type->check(options, at));
        sources.push_back({name, typeName, options});
    }
    return sources;
}

Status checkFrom(const std::string& from, const std::vector<SourceSpec>& sources, const std::string& pointer) {
    const std::size_t dot = from.find('.');
    if (dot == 0 || dot == std::string::npos || dot + 1 == from.size()) {
        return invalid("feed-source", fmt::format("\"{}\" does not name a source and a column", from), pointer,
                       "Write it as \"source.column\", \"digits.image\" for instance.");
    }
    const std::string sourceName = from.substr(0, dot);
    const std::string field = from.substr(dot + 1);
    std::vector<std::string> names;
    for (const SourceSpec& source : sources) {
        names.push_back(source.name);
    }
    const auto source = std::find(names.begin(), names.end(), sourceName);
    if (source == names.end()) {
        return invalid("unknown-source", fmt::format("There is no source \"{}\"", sourceName), pointer,
                       nearestOrAll(sourceName, names, "source"));
    }
    const std::vector<std::string>& fields =
        findSourceType(sources[static_cast<std::size_t>(source - names.begin())].type)->fields;
    if (!fields.empty() && field != "*" && std::find(fields.begin(), fields.end(), field) == fields.end()) {
        return invalid("unknown-column", fmt::format("The source \"{}\" has no \"{}\"", sourceName, field), pointer,
                       nearestOrAll(field, fields, "column"));
    }
    return {};
}

Result<FeedSpec> readFeed(const std::string& name, const Json& value, const std::vector<SourceSpec>& sources,
                          const std::string& pointer) {
    FeedSpec feed;
    feed.name = name;
    feed.transforms = Json::array();
    JsonObject object(value, pointer);
    const std::string fromPointer = pointerTo(pointer, "from");
    if (const Json* from = object.find("from"); from == nullptr) {
        object.requiredString("from");
    } else if (from->is_string()) {
        feed.from = {from->get<std::string>()};
    } else if (from->is_array() && !from->empty() &&
               std::all_of(from->begin(), from->end(), [](const Json& item) { return item.is_string(); })) {
        feed.from = from->get<std::vector<std::string>>();
    } else {
        object.wrongType("from", "\"source.column\" or a list of those");
    }
    if (const Json* transforms = object.find("transforms"); transforms != nullptr) {
        if (transforms->is_array()) {
            feed.transforms = *transforms;
        } else {
            object.wrongType("transforms", "a list");
        }
    }
    feed.dtype = object.string("dtype", {});
    feed.squeeze = object.boolean("squeeze", false);
    PLUMBLINE_TRY(object.finish());
    for (std::size_t i = 0; i < feed.from.size(); ++i) {
        const bool listed = value.at("from").is_array();
        PLUMBLINE_TRY(checkFrom(feed.from[i], sources, listed ? pointerTo(fromPointer, i) : fromPointer));
    }
    for (std::size_t i = 0; i < feed.transforms.size(); ++i) {
        PLUMBLINE_TRY(readTransform(feed.transforms[i], pointerTo(pointerTo(pointer, "transforms"), i)));
    }
    static const std::vector<std::string> kDTypes = {"float32", "float64", "int64", "int32", "uint8"};
    if (!feed.dtype.empty() && std::find(kDTypes.begin(), kDTypes.end(), feed.dtype) == kDTypes.end()) {
        return invalid("unknown-dtype", fmt::format("Data cannot have the dtype \"{}\"", feed.dtype),
                       pointerTo(pointer, "dtype"),
                       parseDType(feed.dtype) ? "Leave it out and set training.precision instead."
                                              : nearestOrAll(feed.dtype, kDTypes, "dtype"));
    }
    return feed;
}

Result<std::vector<FeedSpec>> readFeeds(const Json& value, const std::vector<SourceSpec>& sources,
                                        const std::string& pointer) {
    PLUMBLINE_TRY(objectOrError(value, pointer));
    std::vector<FeedSpec> feeds;
    for (const auto& [name, feed] : value.items()) {
        PLUMBLINE_ASSIGN(FeedSpec spec, readFeed(name, feed, sources, pointerTo(pointer, name)));
        feeds.push_back(std::move(spec));
    }
    return feeds;
}

Result<SplitSpec> readSplits(const Json& value, const std::vector<FeedSpec>& targets, const std::string& pointer) {
    SplitSpec splits;
    JsonObject object(value, pointer);
    const bool any = object.has("train") || object.has("validation") || object.has("test");
    // Once one share is named, those that are not are zero.
    splits.train = numberIn(object, "train", any ? 0.0 : splits.train, 0.0, 1.0);
    splits.validation = numberIn(object, "validation", any ? 0.0 : splits.validation, 0.0, 1.0);
    splits.test = numberIn(object, "test", any ? 0.0 : splits.test, 0.0, 1.0);
    if (const Json* stratify = object.find("stratify"); stratify != nullptr && !stratify->is_null()) {
        splits.stratify = object.string("stratify", {});
    }
    splits.seed = static_cast<std::uint64_t>(integerIn(object, "seed", 0, 0, INT64_MAX));
    PLUMBLINE_TRY(object.finish());
    const double sum = splits.train + splits.validation + splits.test;
    if (std::abs(sum - 1.0) > 1e-6) {
        return invalid("splits-sum",
                       fmt::format("train, validation and test are {}, {} and {}, {} together", splits.train,
                                   splits.validation, splits.test, sum),
                       pointer, "Let them add to 1; a share that is not named is 0.");
    }
    if (splits.train <= 0.0) {
        return invalid("splits-train", "The training split is empty", pointerTo(pointer, "train"),
                       "Give it a share above 0.");
    }
    std::vector<std::string> names;
    for (const FeedSpec& target : targets) {
        names.push_back(target.name);
    }
    if (!splits.stratify.empty() && std::find(names.begin(), names.end(), splits.stratify) == names.end()) {
        return invalid("unknown-target", fmt::format("There is no target \"{}\" to stratify by", splits.stratify),
                       pointerTo(pointer, "stratify"), nearestOrAll(splits.stratify, names, "target"));
    }
    return splits;
}

Result<LoaderSpec> readLoader(const Json& value, const std::string& pointer) {
    LoaderSpec loader;
    JsonObject object(value, pointer);
    loader.batchSize = integerIn(object, "batch_size", loader.batchSize, 1, 1'000'000);
    loader.workers = integerIn(object, "workers", loader.workers, 0, 256);
    loader.prefetchBatches = integerIn(object, "prefetch_batches", loader.prefetchBatches, 1, 1024);
    loader.shuffle = object.boolean("shuffle", loader.shuffle);
    loader.dropLast = object.boolean("drop_last", loader.dropLast);
    PLUMBLINE_TRY(object.finish());
    return loader;
}

}  // namespace

Result<DataSpec> readDataSpec(const Json& data, const std::string& pointer) {
    static const Json kEmpty = Json::object();
    JsonObject object(data, pointer);
    const auto member = [&](std::string_view key) {
        const Json* value = object.find(key);
        return value != nullptr ? value : &kEmpty;
    };
    const Json* sources = member("sources");
    const Json* inputs = member("inputs");
    const Json* targets = member("targets");
    const Json* splits = member("splits");
    const Json* loader = member("loader");
    PLUMBLINE_TRY(object.finish());

    DataSpec spec;
    PLUMBLINE_ASSIGN(spec.sources, readSources(*sources, pointerTo(pointer, "sources")));
    PLUMBLINE_ASSIGN(spec.inputs, readFeeds(*inputs, spec.sources, pointerTo(pointer, "inputs")));
    PLUMBLINE_ASSIGN(spec.targets, readFeeds(*targets, spec.sources, pointerTo(pointer, "targets")));
    PLUMBLINE_ASSIGN(spec.splits, readSplits(*splits, spec.targets, pointerTo(pointer, "splits")));
    PLUMBLINE_ASSIGN(spec.loader, readLoader(*loader, pointerTo(pointer, "loader")));
    spec.raw = data;
    return spec;
}

}  // namespace plumbline::data
