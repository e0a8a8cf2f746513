// Every example's emitted C++, compiled into one library at test time and run beside the built module.

#include <ATen/Context.h>
#include <ATen/ops/equal.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "conformance_case.h"

namespace plumbline::model {
namespace {

using testing::ConformanceCase;
using testing::conformanceCases;
using testing::Observed;

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;
/// Builds example `index` after seeding, tells its state as made, runs it, and gives outputs, parameters and state.
using RunExample = void (*)(std::size_t index, std::uint64_t stateSeed, std::uint64_t callSeed, bool training,
                            const std::vector<at::Tensor>& inputs, NamedTensors& initial,
                            std::vector<at::Tensor>& outputs, NamedTensors& state, std::string& error);

constexpr const char* kPrologue = R"(#include <torch/torch.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>
namespace {
using Tensors = std::vector<torch::Tensor>;
using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;
struct Example : torch::nn::Module {
    virtual Tensors run(const Tensors& inputs) = 0;
};
)";

constexpr const char* kEpilogue = R"(
void list(const torch::nn::Module& module, const std::string& prefix, NamedTensors& state) {
    for (const auto& item : module.named_parameters(false)) state.emplace_back(prefix + item.key(), item.value());
    for (const auto& item : module.named_buffers(false)) state.emplace_back(prefix + item.key(), item.value());
    for (const auto& item : module.named_children()) list(*item.value(), prefix + item.key() + ".", state);
}
}  // namespace
extern "C" __attribute__((visibility("default"))) void runExample(
    std::size_t index, std::uint64_t stateSeed, std::uint64_t callSeed, bool training, const Tensors& inputs,
    NamedTensors& initial, Tensors& outputs, NamedTensors& state, std::string& error) {
    try {
        torch::manual_seed(stateSeed);
        const std::shared_ptr<Example> example = make(index);
        list(*example, "", state);
        for (const auto& [name, tensor] : state) initial.emplace_back(name, tensor.detach().clone());
        example->train(training);
        torch::manual_seed(callSeed);
        outputs = example->run(inputs);
    } catch (const std::exception& thrown) {
        error = thrown.what();
    }
}
)";

std::string sourceOf(const ConformanceCase& one, std::size_t index) {
    const graph::EmitRequest request = one.emitRequest("block");
    const graph::EmittedCpp code = one.type->emitCpp(request);
    std::string text = fmt::format("// {}\nstruct Example{} final : Example {{\n", one.label, index);
    text += fmt::format("    Example{}() {{\n{}\n    }}\n", index, code.construct);
    text += "    Tensors run(const Tensors& inputs) override {\n";
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        if (!request.inputs[i].empty()) {
            text += fmt::format("torch::Tensor {} = inputs[{}];\n", request.inputs[i], i);
        }
    }
    text += fmt::format("{}\nreturn {{{}}};\n    }}\n{}\n}};\n", code.forward, fmt::join(request.outputs, ", "),
                        code.member);
    return text;
}

std::string wholeSource() {
    std::string text = kPrologue;
    std::string factory = "std::shared_ptr<Example> make(std::size_t index) {\n    switch (index) {\n";
    for (std::size_t i = 0; i < conformanceCases().size(); ++i) {
        text += sourceOf(conformanceCases()[i], i);
        factory += fmt::format("        case {0}: return std::make_shared<Example{0}>();\n", i);
    }
    return text + factory + "    }\n    return nullptr;\n}\n" + kEpilogue;
}

/// The compiled library, made once; its folder goes at the end.
class Library {
public:
    Library() {
        std::string folder = (std::filesystem::temp_directory_path() / "plumbline-conformance-XXXXXX").string();
        if (mkdtemp(folder.data()) == nullptr) {
            m_error = "no temporary folder";
            return;
        }
        m_folder = folder;
        const std::filesystem::path source = m_folder / "examples.cpp";
        const std::filesystem::path library = m_folder / "libexamples.so";
        std::ofstream(source) << wholeSource();
        const std::string command = fmt::format(
            "cd '{}' && {} -std=c++20 -O0 -fPIC -w -isystem '{}' -isystem '{}/torch/csrc/api/include' -c examples.cpp "
            "-o "
            "examples.o > log.txt 2>&1 && '{}' -shared examples.o -o libexamples.so >> log.txt 2>&1",
            m_folder.string(), PLUMBLINE_TEST_COMPILE, PLUMBLINE_LIBTORCH_INCLUDE, PLUMBLINE_LIBTORCH_INCLUDE,
            PLUMBLINE_TEST_COMPILER);
        if (std::system(command.c_str()) != 0) {
            std::stringstream log;
            log << std::ifstream(m_folder / "log.txt").rdbuf();
            m_error = "the emitted C++ does not compile:\n" + log.str().substr(0, 6000);
            return;
        }
        void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
            m_error = dlerror();
            return;
        }
        m_run = reinterpret_cast<RunExample>(dlsym(handle, "runExample"));
    }
    ~Library() {
        std::error_code ignored;
        if (!m_folder.empty()) {
            std::filesystem::remove_all(m_folder, ignored);
        }
    }
    RunExample run() const { return m_run; }
    const std::string& error() const { return m_error; }

private:
    std::filesystem::path m_folder;
    RunExample m_run = nullptr;
    std::string m_error;
};

const Library& library() {
    static const Library made;
    return made;
}

struct EmittedRun {
    Observed observed;
    NamedTensors initial;
};

/// State in the model's order, so that both sides line up whatever order LibTorch's C++ module registers in.
NamedTensors inOrderOf(const NamedTensors& wanted, const NamedTensors& got) {
    NamedTensors result;
    for (const auto& [name, tensor] : wanted) {
        for (const auto& [other, value] : got) {
            if (other == name) {
                result.emplace_back(name, value);
            }
        }
    }
    return result;
}

EmittedRun observeEmitted(std::size_t index, bool training, const NamedTensors& wantedState) {
    const ConformanceCase& one = conformanceCases()[index];
    EmittedRun run;
    const std::vector<at::Tensor> leaves = one.inputs(training);
    std::vector<at::Tensor> inputs;
    for (const at::Tensor& leaf : leaves) {
        inputs.push_back(leaf.clone());
    }
    NamedTensors state;
    std::string error;
    library().run()(index, testing::kStateSeed, testing::kCallSeed, training, inputs, run.initial, run.observed.outputs,
                    state, error);
    EXPECT_EQ(error, "");
    EXPECT_EQ(state.size(), wantedState.size());
    state = inOrderOf(wantedState, state);
    run.initial = inOrderOf(wantedState, run.initial);
    if (const at::Tensor scalar = testing::scalarOf(run.observed.outputs); training && scalar.defined()) {
        scalar.backward();
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            run.observed.gradients.emplace_back("input" + std::to_string(i), leaves[i].grad());
        }
        for (const auto& [name, tensor] : state) {
            if (tensor.requires_grad()) {
                run.observed.gradients.emplace_back(name, tensor.grad());
            }
        }
    }
    for (const auto& [name, tensor] : state) {
        run.observed.state.emplace_back(name, tensor.detach());
    }
    return run;
}

class EveryExampleInCpp : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EveryExampleInCpp, StartsWithTheSameWeightsAndGivesTheSameNumbers) {
    ASSERT_NE(library().run(), nullptr) << library().error();
    const ConformanceCase& one = conformanceCases()[GetParam()];
    for (const bool training : {false, true}) {
        SCOPED_TRACE(one.label + (training ? ", training" : ", eval"));
        const Observed wanted = testing::observe(one, training);
        const EmittedRun got = observeEmitted(GetParam(), training, wanted.state);
        testing::expectSame(got.observed, wanted);
        const auto model = one.build();
        const std::vector<NamedState> state = model->stateDict();
        ASSERT_EQ(got.initial.size(), state.size());
        for (std::size_t i = 0; i < state.size(); ++i) {
            EXPECT_TRUE(at::equal(got.initial[i].second, state[i].tensor))
                << state[i].name << " starts with other values";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryExampleInCpp, ::testing::Range<std::size_t>(0, conformanceCases().size()),
                         [](const ::testing::TestParamInfo<std::size_t>& example) {
                             std::string name = conformanceCases()[example.param].label;
                             std::replace(name.begin(), name.end(), '/', '_');
                             return name;
                         });

}  // namespace
}  // namespace plumbline::model
