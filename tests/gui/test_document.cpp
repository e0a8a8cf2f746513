// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QSignalSpy>

#include "core/files.h"
#include "gui/background.h"
#include "gui/data_reader.h"
#include "gui/recent_projects.h"
#include "gui/recovery_file.h"
#include "support.h"

namespace plumbline::gui::test {

class DocumentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEditIsOneUndoEntryAndComesBack() {
        OpenProject open;
        ProjectDocument& document = open.document;
        const Json before = document.project().json;
        QVERIFY(document.setSetting(QStringLiteral("training.optimizer.lr"), 0.5));
        QVERIFY(document.setSetting(QStringLiteral("training.clip.max_norm"), 1.0));
        QVERIFY(document.setSetting(QStringLiteral("training.optimizer.lr"), QJsonValue::Undefined));
        QVERIFY(document.applyPatch(
            QStringLiteral("patch"),
            Json::parse(
                R"([{"op":"test","path":"/name","value":"small"},{"op":"replace","path":"/name","value":"other"}])")));
        QVERIFY(document.editModel(QStringLiteral("graph"), [](graph::Document& model, Json&) {
            return graph::renameNode(model.root, "conv", "first");
        }));
        const Json after = document.project().json;
        QCOMPARE(document.undoStack()->count(), 5);
        while (document.undoStack()->canUndo()) {
            document.undoStack()->undo();
        }
        QVERIFY(document.project().json == before);
        QVERIFY(!document.isDirty());
        while (document.undoStack()->canRedo()) {
            document.undoStack()->redo();
        }
        QVERIFY(document.project().json == after);
        QVERIFY(document.isDirty());
    }

    void anUnreadableEditIsRefusedAndChangesNothing() {
        OpenProject open;
        ProjectDocument& document = open.document;
        QSignalSpy refused(&document, &ProjectDocument::refused);
        const Json before = document.project().json;
        QVERIFY(!document.setSetting(QStringLiteral("training.optimizer.lr"), QStringLiteral("fast")));
        QVERIFY(!document.setSetting(QStringLiteral("training.no_such_key"), 1));
        QVERIFY(!document.applyPatch(QStringLiteral("stale"),
                                     Json::parse(R"([{"op":"test","path":"/name","value":"another"}])")));
        QVERIFY(!document.editModel(QStringLiteral("bad"), [](graph::Document& model, Json&) {
            return graph::renameNode(model.root, "nobody", "x");
        }));
        QCOMPARE(refused.count(), 4);
        QCOMPARE(document.undoStack()->count(), 0);
        QVERIFY(document.project().json == before);
    }

    void anEditThatChangesNothingMakesNoUndoEntry() {
        OpenProject open;
        QVERIFY(open.document.editModel(QStringLiteral("nothing"), [](graph::Document&, Json&) { return Status(); }));
        QVERIFY(open.document.setSetting(QStringLiteral("training.no_such_group.x"), QJsonValue::Undefined));
        QCOMPARE(open.document.undoStack()->count(), 0);
        QVERIFY(!open.document.isDirty());
    }

    void editsWithOneMergeKeyBecomeOneEntry() {
        OpenProject open;
        ProjectDocument& document = open.document;
        for (int i = 1; i <= 5; ++i) {
            QVERIFY(document.editModel(
                QStringLiteral("nudge"),
                [i](graph::Document&, Json& layout) {
                    layout = Json::object();
                    layout[""] = Json{{"conv", Json::array({i * 8, 0})}};
                    return Status();
                },
                QStringLiteral("nudge:conv")));
        }
        QCOMPARE(document.undoStack()->count(), 1);
        document.undoStack()->undo();
        QVERIFY(document.project().layout.is_null());
    }

    void problemsFollowEveryEdit() {
        OpenProject open;
        ProjectDocument& document = open.document;
        QVERIFY(document.report().ok());
        QVERIFY(document.editModel(QStringLiteral("break"), [](graph::Document& model, Json&) {
            model.root.find("conv")->params["in_channels"] = 3;
            return Status();
        }));
        QVERIFY(!document.report().ok());
        document.undoStack()->undo();
        QVERIFY(document.report().ok());
    }

    void savingWritesBothFilesAndCleansTheState() {
        OpenProject open;
        ProjectDocument& document = open.document;
        QVERIFY(document.editModel(QStringLiteral("place"), [](graph::Document&, Json& layout) {
            layout = Json::object();
            layout[""] = Json{{"conv", Json::array({5, 7})}};
            return Status();
        }));
        QVERIFY(document.isDirty());
        QVERIFY(document.save());
        QVERIFY(!document.isDirty());
        ProjectDocument again;
        QVERIFY(again.openForReading(filePath(open.folder)));
        QVERIFY(again.project().layout == document.project().layout);
        QVERIFY(again.project().json == document.project().json);
    }

    void saveAsTakesTheDataAlongAndUndoStaysInTheNewFolder() {
        OpenProject open;
        ProjectDocument& document = open.document;
        QDir(open.folder).mkpath(QStringLiteral("data"));
        QFile data(open.folder + QStringLiteral("/data/table.csv"));
        QVERIFY(data.open(QIODevice::WriteOnly));
        data.write("a,b\n1,2\n");
        data.close();
        QVERIFY(document.setSetting(QStringLiteral("name"), QStringLiteral("renamed")));
        const QString elsewhere = open.temporary.filePath(QStringLiteral("elsewhere"));
        QVERIFY(document.saveAs(filePath(elsewhere)));
        QVERIFY(QFile::exists(elsewhere + QStringLiteral("/data/table.csv")));
        QVERIFY(!document.isDirty());
        document.undoStack()->undo();
        QCOMPARE(text(document.project().folder), elsewhere);
        QCOMPARE(document.name(), QStringLiteral("small"));
        ProjectDocument original;
        QVERIFY(original.openForReading(filePath(open.folder)));
        QCOMPARE(original.name(), QStringLiteral("small"));
    }

    void saveAsNeverMixesTwoProjectsData() {
        OpenProject open;
        const auto write = [](const QString& path, const QByteArray& content) {
            QDir().mkpath(QFileInfo(path).path());
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
        };
        QVERIFY(write(open.folder + "/data/deep/table.csv", "a,b\n1,2\n"));
        const QString same = open.temporary.filePath("same"), other = open.temporary.filePath("other"),
                      more = open.temporary.filePath("more");
        QVERIFY(write(same + "/data/deep/table.csv", "a,b\n1,2\n"));
        QVERIFY(write(other + "/data/deep/table.csv", "a,b\n1,3\n"));
        QVERIFY(write(more + "/data/deep/table.csv", "a,b\n1,2\n") && write(more + "/data/second.csv", "x\n"));
        for (const QString& taken : {other, more}) {
            const Status refused = open.document.saveAs(filePath(taken));
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, std::string("other-data"));
            QVERIFY(!refused.error().hint.empty());
            QVERIFY(!QFile::exists(taken + "/project.json"));
            QCOMPARE(text(open.document.folder()), open.folder);
        }
        QCOMPARE(*readFile(filePath(other + "/data/deep/table.csv")), std::string("a,b\n1,3\n"));
        QVERIFY(open.document.saveAs(filePath(same)));  // copied there before: an attempt that failed later on
    }

    void saveAsNamesDataElsewhereSoThatItIsFoundFromThere() {
        OpenProject open;
        Json json = open.document.project().json;
        json["data"]["sources"]["near"] = Json{{"type", "csv"}, {"path", "tables/near.csv"}};
        json["data"]["sources"]["beside"] = Json{{"type", "csv"}, {"path", "../beside.csv"}};
        json["data"]["sources"]["own"] = Json{{"type", "csv"}, {"path", "./data/own.csv"}};
        json["data"]["sources"]["fixed"] = Json{{"type", "csv"}, {"path", "/fixed.csv"}};
        QVERIFY(open.document.setJson("sources", json));
        QVERIFY(open.document.setSetting("description", "edited"));
        const auto path = [&](const char* source) {
            return open.document.setting(QString("data.sources.%1.path").arg(source)).toString();
        };
        const auto check = [&](const QString& beside) {
            QCOMPARE(QFileInfo(path("near")).absoluteFilePath(), open.folder + "/tables/near.csv");
            QVERIFY(QFileInfo(path("near")).isAbsolute());
            QCOMPARE(path("beside"), beside);
            QCOMPARE(path("own"), QString("./data/own.csv"));
            QCOMPARE(path("fixed"), QString("/fixed.csv"));
        };
        QVERIFY(open.document.saveAs(filePath(open.temporary.filePath("sibling"))));
        check("../beside.csv");  // the same file from there
        open.document.undoStack()->undo();
        check("../beside.csv");
        QVERIFY(open.document.saveAs(filePath(open.temporary.filePath("deep/down"))));
        check(open.temporary.filePath("beside.csv"));
    }

    void saveAsRefusesAFolderThatHoldsAProject() {
        OpenProject open;
        OpenProject other;
        const auto refused = open.document.saveAs(filePath(other.folder));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("project-exists"));
    }

    void unsavedChangesAreFoundAgainAfterACrash() {
        OpenProject open;
        QVERIFY(open.document.setSetting(QStringLiteral("training.optimizer.lr"), 0.25));
        open.document.autosaveNow();
        const auto saved = open.document.project().json;
        RecoveryFile probe(filePath(open.folder));
        QVERIFY(!probe.isOurs());  // the open window holds it
        QTRY_VERIFY(QFile::exists(text(probe.path())));
        // A crash leaves the file and frees the lock; closing the document would remove the file.
        const QString kept = text(probe.path()) + QStringLiteral(".kept");
        QVERIFY(QFile::copy(text(probe.path()), kept));
        open.document.close();
        QVERIFY(!QFile::exists(text(probe.path())));
        QVERIFY(QFile::rename(kept, text(probe.path())));

        ProjectDocument next;
        QVERIFY(next.open(filePath(open.folder)));
        QVERIFY(next.recoverable() != nullptr);
        QVERIFY(!(next.project().json == saved));  // nothing is restored unasked
        QVERIFY(next.recover());
        QVERIFY(next.project().json == saved);
        QVERIFY(next.isDirty());
        next.undoStack()->undo();
        QVERIFY(!next.isDirty());
    }

    void whatACrashLeftStaysUntilItIsDecided() {
        OpenProject open;
        Json unsaved = open.document.project().json;
        unsaved["name"] = "from the crash";
        open.document.close();
        const std::filesystem::path file = RecoveryFile(filePath(open.folder)).path();
        QVERIFY(RecoveryFile(filePath(open.folder)).begin().write(filePath(open.folder), unsaved, {}));
        QVERIFY(QFile::exists(text(file)));
        {
            ProjectDocument looked;
            QVERIFY(looked.open(filePath(open.folder)));
            QVERIFY(looked.recoverable() != nullptr);
            QVERIFY(looked.setSetting(QStringLiteral("description"), QStringLiteral("edited on")));
            QVERIFY(looked.save());
            looked.close();
        }
        ProjectDocument again;
        QVERIFY(again.open(filePath(open.folder)));
        QVERIFY(again.recoverable() != nullptr);
        again.discardRecovery();
        again.close();
        QVERIFY(again.open(filePath(open.folder)));
        QVERIFY(again.recoverable() == nullptr);
    }

    void ofAllRecoveryWritesTheLastOneAskedForStaysAndNoneAfterItsRemoval() {
        QTemporaryDir folder;
        RecoveryFile file(filePath(folder.path()));
        const auto name = [&] {
            return file.read() ? file.read()->project.value("name", std::string()) : std::string("none");
        };
        const auto first = file.begin();
        const auto second = file.begin();
        QVERIFY(second.write(filePath(folder.path()), Json{{"name", "second"}}, {}));
        QVERIFY(first.write(filePath(folder.path()), Json{{"name", "first"}}, {}));  // came late
        QCOMPARE(name(), std::string("second"));
        const auto third = file.begin();
        file.remove();
        QVERIFY(third.write(filePath(folder.path()), Json{{"name", "third"}}, {}));
        QCOMPARE(name(), std::string("none"));
        QCOMPARE(QDir(text(file.path().parent_path())).entryList({QStringLiteral("*.tmp")}, QDir::Files).size(), 0);
    }

    void changesThatAreGivenUpDoNotComeBack() {
        OpenProject open;
        for (int i = 0; i < 20; ++i) {
            QVERIFY(open.document.setSetting(QStringLiteral("training.optimizer.lr"), 0.001 * (i + 1)));
            open.document.autosaveNow();
        }
        open.document.close();
        QVERIFY(backgroundPool().waitForDone(20000));
        QVERIFY(!QFile::exists(text(RecoveryFile(filePath(open.folder)).path())));
    }

    void dataAreReadOnceForAllWhoWantThemAndGivenUpWithTheLast() {
        OpenProject open;
        const project::Project& project = open.document.project();
        DataReader reader;
        DataReader::Reading one = reader.read(project.data, project.folder);
        QVERIFY(reader.read(project.data, project.folder) == one);
        QTRY_VERIFY_WITH_TIMEOUT(one->isDone(), 20000);
        QVERIFY(one->result());
        QVERIFY(reader.read(project.data, project.folder) == one);
        QVERIFY(open.document.setSetting("data.splits.seed", 5));
        DataReader::Reading other = reader.read(open.document.project().data, project.folder);
        QVERIFY(other != one);
        const std::shared_ptr<RunControl> control = other->control();
        const DataReader::Reading also = other;
        other.reset();
        QVERIFY(!control->stopRequested());
        QTRY_VERIFY_WITH_TIMEOUT(also->isDone(), 20000);
    }

    void aReadingThatNobodyWantsAnyMoreIsStopped() {
        OpenProject open;
        DataReader reader;
        DataReader::Reading reading = reader.read(open.document.project().data, open.document.folder());
        QSignalSpy done(reading.get(), &DataReading::done);
        const std::shared_ptr<RunControl> control = reading->control();
        reading.reset();
        QVERIFY(control->stopRequested());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(backgroundPool().waitForDone(20000));
        QCoreApplication::processEvents();
        QCOMPARE(done.count(), 0);
        // The next who asks gets a reading of his own.
        DataReader::Reading again = reader.read(open.document.project().data, open.document.folder());
        QTRY_VERIFY_WITH_TIMEOUT(again->isDone(), 20000);
        QVERIFY(again->result());
    }

    void anUndecidedCrashSurvivesASecondOne() {
        OpenProject open;
        Json unsaved = open.document.project().json;
        unsaved["description"] = "first crash";
        open.document.close();
        QVERIFY(RecoveryFile(filePath(open.folder)).begin().write(filePath(open.folder), unsaved, {}));
        const QString file = text(RecoveryFile(filePath(open.folder)).path());
        const QString kept = file + QStringLiteral(".kept");
        {
            ProjectDocument second;
            QVERIFY(second.open(filePath(open.folder)));
            QVERIFY(second.recoverable() != nullptr);
            QVERIFY(second.setSetting("description", "second crash"));
            second.autosaveNow();
            QVERIFY(backgroundPool().waitForDone(20000));
            QVERIFY(QFile::copy(file, kept));  // as the second kill leaves it
            second.close();
        }
        QVERIFY(QFile::remove(file) && QFile::rename(kept, file));
        ProjectDocument third;
        QVERIFY(third.open(filePath(open.folder)));
        QVERIFY(third.recover());
        QCOMPARE(third.setting("description").toString(), QString("second crash"));
        QVERIFY(third.recoverable() != nullptr);
        QVERIFY(third.recover());
        QCOMPARE(third.setting("description").toString(), QString("first crash"));
        QVERIFY(third.recoverable() == nullptr);
        third.undoStack()->undo();
        QCOMPARE(third.setting("description").toString(), QString("second crash"));
    }

    void autosaveNeverTouchesTheProject() {
        OpenProject open;
        const auto before = readFile(filePath(open.folder) / "project.json");
        QVERIFY(open.document.setSetting(QStringLiteral("description"), QStringLiteral("changed")));
        open.document.autosaveNow();
        RecoveryFile probe(filePath(open.folder));
        QTRY_VERIFY(QFile::exists(text(probe.path())));
        QCOMPARE(*readFile(filePath(open.folder) / "project.json"), *before);
        QVERIFY(!QFile::exists(open.folder + QStringLiteral("/layout.json")));
    }

    void aChangeByAnotherProgramIsTold() {
        OpenProject open;
        QSignalSpy outside(&open.document, &ProjectDocument::fileChangedOutside);
        Json json = open.document.project().json;
        json["description"] = "by somebody else";
        QVERIFY(writeJsonFile(filePath(open.folder) / "project.json", json));
        QTRY_VERIFY(outside.count() > 0);
        QVERIFY(open.document.reload());
        QCOMPARE(open.document.setting(QStringLiteral("description")).toString(), QStringLiteral("by somebody else"));
    }

    void aFileThatWentAndCameBackIsWatchedStill() {
        OpenProject open;
        QSignalSpy outside(&open.document, &ProjectDocument::fileChangedOutside);
        QSignalSpy agrees(&open.document, &ProjectDocument::fileAgrees);
        const std::filesystem::path file = filePath(open.folder) / "project.json";
        Json json = open.document.project().json;
        const std::string own = *readFile(file);
        QVERIFY(QFile::remove(text(file)));
        QTRY_VERIFY(agrees.count() > 0);  // nothing of another program is there
        json["description"] = "by somebody else";
        QVERIFY(writeJsonFile(file, json));
        QTRY_VERIFY(outside.count() > 0);
        agrees.clear();
        QFile back(text(file));
        QVERIFY(back.open(QIODevice::WriteOnly) && back.write(own.data(), static_cast<qint64>(own.size())) > 0);
        back.close();
        QTRY_VERIFY(agrees.count() > 0);
        QVERIFY(!open.document.isChangedOutside());
    }

    void reloadingKeepsWhatWasNotSaved() {
        OpenProject open;
        Json json = open.document.project().json;
        json["description"] = "theirs";
        QVERIFY(open.document.setSetting("description", "mine"));
        QVERIFY(writeJsonFile(filePath(open.folder) / "project.json", json));
        QVERIFY(open.document.reload());
        QCOMPARE(open.document.setting("description").toString(), QString("theirs"));
        QVERIFY(open.document.recoverable());
        open.document.close();
        QVERIFY(open.document.open(filePath(open.folder)));  // also over closing and opening again
        QVERIFY(open.document.recoverable());
        QVERIFY(open.document.recover());
        QCOMPARE(open.document.setting("description").toString(), QString("mine"));
        open.document.undoStack()->undo();
        QCOMPARE(open.document.setting("description").toString(), QString("theirs"));
    }

    void takingBackAndDoingAgainAreTold() {
        OpenProject open;
        QSignalSpy rewound(&open.document, &ProjectDocument::rewound);
        QVERIFY(open.document.setSetting("description", "mine"));
        QCOMPARE(rewound.count(), 0);
        open.document.undoStack()->undo();
        QCOMPARE(rewound.count(), 1);
        open.document.undoStack()->redo();
        QCOMPARE(rewound.count(), 2);
    }

    void whatAnotherProgramWroteIsKnownWithoutTheWatchersSignal() {
        OpenProject open;
        QVERIFY(!open.document.isChangedOutside());
        Json json = open.document.project().json;
        json["description"] = "by somebody else";
        QVERIFY(writeJsonFile(filePath(open.folder) / "project.json", json));
        QVERIFY(open.document.isChangedOutside());
        QVERIFY(open.document.save());
        QVERIFY(!open.document.isChangedOutside());
    }

    void steadyEditingDoesNotPutTheRecoveryFileOff() {
        OpenProject open;
        const RecoveryFile probe(filePath(open.folder));
        const QString file = text(probe.path());
        QElapsedTimer since;
        since.start();
        int edits = 0;
        while (!QFile::exists(file) && since.elapsed() < 10000) {
            QVERIFY(open.document.setSetting(QStringLiteral("description"), QStringLiteral("text %1").arg(++edits)));
            QTest::qWait(100);
        }
        QVERIFY2(QFile::exists(file), qPrintable(QStringLiteral("%1 edits and no recovery file").arg(edits)));
    }

    void aSecondWindowOnAProjectKnowsOfTheFirst() {
        OpenProject open;
        QVERIFY(!open.document.isOpenElsewhere());
        ProjectDocument second;
        QVERIFY(second.open(filePath(open.folder)));
        QVERIFY(second.isOpenElsewhere());
    }

    void ownSavingIsNoChangeByAnotherProgram() {
        OpenProject open;
        QSignalSpy outside(&open.document, &ProjectDocument::fileChangedOutside);
        for (int i = 0; i < 3; ++i) {
            QVERIFY(open.document.setSetting(QStringLiteral("description"), QStringLiteral("text %1").arg(i)));
            QVERIFY(open.document.save());
            QCoreApplication::processEvents();
        }
        QCOMPARE(outside.count(), 0);
    }

    void aFolderWithoutAProjectIsASentence() {
        QTemporaryDir empty;
        ProjectDocument document;
        const auto opened = document.open(filePath(empty.path()));
        QVERIFY(!opened);
        QVERIFY(!opened.error().message.empty());
        QVERIFY(!document.isOpen());
    }

    void recentProjectsKeepOrderAndForgetWhatIsGone() {
        RecentProjects::clear();
        OpenProject first;
        QString gone;
        {
            OpenProject second;
            RecentProjects::add(first.folder);
            RecentProjects::add(second.folder);
            QCOMPARE(RecentProjects::folders(), QStringList({second.folder, first.folder}));
            RecentProjects::add(first.folder);
            QCOMPARE(RecentProjects::folders(), QStringList({first.folder, second.folder}));
        }
        QCOMPARE(RecentProjects::folders(), QStringList({first.folder}));
    }

    void numbersSurviveTheWayThroughQt() {
        const Json json = Json::parse(
            R"({"big": 1e300, "list": [1, 2.5, "x", true, null], "o": {"k": "=a*2"}, "real": 0.1, "whole": 9007199254740993})");
        QVERIFY(fromQt(toQt(json)) == json);
        QVERIFY(fromQt(toQt(Json(2.0))).get<double>() == 2.0);
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::DocumentTest>(argc, argv);
}

#include "test_document.moc"
