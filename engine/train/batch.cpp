#include "train/batch.h"

#include <ATen/ops/from_blob.h>

#include <algorithm>

#include "model/dtype.h"
#include "project/data_fit.h"

namespace plumbline::train {

namespace {

at::Tensor view(const data::HostTensor& host) {
    return at::from_blob(host.memory.get(), host.dims, at::TensorOptions().dtype(model::toScalarType(host.dtype)));
}

/// The first leaf that reads a value, past the Input blocks that only hand it on.
int firstReader(const graph::ResolvedModel& graph, graph::ValueId value) {
    for (const int index : graph.executionOrder) {
        const graph::ResolvedNode& node = graph.nodes[static_cast<std::size_t>(index)];
        if (std::find(node.inputs.begin(), node.inputs.end(), value) == node.inputs.end()) {
            continue;
        }
        if (node.type == "Input" && !node.outputs.empty()) {
            const int behind = firstReader(graph, node.outputs.front());
            return behind >= 0 ? behind : index;
        }
        return index;
    }
    return -1;
}

}  // namespace

Result<BatchBinder> BatchBinder::make(const graph::ResolvedModel& graph, const data::Dataset& dataset,
                                      at::Device device) {
    BatchBinder binder;
    binder.m_device = device;
    for (const auto& [name, value] : graph.inputs) {
        PLUMBLINE_ASSIGN(const std::size_t place, project::feedOfInput(name, dataset));
        const DType declared = graph.values[static_cast<std::size_t>(value)].type.dtype;
        const DType given = dataset.inputs()[place].dtype;
        binder.m_inputs.push_back(place);
        binder.m_inputTypes.push_back(model::toScalarType(declared));
        // An input that no block reads is converted too, and nothing comes of it.
        if (const int reader = firstReader(graph, value); given != declared && reader >= 0) {
            binder.m_converted.push_back({reader, std::string(toString(given)), std::string(toString(declared)), name});
        }
    }
    for (const data::FeedInfo& feed : dataset.targets()) {
        binder.m_targets.push_back(feed.name);
    }
    return binder;
}

void BatchBinder::bind(const data::HostBatch& host, TensorBatch& batch) const {
    batch.clear();
    batch.samples = host.size();
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
        at::Tensor tensor = view(host.inputs[m_inputs[i]]);
        if (tensor.scalar_type() != m_inputTypes[i] || !m_device.is_cpu()) {
            tensor = tensor.to(m_device, m_inputTypes[i]);
        }
        batch.inputs.push_back(std::move(tensor));
    }
    for (const data::HostTensor& target : host.targets) {
        at::Tensor tensor = view(target);
        batch.targets.push_back(m_device.is_cpu() ? std::move(tensor) : tensor.to(m_device));
    }
}

std::vector<at::Tensor> BatchBinder::hostTargets(const data::HostBatch& host) {
    std::vector<at::Tensor> targets;
    for (const data::HostTensor& target : host.targets) {
        targets.push_back(view(target));
    }
    return targets;
}

int BatchBinder::targetIndex(const std::string& name) const {
    const auto found = std::find(m_targets.begin(), m_targets.end(), name);
    return found == m_targets.end() ? -1 : static_cast<int>(found - m_targets.begin());
}

}  // namespace plumbline::train
