#include "sweep/sampler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/random.h"

namespace plumbline::sweep {
namespace {

constexpr std::int64_t kMostTrials = 1'000'000;

class Grid final : public Sampler {
public:
    using Sampler::Sampler;

    std::vector<double> point(std::int64_t trial, const std::vector<Observation>&) const override {
        std::vector<double> shares(parameters().size());
        for (std::size_t i = shares.size(); i-- > 0;) {
            const std::int64_t size = parameters()[i].gridSize();
            shares[i] = size > 1 ? static_cast<double>(trial % size) / static_cast<double>(size - 1) : 0;
            trial /= size;
        }
        return shares;
    }
    Settings settings(std::int64_t trial, const std::vector<double>&) const override {
        Settings settings;
        for (std::size_t i = parameters().size(); i-- > 0;) {
            const Parameter& parameter = parameters()[i];
            settings[parameter.path] = parameter.gridValue(trial % parameter.gridSize());
            trial /= parameter.gridSize();
        }
        return settings;
    }
    std::optional<std::int64_t> trials() const override {
        std::int64_t all = 1;
        for (const Parameter& parameter : parameters()) {
            all *= parameter.gridSize();
        }
        return all;
    }
};

/// The combinations of parameters that are all lists; nothing where one is a range, or where they are too many to be
/// put in an order.
std::optional<std::int64_t> combinationsOf(const std::vector<Parameter>& parameters) {
    std::int64_t all = 1;
    for (const Parameter& parameter : parameters) {
        const auto size = static_cast<std::int64_t>(parameter.choices.size());
        if (size == 0 || all > kMostTrials / size) {
            return std::nullopt;
        }
        all *= size;
    }
    return all;
}

class RandomSearch : public Sampler {
public:
    RandomSearch(std::vector<Parameter> parameters, std::uint64_t seed) : Sampler(std::move(parameters)), m_seed(seed) {
        if (const auto all = combinationsOf(this->parameters())) {
            m_order.resize(static_cast<std::size_t>(*all));
            std::iota(m_order.begin(), m_order.end(), std::int64_t{0});
            Random random(deriveSeed(m_seed, "order", 0));
            for (std::size_t i = m_order.size(); i > 1; --i) {
                std::swap(m_order[i - 1], m_order[random.below(i)]);
            }
        }
    }

    std::vector<double> point(std::int64_t trial, const std::vector<Observation>&) const override {
        std::vector<double> shares(parameters().size());
        if (trial >= 0 && static_cast<std::size_t>(trial) < m_order.size()) {
            std::int64_t combination = m_order[static_cast<std::size_t>(trial)];
            for (std::size_t i = shares.size(); i-- > 0;) {
                const auto size = static_cast<std::int64_t>(parameters()[i].choices.size());
                shares[i] = (static_cast<double>(combination % size) + 0.5) / static_cast<double>(size);
                combination /= size;
            }
            return shares;
        }
        Random random = randomOf(trial);
        std::generate(shares.begin(), shares.end(), [&] { return random.uniform(); });
        return shares;
    }
    std::optional<std::int64_t> trials() const override {
        return m_order.empty() ? std::nullopt : std::optional(static_cast<std::int64_t>(m_order.size()));
    }

protected:
    Random randomOf(std::int64_t trial) const {
        return Random(deriveSeed(m_seed, "sweep", static_cast<std::uint64_t>(trial)));
    }

private:
    std::uint64_t m_seed;
    std::vector<std::int64_t> m_order;  ///< of the combinations, where there are only so many
};

/// One parameter's density over the shares of some trials. A range: a mixture of normal distributions cut off at 0 and
/// 1, one at each trial and a wide one for what was not tried, each as wide as the way to its farther neighbour.
/// Choices: how often, plus one.
class Parzen {
public:
    Parzen(const Parameter& parameter, std::vector<double> shares) : m_choices(parameter.choices.size()) {
        if (m_choices > 0) {
            m_weights.assign(m_choices, 1.0);
            for (const double share : shares) {
                m_weights[placeOf(share)] += 1;
            }
            return;
        }
        shares.push_back(0.5);
        std::sort(shares.begin(), shares.end());
        const double narrowest = 1.0 / std::min(100.0, 1.0 + static_cast<double>(shares.size()));
        bool prior = false;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const double below = i == 0 ? shares[i] : shares[i] - shares[i - 1];
            const double above = i + 1 == shares.size() ? 1 - shares[i] : shares[i + 1] - shares[i];
            const bool isPrior = !prior && shares[i] == 0.5;
            prior = prior || isPrior;
            m_means.push_back(shares[i]);
            m_widths.push_back(isPrior ? 1.0 : std::clamp(std::max(below, above), narrowest, 1.0));
        }
    }

    double draw(Random& random) const {
        if (m_choices > 0) {
            double all = 0;
            for (const double weight : m_weights) {
                all += weight;
            }
            double left = random.uniform() * all;
            std::size_t place = 0;
            while (place + 1 < m_choices && left >= m_weights[place]) {
                left -= m_weights[place++];
            }
            return (static_cast<double>(place) + 0.5) / static_cast<double>(m_choices);
        }
        const std::size_t which = random.below(m_means.size());
        for (;;) {
            const double share = m_means[which] + m_widths[which] * random.normal();
            if (share >= 0 && share < 1) {
                return share;
            }
        }
    }

    double logDensity(double share) const {
        if (m_choices > 0) {
            double all = 0;
            for (const double weight : m_weights) {
                all += weight;
            }
            return std::log(m_weights[placeOf(share)] / all);
        }
        const auto below = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
        double sum = 0;
        for (std::size_t i = 0; i < m_means.size(); ++i) {
            const double z = (share - m_means[i]) / m_widths[i];
            const double kept = below((1 - m_means[i]) / m_widths[i]) - below(-m_means[i] / m_widths[i]);
            sum += std::exp(-0.5 * z * z) / (m_widths[i] * kept);
        }
        return std::log(sum / static_cast<double>(m_means.size()));
    }

private:
    std::size_t placeOf(double share) const {
        return std::min(m_choices - 1, static_cast<std::size_t>(std::max(0.0, share) * static_cast<double>(m_choices)));
    }

    std::size_t m_choices;
    std::vector<double> m_weights, m_means, m_widths;
};

class TreeParzen final : public RandomSearch {
public:
    using RandomSearch::RandomSearch;

    /// What was good may be tried again: another run of it is not the same run.
    std::optional<std::int64_t> trials() const override { return std::nullopt; }
    std::vector<double> point(std::int64_t trial, const std::vector<Observation>& seen) const override {
        if (seen.size() < kRandomTrials) {
            return RandomSearch::point(trial, seen);
        }
        std::vector<const Observation*> byLoss;
        for (const Observation& each : seen) {
            byLoss.push_back(&each);
        }
        std::stable_sort(byLoss.begin(), byLoss.end(),
                         [](const Observation* a, const Observation* b) { return a->loss < b->loss; });
        const auto good =
            std::min(kMostGood, static_cast<std::size_t>(std::ceil(kGoodShare * static_cast<double>(seen.size()))));
        Random random = randomOf(trial);
        std::vector<double> chosen(parameters().size());
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            std::vector<double> liked, others;
            for (std::size_t k = 0; k < byLoss.size(); ++k) {
                (k < good ? liked : others).push_back(byLoss[k]->point[i]);
            }
            const Parzen from(parameters()[i], std::move(liked)), against(parameters()[i], std::move(others));
            double best = -std::numeric_limits<double>::infinity();
            for (int candidate = 0; candidate < kCandidates; ++candidate) {
                const double share = from.draw(random);
                const double gain = from.logDensity(share) - against.logDensity(share);
                if (gain > best) {
                    best = gain;
                    chosen[i] = share;
                }
            }
        }
        return chosen;
    }

private:
    static constexpr std::size_t kRandomTrials = 10, kMostGood = 25;
    static constexpr double kGoodShare = 0.25;
    static constexpr int kCandidates = 24;
};

}  // namespace

Settings Sampler::settings(std::int64_t /*trial*/, const std::vector<double>& point) const {
    Settings settings;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        settings[m_parameters[i].path] = m_parameters[i].at(point[i]);
    }
    return settings;
}

const std::vector<std::string>& methods() {
    static const std::vector<std::string> all{"grid", "random", "halving", "tpe"};
    return all;
}

Result<std::unique_ptr<Sampler>> makeSampler(const std::string& method, std::vector<Parameter> parameters,
                                             std::uint64_t seed) {
    if (parameters.empty()) {
        return fail(ErrorKind::kUsage, "nothing-to-sweep", "The sweep varies no setting.", {},
                    "Name one and its values, as training.optimizer.lr=0.1,0.01.");
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            if (parameters[i].path == parameters[k].path) {
                return fail(ErrorKind::kUsage, "bad-parameter", fmt::format("{} is varied twice.", parameters[i].path),
                            {}, "Give it all of its values at once.");
            }
        }
    }
    if (method == "grid") {
        double all = 1;
        for (const Parameter& parameter : parameters) {
            if (parameter.gridSize() == 0) {
                return fail(
                    ErrorKind::kUsage, "bad-parameter",
                    fmt::format("A grid cannot take the range of {}: it does not say how many values.", parameter.path),
                    {}, "Write /5 behind the range for 5 values of it, or choose the method random or tpe.");
            }
            all *= static_cast<double>(parameter.gridSize());
        }
        if (all > static_cast<double>(kMostTrials)) {
            return fail(
                ErrorKind::kUsage, "bad-parameter",
                fmt::format("The grid has {:.3g} combinations, and a sweep takes at most {}.", all, kMostTrials), {},
                "Choose the method random or tpe, and how many trials.");
        }
        return std::make_unique<Grid>(std::move(parameters));
    }
    if (method == "tpe") {
        return std::make_unique<TreeParzen>(std::move(parameters), seed);
    }
    if (method == "random" || method == "halving") {
        return std::make_unique<RandomSearch>(std::move(parameters), seed);
    }
    return fail(ErrorKind::kUsage, "unknown-method", fmt::format("There is no method \"{}\".", method), {},
                fmt::format("Choose one of {}.", fmt::join(methods(), ", ")));
}

}  // namespace plumbline::sweep
