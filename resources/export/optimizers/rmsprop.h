/// Hinton's lecture 6e, centered as Graves 2013; torch.optim.RMSprop.
struct RMSprop {
    double alpha;
    double eps;
    double momentum;
    bool centered;

    struct State {
        int64_t steps = 0;
        torch::Tensor square;  ///< square_avg
        torch::Tensor mean;    ///< grad_avg
        torch::Tensor moved;   ///< momentum_buffer
    };

    void update(torch::Tensor& parameter, const torch::Tensor& given, const Group& group, State& state) const {
        if (state.steps == 1) {
            state.square = torch::zeros_like(parameter);
            state.mean = torch::zeros_like(parameter);
            state.moved = torch::zeros_like(parameter);
        }
        const torch::Tensor gradient = decayed(given, parameter, group.weightDecay);
        state.square.mul_(alpha).addcmul_(gradient, gradient, 1 - alpha);
        torch::Tensor root = state.square;
        if (centered) {
            state.mean.lerp_(gradient, 1 - alpha);
            root = root.addcmul(state.mean, state.mean, -1);
        }
        root = root.sqrt().add_(eps);
        if (momentum > 0) {
            state.moved.mul_(momentum).addcdiv_(gradient, root);
            parameter.add_(state.moved, -group.lr);
        } else {
            parameter.addcdiv_(gradient, root, -group.lr);
        }
    }
};
