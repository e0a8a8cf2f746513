// SPDX-License-Identifier: GPL-3.0-or-later
// The profile of a run that is on: what the button asks, what is shown of the answer, what is kept of it, what is
// refused.
#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>

#include "core/files.h"
#include "gui/pages/run_profile_dialog.h"
#include "widgets/filter_table.h"
#include "widgets/flame_chart.h"
#include "widgets/plot_widget.h"
#include "window_fixture.h"

namespace plumbline::gui::test {

namespace {

Json reportOfSteps() {
    return Json::parse(
        R"json({"steps": 10, "phases": {"loader_wait_ms": 1, "to_device_ms": 0, "forward_ms": 3, "loss_ms": 0.5, "backward_ms": 4, "optimizer_ms": 1,
            "monitor_ms": 0.25, "other_ms": 0.25, "total_ms": 10},
        "blocks": [{"block": "conv", "type": "Conv2d", "forward_ms": 2, "backward_ms": 3, "kept_bytes": 32768, "live_bytes": 0, "growth_bytes": 0},
                   {"block": "fc", "type": "Linear", "forward_ms": 0.5, "backward_ms": 0.75, "kept_bytes": 640, "live_bytes": 0, "growth_bytes": 2000000}],
        "memory": {"timeline": [[0, 1000000, "forward", ""], [2, 3000000, "forward", "conv"], [9, 1000000, "optimizer", ""]], "growth_bytes": 2000000}})json");
}

struct Fixture : WindowFixture {
    Fixture() {
        engine->profiled = reportOfSteps();
        engine->holdAtEnd = true;
        window.resize(1200, 800);
        window.show();
        window.showPage("train");
    }
    bool begins() {
        window.runs().run();
        return QTest::qWaitFor(
            [this] { return bridge().state() == session::RunState::kRunning && button("train_profile")->isEnabled(); },
            20000);
    }
    bool ends() {
        bridge().stop();
        return QTest::qWaitFor([this] { return !bridge().isActive(); }, 20000);
    }
    bool settles() {
        return QTest::qWaitFor([this] { return !dialog()->isBusy(); }, 20000);
    }
    QPushButton* button(const char* which) { return named<QPushButton>(which); }
    RunProfileDialog* dialog() { return named<RunProfileDialog>("dialog_run_profile"); }
    QString sentence() { return named<QLabel>("run_profile_sentence")->text(); }
};

}  // namespace

class RunProfileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theButtonLooksAtTheNextStepsOfTheRunAndShowsThem() {
        Fixture f;
        QVERIFY(!f.button("train_profile")->isEnabled());  // there is no run
        QVERIFY(f.begins());
        f.button("train_profile")->click();
        QVERIFY(f.dialog()->isVisible() && !f.dialog()->isModal());
        QVERIFY(f.settles());
        QCOMPARE(f.named<QSpinBox>("run_profile_steps")->value(), 10);
        QVERIFY(!f.named<QCheckBox>("run_profile_trace")->isChecked());
        QVERIFY(!f.named<QComboBox>("run_profile_which")->isVisible());
        QVERIFY(f.button("run_profile_start")->isEnabled());
        f.button("run_profile_start")->click();
        QVERIFY(QTest::qWaitFor(
            [&] { return !f.dialog()->isBusy() && f.named<widgets::FlameChart>("probe_flame") != nullptr; }, 20000));
        QCOMPARE(f.engine->taken(), std::vector<std::string>{R"(profile={"steps":10,"trace":false})"});
        QVERIFY2(f.sentence().contains("A step takes") && f.sentence().contains("Tensors grew by") &&
                     f.sentence().contains("Most of it belongs to fc."),
                 qPrintable(f.sentence()));
        QCOMPARE(f.named<widgets::FilterTable>("probe_blocks")->view()->model()->rowCount(), 2);
        QCOMPARE(f.named<widgets::PlotWidget>("probe_memory")->pointCount("tensors"), 3);
        QCOMPARE(f.named<QComboBox>("run_profile_which")->count(), 1);

        // A second one, with a trace, joins the first.
        f.named<QSpinBox>("run_profile_steps")->setValue(500);
        f.named<QCheckBox>("run_profile_trace")->setChecked(true);
        QCOMPARE(f.named<QSpinBox>("run_profile_steps")->value(), 100);
        f.button("run_profile_start")->click();
        QVERIFY(QTest::qWaitFor(
            [&] { return !f.dialog()->isBusy() && f.named<QComboBox>("run_profile_which")->count() == 2; }, 20000));
        QCOMPARE(f.engine->taken().back(), std::string(R"(profile={"steps":100,"trace":true})"));
        QVERIFY(f.ends());
        QVERIFY(!f.button("run_profile_start")->isEnabled());
        QVERIFY(f.named<widgets::FlameChart>("probe_flame")->isVisible());  // what was found stays
    }

    void whatTheRunRefusesIsSaid() {
        Fixture f;
        f.engine->profiled = nullptr;
        QVERIFY(f.begins());
        f.button("train_profile")->click();
        QVERIFY(f.settles());
        f.button("run_profile_start")->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.sentence().contains("profiled already"), 20000);
        QVERIFY(f.button("run_profile_start")->isEnabled());
        QVERIFY(f.named<widgets::FlameChart>("probe_flame") == nullptr);
        QVERIFY(f.ends());
    }

    void aReportThatCouldNotBeWrittenEndsTheWaitWithItsSentence() {
        Fixture f;
        f.engine->profileError = Json{{"code", "disk-full"}, {"message", "The disk is full."}, {"hint", "Free space."}};
        QVERIFY(f.begins());
        f.button("train_profile")->click();
        QVERIFY(f.settles());
        f.button("run_profile_start")->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.sentence().contains("The disk is full."), 20000);
        QVERIFY(!f.dialog()->isBusy());
        QVERIFY(f.button("run_profile_start")->isEnabled());
        QVERIFY(f.ends());
    }

    void aRefusalOfWhatOneDialogAskedEndsNoOthersWait() {
        Fixture f;
        QVERIFY(f.begins());
        RunProfileDialog first(f.workspace()), second(f.workspace());
        first.showRun(f.bridge().runId());
        second.showRun(f.bridge().runId());
        QVERIFY(QTest::qWaitFor([&] { return !first.isBusy() && !second.isBusy(); }, 20000));
        f.engine->profiled = nullptr;
        first.findChild<QPushButton*>("run_profile_start")->click();
        QVERIFY(first.isBusy() && !second.isBusy());
        const auto said = [](RunProfileDialog& dialog) {
            return dialog.findChild<QLabel*>("run_profile_sentence")->text();
        };
        QTRY_VERIFY_WITH_TIMEOUT(said(first).contains("profiled already"), 20000);
        QVERIFY2(said(second).isEmpty(), qPrintable(said(second)));
        QVERIFY(f.ends());
    }

    void anotherProjectEndsWhatIsBeingRead() {
        Fixture f;
        QVERIFY(f.begins());
        f.button("train_profile")->click();
        QVERIFY(f.ends());
        f.dialog()->showRun("20260101-000000-none");
        QVERIFY(f.dialog()->isBusy());
        QVERIFY(f.window.files().openNow(f.temporary.filePath("other")));
        QVERIFY(!f.dialog()->isBusy());
    }

    void theRunsPageShowsTheProfilesOfAStoredRunAndSaysWhereOneIsDamaged() {
        Fixture f;
        QVERIFY(f.begins());
        const std::filesystem::path folder = f.bridge().runFolder() / "profiles";
        QVERIFY(f.ends());
        QVERIFY(makeFolder(folder) && writeJsonFile(folder / "step-000000020.json", reportOfSteps()) &&
                writeFileAtomically(folder / "step-000000040.json", "[1, 2"));
        QVERIFY(writeFileAtomically(folder / "step-000000020.trace.json", "{}"));
        QVERIFY(f.window.showPage("runs"));
        QTRY_VERIFY_WITH_TIMEOUT(f.button("runs_profiles")->isEnabled(), 20000);
        f.button("runs_profiles")->click();
        QVERIFY(f.settles());
        auto* which = f.named<QComboBox>("run_profile_which");
        QCOMPARE(which->count(), 2);
        QCOMPARE(which->itemText(0), QString("Up to step 20"));
        QVERIFY2(f.sentence().contains("step-000000040.json"), qPrintable(f.sentence()));  // the newest one is damaged
        QVERIFY(!f.button("run_profile_start")->isEnabled());
        which->setCurrentIndex(0);
        Q_EMIT which->activated(0);
        QVERIFY(f.settles());
        QVERIFY(f.named<widgets::FlameChart>("probe_flame")->isVisible());
        QVERIFY2(f.sentence().contains("A step takes"), qPrintable(f.sentence()));
        // JSON that is no profile.
        QVERIFY(writeFileAtomically(folder / "step-000000040.json", R"({"memory": {"timeline": [1]}})"));
        which->setCurrentIndex(1);
        Q_EMIT which->activated(1);
        QVERIFY(f.settles());
        QVERIFY2(f.sentence().contains("something else"), qPrintable(f.sentence()));
    }
};

}  // namespace plumbline::gui::test

int main(int argc, char** argv) {
    return plumbline::gui::test::runTests<plumbline::gui::test::RunProfileTest>(argc, argv);
}

#include "test_run_profile.moc"
