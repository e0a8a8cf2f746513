#include <algorithm>
#include <fmt/format.h>

#include "diagnostics/detector.h"

#include "core/json_errors.h"

namespace plumbline::diagnostics {
namespace {

std::vector<std::string> detectorIds() {
    std::vector<std::string> ids;
    for (const DetectorEntry& entry : detectors()) {
        ids.push_back(entry.spec.id);
    }
    return ids;
}

struct Settings {
    bool enabled = true;
    Json thresholds = Json::object();
};

Result<Settings> readSettings(const DetectorSpec& spec, const Json& json) {
    Settings settings;
    const std::string pointer = pointerTo("/monitor/detectors", spec.id);
    JsonObject object(json, pointer);
    settings.enabled = object.boolean("enabled", true);
    for (const ThresholdSpec& threshold : spec.thresholds) {
        const double value = object.number(threshold.name, threshold.defaultValue);
        if (!(value >= threshold.min && value <= threshold.max)) {
            const std::string where = pointerTo(pointer, threshold.name);
            object.addError({ErrorKind::kInvalid, "out-of-range",
                             fmt::format("{} is {} and has to lie between {} and {}", where, value, threshold.min, threshold.max), where,
                             fmt::format("{} is the default.", threshold.defaultValue)});
        }
        settings.thresholds[threshold.name] = value;
    }
    PLUMBLINE_TRY(object.finish());
    return settings;
}

class AllDetectors final : public Diagnostics, private Reporter {
public:
    void add(const DetectorEntry& entry, const Json& thresholds) {
        m_running.push_back({&entry.spec, entry.make(thresholds), 0});
    }

    void start(const RunFacts& facts) override {
        m_facts = facts;
        m_all.clear();
        m_open.clear();
        m_news.clear();
        for (Running& running : m_running) {
            running.raised = 0;
            running.detector->start(m_facts);
        }
    }

    const std::vector<Finding>& observe(const StepStats& stats) override {
        m_news.clear();
        m_stats = &stats;
        for (Running& running : m_running) {
            m_current = &running;
            running.detector->observe(stats, *this);
        }
        return m_news;
    }

    const std::vector<Finding>& all() const override { return m_all; }

    Json saveState() const override {
        Json findings = Json::array();
        for (const Finding& finding : m_all) {
            findings.push_back(toJson(finding));
        }
        Json states = Json::object();
        for (const Running& running : m_running) {
            states[running.spec->id] = {{"raised", running.raised}, {"state", running.detector->saveState()}};
        }
        return {{"findings", std::move(findings)}, {"detectors", std::move(states)}};
    }

    Status loadState(const Json& state) override {
        JsonObject object(state, "");
        const Json* findings = object.find("findings");
        const Json* states = object.find("detectors");
        PLUMBLINE_TRY(object.finish());
        if (findings == nullptr || !findings->is_array() || states == nullptr || !states->is_object()) {
            return fail(ErrorKind::kInvalid, "bad-diagnostics-state", "The saved state of the detectors has no findings or detectors");
        }
        std::vector<Finding> all;
        for (const Json& json : *findings) {
            PLUMBLINE_ASSIGN(Finding finding, findingFromJson(json));
            all.push_back(std::move(finding));
        }
        try {
            for (Running& running : m_running) {
                if (const auto saved = states->find(running.spec->id); saved != states->end()) {
                    running.raised = saved->at("raised").get<int>();
                    if (const Json& inner = saved->at("state"); !inner.is_null()) {
                        running.detector->loadState(inner);
                    }
                }
            }
        } catch (const std::exception& error) {
            return fail(ErrorKind::kInvalid, "bad-diagnostics-state",
                        fmt::format("The saved state of the detectors cannot be read: {}", error.what()));
        }
        m_all = std::move(all);
        m_open.clear();
        for (std::size_t i = 0; i < m_all.size(); ++i) {
            if (!m_all[i].clearedAt) {
                m_open.push_back(i);
            }
        }
        return {};
    }

private:
    struct Running {
        const DetectorSpec* spec;
        std::unique_ptr<Detector> detector;
        int raised;
    };

    /// The current detector's open finding for the block: its place in m_open, or m_open.end().
    std::vector<std::size_t>::const_iterator findOpen(const std::string& block) const {
        return std::find_if(m_open.begin(), m_open.end(), [&](std::size_t index) {
            return m_all[index].detector == m_current->spec->id && m_all[index].block == block;
        });
    }

    bool isOpen(const std::string& block) const override { return findOpen(block) != m_open.end(); }

    void raise(Finding finding) override {
        if (const auto found = findOpen(finding.block); found != m_open.end()) {
            Finding& open = m_all[*found];
            if (finding.severity > open.severity) {
                open.severity = finding.severity;
                open.message = std::move(finding.message);
                open.evidence = std::move(finding.evidence);
                open.remedies = std::move(finding.remedies);
                m_news.push_back(open);
            }
            return;
        }
        finding.detector = m_current->spec->id;
        finding.id = fmt::format("{}#{}", finding.detector, ++m_current->raised);
        finding.step = m_stats->step;
        finding.epoch = m_stats->epoch;
        finding.clearedAt.reset();
        finding.cause = causeOf(*m_current->spec);
        m_open.push_back(m_all.size());
        m_all.push_back(finding);
        m_news.push_back(std::move(finding));
        adoptConsequences(m_all.size() - 1);
    }

    void clear(const std::string& block) override {
        const auto found = findOpen(block);
        if (found == m_open.end()) {
            return;
        }
        Finding& open = m_all[*found];
        open.clearedAt = m_stats->step;
        m_open.erase(found);
        m_news.push_back(open);
    }

    /// Id of the root cause among the open findings, or "".
    std::string causeOf(const DetectorSpec& spec) const {
        for (const std::string& detector : spec.consequencesOf) {
            for (const std::size_t index : m_open) {
                if (m_all[index].detector == detector) {
                    return m_all[index].cause.empty() ? m_all[index].id : m_all[index].cause;
                }
            }
        }
        return {};
    }

    /// Open findings that are a consequence of the one just raised and had no cause so far get one.
    void adoptConsequences(std::size_t raised) {
        const std::string cause = m_all[raised].cause.empty() ? m_all[raised].id : m_all[raised].cause;
        const std::string detector = m_all[raised].detector;
        for (const std::size_t index : m_open) {
            Finding& finding = m_all[index];
            if (index == raised || !finding.cause.empty() || finding.id == cause) {
                continue;
            }
            const auto entry = std::find_if(m_running.begin(), m_running.end(),
                                            [&](const Running& running) { return running.spec->id == finding.detector; });
            if (entry != m_running.end() && std::count(entry->spec->consequencesOf.begin(), entry->spec->consequencesOf.end(), detector) > 0) {
                finding.cause = cause;
                m_news.push_back(finding);
            }
        }
    }

    RunFacts m_facts;
    std::vector<Running> m_running;
    std::vector<Finding> m_all;
    std::vector<std::size_t> m_open;  ///< indices in m_all
    std::vector<Finding> m_news;
    Running* m_current = nullptr;
    const StepStats* m_stats = nullptr;
};

}  // namespace

Result<std::unique_ptr<Diagnostics>> Diagnostics::make(const std::map<std::string, Json>& settings) {
    for (const auto& [id, json] : settings) {
        const std::vector<std::string> known = detectorIds();
        if (std::find(known.begin(), known.end(), id) == known.end()) {
            return fail(ErrorKind::kInvalid, "unknown-detector", fmt::format("There is no detector \"{}\"", id),
                        pointerTo("/monitor/detectors", id),
                        didYouMean(id, known, kRemoveIt));
        }
    }
    auto all = std::make_unique<AllDetectors>();
    for (const DetectorEntry& entry : detectors()) {
        const auto given = settings.find(entry.spec.id);
        PLUMBLINE_ASSIGN(const Settings read, readSettings(entry.spec, given != settings.end() ? given->second : Json::object()));
        if (read.enabled) {
            all->add(entry, read.thresholds);
        }
    }
    return std::unique_ptr<Diagnostics>(std::move(all));
}

}  // namespace plumbline::diagnostics
