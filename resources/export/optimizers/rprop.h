/// Riedmiller and Braun 1993; torch.optim.Rprop: where the sign of a gradient changed, the parameter waits a step.
struct Rprop {
    double etaMinus;
    double etaPlus;
    double smallest;
    double largest;

    struct State {
        int64_t steps = 0;
        torch::Tensor previous;  ///< prev
        torch::Tensor size;      ///< step_size
    };

    void update(torch::Tensor& parameter, const torch::Tensor& gradient, const Group& group, State& state) const {
        if (state.steps == 1) {
            state.previous = torch::zeros_like(parameter);
            state.size = torch::full_like(parameter, group.lr);
        }
        const torch::Tensor agreement = gradient.mul(state.previous).sign_();
        const torch::Tensor turned = agreement.lt(0);
        state.size.mul_(torch::ones_like(agreement).masked_fill_(turned, etaMinus).masked_fill_(agreement.gt(0), etaPlus)).clamp_(smallest, largest);
        state.previous = gradient.masked_fill(turned, 0);
        parameter.addcmul_(state.previous.sign(), state.size, -1);
    }
};
