#include "session/summary_json.h"

namespace plumbline::session {

Json toJson(const RunSummary& summary) {
    Json json;
    json["status"] = summary.status;
    json["stop_reason"] = {{"code", summary.stopCode}, {"message", summary.stopMessage}};
    json["epochs"] = summary.epochs;
    json["steps"] = {
        {"attempted", summary.steps.attempted}, {"applied", summary.steps.applied}, {"skipped", summary.steps.skipped}};
    json["metrics"] = summary.metrics;
    json["checkpoint"] = summary.checkpoint;
    json["best_checkpoint"] = summary.bestCheckpoint;
    json["throughput"] = {{"samples_per_second", summary.samplesPerSecond}};
    json["peak_memory_bytes"] = summary.peakMemoryBytes;
    json["memory"] = summary.memory;
    json["seconds"] = summary.seconds;
    return json;
}

}  // namespace plumbline::session
