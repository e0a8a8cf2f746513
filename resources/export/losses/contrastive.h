/// Hadsell, Chopra and LeCun 2006, equation 4; a label of 0 is a pair of one kind.
inline torch::Tensor contrastive(const torch::Tensor& one, const torch::Tensor& other, const torch::Tensor& label, double margin, int64_t reduction) {
    const torch::Tensor difference = one - other;
    const torch::Tensor lead = (margin - torch::linalg_vector_norm(difference, 2, torch::IntArrayRef{1})).clamp_min(0);
    return reduced((1 - label) * 0.5 * difference.square().sum(1) + label * 0.5 * lead.square(), reduction);
}

