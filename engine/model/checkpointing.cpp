#include "model/checkpointing.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/generators.h"
#include "model/memory.h"

namespace plumbline::model {

namespace {

using torch::autograd::Node;
using torch::autograd::SavedVariable;
using torch::autograd::variable_list;

/// The autocast of one kind of device.
struct Autocast {
    at::DeviceType device = at::kCPU;
    bool enabled = false;
    bool cache = true;
    at::ScalarType dtype = at::kFloat;

    static Autocast now(at::DeviceType device) {
        return {device, at::autocast::is_autocast_enabled(device), at::autocast::is_autocast_cache_enabled(),
                at::autocast::get_autocast_dtype(device)};
    }
    void apply() const {
        at::autocast::set_autocast_dtype(device, dtype);
        at::autocast::set_autocast_enabled(device, enabled);
        at::autocast::set_autocast_cache_enabled(cache);
    }
};

/// An earlier autocast is in force for a scope. Its cache is its own: what is converted here belongs to a graph that
/// ends with the scope.
class AutocastAgain {
public:
    explicit AutocastAgain(Autocast then) : m_before(Autocast::now(then.device)) {
        then.cache = at::autocast::increment_nesting() == 1 && then.cache;
        then.apply();
    }
    ~AutocastAgain() {
        if (at::autocast::decrement_nesting() == 0) {
            at::autocast::clear_cache();
        }
        m_before.apply();
    }
    AutocastAgain(const AutocastAgain&) = delete;
    AutocastAgain& operator=(const AutocastAgain&) = delete;

private:
    Autocast m_before;
};

/// The generators have earlier states for a scope. None: what runs in it draws nothing.
class GeneratorsAgain {
public:
    explicit GeneratorsAgain(const GeneratorStates& then) {
        if (!then.empty()) {
            m_before = saveGenerators();
            restoreGenerators(then);
        }
    }
    ~GeneratorsAgain() { restoreGenerators(m_before); }
    GeneratorsAgain(const GeneratorsAgain&) = delete;
    GeneratorsAgain& operator=(const GeneratorsAgain&) = delete;

private:
    GeneratorStates m_before;
};

bool same(const GeneratorStates& a, const GeneratorStates& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
        return one.first == other.first && at::equal(one.second, other.second);
    });
}

at::DeviceType deviceOf(const std::vector<at::Tensor>& tensors, const CheckpointedBody& body) {
    const auto found =
        std::find_if(tensors.begin(), tensors.end(), [](const at::Tensor& tensor) { return tensor.defined(); });
    return found == tensors.end() ? body.device() : found->device().type();
}

/// The body's place in the backward graph: gradients of its outputs come in, those of its inputs go out.
class Recomputation final : public Node {
public:
    std::shared_ptr<CheckpointedBody> body;
    CheckpointCopies copies;
    Autocast autocast;
    GeneratorStates generators;
    std::vector<std::size_t> outputs;  ///< of the body: those that have a gradient, in the order of the gradients

    void save(const std::vector<at::Tensor>& inputs) {
        for (const at::Tensor& input : inputs) {
            m_inputs.emplace_back(input, /*is_output=*/false);
        }
    }
    std::string name() const override { return "Checkpointed " + body->name(); }
    void release_variables() override {
        const std::scoped_lock lock(mutex_);
        m_inputs.clear();
        m_released = true;
    }

protected:
    variable_list apply(variable_list&& gradients) override {
        const std::scoped_lock lock(mutex_);
        if (m_released) {
            throw std::runtime_error(
                "Trying to run a checkpointed block again that a backward pass has gone through already");
        }
        variable_list leaves, given;
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            const at::Tensor saved = m_inputs[i].unpack();
            at::Tensor& leaf = leaves.emplace_back(saved.detach());
            leaf.set_requires_grad(task_should_compute_output(i) && saved.requires_grad());
        }
        variable_list roots, rootGradients;
        {
            const GeneratorsAgain chance(generators);
            const AutocastAgain precision(autocast);
            const at::AutoGradMode on(true);
            const MemoryScope scope(MemoryCategory::kActivations);
            for (const at::Tensor& leaf : leaves) {
                given.push_back(copies.inputs ? leaf.clone() : leaf);
            }
            const std::vector<at::Tensor> made = body->runAgain(given);
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                const at::Tensor& output = made[outputs[i]];
                if (gradients[i].defined() && output.defined() && output.requires_grad()) {
                    roots.push_back(output);
                    rootGradients.push_back(std::move(gradients[i]));
                }
            }
        }
        given.clear();
        if (!roots.empty()) {
            const MemoryScope scope(MemoryCategory::kGradients);
            torch::autograd::backward(roots, rootGradients);
        }
        variable_list result;
        for (at::Tensor& leaf : leaves) {
            result.push_back(leaf.requires_grad() ? std::exchange(leaf.mutable_grad(), at::Tensor()) : at::Tensor());
        }
        return result;
    }

private:
    std::vector<SavedVariable> m_inputs;
    bool m_released = false;
};

bool sharesMemory(const at::Tensor& tensor, const std::vector<at::Tensor>& others) {
    return std::any_of(others.begin(), others.end(), [&](const at::Tensor& other) {
        return tensor.defined() && other.defined() && tensor.has_storage() && other.has_storage() &&
               tensor.storage().unsafeGetStorageImpl() == other.storage().unsafeGetStorageImpl();
    });
}

}  // namespace

NoAutocastCache::NoAutocastCache() : m_before(at::autocast::is_autocast_cache_enabled()) {
    at::autocast::set_autocast_cache_enabled(false);
}
NoAutocastCache::~NoAutocastCache() {
    at::autocast::set_autocast_cache_enabled(m_before);
}

std::vector<at::Tensor> runCheckpointed(const std::shared_ptr<CheckpointedBody>& body,
                                        const std::vector<at::Tensor>& inputs, CheckpointCopies copies) {
    const Autocast autocast = Autocast::now(deviceOf(inputs, *body));
    GeneratorStates generators = saveGenerators();
    std::vector<char> differentiable;
    std::vector<at::Tensor> made;
    {
        const at::NoGradGuard noGrad;
        const NoAutocastCache noCache;
        std::vector<at::Tensor> given;
        given.reserve(inputs.size());
        for (const at::Tensor& input : inputs) {
            given.push_back(copies.inputs ? input.clone() : input.detach());
        }
        made = body->run(given, differentiable);
        for (at::Tensor& output : made) {
            // A tensor of its own: what is part of an input would have that one's history.
            output = !output.defined()                               ? output
                     : copies.aliases && sharesMemory(output, given) ? output.clone()
                                                                     : output.detach();
        }
    }
    if (same(generators, saveGenerators())) {
        generators.clear();
    }
    const auto node = c10::make_intrusive<Recomputation>();
    node->body = body;
    node->copies = copies;
    node->autocast = autocast;
    node->generators = std::move(generators);
    node->set_next_edges(torch::autograd::collect_next_edges(inputs));
    node->save(inputs);
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (differentiable[i] != 0 && made[i].defined() &&
            torch::autograd::isDifferentiableType(made[i].scalar_type())) {
            node->outputs.push_back(i);
            torch::autograd::set_history(made[i], node);
        }
    }
    return made;
}

}  // namespace plumbline::model
