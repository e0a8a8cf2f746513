#include "codegen/preprocess_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "codegen/module_body.h"
#include "data/transform.h"
#include "plan/loss_traits.h"

namespace plumbline::codegen {
namespace {

constexpr std::size_t kLineWidth = 116;

/// The items with commas, over as many lines as it takes.
std::string wrapped(const std::vector<std::string>& items, const std::string& indent, std::size_t firstColumn) {
    std::string text;
    std::size_t column = firstColumn;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
        if (i > 0 && column + item.size() + 1 > kLineWidth) {
            text += "\n" + indent;
            column = indent.size();
        } else if (i > 0) {
            text += " ";
            ++column;
        }
        text += item;
        column += item.size();
    }
    return text;
}

std::string numberList(const Json& numbers, const std::string& indent, std::size_t firstColumn) {
    std::vector<std::string> items;
    for (const Json& number : numbers.is_array() ? numbers : Json::array({numbers})) {
        items.push_back(cppNumber(number.get<double>()));
    }
    return wrapped(items, indent, firstColumn);
}

std::string dimList(const std::vector<std::int64_t>& dims) {
    return fmt::format("{{{}}}", fmt::join(dims, ", "));
}

std::string cppCharacter(char c) {
    if (c == '\t') {
        return "'\\t'";
    }
    return c > ' ' && c < 0x7f && c != '\'' && c != '\\' ? fmt::format("'{}'", c)
                                                         : fmt::format("static_cast<char>({})", static_cast<int>(c));
}

/// A few of many names, for a comment.
std::string someOf(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 6;
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kShown));
    return fmt::format("{}{}", fmt::join(names.begin(), end, ", "), names.size() > kShown ? ", …" : "");
}

/// Deterministic transforms that neighbour each other and are of the form factor * x + offset, as the pipeline joins
/// them.
struct AffineChain {
    std::string expression;  ///< "" = none
    std::int64_t groups = 1;

    /// Whether this one can take another.
    bool takes(std::int64_t more) const { return expression.empty() || groups == more || groups == 1 || more == 1; }
    void add(const std::string& term, std::int64_t more) {
        expression = expression.empty() ? term : fmt::format("{}.then({})", expression, term);
        groups = std::max(groups, more);
    }
};

bool isAffine(const std::string& type) {
    return type == "scale" || type == "to_float" || type == "normalize";
}

std::size_t countOf(const Json& numbers) {
    return numbers.is_array() ? numbers.size() : 1;
}

std::int64_t groupsOf(const Json& transform) {
    return transform.at("type") == "normalize"
               ? static_cast<std::int64_t>(std::max(countOf(transform.at("mean")), countOf(transform.at("std"))))
               : 1;
}

bool isRandom(const std::string& name) {
    const auto& types = data::transformTypes();
    return std::any_of(types.begin(), types.end(),
                       [&](const data::TransformType& type) { return type.random && type.name == name; });
}

/// The statements that take `x` through the transforms of one input.
class PrepareWriter {
public:
    PrepareWriter(const data::RawInput& raw, const data::FeedInfo& feed)
        : m_feed(feed), m_dtype(raw.type.dtype), m_dims(raw.type.dims) {}

    Result<std::string> write() {
        for (const Json& transform : m_feed.transforms) {
            PLUMBLINE_TRY(add(transform));
        }
        flush();
        if (m_dtype != m_feed.dtype) {
            m_text += fmt::format("    x = cast(x, {});\n", cppDType(m_feed.dtype));
        }
        if (m_dims != m_feed.dims) {
            reshape(m_feed.dims);
        }
        return m_text + "    return x;\n";
    }

private:
    Status add(const Json& transform) {
        const std::string type = transform.value("type", "");
        if (isRandom(type)) {
            flush();  // what stands between two of them keeps the pipeline from joining them
            return {};
        }
        if (isAffine(type)) {
            const std::int64_t groups = groupsOf(transform);
            if (!m_chain.takes(groups)) {
                flush();
            }
            m_chain.add(term(transform), groups);
            return {};
        }
        if (type == "flatten") {
            return reshapeTo({-1});
        }
        if (type == "reshape") {
            return reshapeTo(transform.at("shape").get<std::vector<std::int64_t>>());
        }
        flush();
        if (type == "one_hot") {
            m_dims = {transform.at("classes").get<std::int64_t>()};
            m_dtype = floating();
            m_text += fmt::format("    x = oneHot(x, {}, {});\n", m_dims[0], cppDType(m_dtype));
            return {};
        }
        if (type == "resize") {
            const auto size = transform.at("size").get<std::vector<std::int64_t>>();
            m_dims = {m_dims[0], size[0], size[1]};
            m_text += fmt::format("    x = resize(x, {}, {});\n", size[0], size[1]);
            return {};
        }
        return fail(ErrorKind::kInvalid, "export-unsupported",
                    fmt::format("The transform {} cannot be written as C++", type), "/data/inputs",
                    "Export as torchscript or state-dict.");
    }

    DType floating() const { return m_feed.dtype == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32; }

    /// The call that makes the coefficients; constants of its own stand before it.
    std::string term(const Json& transform) {
        const std::string type = transform.at("type").get<std::string>();
        if (type == "scale") {
            return fmt::format("scaled({})", cppNumber(transform.at("by").get<double>()));
        }
        if (type == "to_float") {
            return "scaled(1.0)";
        }
        const std::string number = m_constants == 0 ? "" : std::to_string(m_constants + 1);
        ++m_constants;
        for (const auto& [key, name] : {std::pair{"mean", "mean"}, std::pair{"std", "deviation"}}) {
            const std::string start = fmt::format("    static const std::vector<double> {}{}{{", name, number);
            m_text += start + numberList(transform.at(key), "        ", start.size()) + "};\n";
        }
        return fmt::format("normalized(mean{0}, deviation{0})", number);
    }

    void flush() {
        if (!m_chain.expression.empty()) {
            m_dtype = floating();
            m_text += fmt::format("    x = {}.apply(x, {});\n", m_chain.expression, cppDType(m_dtype));
            m_chain = {};
        }
    }

    /// Order of values and with it the channels of a chain that is under way stay as they are.
    Status reshapeTo(std::vector<std::int64_t> dims) {
        std::int64_t all = 1;
        std::int64_t known = 1;
        for (const std::int64_t dim : m_dims) {
            all *= dim;
        }
        for (const std::int64_t dim : dims) {
            known *= dim == -1 ? 1 : dim;
        }
        std::replace(dims.begin(), dims.end(), std::int64_t{-1}, known == 0 ? 0 : all / known);
        reshape(dims);
        return {};
    }

    void reshape(const std::vector<std::int64_t>& dims) {
        m_dims = dims;
        m_text +=
            fmt::format("    x = x.reshape({{x.size(0){}{}}});\n", dims.empty() ? "" : ", ", fmt::join(dims, ", "));
    }

    const data::FeedInfo& m_feed;
    DType m_dtype;
    std::vector<std::int64_t> m_dims;
    AffineChain m_chain;
    int m_constants = 0;
    std::string m_text;
};

class Marks {
public:
    Marks(const plan::TrainingPlan& plan, const graph::ResolvedModel& model, const DataFacts& facts)
        : m_plan(plan), m_model(model), m_facts(facts) {}

    Result<std::map<std::string, std::string>> make() {
        for (const char* mark : {"NAMES", "INPUTS", "PREPARE", "PREPARED", "CLASSES", "TARGETS"}) {
            m_marks[mark];
        }
        m_marks["TABLE"] = "0, ',', '.'";
        if (isTable(m_facts.raw)) {
            const data::RawForm& form = m_facts.raw[0].parts[0];
            m_marks["TABLE"] =
                fmt::format("{}, {}, {}", form.fileColumns, cppCharacter(form.delimiter), cppCharacter(form.decimal));
        }
        for (std::size_t i = 0; i < m_facts.raw.size(); ++i) {
            describe(m_facts.raw[i]);
            PLUMBLINE_TRY(prepare(i));
        }
        for (const plan::LossSpec& loss : m_plan.losses) {
            answer(loss);
        }
        return m_marks;
    }

private:
    /// An array of names, and the expression that gives it as a list.
    std::string names(const std::vector<std::string>& list, const std::string& what) {
        std::vector<std::string> items;
        for (const std::string& name : list) {
            items.push_back(cppString(name));
        }
        const std::string array = fmt::format("kNames{}", m_arrays++);
        const std::string start = fmt::format("inline const char* const {}[] = {{", array);
        m_marks["NAMES"] += cppComment(what) + start + wrapped(items, "    ", start.size()) + "};\n\n";
        return fmt::format("listOf({})", array);
    }

    void describe(const data::RawInput& raw) {
        const data::RawForm& first = raw.parts[0];
        std::string& text = m_marks["INPUTS"];
        const bool table = isTable(m_facts.raw);
        text += fmt::format("            {{{}, {}, {}, {{", cppString(raw.name), cppDType(raw.type.dtype),
                            dimList(raw.type.dims));
        for (const data::RawForm& part : raw.parts) {
            if (table) {
                const std::string classes =
                    part.categories.empty()
                        ? "{}"
                        : names(part.categories, fmt::format("The texts of the column {}, by class.", part.column));
                text += fmt::format("\n                {{{}, {}, {}, {}}},", cppString(part.column), part.position,
                                    classes, cppString(part.fill));
            }
        }
        const bool picture = raw.parts.size() == 1 && first.kind == data::RawForm::Kind::kPicture;
        text += fmt::format("{}}}, {}}},\n", table ? "\n            " : "", picture ? int{first.white} : 0);
    }

    Status prepare(std::size_t index) {
        const data::RawInput& raw = m_facts.raw[index];
        const data::FeedInfo& feed = m_facts.inputs[index];
        PLUMBLINE_ASSIGN(const std::string body, PrepareWriter(raw, feed).write());
        const std::string columns = raw.type.columns.empty() ? "" : fmt::format(" ({})", someOf(raw.type.columns));
        m_marks["PREPARE"] += cppComment(fmt::format("{}{}: {} {} becomes {} {}.", raw.name, columns,
                                                     toString(raw.type.dtype), data::formatDims(raw.type.dims),
                                                     toString(feed.dtype), data::formatDims(feed.dims))) +
                              fmt::format("inline torch::Tensor prepare{}(torch::Tensor x) {{\n{}}}\n\n", index, body);
        m_marks["PREPARED"] += fmt::format("        {{{}, prepare{}(raw.at({}))}},\n", cppString("input." + feed.name),
                                           index, cppString("raw." + raw.name));
        return {};
    }

    const data::FeedInfo* targetOf(const plan::LossSpec& loss) const {
        const auto& outputs = m_model.outputs;
        const auto& targets = m_facts.targets;
        const auto found = std::find_if(targets.begin(), targets.end(),
                                        [&](const data::FeedInfo& feed) { return feed.name == loss.target; });
        const bool given = std::any_of(outputs.begin(), outputs.end(),
                                       [&](const auto& output) { return output.first == loss.output; });
        return given && found != targets.end() ? &*found : nullptr;
    }

    /// Whether an output is one row a sample of several numbers.
    bool tellsSeveral(const std::string& output) const {
        const auto found = std::find_if(m_model.outputs.begin(), m_model.outputs.end(),
                                        [&](const auto& one) { return one.first == output; });
        if (found == m_model.outputs.end()) {
            return false;
        }
        const std::vector<graph::Dim>& dims = m_model.values[static_cast<std::size_t>(found->second)].type.dims;
        return dims.size() == 2 && !(dims[1].isConstant() && dims[1].constant() == 1);
    }

    /// As `predict` answers: the first loss that tells classes.
    void answer(const plan::LossSpec& loss) {
        const data::FeedInfo* target = targetOf(loss);
        if (target == nullptr) {
            return;
        }
        const std::string output = fmt::format("outputs.at({})", cppString(loss.output));
        const plan::LossTraits& traits = plan::lossTraits(loss.type);
        const plan::LossKind kind = plan::kindOf(loss, !target->classes.empty() && tellsSeveral(loss.output));
        const bool exclusive = kind == plan::LossKind::kClasses;
        if (exclusive || (kind == plan::LossKind::kElements && traits.target == plan::TargetRange::kShares)) {
            bool numbered = true;
            for (std::size_t i = 0; i < target->classes.size(); ++i) {
                numbered = numbered && target->classes[i] == std::to_string(i);
            }
            const std::string list =
                numbered ? "{}" : names(target->classes, fmt::format("The classes of {}.", target->name));
            const char* scale = traits.scale == plan::OutputScale::kProbabilities      ? ", Scale::kProbabilities"
                                : traits.scale == plan::OutputScale::kLogProbabilities ? ", Scale::kLogProbabilities"
                                                                                       : "";
            m_marks["CLASSES"] +=
                fmt::format("    if (answers.empty()) {{\n        answers = ranked({}, {}, {}{});\n    }}\n", output,
                            list, exclusive, scale);
            return;
        }
        const bool isOfTarget = kind == plan::LossKind::kElements && traits.scale == plan::OutputScale::kAny &&
                                traits.target == plan::TargetRange::kAny;
        if (!isOfTarget || loss.flag("log_input")) {
            return;
        }
        const std::string chain = unscaling(*target);
        if (!chain.empty()) {
            m_marks["TARGETS"] +=
                fmt::format("        {{{}, {}.invert({})}},\n", cppString(target->name), chain, output);
        }
    }

    /// What was done to a target that is a number, where that can be undone; "" where there is nothing to undo.
    static std::string unscaling(const data::FeedInfo& target) {
        AffineChain chain;
        bool changes = false;
        for (const Json& transform : target.transforms) {
            const std::string type = transform.value("type", "");
            if (type == "flatten" || type == "reshape") {
                continue;
            }
            if (!isAffine(type) || !chain.takes(groupsOf(transform)) ||
                (type == "scale" && transform.at("by").get<double>() == 0.0)) {
                return {};
            }
            changes = changes || type != "to_float";
            const std::string term =
                type == "normalize"
                    ? fmt::format("normalized({{{}}}, {{{}}})", numberList(transform.at("mean"), "            ", 40),
                                  numberList(transform.at("std"), "            ", 40))
                    : fmt::format("scaled({})", type == "scale" ? cppNumber(transform.at("by").get<double>()) : "1.0");
            chain.add(term, groupsOf(transform));
        }
        return changes ? chain.expression : std::string();
    }

    const plan::TrainingPlan& m_plan;
    const graph::ResolvedModel& m_model;
    const DataFacts& m_facts;
    std::map<std::string, std::string> m_marks;
    int m_arrays = 0;
};

}  // namespace

bool isTable(const std::vector<data::RawInput>& raw) {
    return !raw.empty() && std::all_of(raw.begin(), raw.end(), [&](const data::RawInput& input) {
        return std::all_of(input.parts.begin(), input.parts.end(), [&](const data::RawForm& part) {
            return part.kind == data::RawForm::Kind::kColumn && part.source == raw[0].parts[0].source;
        });
    });
}

Result<std::map<std::string, std::string>> preprocessMarks(const plan::TrainingPlan& plan,
                                                           const graph::ResolvedModel& model, const DataFacts& facts) {
    return Marks(plan, model, facts).make();
}

}  // namespace plumbline::codegen
