"""A sweep: many runs of one project, each in a process of its own, resumable."""

import json
import re
import shutil
import signal
import subprocess
import time
import unittest

from support import PROGRAM, EndToEnd


class Sweep(EndToEnd):
    def test_each_trial_is_a_run_with_its_setting_and_the_best_is_named(self):
        project = self.sample("wine")
        document = self.plumbline("sweep", project, "--over", "training.optimizer.lr=0.001,0.05", "--over", "data.loader.batch_size=16..32/2",
                                  "--method", "grid", "--parallel", 2, "--name", "lr", "--set", "training.stop.epochs=4", "--metric", "val.loss")
        self.assertEqual([trial["status"] for trial in document["trials"]], ["completed"] * 4)
        self.assertEqual({(trial["settings"]["training.optimizer.lr"], trial["settings"]["data.loader.batch_size"]) for trial in document["trials"]},
                         {("0.001", "16"), ("0.001", "32"), ("0.05", "16"), ("0.05", "32")})
        runs = {run["id"]: run for run in self.plumbline("runs", project)["runs"]}
        for trial in document["trials"]:
            self.assertEqual(runs[trial["run"]]["name"], f"lr-{trial['trial']}")
            self.assertEqual(runs[trial["run"]]["epochs"], 4)
            values = [float(value) for _, value in self.metrics(project, trial["run"], "val.loss")]
            self.assertEqual(trial["value"], min(values))
        self.assertEqual(document["best"]["value"], min(trial["value"] for trial in document["trials"]))
        listed = self.plumbline("sweeps", project)["sweeps"]
        self.assertEqual([(sweep["name"], sweep["finished"]) for sweep in listed], [("lr", 4)])
        self.assertEqual(self.plumbline("sweeps", project, "lr")["best"], document["best"])
        sweep = (project / "sweeps" / "lr" / "sweep.json").read_text()
        # A second start under the same name, an unknown setting, a value of the wrong type, a project that has changed.
        self.refused("sweep", project, "--over", "training.optimizer.lr=1,2", "--name", "lr", code=2, error="sweep-exists")
        self.refused("sweep", project, "--over", "training.optimizer.lrr=1,2", code=2)
        self.refused("sweep", project, "--over", "training.optimizer.lr=1,fast", code=2)
        self.refused("sweep", project, "--over", "training.optimizer.lr=2..1", code=2)
        # A series that nothing measures, a validation that is not there, names that runs have already.
        over = ["--over", "training.optimizer.lr=1,2"]
        self.refused("sweep", project, *over, "--name", "none", "--metric", "val.f1", code=2, error="sweep-series-unknown")
        self.refused("sweep", project, *over, "--name", "none", "--metric", "val.accuracy", "--set", "training.validation.every=0",
                     "--set", "training.checkpoints.best.series=train.loss", code=2, error="sweep-series-unknown")
        self.assertFalse((project / "sweeps" / "none").exists())
        shutil.rmtree(project / "sweeps" / "lr")
        self.refused("sweep", project, *over, "--name", "lr", code=2, error="sweep-runs-exist")
        self.assertFalse((project / "sweeps" / "lr").exists())
        (project / "sweeps" / "lr").mkdir(parents=True)
        (project / "sweeps" / "lr" / "sweep.json").write_text(sweep)
        # It goes on as it was begun: what would be another sweep is refused, not passed over.
        for other in (["--set", "training.stop.epochs=9"], ["--over", "training.optimizer.lr=1,2"], ["--method", "random"], ["--trials", 3], ["--name", "x"]):
            self.refused("sweep", project, "--resume", "lr", *other, code=2)
        self.edit(project, lambda d: d["training"].update({"seed": 99}))
        self.refused("sweep", project, "--resume", "lr", code=3, error="definition-changed")

    def test_trials_that_end_before_their_first_value_are_refused_before_the_first_one(self):
        project = self.sample("wine")
        over = ["--over", "training.optimizer.lr=0.01,0.02,0.03"]
        for arguments in (["--method", "random", "--max-steps", 1],
                          ["--method", "halving", "--min-steps", 20, "--set", "training.validation.unit=step", "--set", "training.validation.every=21"]):
            self.refused("sweep", project, *over, "--name", "short", *arguments, code=2, error="sweep-too-short")
        told = self.refused("sweep", project, *over, "--name", "short", "--method", "halving", "--min-steps", 1, code=2, error="sweep-too-short")
        self.assertFalse((project / "sweeps" / "short").exists())
        # As many steps as the validation needs are enough, and the loss of the training has a value at every step.
        enough = int(re.search(r"to (\d+) or more", told["hint"]).group(1))
        for name, arguments in (("validated", ["--min-steps", enough]), ("trained", ["--min-steps", 1, "--metric", "train.loss"])):
            document = self.plumbline("sweep", project, *over, "--method", "halving", "--trials", 3, "--name", name, "--set", "training.stop.epochs=2", *arguments)
            self.assertIsNotNone(document["best"])

    def test_a_trial_that_its_plan_has_ended_goes_through_later_rungs_with_its_value(self):
        project = self.sample("wine")
        # No gain is large enough, so early stopping ends each run in its second epoch, long before the first rung does.
        document = self.plumbline("sweep", project, "--over", "training.optimizer.lr=0.01,0.02,0.03,0.04", "--method", "halving", "--trials", 4, "--eta", 2, "--min-steps", 1000, "--name", "early",
                                  "--set", "training.early_stopping.patience=1", "--set", "training.early_stopping.min_delta=1000", "--set", "training.stop.epochs=100000")
        self.assertEqual([trial["error"] for trial in document["trials"] if "error" in trial], [])
        self.assertEqual(sorted(trial["status"] for trial in document["trials"]), ["completed", "dropped", "dropped", "dropped"])
        best = next(trial for trial in document["trials"] if trial["status"] == "completed")
        self.assertEqual(best["rung"], 3)
        self.assertEqual(best["value"], min(trial["value"] for trial in document["trials"]))
        self.assertEqual(document["best"]["trial"], best["trial"])
        runs = self.plumbline("runs", project)["runs"]
        self.assertEqual([run["status"] for run in runs], ["completed"] * 4)

    def test_the_loss_of_a_phase_has_a_value_at_the_first_step(self):
        project = self.sample("dcgan")
        document = self.plumbline("sweep", project, "--over", "training.optimizer.lr=0.0002", "--method", "grid", "--metric", "train.loss.generator", "--max-steps", 2)
        self.assertEqual([trial["status"] for trial in document["trials"]], ["completed"])

    def test_a_trial_that_somebody_stops_has_not_ended_and_goes_on_later(self):
        project = self.sample("wine")
        arguments = [PROGRAM, "sweep", str(project), "--over", "training.optimizer.lr=0.01", "--method", "grid", "--name", "s", "--set", "training.stop.epochs=1000000",
                     "--max-steps", "200000", "--metric", "train.loss"]
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.poll() is None and process.kill(), process.communicate()))
        end = time.monotonic() + 300
        while time.monotonic() < end and not list((project / "runs").glob("*/checkpoints/step-*.ckpt")):
            time.sleep(0.01)
        self.plumbline("tell", project, "latest", "--timeout", 120, "--stop")
        _, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn("--resume s", err)
        document = self.plumbline("sweeps", project, "s")
        self.assertEqual([trial["status"] for trial in document["trials"]], ["running"])
        self.assertIn("was stopped", document["trials"][0]["error"])
        self.assertIsNone(document["best"])

    def test_the_metric_says_which_end_is_better_and_the_settings_are_those_of_every_trial(self):
        project = self.sample("wine")
        metrics = '[{"type":"accuracy","output":"logits","target":"label","name":"share.loss"},{"type":"perplexity","output":"logits","target":"label"}]'
        for series, mode in (("val.share.loss", "max"), ("val.perplexity", "min")):
            with self.subTest(series):
                document = self.plumbline("sweep", project, "--over", "training.optimizer.lr=0.01,0.02", "--method", "grid", "--parallel", 2, "--metric", series,
                                          "--set", "training.stop.epochs=1", "--set", "training.threads=2", "--set", "training.metrics=" + metrics, "--device", "cpu")
                self.assertEqual(document["sweep"]["mode"], mode)
                self.assertIn("training.device=cpu", document["sweep"]["settings"])
                self.assertEqual([trial["status"] for trial in document["trials"]], ["completed"] * 2)

    def test_after_a_stop_it_goes_on_with_the_trial_that_was_cut_short(self):
        project = self.sample("wine")
        arguments = ["sweep", str(project), "--over", "training.optimizer.lr=0.01,0.02", "--method", "grid", "--name", "s", "--set", "training.stop.epochs=2000"]
        process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 300
        while time.monotonic() < end and not list((project / "runs").glob("*/checkpoints/step-*.ckpt")):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("--resume s", err)
        first = self.plumbline("sweeps", project, "s")["trials"][0]
        self.assertEqual(first["status"], "running")
        run = self.plumbline("runs", project)["runs"][0]
        self.assertEqual(run["status"], "stopped")
        process = subprocess.Popen([PROGRAM, "sweep", str(project), "--resume", "s"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while time.monotonic() < end and self.plumbline("runs", project)["runs"][-1]["status"] != "running":
            time.sleep(0.05)
        runs = self.plumbline("runs", project)["runs"]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=300)
        self.assertEqual([each["id"] for each in runs], [run["id"]], "the trial that was cut short goes on in its own run")

    def test_another_terminal_stops_it_and_it_goes_on_later(self):
        project = self.sample("wine")
        self.refused("sweep", project, "--stop", "s", code=2, error="sweep-missing")
        arguments = [PROGRAM, "sweep", str(project), "--over", "training.optimizer.lr=0.01,0.02", "--method", "grid", "--parallel", "2", "--name", "s",
                     "--set", "training.stop.epochs=1000000"]
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.poll() is None and process.kill(), process.communicate()))
        end = time.monotonic() + 300
        while time.monotonic() < end and len(list((project / "runs").glob("*/checkpoints/step-*.ckpt"))) < 2:
            time.sleep(0.01)
        self.refused("sweep", project, "--resume", "s", code=3, error="sweep-busy")
        self.refused("sweep", project, "--stop", "s", "--name", "t", code=2)
        # One that cannot answer is not left with a request that would stop it later; who waits longer keeps waiting.
        process.send_signal(signal.SIGSTOP)
        requests = lambda: len(list((project / "sweeps" / "s").glob("stop*")))
        self.refused("sweep", project, "--stop", "s", "--timeout", 1, code=1, error="no-answer")
        self.assertEqual(requests(), 0)
        patient = subprocess.Popen([PROGRAM, "sweep", str(project), "--stop", "s", "--timeout", "300", "--json"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (patient.poll() is None and patient.kill(), patient.communicate()))
        while requests() == 0 and patient.poll() is None:
            time.sleep(0.01)
        self.refused("sweep", project, "--stop", "s", "--timeout", 1, code=1, error="no-answer")
        self.assertEqual(requests(), 1)
        self.assertIsNone(patient.poll())
        process.send_signal(signal.SIGCONT)
        out, _ = patient.communicate(timeout=300)
        self.assertEqual(patient.returncode, 0)
        document = json.loads(out)
        _, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("--resume s", err)
        self.assertEqual([trial["status"] for trial in document["trials"]], ["running"] * 2)
        self.assertEqual({run["status"] for run in self.plumbline("runs", project)["runs"]}, {"stopped"})
        self.assertEqual(sorted(path.name for path in (project / "sweeps" / "s").iterdir()), ["sweep.json", "trials.jsonl"])
        self.refused("sweep", project, "--stop", "s", code=2, error="sweep-not-running")

    def test_a_setting_that_changes_nothing_is_told_and_tried_all_the_same(self):
        project = self.sample("wine")
        common = ["--method", "grid", "--metric", "train.loss", "--max-steps", 1, "--set", "training.optimizer.type=AdamW", "--over", "training.optimizer.momentum=0,0.9"]
        document = self.plumbline("sweep", project, *common)
        self.assertEqual(len(document["warnings"]), 1)
        self.assertIn("training.optimizer.momentum changes nothing where training.optimizer.type is AdamW", document["warnings"][0])
        self.assertEqual([trial["status"] for trial in document["trials"]], ["completed"] * 2)
        document = self.plumbline("sweep", project, *common, "--over", "training.optimizer.type=AdamW,SGD")
        self.assertEqual(document["warnings"], [])

    def test_a_copy_of_its_folder_is_another_sweep_with_runs_of_its_own(self):
        project = self.sample("wine")
        self.plumbline("sweep", project, "--over", "training.optimizer.lr=0.01,0.02", "--method", "grid", "--name", "s", "--set", "training.stop.epochs=1")
        runs = {run["name"]: run for run in self.plumbline("runs", project)["runs"]}
        before = {path: path.stat().st_mtime_ns for path in (project / "runs" / runs["s-1"]["id"]).rglob("*") if path.is_file()}
        # As it lay there while its second trial was being trained.
        for name in ("t", "u"):
            shutil.copytree(project / "sweeps" / "s", project / "sweeps" / name)
            with open(project / "sweeps" / name / "trials.jsonl", "a") as file:
                trial = dict(self.plumbline("sweeps", project, "s")["trials"][1], status="running", rung=0)
                file.write(json.dumps(trial) + "\n")
        document = self.plumbline("sweep", project, "--resume", "t")
        self.assertEqual(document["sweep"]["name"], "t")
        self.assertEqual([trial["status"] for trial in document["trials"]], ["completed"] * 2)
        after = {run["name"]: run for run in self.plumbline("runs", project)["runs"]}
        self.assertEqual(set(after), {"s-0", "s-1", "t-1"})
        self.assertEqual([trial["run"] for trial in document["trials"]], [runs["s-0"]["id"], after["t-1"]["id"]])
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in before}, "the original's run is as it was")
        self.assertEqual(self.plumbline("sweeps", project, "s")["trials"][1]["run"], runs["s-1"]["id"])
        # A run that happens to be called so is not taken for one of its trials.
        self.plumbline("train", project, "--run-name", "u-1", "--max-steps", 1)
        self.refused("sweep", project, "--resume", "u", code=2, error="sweep-runs-exist")
        self.assertEqual(len(self.plumbline("runs", project)["runs"]), 4)


if __name__ == "__main__":
    unittest.main()
