/// Zeiler 2012; torch.optim.Adadelta.
struct Adadelta {
    double rho;
    double eps;

    struct State {
        int64_t steps = 0;
        torch::Tensor square;  ///< square_avg
        torch::Tensor moves;   ///< acc_delta
    };

    void update(torch::Tensor& parameter, const torch::Tensor& given, const Group& group, State& state) const {
        if (state.steps == 1) {
            state.square = torch::zeros_like(parameter);
            state.moves = torch::zeros_like(parameter);
        }
        const torch::Tensor gradient = decayed(given, parameter, group.weightDecay);
        state.square.mul_(rho).addcmul_(gradient, gradient, 1 - rho);
        const torch::Tensor move = state.moves.add(eps).sqrt_().div_(state.square.add(eps).sqrt_()).mul_(gradient);
        state.moves.mul_(rho).addcmul_(move, move, 1 - rho);
        parameter.add_(move, -group.lr);
    }
};
