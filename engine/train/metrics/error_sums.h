#pragma once
// Sums of errors, in double: what mae, mse, rmse and r2 are computed from.

#include <vector>

#include "train/metrics.h"

namespace plumbline::train {

class ErrorSums final : public Accumulator {
public:
    /// The one that metrics of this output and target share.
    static std::shared_ptr<ErrorSums> of(const MetricContext& context);

    /// Before the first batch: sums for each of an output's numbers too, which r2 needs.
    void keepColumns() { m_keepsColumns = true; }

    // What follows waits for a device that has summed.
    double absolute() const { return all().absolute; }  ///< Σ |prediction - target|
    double squared() const { return all().squared; }    ///< Σ (prediction - target)²
    std::int64_t elements() const { return m_elements; }
    std::int64_t samples() const { return m_samples; }
    /// For each number of an output: Σ (prediction - target)², and Σ (target - mean of the target)².
    struct Column {
        double residual = 0, total = 0;
    };
    std::vector<Column> columns() const;

    void reset() override;
    void addOnHost(const at::Tensor& prediction, const at::Tensor& target) override;
    void addOnDevice(const at::Tensor& prediction, const at::Tensor& target) override;
    Json saveState() const override;
    State tensors() const override;
    void loadState(const Json& state, const std::map<std::string, at::Tensor>& tensors) override;
    void loadOwnState(const std::string& type, const Json& state) override;

private:
    struct Sums {
        double absolute = 0, squared = 0;
    };
    const Sums& all() const;
    void collect() const;
    template <class Prediction, class Target>
    void sumUp(const Prediction* prediction, const Target* target, std::int64_t elements);
    template <class Prediction, class Target>
    void sumColumns(const Prediction* prediction, const Target* target, std::int64_t rows);
    /// The width of a sample; an error where it is not that of the samples before.
    std::int64_t widthOf(const at::Tensor& prediction);

    bool m_keepsColumns = false;
    std::int64_t m_elements = 0, m_samples = 0;
    mutable Sums m_sums;
    mutable at::Tensor m_deviceSums;  ///< double [2]; what a device has summed and nobody has read yet
    // By column. Targets are taken from the first sample's, so that a mean far from 0 costs no digits.
    mutable std::vector<double> m_first, m_residual, m_shifted, m_shiftedSquares;
    mutable at::Tensor m_deviceColumns;  ///< double [3, columns]: residual, shifted, shiftedSquares
    at::Tensor m_deviceFirst;            ///< double [columns]
};

}  // namespace plumbline::train
