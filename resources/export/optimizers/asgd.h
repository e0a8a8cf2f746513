/// Polyak and Juditsky 1992; torch.optim.ASGD, which keeps eta and mu in float32.
struct ASGD {
    double lambd;
    double alpha;
    double t0;

    struct State {
        int64_t steps = 0;
        torch::Tensor average;  ///< ax
        float eta = 0;
        float mu = 1;
    };

    void update(torch::Tensor& parameter, const torch::Tensor& given, const Group& group, State& state) const {
        if (state.steps == 1) {
            state.average = torch::zeros_like(parameter);
            state.eta = static_cast<float>(group.lr);
        }
        const torch::Tensor gradient = decayed(given, parameter, group.weightDecay);
        const double eta = static_cast<double>(state.eta);
        parameter.mul_(1 - lambd * eta).add_(gradient, -eta);
        if (state.mu == 1) {
            state.average.copy_(parameter);
        } else {
            state.average.add_(parameter.sub(state.average).mul_(static_cast<double>(state.mu)));
        }
        const double steps = static_cast<double>(state.steps);
        state.eta = static_cast<float>(group.lr / std::pow(1 + lambd * group.lr * steps, alpha));
        state.mu = static_cast<float>(1 / std::max(1.0, steps - t0));
    }
};
