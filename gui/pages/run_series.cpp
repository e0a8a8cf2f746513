// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/run_series.h"

#include "gui/convert.h"
#include "store/run_store.h"

namespace plumbline::gui {

Result<StoredRun> readStoredRun(const std::filesystem::path& runFolder, const QString& only) {
    PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(runFolder));
    PLUMBLINE_ASSIGN(const auto all, reader->series());
    StoredRun run;
    for (const store::StoredSeries& stored : all) {
        SeriesChunk chunk;
        chunk.series = text(stored.name);
        if (!only.isEmpty() && chunk.series != only) {
            continue;
        }
        const auto count = static_cast<std::size_t>(stored.count);
        for (auto* column : {&chunk.step, &chunk.epoch, &chunk.seconds, &chunk.value}) {
            column->reserve(count);
        }
        PLUMBLINE_TRY(reader->points(stored.name, [&chunk](const store::StoredPoint& point) {
            chunk.step.push_back(static_cast<double>(point.step));
            chunk.epoch.push_back(point.epoch);
            chunk.seconds.push_back(point.elapsedMs / 1000.0);
            chunk.value.push_back(point.value);
        }));
        run.series.append(std::move(chunk));
    }
    PLUMBLINE_ASSIGN(run.findings, reader->findings());
    PLUMBLINE_ASSIGN(run.summary, reader->record("summary"));
    return run;
}

}  // namespace plumbline::gui
