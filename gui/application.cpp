// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/application.h"

#include <dlfcn.h>
#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QLibraryInfo>
#include <QLocale>
#include <QPixmap>
#include <QSettings>
#include <QTimer>
#include <QTranslator>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>

#include "gui/background.h"
#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/file_controller.h"
#include "gui/main_window.h"
#include "gui/page.h"
#include "store/run_store.h"
#include "widgets/plot_widget.h"

namespace plumbline::gui {

namespace {

struct Say {
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

constexpr int kLoadEngineMs = 2000;

/// Waits until the page has nothing left to load, then draws the window and ends the program.
class ShotTaker : public QObject {
public:
    ShotTaker(MainWindow& window, QString file, bool waitsForRun)
        : QObject(&window), m_window(window), m_file(std::move(file)), m_waitsForRun(waitsForRun) {
        m_clock.start();
        connect(&m_timer, &QTimer::timeout, this, [this] { look(); });
        m_timer.start(30);
    }

private:
    void look() {
        const EngineState engine = m_window.workspace().bridge().engineState();
        const bool engineDecided = engine == EngineState::Ready || engine == EngineState::Missing;
        const bool settled = engineDecided && (!m_waitsForRun || m_window.property("runShown").toBool()) &&
                             m_window.currentPage()->isSettled() && !m_window.workspace().document().isChecking();
        m_quietTicks = settled ? m_quietTicks + 1 : 0;
        constexpr int kQuietTicks = 8;  // throttled replots and layouts have had their turn
        constexpr int kLimitMs = 30'000;
        if (m_quietTicks < kQuietTicks && m_clock.elapsed() < kLimitMs) {
            return;
        }
        m_timer.stop();
        if (!pictureOf(m_window).save(m_file)) {
            std::fprintf(stderr, "%s\n", qPrintable(Say::tr("The picture could not be written to %1.").arg(m_file)));
            QCoreApplication::exit(5);
            return;
        }
        QCoreApplication::exit(0);
    }

    MainWindow& m_window;
    QString m_file;
    bool m_waitsForRun;  ///< one that was asked for is being looked up
    QTimer m_timer;
    QElapsedTimer m_clock;
    int m_quietTicks = 0;
};

/// Calls back once, when the window's first picture is on its way to the screen.
class FirstPaint : public QObject {
public:
    FirstPaint(MainWindow& window, std::function<void()> painted) : QObject(&window), m_painted(std::move(painted)) {
        window.installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint) {
            watched->removeEventFilter(this);
            QTimer::singleShot(0, this, m_painted);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    std::function<void()> m_painted;
};

/// By the clock that counts since the machine started.
void printClock() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    std::printf("{\"first_paint_ns\": %lld}\n", static_cast<long long>(std::chrono::nanoseconds(now).count()));
    std::fflush(stdout);
}

/// Before the command line is read: --lang L or --lang=L, else as remembered. Empty: as the system.
QString wantedLanguage(const QStringList& arguments) {
    for (qsizetype i = 1; i < arguments.size(); ++i) {
        if (arguments[i] == QLatin1String("--lang")) {
            return arguments.value(i + 1);
        }
        if (arguments[i].startsWith(QLatin1String("--lang="))) {
            return arguments[i].mid(7);
        }
    }
    return qEnvironmentVariable("PLUMBLINE_LANG", QSettings().value(QStringLiteral("language")).toString());
}

[[noreturn]] void usage(const QString& sentence) {
    std::fprintf(stderr, "%s\n", qPrintable(sentence));
    std::exit(2);
}

}  // namespace

void letIdleThreadsSleep(char** arguments) {
    constexpr const char* kPolicy = "OMP_WAIT_POLICY";
    if (std::getenv(kPolicy) != nullptr || dlsym(RTLD_DEFAULT, "GOMP_parallel") == nullptr) {
        return;
    }
    setenv(kPolicy, "PASSIVE", 1);
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        execv(program.c_str(), arguments);  // comes back only when it fails: then training is slower, and nothing else
    }
}

void setApplicationNames() {
    QCoreApplication::setOrganizationName(QStringLiteral("plumbline"));
    QCoreApplication::setApplicationName(QStringLiteral("plumbline-gui"));
    QCoreApplication::setApplicationVersion(QStringLiteral(PLUMBLINE_VERSION));
}

ApplicationOptions parseOptions(const QApplication& application) {
    installTranslations(wantedLanguage(application.arguments()));  // help and refusals speak it too
    QCommandLineParser parser;
    parser.setApplicationDescription(
        Say::tr("The training workbench that tells you when your model is silently wrong."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("PROJECT"), Say::tr("A project folder or its project.json."),
                                 QStringLiteral("[PROJECT]"));
    const QCommandLineOption page(QStringLiteral("page"),
                                  Say::tr("Page to show: welcome, model, data, train, runs, sweeps, export."),
                                  QStringLiteral("P"));
    const QCommandLineOption run(QStringLiteral("run"), Say::tr("Run to show: an id, latest or best."),
                                 QStringLiteral("RUN"));
    const QCommandLineOption shot(QStringLiteral("shot"), Say::tr("Draw the window into this picture and end."),
                                  QStringLiteral("FILE"));
    const QCommandLineOption size(QStringLiteral("size"), Say::tr("Size of the picture, as 1400x900."),
                                  QStringLiteral("WxH"));
    const QCommandLineOption language(QStringLiteral("lang"), Say::tr("Language: en or zh_CN."), QStringLiteral("L"));
    const QCommandLineOption theme(QStringLiteral("theme"), Say::tr("Appearance: light, dark or system."),
                                   QStringLiteral("T"));
    const QCommandLineOption firstPaint(
        QStringLiteral("first-paint"),
        Say::tr("Print the monotonic clock once the window is drawn, and end: for measuring the start."));
    parser.addOptions({page, run, shot, size, language, theme, firstPaint});
    if (!parser.parse(application.arguments())) {
        usage(Say::tr("%1 See plumbline-gui --help.").arg(parser.errorText()));
    }
    if (parser.isSet(QStringLiteral("help"))) {
        parser.showHelp(0);
    }
    if (parser.isSet(QStringLiteral("version"))) {
        parser.showVersion();
    }
    ApplicationOptions options;
    const QStringList positional = parser.positionalArguments();
    if (positional.size() > 1) {
        usage(Say::tr("One project can be opened, %1 were given.").arg(positional.size()));
    }
    options.project = positional.value(0);
    options.page = parser.value(page);
    options.run = parser.value(run);
    options.shot = parser.value(shot);
    options.firstPaint = parser.isSet(firstPaint);
    if (parser.isSet(theme)) {
        const QString word = parser.value(theme);
        if (word == QLatin1String("light")) {
            options.theme = widgets::ThemeMode::Light;
        } else if (word == QLatin1String("dark")) {
            options.theme = widgets::ThemeMode::Dark;
        } else if (word == QLatin1String("system")) {
            options.theme = widgets::ThemeMode::System;
        } else {
            usage(Say::tr("--theme takes light, dark or system, not \"%1\".").arg(word));
        }
    }
    if (parser.isSet(size)) {
        const QStringList sides = parser.value(size).split(QLatin1Char('x'));
        options.width = sides.value(0).toInt();
        options.height = sides.value(1).toInt();
        if (sides.size() != 2 || options.width < 320 || options.height < 240 || options.width > 8192 ||
            options.height > 8192) {
            usage(Say::tr("--size takes a width and a height from 320x240 to 8192x8192, as 1400x900, not \"%1\".")
                      .arg(parser.value(size)));
        }
    }
    return options;
}

bool installTranslations(const QString& language) {
    const QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
    QLocale::setDefault(locale);
    installSentences({});
    if (locale.language() == QLocale::English || locale.language() == QLocale::C) {
        static QTranslator plurals;
        return plurals.load(QStringLiteral(":/i18n/plumbline_en.qm")) && QCoreApplication::installTranslator(&plurals);
    }
    static QTranslator own;
    static QTranslator qt;
    if (qt.load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        QCoreApplication::installTranslator(&qt);
    }
    if (!own.load(locale, QStringLiteral("plumbline"), QStringLiteral("_"), QStringLiteral(":/i18n"))) {
        return false;
    }
    SentenceTable sentences;
    QFile file(QStringLiteral(":/i18n/sentences_%1.ts").arg(locale.name()));
    if (file.open(QIODevice::ReadOnly)) {
        sentences.load(file);
    }
    installSentences(std::move(sentences));
    return QCoreApplication::installTranslator(&own);
}

QPixmap pictureOf(MainWindow& window) {
    for (widgets::PlotWidget* plot : window.findChildren<widgets::PlotWidget*>()) {
        if (plot->isVisible()) {
            plot->replotNow();
        }
    }
    return window.grab();
}

int runApplication(QApplication& application, const ApplicationOptions& options) {
    const QSettings settings;
    const auto remembered = static_cast<widgets::ThemeMode>(settings.value(QStringLiteral("theme"), 0).toInt());
    widgets::Theme& theme = widgets::Theme::instance();
    std::optional<MainWindow> made;
    theme.build([&] {
        theme.install(application, options.theme.value_or(remembered));
        made.emplace();
    });
    MainWindow& window = *made;
    const bool shot = !options.shot.isEmpty();
    if (shot) {
        window.resetLayout();
        window.resize(options.width, options.height);
        window.workspace().bridge().loadEngine();  // pages show what they do once it is there
    } else {
        // Loading LibTorch takes a core and the dynamic loader's lock: it waits until the window is there.
        new FirstPaint(window, [&window, only = options.firstPaint] {
            if (only) {
                printClock();
                QCoreApplication::quit();
            } else {
                window.workspace().bridge().loadEngine();
            }
        });
    }
    window.show();

    const QString project = options.project;
    int failure = 0;
    if (!project.isEmpty() && !window.files().openNow(QDir().absoluteFilePath(project))) {
        if (shot) {
            std::fprintf(stderr, "%s\n", qPrintable(Say::tr("%1 could not be opened.").arg(project)));
            return 3;
        }
        failure = 3;
    }
    if (!options.page.isEmpty() && !window.showPage(options.page) && failure == 0) {
        std::fprintf(stderr, "%s\n",
                     qPrintable(Say::tr("There is no page \"%1\", or it needs a project.").arg(options.page)));
        if (shot) {
            return 2;
        }
    }
    const auto showAsked = [&window, shot, anyPage = options.page.isEmpty()](const Result<store::RunInfo>& found) {
        if (!found) {
            std::fprintf(stderr, "%s\n", errorSentence(found.error()).toUtf8().constData());
            if (shot) {
                QCoreApplication::exit(3);
                return;
            }
            window.workspace().tell(found.error());
        } else if (const QString id = text(found->id); !window.currentPage()->showRun(id) && anyPage) {
            window.workspace().showRun(id);
        }
        if (shot) {
            window.setProperty("runShown", true);
        }
    };
    if (!options.run.isEmpty() && !window.workspace().document().isOpen()) {
        std::fprintf(stderr, "%s\n", qPrintable(Say::tr("No project is open.")));
        if (shot) {
            return 3;
        }
    } else if (!options.run.isEmpty()) {
        // "latest" and "best" are words for a run; pages know runs by id.
        runInBackground(
            &window,
            [folder = window.workspace().document().runsFolder(), run = bytes(options.run)] {
                return store::findRun(folder, run);
            },
            showAsked);
    }
    if (shot) {
        new ShotTaker(window, options.shot, !options.run.isEmpty());
    } else {
        // A window that is never drawn (minimised, on another desktop) is to find LibTorch ready as well.
        QTimer::singleShot(kLoadEngineMs, &window, [&window, only = options.firstPaint] {
            RunBridge& bridge = window.workspace().bridge();
            if (!only && bridge.engineState() == EngineState::NotLoaded) {
                bridge.loadEngine();
            }
        });
    }
    return QApplication::exec();
}

}  // namespace plumbline::gui
