#pragma once
// The losses that there are, a family a file.

#include <string_view>

#include "train/losses.h"

namespace plumbline::train {

struct LossRequest {
    const plan::LossSpec& spec;
    const std::string& pointer;
    at::Device device;
    const plan::LossBinding* binding;  ///< of an ExpressionLoss
};
using MakeLoss = Result<std::unique_ptr<Loss>> (*)(const LossRequest& request);

struct LossEntry {
    std::string_view type;
    MakeLoss make;
};
/// nullptr where there is none of that name.
const LossEntry* findLoss(std::string_view type);

Result<std::unique_ptr<Loss>> makeCrossEntropy(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeNLL(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeBCEWithLogits(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeBCE(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeFocal(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeDice(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeMSE(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeL1(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeSmoothL1(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeHuber(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeKLDiv(const LossRequest& request);
Result<std::unique_ptr<Loss>> makePoissonNLL(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeGaussianNLL(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeCTC(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeCosineEmbedding(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeTripletMargin(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeMarginRanking(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeContrastive(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeMultiMargin(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeMultiLabelMargin(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeMultiLabelSoftMargin(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeSoftMargin(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeHinge(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeHingeEmbedding(const LossRequest& request);
Result<std::unique_ptr<Loss>> makeExpression(const LossRequest& request);

}  // namespace plumbline::train
