#pragma once
// Every score of a split, as float32 in host memory: what roc_auc and average_precision are computed from, exactly.

#include <vector>

#include "train/metrics.h"
#include "train/metrics/judged.h"

namespace plumbline::train {

class ScoreKeeper final : public Accumulator {
public:
    /// `mostScores`: over a split, all classes together. `probabilities`: what outputs of several classes hold already.
    ScoreKeeper(std::int64_t ignoreIndex, bool exclusive, std::int64_t mostScores = plan::kMostRankedScores,
                bool probabilities = false)
        : m_ignoreIndex(ignoreIndex),
          m_exclusive(exclusive),
          m_probabilities(probabilities),
          m_mostScores(mostScores) {}
    static std::shared_ptr<ScoreKeeper> of(const MetricContext& context);

    /// A question of yes and no: the scores of what is truly a yes, and of what is not.
    struct Question {
        std::vector<float> positives, negatives;
    };
    /// One for a binary output and for two classes (of class 1), else one a class or label. Each list is sorted,
    /// smallest first.
    const std::vector<Question>& sorted() const;
    /// Scores that were NaN, and are in no list.
    std::int64_t notNumbers() const;

    void reset() override;
    void addOnHost(const at::Tensor& prediction, const at::Tensor& target) override;
    /// Takes tensors to the host once many have gathered, and when it is read.
    void addOnDevice(const at::Tensor& prediction, const at::Tensor& target) override;
    Json saveState() const override;
    State tensors() const override;
    void loadState(const Json& state, const std::map<std::string, at::Tensor>& tensors) override;
    void loadOwnState(const std::string& /*type*/, const Json& /*state*/) override { reset(); }

private:
    /// float32 scores [rows, questions], and labels: int64 [rows] of classes, else float32 [rows, questions] of yes and
    /// no.
    struct Batch {
        at::Tensor scores, labels;
        std::int64_t classes = 0;
    };
    Batch batchOf(const at::Tensor& prediction, const at::Tensor& target) const;
    void keep(const Batch& batch) const;
    void keepOne(Question& question, float score, bool isPositive) const;
    void collect() const;
    void refuseMore(std::int64_t scores) const;

    std::int64_t m_ignoreIndex;
    bool m_exclusive, m_probabilities;
    std::int64_t m_mostScores;
    mutable std::vector<Question> m_questions;
    mutable std::int64_t m_scores = 0, m_notNumbers = 0;
    mutable bool m_isSorted = false;
    mutable std::vector<Batch> m_pending;  ///< on a device
    mutable std::int64_t m_pendingScores = 0;
};

}  // namespace plumbline::train
