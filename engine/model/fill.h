#pragma once
// torch.nn.init in C++: each function fills `tensor` in place without recording a gradient, draws from LibTorch's
// default CPU generator and gives the same bits as the Python function of that name (torch/nn/init.py, 2.13).

#include <ATen/core/Tensor.h>
#include <string>

namespace plumbline::model {

struct Fans {
    std::int64_t in = 0;
    std::int64_t out = 0;
};
/// Throws when `tensor` has fewer than two dimensions.
Fans fansOf(const at::Tensor& tensor);
/// calculate_gain; `slope` counts for leaky_relu only. Throws for an unknown name.
double gainOf(const std::string& nonlinearity, double slope);

void fillConstant(const at::Tensor& tensor, double value);
void fillUniform(const at::Tensor& tensor, double low, double high);
void fillNormal(const at::Tensor& tensor, double mean, double std);
void fillTruncatedNormal(const at::Tensor& tensor, double mean, double std, double low, double high);
void fillKaimingUniform(const at::Tensor& tensor, double slope, bool fanOut, const std::string& nonlinearity);
void fillKaimingNormal(const at::Tensor& tensor, double slope, bool fanOut, const std::string& nonlinearity);
void fillXavierUniform(const at::Tensor& tensor, double gain);
void fillXavierNormal(const at::Tensor& tensor, double gain);
void fillOrthogonal(const at::Tensor& tensor, double gain);

/// What Linear and the convolutions do: kaiming_uniform_(a=√5) for the weight, then U(±1/√fan_in) for the bias if there
/// is one (undefined otherwise).
void fillLikeLinear(const at::Tensor& weight, const at::Tensor& bias);

}  // namespace plumbline::model
