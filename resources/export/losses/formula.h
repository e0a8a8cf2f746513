/// Two operands of a formula: dimensions of size 1 are repeated, one number a sample goes with [B] and [B, 1].
inline std::pair<torch::Tensor, torch::Tensor> paired(torch::Tensor a, torch::Tensor b) {
    const auto column = [](const torch::Tensor& wide, const torch::Tensor& flat) {
        return wide.dim() == 2 && wide.size(1) == 1 && flat.dim() == 1 && wide.size(0) == flat.size(0) ? flat.unsqueeze(1) : flat;
    };
    if (a.dim() != b.dim() && a.dim() > 0 && b.dim() > 0) {
        b = column(a, b);
        a = column(b, a);
        if (a.dim() != b.dim()) {
            throw std::runtime_error("the formula of the loss compares tensors of different dimensions");
        }
    }
    return {a, b};
}
/// A number of a formula.
inline torch::Tensor constant(const torch::Tensor& like, double value) { return torch::scalar_tensor(value, like.options().requires_grad(false)); }

