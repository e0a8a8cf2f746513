/// Nocedal and Wright, algorithm 7.5; LibTorch's own. One learning rate for all parameters.
struct LBFGS {
    int64_t maxIter;
    std::optional<int64_t> maxEval;
    double toleranceGrad;
    double toleranceChange;
    int64_t historySize;
    bool strongWolfe;
};

template <>
class Optimizer<LBFGS> {
public:
    Optimizer(const LBFGS& rule, std::vector<Group> parameters) : groups(std::move(parameters)) {
        auto options = torch::optim::LBFGSOptions(groups.front().lr)
                           .max_iter(rule.maxIter)
                           .max_eval(rule.maxEval.value_or(rule.maxIter * 5 / 4))
                           .tolerance_grad(rule.toleranceGrad)
                           .tolerance_change(rule.toleranceChange)
                           .history_size(rule.historySize);
        if (rule.strongWolfe) {
            options.line_search_fn("strong_wolfe");
        }
        m_optimizer = std::make_unique<torch::optim::LBFGS>(groups.front().parameters, options);
    }

    std::vector<Group> groups;

    /// `evaluate` gives the loss with its gradients, as often as the rule asks.
    void step(const std::function<double()>& evaluate) {
        static_cast<torch::optim::LBFGSOptions&>(m_optimizer->param_groups().front().options()).lr(groups.front().lr);
        m_optimizer->step([&] {
            m_optimizer->zero_grad();
            const torch::AutoGradMode withGradients(true);
            return torch::tensor(evaluate(), torch::kDouble);
        });
    }

private:
    std::unique_ptr<torch::optim::LBFGS> m_optimizer;
};
