#pragma once
// What a leaf block type is: one object that knows its parameters, ports, shapes, costs and how it is written as code.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "graph/problem.h"
#include "graph/tensor_type.h"

namespace plumbline::graph {

enum class ParameterKind { kInt, kFloat, kBool, kText, kChoice, kIntList /* an integer or a list of them */, kDimList };

struct ParameterSpec {
    std::string name;  ///< as PyTorch spells it
    ParameterKind kind = ParameterKind::kInt;
    Json defaultValue;      ///< null: required, unless inferred
    bool inferred = false;  ///< follows from the inputs; a stated value has to agree
    std::optional<double> min, max;
    std::vector<std::string> choices;
    std::string help;
    bool nullable = false;  ///< null is a value, as PyTorch's None
};

struct PortSpec {
    std::string name;
    bool optional = false;
    bool variadic = false;  ///< takes any number of tensors; only the last port
    std::string help;
};

/// A parameter or buffer of a block, in the order PyTorch registers them (so the order of initialisation).
struct StateSpec {
    std::string name;  ///< "weight", "running_mean", …
    std::vector<std::int64_t> dims;
    DType dtype = DType::kFloat32;
    bool buffer = false;
};

struct Cost {
    std::int64_t parameters = 0;  ///< elements of trainable and frozen parameters, not buffers
    Dim macs;                     ///< multiply-accumulates of one forward pass
    Dim activationBytes;          ///< bytes of the outputs
};

/// An example that documentation shows and the conformance suite runs.
struct BlockExample {
    Json params;
    std::vector<TensorType> inputs;  ///< constant dims; integer inputs are filled with values below `integerBound`
    std::int64_t integerBound = 2;
};

struct BlockSpec {
    std::string type;      ///< PyTorch's name
    std::string category;  ///< input, output, linear, convolution, pooling, normalisation, activation, recurrent,
                           ///< attention, merge, tensor, regularisation
    std::string summary;   ///< one sentence
    std::vector<ParameterSpec> parameters;
    std::vector<PortSpec> inputs;
    std::vector<PortSpec> outputs;
    std::vector<BlockExample> examples;
    std::vector<std::string> telling;  ///< parameters that the canvas shows
    /// What initialisation draws: the blocks whose default reads the generator say so in their own builder (model/).
    const ParameterSpec* parameter(std::string_view name) const;
};

/// What a shape rule sees: the input types (an absent optional input has no value) and the parameters as stated, with
/// defaults filled in and every expression evaluated. Inferred parameters not stated are null.
struct InferenceRequest {
    std::vector<std::optional<TensorType>> inputs;
    Json params;
};

/// What a shape rule gives back.
struct Inference {
    std::vector<TensorType> outputs;
    Json params;  ///< all parameters, inferred ones included
    std::vector<StateSpec> state;
    Cost cost;
};

/// A leaf as an emitter sees it.
struct EmitRequest {
    std::string name;                  ///< member name in the generated code, an identifier
    std::string registered;            ///< C++: name it is registered under, if another one ("0"); "" = name
    std::string module;                ///< TorchScript: how its module is reached; "" = "self.<name>"
    std::string training;              ///< TorchScript: whether it trains; "" = "self.training"
    Json params;                       ///< resolved, literals only
    bool complete = false;             ///< C++: spells numbers and flags out that have their default as well
    std::vector<std::string> inputs;   ///< expressions of the inputs; "" for an absent optional one
    std::vector<std::string> outputs;  ///< names of the variables to define
    std::vector<TensorType> inputTypes;
};

/// Lines of generated code. C++ uses LibTorch's public API alone; TorchScript is what torch::jit compiles.
struct EmittedCpp {
    std::string member;     ///< declaration, as "torch::nn::Conv2d conv{nullptr};"; empty when there is no module
    std::string construct;  ///< in the constructor, as "conv = register_module(\"conv\", torch::nn::Conv2d(…));"
    std::string forward;    ///< one or more statements
};
struct EmittedScript {
    /// One or more statements without indentation, one a line. State is read as <module>.<state>; `self.training`
    /// exists.
    std::string forward;
};

class BlockType {
public:
    virtual ~BlockType() = default;
    virtual const BlockSpec& spec() const = 0;
    /// Shapes, inferred parameters, state and cost. An error's message goes on from the block's name ("expects 32
    /// channels and gets 16 from {0}"), {n} stands for where input n comes from, and `where` is the parameter it is
    /// about, if one is: see describeInference() in resolve.h. Code "inferred-disagrees": a stated value that the
    /// inputs contradict. Code "dtype-mismatch": `where` is the dtype that would fit.
    virtual Result<Inference> infer(const InferenceRequest& request) const = 0;
    virtual EmittedCpp emitCpp(const EmitRequest& request) const = 0;
    virtual EmittedScript emitTorchScript(const EmitRequest& request) const = 0;
};

/// All leaf types by id. Filled once at start by blocks/register.h and read-only afterwards.
class BlockRegistry {
public:
    void add(std::unique_ptr<BlockType> type);
    const BlockType* find(std::string_view type) const;
    /// In registration order.
    const std::vector<std::unique_ptr<BlockType>>& all() const { return m_types; }

private:
    std::vector<std::unique_ptr<BlockType>> m_types;
    std::map<std::string, const BlockType*, std::less<>> m_byName;
};

}  // namespace plumbline::graph
