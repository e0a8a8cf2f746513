// SPDX-License-Identifier: GPL-3.0-or-later
// Ways into a project and out of the window: data of one's own, samples, read-only folders, fast fingers, slow ends.
#include <unistd.h>
#include <QAction>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTimer>

#include "core/copy_tree.h"
#include "core/files.h"
#include "fake_engine.h"
#include "gui/file_controller.h"
#include "gui/main_window.h"
#include "gui/new_from_data_dialog.h"
#include "gui/page.h"
#include "gui/pages/try_panel.h"
#include "gui/recent_projects.h"
#include "gui/recovery_file.h"
#include "gui/run_controller.h"
#include "session/run_files.h"
#include "support.h"
#include "widgets/message_banner.h"

namespace plumbline::gui::test {

namespace {

const QString kSamples = QStringLiteral(PLUMBLINE_SOURCE_DIR "/projects");

/// Without the superuser's right to write everywhere, while it lives.
class OrdinaryPerson {
public:
    OrdinaryPerson() {
        if (::geteuid() == 0 && ::seteuid(65534) != 0) {
            qFatal("seteuid");
        }
    }
    ~OrdinaryPerson() {
        if (::getuid() == 0 && ::seteuid(0) != 0) {
            qFatal("seteuid");
        }
    }
};

void drop(QWidget& target, const QStringList& paths) {
    QMimeData mime;
    QList<QUrl> urls;
    for (const QString& path : paths) {
        urls << QUrl::fromLocalFile(path);
    }
    mime.setUrls(urls);
    QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&target, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(200, 200), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&target, &event);
}

QString bannerOf(const MainWindow& window) {
    return window.findChild<widgets::MessageBanner*>("message")->message();
}

QPushButton* buttonNamed(QWidget* dialog, const char* name) {
    return dialog->findChild<QPushButton*>(QLatin1String(name));
}

}  // namespace

class WaysInTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTableDroppedOnTheWindowBecomesAProjectThatIsReadyToRun() {
        QTemporaryDir home;
        MainWindow window;
        window.show();
        drop(window, {kSamples + "/wine/data/wine.csv"});
        auto* dialog = window.findChild<NewFromDataDialog*>();
        QVERIFY(dialog);
        auto* create = buttonNamed(dialog, "new_create");
        auto* target = dialog->findChild<QComboBox*>("data_target");
        QTRY_COMPARE(target->currentText(), QString("class"));
        QCOMPARE(dialog->findChild<QComboBox*>("data_task")->currentData().toString(), QString("classes"));
        QCOMPARE(dialog->findChild<QTableWidget*>("data_columns")->rowCount(), 14);
        dialog->findChild<QLineEdit*>("new_folder")->setText(home.path());
        dialog->findChild<QLineEdit*>("new_name")->setText("wines");
        QTRY_VERIFY(create->isEnabled());
        create->click();
        ProjectDocument& document = window.workspace().document();
        QTRY_VERIFY_WITH_TIMEOUT(document.isOpen(), 20000);
        QVERIFY(document.report().ok());
        QCOMPARE(document.setting("training.losses.0.type").toString(), QString("CrossEntropyLoss"));
        QVERIFY(window.runs().runAction->isEnabled());
        QCOMPARE(window.currentPage()->id(), QString("model"));
    }

    void theProposalFollowsTheChoices() {
        QTemporaryDir home;
        NewFromDataDialog dialog;
        dialog.setVisible(true);
        dialog.inspect({kSamples + "/wine/data/wine.csv"});
        auto* target = dialog.findChild<QComboBox*>("data_target");
        auto* task = dialog.findChild<QComboBox*>("data_task");
        auto* columns = dialog.findChild<QTableWidget*>("data_columns");
        QTRY_COMPARE(target->count(), 14);
        target->setCurrentText("proline");
        QCOMPARE(task->currentData().toString(), QString("number"));
        QCOMPARE(columns->item(12, 1)->text(), QString("predicted"));
        columns->item(0, 0)->setCheckState(Qt::Unchecked);
        QTRY_COMPARE(columns->item(0, 1)->text(), QString("left out"));
        dialog.findChild<QLineEdit*>("new_folder")->setText(home.path());
        auto* create = buttonNamed(&dialog, "new_create");
        QTRY_VERIFY(create->isEnabled());
        create->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isVisible(), 20000);
        QCOMPARE(dialog.project()["training"]["losses"][0]["type"].get<std::string>(), std::string("MSELoss"));
        QVERIFY(dialog.project()["data"]["sources"]["wine"]["ignore"].dump().find("alcohol") != std::string::npos);
    }

    void whatCannotBeUsedIsASentenceAndTheDialogStays() {
        QTemporaryDir home;
        QFile file(home.filePath("one.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("only\n1\n2\n");
        file.close();
        NewFromDataDialog dialog;
        dialog.setVisible(true);
        dialog.inspect({file.fileName()});
        const auto says = [&dialog](const QString& part) {
            for (const QLabel* label : dialog.findChildren<QLabel*>()) {
                if (label->isVisible() && label->text().contains(part)) {
                    return true;
                }
            }
            return false;
        };
        QTRY_VERIFY(says("holds no table of at least two columns"));
        QVERIFY(says("columns separated by"));
        QVERIFY(!buttonNamed(&dialog, "new_create")->isEnabled());
        dialog.inspect({kSamples + "/shapes/data"});  // and goes on with something better
        QTRY_VERIFY(buttonNamed(&dialog, "new_create")->isEnabled());
        QVERIFY(says("4 classes"));
    }

    void aProjectDroppedOnTheWindowIsOpened() {
        OpenProject project;
        project.document.close();
        MainWindow window;
        drop(window, {project.folder});
        QVERIFY(window.workspace().document().isOpen());
        QVERIFY(!window.findChild<NewFromDataDialog*>());
    }

    void anInstalledSampleIsCopiedOnceAndTheCopyIsOpened() {
        QTemporaryDir home;
        qputenv("HOME", home.path().toUtf8());
        QVERIFY(copyTree(filePath(kSamples) / "wine", filePath(home.path()) / "installed" / "wine", nullptr,
                         {"runs", "exports"}));
        qputenv("PLUMBLINE_SAMPLES", home.filePath("installed").toUtf8());
        {
            MainWindow window;
            ProjectDocument& document = window.workspace().document();
            window.files().openSample(home.filePath("installed/wine"));
            QTRY_VERIFY(document.isOpen());
            QVERIFY2(text(document.folder()).endsWith("Plumbline/wine"), text(document.folder()).toUtf8());
            QVERIFY(bannerOf(window).contains("your copy of the sample"));
            QVERIFY(bannerOf(window).contains(text(document.folder())));
            QVERIFY(document.setSetting("description", "mine"));
            QVERIFY(document.save());
            document.close();
            window.files().openSample(home.filePath("installed/wine"));
            QTRY_VERIFY(document.isOpen());
            QCOMPARE(document.setting("description").toString(), QString("mine"));  // the same copy, not another one
        }
        qunsetenv("PLUMBLINE_SAMPLES");
    }

    void savingOverAnotherProgramsChangesIsAskedAboutEvenAfterTheSentenceIsGone() {
        OpenProject project;
        project.document.close();
        MainWindow window;
        QVERIFY(window.files().openNow(project.folder));
        ProjectDocument& document = window.workspace().document();
        QVERIFY(document.setSetting("description", "mine"));
        Json json = document.project().json;
        json["description"] = "theirs";
        const std::filesystem::path file = filePath(project.folder) / "project.json";
        QVERIFY(writeJsonFile(file, json));
        window.workspace().tell(widgets::Severity::Info, "Another sentence.");
        const auto press = [&](const char* name) {
            auto* box = window.findChild<QDialog*>("dialog_overwrite");
            QVERIFY(box);
            buttonNamed(box, name)->click();
            QTRY_VERIFY(!window.findChild<QDialog*>("dialog_overwrite"));
        };
        window.files().save();
        QCOMPARE(QString::fromStdString((*readJsonFile(file))["description"]), QString("theirs"));
        press("keep_editing");
        QCOMPARE(document.setting("description").toString(), QString("mine"));
        QVERIFY(document.isDirty());
        window.files().save();
        press("overwrite_project");
        QCOMPARE(QString::fromStdString((*readJsonFile(file))["description"]), QString("mine"));
        QVERIFY(!document.isDirty());
        json["description"] = "theirs again";
        QVERIFY(writeJsonFile(file, json));
        QVERIFY(document.setSetting("description", "mine again"));
        window.files().save();
        press("read_again");
        QCOMPARE(document.setting("description").toString(), QString("theirs again"));
    }

    void aChangeOnDiskHasABarOfItsOwnUntilItIsAnswered() {
        OpenProject project;
        project.document.close();
        MainWindow window;
        QVERIFY(window.files().openNow(project.folder));
        ProjectDocument& document = window.workspace().document();
        auto* bar = window.findChild<widgets::MessageBanner*>("outside_change");
        QVERIFY(bar->isHidden());
        const std::filesystem::path file = filePath(project.folder) / "project.json";
        const std::string own = *readFile(file);
        Json json = document.project().json;
        const auto writeTheirs = [&](const char* description) {
            json["description"] = description;
            return writeJsonFile(file, json).has_value();
        };
        QVERIFY(writeTheirs("theirs"));
        QTRY_VERIFY(!bar->isHidden());
        QVERIFY2(bar->message().contains("another program"), qPrintable(bar->message()));
        // Other sentences come and go.
        window.workspace().tell(widgets::Severity::Info, "Another sentence.");
        window.workspace().quiet();
        QVERIFY(!bar->isHidden());
        // The other program takes it back.
        QFile back(text(file));
        QVERIFY(back.open(QIODevice::WriteOnly) && back.write(own.data(), static_cast<qint64>(own.size())) > 0);
        back.close();
        QTRY_VERIFY(bar->isHidden());

        QVERIFY(document.setSetting("description", "mine"));
        QVERIFY(writeTheirs("theirs"));
        QTRY_VERIFY(!bar->isHidden());
        buttonNamed(bar, "messageBannerSecond")->click();  // keep mine
        QVERIFY(bar->isHidden());
        document.lookOutside();
        QVERIFY(bar->isHidden());  // answered
        window.files().save();
        QVERIFY(window.findChild<QDialog*>("dialog_overwrite"));  // and still nothing is overwritten unasked
        QCOMPARE(QString::fromStdString((*readJsonFile(file))["description"]), QString("theirs"));
        window.findChild<QDialog*>("dialog_overwrite")->reject();
        QTRY_VERIFY(!window.findChild<QDialog*>("dialog_overwrite"));

        QVERIFY(writeTheirs("theirs once more"));
        document.lookOutside();
        QVERIFY(!bar->isHidden());                         // another change, another question
        buttonNamed(bar, "messageBannerAction")->click();  // reload
        QVERIFY(bar->isHidden());
        QCOMPARE(document.setting("description").toString(), QString("theirs once more"));
        QTRY_VERIFY2(bannerOf(window).contains("not saved is kept"), qPrintable(bannerOf(window)));
        buttonNamed(window.findChild<widgets::MessageBanner*>("message"), "messageBannerAction")->click();
        QCOMPARE(document.setting("description").toString(), QString("mine"));
    }

    void aSentenceGoesWithItsCause() {
        OpenProject project;
        project.document.close();
        MainWindow window;
        window.workspace().bridge().setEngine(std::make_shared<FakeEngine>());
        QVERIFY(window.files().openNow(project.folder));
        ProjectDocument& document = window.workspace().document();
        auto* banner = window.findChild<widgets::MessageBanner*>("message");
        QVERIFY(!document.setSetting("training.optimizer.lr", "fast"));
        QVERIFY(!banner->isHidden());
        QVERIFY(document.setSetting("training.optimizer.lr", 0.2));  // what was refused is mended
        QVERIFY(banner->isHidden());
        // Of two, the newer one is not taken away with the older one's cause.
        QVERIFY(!document.setSetting("training.optimizer.lr", "fast"));
        window.workspace().tell(widgets::Severity::Critical, "Something else is wrong.");
        QVERIFY(document.setSetting("training.optimizer.lr", 0.3));
        QVERIFY(!banner->isHidden());
    }

    void whatACrashLeftIsOfferedUntilItIsAnswered() {
        OpenProject project;
        Json unsaved = project.document.project().json;
        unsaved["description"] = "from the crash";
        project.document.close();
        {
            RecoveryFile file(filePath(project.folder));
            QVERIFY(file.begin().write(filePath(project.folder), unsaved, {}));
        }
        MainWindow window;
        window.workspace().bridge().setEngine(std::make_shared<FakeEngine>());
        auto* restore = window.findChild<QAction*>("action_restore");
        QVERIFY(!restore->isEnabled());
        QVERIFY(window.files().openNow(project.folder));
        const QString offer = bannerOf(window);
        QVERIFY2(offer.contains("were not saved"), qPrintable(offer));
        QVERIFY(restore->isEnabled());
        auto* banner = window.findChild<widgets::MessageBanner*>("message");
        // Another sentence, and a run: neither is an answer.
        window.workspace().tell(widgets::Severity::Info, "Another sentence.");
        banner->dismiss();
        QTRY_COMPARE(bannerOf(window), offer);
        QVERIFY(!banner->isHidden());
        window.runs().run();
        QTRY_VERIFY_WITH_TIMEOUT(!window.workspace().bridge().isActive(), 20000);
        QTRY_VERIFY(!banner->isHidden());
        QCOMPARE(bannerOf(window), offer);
        // Closed by a person it is gone, and the menu still has it.
        banner->dismiss();
        QTest::qWait(50);
        QVERIFY(banner->isHidden() || bannerOf(window) != offer);
        QVERIFY(restore->isEnabled());
        restore->trigger();
        QCOMPARE(window.workspace().document().setting("description").toString(), QString("from the crash"));
        QVERIFY(!restore->isEnabled());
    }

    void aLongCopyIsToldAndCanBeStopped() {
        QTemporaryDir home;
        qputenv("HOME", home.path().toUtf8());
        // Many files, so that it takes a while and can be stopped between two of them.
        const QString sample = home.filePath("installed/large");
        QVERIFY(QDir().mkpath(sample + "/data"));
        QVERIFY(QFile::copy(kSamples + "/wine/project.json", sample + "/project.json"));
        for (int i = 0; i < 20000; ++i) {
            QFile file(sample + QString("/data/%1").arg(i));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        qputenv("PLUMBLINE_SAMPLES", home.filePath("installed").toUtf8());
        MainWindow window;
        auto* banner = window.findChild<widgets::MessageBanner*>("message");
        window.files().openSample(sample);
        QTRY_VERIFY2_WITH_TIMEOUT(!banner->isHidden(), "too fast to be told", 20000);
        QVERIFY2(bannerOf(window).contains("is being copied"), qPrintable(bannerOf(window)));
        buttonNamed(banner, "messageBannerAction")->click();
        QTRY_VERIFY_WITH_TIMEOUT(bannerOf(window).contains("stopped"), 20000);
        QVERIFY(!window.workspace().document().isOpen());
        QVERIFY(!QFileInfo::exists(home.filePath("Documents/Plumbline/large")));
        qunsetenv("PLUMBLINE_SAMPLES");
    }

    void aReadOnlyProjectSaysSoAndOffersSaveAs() {
        OpenProject project;
        project.document.close();
        QFile::setPermissions(project.temporary.path(), QFile::Permissions(0x7755));
        QFile::setPermissions(project.folder, QFile::Permissions(0x5555));
        QFile::setPermissions(project.folder + "/project.json", QFile::Permissions(0x4444));
        MainWindow window;
        auto engine = std::make_shared<FakeEngine>();
        window.workspace().bridge().setEngine(engine);
        {
            const OrdinaryPerson person;
            QVERIFY(window.files().openNow(project.folder));
            QVERIFY2(bannerOf(window).contains("can only be read"), bannerOf(window).toUtf8());
            window.workspace().quiet();
            window.runs().run();
            QVERIFY(!window.workspace().bridge().isActive());
            QVERIFY(bannerOf(window).contains("can only be read"));
            window.files().save();
            QVERIFY(bannerOf(window).contains("can only be read"));
        }
        window.workspace().quiet();
        QVERIFY(window.workspace().document().saveAs(filePath(project.temporary.filePath("copy"))));
        QVERIFY(window.workspace().requireWritable());
        QFile::setPermissions(project.folder, QFile::Permissions(0x7755));
    }

    void samplesOfASplitAreTriedWithTheirTrueLabel() {
        OpenProject project;
        auto engine = std::make_shared<FakeEngine>();
        MainWindow window;
        QVERIFY(window.files().openNow(project.folder));
        RunBridge& bridge = window.workspace().bridge();
        bridge.setEngine(engine);
        window.show();
        bool ended = false;
        connect(&bridge, &RunBridge::finished, this, [&] { ended = true; });
        window.runs().run();
        QTRY_VERIFY_WITH_TIMEOUT(ended, 10000);
        // A checkpoint file, so that there is a model to ask; the engine of this test does not look into it.
        const QString checkpoints = text(bridge.runFolder()) + "/checkpoints";
        QVERIFY(QDir().mkpath(checkpoints));
        QFile checkpoint(checkpoints + "/best.ckpt");
        QVERIFY(checkpoint.open(QIODevice::WriteOnly));
        checkpoint.write("x");
        checkpoint.close();
        if (!session::checkpointOfRun(bridge.runFolder())) {
            checkpoint.rename(checkpoints + "/step-000000000050.ckpt");
        }
        session::Prediction prediction;
        prediction.classes = {{"3", 0.75}, {"5", 0.25}};
        engine->answer = {prediction};

        TryPanel panel(window.workspace());
        panel.resize(500, 300);
        panel.setVisible(true);
        panel.setRun(bridge.runId());
        auto* answer = panel.findChild<QLabel*>("try_answer");
        QTRY_VERIFY2(answer->text().contains("Its true label is"), answer->text().toUtf8());
        QVERIFY(answer->text().contains("Predicts 3 with a probability of 75.0 %"));
        QCOMPARE(engine->asked.back(), std::string("test:0"));
        auto* index = panel.findChild<QSpinBox*>("try_index");
        QCOMPARE(index->maximum(), 8);  // 15 % of 60 samples
        for (int i = 0; i < 30; ++i) {  // faster than it computes: the newest one is answered
            panel.findChild<QPushButton*>("try_random")->click();
        }
        const std::string wanted = "test:" + std::to_string(index->value());
        QTRY_VERIFY(!engine->asked.empty() && engine->asked.back() == wanted &&
                    answer->text().contains("Its true label is"));
        panel.findChild<QComboBox*>("try_source")->setCurrentIndex(2);
        QTRY_VERIFY(engine->asked.back().starts_with("train:") && answer->text().contains("Its true label is"));
        // A run that has gone on since is asked again.
        prediction.classes = {{"5", 0.875}, {"3", 0.125}};
        engine->answer = {prediction};
        const auto used = session::checkpointOfRun(bridge.runFolder());
        QVERIFY(used.has_value());
        std::filesystem::last_write_time(*used, std::filesystem::last_write_time(*used) + std::chrono::seconds(60));
        panel.setRun(bridge.runId(), "completed, more steps");
        QTRY_VERIFY2(answer->text().contains("Predicts 5 with a probability of 87.5 %"), answer->text().toUtf8());
        panel.findChild<QComboBox*>("try_source")->setCurrentIndex(3);
        QVERIFY(panel.findChild<QLineEdit*>("try_input")->isVisible());
        QVERIFY(!answer->text().contains("true label"));
        // The run's data are the project's: what the panel holds is what the others get.
        const ProjectDocument& document = window.workspace().document();
        const DataReader::Reading shared =
            window.workspace().dataReader().read(document.project().data, document.folder());
        QVERIFY(shared->isDone() && shared->result() && shared.use_count() > 1);
    }

    void fastFingersAreSafe() {
        OpenProject project;
        auto engine = std::make_shared<FakeEngine>();
        engine->steps = 400;
        MainWindow window;
        QVERIFY(window.files().openNow(project.folder));
        RunBridge& bridge = window.workspace().bridge();
        bridge.setEngine(engine);
        window.show();
        int started = 0;
        int finished = 0;
        connect(&bridge, &RunBridge::runStarting, this, [&] { ++started; });
        connect(&bridge, &RunBridge::finished, this, [&](const RunOutcome& outcome) {
            ++finished;
            QVERIFY2(!outcome.error, outcome.error ? toSentence(*outcome.error).c_str() : "");
            QVERIFY(!bridge.isActive());
        });
        QRandomGenerator random(7);
        RunController& runs = window.runs();
        const QDeadlineTimer limit(60000);
        for (int i = 0; (i < 600 || started < 12) && !limit.hasExpired(); ++i) {
            QAction* const actions[] = {runs.runAction, runs.stopAction, runs.pauseAction, runs.runAction};
            QAction* action = actions[random.bounded(4)];
            action->trigger();  // as a person does: nothing happens while it is disabled
            QVERIFY(started - finished == (bridge.isActive() ? 1 : 0));
            if (random.bounded(3) == 0) {
                QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
            }
        }
        runs.stopAction->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!bridge.isActive(), 20000);
        QCOMPARE(finished, started);
        QVERIFY2(started >= 12, qPrintable(QString("%1 runs started").arg(started)));
        QVERIFY(runs.runAction->isEnabled());
        QVERIFY(!runs.stopAction->isEnabled());
        QVERIFY(!runs.pauseAction->isEnabled());
        QCOMPARE(QDir(project.folder + "/runs").entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), started);
    }

    void theWindowStaysAwakeWhileARunSavesBeforeClosing() {
        OpenProject project;
        auto engine = std::make_shared<FakeEngine>();
        engine->holdAtEnd = true;
        engine->saving = true;
        MainWindow window;
        QVERIFY(window.files().openNow(project.folder));
        window.workspace().bridge().setEngine(engine);
        window.show();
        window.runs().run();
        QTRY_VERIFY_WITH_TIMEOUT(window.workspace().bridge().state() == session::RunState::kRunning, 10000);
        window.close();
        auto* box = window.findChild<QDialog*>("dialog_run_is_on");
        QVERIFY(box != nullptr);
        QTimer pulse;
        QSignalSpy beats(&pulse, &QTimer::timeout);
        pulse.start(5);
        box->findChild<QPushButton*>()->click();
        QVERIFY(window.isVisible());
        window.close();  // pressed again while it saves: nothing is asked twice, nothing is cut off
        QVERIFY(window.isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(beats.count() >= 20, 20000);  // it answers all the while
        QVERIFY(window.isVisible() && window.workspace().bridge().isActive());
        engine->letGo();
        QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), 20000);
        QVERIFY(!window.workspace().bridge().isActive());
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::WaysInTest>(argc, argv);
}

#include "test_ways_in.moc"
