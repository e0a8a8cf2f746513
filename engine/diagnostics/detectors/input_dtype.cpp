// Integers or float64 that reach a block which computes in float. docs/detectors/input-dtype.md

#include <fmt/format.h>

#include "diagnostics/project_edit.h"
#include "diagnostics/registry.h"

namespace plumbline::diagnostics {
namespace {

class InputDType final : public Detector {
public:
    explicit InputDType(const Json&) {}

    void start(const RunFacts& facts) override { m_facts = &facts; }

    void observe(const StepStats& stats, Reporter& reporter) override {
        for (const StepStats::InputDtype& input : stats.inputDtypes) {
            const RunFacts::Block& block = m_facts->blocks[static_cast<std::size_t>(input.block)];
            const bool meant = (block.takesIndices && input.dtype != "float64") || (block.float64OnPurpose && input.dtype == "float64");
            if (!meant && input.dtype != input.expected && !reporter.isOpen(block.path)) {
                report(stats, input, block, reporter);
            }
        }
    }

private:
    void report(const StepStats& stats, const StepStats::InputDtype& input, const RunFacts::Block& block, Reporter& reporter) const {
        Finding finding;
        finding.severity = Severity::kWarning;
        finding.block = block.path;
        finding.message = fmt::format(
            "{} ({}) expects {} and gets {} at step {}: {}. Convert the input once, with a to_float transform in data or a cast before "
            "this block.",
            block.path, block.type, input.expected, input.dtype, stats.step,
            input.dtype == "float64" ? "each batch is twice as large as needed and is converted or fails"
                                     : "values such as pixels or class numbers are taken as they are, unscaled");
        finding.evidence = {{"dtype", input.dtype}, {"expected", input.expected}, {"block_type", block.type}};
        finding.remedies = {remedy(block)};
        reporter.raise(std::move(finding));
    }

    Remedy remedy(const RunFacts::Block& block) const {
        const ProjectEdit edit(m_facts->project);
        const std::string input = inputOf(edit, block);
        if (input.empty()) {
            return ProjectEdit::advice("Add a to_float transform to the input");
        }
        return edit.append(fmt::format("Add to_float to the input {}", input), pointerTo(pointerTo("/data/inputs", input), "transforms"),
                           Json{{"type", "to_float"}});
    }

    /// The data input that feeds the block: the one it reads on the root graph, or the only one there is.
    static std::string inputOf(const ProjectEdit& edit, const RunFacts::Block& block) {
        const Json* inputs = edit.at("/data/inputs");
        if (inputs == nullptr || !inputs->is_object() || inputs->empty()) {
            return {};
        }
        const std::string outermost = block.path.substr(0, block.path.find('.'));
        const Json* from = edit.at(pointerTo(pointerTo("/model/graph/nodes", outermost), "from"));
        if (from != nullptr && from->is_string()) {
            const std::string source = from->get<std::string>();
            if (const std::string name = source.substr(0, source.find('.')); inputs->contains(name)) {
                return name;
            }
        }
        return inputs->size() == 1 ? inputs->begin().key() : std::string();
    }

    const RunFacts* m_facts = nullptr;
};

}  // namespace

DetectorEntry inputDType() {
    return {{"input-dtype", "Integers or float64 reach a block that computes in float", Severity::kWarning, {}, {}},
            [](const Json& settings) -> std::unique_ptr<Detector> { return std::make_unique<InputDType>(settings); }};
}

}  // namespace plumbline::diagnostics
