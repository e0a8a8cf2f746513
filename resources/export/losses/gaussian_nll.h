/// torch.nn.GaussianNLLLoss: the variance is raised to eps without a trace in the gradient.
inline torch::Tensor gaussianNLL(const torch::Tensor& mean, const torch::Tensor& target, const torch::Tensor& given, bool full, double eps, int64_t reduction) {
    torch::Tensor variance = (given.dim() < mean.dim() ? given.unsqueeze(-1) : given).to(mean.scalar_type());
    if (variance.lt(0).any().item<bool>()) {
        throw std::runtime_error("the variance that GaussianNLLLoss was given is below 0 somewhere");
    }
    variance = variance.clone();
    {
        const torch::NoGradGuard noGrad;
        variance.clamp_min_(eps);
    }
    const torch::Tensor each = (variance.log() + (mean - target).square() / variance) * 0.5;
    return reduced(full ? each + 0.5 * std::log(2 * M_PI) : each, reduction);
}

