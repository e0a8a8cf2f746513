// SPDX-License-Identifier: GPL-3.0-or-later
// What a person waits for in the window: opening a large model, an edit of it, and the event loop while a model trains.
// Prints JSON.
//     window_bench model [BLOCKS...]          opens each in the whole window and edits it; 1000 when left out
//     window_bench train PROJECT [SECONDS]    trains a copy of PROJECT with the Train page in front

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTimer>
#include <cstdio>
#include <filesystem>

#include "bench/bench.h"
#include "bench/graph/chain.h"
#include "core/files.h"
#include "gui/application.h"
#include "gui/convert.h"
#include "gui/file_controller.h"
#include "gui/main_window.h"
#include "gui/page.h"
#include "project/project.h"
#include "session/engine.h"

namespace {

using namespace plumbline;
using namespace plumbline::gui;

/// Until nothing is posted any more: what was changed has been painted.
void settle(const MainWindow& window, ProjectDocument& document) {
    do {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    } while (document.isChecking() || !window.currentPage()->isSettled());
    QCoreApplication::processEvents();
}

Json benchModel(int blocks) {
    QTemporaryDir folder;
    const std::filesystem::path path = filePath(folder.path()) / "chain";
    auto project = project::readProject(bench::chainProject(blocks), path);
    if (!project) {
        return {{"error", toSentence(project.error())}};
    }
    if (Status saved = makeFolder(path).and_then([&] { return project::saveProject(*project); }); !saved) {
        return {{"error", toSentence(saved.error())}};
    }
    MainWindow window;
    window.show();
    QCoreApplication::processEvents();
    ProjectDocument& document = window.workspace().document();
    Json result;
    // Reads, infers, lays out (there is no layout.json) and paints.
    result["open"] = bench::timed(1, [&] {
        (void)window.files().openNow(text(path));
        settle(window, document);
    });
    const std::string edited = "block" + std::to_string(blocks / 6 * 3);
    int channels = 16;
    const auto edit = [&] {
        (void)document.editModel(QStringLiteral("edit"), [&](graph::Document& model, Json&) {
            model.root.find(edited)->params["out_channels"] = ++channels;
            return Status();
        });
    };
    const int runs = blocks > 2000 ? 7 : 21;
    result["edit"] = bench::timed(runs, [&] { edit(); });
    settle(window, document);
    result["edit_and_paint"] = bench::timed(runs, [&] {
        edit();
        settle(window, document);
    });
    result["undo_and_paint"] = bench::timed(runs, [&] {
        document.undoStack()->undo();
        settle(window, document);
    });
    document.undoStack()->setClean();
    return result;
}

/// The longest time between two ticks of a 4 ms timer, and how much the window's thread computed in one such time.
class Heartbeat {
public:
    Heartbeat() {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(4);
        QObject::connect(&m_timer, &QTimer::timeout, [this] { beat(); });
    }
    void start() {
        m_wall.clear();
        m_work.clear();
        m_last = bench::Clock::now();
        m_lastWork = bench::threadMilliseconds();
        m_timer.start();
    }
    void stop() { m_timer.stop(); }
    Json result() const {
        const auto quantile = [](std::vector<double> values, double share) {
            std::sort(values.begin(), values.end());
            return values.empty() ? 0.0
                                  : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
        };
        return {{"ticks", m_wall.size()},
                {"longest_gap_ms", quantile(m_wall, 1)},
                {"gap_99_9_ms", quantile(m_wall, 0.999)},
                {"gap_99_ms", quantile(m_wall, 0.99)},
                {"longest_work_ms", quantile(m_work, 1)},
                {"work_99_9_ms", quantile(m_work, 0.999)}};
    }

private:
    void beat() {
        const double work = bench::threadMilliseconds();
        m_wall.push_back(bench::millisecondsSince(m_last));
        m_work.push_back(work - m_lastWork);
        m_last = bench::Clock::now();
        m_lastWork = work;
    }
    QTimer m_timer;
    std::vector<double> m_wall, m_work;
    bench::Clock::time_point m_last{};
    double m_lastWork = 0;
};

Json benchTraining(const std::filesystem::path& source, double seconds) {
    QTemporaryDir folder;
    const std::filesystem::path path = filePath(folder.path()) / source.filename();
    std::error_code error;
    std::filesystem::copy(source, path, std::filesystem::copy_options::recursive, error);
    std::filesystem::remove_all(path / "runs", error);
    MainWindow window;
    window.show();
    if (!window.files().openNow(text(path))) {
        return {{"error", "The project could not be opened."}};
    }
    window.showPage(QStringLiteral("train"));
    Workspace& workspace = window.workspace();
    RunBridge& bridge = workspace.bridge();
    (void)workspace.document().setSetting(QStringLiteral("training.stop.epochs"), 100000);

    QEventLoop loop;
    Heartbeat heartbeat;
    Json result;
    std::int64_t steps = 0;
    QElapsedTimer running;
    bool failed = false;
    QObject::connect(&bridge, &RunBridge::progressChanged, &loop, [&](const session::RunSink::Progress& progress) {
        if (!running.isValid()) {
            running.start();
            heartbeat.start();
            steps = progress.step;
            QTimer::singleShot(static_cast<int>(seconds * 1000), &loop, [&] {
                heartbeat.stop();
                result = heartbeat.result();
                result["steps_per_second"] =
                    1e3 * static_cast<double>(bridge.progress().step - steps) / static_cast<double>(running.elapsed());
                bridge.stop();
            });
        }
    });
    QObject::connect(&bridge, &RunBridge::finished, &loop, [&](const RunOutcome& outcome) {
        failed = outcome.error.has_value() || result.is_null();
        if (outcome.error) {
            result = {{"error", toSentence(*outcome.error)}};
        }
        loop.quit();
    });
    RunBridge::Start start;
    start.project = workspace.document().snapshot();
    bridge.start(start);
    loop.exec();
    workspace.document().undoStack()->setClean();
    workspace.document().close();
    return failed && result.is_null() ? Json{{"error", "The run ended before it was measured."}} : result;
}

}  // namespace

int main(int argc, char** argv) {
    letIdleThreadsSleep(argv);
    session::prepareProcess();
    QTemporaryDir home;
    for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME"}) {
        qputenv(variable, home.path().toUtf8());
    }
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") && qEnvironmentVariableIsEmpty("DISPLAY")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    setApplicationNames();
    QApplication application(argc, argv);
    installTranslations(QStringLiteral("en"));
    widgets::Theme::instance().install(application, widgets::ThemeMode::Light);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == QLatin1String("model")) {
        QStringList sizes = arguments.mid(2);
        if (sizes.isEmpty()) {
            sizes << QStringLiteral("1000");
        }
        Json result = Json::object();
        for (const QString& size : std::as_const(sizes)) {
            result[bytes(size) + "_blocks"] = benchModel(size.toInt());
        }
        return bench::print(result);
    }
    if (arguments.value(1) == QLatin1String("train") && arguments.size() > 2) {
        return bench::print(benchTraining(std::filesystem::absolute(filePath(arguments[2])),
                                          arguments.value(3, QStringLiteral("10")).toDouble()));
    }
    std::fputs("window_bench model [BLOCKS...] | train PROJECT [SECONDS]\n", stderr);
    return 2;
}
