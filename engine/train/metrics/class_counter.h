#pragma once
// Hits, true and predicted samples of each class: what accuracy, F1, IoU and the others that count are computed from.

#include <vector>

#include "train/metrics.h"
#include "train/metrics/judged.h"

namespace plumbline::train {

struct ClassCounts {
    bool labels = false;       ///< each class is a question of its own (Judging::kLabels)
    std::int64_t samples = 0;  ///< that count, one an element
    std::int64_t correct = 0;
    std::vector<std::int64_t> hit;        ///< by class: truly of it and predicted as it
    std::vector<std::int64_t> truth;      ///< by class: truly of it
    std::vector<std::int64_t> predicted;  ///< by class: predicted as it
    std::vector<std::int64_t> judged;     ///< by class, of labels: asked; empty else
    std::vector<std::int64_t> matrix;     ///< [C, C], where it is asked for and not of labels

    std::int64_t classes() const { return static_cast<std::int64_t>(hit.size()); }
    /// How many different classes have been predicted; of labels, how many of yes and no.
    std::int64_t distinctPredictions() const;
};

class ClassCounter final : public Accumulator {
public:
    struct Options {
        double threshold = 0.5;  ///< probability above which one score is a yes
        std::int64_t ignoreIndex = kNoIgnoreIndex;
        bool exclusive = false, probabilities = false;
    };
    explicit ClassCounter(Options options);
    /// The one that metrics of these options share.
    static std::shared_ptr<ClassCounter> of(const MetricContext& context);

    /// Before the first batch. At most plan::kMostMatrixClasses classes.
    void keepMatrix() { m_keepsMatrix = true; }

    /// Waits for a device that has counted.
    const ClassCounts& counts() const;

    void reset() override;
    void addOnHost(const at::Tensor& prediction, const at::Tensor& target) override;
    void addOnDevice(const at::Tensor& prediction, const at::Tensor& target) override;
    Json saveState() const override;
    State tensors() const override;
    void loadState(const Json& state, const std::map<std::string, at::Tensor>& tensors) override;
    void loadOwnState(const std::string& type, const Json& state) override;

private:
    void makeRoom(const Judged& judged);
    template <class Number>
    void countRows(const Number* scores, const std::int64_t* truth, std::int64_t rows);
    void countClasses(const std::int64_t* predicted, const std::int64_t* truth, std::int64_t count);
    void countOne(std::int64_t predicted, std::int64_t truth, std::int64_t classes);
    template <class Number>
    void countAnswers(const Judged& judged);
    void countTwo(std::int64_t counted, std::int64_t hit, std::int64_t truth, std::int64_t predicted);
    /// Whether each score is a yes, and each target, as int64; and which of them count.
    struct Answers {
        at::Tensor predicted, truth, counted;
    };
    Answers answersOf(const Judged& judged) const;
    void collect() const;

    Options m_options;
    double m_cut = 0;  ///< the score that a yes is above
    bool m_keepsMatrix = false;
    bool m_resumesAccuracy = false;  ///< counts of a checkpoint that tells no classes apart
    mutable ClassCounts m_counts;
    // What a device has counted and nobody has read yet: int64. Two places more than there are classes: ignored ones,
    // and labels that are no class.
    mutable at::Tensor m_deviceHit, m_deviceTruth, m_devicePredicted, m_deviceJudged, m_deviceMatrix;
};

}  // namespace plumbline::train
