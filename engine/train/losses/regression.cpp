// MSELoss, L1Loss, SmoothL1Loss and HuberLoss of torch.nn.

#include <ATen/ops/huber_loss.h>
#include <ATen/ops/l1_loss.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/smooth_l1_loss.h>

#include "train/losses/all_losses.h"
#include "train/losses/support.h"

namespace plumbline::train {
namespace {

class MeanSquared final : public losses::ElementWise {
public:
    using ElementWise::ElementWise;

protected:
    at::Tensor compare(const at::Tensor& prediction, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        (void)all;
        return at::mse_loss(prediction, target, reduction);
    }
};

class MeanAbsolute final : public losses::ElementWise {
public:
    using ElementWise::ElementWise;

protected:
    at::Tensor compare(const at::Tensor& prediction, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        (void)all;
        return at::l1_loss(prediction, target, reduction);
    }
};

class SmoothL1 final : public losses::ElementWise {
public:
    explicit SmoothL1(const plan::LossSpec& spec) : ElementWise(spec.type), m_beta(spec.number("beta")) {}

protected:
    at::Tensor compare(const at::Tensor& prediction, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        (void)all;
        return at::smooth_l1_loss(prediction, target, reduction, m_beta);
    }

private:
    double m_beta;
};

class Huber final : public losses::ElementWise {
public:
    explicit Huber(const plan::LossSpec& spec) : ElementWise(spec.type), m_delta(spec.number("delta")) {}

protected:
    at::Tensor compare(const at::Tensor& prediction, const at::Tensor& target, const LossOperands& all,
                       std::int64_t reduction) const override {
        (void)all;
        return at::huber_loss(prediction, target, reduction, m_delta);
    }

private:
    double m_delta;
};

}  // namespace

Result<std::unique_ptr<Loss>> makeMSE(const LossRequest& request) {
    return std::make_unique<MeanSquared>(request.spec.type);
}
Result<std::unique_ptr<Loss>> makeL1(const LossRequest& request) {
    return std::make_unique<MeanAbsolute>(request.spec.type);
}
Result<std::unique_ptr<Loss>> makeSmoothL1(const LossRequest& request) {
    return std::make_unique<SmoothL1>(request.spec);
}
Result<std::unique_ptr<Loss>> makeHuber(const LossRequest& request) {
    return std::make_unique<Huber>(request.spec);
}

}  // namespace plumbline::train
