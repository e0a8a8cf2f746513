// Prediction and target of an element-wise loss that only fit by broadcasting. docs/detectors/loss-target-shape.md

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <numeric>
#include <set>

#include "diagnostics/project_edit.h"
#include "diagnostics/registry.h"

namespace plumbline::diagnostics {
namespace {

constexpr const char* kSwitch = "/training/expert/allow_broadcast_loss";

std::string shape(const std::vector<std::int64_t>& dims) {
    return fmt::format("[{}]", fmt::join(dims, ", "));
}

std::int64_t elements(const std::vector<std::int64_t>& dims) {
    return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

/// One number for the whole batch, or one a sample along the prediction's own dims. [B] against [B, 1] is neither: it
/// broadcasts to [B, B].
bool isScalarTarget(const StepStats::LossShape& loss) {
    return elements(loss.truth) == 1 ||
           (loss.truth.size() == loss.prediction.size() && !loss.truth.empty() &&
            loss.truth.front() == loss.prediction.front() && elements(loss.truth) == loss.truth.front());
}

class LossTargetShape final : public Detector {
public:
    explicit LossTargetShape(const Json&) {}

    void start(const RunFacts& facts) override {
        m_facts = &facts;
        m_wrong.clear();
    }

    void observe(const StepStats& stats, Reporter& reporter) override {
        for (const StepStats::LossShape& loss : stats.lossShapes) {
            const bool wrong =
                loss.elementWise && loss.prediction != loss.truth && !(loss.scalarTarget && isScalarTarget(loss));
            // One finding an output: it stands as long as any loss on it is wrong.
            const std::pair pair(loss.output, loss.target);
            if (wrong) {
                m_wrong.insert(pair);
                if (!reporter.isOpen(loss.output)) {
                    report(stats, loss, reporter);
                }
                continue;
            }
            m_wrong.erase(pair);
            if (std::none_of(m_wrong.begin(), m_wrong.end(),
                             [&](const auto& other) { return other.first == loss.output; })) {
                reporter.clear(loss.output);
            }
        }
    }

    Json saveState() const override { return m_wrong; }
    void loadState(const Json& state) override { m_wrong = state.get<std::set<std::pair<std::string, std::string>>>(); }

private:
    void report(const StepStats& stats, const StepStats::LossShape& loss, Reporter& reporter) const {
        Finding finding;
        finding.severity = Severity::kCritical;
        finding.block = loss.output;
        finding.message = fmt::format(
            "{} compares the output {} of shape {} with the target {} of shape {} element by element at step {}. "
            "Broadcasting makes that {}, "
            "so samples are compared with each other's targets. Give both the same shape.",
            loss.loss, loss.output, shape(loss.prediction), loss.target, shape(loss.truth), stats.step,
            shape(broadcast(loss.prediction, loss.truth)));
        finding.evidence = {{"loss", loss.loss},
                            {"output", loss.output},
                            {"target", loss.target},
                            {"prediction_shape", loss.prediction},
                            {"target_shape", loss.truth}};
        finding.remedies.push_back(
            ProjectEdit::advice(fmt::format("Reshape the output {} to {}", loss.output, shape(loss.truth))));
        const ProjectEdit edit(m_facts->project);
        if (edit.isTrue(kSwitch)) {
            finding.remedies.push_back(edit.set("Refuse a loss that broadcasts", kSwitch, false));
        }
        reporter.raise(std::move(finding));
    }

    static std::vector<std::int64_t> broadcast(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
        std::vector<std::int64_t> result(std::max(a.size(), b.size()), 1);
        for (const auto* dims : {&a, &b}) {
            for (std::size_t i = 0; i < dims->size(); ++i) {
                std::int64_t& dim = result[result.size() - dims->size() + i];
                dim = std::max(dim, (*dims)[i]);
            }
        }
        return result;
    }

    const RunFacts* m_facts = nullptr;
    std::set<std::pair<std::string, std::string>> m_wrong;  ///< output and target
};

}  // namespace

DetectorEntry lossTargetShape() {
    return {
        {"loss-target-shape",
         "Prediction and target of an element-wise loss differ in shape",
         Severity::kCritical,
         {},
         {}},
        [](const Json& settings) -> std::unique_ptr<Detector> { return std::make_unique<LossTargetShape>(settings); }};
}

}  // namespace plumbline::diagnostics
