// SPDX-License-Identifier: GPL-3.0-or-later
// The confusion matrices that a run has in its events.
#pragma once

#include <QString>
#include <QStringList>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/json.h"

namespace plumbline::gui {

/// Square: as many rows as classes.
struct ConfusionMatrix {
    QStringList classes;
    std::vector<qint64> counts;  ///< row by row; a row a true class, a column a predicted one

    int size() const { return static_cast<int>(classes.size()); }
    qint64 at(int truth, int predicted) const {
        return counts[static_cast<std::size_t>(truth) * classes.size() + static_cast<std::size_t>(predicted)];
    }
    /// Samples of a true class.
    qint64 ofClass(int truth) const;
    qint64 samples() const;
    qint64 right() const;
    /// 0 to 1 of the true class's samples; NaN where it has none.
    double share(int truth, int predicted) const;
    /// A header line with the predicted classes, a line a true class; fields quoted where they have to be.
    QString toCsv() const;
};

/// One matrix of a run.
struct MatrixRecord {
    QString metric;    ///< "val.confusion_matrix"
    qint64 epoch = 0;  ///< counted from 1; 0 of the test after the training
    qint64 step = 0;
    bool best = false;  ///< of the epoch with the best value of the series that chooses the run's best checkpoint
    ConfusionMatrix matrix;
};

struct RunMatrices {
    std::vector<MatrixRecord> records;  ///< in the order of the run
    QString bestSeries;                 ///< what `best` goes by; empty where no epoch has a value of it
    std::optional<double> best;         ///< the best value of it
    bool isCut = false;                 ///< the run has older ones, which were not read
};

/// Nothing where the JSON is no matrix as `docs/metrics.md` describes it.
std::optional<ConfusionMatrix> matrixOfJson(const Json& json);
/// From the events of a run; `bestSeries` and `isMax` as store::RunInfo has them.
RunMatrices matricesOfEvents(const std::vector<Json>& events, const std::string& bestSeries, bool isMax);
/// Cells that are read of a run: with their JSON about 400 MB for a moment, 130 MB from then on.
constexpr std::size_t kMostCells = 16'000'000;
/// The newest ones whose cells are no more than `mostCells` together, and one event beyond. Takes a while: call it with
/// runInBackground().
Result<RunMatrices> readMatrices(const std::filesystem::path& runFolder, std::size_t mostCells = kMostCells);

/// Two classes that are taken for each other.
struct Confusion {
    int truth = 0, predicted = 0;
    qint64 count = 0;
};

/// Off the diagonal and above 0, the largest count first; at most so many.
std::vector<Confusion> largestConfusions(const ConfusionMatrix& matrix, std::size_t most);

}  // namespace plumbline::gui
