// BatchNorm whose parameters are frozen while its running statistics move. docs/detectors/frozen-batchnorm-drifts.md

#include <fmt/format.h>

#include "diagnostics/project_edit.h"
#include "diagnostics/registry.h"

namespace plumbline::diagnostics {
namespace {

class FrozenBatchNormDrifts final : public Detector {
public:
    explicit FrozenBatchNormDrifts(const Json&) {}

    void start(const RunFacts& facts) override { m_facts = &facts; }

    void observe(const StepStats& stats, Reporter& reporter) override {
        if (stats.phase != Phase::kTrainStep) {
            return;
        }
        for (const int index : stats.batchNormMoved) {
            const RunFacts::Block& block = m_facts->blocks[static_cast<std::size_t>(index)];
            if (block.isBatchNorm && block.frozen && !reporter.isOpen(block.path)) {
                report(stats, block, reporter);
            }
        }
    }

private:
    void report(const StepStats& stats, const RunFacts::Block& block, Reporter& reporter) const {
        Finding finding;
        finding.severity = Severity::kWarning;
        finding.block = block.path;
        finding.message = fmt::format(
            "{}'s weight and bias are frozen, but its running mean and variance moved in step {}: in eval mode the "
            "frozen part will not "
            "compute what it was trained to. Keep the block in eval mode.",
            block.path, stats.step);
        finding.evidence = {{"block_type", block.type}, {"parameters_frozen", true}, {"statistics_moved", true}};
        const ProjectEdit edit(m_facts->project);
        finding.remedies = {block.pointer.empty() ? ProjectEdit::advice(fmt::format("Keep {} in eval mode", block.path))
                                                  : edit.set(fmt::format("Keep {} in eval mode", block.path),
                                                             pointerTo(block.pointer, "mode"), "eval")};
        reporter.raise(std::move(finding));
    }

    const RunFacts* m_facts = nullptr;
};

}  // namespace

DetectorEntry frozenBatchNormDrifts() {
    return {{"frozen-batchnorm-drifts", "A frozen BatchNorm's running statistics move", Severity::kWarning, {}, {}},
            [](const Json& settings) -> std::unique_ptr<Detector> {
                return std::make_unique<FrozenBatchNormDrifts>(settings);
            }};
}

}  // namespace plumbline::diagnostics
