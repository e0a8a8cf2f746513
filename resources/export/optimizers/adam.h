/// Kingma and Ba 2015; torch.optim.Adam, and torch.optim.AdamW where the weight decay is decoupled.
struct Adam {
    double beta1;
    double beta2;
    double eps;
    bool amsgrad;
    bool decoupled;

    struct State {
        int64_t steps = 0;
        torch::Tensor mean;     ///< exp_avg
        torch::Tensor square;   ///< exp_avg_sq
        torch::Tensor largest;  ///< max_exp_avg_sq
    };

    void update(torch::Tensor& parameter, const torch::Tensor& given, const Group& group, State& state) const {
        if (state.steps == 1) {
            state.mean = torch::zeros_like(parameter);
            state.square = torch::zeros_like(parameter);
            state.largest = torch::zeros_like(parameter);
        }
        if (decoupled) {
            parameter.mul_(1 - group.lr * group.weightDecay);
        }
        const torch::Tensor gradient = decoupled ? given : decayed(given, parameter, group.weightDecay);
        state.mean.lerp_(gradient, 1 - beta1);
        state.square.mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
        if (amsgrad) {
            torch::maximum_out(state.largest, state.largest, state.square);
        }
        const double steps = static_cast<double>(state.steps);
        const torch::Tensor root = (amsgrad ? state.largest : state.square).sqrt().div_(std::sqrt(1 - std::pow(beta2, steps))).add_(eps);
        parameter.addcdiv_(state.mean, root, -group.lr / (1 - std::pow(beta1, steps)));
    }
};
