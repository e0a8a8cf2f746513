#include "train/epoch_values.h"

#include <cmath>
#include <utility>

#include "train/phases.h"

namespace plumbline::train {

void EpochValues::take(const std::string& split, const std::map<std::string, double>& values,
                       const std::vector<std::string>& undefined, const Json& matrices) {
    const StepPoint now = m_reporter.point();
    // What an earlier epoch had is no news of this one: none is null in its event.
    for (const plan::MetricSpec& metric : m_plan.metrics) {
        m_position.matrices.erase(split + metric.name());
        if (plan::metricTraits(metric.type).isNumber) {
            m_position.values[split + metric.name()] = std::nan("");
        }
    }
    if (split != "train.") {
        m_position.values.erase(split + "loss");  // those of the training are gathered by the steps
        for (const plan::PhaseSpec& phase : m_plan.phases) {
            m_position.values.erase(split + "loss." + phase.name);
        }
    }
    for (const auto& [name, value] : values) {
        m_position.values[split + name] = value;
        m_setup.publisher->epochValue(now, split + name, value);
    }
    for (const auto& [name, matrix] : matrices.items()) {
        m_position.matrices[split + name] = matrix;
    }
    for (const std::string& sentence : undefined) {
        if (m_told.insert(sentence).second) {
            m_reporter.log("warning", sentence);
        }
    }
}

double EpochValues::tellEpoch() {
    double loss = std::nan("");  // no value where nothing counted for any loss; one for which nothing did adds nothing
    bool hasLoss = false;
    for (std::size_t i = 0; i < m_position.epochLosses.size(); ++i) {
        const GatheredLoss& gathered = m_position.epochLosses[i];
        if (gathered.counted > 0) {
            loss = (hasLoss ? loss : 0) + m_setup.objective->weight(i) * m_setup.objective->over(i, gathered);
            hasLoss = true;
        }
    }
    if (hasLoss) {
        m_position.values["train.loss"] = loss;
    } else {
        m_position.values.erase("train.loss");
    }
    takePhaseLosses(*m_setup.objective, m_position.epochLosses, m_position.values);
    Json data = {{"epoch", m_position.epoch + 1}, {"step", m_position.steps.attempted}};
    MetricValues trained = m_setup.metrics.read("train");
    take("train.", trained.values, trained.undefined, trained.matrices);
    Json values = Json::object(), matrices = Json::object();
    // What an earlier epoch's validation gave is no news of this one.
    const auto isNews = [this](const std::string& name) {
        return !name.starts_with("val.") || m_position.validationEpoch == m_position.epoch;
    };
    for (const auto& [name, value] : m_position.values) {
        if (isNews(name)) {
            values[name] = std::isfinite(value) ? Json(value) : Json();
        }
    }
    for (const auto& [name, matrix] : m_position.matrices.items()) {
        if (isNews(name)) {
            matrices[name] = matrix;
        }
    }
    data["metrics"] = std::move(values);
    if (!matrices.empty()) {
        data["matrices"] = std::move(matrices);
    }
    m_reporter.event("epoch", std::move(data));
    return loss;
}

}  // namespace plumbline::train
