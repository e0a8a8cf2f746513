// SPDX-License-Identifier: GPL-3.0-or-later
// LibTorch on first need: asked for, fetched with progress, stopped, failed and tried again. The tool is played by a
// script.
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <utility>

#include "gui/libtorch_fetcher.h"
#include "gui/workspace.h"
#include "support.h"

namespace plumbline::gui::test {

namespace {

/// A workspace on a machine without LibTorch, what it says, and a tool that is a script.
struct Desk {
    explicit Desk(const QByteArray& script) {
        qputenv("XDG_CACHE_HOME", temporary.path().toUtf8());
        qunsetenv("PLUMBLINE_LIBTORCH");
        const QString path = temporary.filePath("fetch");
        QFile tool(path);
        if (!tool.open(QIODevice::WriteOnly) || tool.write("#!/bin/sh\n" + script) < 0) {
            qFatal("no tool");
        }
        tool.close();
        tool.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        fetcher.emplace(workspace, nullptr, [file = filePath(path)] { return Result<std::filesystem::path>(file); });
        QObject::connect(&workspace, &Workspace::messageRequested, &workspace,
                         [this](widgets::Severity, const QString& sentence, const QString& hint, const QString& button,
                                std::function<void()> pressed) {
                             said << sentence;
                             hints << hint;
                             action = button;
                             press = std::move(pressed);
                         });
        workspace.bridge().loadEngine();
    }
    bool says(const QString& sentence) {
        return QTest::qWaitFor([&] { return said.contains(sentence); }, 10000);
    }
    QByteArray asked() const {
        QFile file(temporary.filePath("asked"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir temporary;
    Workspace workspace;
    std::optional<LibTorchFetcher> fetcher;
    QStringList said, hints;
    QString action;
    std::function<void()> press;
};

const QString kMissing = QStringLiteral("LibTorch 2.13.0, which does the computing, is not on this machine.");

}  // namespace

class FetchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsFetchedBeforeAPersonPressedTheButton() {
        Desk desk("echo \"$@\" >\"$(dirname \"$0\")/asked\"");
        QVERIFY(desk.says(kMissing));
        QVERIFY2(desk.hints.last().contains("540 MB"), "how much it is");
        QCOMPARE(desk.action, QStringLiteral("Fetch LibTorch"));
        QVERIFY(desk.asked().isEmpty());
        desk.press();
        QVERIFY(desk.says("LibTorch is here."));
        QCOMPARE(desk.asked(), QByteArray("--yes --progress json\n"));
    }

    void theProgressIsToldWithItsUnitsAndWhatIsLeft() {
        Desk desk(
            "echo '{\"event\": \"progress\", \"phase\": \"download\", \"bytes_done\": 250000000, \"bytes_total\": "
            "540000000, \"eta_s\": 12}'\n"
            "echo 'not JSON'\n"
            "echo '{\"event\": \"phase\", \"phase\": \"unpack\"}'\n");
        QVERIFY(desk.says(kMissing));
        desk.press();
        QVERIFY(desk.says("LibTorch is here."));
        QVERIFY2(desk.said.contains("Fetching LibTorch: 250.0 MB of 540.0 MB"), qPrintable(desk.said.join('|')));
        QVERIFY2(desk.hints.contains("0:12 left"), qPrintable(desk.hints.join('|')));
        QVERIFY(desk.said.contains("Unpacking LibTorch…"));
        // What was fetched is loaded at once; here it is still not there, so it is offered again.
        QVERIFY(QTest::qWaitFor([&] { return desk.said.count(kMissing) == 2; }, 10000));
    }

    void aDownloadCanBeStoppedAndBegunAgain() {
        Desk desk("echo again >>\"$(dirname \"$0\")/asked\"\nexec sleep 60");
        QVERIFY(desk.says(kMissing));
        desk.press();
        QVERIFY(QTest::qWaitFor([&] { return desk.asked() == "again\n"; }, 10000));
        QCOMPARE(desk.action, QStringLiteral("Stop"));
        desk.press();
        QVERIFY(desk.says("Fetching LibTorch was stopped."));
        QCOMPARE(desk.action, QStringLiteral("Fetch LibTorch"));
        desk.press();
        QVERIFY(QTest::qWaitFor([&] { return desk.asked() == "again\nagain\n"; }, 10000));
        desk.fetcher.reset();  // the window closes: the download ends with it
    }

    void aFailureIsTheToolsOwnSentenceAndCanBeTriedAgain() {
        Desk desk(
            "echo '{\"event\": \"error\", \"message\": \"There is no room left.\", \"hint\": \"Free 2 GB.\"}'\nexit 5");
        QVERIFY(desk.says(kMissing));
        desk.press();
        QVERIFY(desk.says("There is no room left."));
        QCOMPARE(desk.hints.last(), QStringLiteral("Free 2 GB."));
        QCOMPARE(desk.action, QStringLiteral("Try again"));
    }

    void aToolThatDiesWithoutAWordIsASentence() {
        Desk desk("kill -9 $$");
        QVERIFY(desk.says(kMissing));
        desk.press();
        QVERIFY(desk.says("LibTorch could not be fetched."));
        QCOMPARE(desk.action, QStringLiteral("Try again"));
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::FetchTest>(argc, argv);
}

#include "test_fetch.moc"
