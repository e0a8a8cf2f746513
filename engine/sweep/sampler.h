#pragma once
// Which values a trial gets, from its number and from what other trials gave.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "sweep/parameter.h"

namespace plumbline::sweep {

/// The settings of a trial, by dotted path, as `--set` takes them.
using Settings = std::map<std::string, std::string>;

/// A trial that has ended: where each parameter stood (Sampler::Point) and how good it was.
struct Observation {
    std::vector<double> point;
    double loss = 0;  ///< the smaller the better; infinite for one that failed
};

/// Gives the same values for the same seed, number and observations. One thread.
class Sampler {
public:
    explicit Sampler(std::vector<Parameter> parameters) : m_parameters(std::move(parameters)) {}
    virtual ~Sampler() = default;
    /// A share of 0 to 1 for each parameter.
    virtual std::vector<double> point(std::int64_t trial, const std::vector<Observation>& seen) const = 0;
    virtual Settings settings(std::int64_t trial, const std::vector<double>& point) const;
    /// How many trials there can be; nothing where there is no end.
    virtual std::optional<std::int64_t> trials() const { return std::nullopt; }

protected:
    const std::vector<Parameter>& parameters() const { return m_parameters; }

private:
    std::vector<Parameter> m_parameters;
};

/// grid: every combination, the last parameter changing fastest. random: independent and uniform (Bergstra and Bengio
/// 2012); over lists alone each combination comes once, in a random order, as far as there are a million of them.
/// halving: random; the queue does the rest. tpe: tree-structured Parzen estimator with independent parameters
/// (Bergstra et al. 2011); the first ten trials are random.
Result<std::unique_ptr<Sampler>> makeSampler(const std::string& method, std::vector<Parameter> parameters,
                                             std::uint64_t seed);
const std::vector<std::string>& methods();

}  // namespace plumbline::sweep
