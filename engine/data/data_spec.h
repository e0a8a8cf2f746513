#pragma once
// The "data" object of project.json, read and checked but not yet opened.

#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"

namespace plumbline::data {

struct SourceSpec {
    std::string name;
    std::string type;  ///< "csv", "idx", "image_folder"
    Json options;      ///< the whole object; each source type checks its own keys
};

/// What feeds one model input or loss target.
struct FeedSpec {
    std::string name;  ///< model input or target name
    std::vector<std::string>
        from;           ///< "digits.image"; several table columns are put side by side ("wine.*" = all but the targets)
    Json transforms;    ///< list of {"type": …}
    std::string dtype;  ///< "" = what the source and transforms give; real numbers become float32
    bool squeeze = false;  ///< a single number a sample as [B] instead of [B, 1]
};

struct SplitSpec {
    double train = 0.8, validation = 0.1, test = 0.1;
    std::string stratify;  ///< target name, "" = none
    std::uint64_t seed = 0;
};

struct LoaderSpec {
    std::int64_t batchSize = 32;
    std::int64_t workers = 1;          ///< threads; 0 = loads in the training thread
    std::int64_t prefetchBatches = 4;  ///< bound of batches ready or being made, over all workers
    bool shuffle = true;               ///< training split only
    bool dropLast = false;
};

struct DataSpec {
    std::vector<SourceSpec> sources;
    std::vector<FeedSpec> inputs;
    std::vector<FeedSpec> targets;
    SplitSpec splits;
    LoaderSpec loader;
    Json raw;
};

/// Strict: an unknown key, type, source or field is an error with its JSON pointer. Touches no file. An empty object is
/// a project without data yet.
Result<DataSpec> readDataSpec(const Json& data, const std::string& pointer = "/data");

}  // namespace plumbline::data
