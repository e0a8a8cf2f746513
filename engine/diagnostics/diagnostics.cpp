#include <fmt/format.h>
#include <algorithm>
#include <set>
#include <unordered_map>

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
            object.addError(
                {ErrorKind::kInvalid, "out-of-range",
                 fmt::format("{} is {} and has to lie between {} and {}", where, value, threshold.min, threshold.max),
                 where, fmt::format("{} is the default.", threshold.defaultValue)});
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
        if (!stats.freezings.empty()) {
            setFrozen(m_facts, stats.freezings);
        }
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
            return fail(ErrorKind::kInvalid, "bad-diagnostics-state",
                        "The saved state of the detectors has no findings or detectors");
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
                m_open[m_all[i].detector].add(m_all[i].block, i);
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

    /// A detector's open findings, as indices in m_all.
    struct Open {
        std::unordered_map<std::string, std::size_t> byBlock;
        std::set<std::size_t> byAge;

        void add(const std::string& block, std::size_t index) {
            byBlock.emplace(block, index);
            byAge.insert(index);
        }
    };

    /// The current detector's open finding for the block: its index in m_all.
    std::optional<std::size_t> findOpen(const std::string& block) const {
        const auto open = m_open.find(m_current->spec->id);
        if (open == m_open.end()) {
            return std::nullopt;
        }
        const auto found = open->second.byBlock.find(block);
        return found == open->second.byBlock.end() ? std::nullopt : std::optional(found->second);
    }

    bool isOpen(const std::string& block) const override { return findOpen(block).has_value(); }

    void raise(Finding finding) override {
        if (const std::optional<std::size_t> found = findOpen(finding.block)) {
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
        m_open[finding.detector].add(finding.block, m_all.size());
        m_all.push_back(finding);
        m_news.push_back(std::move(finding));
        adoptConsequences(m_all.size() - 1);
    }

    void clear(const std::string& block) override {
        const std::optional<std::size_t> found = findOpen(block);
        if (!found) {
            return;
        }
        Finding& finding = m_all[*found];
        finding.clearedAt = m_stats->step;
        Open& open = m_open.at(finding.detector);
        open.byBlock.erase(finding.block);
        open.byAge.erase(*found);
        m_news.push_back(finding);
    }

    /// Id of the root cause among the open findings, or "".
    std::string causeOf(const DetectorSpec& spec) const {
        for (const std::string& detector : spec.consequencesOf) {
            if (const auto open = m_open.find(detector); open != m_open.end() && !open->second.byAge.empty()) {
                const Finding& oldest = m_all[*open->second.byAge.begin()];
                return oldest.cause.empty() ? oldest.id : oldest.cause;
            }
        }
        return {};
    }

    /// Open findings that are a consequence of the one just raised and had no cause so far get one.
    void adoptConsequences(std::size_t raised) {
        const std::string cause = m_all[raised].cause.empty() ? m_all[raised].id : m_all[raised].cause;
        const std::string detector = m_all[raised].detector;
        std::set<std::size_t> followers;  // by age, whatever their detector
        for (const Running& running : m_running) {
            const std::vector<std::string>& causes = running.spec->consequencesOf;
            const auto open = m_open.find(running.spec->id);
            if (open != m_open.end() && std::find(causes.begin(), causes.end(), detector) != causes.end()) {
                followers.insert(open->second.byAge.begin(), open->second.byAge.end());
            }
        }
        for (const std::size_t index : followers) {
            Finding& finding = m_all[index];
            if (index != raised && finding.cause.empty() && finding.id != cause) {
                finding.cause = cause;
                m_news.push_back(finding);
            }
        }
    }

    RunFacts m_facts;
    std::vector<Running> m_running;
    std::vector<Finding> m_all;
    std::map<std::string, Open> m_open;  ///< by detector
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
                        pointerTo("/monitor/detectors", id), didYouMean(id, known, kRemoveIt));
        }
    }
    auto all = std::make_unique<AllDetectors>();
    for (const DetectorEntry& entry : detectors()) {
        const auto given = settings.find(entry.spec.id);
        PLUMBLINE_ASSIGN(const Settings read,
                         readSettings(entry.spec, given != settings.end() ? given->second : Json::object()));
        if (read.enabled) {
            all->add(entry, read.thresholds);
        }
    }
    return std::unique_ptr<Diagnostics>(std::move(all));
}

}  // namespace plumbline::diagnostics
