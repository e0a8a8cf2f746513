#include "data/statistics.h"

#include <algorithm>
#include <cmath>

namespace plumbline::data {

StatisticsAccumulator::StatisticsAccumulator(const ValueType& type)
    : m_type(type), m_elements(type.elementsPerChannel()), m_channels(static_cast<std::size_t>(type.channels())) {
    if (type.dtype == DType::kUInt8) {
        m_histogram.resize(m_channels.size() * 256);
    }
}

void StatisticsAccumulator::merge(Channel& into, const Channel& more) {
    if (into.count == 0) {
        into = more;
        return;
    }
    const double count = into.count + more.count;
    const double delta = more.mean - into.mean;
    into.mean += delta * more.count / count;
    into.m2 += more.m2 + delta * delta * into.count * more.count / count;
    into.min = std::min(into.min, more.min);
    into.max = std::max(into.max, more.max);
    into.count = count;
}

template <class T>
void StatisticsAccumulator::addAs(const T* values) {
    for (Channel& channel : m_channels) {
        Channel sample;
        sample.count = static_cast<double>(m_elements);
        double sum = 0;
        sample.min = sample.max = static_cast<double>(values[0]);
        for (std::int64_t i = 0; i < m_elements; ++i) {
            const auto value = static_cast<double>(values[i]);
            sum += value;
            sample.min = std::min(sample.min, value);
            sample.max = std::max(sample.max, value);
        }
        sample.mean = sum / sample.count;
        for (std::int64_t i = 0; i < m_elements; ++i) {
            const double difference = static_cast<double>(values[i]) - sample.mean;
            sample.m2 += difference * difference;
        }
        merge(channel, sample);
        values += m_elements;
    }
}

bool StatisticsAccumulator::add(const std::byte* sample) {
    ++m_samples;
    if (m_elements == 0) {
        return true;
    }
    switch (m_type.dtype) {
        case DType::kUInt8: {
            const auto* values = reinterpret_cast<const std::uint8_t*>(sample);
            for (std::size_t c = 0; c < m_channels.size(); ++c) {
                std::int64_t* histogram = m_histogram.data() + c * 256;
                for (std::int64_t i = 0; i < m_elements; ++i) {
                    ++histogram[*values++];
                }
            }
            return true;
        }
        case DType::kFloat32:
            addAs(reinterpret_cast<const float*>(sample));
            return true;
        case DType::kFloat64:
            addAs(reinterpret_cast<const double*>(sample));
            return true;
        case DType::kInt64:
            addAs(reinterpret_cast<const std::int64_t*>(sample));
            return true;
        case DType::kInt32:
            addAs(reinterpret_cast<const std::int32_t*>(sample));
            return true;
        default:
            return false;
    }
}

FeedInfo::Statistics StatisticsAccumulator::result() const {
    FeedInfo::Statistics statistics;
    statistics.samples = m_samples;
    for (std::size_t c = 0; c < m_channels.size(); ++c) {
        Channel channel = m_channels[c];
        if (!m_histogram.empty()) {
            const std::int64_t* histogram = m_histogram.data() + c * 256;
            for (int value = 0; value < 256; ++value) {
                if (histogram[value] > 0) {
                    merge(channel, {static_cast<double>(histogram[value]), static_cast<double>(value), 0,
                                    static_cast<double>(value), static_cast<double>(value)});
                }
            }
        }
        statistics.mean.push_back(channel.mean);
        statistics.std.push_back(channel.count > 0 ? std::sqrt(channel.m2 / channel.count) : 0.0);
        statistics.min.push_back(channel.min);
        statistics.max.push_back(channel.max);
    }
    return statistics;
}

}  // namespace plumbline::data
