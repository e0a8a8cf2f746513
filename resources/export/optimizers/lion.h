/// Chen and others 2023, program 1: the sign of an interpolated momentum, with decoupled weight decay.
struct Lion {
    double beta1;
    double beta2;

    struct State {
        int64_t steps = 0;
        torch::Tensor mean;  ///< exp_avg
    };

    void update(torch::Tensor& parameter, const torch::Tensor& gradient, const Group& group, State& state) const {
        if (state.steps == 1) {
            state.mean = torch::zeros_like(parameter);
        }
        parameter.mul_(1 - group.lr * group.weightDecay);
        parameter.add_(state.mean.lerp(gradient, 1 - beta1).sign_(), -group.lr);
        state.mean.lerp_(gradient, 1 - beta2);
    }
};
