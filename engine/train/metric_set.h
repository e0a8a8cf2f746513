#pragma once
// The plan's metrics, bound to the model's outputs and the data's targets.

#include <ATen/core/Tensor.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "plan/plan.h"
#include "train/metrics.h"
#include "train/metrics/class_counter.h"
#include "train/objective.h"

namespace plumbline::train {

/// What a set of metrics has come to.
struct MetricValues {
    std::map<std::string, double> values;  ///< by name; those that have one
    std::vector<std::string> undefined;    ///< a sentence for each that has none
    Json matrices = Json::object();  ///< name → {"classes": [name …], "counts": [[…] …]}, a row a true class
};

/// One set of gathered metrics; training and validation have one each. What several of them gather alike over an output
/// and a target is gathered once. One thread.
class MetricSet {
public:
    static Result<MetricSet> make(const plan::TrainingPlan& plan, const BindingNames& names);

    void reset();
    /// The outputs that are judged, each once.
    std::vector<std::size_t> outputs() const;
    /// Passes over what judges an output that is not defined. Does not wait for a device. May throw
    /// std::invalid_argument with a sentence, and what LibTorch throws.
    void add(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets);
    /// Waits for a device. `split`: what a sentence calls what was measured. May throw as add().
    MetricValues read(const std::string& split) const;
    /// What the first accuracy counts, or nullptr.
    const ClassCounts* accuracy() const { return m_accuracy == nullptr ? nullptr : &m_accuracy->counts(); }

    /// What has been gathered, for a checkpoint in the middle of an epoch.
    Json saveState() const;
    Accumulator::State tensors() const;
    /// May throw Json::exception and std::invalid_argument. Reads what version 0.1 wrote too.
    void loadState(const Json& state, const std::map<std::string, at::Tensor>& tensors);

private:
    struct Part {
        std::string name, type;
        std::unique_ptr<Metric> metric;
        std::shared_ptr<Accumulator> accumulator;
        std::vector<std::string> classes;  ///< names of the target's
    };
    struct Gathered {
        Binding binding;
        std::string key;
        std::shared_ptr<Accumulator> accumulator;
    };
    std::shared_ptr<Accumulator> share(const Binding& binding, const std::string& key,
                                       const MetricContext::Maker& make);

    std::vector<Part> m_parts;
    std::vector<Gathered> m_gathered;
    std::shared_ptr<ClassCounter> m_accuracy;
};

}  // namespace plumbline::train
