#include "train/branch.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "model/failure.h"
#include "project/effective.h"
#include "project/project.h"
#include "train/live_settings.h"
#include "train/packages.h"

namespace plumbline::train {

namespace {

/// What a checkpoint says at a pointer, or null.
Json at(const Json& json, const std::string& pointer) {
    const Json::json_pointer place(pointer);
    return json.contains(place) ? json.at(place) : Json();
}

/// Takes out of a checkpoint what the changed project has no place for, and says so. What is left restores as a resume
/// does.
class Fitter {
public:
    Fitter(Checkpoint& checkpoint, TrainingSetup& setup, const project::Project& project,
           std::vector<std::string>& told)
        : m_checkpoint(checkpoint),
          m_meta(checkpoint.meta),
          m_position(m_meta.at("position")),
          m_before(m_meta.at("definition")),
          m_setup(setup),
          m_project(project),
          m_told(told) {}

    Status fit() {
        PLUMBLINE_TRY(fitModel());
        fitOptimizer();
        fitScaler();
        fitAdditions();
        fitPlace();
        fitGenerators();
        fitLiveSettings();
        beginRun();
        return {};
    }

private:
    /// A setting that is stated at its default is what it is where it is left out.
    bool changed(const std::string& pointer) const {
        return project::effectiveAt(m_before, pointer) != project::effectiveAt(m_project.json, pointer);
    }
    std::string typeOfOptimizer(const Json& json) const {
        const Json type = project::effectiveAt(json, "/training/optimizer/type");
        return type.at("training.optimizer.type").get<std::string>();
    }
    void drop(const std::string& prefix) {
        std::erase_if(m_checkpoint.tensors, [&](const auto& each) { return each.first.starts_with(prefix); });
    }
    RunParts parts() const { return m_setup.parts(); }

    Status fitModel() {
        const std::map<std::string, at::Tensor> weights = m_checkpoint.withPrefix("model.");
        const auto refuse = [&](const std::string& message, const std::string& name) {
            return fail(ErrorKind::kInvalid, "checkpoint-of-another-model", message, name,
                        "Branch with the model that the run had, or train from the start.");
        };
        std::size_t known = 0;
        for (const model::NamedState& state : parts().model->stateDict()) {
            const auto saved = weights.find(state.name);
            if (saved == weights.end()) {
                return refuse(fmt::format("The checkpoint has no {}, which the model has.", state.name), state.name);
            }
            if (saved->second.sizes() != state.tensor.sizes()) {
                return refuse(fmt::format("{} has {} values in the checkpoint and {} in the model.", state.name,
                                          saved->second.numel(), state.tensor.numel()),
                              state.name);
            }
            ++known;
        }
        if (known < weights.size()) {
            return refuse(fmt::format("The checkpoint has {} tensors of a model, the model {}.", weights.size(), known),
                          "/model");
        }
        // Which blocks train is the project's to say.
        Json modes = Json::array();
        for (std::size_t leaf = 0; leaf < parts().model->graph().nodes.size(); ++leaf) {
            modes.push_back(parts().model->isTraining(static_cast<int>(leaf)));
        }
        m_meta["training_modes"] = std::move(modes);
        if (changed("/training/expert")) {
            m_position["left_in_eval"] = false;
        }
        return {};
    }

    void fitOptimizer() {
        const std::string before = typeOfOptimizer(m_before), now = typeOfOptimizer(m_project.json);
        if (changed("/training/phases")) {
            m_told.push_back("The optimizers start afresh: training.phases is not what it was.");
            drop("optimizer.");
        } else if (before != now) {
            m_told.push_back(fmt::format("The optimizer starts afresh: it was {} and is {}.", before, now));
            drop("optimizer.");
        } else if (!parts().optimizer->loadState(m_checkpoint.withPrefix("optimizer."))) {
            m_told.push_back("The optimizer starts afresh: with the changed settings it keeps another state.");
            drop("optimizer.");
        }
    }

    void fitScaler() {
        Json& saved = m_meta["grad_scaler"];
        GradScaler* const scaler = parts().scaler;
        if (scaler == nullptr) {
            saved = Json();
        } else if (saved.is_null() || changed("/training/grad_scaler")) {
            m_told.push_back("The gradient scaler starts afresh.");
            saved = scaler->saveState();
        }
    }

    /// What a step has besides: averaged weights, noise, what a plateau remembers, learning rates that were halved.
    void fitAdditions() {
        const RunParts own = parts();
        if (own.average != nullptr && (at(m_meta, "/average").is_null() || changed("/training/averaging"))) {
            m_told.push_back("The averaged weights start afresh.");
            m_meta["average"] = own.average->saveState();
            drop("average.");
        }
        if (own.average == nullptr && !at(m_meta, "/average").is_null()) {
            m_told.push_back(
                "The parent's averaged weights, which are what it validated and kept, are left behind: "
                "training.averaging is \"none\", so the run goes on from the weights that it trained.");
            m_meta["average"] = Json();
            drop("average.");
        }
        const bool hadNoise = !at(m_meta, "/noise").is_null();
        if (const GradientNoise* noise = own.step->noise();
            noise != nullptr && (!hadNoise || changed("/training/seed"))) {
            drop("noise.");
            m_checkpoint.tensors.emplace_back("noise.generator", noise->generatorState());
            if (!hadNoise) {
                m_meta["noise"] = noise->count();
            }
        }
        if (own.plateau != nullptr && (at(m_meta, "/plateau").is_null() || changed("/training/scheduler"))) {
            m_told.push_back("What the schedule remembers of the validations starts afresh.");
            m_meta["plateau"] = own.plateau->state();
        }
        const Json rates = at(m_meta, "/base_rates");
        const bool sameGroups = rates.is_array() && rates.size() == own.optimizer->groupCount() &&
                                !changed("/training/freeze") && !changed("/training/no_grad") && !changed("/model");
        if (changed("/training/optimizer") || changed("/training/phases") || !sameGroups) {
            m_meta.erase("base_rates");  // the project's are in force
        }
    }

    /// Within an epoch, the run can only go on where it was if batches, losses and metrics are what they were; within a
    /// step, whose gradients are there in part, also if these are made and used as they were.
    void fitPlace() {
        const char* const pointers[] = {
            "/data/sources",           "/data/inputs",         "/data/targets",          "/data/splits",
            "/data/loader/batch_size", "/data/loader/shuffle", "/data/loader/drop_last", "/training/accumulation",
            "/training/losses",        "/training/metrics",    "/training/seed",         "/training/expert",
            "/training/phases"};
        const char* const pointersOfStep[] = {"/training/precision", "/training/grad_scaler",
                                              "/training/optimizer/type", "/training/freeze", "/training/no_grad"};
        const auto isChanged = [&](const char* pointer) { return changed(pointer); };
        const bool sameStep = !m_meta.at("step_open").get<bool>() ||
                              std::none_of(std::begin(pointersOfStep), std::end(pointersOfStep), isChanged);
        const bool same = sameStep && m_meta.value("data_fingerprint", "") == m_setup.fingerprint &&
                          std::none_of(std::begin(pointers), std::end(pointers), isChanged);
        m_meta["data_fingerprint"] = m_setup.fingerprint;
        m_meta["definition_hash"] = project::definitionHash(m_project);
        const Json packages = packagesOf(m_setup.assembly.model->graph());
        if (const std::string block = otherPackage(at(m_meta, "/packages"), packages); !block.empty()) {
            m_told.push_back(fmt::format("The package of {} is another one than the parent's.", block));
        }
        m_meta["packages"] = packages;
        if (same) {
            return;
        }
        const auto batch = m_position.at("batch").get<std::int64_t>();
        if (batch > 0) {
            m_told.push_back(fmt::format(
                "Epoch {} begins anew: data, losses, metrics or how a step is made are not those of its first {}.",
                m_position.at("epoch").get<std::int64_t>() + 1, counted(batch, "batch", "batches")));
        }
        drop("gradient.");
        drop("batch.");
        drop("metric.");
        m_meta["step_open"] = false;
        m_meta["step_loss"] = 0.0;
        m_meta["step_counts"] = false;
        m_meta["metrics"] = parts().metrics->saveState();
        for (const auto& [name, tensor] : parts().metrics->tensors()) {
            m_checkpoint.tensors.emplace_back("metric." + name, tensor);
        }
        m_position["batch"] = 0;
        m_position["validation_pending"] = false;
        m_position["step_counted"] = Json::array();
        Json losses = Json::array();
        for (std::size_t i = 0; i < m_setup.objective->size(); ++i) {
            losses.push_back({0.0, 0.0});
        }
        m_position["epoch_losses"] = std::move(losses);
    }

    void fitGenerators() {
        if (changed("/training/seed")) {
            m_told.push_back("The random generators start from the new seed.");
            drop("generator.");
        }
    }

    /// Whether the new run reads a setting that the parent was told.
    bool reads(const session::LiveCommand& command) const {
        const plan::TrainingPlan& plan = m_project.training;
        Cadence cadence(plan);
        return isCadence(command.path) ? applyCadence(command, plan, m_setup.validation != nullptr, cadence).has_value()
                                       : checkLiveSetting(command, plan, *parts().optimizer).has_value();
    }
    /// Whether it stays at what the parent was told; where only the new settings have no place for it, that is told.
    bool staysTold(const session::LiveCommand& command) {
        if (changed(pointerOfDottedPath(command.path))) {
            return false;
        }
        if (!reads(command)) {
            m_told.push_back(fmt::format(
                "{} is what the project says: {}, to which the parent was told to change it, does not go with the "
                "changed settings.",
                command.path, command.value.dump()));
            return false;
        }
        return true;
    }

    void fitLiveSettings() {
        Json kept = Json::object();
        const Json live = m_position.value("live", Json::object());
        for (const auto& [path, value] : live.items()) {
            if (staysTold({path, value})) {
                kept[path] = value;
                m_told.push_back(
                    fmt::format("{} stays at {}, to which it was changed while the parent ran.", path, value.dump()));
            }
        }
        m_position["live"] = std::move(kept);
        Json putOff = Json::array();
        for (const Json& command : m_position.value("put_off", Json::array())) {
            const auto path = command.at("path").get<std::string>();
            if (staysTold({path, command.at("value")})) {
                putOff.push_back(command);
                m_told.push_back(fmt::format("{} is {} from the next step on, as the parent was told.", path,
                                             command.at("value").dump()));
            }
        }
        m_position["put_off"] = std::move(putOff);
    }

    /// What is the new run's own: its clock, its best, its ends, its findings.
    void beginRun() {
        const Json own = {{"elapsed_ms", 0.0},
                          {"paused_ms", 0.0},
                          {"best", nullptr},
                          {"best_tie_loss", 0.0},
                          {"best_step", -1},
                          {"judged_step", -1},
                          {"best_checkpoint", ""},
                          {"ranked", Json::array()},
                          {"restored_best", false},
                          {"validated", false},
                          {"judged_samples", 0},
                          {"correct_samples", 0},
                          {"distinct_predictions", 0},
                          {"validation_epoch", -1},
                          {"values", Json::object()},
                          {"schedule_length", m_setup.length.schedule},
                          {"began_at", m_position.at("attempted")}};
        m_position.update(own);
        m_position.erase("stop");
        m_meta["monitor"] = parts().monitor != nullptr ? parts().monitor->saveState() : Json();
    }

    Checkpoint& m_checkpoint;
    Json& m_meta;
    Json& m_position;
    const Json m_before;
    TrainingSetup& m_setup;
    const project::Project& m_project;
    std::vector<std::string>& m_told;
};

}  // namespace

Result<Branched> branchOff(Checkpoint checkpoint, TrainingSetup& setup, const project::Project& project) {
    Branched branched;
    try {
        PLUMBLINE_TRY(Fitter(checkpoint, setup, project, branched.afresh).fit());
    } catch (const Json::exception& error) {
        return fail(ErrorKind::kInvalid, "damaged-checkpoint",
                    std::string("The checkpoint lacks something: ") + error.what() + ".", "",
                    "Use another checkpoint of the run.");
    } catch (...) {
        return fail(model::errorOfCurrentException("The checkpoint could not be taken over", ""));
    }
    PLUMBLINE_ASSIGN(branched.position, restoreRun(checkpoint, setup.parts(), project, setup.fingerprint));
    const Position& at = branched.position;
    const RunLength& length = setup.length;
    if (at.epoch >= length.epochs || (length.stepLimit > 0 && at.steps.attempted >= length.stepLimit)) {
        return fail(ErrorKind::kUsage, "nothing-left-to-train",
                    fmt::format("The checkpoint has {} and {} behind it, and the new run is to end after {}.",
                                counted(at.epoch, "epoch"), counted(at.steps.attempted, "step"),
                                at.epoch >= length.epochs ? counted(length.epochs, "epoch")
                                                          : counted(length.stepLimit, "step")),
                    "/training/stop",
                    "Raise training.stop.epochs, or branch from an earlier checkpoint: epochs and steps count on from "
                    "the parent's.");
    }
    return branched;
}

}  // namespace plumbline::train
