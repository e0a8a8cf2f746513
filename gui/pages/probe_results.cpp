// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/probe_results.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <vector>

#include "diagnostics/finding.h"
#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/help_viewer.h"
#include "gui/issues/issue_panel.h"
#include "gui/pages/probe_tables.h"
#include "gui/workspace.h"
#include "widgets/filter_table.h"
#include "widgets/flame_chart.h"
#include "widgets/plot_widget.h"

namespace plumbline::gui {

using namespace widgets;
using session::ProbeKind;

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ProbeResults)
};

constexpr int kPlotHeight = 220, kMemoryHeight = 160;
constexpr int kFactsWidth = 340;

QString sentenceOf(const Json& report) {
    return engineSentence(report.value("explanation", std::string()));
}

QWidget* column(QWidget* parent) {
    auto* box = new QWidget(parent);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::kMedium);
    return box;
}

/// Facts on the left, what has many rows on the right.
QSplitter* beside(FilterTable* facts, FilterTable* rows, const QString& name, QWidget* parent) {
    auto* splitter = new QSplitter(parent);
    splitter->setObjectName(name);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(facts);
    splitter->addWidget(rows);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({kFactsWidth, 2 * kFactsWidth});
    return splitter;
}

PlotWidget* plot(const QString& name, const QString& title, const QString& unit, QWidget* parent) {
    auto* made = new PlotWidget(parent);
    made->setObjectName(name);
    made->setTitle(title);
    made->setAccessibleName(title);
    made->setYLabel(unit);
    made->setEmptyText(Words::tr("There is no point to draw."));
    made->setMinimumHeight(kPlotHeight);
    return made;
}

void openBlocks(FilterTable* table, Workspace& workspace) {
    QObject::connect(table, &FilterTable::rowActivated, &workspace,
                     [table, &workspace](int row) { workspace.showBlock(cellText(*table, row, 0)); });
}

// ---- Preflight ----

IssuePanel* findingsPanel(const Json& findings, const Json& warnings, Workspace& workspace, QWidget* parent) {
    QList<Issue> issues;
    for (const Json& each : warnings) {
        graph::Problem problem{graph::Severity::kWarning, each.value("code", std::string()), {}, {}, {}, {}};
        problem.pointer = each.value("pointer", std::string());
        problem.message = each.value("message", std::string());
        issues << issueOf(problem);
    }
    for (const Json& each : findings) {
        if (const auto finding = diagnostics::findingFromJson(each)) {
            issues << issueOf(*finding);
        }
    }
    auto* panel = new IssuePanel(QStringLiteral("probe_findings"), parent);
    panel->setEmptyText(Words::tr("No detector found anything."));
    panel->setRemedyProbe([&workspace](const graph::Remedy& remedy) {
        return workspace.document().isOpen() ? remedyState(workspace.document().project().json, remedy) : RemedyState();
    });
    panel->setIssues(issues);
    QObject::connect(panel, &IssuePanel::activated, &workspace, [&workspace](const Issue& issue) {
        if (!issue.block.isEmpty()) {
            workspace.showBlock(issue.block);
        }
    });
    QObject::connect(panel, &IssuePanel::remedyChosen, &workspace, &Workspace::applyRemedy);
    QObject::connect(panel, &IssuePanel::explanationWanted, panel, [panel, &workspace](const QString& code) {
        if (!showDocumentation(panel->window(), QStringLiteral("detectors/%1.md").arg(code))) {
            workspace.tell(Severity::Info, Words::tr("The page about %1 is not installed.").arg(code));
        }
    });
    QObject::connect(&workspace.document(), &ProjectDocument::changed, panel,
                     [panel, issues] { panel->setIssues(issues); });
    panel->setMinimumHeight(kMemoryHeight);
    return panel;
}

ProbeView preflight(const Json& report, Workspace& workspace, QWidget* parent) {
    const Json training = report.value("training", Json::object()), validation = report.value("validation", Json());
    const Json memory = report.value("memory", Json::object()), findings = report.value("findings", Json::array());
    QWidget* box = column(parent);

    FactList facts;
    facts.add(Words::tr("Training batch"), millisecondsText(numberAt(training, "batch_ms")));
    facts.add(Words::tr("Waiting for the loader"), millisecondsText(numberAt(training, "loader_wait_ms")));
    facts.add(Words::tr("Loss"), valueText(numberAt(training, "loss")));
    if (validation.is_object()) {
        facts.add(Words::tr("Validation batch"), millisecondsText(numberAt(validation, "batch_ms")));
        const Json metrics = validation.value("metrics", Json::object());
        for (const auto& [name, value] : metrics.items()) {
            facts.add(text(name), valueText(value.is_number() ? value.get<double>() : std::nan("")));
        }
    } else {
        facts.add(Words::tr("Validation"), Words::tr("none: the split is empty"));
    }
    facts.add(Words::tr("Steps in an epoch"), wholeText(numberAt(report, "steps_per_epoch")));
    facts.add(Words::tr("An epoch, about"), secondsText(numberAt(report, "epoch_seconds")));
    facts.add(Words::tr("The run, about"), secondsText(numberAt(report, "run_seconds")));
    facts.add(Words::tr("Tensors at most"), memoryText(numberAt(report, "peak_memory_bytes")));
    facts.add(Words::tr("Parameters"), memoryText(numberAt(memory, "parameters")));
    facts.add(Words::tr("Gradients"), memoryText(numberAt(memory, "gradients")));
    facts.add(Words::tr("Optimizer state"), memoryText(numberAt(memory, "optimizer_state")));
    if (numberAt(memory, "averages") > 0) {
        facts.add(Words::tr("Averaged weights"), memoryText(numberAt(memory, "averages")));
    }
    facts.add(Words::tr("Prefetched batches"), memoryText(numberAt(memory, "prefetch")));

    std::vector<TableColumn> columns{{Words::tr("Block")},
                                     {Words::tr("Type")},
                                     {Words::tr("Forward (ms)"), true},
                                     {Words::tr("Keeps"), true},
                                     {Words::tr("Peak"), true}};
    FilterTable* blocks = makeTable(QStringLiteral("probe_blocks"), Words::tr("Blocks by memory"), columns, box);
    const Json list = report.value("blocks", Json::array());
    for (const Json& block : list) {
        addRow(*blocks, {textCell(block, "block"), textCell(block, "type"), millisecondsCell(block, "forward_ms"),
                         memoryCell(block, "kept_bytes"), memoryCell(block, "peak_bytes")});
    }
    finishTable(*blocks, 4, Qt::DescendingOrder);
    openBlocks(blocks, workspace);
    box->layout()->addWidget(beside(facts.table(QStringLiteral("probe_facts"), Words::tr("What a run will take"), box),
                                    blocks, QStringLiteral("probe_splitter"), box));
    const Json warnings = report.value("warnings", Json::array());
    if (!findings.empty() || !warnings.empty()) {
        box->layout()->addWidget(findingsPanel(findings, warnings, workspace, box));
    }

    ProbeView view;
    view.widget = box;
    view.severity = warnings.empty() ? Severity::Good : Severity::Warning;
    for (const Json& finding : findings) {
        const std::string severity = finding.value("severity", std::string());
        view.severity = std::max(view.severity, severity == "critical"  ? Severity::Critical
                                                : severity == "warning" ? Severity::Warning
                                                                        : Severity::Info);
    }
    view.sentence =
        Words::tr("A training batch takes %1, an epoch of %2 about %3, the run about %4; tensors take at most %5.")
            .arg(millisecondsText(numberAt(training, "batch_ms")),
                 Words::tr("%n step(s)", nullptr, static_cast<int>(report.value("steps_per_epoch", std::int64_t{0}))),
                 secondsText(numberAt(report, "epoch_seconds")), secondsText(numberAt(report, "run_seconds")),
                 memoryText(numberAt(report, "peak_memory_bytes")));
    view.sentence += QLatin1Char(' ') +
                     (findings.empty() ? Words::tr("No detector found anything.")
                                       : Words::tr("%n finding(s) below.", nullptr, static_cast<int>(findings.size())));
    if (!warnings.empty()) {
        view.sentence +=
            QLatin1Char(' ') + Words::tr("%n warning(s) below.", nullptr, static_cast<int>(warnings.size()));
    }
    return view;
}

// ---- Learning rate ----

ProbeView learningRate(const Json& report, QWidget* parent) {
    QWidget* box = column(parent);
    const double suggested = numberAt(report, "suggested"), diverged = numberAt(report, "diverged_at");
    std::vector<double> rates, losses, smoothed;
    FilterTable* table = makeTable(
        QStringLiteral("probe_points"), Words::tr("Loss at each rate"),
        {{Words::tr("Learning rate"), true}, {Words::tr("Loss"), true}, {Words::tr("Smoothed loss"), true}}, box);
    int marked = -1;
    const Json points = report.value("points", Json::array());
    for (const Json& point : points) {
        rates.push_back(point.at(0).get<double>());
        losses.push_back(point.at(1).get<double>());
        smoothed.push_back(point.at(2).get<double>());
        const bool here = rates.back() == suggested;
        marked = here ? static_cast<int>(rates.size()) - 1 : marked;
        addRow(*table, {markedCell(valueText(rates.back()), rates.back(), here ? Words::tr("suggested") : QString()),
                        numberCell(losses.back()), numberCell(smoothed.back())});
    }
    finishTable(*table, -1, Qt::AscendingOrder);
    table->selectRow(marked);

    PlotWidget* curve = plot(QStringLiteral("probe_curve"), Words::tr("Loss by learning rate"), Words::tr("loss"), box);
    curve->setXName(Words::tr("learning rate"));
    curve->setXLog(true);
    curve->addSeries({.id = QStringLiteral("loss"), .name = Words::tr("Loss"), .curve = 5, .style = Qt::DotLine});
    curve->addSeries({.id = QStringLiteral("smoothed"), .name = Words::tr("Smoothed loss"), .curve = 0});
    curve->append(QStringLiteral("loss"), rates, losses);
    curve->append(QStringLiteral("smoothed"), rates, smoothed);
    std::vector<PlotMark> marks;
    if (std::isfinite(suggested)) {
        marks.push_back({QStringLiteral("suggested"), suggested, Severity::Good,
                         Words::tr("Suggested: %1").arg(valueText(suggested))});
    }
    if (std::isfinite(diverged)) {
        marks.push_back({QStringLiteral("diverged"), diverged, Severity::Warning,
                         Words::tr("Diverges at %1").arg(valueText(diverged))});
    }
    curve->setMarks(marks);
    box->layout()->addWidget(curve);
    box->layout()->addWidget(table);

    ProbeView view{std::isfinite(suggested) ? Severity::Good : Severity::Warning, sentenceOf(report), box, {}};
    const Json changes = report.value("changes", Json::array());
    if (std::isfinite(suggested) && !changes.empty()) {
        const QString shown = valueText(numberAt(changes.front(), "value")),
                      name = text(changes.front().value("path", "")).section(QLatin1Char('.'), -1);
        ProbeChange change{text(changes.front().value("path", "")),
                           numberAt(changes.front(), "value"),
                           {},
                           Words::tr("Set the learning rate to %1").arg(shown),
                           Words::tr("The learning rate is %1 now. Undo (Ctrl+Z) takes it back.").arg(shown)};
        if (changes.size() > 1) {
            for (std::size_t i = 1; i < changes.size(); ++i) {
                change.others.emplace_back(text(changes[i].value("path", "")), numberAt(changes[i], "value"));
            }
            const QString factor = valueText(numberAt(report, "factor"));
            change.button = Words::tr("Multiply all learning rates by %1").arg(factor);
            change.done = Words::tr(
                              "All learning rates are %1 times what they were, and the highest is %2 now. Undo "
                              "(Ctrl+Z) takes it back.")
                              .arg(factor, valueText(QString::number(suggested, 'g', 2).toDouble()));
        } else if (name != QStringLiteral("lr")) {
            change.button = Words::tr("Set %1 to %2").arg(name, shown);
            change.done = Words::tr("%1 is %2 now. Undo (Ctrl+Z) takes it back.").arg(name, shown);
        }
        view.change = std::move(change);
    }
    return view;
}

// ---- Batch size ----

ProbeView batchSize(const Json& report, QWidget* parent) {
    QWidget* box = column(parent);
    const double chosen = numberAt(report, "chosen");
    FilterTable* table = makeTable(QStringLiteral("probe_sizes"), Words::tr("Batch sizes that were tried"),
                                   {{Words::tr("Batch size"), true},
                                    {Words::tr("Step (ms)"), true},
                                    {Words::tr("Samples/s"), true},
                                    {Words::tr("Tensors"), true}},
                                   box);
    int marked = -1, row = 0;
    const Json sizes = report.value("sizes", Json::array());
    for (const Json& size : sizes) {
        const double batch = numberAt(size, "batch_size");
        marked = batch == chosen ? row : marked;
        addRow(*table, {markedCell(wholeText(batch), batch, batch == chosen ? Words::tr("chosen") : QString()),
                        millisecondsCell(size, "step_ms"), countCell(size, "samples_per_second"),
                        memoryCell(size, "peak_memory_bytes")});
        ++row;
    }
    finishTable(*table, -1, Qt::AscendingOrder);
    table->selectRow(marked);
    box->layout()->addWidget(table);
    auto* detail = new QLabel(
        Words::tr("A sample takes about %1; tensors may take %2.")
            .arg(memoryText(numberAt(report, "bytes_per_sample")), memoryText(numberAt(report, "budget_bytes"))),
        box);
    detail->setObjectName(QStringLiteral("probe_detail"));
    const Json left = report.value("not_tried", Json::array());
    for (const Json& size : left) {
        detail->setText(detail->text() + QLatin1Char('\n') +
                        Words::tr("%1 was not measured: %2")
                            .arg(wholeText(numberAt(size, "batch_size")), engineSentence(size.value("reason", ""))));
    }
    detail->setWordWrap(true);
    detail->setForegroundRole(QPalette::PlaceholderText);
    box->layout()->addWidget(detail);

    ProbeView view{std::isfinite(chosen) ? Severity::Good : Severity::Warning, sentenceOf(report), box, {}};
    if (std::isfinite(chosen)) {
        view.sentence = Words::tr("A batch of %1 is chosen.").arg(wholeText(chosen)) + QLatin1Char(' ') + view.sentence;
        view.change =
            ProbeChange{QStringLiteral("data.loader.batch_size"),
                        static_cast<qint64>(chosen),
                        {},
                        Words::tr("Set the batch size to %1").arg(wholeText(chosen)),
                        Words::tr("The batch size is %1 now. Undo (Ctrl+Z) takes it back.").arg(wholeText(chosen))};
    }
    return view;
}

// ---- Overfit ----

ProbeView overfit(const Json& report, QWidget* parent) {
    QWidget* box = column(parent);
    std::vector<double> steps, losses;
    const Json list = report.value("losses", Json::array());
    for (const Json& loss : list) {
        steps.push_back(static_cast<double>(steps.size() + 1));
        losses.push_back(loss.is_number() ? loss.get<double>() : std::nan(""));
    }
    PlotWidget* curve =
        plot(QStringLiteral("probe_curve"), Words::tr("Loss on the first batch"), Words::tr("loss"), box);
    curve->addSeries({.id = QStringLiteral("loss"), .name = Words::tr("Loss"), .curve = 0, .smooth = false});
    curve->append(QStringLiteral("loss"), steps, losses);
    FactList facts;
    facts.add(Words::tr("Steps"), wholeText(numberAt(report, "steps")));
    facts.add(Words::tr("First loss"), valueText(numberAt(report, "first_loss")));
    facts.add(Words::tr("Last loss"), valueText(numberAt(report, "last_loss")));
    const Json metrics = report.value("metrics", Json::object());
    for (const auto& [name, value] : metrics.items()) {
        facts.add(text(name), valueText(value.is_number() ? value.get<double>() : std::nan("")));
    }
    box->layout()->addWidget(curve);
    box->layout()->addWidget(
        facts.table(QStringLiteral("probe_facts"), Words::tr("What the first batch came to"), box));
    return {report.value("passed", false) ? Severity::Good : Severity::Warning, sentenceOf(report), box, {}};
}

// ---- Profile ----

struct PhaseName {
    const char* key;
    QString name;
    int curve;
};

std::vector<PhaseName> phaseNames() {
    return {{"loader_wait_ms", Words::tr("Waiting for the loader"), 1},
            {"to_device_ms", Words::tr("Copying to the device"), 4},
            {"forward_ms", Words::tr("Forward"), 0},
            {"loss_ms", Words::tr("Loss"), 5},
            {"backward_ms", Words::tr("Backward"), 2},
            {"optimizer_ms", Words::tr("Optimizer"), 3},
            {"monitor_ms", Words::tr("Monitor"), 4},
            {"other_ms", Words::tr("Other"), 5}};
}

/// The blocks of a phase below it, one after the other; never wider than the phase.
void addBlocks(std::vector<FlameSpan>& spans, const Json& blocks, const char* key, const FlameSpan& phase,
               const QString& pass, double total, bool backwards) {
    double sum = 0;
    for (const Json& block : blocks) {
        sum += std::max(0.0, numberAt(block, key));
    }
    const double scale = sum > phase.length ? phase.length / sum : 1;
    double start = phase.start;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Json& block = blocks[backwards ? blocks.size() - 1 - i : i];
        const QString path = text(block.value("block", std::string()));
        const double ms = std::max(0.0, numberAt(block, key));
        const QString detail =
            Words::tr("%1, %2: %3, %4 %")
                .arg(path, pass, millisecondsText(ms), QString::number(total > 0 ? 100 * ms / total : 0, 'f', 1));
        spans.push_back({path, detail, 1, start, ms * scale, phase.curve, path});
        start += ms * scale;
    }
}

/// Memory of the last step: time in ms, bytes as MB.
PlotWidget* memoryPlot(const Json& memory, QWidget* parent) {
    std::vector<double> times, megabytes;
    const Json timeline = memory.value("timeline", Json::array());
    for (const Json& moment : timeline) {
        times.push_back(moment.at(0).get<double>());
        megabytes.push_back(moment.at(1).get<double>() / 1e6);
    }
    PlotWidget* curve =
        plot(QStringLiteral("probe_memory"), Words::tr("Memory in the last step"), Words::tr("tensors (MB)"), parent);
    curve->setXName(Words::tr("time in ms"));
    curve->addSeries({.id = QStringLiteral("tensors"),
                      .name = Words::tr("Tensors"),
                      .curve = 0,
                      .smooth = false,
                      .unit = QStringLiteral("MB")});
    curve->append(QStringLiteral("tensors"), times, megabytes);
    curve->setMinimumHeight(kMemoryHeight);
    return curve;
}

ProbeView profile(const Json& report, Workspace& workspace, QWidget* parent) {
    QWidget* box = column(parent);
    const Json phases = report.value("phases", Json::object()), blocks = report.value("blocks", Json::array()),
               memory = report.value("memory", Json::object());
    const double total = numberAt(phases, "total_ms");
    std::vector<FlameSpan> spans;
    FilterTable* phaseTable =
        makeTable(QStringLiteral("probe_phases"), Words::tr("Phases of a step"),
                  {{Words::tr("Phase")}, {Words::tr("Step (ms)"), true}, {Words::tr("Share"), true}}, box);
    double start = 0, largest = -1;
    QString largestName;
    for (const PhaseName& phase : phaseNames()) {
        const double ms = numberAt(phases, phase.key), length = std::isfinite(ms) ? ms : 0;
        const double share = total > 0 ? 100 * length / total : 0;
        const QString percent = QStringLiteral("%1 %").arg(share, 0, 'f', 1);
        spans.push_back({phase.name,
                         Words::tr("%1: %2, %3").arg(phase.name, millisecondsText(ms), percent),
                         0,
                         start,
                         length,
                         phase.curve,
                         {}});
        start += length;
        addRow(*phaseTable, {{phase.name, phase.name, {}}, millisecondsCell(phases, phase.key), {percent, share, {}}});
        if (length > largest) {
            largest = length;
            largestName = phase.name;
        }
    }
    finishTable(*phaseTable, -1, Qt::AscendingOrder);
    const std::vector<FlameSpan> above = spans;
    addBlocks(spans, blocks, "forward_ms", above[2], Words::tr("forward"), total, false);
    addBlocks(spans, blocks, "backward_ms", above[4], Words::tr("backward"), total, true);
    auto* flame = new FlameChart(box);
    flame->setObjectName(QStringLiteral("probe_flame"));
    flame->setAccessibleName(
        Words::tr("Where a step's time goes: phases, below them the blocks' forward and backward"));
    flame->setSpans(std::move(spans), std::max(total, start));

    FilterTable* table = makeTable(QStringLiteral("probe_blocks"), Words::tr("Blocks by time"),
                                   {{Words::tr("Block")},
                                    {Words::tr("Type")},
                                    {Words::tr("Forward (ms)"), true},
                                    {Words::tr("Backward (ms)"), true},
                                    {Words::tr("Keeps"), true},
                                    {Words::tr("Grows by"), true}},
                                   box);
    for (const Json& block : blocks) {
        addRow(*table, {textCell(block, "block"), textCell(block, "type"), millisecondsCell(block, "forward_ms"),
                        millisecondsCell(block, "backward_ms"), memoryCell(block, "kept_bytes"),
                        memoryCell(block, "growth_bytes")});
    }
    finishTable(*table, -1, Qt::AscendingOrder);
    openBlocks(table, workspace);
    QObject::connect(flame, &FlameChart::spanActivated, table, [table](const QString& path) {
        for (int row = 0; row < rowCount(*table); ++row) {
            if (cellText(*table, row, 0) == path) {
                table->selectRow(row);
            }
        }
    });
    box->layout()->addWidget(flame);
    box->layout()->addWidget(beside(phaseTable, table, QStringLiteral("probe_splitter"), box));
    box->layout()->addWidget(memoryPlot(memory, box));

    const double growth = numberAt(memory, "growth_bytes");
    ProbeView view;
    view.widget = box;
    view.sentence =
        Words::tr("A step takes %1, most of it (%2 %) in: %3.")
            .arg(millisecondsText(total), QString::number(total > 0 ? 100 * largest / total : 0, 'f', 0), largestName) +
        QLatin1Char(' ') +
        (growth > 0 ? Words::tr("Tensors grew by %1 from the first profiled step to the last.").arg(memoryText(growth))
                    : Words::tr("Tensors did not grow from step to step."));
    if (const auto most = std::max_element(
            blocks.begin(), blocks.end(),
            [](const Json& a, const Json& b) { return numberAt(a, "growth_bytes") < numberAt(b, "growth_bytes"); });
        growth > 0 && most != blocks.end() && numberAt(*most, "growth_bytes") > 0) {
        view.sentence +=
            QLatin1Char(' ') + Words::tr("Most of it belongs to %1.").arg(text(most->value("block", std::string())));
    }
    if (const std::string trace = report.value("trace", std::string()); !trace.empty()) {
        view.sentence +=
            QLatin1Char(' ') + Words::tr("The trace is in %1; chrome://tracing and Perfetto open it.").arg(text(trace));
    }
    return view;
}

}  // namespace

ProbeView makeProbeView(ProbeKind kind, const Json& report, Workspace& workspace, QWidget* parent) {
    switch (kind) {
        case ProbeKind::kPreflight:
            return preflight(report, workspace, parent);
        case ProbeKind::kLearningRate:
            return learningRate(report, parent);
        case ProbeKind::kBatchSize:
            return batchSize(report, parent);
        case ProbeKind::kOverfit:
            return overfit(report, parent);
        case ProbeKind::kProfile:
            break;
    }
    return profile(report, workspace, parent);
}

}  // namespace plumbline::gui
