// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/matrix_events.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "gui/convert.h"
#include "store/run_store.h"
#include "widgets/csv_cell.h"

namespace plumbline::gui {

namespace {

std::int64_t integerAt(const Json& event, const char* key) {
    const auto found = event.find(key);
    return found != event.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::size_t cellsOf(const Json& event) {
    std::size_t cells = 0;
    const auto matrices = event.find("matrices");
    if (matrices != event.end() && matrices->is_object()) {
        for (const Json& matrix : *matrices) {
            const auto counts = matrix.find("counts");
            if (counts != matrix.end() && counts->is_array()) {
                for (const Json& row : *counts) {
                    cells += row.size();
                }
            }
        }
    }
    return cells;
}

/// The newest events of a run that have metrics, so many that their matrices fit; oldest first, the test's last.
Result<std::vector<Json>> newestEvents(const store::RunReader& reader, std::size_t mostCells, bool& isCut) {
    constexpr std::int64_t kWidest = 64;  ///< events that are read at a time
    // Wider while none has a matrix; from then on so many that theirs take little beside the limit.
    PLUMBLINE_ASSIGN(const std::int64_t newest, reader.newestEventNumber());
    PLUMBLINE_ASSIGN(std::vector<Json> tests, reader.eventsOfKind("test", 0, newest));
    std::vector<Json> kept;
    std::size_t cells = 0;
    isCut = false;
    std::size_t largest = 0;
    for (std::int64_t last = newest, window = 1, next = 1; last > 0 && !isCut; last -= window) {
        window = next;
        PLUMBLINE_ASSIGN(std::vector<Json> epochs,
                         reader.eventsOfKind("epoch", std::max<std::int64_t>(0, last - window), last));
        for (auto event = epochs.rbegin(); event != epochs.rend() && !isCut; ++event) {
            const std::size_t own = cellsOf(*event);
            largest = std::max(largest, own);
            isCut = cells > 0 && cells + own > mostCells;
            if (!isCut) {
                cells += own;
                kept.push_back(std::move(*event));
            }
        }
        next = largest == 0 ? std::min(2 * window, newest)
                            : std::clamp<std::int64_t>(static_cast<std::int64_t>(mostCells / 16 / largest), 1, kWidest);
    }
    std::reverse(kept.begin(), kept.end());
    std::move(tests.begin(), tests.end(), std::back_inserter(kept));
    return kept;
}

/// Whether an epoch that was not read has a better value. The series keeps it with fewer digits than the event.
bool isBetterElsewhere(const store::RunInfo& info, double best) {
    const double slack = 1e-6 * std::abs(best);
    return info.best && (info.bestIsMax ? *info.best > best + slack : *info.best < best - slack);
}

}  // namespace

qint64 ConfusionMatrix::ofClass(int truth) const {
    const auto row = counts.begin() + static_cast<std::ptrdiff_t>(truth) * classes.size();
    return std::accumulate(row, row + classes.size(), qint64{0});
}

qint64 ConfusionMatrix::samples() const {
    return std::accumulate(counts.begin(), counts.end(), qint64{0});
}

qint64 ConfusionMatrix::right() const {
    qint64 sum = 0;
    for (int i = 0; i < size(); ++i) {
        sum += at(i, i);
    }
    return sum;
}

double ConfusionMatrix::share(int truth, int predicted) const {
    const qint64 all = ofClass(truth);
    return all == 0 ? std::numeric_limits<double>::quiet_NaN()
                    : static_cast<double>(at(truth, predicted)) / static_cast<double>(all);
}

QString ConfusionMatrix::toCsv() const {
    QString csv = QStringLiteral("true\\predicted");
    for (const QString& name : classes) {
        csv += QLatin1Char(',') + widgets::csvCell(name);
    }
    for (int truth = 0; truth < size(); ++truth) {
        csv += QLatin1Char('\n') + widgets::csvCell(classes[truth]);
        for (int predicted = 0; predicted < size(); ++predicted) {
            csv += QLatin1Char(',') + QString::number(at(truth, predicted));
        }
    }
    return csv + QLatin1Char('\n');
}

std::optional<ConfusionMatrix> matrixOfJson(const Json& json) {
    const auto isList = [](const Json& object, const char* key) {
        return object.is_object() && object.contains(key) && object.at(key).is_array();
    };
    if (!isList(json, "classes") || !isList(json, "counts") || json.at("classes").size() != json.at("counts").size()) {
        return std::nullopt;
    }
    ConfusionMatrix matrix;
    for (const Json& name : json.at("classes")) {
        matrix.classes << (name.is_string() ? text(name.get<std::string>()) : text(name.dump()));
    }
    for (const Json& row : json.at("counts")) {
        if (!row.is_array() || row.size() != json.at("classes").size()) {
            return std::nullopt;
        }
        for (const Json& count : row) {
            if (!count.is_number_integer()) {
                return std::nullopt;
            }
            matrix.counts.push_back(count.get<std::int64_t>());
        }
    }
    return matrix;
}

RunMatrices matricesOfEvents(const std::vector<Json>& events, const std::string& bestSeries, bool isMax) {
    RunMatrices all;
    std::optional<double> best;
    std::int64_t bestEpoch = 0;
    for (const Json& event : events) {
        const std::string kind = event.is_object() && event.contains("event") && event.at("event").is_string()
                                     ? event.at("event").get<std::string>()
                                     : std::string();
        if (kind != "epoch" && kind != "test") {
            continue;
        }
        const std::int64_t epoch = kind == "epoch" ? integerAt(event, "epoch") : 0;
        if (const auto metrics = event.find("metrics");
            kind == "epoch" && metrics != event.end() && metrics->is_object() && metrics->contains(bestSeries)) {
            const Json& value = metrics->at(bestSeries);
            if (value.is_number() && (!best || (isMax ? value.get<double>() > *best : value.get<double>() < *best))) {
                best = value.get<double>();
                bestEpoch = epoch;
            }
        }
        const auto matrices = event.find("matrices");
        if (matrices == event.end() || !matrices->is_object()) {
            continue;
        }
        for (const auto& [name, json] : matrices->items()) {
            if (auto matrix = matrixOfJson(json); matrix && matrix->size() > 0) {
                all.records.push_back({text(name), epoch, integerAt(event, "step"), false, std::move(*matrix)});
            }
        }
    }
    if (best) {
        all.best = best;
        all.bestSeries = text(bestSeries);
        for (MatrixRecord& record : all.records) {
            record.best = record.epoch == bestEpoch;
        }
    }
    return all;
}

Result<RunMatrices> readMatrices(const std::filesystem::path& runFolder, std::size_t mostCells) {
    PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(runFolder));
    PLUMBLINE_ASSIGN(const store::RunInfo info, reader->info());
    bool isCut = false;
    PLUMBLINE_ASSIGN(const std::vector<Json> events, newestEvents(*reader, mostCells, isCut));
    RunMatrices all = matricesOfEvents(events, info.bestSeries, info.bestIsMax);
    all.isCut = isCut;
    if (isCut && all.best && isBetterElsewhere(info, *all.best)) {
        all.best.reset();
        all.bestSeries.clear();
        for (MatrixRecord& record : all.records) {
            record.best = false;
        }
    }
    return all;
}

std::vector<Confusion> largestConfusions(const ConfusionMatrix& matrix, std::size_t most) {
    std::vector<Confusion> all;
    for (int truth = 0; truth < matrix.size(); ++truth) {
        for (int predicted = 0; predicted < matrix.size(); ++predicted) {
            if (const qint64 count = matrix.at(truth, predicted); truth != predicted && count > 0) {
                all.push_back({truth, predicted, count});
            }
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const Confusion& a, const Confusion& b) { return a.count > b.count; });
    all.resize(std::min(all.size(), most));
    return all;
}

}  // namespace plumbline::gui
