// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/run_series.h"

#include "gui/convert.h"
#include "session/run_files.h"
#include "store/run_store.h"
#include "widgets/form_widget.h"

namespace plumbline::gui {

LiveChange liveChange(std::int64_t stepsDone, const std::string& path, const Json& value) {
    return {static_cast<double>(stepsDone + 1), text(path),
            value.is_number_float() ? widgets::plainNumber(value.get<double>()) : text(value.dump())};
}

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
    if (only.isEmpty()) {
        PLUMBLINE_ASSIGN(const auto commands, session::commandsOfRun(*reader));
        for (const session::RecordedCommand& command : commands) {
            run.changes << liveChange(command.step, command.command.path, command.command.value);
        }
    }
    PLUMBLINE_ASSIGN(run.summary, reader->record("summary"));
    return run;
}

}  // namespace plumbline::gui
