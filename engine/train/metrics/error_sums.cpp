#include "train/metrics/error_sums.h"

#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "train/metrics/judged.h"
#include "train/metrics/state_tensors.h"

namespace plumbline::train {

namespace {

/// The prediction's and the target's elements side by side, as they are (both float32) or in double.
template <class Work>
void withNumbers(const at::Tensor& prediction, const at::Tensor& target, const Work& work) {
    if (prediction.scalar_type() == at::kFloat && target.scalar_type() == at::kFloat) {
        const at::Tensor a = prediction.contiguous(), b = target.contiguous();
        work(a.const_data_ptr<float>(), b.const_data_ptr<float>());
        return;
    }
    const at::Tensor a = prediction.to(at::kDouble).contiguous(), b = target.to(at::kDouble).contiguous();
    work(a.const_data_ptr<double>(), b.const_data_ptr<double>());
}

void requireSameShape(const at::Tensor& prediction, const at::Tensor& target) {
    if (prediction.sizes() != target.sizes()) {
        refuseShapes("the metric", prediction, target);
    }
}

}  // namespace

std::shared_ptr<ErrorSums> ErrorSums::of(const MetricContext& context) {
    return context.share<ErrorSums>("errors", [] { return std::make_shared<ErrorSums>(); });
}

void ErrorSums::reset() {
    m_elements = 0;
    m_samples = 0;
    m_sums = {};
    m_deviceSums.reset();
    for (std::vector<double>* column : {&m_first, &m_residual, &m_shifted, &m_shiftedSquares}) {
        column->clear();
    }
    m_deviceColumns.reset();
    m_deviceFirst.reset();
}

std::int64_t ErrorSums::widthOf(const at::Tensor& prediction) {
    const std::int64_t width = prediction.numel() / prediction.size(0);
    const std::int64_t before = m_samples == 0 ? width : m_elements / m_samples;
    if (width != before) {
        throw std::invalid_argument(fmt::format("r2 got samples of {} numbers, and now of {}", before, width));
    }
    return width;
}

// Both loops go through the samples in their order, so that batches of any size give the same bits.

template <class Prediction, class Target>
void ErrorSums::sumUp(const Prediction* prediction, const Target* target, std::int64_t elements) {
    double absolute = m_sums.absolute, squared = m_sums.squared;
    for (std::int64_t i = 0; i < elements; ++i) {
        const double difference = static_cast<double>(prediction[i]) - static_cast<double>(target[i]);
        absolute += std::abs(difference);
        squared += difference * difference;
    }
    m_sums = {absolute, squared};
}

template <class Prediction, class Target>
void ErrorSums::sumColumns(const Prediction* prediction, const Target* target, std::int64_t rows) {
    const std::size_t width = m_first.size();
    for (std::int64_t row = 0; row < rows; ++row, prediction += width, target += width) {
        for (std::size_t i = 0; i < width; ++i) {
            const double truth = static_cast<double>(target[i]),
                         difference = static_cast<double>(prediction[i]) - truth, shifted = truth - m_first[i];
            m_residual[i] += difference * difference;
            m_shifted[i] += shifted;
            m_shiftedSquares[i] += shifted * shifted;
        }
    }
}

void ErrorSums::addOnHost(const at::Tensor& prediction, const at::Tensor& target) {
    requireSameShape(prediction, target);
    const std::int64_t rows = prediction.dim() == 0 ? 1 : prediction.size(0);
    if (prediction.numel() == 0) {
        return;
    }
    withNumbers(prediction.detach(), target, [&](const auto* predicted, const auto* truth) {
        sumUp(predicted, truth, prediction.numel());
        if (m_keepsColumns) {
            const auto width = static_cast<std::size_t>(widthOf(prediction));
            if (m_first.empty()) {
                m_first.assign(truth, truth + width);
                for (std::vector<double>* column : {&m_residual, &m_shifted, &m_shiftedSquares}) {
                    column->assign(width, 0);
                }
            }
            sumColumns(predicted, truth, rows);
        }
    });
    m_elements += prediction.numel();
    m_samples += rows;
}

void ErrorSums::addOnDevice(const at::Tensor& prediction, const at::Tensor& target) {
    requireSameShape(prediction, target);
    const std::int64_t rows = prediction.dim() == 0 ? 1 : prediction.size(0);
    if (prediction.numel() == 0) {
        return;
    }
    const at::Tensor truth = target.to(at::kDouble), difference = prediction.detach().to(at::kDouble).sub(truth),
                     squares = difference.square();
    const at::Tensor sums = at::stack({difference.abs().sum(), squares.sum()});
    m_deviceSums = m_deviceSums.defined() ? m_deviceSums.add_(sums) : sums;
    if (m_keepsColumns) {
        const std::int64_t width = widthOf(prediction);
        const at::Tensor table = truth.reshape({rows, width});
        if (!m_deviceFirst.defined()) {
            m_deviceFirst = m_first.empty() ? table[0].clone() : tensorOf(m_first).to(table.device());
        }
        const at::Tensor shifted = table.sub(m_deviceFirst);
        const at::Tensor columns =
            at::stack({squares.reshape({rows, width}).sum(0), shifted.sum(0), shifted.square().sum(0)});
        m_deviceColumns = m_deviceColumns.defined() ? m_deviceColumns.add_(columns) : columns;
    }
    m_elements += prediction.numel();
    m_samples += rows;
}

void ErrorSums::collect() const {
    if (m_deviceSums.defined()) {
        const at::Tensor sums = m_deviceSums.cpu();
        m_sums.absolute += sums[0].item<double>();
        m_sums.squared += sums[1].item<double>();
        m_deviceSums.reset();
    }
    if (m_deviceColumns.defined()) {
        const at::Tensor columns = m_deviceColumns.cpu().contiguous(), first = m_deviceFirst.cpu();
        const double* value = columns.const_data_ptr<double>();
        const auto width = static_cast<std::size_t>(columns.size(1));
        m_first.assign(first.const_data_ptr<double>(), first.const_data_ptr<double>() + width);
        for (std::vector<double>* column : {&m_residual, &m_shifted, &m_shiftedSquares}) {
            column->resize(width, 0);
            for (std::size_t i = 0; i < width; ++i) {
                (*column)[i] += *value++;
            }
        }
        m_deviceColumns.reset();
    }
}

const ErrorSums::Sums& ErrorSums::all() const {
    collect();
    return m_sums;
}

std::vector<ErrorSums::Column> ErrorSums::columns() const {
    collect();
    std::vector<Column> columns(m_first.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        columns[i] = {m_residual[i],
                      m_shiftedSquares[i] - m_shifted[i] * m_shifted[i] / static_cast<double>(m_samples)};
    }
    return columns;
}

Json ErrorSums::saveState() const {
    collect();
    return {{"absolute", numberToJson(m_sums.absolute)},
            {"squared", numberToJson(m_sums.squared)},
            {"elements", m_elements},
            {"samples", m_samples}};
}

Accumulator::State ErrorSums::tensors() const {
    collect();
    return {{"first", tensorOf(m_first)},
            {"residual", tensorOf(m_residual)},
            {"shifted", tensorOf(m_shifted)},
            {"shifted_squares", tensorOf(m_shiftedSquares)}};
}

void ErrorSums::loadState(const Json& state, const std::map<std::string, at::Tensor>& tensors) {
    reset();
    m_sums = {numberFromJson(state.at("absolute")), numberFromJson(state.at("squared"))};
    m_elements = state.at("elements").get<std::int64_t>();
    m_samples = state.at("samples").get<std::int64_t>();
    vectorOf(tensors, "first", m_first);
    vectorOf(tensors, "residual", m_residual);
    vectorOf(tensors, "shifted", m_shifted);
    vectorOf(tensors, "shifted_squares", m_shiftedSquares);
}

void ErrorSums::loadOwnState(const std::string& type, const Json& state) {
    (type == "mae" ? m_sums.absolute : m_sums.squared) = state.contains("sum") ? numberFromJson(state["sum"]) : 0.0;
    m_elements = state.value("elements", std::int64_t{0});
}

}  // namespace plumbline::train
