/// Stochastic gradient descent; torch.optim.SGD.
struct SGD {
    double momentum;
    double dampening;
    bool nesterov;

    struct State {
        int64_t steps = 0;
        torch::Tensor moved;  ///< momentum_buffer
    };

    void update(torch::Tensor& parameter, const torch::Tensor& given, const Group& group, State& state) const {
        torch::Tensor gradient = decayed(given, parameter, group.weightDecay);
        if (momentum != 0) {
            if (state.moved.defined()) {
                state.moved.mul_(momentum).add_(gradient, 1 - dampening);
            } else {
                state.moved = gradient.clone();
            }
            gradient = nesterov ? gradient.add(state.moved, momentum) : state.moved;
        }
        parameter.add_(gradient, -group.lr);
    }
};
