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
            if (input.dtype != input.expected && !isMeant(input, block) && !reporter.isOpen(block.path)) {
                report(stats, input, block, reporter);
            }
        }
    }

private:
    static bool isFloat(const std::string& dtype) { return dtype.find("float") != std::string::npos; }

    /// Indices of another width; and a model that asks for another precision than its data have by nature.
    static bool isMeant(const StepStats::InputDtype& input, const RunFacts::Block& block) {
        return (block.takesIndices && !isFloat(input.dtype) && !isFloat(input.expected)) ||
               (isFloat(input.dtype) && isFloat(input.expected) && input.dtype != "float64");
    }

    static const char* consequence(const StepStats::InputDtype& input) {
        if (isFloat(input.dtype)) {
            return isFloat(input.expected) ? "each batch is twice as large as needed and is converted before every step"
                                           : "each batch is converted before every step, and fractions are cut off";
        }
        return isFloat(input.expected) ? "values such as pixels or class numbers are taken as they are, unscaled"
                                       : "each batch is converted before every step";
    }

    void report(const StepStats& stats, const StepStats::InputDtype& input, const RunFacts::Block& block,
                Reporter& reporter) const {
        Finding finding;
        finding.severity = Severity::kWarning;
        finding.block = block.path;
        finding.message =
            fmt::format("{} ({}) expects {} and gets {} at step {}: {}. Convert the input once, in data.", block.path,
                        block.type, input.expected, input.dtype, stats.step, consequence(input));
        finding.evidence = {{"dtype", input.dtype}, {"expected", input.expected}, {"block_type", block.type}};
        finding.remedies = {remedy(input, block)};
        reporter.raise(std::move(finding));
    }

    Remedy remedy(const StepStats::InputDtype& input, const RunFacts::Block& block) const {
        const ProjectEdit edit(m_facts->project);
        const std::string name =
            edit.at(pointerTo("/data/inputs", input.input)) != nullptr ? input.input : inputOf(edit, block);
        const bool scales = !isFloat(input.dtype) && isFloat(input.expected);
        // The data have no half precision; they feed float32, and the model goes on from there.
        const std::string wanted =
            input.expected == "float16" || input.expected == "bfloat16" ? "float32" : input.expected;
        if (name.empty()) {
            return ProjectEdit::advice(scales ? "Add a to_float transform to the input"
                                              : fmt::format("Give the input as {}", wanted));
        }
        const std::string pointer = pointerTo("/data/inputs", name);
        // A dtype that the data name has the last word, after every transform.
        if (const std::string dtype = pointerTo(pointer, "dtype"); !scales || edit.at(dtype) != nullptr) {
            return edit.set(fmt::format("Give the input {} as {}", name, wanted), dtype, wanted);
        }
        return edit.append(fmt::format("Add to_float to the input {}", name), pointerTo(pointer, "transforms"),
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
