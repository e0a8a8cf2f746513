/// Kingma and Ba 2015, section 7.1; torch.optim.Adamax.
struct Adamax {
    double beta1;
    double beta2;
    double eps;

    struct State {
        int64_t steps = 0;
        torch::Tensor mean;     ///< exp_avg
        torch::Tensor largest;  ///< exp_inf
    };

    void update(torch::Tensor& parameter, const torch::Tensor& given, const Group& group, State& state) const {
        if (state.steps == 1) {
            state.mean = torch::zeros_like(parameter);
            state.largest = torch::zeros_like(parameter);
        }
        const torch::Tensor gradient = decayed(given, parameter, group.weightDecay);
        state.mean.lerp_(gradient, 1 - beta1);
        state.largest = torch::maximum(state.largest.mul_(beta2), gradient.abs().add_(eps));
        parameter.addcdiv_(state.mean, state.largest, -group.lr / (1 - std::pow(beta1, static_cast<double>(state.steps))));
    }
};
