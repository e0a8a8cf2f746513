/// Dozat 2016; torch.optim.NAdam, which keeps the product of the momenta in float32.
struct NAdam {
    double beta1;
    double beta2;
    double eps;
    double momentumDecay;
    bool decoupled;

    struct State {
        int64_t steps = 0;
        torch::Tensor mean;    ///< exp_avg
        torch::Tensor square;  ///< exp_avg_sq
        float product = 1;     ///< mu_product
    };

    double momentumAt(double step) const { return beta1 * (1 - 0.5 * std::pow(0.96, step * momentumDecay)); }

    void update(torch::Tensor& parameter, const torch::Tensor& given, const Group& group, State& state) const {
        if (state.steps == 1) {
            state.mean = torch::zeros_like(parameter);
            state.square = torch::zeros_like(parameter);
        }
        if (decoupled) {
            parameter.mul_(1 - group.lr * group.weightDecay);
        }
        const torch::Tensor gradient = decoupled ? given : decayed(given, parameter, group.weightDecay);
        state.mean.lerp_(gradient, 1 - beta1);
        state.square.mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
        const double steps = static_cast<double>(state.steps);
        const double now = momentumAt(steps);
        const double next = momentumAt(steps + 1);
        state.product *= static_cast<float>(now);
        const double product = static_cast<double>(state.product);
        const torch::Tensor root = state.square.div(1 - std::pow(beta2, steps)).sqrt_().add_(eps);
        parameter.addcdiv_(gradient, root, -group.lr * (1 - now) / (1 - product));
        parameter.addcdiv_(state.mean, root, -group.lr * next / (1 - product * next));
    }
};
