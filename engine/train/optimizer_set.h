#pragma once
// The optimizers of a run as one list of parameter groups.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "plan/plan.h"
#include "train/optimizer.h"

namespace plumbline::model {
class Model;
}

namespace plumbline::train {

/// One optimizer, or one for each of the plan's phases, in their order. A group's number counts through all of them; no
/// parameter is in two. One thread.
class OptimizerSet {
public:
    /// `trained`: the parameters that train at some time (Freezing::trained).
    static Result<std::unique_ptr<OptimizerSet>> make(const plan::TrainingPlan& plan,
                                                      const std::vector<NamedParameter>& trained,
                                                      const model::Model& model);

    std::size_t size() const { return m_optimizers.size(); }
    Optimizer& operator[](std::size_t index) { return *m_optimizers[index]; }
    const Optimizer& operator[](std::size_t index) const { return *m_optimizers[index]; }
    /// Of each optimizer; empty where the plan has no phases.
    const std::vector<std::string>& phases() const { return m_phases; }

    // As of one Optimizer.
    std::size_t groupCount() const { return m_places.size(); }
    std::string groupName(std::size_t group) const;
    double baseLearningRate(std::size_t group) const { return of(group).baseLearningRate(m_places[group].group); }
    void setBaseLearningRate(std::size_t group, double lr) { of(group).setBaseLearningRate(m_places[group].group, lr); }
    double learningRate(std::size_t group) const { return of(group).learningRate(m_places[group].group); }
    void setLearningRate(std::size_t group, double lr) { of(group).setLearningRate(m_places[group].group, lr); }
    bool readsLearningRate(std::size_t group) const { return of(group).readsLearningRate(m_places[group].group); }
    double largestLearningRate() const;
    double largestBaseLearningRate() const;
    void setWeightDecay(std::size_t group, double weightDecay) {
        of(group).setWeightDecay(m_places[group].group, weightDecay);
    }
    double learningRateScale(std::size_t group) const { return of(group).learningRateScale(m_places[group].group); }
    /// A group, or its phase, states a value of its own: what changes training.optimizer does not change it.
    bool hasOwnLearningRate(std::size_t group) const { return of(group).hasOwnLearningRate(m_places[group].group); }
    bool hasOwnWeightDecay(std::size_t group) const { return of(group).hasOwnWeightDecay(m_places[group].group); }
    bool hasMomentum() const;
    /// Of those that have one.
    void setMomentum(std::optional<double> momentum);
    const std::vector<at::Tensor>& parameters() const { return m_parameters; }
    NamedTensors state() const;
    Status loadState(const std::map<std::string, at::Tensor>& state);
    std::int64_t stateBytes() const;

private:
    struct Place {
        std::size_t optimizer = 0, group = 0;
    };

    void add(std::unique_ptr<Optimizer> optimizer);
    Optimizer& of(std::size_t group) { return *m_optimizers[m_places[group].optimizer]; }
    const Optimizer& of(std::size_t group) const { return *m_optimizers[m_places[group].optimizer]; }

    std::vector<std::unique_ptr<Optimizer>> m_optimizers;
    std::vector<std::string> m_phases;
    std::vector<Place> m_places;  ///< by group
    std::vector<at::Tensor> m_parameters;
};

}  // namespace plumbline::train
