/// torch.nn.CTCLoss for outputs [B, T, C] and labels [B, S]; lengths that are not given are all frames, and all labels but the blanks.
inline torch::Tensor ctc(const torch::Tensor& output, const torch::Tensor& labels, const torch::Tensor& frames, const torch::Tensor& lengths, int64_t blank,
                         bool zeroInfinity, int64_t reduction) {
    const int64_t samples = output.size(0);
    const torch::Tensor all = frames.defined() ? frames.reshape({samples}).to(torch::kLong) : torch::full({samples}, output.size(1), labels.options());
    const torch::Tensor used = lengths.defined() ? lengths.reshape({samples}).to(torch::kLong) : labels.ne(blank).sum(1);
    const torch::Tensor wrong = (labels.lt(0) | labels.ge(output.size(2))) & torch::arange(labels.size(1), labels.options()).lt(used.unsqueeze(1));
    if (wrong.any().item<bool>()) {
        throw std::runtime_error("a label of the target is none of the output's classes");
    }
    return torch::ctc_loss(output.transpose(0, 1), labels, all, used, blank, reduction, zeroInfinity);
}

