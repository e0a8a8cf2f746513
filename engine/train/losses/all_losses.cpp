#include "train/losses/all_losses.h"

#include <algorithm>
#include <iterator>

namespace plumbline::train {

const LossEntry* findLoss(std::string_view type) {
    // DiceCELoss is DiceLoss and CrossEntropyLoss: plan::termsOf.
    static constexpr LossEntry kLosses[] = {
        {"CrossEntropyLoss", makeCrossEntropy},
        {"NLLLoss", makeNLL},
        {"BCEWithLogitsLoss", makeBCEWithLogits},
        {"BCELoss", makeBCE},
        {"FocalLoss", makeFocal},
        {"DiceLoss", makeDice},
        {"MSELoss", makeMSE},
        {"L1Loss", makeL1},
        {"SmoothL1Loss", makeSmoothL1},
        {"HuberLoss", makeHuber},
        {"KLDivLoss", makeKLDiv},
        {"PoissonNLLLoss", makePoissonNLL},
        {"GaussianNLLLoss", makeGaussianNLL},
        {"CTCLoss", makeCTC},
        {"CosineEmbeddingLoss", makeCosineEmbedding},
        {"TripletMarginLoss", makeTripletMargin},
        {"MarginRankingLoss", makeMarginRanking},
        {"ContrastiveLoss", makeContrastive},
        {"MultiMarginLoss", makeMultiMargin},
        {"MultiLabelMarginLoss", makeMultiLabelMargin},
        {"MultiLabelSoftMarginLoss", makeMultiLabelSoftMargin},
        {"SoftMarginLoss", makeSoftMargin},
        {"HingeLoss", makeHinge},
        {"HingeEmbeddingLoss", makeHingeEmbedding},
        {"ExpressionLoss", makeExpression},
    };
    const auto* const found = std::find_if(std::begin(kLosses), std::end(kLosses),
                                           [&](const LossEntry& entry) { return entry.type == type; });
    return found == std::end(kLosses) ? nullptr : found;
}

}  // namespace plumbline::train
