#include "runtime/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "core/files.h"
#include "model/failure.h"
#include "model/memory.h"
#include "runtime/block_compiler.h"
#include "runtime/doctor.h"
#include "runtime/prediction.h"
#include "runtime/torch_warnings.h"
#include "train/assembly.h"
#include "train/averaging.h"
#include "train/checkpoint.h"
#include "train/checkpoint_comparison.h"
#include "train/environment.h"
#include "train/evaluation.h"
#include "train/packages.h"
#include "train/probes/probe.h"
#include "train/run_ending.h"
#include "train/training_loop.h"
#include "train/versions.h"
#ifdef PLUMBLINE_HAS_EXPORT
#include "export/export.h"
#endif

namespace plumbline::runtime {

namespace {

constexpr std::chrono::milliseconds kLookAgain(20);

/// Where the memory was when it ran out: the largest holders by name.
std::string largestHolders() {
    using Category = model::MemoryCategory;
    std::vector<std::pair<std::int64_t, std::string_view>> holders;
    for (const Category category : {Category::kParameters, Category::kGradients, Category::kOptimizerState,
                                    Category::kActivations, Category::kOther}) {
        holders.emplace_back(model::tensorMemory(category).peak, model::toString(category));
    }
    std::sort(holders.rbegin(), holders.rend());
    return fmt::format("at most {:.1f} MB of tensors were held: {} {:.1f} MB, {} {:.1f} MB",
                       static_cast<double>(model::tensorMemory().peak) / 1e6, holders[0].second,
                       static_cast<double>(holders[0].first) / 1e6, holders[1].second,
                       static_cast<double>(holders[1].first) / 1e6);
}

Error explained(Error error) {
    if (error.code == "out-of-memory") {
        error.kind = ErrorKind::kMachine;
        if (model::countingAllocatorInstalled()) {
            error.message += fmt::format(" ({})", largestHolders());
        }
        if (error.hint.empty()) {
            error.hint = "Use a smaller batch_size, raise accumulation, or close other programs.";
        }
    }
    return error;
}

/// Runs `work`; what it throws becomes an error, and an error gets its explanation. What LibTorch warns of goes to
/// `tell`.
template <class Value, class Work>
Result<Value> guarded(const char* doing, const Work& work, std::function<void(const std::string&)> tell = {}) {
    const TorchWarnings warnings(std::move(tell));
    try {
        Result<Value> result = work();
        return result ? std::move(result) : Result<Value>(fail(explained(std::move(result).error())));
    } catch (...) {
        return fail(explained(model::errorOfCurrentException(doing, "")));
    }
}

}  // namespace

TorchEngine::TorchEngine() {
    model::setAllocatorSettings();
    silenceTorchLog();
}

Result<TorchEngine::Turn> TorchEngine::takeTurn(const RunControl* control) {
    Turn turn(m_use, std::defer_lock);
    while (!turn.try_lock_for(kLookAgain)) {
        if (m_training) {
            return fail(ErrorKind::kRunFailed, "engine-busy",
                        "A run is training in this window, and another use of LibTorch would change its numbers.", "",
                        "Wait for its end or stop it; the run can be resumed.");
        }
        if (control != nullptr && control->stopRequested()) {
            return Turn();
        }
    }
    return turn;
}

Result<TorchEngine::Turn> TorchEngine::takeWholeTurn(const RunControl* control) {
    PLUMBLINE_ASSIGN(Turn turn, takeTurn(control));
    if (turn.owns_lock()) {
        m_predictor.forget();
    }
    return turn;
}

Result<session::RunSummary> TorchEngine::train(const session::TrainRequest& request, session::RunSink& sink,
                                               RunControl& control, session::LiveCommands& live) {
    PLUMBLINE_ASSIGN(const Turn turn, takeWholeTurn(&control));
    if (!turn.owns_lock()) {
        return train::stoppedBeforeItBegan(control.stopReason());
    }
    m_training = true;
    const auto trained = guarded<session::RunSummary>(
        "The run failed", [&] { return train::train(request, sink, control, live); },
        [&](const std::string& warning) {
            sink.event({"log", sink.elapsedMs(), {{"level", "warning"}, {"message", warning}}});
        });
    m_training = false;
    return trained;
}

Result<session::Measured> TorchEngine::evaluate(const session::EvaluateRequest& request, RunControl& control) {
    PLUMBLINE_ASSIGN(const Turn turn, takeWholeTurn(nullptr));
    return guarded<session::Measured>("The evaluation failed", [&]() -> Result<session::Measured> {
        PLUMBLINE_ASSIGN(train::Assembly assembly, train::assemble(request.project, nullptr, request.device, &control));
        bool notRecalibrated = false;
        PLUMBLINE_TRY(train::loadModelState(*assembly.model, request.checkpoint, &notRecalibrated));
        if (assembly.dataset->size(request.split) == 0) {
            return fail(ErrorKind::kInvalid, "empty-split",
                        fmt::format("The split {} has no samples.", data::toString(request.split)), "/data/splits",
                        "Choose another split, or give it a share.");
        }
        PLUMBLINE_ASSIGN(const auto evaluator,
                         train::Evaluator::make(request.project.training, request.project.data.loader, request.split,
                                                {assembly.model.get(), &assembly.binder, assembly.dataset,
                                                 assembly.names, assembly.environment.device}));
        const train::EvaluationMode mode(*assembly.model);
        std::unique_ptr<compile::CompiledModel> compiled;
        if (request.compile) {
            PLUMBLINE_ASSIGN(compiled, compileBlocks(assembly, request.project,
                                                     {request.split, request.project.data.loader.batchSize}, &control));
        }
        PLUMBLINE_ASSIGN(const train::Evaluation evaluation, evaluator->run(control, nullptr, {}));
        const std::string prefix =
            fmt::format("{}.", request.split == data::Split::kValidation ? "val" : data::toString(request.split));
        session::Measured measured;
        measured.remarks = evaluation.undefined;
        if (std::string remark =
                train::remarkOnStatistics(request.project.training.averaging, *assembly.model, notRecalibrated);
            !remark.empty()) {
            measured.remarks.push_back(std::move(remark));
        }
        measured.compiled = compiled != nullptr ? compiled->report() : Json();
        for (const auto& [name, value] : evaluation.values) {
            measured.metrics[prefix + name] = value;
        }
        for (const auto& [name, matrix] : evaluation.matrices.items()) {
            measured.matrices[prefix + name] = matrix;
        }
        return measured;
    });
}

Result<std::vector<session::Prediction>> TorchEngine::predict(const session::PredictRequest& request) {
    PLUMBLINE_ASSIGN(const Turn turn, takeTurn(nullptr));
    return guarded<std::vector<session::Prediction>>("The prediction failed",
                                                     [&] { return m_predictor.predict(request); });
}

Result<session::ExportReport> TorchEngine::exportModel(const session::ExportRequest& request, RunControl& control,
                                                       const std::function<void(const std::string&)>& progress) {
#ifdef PLUMBLINE_HAS_EXPORT
    PLUMBLINE_ASSIGN(const Turn turn, takeWholeTurn(nullptr));
    // A finished folder takes the place of what is there: of what a link leads to, not of the link.
    session::ExportRequest resolved = request;
    resolved.folder = followLinks(request.folder);
    return guarded<session::ExportReport>("The export failed",
                                          [&] { return exporting::exportModel(resolved, control, progress); });
#else
    (void)control;
    (void)progress;
    return fail(ErrorKind::kMachine, "no-export",
                fmt::format("This build holds no exporter, so \"{}\" cannot be written.", request.format), "",
                "Build with the module export.");
#endif
}

Result<Json> TorchEngine::compile(const session::CompileRequest& request, RunControl& control) {
    PLUMBLINE_ASSIGN(const Turn turn, takeWholeTurn(nullptr));
    return guarded<Json>("The blocks could not be compiled", [&] { return compileReport(request, control); });
}

Result<Json> TorchEngine::probe(const session::ProbeRequest& request, RunControl& control,
                                const std::function<void(const std::string&)>& progress) {
    PLUMBLINE_ASSIGN(const Turn turn, takeWholeTurn(&control));
    if (!turn.owns_lock()) {
        return fail(train::stopError());
    }
    return guarded<Json>("The probe failed", [&] { return train::probe(request, control, progress); });
}

Result<session::CheckpointFacts> TorchEngine::checkpointFacts(const std::filesystem::path& file) {
    return guarded<session::CheckpointFacts>("The checkpoint cannot be read",
                                             [&] { return train::checkpointFacts(file); });
}

Result<session::CheckpointComparison> TorchEngine::compareCheckpoints(const std::filesystem::path& a,
                                                                      const std::filesystem::path& b) {
    return guarded<session::CheckpointComparison>("The checkpoints cannot be compared",
                                                  [&] { return train::compareCheckpoints(a, b); });
}

Json TorchEngine::doctor() {
    return runtime::doctor();
}

Json TorchEngine::versions() {
    return train::versions();
}

Status TorchEngine::checkDevice(const std::string& device) {
    if (device == "cpu" || device == "auto") {
        return {};
    }
    const auto found = guarded<at::Device>("The device cannot be used", [&] { return train::parseDevice(device); });
    return found ? Status{} : Status(fail(found.error()));
}

}  // namespace plumbline::runtime
