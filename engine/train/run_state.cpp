#include "train/run_state.h"

#include <utility>

#include "model/failure.h"
#include "train/generators.h"
#include "train/packages.h"

namespace plumbline::train {

namespace {

/// What an epoch's loss is made of: a sum and what has counted, a loss.
Json toJson(const std::vector<GatheredLoss>& losses) {
    Json json = Json::array();
    for (const GatheredLoss& loss : losses) {
        json.push_back({numberToJson(loss.sum), loss.counted});
    }
    return json;
}

std::vector<GatheredLoss> lossesFromJson(const Json& position, const plan::TrainingPlan& plan) {
    const std::vector<plan::LossSpec> terms = plan::termsOf(plan.losses);
    std::vector<GatheredLoss> losses(terms.size());
    if (position.contains("epoch_losses")) {
        const Json& all = position["epoch_losses"];
        for (std::size_t i = 0; i < losses.size() && i < all.size(); ++i) {
            losses[i] = {numberFromJson(all[i].at(0)), all[i].at(1).get<double>()};
        }
        return losses;
    }
    // Version 1 had the weighted sum of all losses alone, by samples: it goes to the first that has a weight.
    double sum = numberFromJson(position.at("epoch_loss_sum"));
    for (std::size_t i = 0; i < losses.size(); ++i) {
        losses[i].counted = static_cast<double>(position.at("epoch_samples").get<std::int64_t>());
        if (terms[i].weight != 0) {
            losses[i].sum = std::exchange(sum, 0.0) / terms[i].weight;
        }
    }
    return losses;
}

Json toJson(const StopState& stop) {
    return {{"best", stop.hasBest ? numberToJson(stop.best) : Json()},
            {"best_step", stop.bestStep},
            {"waited", stop.waited},
            {"code", stop.code},
            {"step", stop.step},
            {"value", numberToJson(stop.value)}};
}

StopState stopFromJson(const Json& json) {
    StopState stop;
    stop.hasBest = !json.at("best").is_null();
    stop.best = stop.hasBest ? numberFromJson(json.at("best")) : 0;
    stop.bestStep = json.at("best_step").get<std::int64_t>();
    stop.waited = json.at("waited").get<std::int64_t>();
    stop.code = json.at("code").get<std::string>();
    stop.step = json.at("step").get<std::int64_t>();
    stop.value = numberFromJson(json.at("value"));
    return stop;
}

Json toJson(const std::vector<RankedCheckpoint>& ranked) {
    Json list = Json::array();
    for (const RankedCheckpoint& one : ranked) {
        list.push_back({one.step, numberToJson(one.value), numberToJson(one.tieLoss)});
    }
    return list;
}

std::vector<RankedCheckpoint> rankedFromJson(const Json& list) {
    std::vector<RankedCheckpoint> ranked;
    for (const Json& one : list) {
        ranked.push_back({one.at(0).get<std::int64_t>(), numberFromJson(one.at(1)), numberFromJson(one.at(2))});
    }
    return ranked;
}

Json toJson(const Position& position) {
    Json values = Json::object();
    for (const auto& [name, value] : position.values) {
        values[name] = numberToJson(value);
    }
    return {{"epoch", position.epoch},
            {"batch", position.batch},
            {"attempted", position.steps.attempted},
            {"applied", position.steps.applied},
            {"skipped", position.steps.skipped},
            {"validation_pending", position.validationPending},
            {"validated", position.validated},
            {"left_in_eval", position.leftInEval},
            {"judged_samples", position.judgedSamples},
            {"correct_samples", position.correctSamples},
            {"distinct_predictions", position.distinctPredictions},
            {"validation_epoch", position.validationEpoch},
            {"epoch_losses", toJson(position.epochLosses)},
            {"step_samples", position.stepSamples},
            {"step_counted", position.stepCounted},
            {"schedule_length", position.scheduleLength},
            {"elapsed_ms", position.elapsedMs},
            {"best", position.hasBest ? numberToJson(position.bestValue) : Json()},
            {"best_tie_loss", numberToJson(position.bestTieLoss)},
            {"best_step", position.bestStep},
            {"judged_step", position.judgedStep},
            {"best_checkpoint", position.bestCheckpoint},
            {"ranked", toJson(position.ranked)},
            {"stop", toJson(position.stop)},
            {"began_at", position.beganAt},
            {"paused_ms", position.pausedMs},
            {"restored_best", position.restoredBest},
            {"values", std::move(values)},
            {"matrices", position.matrices},
            {"live", position.live},
            {"put_off", position.putOff}};
}

Position fromJson(const Json& json, const plan::TrainingPlan& plan) {
    Position position;
    position.epoch = json.at("epoch").get<std::int64_t>();
    position.batch = json.at("batch").get<std::int64_t>();
    position.steps = {json.at("attempted").get<std::int64_t>(), json.at("applied").get<std::int64_t>(),
                      json.at("skipped").get<std::int64_t>()};
    position.validationPending = json.at("validation_pending").get<bool>();
    position.validated = json.at("validated").get<bool>();
    position.leftInEval = json.value("left_in_eval", false);
    position.judgedSamples = json.at("judged_samples").get<std::int64_t>();
    position.correctSamples = json.at("correct_samples").get<std::int64_t>();
    position.distinctPredictions = json.at("distinct_predictions").get<std::int64_t>();
    position.validationEpoch = json.value("validation_epoch", std::int64_t{-1});
    position.epochLosses = lossesFromJson(json, plan);
    position.stepSamples = json.at("step_samples").get<std::int64_t>();
    position.stepCounted = json.value("step_counted", std::vector<double>{});
    position.scheduleLength = json.value("schedule_length", std::int64_t{0});
    position.elapsedMs = json.at("elapsed_ms").get<double>();
    position.hasBest = !json.at("best").is_null();
    position.bestValue = position.hasBest ? numberFromJson(json.at("best")) : 0;
    position.bestTieLoss = numberFromJson(json.at("best_tie_loss"));
    position.bestStep = json.value("best_step", std::int64_t{-1});
    position.judgedStep = json.value("judged_step", std::int64_t{-1});
    position.bestCheckpoint = json.at("best_checkpoint").get<std::string>();
    position.ranked = rankedFromJson(json.value("ranked", Json::array()));
    position.stop = json.contains("stop") ? stopFromJson(json["stop"]) : StopState();
    position.beganAt = json.value("began_at", std::int64_t{0});
    position.pausedMs = json.value("paused_ms", 0.0);
    position.restoredBest = json.value("restored_best", false);
    for (const auto& [name, value] : json.at("values").items()) {
        position.values[name] = numberFromJson(value);
    }
    position.matrices = json.value("matrices", Json::object());
    position.live = json.at("live");
    position.putOff = json.value("put_off", Json::array());
    return position;
}

Status refuseOther(const Json& meta, const project::Project& project, const std::string& fingerprint,
                   const graph::ResolvedModel& graph) {
    if (meta.value("definition_hash", "") != project::definitionHash(project)) {
        return fail(ErrorKind::kInvalid, "definition-changed",
                    "The project's model, data or training settings are not those that the run was started with.",
                    "/training", "Go on with the definition that the run recorded, or start a new run.");
    }
    if (meta.value("data_fingerprint", "") != fingerprint) {
        return fail(ErrorKind::kInvalid, "data-changed",
                    "The data have changed since the run was started, so it cannot go on exactly.", "/data",
                    "Put the data back as they were, or start a new run.");
    }
    return refuseOtherPackages(meta.value("packages", Json()), graph);
}

Result<Position> restoreUnguarded(const Checkpoint& checkpoint, const RunParts& parts, const plan::TrainingPlan& plan) {
    const Json& meta = checkpoint.meta;
    Position position = fromJson(meta.at("position"), plan);
    PLUMBLINE_TRY(parts.model->loadStateDict(checkpoint.withPrefix("model.")));
    PLUMBLINE_TRY(parts.optimizer->loadState(checkpoint.withPrefix("optimizer.")));
    if (parts.scaler != nullptr) {
        PLUMBLINE_TRY(parts.scaler->loadState(meta.at("grad_scaler")));
    }
    parts.metrics->loadState(meta.at("metrics"), checkpoint.withPrefix("metric."));
    if (parts.average != nullptr) {
        PLUMBLINE_TRY(parts.average->loadState(checkpoint.withPrefix("average."), meta.at("average")));
    }
    if (GradientNoise* noise = parts.step->noise(); noise != nullptr) {
        noise->restore(checkpoint.withPrefix("noise.").at("generator"), meta.at("noise").get<std::int64_t>());
    }
    if (parts.step->phases() != nullptr) {
        parts.step->phases()->setSteps(position.steps.attempted);
    }
    position.baseRates = meta.value("base_rates", std::vector<double>{});
    PLUMBLINE_TRY(parts.step->restorePending(checkpoint.withPrefix("gradient."), meta.at("step_open").get<bool>(),
                                             numberFromJson(meta.at("step_loss")),
                                             meta.value("step_counts", meta.at("step_open").get<bool>())));
    parts.step->restoreBatches(checkpoint.withPrefix("batch."));
    const Json& training = meta.at("training_modes");
    for (std::size_t leaf = 0; leaf < training.size() && leaf < parts.model->graph().nodes.size(); ++leaf) {
        parts.model->setTraining(static_cast<int>(leaf), training[leaf].get<bool>());
    }
    if (parts.monitor != nullptr) {
        PLUMBLINE_TRY(parts.monitor->loadState(meta.at("monitor")));
    }
    if (parts.plateau != nullptr) {
        parts.plateau->setState(meta.at("plateau"));
    }
    restoreGenerators(checkpoint.withPrefix("generator."));
    return position;
}

}  // namespace

Checkpoint captureRun(const RunParts& parts, const Position& position, const project::Project& project,
                      const std::string& fingerprint) {
    Checkpoint checkpoint;
    Json rates = Json::array();
    for (std::size_t group = 0; group < parts.optimizer->groupCount(); ++group) {
        rates.push_back(parts.optimizer->baseLearningRate(group));
    }
    const GradientNoise* noise = parts.step->noise();
    Json training = Json::array();
    for (std::size_t leaf = 0; leaf < parts.model->graph().nodes.size(); ++leaf) {
        training.push_back(parts.model->isTraining(static_cast<int>(leaf)));
    }
    checkpoint.meta = {{"position", toJson(position)},
                       {"grad_scaler", parts.scaler != nullptr ? parts.scaler->saveState() : Json()},
                       {"base_rates", std::move(rates)},
                       {"average", parts.average != nullptr ? parts.average->saveState() : Json()},
                       {"noise", noise != nullptr ? Json(noise->count()) : Json()},
                       {"metrics", parts.metrics->saveState()},
                       {"step_open", parts.step->isOpen()},
                       {"step_loss", numberToJson(parts.step->pendingLoss())},
                       {"step_counts", parts.step->pendingCounts()},
                       {"training_modes", std::move(training)},
                       {"monitor", parts.monitor != nullptr ? parts.monitor->saveState() : Json()},
                       {"plateau", parts.plateau != nullptr ? parts.plateau->state() : Json()},
                       {"definition", project.json},
                       {"definition_hash", project::definitionHash(project)},
                       {"data_fingerprint", fingerprint}};
    if (Json packages = packagesOf(parts.model->graph()); !packages.empty()) {
        checkpoint.meta["packages"] = std::move(packages);
    }
    const auto add = [&](const std::string& prefix, const NamedTensors& tensors) {
        for (const auto& [name, tensor] : tensors) {
            checkpoint.tensors.emplace_back(prefix + name, tensor);
        }
    };
    for (const model::NamedState& state : parts.model->stateDict()) {
        checkpoint.tensors.emplace_back("model." + state.name, state.tensor);
    }
    if (parts.average != nullptr) {
        add("average.", parts.average->state());
    }
    if (noise != nullptr) {
        checkpoint.tensors.emplace_back("noise.generator", noise->generatorState());
    }
    add("optimizer.", parts.optimizer->state());
    add("gradient.", parts.step->pendingGradients());
    add("batch.", parts.step->pendingBatches());
    add("metric.", parts.metrics->tensors());
    for (const auto& [name, state] : saveGenerators()) {
        checkpoint.tensors.emplace_back("generator." + name, state);
    }
    return checkpoint;
}

Result<Position> restoreRun(const Checkpoint& checkpoint, const RunParts& parts, const project::Project& project,
                            const std::string& fingerprint) {
    try {
        PLUMBLINE_TRY(refuseOther(checkpoint.meta, project, fingerprint, parts.model->graph()));
        return restoreUnguarded(checkpoint, parts, project.training);
    } catch (const Json::exception& error) {
        return fail(ErrorKind::kInvalid, "damaged-checkpoint",
                    std::string("The checkpoint lacks something: ") + error.what() + ".", "",
                    "Use another checkpoint of the run.");
    } catch (...) {
        return fail(model::errorOfCurrentException("The checkpoint could not be taken over", ""));
    }
}

}  // namespace plumbline::train
