#pragma once
// Mean, population deviation, smallest and largest value a channel, in one pass and stable (Welford 1962; Chan et al.
// 1983).

#include <cstdint>
#include <vector>

#include "data/dataset.h"
#include "data/value_type.h"

namespace plumbline::data {

class StatisticsAccumulator {
public:
    explicit StatisticsAccumulator(const ValueType& type);
    /// One sample of the type; false where its dtype cannot be measured.
    bool add(const std::byte* sample);
    FeedInfo::Statistics result() const;

private:
    struct Channel {
        double count = 0, mean = 0, m2 = 0, min = 0, max = 0;
    };
    template <class T>
    void addAs(const T* values);
    static void merge(Channel& into, const Channel& more);

    ValueType m_type;
    std::int64_t m_elements;  ///< a channel
    std::int64_t m_samples = 0;
    std::vector<Channel> m_channels;
    std::vector<std::int64_t> m_histogram;  ///< [channels][256] for uint8: exact and fast
};

}  // namespace plumbline::data
