#pragma once
// Tensors that are remembered and put back.

#include <ATen/core/Tensor.h>
#include <vector>

namespace plumbline::train {

/// Tensors that are copied and put back, those of one element type by one kernel.
class KeptTensors {
public:
    void add(const at::Tensor& tensor);
    void keep();
    void putBack();

private:
    struct SameType {
        std::vector<at::Tensor> live, saved;
    };
    std::vector<SameType> m_types;
};

}  // namespace plumbline::train
