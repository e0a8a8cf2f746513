#pragma once
// What a program needs from LibTorch, behind one interface. runtime/ implements it in a shared library of its own, so
// that neither program links LibTorch.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/run_control.h"
#include "data/dataset.h"
#include "diagnostics/finding.h"
#include "project/project.h"
#include "session/live_commands.h"
#include "session/probe.h"
#include "session/run_sink.h"

namespace plumbline::session {

/// A change that a run recorded while it went on.
struct RecordedCommand {
    std::int64_t step = 0;  ///< steps that were done when it took effect
    double tMs = 0;         ///< on the run's clock
    LiveCommand command;
};

/// Where a new run goes on from, with settings of its own.
struct BranchPoint {
    std::filesystem::path checkpoint;
    std::string run;  ///< whose it is
};

struct TrainRequest {
    project::Project project;         ///< immutable snapshot, overrides applied
    std::filesystem::path runFolder;  ///< exists; checkpoints go to runFolder/checkpoints
    std::string runId;
    std::int64_t provesBatch = -1;  ///< ends as soon as its last step is saved at this batch of its epoch: nothing more
                                    ///< is wanted; -1: a usual run
    std::int64_t maxSteps = 0;      ///< counts from the run's first step; 0 = no limit; never changes a schedule
    bool resume = false;            ///< go on from the newest whole checkpoint in runFolder
    Json recorded;                  ///< resume, reproduce: the automatic choices of the first start; null = choose
    std::vector<RecordedCommand> commands = {};  ///< in order: each takes effect at its step again
    bool repeats = false;  ///< another run is repeated: stop.seconds does not count, and other data than `recorded`
                           ///< names are refused
    std::optional<BranchPoint> branch = {};  ///< a new run's beginning; without one it begins at step 0
};

/// Where a checkpoint is, and whether its weights are those of that step.
struct CheckpointFacts {
    std::int64_t step = 0, epoch = 0, batch = 0;
    bool stepOpen = false;      ///< within a step over several batches
    bool restoredBest = false;  ///< the weights are an earlier step's, put back at the run's end
};

/// What two checkpoints have in common, bit for bit: weights, optimizer state, gradients, generators.
struct CheckpointComparison {
    std::int64_t tensors = 0, values = 0;  ///< compared
    std::int64_t different = 0;            ///< tensors
    std::string first;                     ///< name of the first one that differs: "model.fc.weight"; "" = none does
    std::string how;                       ///< of the first: what the two have
    double largest = 0;                    ///< largest difference of two finite values, over all
    bool equal() const { return different == 0; }
};

struct StepCounts {
    std::int64_t attempted = 0, applied = 0, skipped = 0;
};

struct RunSummary {
    std::string status;       ///< completed, stopped, failed
    std::string stopCode;     ///< "epochs", "max_steps", "time", "target", "early_stopping", "user", "interrupt",
                              ///< "terminate", "finding", "error"
    std::string stopMessage;  ///< a sentence with its numbers
    std::int64_t epochs = 0;  ///< finished ones
    StepCounts steps;
    std::map<std::string, double>
        metrics;             ///< last value of each epoch series: "train.loss", "val.accuracy", "test.accuracy"
    std::string checkpoint;  ///< newest, relative to the run folder
    std::string bestCheckpoint;
    double samplesPerSecond = 0;
    std::int64_t peakMemoryBytes = 0;  ///< exact tensor bytes on the CPU, allocated bytes on CUDA
    double seconds = 0;
    Json memory;  ///< parameters, gradients, optimizer state, activations, prefetch: current and peak bytes
};

/// What a split was measured with: numbers by series, as "test.accuracy"; tables likewise, each {"classes": [name …],
/// "counts": [[…] …]} with a row a true class; and a sentence for each metric that has no value there.
struct Measured {
    std::map<std::string, double> metrics;
    Json matrices = Json::object();
    std::vector<std::string> remarks;
    Json compiled = {}; /**< with `compile`: a report */
};
struct EvaluateRequest {
    project::Project project;
    std::filesystem::path checkpoint;
    data::Split split = data::Split::kTest;
    std::string device = "cpu";
    bool compile = false;  ///< blocks run compiled where that is right and faster
};
struct PredictRequest {
    project::Project project;
    std::filesystem::path checkpoint;
    std::vector<std::string> inputs;
    std::string device = "cpu";
    bool compile = false;
    std::function<void(const Json&)> compiled = {};  ///< with `compile`: gets the report once all is predicted
};
/// Compiles a model's blocks for inference to tell what each gains. The report is that of compile/compiled_model.h.
struct CompileRequest {
    project::Project project;
    std::filesystem::path checkpoint;
    std::int64_t batchSize = 0; /**< 0: the project's */
    std::string device = "cpu";
};
/// One sample's answer: outputs by name, and for a classifier the classes with probabilities, best first.
struct Prediction {
    std::string input;
    Json outputs;
    std::vector<std::pair<std::string, double>> classes;
    std::string remark = {};  ///< what to know of the checkpoint that answered, a sentence; "" = nothing
};

struct ExportRequest {
    project::Project project;
    std::filesystem::path checkpoint;  ///< empty: initial weights of the seed
    std::string format;                ///< a name of exportFormats()
    std::filesystem::path folder;
    bool verify = false;
};
struct ExportReport {
    std::vector<std::string> files;
    bool checked = false, passed = false;
    /// max|Δ| / max(1, max|reference|); empty where the format has no such thing to compare.
    std::optional<double> forwardMax, trainingMax;
    Json worst;                         ///< where the differences are largest: [{"tensor", "difference"}]
    std::vector<std::string> notes;     ///< what a person should know of what was written, a sentence each
    std::vector<std::string> commands;  ///< what to type next, in a shell, with the paths of this machine
    std::string log;
};

class Engine {
public:
    virtual ~Engine() = default;
    /// Blocks until the run ends; calls `sink` from this thread. A run that fails returns the error after the sink has
    /// been told; a run that was stopped is a success with status "stopped". A resumed run goes on once it has told
    /// RunSink::dropAfter(); what it ends with before that is no end of the run.
    virtual Result<RunSummary> train(const TrainRequest& request, RunSink& sink, RunControl& control,
                                     LiveCommands& live) = 0;
    virtual Result<Measured> evaluate(const EvaluateRequest& request, RunControl& control) = 0;
    virtual Result<std::vector<Prediction>> predict(const PredictRequest& request) = 0;
    virtual Result<ExportReport> exportModel(const ExportRequest& request, RunControl& control,
                                             const std::function<void(const std::string&)>& progress) = 0;
    virtual Result<Json> compile(const CompileRequest& /*request*/, RunControl& /*control*/) {
        return fail(ErrorKind::kMachine, "no-compiler", "This engine compiles no blocks.", {},
                    "Use the one that came with the program.");
    }
    /// A short experiment before a run (session/probe.h). The error "stopped" where `control` asked for it.
    virtual Result<Json> probe(const ProbeRequest& /*request*/, RunControl& /*control*/,
                               const std::function<void(const std::string&)>& /*progress*/) {
        return fail(ErrorKind::kMachine, "no-probes", "This engine has no probes.", {},
                    "Use the one that came with the program.");
    }
    /// Where a checkpoint file is; one that is damaged is the error.
    virtual Result<CheckpointFacts> checkpointFacts(const std::filesystem::path& file);
    virtual Result<CheckpointComparison> compareCheckpoints(const std::filesystem::path& a,
                                                            const std::filesystem::path& b);
    /// versions, gemm_gflops, threads, allocator, cuda {loaded, reason, devices}.
    virtual Json doctor() = 0;
    /// What this build was compiled against and runs with; part of each run's record.
    virtual Json versions() = 0;
    /// Whether this machine has the device: auto, cpu, cuda:i. Any thread.
    virtual Status checkDevice(const std::string& /*device*/) { return {}; }
};

/// Which LibTorch was found: PLUMBLINE_LIBTORCH, the per-user cache, or nothing.
struct LibTorchLocation {
    std::filesystem::path libraryFolder;
    std::string origin;
};
Result<LibTorchLocation> findLibTorch();

/// Wait policy and cuBLAS's workspace, which LibTorch reads once; a number of threads that is none is taken away. The
/// first thing that main() does: later other threads may be reading the environment.
void prepareProcess();

/// Opens LibTorch and libplumbline_runtime.so once a process (later calls give the same engine), after
/// prepareProcess(). Any thread.
Result<std::shared_ptr<Engine>> openEngine();
/// What prepareProcess() took away from the libraries, a sentence each, since the last call. Any thread.
std::vector<std::string> takeOpeningRemarks();

}  // namespace plumbline::session
