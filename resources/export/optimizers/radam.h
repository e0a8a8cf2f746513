/// Liu and others 2020; torch.optim.RAdam.
struct RAdam {
    double beta1;
    double beta2;
    double eps;
    bool decoupled;

    struct State {
        int64_t steps = 0;
        torch::Tensor mean;    ///< exp_avg
        torch::Tensor square;  ///< exp_avg_sq
    };

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
        const double correction = 1 - std::pow(beta2, steps);
        const double longest = 2 / (1 - beta2) - 1;
        const double length = longest - 2 * steps * std::pow(beta2, steps) / correction;
        torch::Tensor move = state.mean.div(1 - std::pow(beta1, steps)).mul_(group.lr);
        if (length > 5) {  // the variance can be trusted
            const double rectified = std::sqrt((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length));
            move.mul_(state.square.sqrt().add_(eps).reciprocal_().mul_(std::sqrt(correction))).mul_(rectified);
        }
        parameter.sub_(move);
    }
};
