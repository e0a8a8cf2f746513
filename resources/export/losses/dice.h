/// 1 - (2 sum(p g) + smooth) / (sum(p) + sum(g) + smooth) over a sample's class, then the mean over its classes and over the samples.
/// Squared as Milletari, Navab and Ahmadi 2016.
inline torch::Tensor dice(const torch::Tensor& scores, const torch::Tensor& given, double smooth, int64_t ignored, bool background, bool squared) {
    const auto [classes, target] = classesOrElements(scores, given);
    const torch::Tensor counts = target.ne(ignored);
    const torch::Tensor known = torch::where(counts, target, 0);
    const auto regions = [](const torch::Tensor& x) { return x.reshape({x.size(0), x.dim() > 1 ? x.size(1) : 1, -1}); };
    torch::Tensor share = classes ? torch::softmax(scores, 1) : torch::sigmoid(scores);
    torch::Tensor truth = classes ? torch::zeros_like(share).scatter_(1, known.unsqueeze(1), 1.0) : known.to(scores.scalar_type());
    const torch::Tensor mask = (classes ? counts.unsqueeze(1) : counts).to(scores.scalar_type());
    share = regions(share * mask);
    truth = regions(truth * mask);
    const torch::Tensor all = squared ? share.square().sum(2) + truth.square().sum(2) : share.sum(2) + truth.sum(2);
    torch::Tensor each = 1 - (2 * (share * truth).sum(2) + smooth) / (all + smooth);
    if (!background && each.size(1) > 1) {
        each = each.slice(1, 1);
    }
    const torch::Tensor samples = counts.reshape({counts.size(0), -1}).any(1);
    return torch::where(samples, each.mean(1), 0.0).sum() / samples.sum();
}

