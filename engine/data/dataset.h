#pragma once
// An opened data section: sources read, split, statistics fitted on the training split only.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/run_control.h"
#include "data/data_spec.h"
#include "data/host_batch.h"

namespace plumbline::data {

enum class Split { kTrain, kValidation, kTest };
std::string_view toString(Split split);
Result<Split> parseSplit(std::string_view name);

/// What one input or target is, a batch of any size aside.
struct FeedInfo {
    std::string name;
    DType dtype = DType::kFloat32;
    std::vector<std::int64_t> dims;       ///< without the batch dimension
    std::vector<std::string> classes;     ///< names of the classes where it is a class index
    std::vector<std::string> columns;     ///< names of the table columns, where there are some
    struct Statistics { std::vector<double> mean, std, min, max; };  ///< a channel or column, after the transforms, training split
    Statistics statistics;
};

class Dataset {
public:
    /// Opens and checks all files; errors name file, row and column. `folder` is what relative paths start from.
    static Result<std::shared_ptr<const Dataset>> open(const DataSpec& spec, const std::filesystem::path& folder,
                                                       RunControl* control = nullptr);
    virtual ~Dataset() = default;

    virtual std::int64_t size(Split split) const = 0;
    virtual const std::vector<FeedInfo>& inputs() const = 0;
    virtual const std::vector<FeedInfo>& targets() const = 0;
    /// Samples a class for a class-index target, in class order; empty otherwise.
    virtual std::vector<std::int64_t> classCounts(Split split, const std::string& target) const = 0;
    /// Makes one batch of the named positions of a split (0 … size-1), transforms applied. Thread-safe. `seed` drives
    /// random transforms; `augment` is false for validation and test.
    virtual Result<HostBatch> makeBatch(Split split, const std::vector<std::int64_t>& positions, std::uint64_t seed,
                                        bool augment) const = 0;
    /// Content hash of all sources and of the splits: equal data, equal fingerprint.
    virtual std::string fingerprint() const = 0;
    /// Bytes of samples held in memory.
    virtual std::size_t residentBytes() const = 0;
    /// Turns what a person gives to `predict` (a file, or "a=1,b=2" for a table) into a batch of one for the model's inputs.
    virtual Result<HostBatch> makeInput(const std::string& text) const = 0;
};

/// What a loader was asked for and where it is: enough to go on exactly.
struct LoaderState {
    std::int64_t epoch = 0;
    std::int64_t batch = 0;  ///< the next batch of this epoch
};

struct LoaderOptions {
    Split split = Split::kTrain;
    std::int64_t batchSize = 32;
    std::int64_t workers = 1;
    std::int64_t prefetchBatches = 4;
    bool shuffle = false;
    bool dropLast = false;
    bool augment = false;
    std::uint64_t seed = 0;
    bool sameWorkerSeed = false;      ///< training.expert.same_worker_seed: every worker draws the same augmentation
    bool noShufflePerEpoch = false;   ///< training.expert.no_shuffle_per_epoch: every epoch in the first one's order
};

/// Batches of a split in order, made ahead by worker threads. The order and content depend on seed, epoch and position
/// alone, never on the number of workers or on timing. next() is called by one thread.
class Loader {
public:
    virtual ~Loader() = default;  ///< stops and joins the workers
    /// Starts (or restarts) at a position; an epoch is batches 0 … batchesPerEpoch()-1.
    virtual void seek(LoaderState state) = 0;
    /// The next batch of the epoch, nothing at its end (the next call starts the following epoch).
    virtual Result<std::optional<HostBatch>> next(RunControl* control = nullptr) = 0;
    virtual std::int64_t batchesPerEpoch() const = 0;
    virtual LoaderState state() const = 0;
    /// Milliseconds the last next() waited for a batch that was not ready.
    virtual double lastWaitMs() const = 0;
    /// Bytes of batches made and not yet handed over.
    virtual std::size_t prefetchedBytes() const = 0;
    /// A batch that was handed over may give its memory back for reuse.
    virtual void recycle(HostBatch&& batch) = 0;
};
Result<std::unique_ptr<Loader>> makeLoader(std::shared_ptr<const Dataset> dataset, const LoaderOptions& options);

/// One measured point of a worker sweep.
struct SweepPoint { std::int64_t workers = 0; double samplesPerSecond = 0; double spread = 0; /**< (max-min)/median */ };
struct TuneResult {
    std::vector<SweepPoint> sweep;
    std::int64_t chosen = 0;
    std::string limitedBy;  ///< "workers", "cpu", "memory copy": one word and why in `explanation`
    std::string explanation;
};
/// Workers from 0 up until the gain is under 5 %, then the knee ±1 three times; the steadiest of those within 5 % of the best wins.
Result<TuneResult> tuneLoader(std::shared_ptr<const Dataset> dataset, LoaderOptions options, double secondsAPoint, RunControl* control);

}  // namespace plumbline::data
