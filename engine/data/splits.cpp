#include "data/splits.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.h"

namespace plumbline::data {
namespace {

using Counts = std::array<std::int64_t, 3>;
using Shares = std::array<double, 3>;

/// Shares may miss 1 by what a person rounds away ("0.333"); counts come from shares that add to 1 but for the last
/// bits, so that no row is in no split or in two.
Shares exactShares(const Shares& shares) {
    const double sum = shares[0] + shares[1] + shares[2];
    if (std::abs(sum - 1.0) < 1e-12 || !(sum > 0.0)) {
        return shares;
    }
    return {shares[0] / sum, shares[1] / sum, shares[2] / sum};
}

/// A share times a count, with a result that is whole but for rounding (0.7 * 10) taken as whole.
double ideal(std::int64_t count, double share) {
    const double value = static_cast<double>(count) * share;
    const double whole = std::round(value);
    return std::abs(value - whole) < 1e-6 ? whole : value;
}

/// The rounding of a table of classes by splits whose row and column sums are given: every cell is its floor plus 0
/// or 1. Such a table exists, as the ideal one is a fractional flow; it is found by giving each class's leftover
/// samples to the splits with room and the largest remainders, and moving earlier ones along where there is no room.
class TableRounding {
public:
    TableRounding(const std::vector<std::int64_t>& classCounts, const Shares& shares, Counts totals) {
        for (const std::int64_t count : classCounts) {
            Counts floors{};
            std::array<double, 3> remainders{};
            for (std::size_t s = 0; s < 3; ++s) {
                const double value = ideal(count, shares[s]);
                floors[s] = static_cast<std::int64_t>(std::floor(value));
                remainders[s] = value - std::floor(value);
                totals[s] -= floors[s];
            }
            m_cells.push_back(floors);
            m_remainders.push_back(remainders);
            m_extra.push_back({});
            m_left.push_back(count - std::accumulate(floors.begin(), floors.end(), std::int64_t{0}));
        }
        m_room = totals;
        for (std::size_t c = 0; c < m_cells.size(); ++c) {
            while (m_left[c] > 0 && placeOne(c)) {
                --m_left[c];
            }
        }
    }

    Counts countsOf(std::size_t classIndex) const {
        Counts counts = m_cells[classIndex];
        for (std::size_t s = 0; s < 3; ++s) {
            counts[s] += m_extra[classIndex][s] ? 1 : 0;
        }
        return counts;
    }

private:
    bool placeOne(std::size_t c) {
        std::array<std::size_t, 3> order{0, 1, 2};
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return m_remainders[c][a] > m_remainders[c][b]; });
        for (const std::size_t s : order) {
            if (mayTake(c, s) && m_room[s] > 0) {
                take(c, s);
                return true;
            }
        }
        for (const std::size_t s : order) {
            std::array<bool, 3> seen{};
            if (mayTake(c, s) && makeRoom(s, c, seen)) {
                take(c, s);
                return true;
            }
        }
        return false;
    }
    /// Moves another class's extra sample out of split `s`, over one more split if need be.
    bool makeRoom(std::size_t s, std::size_t end, std::array<bool, 3>& seen) {
        seen[s] = true;
        for (std::size_t t = 0; t < 3; ++t) {
            if (seen[t]) {
                continue;
            }
            for (std::size_t c = 0; c < end; ++c) {
                if (m_extra[c][s] && mayTake(c, t) && (m_room[t] > 0 || makeRoom(t, end, seen))) {
                    // makeRoom may have moved this very class's sample.
                    if (!m_extra[c][s] || !mayTake(c, t)) {
                        continue;
                    }
                    m_extra[c][s] = false;
                    ++m_room[s];
                    take(c, t);
                    return true;
                }
            }
        }
        return false;
    }
    bool mayTake(std::size_t c, std::size_t s) const { return m_remainders[c][s] > 0.0 && !m_extra[c][s]; }
    void take(std::size_t c, std::size_t s) {
        m_extra[c][s] = true;
        --m_room[s];
    }

    std::vector<Counts> m_cells;
    std::vector<std::array<double, 3>> m_remainders;
    std::vector<std::array<bool, 3>> m_extra;
    std::vector<std::int64_t> m_left;
    Counts m_room{};
};

}  // namespace

Counts largestRemainder(std::int64_t count, const Shares& given) {
    const Shares shares = exactShares(given);
    Counts counts{};
    std::array<double, 3> remainders{};
    std::int64_t left = count;
    for (std::size_t s = 0; s < 3; ++s) {
        const double value = ideal(count, shares[s]);
        counts[s] = static_cast<std::int64_t>(std::floor(value));
        remainders[s] = value - std::floor(value);
        left -= counts[s];
    }
    for (; left > 0; --left) {
        const auto largest =
            static_cast<std::size_t>(std::max_element(remainders.begin(), remainders.end()) - remainders.begin());
        ++counts[largest];
        remainders[largest] = -1.0;
    }
    return counts;
}

SplitRows splitRows(std::int64_t rows, const SplitSpec& spec, std::span<const std::int64_t> classes,
                    std::int64_t classCount) {
    const Shares shares = exactShares({spec.train, spec.validation, spec.test});
    const Counts totals = largestRemainder(rows, shares);
    Random random(deriveSeed(spec.seed, "split"));
    const std::vector<std::int64_t> order = permutation(rows, random);

    SplitRows result;
    if (classes.empty()) {
        std::size_t at = 0;
        for (std::size_t s = 0; s < 3; ++s) {
            result[s].assign(order.begin() + static_cast<std::ptrdiff_t>(at),
                             order.begin() + static_cast<std::ptrdiff_t>(at + static_cast<std::size_t>(totals[s])));
            at += static_cast<std::size_t>(totals[s]);
        }
    } else {
        std::vector<std::int64_t> classCounts(static_cast<std::size_t>(classCount));
        for (const std::int64_t c : classes) {
            ++classCounts[static_cast<std::size_t>(c)];
        }
        const TableRounding table(classCounts, shares, totals);
        std::vector<Counts> left;
        for (std::size_t c = 0; c < classCounts.size(); ++c) {
            left.push_back(table.countsOf(c));
        }
        for (const std::int64_t row : order) {
            Counts& room = left[static_cast<std::size_t>(classes[static_cast<std::size_t>(row)])];
            const std::size_t s = room[0] > 0 ? 0 : room[1] > 0 ? 1 : 2;
            --room[s];
            result[s].push_back(row);
        }
    }
    for (auto& split : result) {
        std::sort(split.begin(), split.end());
    }
    return result;
}

}  // namespace plumbline::data
