/// Lin and others 2017: between classes with class numbers as target, of elements by themselves beside a target of the output's shape.
inline torch::Tensor focal(const torch::Tensor& scores, const torch::Tensor& given, double focus, std::optional<double> alpha, int64_t ignored,
                           const std::vector<double>& weights, int64_t reduction) {
    const auto [classes, target] = classesOrElements(scores, given);
    const torch::Tensor counts = target.ne(ignored);
    torch::Tensor known = torch::where(counts, target, 0);
    torch::Tensor missing, cost;
    if (classes) {
        cost = -torch::log_softmax(scores, 1).gather(1, known.unsqueeze(1)).squeeze(1);
        missing = -torch::expm1(-cost);
    } else {
        known = known.to(scores.scalar_type());
        cost = torch::binary_cross_entropy_with_logits(scores, known, {}, {}, torch::Reduction::None);
        missing = torch::sigmoid(scores) * (1 - known) + torch::sigmoid(-scores) * known;
    }
    // Above 0, so that a focus under 1 has a gradient everywhere.
    torch::Tensor each = missing.clamp_min(static_cast<double>(std::numeric_limits<float>::min())).pow(focus) * cost;
    if (!classes && alpha) {
        each = each * (*alpha * known + (1 - *alpha) * (1 - known));
    }
    if (!weights.empty()) {
        each = each * (classes ? numbersLike(scores, weights).take(known) : alongClasses(scores, weights));
    }
    each = torch::where(counts, each, 0.0);
    return reduction == torch::Reduction::Sum ? each.sum() : each.sum() / counts.sum();
}

