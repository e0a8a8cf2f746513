#pragma once
// A checkpoint file: a JSON header and tensors, checksummed, read without executing anything; docs/run-store.md has the
// format.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "train/optimizer.h"

namespace plumbline::train {

struct Checkpoint {
    Json meta;             ///< position, scaler, metrics, definition … (run_state.h)
    NamedTensors tensors;  ///< "model.<name>", "optimizer.<name>.<state>", "gradient.<name>", "generator.cpu" …

    /// Those whose name begins with `prefix`, without it.
    std::map<std::string, at::Tensor> withPrefix(const std::string& prefix) const;
};

/// Writes to a temporary file, syncs, renames over `file`. Tensors may be anywhere and of any layout; they are read
/// back contiguous, on the CPU.
Status writeCheckpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);
/// Checks lengths and both checksums before anything is believed: a truncated or damaged file is one error.
/// `prefix`: only tensors whose name begins with it are kept.
Result<Checkpoint> readCheckpoint(const std::filesystem::path& file, const std::string& prefix = {});
/// The weights and buffers alone, by state-dict name: the averaged ones where there are any. `notRecalibrated`, where
/// it is given: whether these have BatchNorm statistics that were not taken anew for them.
Result<std::map<std::string, at::Tensor>> readModelState(const std::filesystem::path& file,
                                                         bool* notRecalibrated = nullptr);

/// The checkpoints of one run: checkpoints/step-000000012.ckpt and checkpoints/best.ckpt.
class CheckpointFolder {
public:
    explicit CheckpointFolder(std::filesystem::path runFolder)
        : m_run(std::move(runFolder)), m_folder(m_run / "checkpoints") {}

    const std::filesystem::path& path() const { return m_folder; }
    std::filesystem::path fileOfStep(std::int64_t step) const;
    std::filesystem::path bestFile() const;
    /// "checkpoints/best.ckpt"
    std::string relative(const std::filesystem::path& file) const;
    /// Files of steps, newest first.
    std::vector<std::filesystem::path> list() const;
    /// The newest file that is whole, read. Newer ones that are not get the ending .damaged, so that they count no
    /// more, and are named in `damaged`.
    Result<Checkpoint> newestWhole(std::vector<std::string>& damaged) const;
    /// Of one of the k best, "checkpoints/best-000000012.ckpt": a link to the checkpoint of its step, which may go or
    /// be written anew.
    std::filesystem::path rankedFile(std::int64_t step) const;
    struct Retained {
        std::vector<std::string> removedForSpace;  ///< names of files
        bool tooLarge = false;                     ///< what has to stay is more than there is room for
        std::int64_t bytes = 0;                    ///< of what is there now
    };
    /// Removes all but the newest `keepLast` step files, the best files that are not of `ranked` (steps, best first),
    /// and what interrupted writes have left behind; then, where all together are larger than `maxBytes` (0: no limit),
    /// the oldest step files and the worst of the best ones. The newest and best.ckpt stay. The run's writer calls it,
    /// between its own writes.
    Retained retain(std::int64_t keepLast, const std::vector<std::int64_t>& ranked, std::int64_t maxBytes) const;
    /// Whether best.ckpt can be used: it is there and whole.
    Status checkBest() const;
    /// A best.ckpt that is not whole gets the ending .damaged, so that it counts no more.
    void setBestAside() const;
    /// Makes best.ckpt the same file as the checkpoint (a link where the file system can, else a copy).
    Status markBest(const std::filesystem::path& checkpoint) const { return link(checkpoint, bestFile()); }
    /// Makes `as` the same file as the checkpoint.
    Status link(const std::filesystem::path& checkpoint, const std::filesystem::path& as) const;

private:
    std::filesystem::path m_run;
    std::filesystem::path m_folder;
};

}  // namespace plumbline::train
