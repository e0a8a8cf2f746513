// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/sample_view.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/convert.h"
#include "gui/pages/raw_values.h"

namespace plumbline::gui {

namespace {

constexpr std::int64_t kMaxColumns = 64;

/// Element `index` of a tensor, whatever its type.
double elementAt(const data::HostTensor& tensor, std::int64_t index) {
    switch (tensor.dtype) {
        case DType::kFloat32:
            return tensor.as<float>()[index];
        case DType::kFloat64:
            return tensor.as<double>()[index];
        case DType::kInt64:
            return static_cast<double>(tensor.as<std::int64_t>()[index]);
        case DType::kInt32:
            return tensor.as<std::int32_t>()[index];
        case DType::kInt16:
            return tensor.as<std::int16_t>()[index];
        case DType::kInt8:
            return tensor.as<std::int8_t>()[index];
        case DType::kUInt8:
            return tensor.as<std::uint8_t>()[index];
        case DType::kBool:
            return tensor.as<bool>()[index] ? 1 : 0;
        default:
            return std::numeric_limits<double>::quiet_NaN();
    }
}

std::int64_t elementsPerSample(const data::HostTensor& tensor) {
    return tensor.dims.empty() || tensor.dims[0] == 0 ? 0 : tensor.elementCount() / tensor.dims[0];
}

/// Of one feed of a batch.
struct Shown {
    Shown(const data::FeedInfo& info, const data::HostTensor& values)
        : feed(info), tensor(values), raw(RawValues::of(info)) {}
    QString text(Values which, std::int64_t sample, std::int64_t element) const {
        const double value = elementAt(tensor, sample * elementsPerSample(tensor) + element);
        return raw ? shownValue(which, raw->at(element, value), value) : sampleValueText(value);
    }

    const data::FeedInfo& feed;
    const data::HostTensor& tensor;
    std::optional<RawValues> raw;
};

QString targetValueText(Values which, const data::FeedInfo& feed, const data::HostTensor& tensor, std::int64_t sample) {
    const std::int64_t count = elementsPerSample(tensor);
    if (count != 1) {
        return QCoreApplication::translate("SampleView", "%n values", nullptr, static_cast<int>(count));
    }
    const double value = elementAt(tensor, sample);
    const auto index = static_cast<std::size_t>(value);
    return !feed.classes.empty() && value >= 0 && index < feed.classes.size()
               ? text(feed.classes[index])
               : Shown(feed, tensor).text(which, sample, 0);
}

}  // namespace

QString shownValue(Values values, double raw, double model) {
    switch (values) {
        case Values::Raw:
            return sampleValueText(raw);
        case Values::Model:
            return sampleValueText(model);
        case Values::Both:
            break;
    }
    return QString::fromUtf8("%1 \u2192 %2").arg(sampleValueText(raw), sampleValueText(model));
}

bool hasRawValues(const data::Dataset& dataset) {
    const auto differs = [](const data::FeedInfo& feed) { return RawValues::of(feed).has_value(); };
    return std::any_of(dataset.inputs().begin(), dataset.inputs().end(), differs) ||
           std::any_of(dataset.targets().begin(), dataset.targets().end(), differs);
}

bool isPicture(const data::FeedInfo& feed) {
    return feed.dims.size() == 3 && (feed.dims[0] == 1 || feed.dims[0] == 3) && feed.dims[1] > 1 && feed.dims[2] > 1;
}

QString targetText(const data::Dataset& dataset, const data::HostBatch& batch, std::int64_t sample) {
    QStringList parts;
    for (std::size_t i = 0; i < batch.targets.size() && i < dataset.targets().size(); ++i) {
        parts.append(targetValueText(Values::Raw, dataset.targets()[i], batch.targets[i], sample));
    }
    return parts.join(QStringLiteral(", "));
}

std::optional<double> targetNumber(const data::Dataset& dataset, const data::HostBatch& batch, std::size_t target,
                                   std::int64_t sample) {
    if (target >= batch.targets.size() || target >= dataset.targets().size() ||
        elementsPerSample(batch.targets[target]) != 1) {
        return std::nullopt;
    }
    const double value = elementAt(batch.targets[target], sample);
    const auto raw = RawValues::of(dataset.targets()[target]);
    return raw ? raw->at(0, value) : value;
}

std::vector<widgets::GridImage> samplePictures(const data::Dataset& dataset, const data::HostBatch& batch) {
    std::vector<widgets::GridImage> pictures;
    const auto& feeds = dataset.inputs();
    const auto feed = std::find_if(feeds.begin(), feeds.end(), isPicture);
    if (feed == feeds.end()) {
        return pictures;
    }
    const data::HostTensor& tensor = batch.inputs[static_cast<std::size_t>(feed - feeds.begin())];
    const auto channels = feed->dims[0];
    const auto height = feed->dims[1];
    const auto width = feed->dims[2];
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::int64_t i = 0; i < tensor.elementCount(); ++i) {
        const double value = elementAt(tensor, i);
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    const double scale = high > low ? 255.0 / (high - low) : 0.0;
    const auto grey = [&](std::int64_t index) {
        const double value = elementAt(tensor, index);
        return std::isfinite(value) ? static_cast<int>(std::lround((value - low) * scale)) : 0;
    };
    for (std::int64_t sample = 0; sample < batch.size(); ++sample) {
        QImage image(static_cast<int>(width), static_cast<int>(height), QImage::Format_RGB32);
        const std::int64_t base = sample * channels * height * width;
        for (std::int64_t y = 0; y < height; ++y) {
            auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(y)));
            for (std::int64_t x = 0; x < width; ++x) {
                const std::int64_t at = base + y * width + x;
                const int red = grey(at);
                line[x] = channels == 3 ? qRgb(red, grey(at + height * width), grey(at + 2 * height * width))
                                        : qRgb(red, red, red);
            }
        }
        widgets::GridImage picture;
        picture.image = image;
        picture.caption = targetText(dataset, batch, sample);
        picture.toolTip = QCoreApplication::translate("SampleView", "Sample %1: %2")
                              .arg(batch.indices[static_cast<std::size_t>(sample)])
                              .arg(picture.caption);
        pictures.push_back(std::move(picture));
    }
    return pictures;
}

SampleTable sampleRows(const data::Dataset& dataset, const data::HostBatch& batch, Values values) {
    SampleTable table;
    table.rows.resize(static_cast<std::size_t>(batch.size()));
    for (std::size_t i = 0; i < batch.inputs.size() && i < dataset.inputs().size(); ++i) {
        const data::FeedInfo& feed = dataset.inputs()[i];
        const data::HostTensor& tensor = batch.inputs[i];
        const std::int64_t count = elementsPerSample(tensor);
        const Shown shown(feed, tensor);
        for (std::int64_t column = 0; column < std::min(count, kMaxColumns); ++column) {
            const auto at = static_cast<std::size_t>(column);
            table.header.append(at < feed.columns.size() ? text(feed.columns[at])
                                : count == 1             ? text(feed.name)
                                                         : QStringLiteral("%1[%2]").arg(text(feed.name)).arg(column));
            for (std::int64_t sample = 0; sample < batch.size(); ++sample) {
                table.rows[static_cast<std::size_t>(sample)].append(shown.text(values, sample, column));
            }
        }
    }
    for (std::size_t i = 0; i < batch.targets.size() && i < dataset.targets().size(); ++i) {
        table.header.append(text(dataset.targets()[i].name));
        for (std::int64_t sample = 0; sample < batch.size(); ++sample) {
            table.rows[static_cast<std::size_t>(sample)].append(
                targetValueText(values, dataset.targets()[i], batch.targets[i], sample));
        }
    }
    return table;
}

}  // namespace plumbline::gui
