// Validation with dropout and BatchNorm in training mode. docs/detectors/validation-in-train-mode.md

#include <fmt/format.h>
#include <algorithm>

#include "diagnostics/project_edit.h"
#include "diagnostics/registry.h"

namespace plumbline::diagnostics {
namespace {

constexpr const char* kSwitch = "/training/expert/validate_in_train_mode";

class ValidationInTrainMode final : public Detector {
public:
    explicit ValidationInTrainMode(const Json&) {}

    void start(const RunFacts& facts) override {
        m_facts = &facts;
        m_openBlock.clear();
        m_open = false;
        m_severity = std::any_of(facts.blocks.begin(), facts.blocks.end(), dependsOnMode) ? Severity::kCritical
                                                                                          : Severity::kWarning;
    }

    void observe(const StepStats& stats, Reporter& reporter) override {
        if (stats.phase != Phase::kValidation) {
            return;
        }
        if (!offends(stats.blocksInTraining) && !offends(stats.batchNormMoved)) {
            if (m_open) {
                m_open = false;
                reporter.clear(m_openBlock);
            }
            return;
        }
        if (!m_open) {
            report(stats, reporter);
        }
    }

    Json saveState() const override { return {{"open", m_open}, {"block", m_openBlock}}; }
    void loadState(const Json& state) override {
        m_open = state.at("open").get<bool>();
        m_openBlock = state.at("block").get<std::string>();
    }

private:
    const RunFacts::Block& block(int index) const { return m_facts->blocks[static_cast<std::size_t>(index)]; }
    bool meantToBe(int index) const { return block(index).mode == "stochastic"; }

    bool offends(const std::vector<int>& blocks) const {
        for (const int index : blocks) {
            if (!meantToBe(index)) {
                return true;
            }
        }
        return false;
    }

    /// `telling`: a block whose numbers are not those of eval mode where there is one, else the first.
    std::vector<std::string> paths(const std::vector<int>& blocks, int& telling) const {
        std::vector<std::string> result;
        for (const int index : blocks) {
            if (meantToBe(index)) {
                continue;
            }
            result.push_back(block(index).path);
            if (telling < 0 || (dependsOnMode(block(index)) && !dependsOnMode(block(telling)))) {
                telling = index;
            }
        }
        return result;
    }

    void report(const StepStats& stats, Reporter& reporter) {
        int telling = -1;
        const std::vector<std::string> training = paths(stats.blocksInTraining, telling);
        const std::vector<std::string> moved = paths(stats.batchNormMoved, telling);
        m_open = true;
        m_openBlock = block(telling).path;
        const bool matters = !moved.empty() || dependsOnMode(block(telling));
        Finding finding;
        finding.severity = matters ? Severity::kCritical : m_severity;
        finding.block = m_openBlock;
        const char* rest = matters ? "Dropout and BatchNorm then behave as in training, so the validation numbers are "
                                     "not the model's. Put the model in eval mode "
                                     "for validation."
                                   : "None of them is known to compute otherwise in training mode, as dropout and "
                                     "BatchNorm do, so the numbers are the same, unless "
                                     "code of your own asks for the mode; they no longer are once such a block is "
                                     "among them. Put the model in eval mode for "
                                     "validation.";
        finding.message =
            training.empty()
                ? fmt::format(
                      "During validation in epoch {} (step {}) the running statistics of {} moved: the validation data "
                      "leak into the "
                      "model. {}",
                      stats.epoch, stats.step, listed(moved), rest)
                : fmt::format(
                      "Validation in epoch {} (step {}) ran with {} of {} blocks in training mode, {} among them{}. {}",
                      stats.epoch, stats.step, training.size(), m_facts->blocks.size(), m_openBlock,
                      moved.empty() ? std::string()
                                    : fmt::format(", and it moved the running statistics of {}", listed(moved)),
                      rest);
        finding.evidence = {{"blocks_in_training", training}, {"batch_norms_moved", moved}, {"allowed", 0}};
        const ProjectEdit edit(m_facts->project);
        finding.remedies = {edit.isTrue(kSwitch)
                                ? edit.set("Validate in eval mode", kSwitch, false)
                                : ProjectEdit::advice("Call eval() before validation and train() after it")};
        reporter.raise(std::move(finding));
    }

    const RunFacts* m_facts = nullptr;
    Severity m_severity = Severity::kCritical;  ///< a warning where no block of the model depends on the mode
    std::string m_openBlock;
    bool m_open = false;
};

}  // namespace

DetectorEntry validationInTrainMode() {
    return {{"validation-in-train-mode", "Validation runs with blocks in training mode", Severity::kCritical, {}, {}},
            [](const Json& settings) -> std::unique_ptr<Detector> {
                return std::make_unique<ValidationInTrainMode>(settings);
            }};
}

}  // namespace plumbline::diagnostics
