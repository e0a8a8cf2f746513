#pragma once
// What the block families share: a base class, reading parameters, the usual complaints, writing code.
//
// TorchScript convention: emitTorchScript gives statements that call torch.* operators only. State is read as
// <module>.<state>, where <module> is EmitRequest::module or "self.<name>"; nested modules are the exporter's business.
// EmitRequest::training, or `self.training`, tells training from evaluation. Multi-output blocks assign each name of
// EmitRequest::outputs. C++ convention: forward defines one `torch::Tensor` a name; modules are torch::nn holders named
// EmitRequest::name.

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/block_families.h"
#include "graph/block_type.h"

namespace plumbline::blocks {

using graph::BlockExample;
using graph::BlockSpec;
using graph::Cost;
using graph::Dim;
using graph::EmitRequest;
using graph::EmittedCpp;
using graph::EmittedScript;
using graph::Inference;
using graph::InferenceRequest;
using graph::ParameterKind;
using graph::ParameterSpec;
using graph::PortSpec;
using graph::StateSpec;
using graph::TensorType;

class Block : public graph::BlockType {
public:
    explicit Block(BlockSpec spec) : m_spec(std::move(spec)) {}
    const BlockSpec& spec() const final { return m_spec; }

private:
    BlockSpec m_spec;
};

// ---- Specs ----
ParameterSpec intParameter(std::string name, Json defaultValue, std::optional<double> min, std::string help);
ParameterSpec floatParameter(std::string name, Json defaultValue, std::optional<double> min, std::optional<double> max,
                             std::string help);
ParameterSpec boolParameter(std::string name, bool defaultValue, std::string help);
ParameterSpec choiceParameter(std::string name, std::string defaultValue, std::vector<std::string> choices,
                              std::string help);
/// An integer or a list of them.
ParameterSpec sizeParameter(std::string name, Json defaultValue, std::optional<double> min, std::string help);
ParameterSpec inferredParameter(std::string name, std::string help);
/// null as PyTorch's None; the default unless another is set afterwards.
ParameterSpec nullable(ParameterSpec spec);

/// The "input" port of most blocks, and the "output" port.
std::vector<PortSpec> oneInput();
std::vector<PortSpec> oneOutput();
/// A float32 tensor for examples.
TensorType floats(std::vector<Dim> dims);
TensorType integers(std::vector<Dim> dims);

// ---- Inference ----
/// The failure branch of infer(): `message` goes on from the block's name; see BlockType::infer.
tl::unexpected<Error> wrong(std::string code, std::string message, std::string hint, std::string parameter = {});
/// Floating point, or a complaint.
Status requireFloating(const TensorType& type);
/// float32, as the parameters are, or a complaint.
Status requireFloat32(const TensorType& type);
/// "[B, C, H, W]" in `form` is for the message.
Status requireRank(const TensorType& type, std::size_t low, std::size_t high, std::string_view form);
/// The dimension as a number: a count of `what` (plural, "channels") has to be known when the model is built.
Result<std::int64_t> fixedSize(const Dim& dim, std::string_view what);
/// Agreement of a stated inferred parameter with what the input has; the value to use.
Result<std::int64_t> inferredSize(const Json& params, std::string_view name, const Dim& dim, std::string_view what);
/// A dim that may count from the end, made to count from the start.
Result<std::int64_t> dimIndex(std::int64_t dim, std::size_t rank, std::string_view parameter);
/// Fills in cost.activationBytes, and cost.parameters from the state; macs stay as they are.
Inference finish(Inference inference);
/// One output with the request's parameters.
Inference passThrough(const InferenceRequest& request, TensorType output);
/// An integer or a list of `N` as `N` values.
template <std::size_t N>
Result<std::array<std::int64_t, N>> sizes(const Json& params, std::string_view name) {
    std::array<std::int64_t, N> result{};
    const Json& value = params.at(std::string(name));
    if (value.is_number_integer()) {
        result.fill(value.template get<std::int64_t>());
        return result;
    }
    if (!value.is_array() || (value.size() != N && value.size() != 1)) {
        return wrong("bad-parameter",
                     fmt::format("has {} = {}, which is neither one number nor {}", name, value.dump(), N),
                     fmt::format("Set {} to one integer or a list of {}.", name, N), std::string(name));
    }
    for (std::size_t i = 0; i < N; ++i) {
        result[i] = value[value.size() == 1 ? 0 : i].template get<std::int64_t>();
    }
    return result;
}

// ---- Code ----
/// C++ literal of a JSON number, boolean or integer list ("{2, 1}"); a whole float keeps its point.
std::string cpp(const Json& value);
/// Python literal: True/False, [2, 1], None.
std::string python(const Json& value);
std::string pythonFloat(const Json& value);
/// "self.<name>" or what the exporter says.
std::string moduleOf(const EmitRequest& request);
/// "self.training" or what the exporter says.
std::string trainingOf(const EmitRequest& request);
/// A torch::nn module: `type` = "Conv2d", `arguments` inside its holder's parentheses; forward is one call.
EmittedCpp cppModule(const EmitRequest& request, std::string_view type, const std::string& arguments);
/// "torch::Tensor <output> = <expression>;"
EmittedCpp cppExpression(const EmitRequest& request, const std::string& expression);
/// "<output> = <expression>"
EmittedScript script(const EmitRequest& request, const std::string& expression);

/// Collects ".name(value)" calls of an Options object. What has its default is left out, unless the request is for
/// complete code: then numbers and flags are there all the same, so that code of two instances differs in literals
/// alone.
class CppOptions {
public:
    CppOptions(const BlockSpec& spec, const EmitRequest& request)
        : m_spec(spec), m_params(request.params), m_complete(request.complete) {}
    /// Adds `name`; `text` overrides the literal.
    CppOptions& add(std::string_view name);
    CppOptions& add(std::string_view name, const std::string& text);
    const std::string& text() const { return m_text; }

private:
    bool isLeftOut(std::string_view name) const;
    const BlockSpec& m_spec;
    const Json& m_params;
    bool m_complete;
    std::string m_text;
};

// ---- The families; each adds its types ----
void registerInputOutput(graph::BlockRegistry& registry);
#define PLUMBLINE_DECLARE(family) void register##family(graph::BlockRegistry& registry);
PLUMBLINE_BLOCK_FAMILIES(PLUMBLINE_DECLARE)
#undef PLUMBLINE_DECLARE

}  // namespace plumbline::blocks
