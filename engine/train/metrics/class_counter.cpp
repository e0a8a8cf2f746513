#include "train/metrics/class_counter.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "train/metrics/state_tensors.h"

namespace plumbline::train {

namespace {

std::int64_t sumOf(const std::vector<std::int64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

/// Adds what a device has counted, the places behind the classes left out, and forgets it. Gives the sum of what was
/// added.
std::int64_t take(at::Tensor& device, std::vector<std::int64_t>& counts) {
    const at::Tensor read = device.cpu();
    const std::int64_t* values = read.const_data_ptr<std::int64_t>();
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        counts[i] += values[i];
        sum += values[i];
    }
    device.reset();
    return sum;
}

}  // namespace

std::int64_t ClassCounts::distinctPredictions() const {
    if (labels) {
        const std::int64_t yes = sumOf(predicted);
        return (yes > 0 ? 1 : 0) + (sumOf(judged) > yes ? 1 : 0);
    }
    return std::count_if(predicted.begin(), predicted.end(), [](std::int64_t count) { return count > 0; });
}

ClassCounter::ClassCounter(Options options) : m_options(options) {
    m_cut = options.probabilities ? options.threshold : std::log(options.threshold / (1 - options.threshold));
}

std::shared_ptr<ClassCounter> ClassCounter::of(const MetricContext& context) {
    const Options options{context.spec.number("threshold"), context.ignoreIndex, context.exclusive,
                          context.probabilities};
    const std::string key = fmt::format("classes/{}/{}/{}/{}", options.threshold, options.ignoreIndex,
                                        options.exclusive, options.probabilities);
    return context.share<ClassCounter>(key, [&] { return std::make_shared<ClassCounter>(options); });
}

void ClassCounter::reset() {
    for (std::vector<std::int64_t>* counts :
         {&m_counts.hit, &m_counts.truth, &m_counts.predicted, &m_counts.judged, &m_counts.matrix}) {
        std::fill(counts->begin(), counts->end(), 0);
    }
    m_counts.samples = 0;
    m_counts.correct = 0;
    m_resumesAccuracy = false;
    for (at::Tensor* device : {&m_deviceHit, &m_deviceTruth, &m_devicePredicted, &m_deviceJudged, &m_deviceMatrix}) {
        device->reset();
    }
}

void ClassCounter::makeRoom(const Judged& judged) {
    const bool labels = judged.judging == Judging::kLabels;
    const auto classes = static_cast<std::size_t>(judged.classes);
    if (m_counts.hit.size() == classes && m_counts.labels == labels) {
        return;
    }
    collect();
    if (m_counts.samples > 0 && (m_counts.labels != labels || !labels) && !m_resumesAccuracy) {
        throw std::invalid_argument(
            fmt::format("an output told {} classes apart, and now {}", m_counts.classes(), classes));
    }
    const bool keepsMatrix = m_keepsMatrix && !labels;
    if (keepsMatrix && judged.classes > plan::kMostMatrixClasses) {
        throw std::invalid_argument(
            fmt::format("a confusion matrix of {} classes; it has at most {}", classes, plan::kMostMatrixClasses));
    }
    m_counts.labels = labels;
    // Questions that a batch does not have, as places past its shorter sequences, stay.
    const std::size_t size = labels ? std::max(classes, m_counts.judged.size()) : classes;
    for (std::vector<std::int64_t>* counts : {&m_counts.hit, &m_counts.truth, &m_counts.predicted}) {
        counts->resize(size, 0);
    }
    m_counts.judged.resize(labels ? size : 0, 0);
    m_counts.matrix.assign(keepsMatrix ? size * size : 0, 0);
}

// ---- On the CPU -----------------------------------------------------------------------------------------------------

void ClassCounter::countOne(std::int64_t predicted, std::int64_t truth, std::int64_t classes) {
    if (truth == m_options.ignoreIndex) {
        return;
    }
    if (truth < 0 || truth >= classes) [[unlikely]] {
        refuseLabel(truth, classes);
    }
    const bool right = predicted == truth;
    ++m_counts.samples;
    m_counts.correct += right ? 1 : 0;
    m_counts.hit[static_cast<std::size_t>(truth)] += right ? 1 : 0;
    ++m_counts.truth[static_cast<std::size_t>(truth)];
    ++m_counts.predicted[static_cast<std::size_t>(predicted)];
    if (!m_counts.matrix.empty()) {
        ++m_counts.matrix[static_cast<std::size_t>(truth * classes + predicted)];
    }
}

template <class Number>
void ClassCounter::countRows(const Number* scores, const std::int64_t* truth, std::int64_t rows) {
    const std::int64_t classes = m_counts.classes();
    for (std::int64_t row = 0; row < rows; ++row) {
        countOne(largest(scores + row * classes, classes), truth[row], classes);
    }
}

void ClassCounter::countClasses(const std::int64_t* predicted, const std::int64_t* truth, std::int64_t count) {
    const std::int64_t classes = m_counts.classes();
    for (std::int64_t i = 0; i < count; ++i) {
        countOne(predicted[i], truth[i], classes);
    }
}

/// Questions of yes and no, one a label; all elements of kBinary are one question.
template <class Number>
void ClassCounter::countAnswers(const Judged& judged) {
    const at::Tensor scores = judged.prediction.contiguous(),
                     target = judged.target.to(judged.prediction.scalar_type()).contiguous();
    const Number *score = scores.const_data_ptr<Number>(), *answer = target.const_data_ptr<Number>();
    const Number cut = static_cast<Number>(m_cut), ignored = static_cast<Number>(m_options.ignoreIndex);
    const bool labels = judged.judging == Judging::kLabels;
    const std::int64_t rows = labels ? scores.size(0) * judged.classes : 1,
                       inner = rows == 0 ? 0 : scores.numel() / rows;
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t counted = 0, hit = 0, truth = 0, predicted = 0;
        for (std::int64_t i = row * inner; i < (row + 1) * inner; ++i) {
            const bool counts = answer[i] != ignored, isTrue = answer[i] > Number(0.5), isPredicted = score[i] > cut;
            counted += counts;
            truth += counts & isTrue;
            predicted += counts & isPredicted;
            hit += counts & isTrue & isPredicted;
        }
        if (labels) {
            const auto label = static_cast<std::size_t>(row % judged.classes);
            m_counts.judged[label] += counted;
            m_counts.hit[label] += hit;
            m_counts.truth[label] += truth;
            m_counts.predicted[label] += predicted;
        } else {
            countTwo(counted, hit, truth, predicted);
        }
        m_counts.samples += counted;
        // What is truly a no and predicted as one is right as well.
        m_counts.correct += counted - truth - predicted + 2 * hit;
    }
}

void ClassCounter::countTwo(std::int64_t counted, std::int64_t hit, std::int64_t truth, std::int64_t predicted) {
    const std::int64_t hits[2] = {counted - truth - predicted + hit, hit}, truths[2] = {counted - truth, truth},
                       predictions[2] = {counted - predicted, predicted};
    for (std::size_t label = 0; label < 2; ++label) {
        m_counts.hit[label] += hits[label];
        m_counts.truth[label] += truths[label];
        m_counts.predicted[label] += predictions[label];
    }
    if (!m_counts.matrix.empty()) {
        const std::int64_t cells[4] = {hits[0], truths[0] - hits[0], truths[1] - hits[1], hits[1]};
        std::transform(cells, cells + 4, m_counts.matrix.begin(), m_counts.matrix.begin(), std::plus<>());
    }
}

void ClassCounter::addOnHost(const at::Tensor& prediction, const at::Tensor& target) {
    const Judged judged = judge("the metric", prediction, target, m_options.exclusive);
    makeRoom(judged);
    const bool isFloat = judged.prediction.scalar_type() == at::kFloat;
    if (judged.judging == Judging::kLabels || judged.judging == Judging::kBinary) {
        isFloat ? countAnswers<float>(judged) : countAnswers<double>(judged);
        return;
    }
    const at::Tensor truth =
        (judged.judging == Judging::kSoft ? largestClass(judged.target) : judged.target.to(at::kLong)).contiguous();
    const std::int64_t* labels = truth.const_data_ptr<std::int64_t>();
    if (judged.prediction.dim() != 2 || !judged.prediction.is_contiguous()) {
        const at::Tensor predicted = largestClass(judged.prediction).contiguous();
        countClasses(predicted.const_data_ptr<std::int64_t>(), labels, truth.numel());
    } else if (isFloat) {
        countRows(judged.prediction.const_data_ptr<float>(), labels, truth.numel());
    } else {
        countRows(judged.prediction.const_data_ptr<double>(), labels, truth.numel());
    }
}

// ---- On a device ----------------------------------------------------------------------------------------------------

ClassCounter::Answers ClassCounter::answersOf(const Judged& judged) const {
    return {judged.prediction.gt(m_cut), judged.target.gt(0.5), judged.target.ne(m_options.ignoreIndex)};
}

void ClassCounter::addOnDevice(const at::Tensor& prediction, const at::Tensor& target) {
    const Judged judged = judge("the metric", prediction, target, m_options.exclusive);
    makeRoom(judged);
    const std::int64_t classes = judged.classes;
    const at::TensorOptions whole = at::TensorOptions().dtype(at::kLong).device(prediction.device());
    const auto zeros = [&](at::Tensor& tensor, std::int64_t size) {
        if (!tensor.defined()) {
            tensor = at::zeros({size}, whole);
        }
    };
    if (judged.judging == Judging::kLabels) {
        const Answers answers = answersOf(judged);
        std::vector<std::int64_t> others;
        for (std::int64_t dim = 0; dim < judged.prediction.dim(); ++dim) {
            if (dim != 1) {
                others.push_back(dim);
            }
        }
        const auto count = [&](at::Tensor& into, const at::Tensor& each) {
            zeros(into, m_counts.classes());
            into.slice(0, 0, classes).add_(each.logical_and(answers.counted).sum(others));
        };
        count(m_deviceHit, answers.predicted.logical_and(answers.truth));
        count(m_deviceTruth, answers.truth);
        count(m_devicePredicted, answers.predicted);
        count(m_deviceJudged, answers.counted);
        return;
    }
    at::Tensor predicted, truth, place;
    if (judged.judging == Judging::kBinary) {
        const Answers answers = answersOf(judged);
        predicted = answers.predicted.to(at::kLong);
        truth = answers.truth.to(at::kLong);
        place = at::where(answers.counted, truth, classes);
    } else {
        predicted = largestClass(judged.prediction);
        truth = judged.judging == Judging::kSoft ? largestClass(judged.target) : judged.target.to(at::kLong);
        place = at::where(truth.ge(0).logical_and(truth.lt(classes)), truth, classes + 1);
        place = at::where(truth.ne(m_options.ignoreIndex), place, classes);
    }
    place = place.reshape({-1});
    predicted = predicted.reshape({-1});
    // Adding at indices does not wait for a device, counting with bincount does.
    const at::Tensor ones = at::ones({1}, whole).expand({place.numel()});
    zeros(m_deviceHit, classes + 2);
    zeros(m_deviceTruth, classes + 2);
    zeros(m_devicePredicted, classes + 2);
    m_deviceTruth.scatter_add_(0, place, ones);
    m_deviceHit.scatter_add_(0, place, predicted.eq(place).to(at::kLong));
    m_devicePredicted.scatter_add_(0, at::where(place.lt(classes), predicted, classes), ones);
    if (!m_counts.matrix.empty()) {
        zeros(m_deviceMatrix, (classes + 2) * classes);
        m_deviceMatrix.scatter_add_(0, place.mul(classes).add(predicted), ones);
    }
}

void ClassCounter::collect() const {
    if (!m_deviceTruth.defined()) {
        return;
    }
    if (!m_counts.labels) {
        if (const std::int64_t outside = m_deviceTruth[-1].item<std::int64_t>(); outside > 0) {
            refuseLabels(outside, m_counts.classes());
        }
    }
    const std::int64_t hit = take(m_deviceHit, m_counts.hit), truth = take(m_deviceTruth, m_counts.truth),
                       predicted = take(m_devicePredicted, m_counts.predicted);
    const std::int64_t counted = m_counts.labels ? take(m_deviceJudged, m_counts.judged) : truth;
    m_counts.samples += counted;
    // What is truly a no and predicted as one is right as well.
    m_counts.correct += m_counts.labels ? counted - truth - predicted + 2 * hit : hit;
    if (m_deviceMatrix.defined()) {
        take(m_deviceMatrix, m_counts.matrix);
    }
}

const ClassCounts& ClassCounter::counts() const {
    collect();
    return m_counts;
}

// ---- Checkpoints ----------------------------------------------------------------------------------------------------

Json ClassCounter::saveState() const {
    const ClassCounts& all = counts();
    return {{"labels", all.labels}, {"samples", all.samples}, {"correct", all.correct}};
}

Accumulator::State ClassCounter::tensors() const {
    const ClassCounts& all = counts();
    return {{"hit", tensorOf(all.hit)},
            {"truth", tensorOf(all.truth)},
            {"predicted", tensorOf(all.predicted)},
            {"judged", tensorOf(all.judged)},
            {"matrix", tensorOf(all.matrix)}};
}

void ClassCounter::loadState(const Json& state, const std::map<std::string, at::Tensor>& tensors) {
    reset();
    m_counts.labels = state.at("labels").get<bool>();
    m_counts.samples = state.at("samples").get<std::int64_t>();
    m_counts.correct = state.at("correct").get<std::int64_t>();
    vectorOf(tensors, "hit", m_counts.hit);
    vectorOf(tensors, "truth", m_counts.truth);
    vectorOf(tensors, "predicted", m_counts.predicted);
    vectorOf(tensors, "judged", m_counts.judged);
    vectorOf(tensors, "matrix", m_counts.matrix);
}

void ClassCounter::loadOwnState(const std::string& /*type*/, const Json& state) {
    reset();
    const auto classes = state.value("classes", std::size_t{0});
    if (classes == 0) {
        return;
    }
    // An accuracy kept no counts by class: all that it has seen is put down to the first, which changes no accuracy.
    for (std::vector<std::int64_t>* counts : {&m_counts.hit, &m_counts.truth, &m_counts.predicted}) {
        counts->assign(classes, 0);
    }
    m_resumesAccuracy = true;
    m_counts.samples = state.value("samples", std::int64_t{0});
    m_counts.correct = state.value("correct", std::int64_t{0});
    m_counts.hit[0] = m_counts.correct;
    m_counts.truth[0] = m_counts.samples;
    for (const Json& seen : state.value("seen", Json::array())) {
        if (const auto label = seen.get<std::size_t>(); label < classes) {
            m_counts.predicted[label] = 1;
        }
    }
}

}  // namespace plumbline::train
