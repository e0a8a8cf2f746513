// Training that goes on in eval mode after a validation. docs/detectors/train-mode-not-restored.md

#include <fmt/format.h>
#include <algorithm>

#include "diagnostics/project_edit.h"
#include "diagnostics/registry.h"

namespace plumbline::diagnostics {
namespace {

constexpr const char* kSwitch = "/training/expert/keep_eval_after_validation";

class TrainModeNotRestored final : public Detector {
public:
    explicit TrainModeNotRestored(const Json&) {}

    void start(const RunFacts& facts) override {
        m_facts = &facts;
        m_evalBefore.assign(facts.blocks.size(), false);
        for (std::size_t i = 0; i < facts.blocks.size(); ++i) {
            m_evalBefore[i] = facts.blocks[i].evalOnPurpose || facts.blocks[i].mode == "eval";
        }
        m_validated = m_open = false;
        m_openBlock.clear();
        m_severity = std::any_of(facts.blocks.begin(), facts.blocks.end(), dependsOnMode) ? Severity::kCritical
                                                                                          : Severity::kWarning;
    }

    void observe(const StepStats& stats, Reporter& reporter) override {
        if (stats.phase == Phase::kValidation) {
            m_validated = true;
            return;
        }
        // A record that only says that the loader gives nothing knows of no modes.
        if (stats.phase != Phase::kTrainStep || stats.noBatchForMs > 0) {
            return;
        }
        if (!m_validated) {
            // What was in eval before the first validation was put there by someone, not left there by it.
            for (const int index : stats.blocksInEval) {
                m_evalBefore[static_cast<std::size_t>(index)] = true;
            }
            return;
        }
        const bool offends = std::any_of(stats.blocksInEval.begin(), stats.blocksInEval.end(),
                                         [&](int index) { return !m_evalBefore[static_cast<std::size_t>(index)]; });
        if (offends && !m_open) {
            report(stats, reporter);
        } else if (!offends && m_open) {
            m_open = false;
            reporter.clear(m_openBlock);
        }
    }

    Json saveState() const override {
        return {{"eval_before", m_evalBefore}, {"validated", m_validated}, {"open", m_open}, {"block", m_openBlock}};
    }
    void loadState(const Json& state) override {
        auto before = state.at("eval_before").get<std::vector<bool>>();
        before.resize(m_facts->blocks.size(), false);
        m_evalBefore = std::move(before);
        m_validated = state.at("validated").get<bool>();
        m_open = state.at("open").get<bool>();
        m_openBlock = state.at("block").get<std::string>();
    }

private:
    void report(const StepStats& stats, Reporter& reporter) {
        std::vector<std::string> left;
        const RunFacts::Block* telling =
            nullptr;  // one whose numbers are not those of training mode where there is one, else the first
        for (const int index : stats.blocksInEval) {
            if (m_evalBefore[static_cast<std::size_t>(index)]) {
                continue;
            }
            const RunFacts::Block& block = m_facts->blocks[static_cast<std::size_t>(index)];
            left.push_back(block.path);
            if (telling == nullptr || (dependsOnMode(block) && !dependsOnMode(*telling))) {
                telling = &block;
            }
        }
        m_open = true;
        m_openBlock = telling->path;
        Finding finding;
        finding.severity = m_severity;
        finding.block = m_openBlock;
        finding.message = dependsOnMode(*telling) ? fmt::format(
                                                        "Since the last validation training goes on with {} of {} "
                                                        "blocks in eval mode ({}), first seen at step {}: dropout is "
                                                        "off and BatchNorm's statistics stand still. Put the model "
                                                        "back in training mode after validation.",
                                                        left.size(), m_facts->blocks.size(), listed(left), stats.step)
                                                  : fmt::format(
                                                        "Since the last validation training goes on with {} of {} "
                                                        "blocks in eval mode ({}), first seen at step {}. None of "
                                                        "them is known to compute otherwise in eval mode, as dropout "
                                                        "and BatchNorm do, so training is the same, unless code "
                                                        "of your own asks for the mode; it no longer is once such a "
                                                        "block is among them. Put the model back in training "
                                                        "mode after validation.",
                                                        left.size(), m_facts->blocks.size(), listed(left), stats.step);
        finding.evidence = {{"blocks_in_eval", left}, {"allowed", 0}};
        const ProjectEdit edit(m_facts->project);
        finding.remedies = {edit.isTrue(kSwitch) ? edit.set("Return to training mode after validation", kSwitch, false)
                                                 : ProjectEdit::advice("Call train() after validation")};
        reporter.raise(std::move(finding));
    }

    const RunFacts* m_facts = nullptr;
    Severity m_severity = Severity::kCritical;  ///< a warning where no block of the model depends on the mode
    std::vector<bool> m_evalBefore;
    bool m_validated = false;
    bool m_open = false;
    std::string m_openBlock;
};

}  // namespace

DetectorEntry trainModeNotRestored() {
    return {{"train-mode-not-restored", "Training goes on in eval mode after validation", Severity::kCritical, {}, {}},
            [](const Json& settings) -> std::unique_ptr<Detector> {
                return std::make_unique<TrainModeNotRestored>(settings);
            }};
}

}  // namespace plumbline::diagnostics
