#include "train/metrics/score_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "train/metrics/state_tensors.h"

namespace plumbline::train {

namespace {

/// So many scores wait on a device before they are taken to the host: 16 MB.
constexpr std::int64_t kMostPending = 4'000'000;

}  // namespace

std::shared_ptr<ScoreKeeper> ScoreKeeper::of(const MetricContext& context) {
    return context.share<ScoreKeeper>(
        fmt::format("scores/{}/{}/{}", context.ignoreIndex, context.exclusive, context.probabilities), [&] {
            return std::make_shared<ScoreKeeper>(context.ignoreIndex, context.exclusive, plan::kMostRankedScores,
                                                 context.probabilities);
        });
}

void ScoreKeeper::reset() {
    for (Question& question : m_questions) {
        question.positives.clear();
        question.negatives.clear();
    }
    m_scores = 0;
    m_notNumbers = 0;
    m_isSorted = false;
    m_pending.clear();
    m_pendingScores = 0;
}

ScoreKeeper::Batch ScoreKeeper::batchOf(const at::Tensor& prediction, const at::Tensor& target) const {
    const Judged judged = judge("the metric", prediction, target, m_exclusive);
    const auto rowsOf = [](const at::Tensor& tensor, std::int64_t width) {
        return tensor.movedim(1, -1).reshape({-1, width});
    };
    if (judged.judging == Judging::kBinary) {
        return {judged.prediction.to(at::kFloat).reshape({-1, 1}), judged.target.to(at::kFloat).reshape({-1, 1}), 0};
    }
    if (judged.judging == Judging::kLabels) {
        return {rowsOf(judged.prediction.to(at::kFloat), judged.classes),
                rowsOf(judged.target.to(at::kFloat), judged.classes), 0};
    }
    const at::Tensor labels =
        judged.judging == Judging::kSoft ? largestClass(judged.target) : judged.target.to(at::kLong);
    // Two classes are one question: how far class 1 is ahead. Of more, each class's probability ranks its samples; its
    // logarithm ranks them alike and tells apart what is close to 1 or 0.
    const at::Tensor scores = judged.classes == 2
                                  ? judged.prediction.select(1, 1).sub(judged.prediction.select(1, 0)).unsqueeze(1)
                                  : logProbabilities(judged.prediction, m_probabilities);
    return {rowsOf(scores.to(at::kFloat), judged.classes == 2 ? 1 : judged.classes), labels.reshape({-1}),
            judged.classes};
}

void ScoreKeeper::refuseMore(std::int64_t scores) const {
    if (scores > m_mostScores) {
        throw std::invalid_argument(
            fmt::format("roc_auc and average_precision keep every score of a split, at most {} of them ({} MB), and "
                        "there are more; "
                        "measure fewer samples, or another metric",
                        m_mostScores, m_mostScores * 4 / 1'000'000));
    }
}

void ScoreKeeper::keepOne(Question& question, float score, bool isPositive) const {
    if (score != score) [[unlikely]] {
        ++m_notNumbers;
        return;
    }
    (isPositive ? question.positives : question.negatives).push_back(score);
}

void ScoreKeeper::keep(const Batch& batch) const {
    const at::Tensor scores = batch.scores.cpu().contiguous(), labels = batch.labels.cpu().contiguous();
    const std::int64_t rows = scores.size(0), questions = scores.size(1);
    if (m_questions.size() < static_cast<std::size_t>(questions)) {
        m_questions.resize(static_cast<std::size_t>(questions));
    }
    m_scores += scores.numel();
    m_isSorted = false;
    const float* score = scores.const_data_ptr<float>();
    if (batch.classes == 0) {
        const float *answer = labels.const_data_ptr<float>(), ignored = static_cast<float>(m_ignoreIndex);
        for (std::int64_t i = 0; i < scores.numel(); ++i) {
            if (answer[i] != ignored) {
                keepOne(m_questions[static_cast<std::size_t>(i % questions)], score[i], answer[i] > 0.5F);
            }
        }
        return;
    }
    const std::int64_t* label = labels.const_data_ptr<std::int64_t>();
    for (std::int64_t row = 0; row < rows; ++row, score += questions) {
        if (label[row] == m_ignoreIndex) {
            continue;
        }
        if (label[row] < 0 || label[row] >= batch.classes) {
            refuseLabel(label[row], batch.classes);
        }
        for (std::int64_t i = 0; i < questions; ++i) {
            keepOne(m_questions[static_cast<std::size_t>(i)], score[i],
                    batch.classes == 2 ? label[row] == 1 : label[row] == i);
        }
    }
}

void ScoreKeeper::addOnHost(const at::Tensor& prediction, const at::Tensor& target) {
    const Batch batch = batchOf(prediction, target);
    refuseMore(m_scores + batch.scores.numel());
    keep(batch);
}

void ScoreKeeper::addOnDevice(const at::Tensor& prediction, const at::Tensor& target) {
    m_pending.push_back(batchOf(prediction, target));
    m_pendingScores += m_pending.back().scores.numel();
    refuseMore(m_scores + m_pendingScores);
    if (m_pendingScores > kMostPending) {
        collect();
    }
}

void ScoreKeeper::collect() const {
    for (const Batch& batch : m_pending) {
        keep(batch);
    }
    m_pending.clear();
    m_pendingScores = 0;
}

const std::vector<ScoreKeeper::Question>& ScoreKeeper::sorted() const {
    collect();
    if (!m_isSorted) {
        for (Question& question : m_questions) {
            std::sort(question.positives.begin(), question.positives.end());
            std::sort(question.negatives.begin(), question.negatives.end());
        }
        m_isSorted = true;
    }
    return m_questions;
}

std::int64_t ScoreKeeper::notNumbers() const {
    collect();
    return m_notNumbers;
}

Json ScoreKeeper::saveState() const {
    collect();
    return {{"scores", m_scores}, {"not_numbers", m_notNumbers}};
}

Accumulator::State ScoreKeeper::tensors() const {
    collect();
    std::vector<std::int64_t> lengths;
    std::vector<float> scores;
    scores.reserve(static_cast<std::size_t>(m_scores));
    for (const Question& question : m_questions) {
        for (const std::vector<float>* list : {&question.positives, &question.negatives}) {
            lengths.push_back(static_cast<std::int64_t>(list->size()));
            scores.insert(scores.end(), list->begin(), list->end());
        }
    }
    return {{"lengths", tensorOf(lengths)}, {"scores", tensorOf(scores)}};
}

void ScoreKeeper::loadState(const Json& state, const std::map<std::string, at::Tensor>& tensors) {
    reset();
    std::vector<std::int64_t> lengths;
    std::vector<float> scores;
    vectorOf(tensors, "lengths", lengths);
    vectorOf(tensors, "scores", scores);
    m_questions.assign(lengths.size() / 2, {});
    auto from = scores.cbegin();
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] < 0 || lengths[i] > scores.cend() - from) {
            throw std::invalid_argument("a metric's state is cut short");
        }
        Question& question = m_questions[i / 2];
        (i % 2 == 0 ? question.positives : question.negatives).assign(from, from + lengths[i]);
        from += lengths[i];
    }
    m_scores = state.at("scores").get<std::int64_t>();
    m_notNumbers = state.at("not_numbers").get<std::int64_t>();
}

}  // namespace plumbline::train
