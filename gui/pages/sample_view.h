// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of a batch as a person sees them: pictures for images, rows for anything else.
#pragma once

#include <QStringList>
#include <optional>
#include <vector>

#include "data/dataset.h"
#include "widgets/image_grid.h"

namespace plumbline::gui {

/// Whether an input can be shown as pictures: [1 or 3, H, W].
bool isPicture(const data::FeedInfo& feed);
/// One picture a sample of the first picture input, values stretched over all of the batch; the caption is its target.
std::vector<widgets::GridImage> samplePictures(const data::Dataset& dataset, const data::HostBatch& batch);
/// The target of a sample in words: the class's name, or the number as the data have it.
QString targetText(const data::Dataset& dataset, const data::HostBatch& batch, std::int64_t sample);

/// The single number of a sample's target as the data have it; nothing where it is more than one.
std::optional<double> targetNumber(const data::Dataset& dataset, const data::HostBatch& batch, std::size_t target,
                                   std::int64_t sample);
/// Whether rows have values of the data that differ from what the model gets.
bool hasRawValues(const data::Dataset& dataset);

/// Which values a table of samples shows.
enum class Values { Raw, Model, Both };

/// Header and rows of a table: every element of small inputs, then the targets.
struct SampleTable {
    QStringList header;
    std::vector<QStringList> rows;
};
SampleTable sampleRows(const data::Dataset& dataset, const data::HostBatch& batch, Values values = Values::Raw);
/// One value as a cell says it.
QString shownValue(Values values, double raw, double model);

}  // namespace plumbline::gui
