#pragma once
// An opened data section: sources read, split, statistics fitted on the training split only.

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/run_control.h"
#include "data/data_spec.h"
#include "data/host_batch.h"
#include "data/raw_input.h"

namespace plumbline::data {

enum class Split { kTrain, kValidation, kTest };
std::string_view toString(Split split);
Result<Split> parseSplit(std::string_view name);

/// What one input or target is, a batch of any size aside.
struct FeedInfo {
    std::string name;
    DType dtype = DType::kFloat32;
    std::vector<std::int64_t> dims;    ///< without the batch dimension
    std::vector<std::string> classes;  ///< names of the classes where it is a class index
    std::vector<std::string> columns;  ///< names of the table columns, where there are some
    /// A channel (dim 0 of [C, H, W]) or column, after the transforms, over the training split. Population deviation.
    struct Statistics {
        std::vector<double> mean, std, min, max;
        std::int64_t samples = 0; /**< how many were measured */
    };
    Statistics statistics;  ///< empty for a class index
    /// The smallest and the largest, likewise, of whole numbers over all splits; empty for others, and where measuring
    /// would read files.
    struct Range {
        std::vector<double> min, max;
    };
    Range range;
    Json transforms;  ///< the list as applied: "statistics": "train" replaced by the numbers it gave
};

/// What fillBatch() is asked for.
struct BatchRequest {
    Split split = Split::kTrain;
    std::span<const std::int64_t> positions;  ///< in the split, 0 … size-1
    std::uint64_t seed = 0;                   ///< drives random transforms, together with the sample
    bool augment = false;                     ///< false for validation and test: random transforms are left out
    bool drawBySlot = false;  ///< draws depend on the place in the batch instead of the sample (same_worker_seed)
    const std::atomic<bool>* abandon = nullptr;  ///< looked at before every sample
    RunControl* control = nullptr;               ///< likewise
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
    /// The same into a batch whose memory is reused where it fits. Thread-safe for different batches. Code "stopped"
    /// when it was told to stop. The default asks makeBatch().
    virtual Status fillBatch(const BatchRequest& request, HostBatch& batch) const;
    /// What a person should know about the data, though it can be used: "class star has no sample in test".
    virtual std::vector<std::string> warnings() const { return {}; }
    /// Content hash of all sources and of the splits: equal data, equal fingerprint.
    virtual std::string fingerprint() const = 0;
    /// Bytes of samples held in memory.
    virtual std::size_t residentBytes() const = 0;
    /// Whether making a batch may read files; false once all samples lie in memory.
    virtual bool readsFiles() const { return false; }
    /// Turns what a person gives to `predict` into a batch of one for the model's inputs: an image file; "a=1,b=2" or
    /// the values in order for a table; "test:3" for a sample of a split.
    virtual Result<HostBatch> makeInput(const std::string& text) const = 0;
    using EachInput = std::function<Status(const std::string& name, const HostBatch& batch)>;
    /// The same for all that a person gives at once, one sample after the other: for a table the values may stand in
    /// texts of their own ("a=1", "b=2"), and a CSV file gives a sample a row. Without any text the error says what is
    /// taken.
    virtual Status eachInput(const std::vector<std::string>& texts, const EachInput& each) const;
    /// The inputs before their transforms, in the order of inputs(); empty where a data set cannot tell.
    virtual std::vector<RawInput> rawInputs() const { return {}; }
    /// The raw inputs of these positions: what makeInput() transforms.
    virtual Result<HostBatch> makeRawBatch(Split split, const std::vector<std::int64_t>& positions) const;
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
    std::int64_t epochs = 0;         ///< so many are given, and no batch is made ahead for a later one; 0 = no end
    bool sameWorkerSeed = false;     ///< training.expert.same_worker_seed: every worker draws the same augmentation
    bool noShufflePerEpoch = false;  ///< training.expert.no_shuffle_per_epoch: every epoch in the first one's order
};

/// Batches of a split in order, made ahead by worker threads. The order and content depend on seed, epoch and position
/// alone, never on the number of workers or on timing. next() is called by one thread.
class Loader {
public:
    virtual ~Loader() = default;  ///< stops and joins the workers
    /// Starts (or restarts) at a position; an epoch is batches 0 … batchesPerEpoch()-1.
    virtual void seek(LoaderState state) = 0;
    /// The next batch of the epoch, nothing at its end (the next call starts the following epoch). Code "stopped"
    /// within 50 ms of a stop. After an error every call gives the same error, until seek().
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
struct SweepPoint {
    std::int64_t workers = 0;
    double samplesPerSecond = 0;
    double spread = 0; /**< (max-min)/median */
};
struct TuneResult {
    std::vector<SweepPoint> sweep;
    std::int64_t chosen = 0;
    std::string limitedBy;  ///< "workers", "cpu", "memory copy", "disk", "waiting": what holds it back; why stands in
                            ///< `explanation`
    std::string explanation;
};
/// Workers from 0 up until the gain is under 5 %, then the knee ±1 three times; the steadiest of those within 5 % of
/// the best wins.
Result<TuneResult> tuneLoader(std::shared_ptr<const Dataset> dataset, LoaderOptions options, double secondsAPoint,
                              RunControl* control);

}  // namespace plumbline::data
