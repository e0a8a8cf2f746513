#include "blocks/block.h"

namespace plumbline::blocks {
namespace {

ParameterSpec parameter(std::string name, ParameterKind kind, Json defaultValue, std::string help) {
    ParameterSpec spec;
    spec.name = std::move(name);
    spec.kind = kind;
    spec.defaultValue = std::move(defaultValue);
    spec.help = std::move(help);
    return spec;
}

std::string join(const Json& list, std::string (*one)(const Json&)) {
    std::string text;
    for (const Json& item : list) {
        text += (text.empty() ? "" : ", ") + one(item);
    }
    return text;
}

/// Shortest text that reads back as the same double, always with a point or an exponent.
std::string floatText(double value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos) {
        text += ".0";
    }
    return text;
}

}  // namespace

ParameterSpec intParameter(std::string name, Json defaultValue, std::optional<double> min, std::string help) {
    ParameterSpec spec = parameter(std::move(name), ParameterKind::kInt, std::move(defaultValue), std::move(help));
    spec.min = min;
    return spec;
}

ParameterSpec floatParameter(std::string name, Json defaultValue, std::optional<double> min, std::optional<double> max,
                             std::string help) {
    ParameterSpec spec = parameter(std::move(name), ParameterKind::kFloat, std::move(defaultValue), std::move(help));
    spec.min = min;
    spec.max = max;
    return spec;
}

ParameterSpec boolParameter(std::string name, bool defaultValue, std::string help) {
    return parameter(std::move(name), ParameterKind::kBool, defaultValue, std::move(help));
}

ParameterSpec choiceParameter(std::string name, std::string defaultValue, std::vector<std::string> choices,
                              std::string help) {
    ParameterSpec spec = parameter(std::move(name), ParameterKind::kChoice, std::move(defaultValue), std::move(help));
    spec.choices = std::move(choices);
    return spec;
}

ParameterSpec sizeParameter(std::string name, Json defaultValue, std::optional<double> min, std::string help) {
    ParameterSpec spec = parameter(std::move(name), ParameterKind::kIntList, std::move(defaultValue), std::move(help));
    spec.min = min;
    return spec;
}

ParameterSpec inferredParameter(std::string name, std::string help) {
    ParameterSpec spec = parameter(std::move(name), ParameterKind::kInt, nullptr, std::move(help));
    spec.min = 1;
    spec.inferred = true;
    return spec;
}

ParameterSpec nullable(ParameterSpec spec) {
    spec.nullable = true;
    return spec;
}

std::vector<PortSpec> oneInput() {
    return {{"input", false, false, ""}};
}
std::vector<PortSpec> oneOutput() {
    return {{"output", false, false, ""}};
}
TensorType floats(std::vector<Dim> dims) {
    return {DType::kFloat32, std::move(dims)};
}
TensorType integers(std::vector<Dim> dims) {
    return {DType::kInt64, std::move(dims)};
}

tl::unexpected<Error> wrong(std::string code, std::string message, std::string hint, std::string parameter) {
    return fail(ErrorKind::kInvalid, std::move(code), std::move(message), std::move(parameter), std::move(hint));
}

Status requireFloating(const TensorType& type) {
    if (!isFloatingPoint(type.dtype)) {
        return wrong("dtype-mismatch",
                     fmt::format("expects floating-point values and gets {} from {{0}}", toString(type.dtype)),
                     "Insert a ToDtype block with dtype float32.", "float32");
    }
    return {};
}

Status requireFloat32(const TensorType& type) {
    if (type.dtype != DType::kFloat32) {
        return wrong("dtype-mismatch",
                     fmt::format("has float32 parameters and gets {} from {{0}}", toString(type.dtype)),
                     "Insert a ToDtype block with dtype float32.", "float32");
    }
    return {};
}

Status requireRank(const TensorType& type, std::size_t low, std::size_t high, std::string_view form) {
    if (type.rank() < low || type.rank() > high) {
        return wrong("shape-mismatch", fmt::format("expects {} and gets [{}] from {{0}}", form, type.shapeText()),
                     type.rank() < low ? "Connect a block whose output has that form, or insert a Reshape."
                                       : "Insert a Flatten or Reshape, or connect a block whose output has that form.");
    }
    return {};
}

Result<std::int64_t> fixedSize(const Dim& dim, std::string_view what) {
    const auto value = dim.constant();
    if (!value) {
        return wrong("size-not-fixed",
                     fmt::format("needs a fixed number of {} and gets {} from {{0}}", what, dim.toString()),
                     "Give the input a fixed size there, or check the order of its dimensions.");
    }
    return *value;
}

Result<std::int64_t> inferredSize(const Json& params, std::string_view name, const Dim& dim, std::string_view what) {
    PLUMBLINE_ASSIGN(const std::int64_t got, fixedSize(dim, what));
    const Json& stated = params.at(std::string(name));
    if (!stated.is_null() && stated.get<std::int64_t>() != got) {
        const auto wanted = stated.get<std::int64_t>();
        return wrong("inferred-disagrees", fmt::format("expects {} {} and gets {} from {{0}}", wanted, what, got),
                     fmt::format("Set {} to {}, or connect a block with {}.", name, got, wanted), std::string(name));
    }
    return got;
}

Result<std::int64_t> dimIndex(std::int64_t dim, std::size_t rank, std::string_view parameter) {
    const auto count = static_cast<std::int64_t>(rank);
    if (dim < -count || dim >= count) {
        return wrong("bad-dimension",
                     fmt::format("has {} = {} and gets {} dimensions from {{0}}", parameter, dim, rank),
                     rank == 0 ? std::string("Connect an input that has dimensions.")
                               : fmt::format("Set {} between {} and {}.", parameter, -count, count - 1),
                     std::string(parameter));
    }
    return dim < 0 ? dim + count : dim;
}

Inference finish(Inference inference) {
    for (const StateSpec& state : inference.state) {
        if (state.buffer) {
            continue;
        }
        Dim count = 1;
        for (const std::int64_t dim : state.dims) {
            count = count * Dim(dim);
        }
        inference.cost.parameters += count.constant().value_or(0);
    }
    for (const TensorType& output : inference.outputs) {
        inference.cost.activationBytes = inference.cost.activationBytes +
                                         output.elementCount() * Dim(static_cast<std::int64_t>(sizeOf(output.dtype)));
    }
    return inference;
}

Inference passThrough(const InferenceRequest& request, TensorType output) {
    Inference inference;
    inference.outputs.push_back(std::move(output));
    inference.params = request.params;
    return finish(std::move(inference));
}

std::string cpp(const Json& value) {
    if (value.is_array()) {
        return "{" + join(value, &cpp) + "}";
    }
    if (value.is_number_float()) {
        return floatText(value.get<double>());
    }
    return value.is_null() ? "std::nullopt" : value.dump();
}

std::string python(const Json& value) {
    if (value.is_array()) {
        return "[" + join(value, &python) + "]";
    }
    if (value.is_boolean()) {
        return value.get<bool>() ? "True" : "False";
    }
    if (value.is_number_float()) {
        return floatText(value.get<double>());
    }
    return value.is_null() ? "None" : value.dump();
}

std::string pythonFloat(const Json& value) {
    return floatText(value.get<double>());
}

std::string moduleOf(const EmitRequest& request) {
    return request.module.empty() ? "self." + request.name : request.module;
}

std::string trainingOf(const EmitRequest& request) {
    return request.training.empty() ? "self.training" : request.training;
}

EmittedCpp cppModule(const EmitRequest& request, std::string_view type, const std::string& arguments) {
    EmittedCpp code;
    const std::string& registered = request.registered.empty() ? request.name : request.registered;
    code.member = fmt::format("torch::nn::{} {}{{nullptr}};", type, request.name);
    code.construct =
        fmt::format("{} = register_module(\"{}\", torch::nn::{}({}));", request.name, registered, type, arguments);
    code.forward = fmt::format("torch::Tensor {} = {}->forward({});", request.outputs.front(), request.name,
                               request.inputs.front());
    return code;
}

EmittedCpp cppExpression(const EmitRequest& request, const std::string& expression) {
    return {{}, {}, fmt::format("torch::Tensor {} = {};", request.outputs.front(), expression)};
}

EmittedScript script(const EmitRequest& request, const std::string& expression) {
    return {fmt::format("{} = {}", request.outputs.front(), expression)};
}

bool CppOptions::isLeftOut(std::string_view name) const {
    const ParameterSpec* spec = m_spec.parameter(name);
    const Json& value = m_params.at(std::string(name));
    const bool isPlain = value.is_number() || value.is_boolean();
    return spec != nullptr && spec->defaultValue == value && !(m_complete && isPlain);
}

CppOptions& CppOptions::add(std::string_view name) {
    return add(name, cpp(m_params.at(std::string(name))));
}

CppOptions& CppOptions::add(std::string_view name, const std::string& text) {
    if (!isLeftOut(name)) {
        m_text += fmt::format(".{}({})", name, text);
    }
    return *this;
}

}  // namespace plumbline::blocks
