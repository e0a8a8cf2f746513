/// Duchi and others 2011; torch.optim.Adagrad.
struct Adagrad {
    double lrDecay;
    double initialSum;
    double eps;

    struct State {
        int64_t steps = 0;
        torch::Tensor sum;
    };

    void update(torch::Tensor& parameter, const torch::Tensor& given, const Group& group, State& state) const {
        if (state.steps == 1) {
            state.sum = torch::full_like(parameter, initialSum);
        }
        const torch::Tensor gradient = decayed(given, parameter, group.weightDecay);
        state.sum.addcmul_(gradient, gradient);
        parameter.addcdiv_(gradient, state.sum.sqrt().add_(eps), -group.lr / (1 + static_cast<double>(state.steps - 1) * lrDecay));
    }
};
