"""Commands to a run that another process trains: settings, a profile, a checkpoint, pause and stop; garbage beside them; and the run repeated."""

import json
import os
import subprocess
import time
import unittest

from support import PROGRAM, EndToEnd


class Tell(EndToEnd):
    def begin(self, project, *settings):
        """A run of far more epochs than it will have, in a process of its own; ended with the test."""
        arguments = [PROGRAM, "train", str(project), "--json", *[x for setting in settings for x in ("--set", setting)]]
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.poll() is None and process.kill(), process.communicate()))
        self.wait_for(lambda: list((project / "runs").glob("*/checkpoints/step-*.ckpt")), process)
        return process

    def wait_for(self, condition, process=None):
        end = time.monotonic() + 300
        while not condition():
            self.assertLess(time.monotonic(), end, "it did not come")
            if process is not None:
                self.assertIsNone(process.poll(), "the run has ended")
            time.sleep(0.02)

    def tell(self, project, *arguments, **options):
        return self.plumbline("tell", project, "latest", "--timeout", 120, *arguments, **options)

    def project(self):
        project = self.sample("wine")
        # Epochs of a few milliseconds each: checkpoints and validations seldom.
        self.edit(project, lambda d: d["training"].update({"stop": {"epochs": 1000000}, "checkpoints": {"every": 1000, "keep_last": 2},
                                                           "validation": {"every": 1000}, "scheduler": {"type": "constant"}}))
        return project

    def test_a_learning_rate_is_told_with_what_its_schedule_makes_of_it(self):
        project = self.project()
        process = self.begin(project, 'training.scheduler={"type": "exponential", "unit": "step", "gamma": 0.99}')
        self.wait_for(lambda: self.plumbline("runs", project)["runs"][0]["steps"]["attempted"] > 5, process)
        answers = []

        def is_taken_at_once():
            answers.append(self.tell(project, "training.optimizer.lr=0.0125")["answers"][0])
            return "after" not in answers[-1]  # else it came within a validation

        self.wait_for(is_taken_at_once, process)
        self.assertTrue(all(answer["accepted"] for answer in answers), answers)
        self.assertEqual([rate["base"] for rate in answers[-1]["rates"]], [0.0125])
        self.assertLess(answers[-1]["rates"][0]["lr"], 0.0125)
        told = self.run_program("tell", project, "latest", "--timeout", 120, "training.optimizer.lr=0.02")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("schedule", told.stdout)
        self.tell(project, "--stop")
        process.communicate(timeout=300)
        rates = {step: float(rate) for step, rate in self.metrics(project, "latest", "lr")}
        for answer in answers:  # wherever it came, the step after it has it
            self.assertAlmostEqual(rates[answer["step"] + 1] / (0.0125 * 0.99 ** answer["step"]), 1, delta=1e-6)
        self.assertEqual(answers[-1]["rates"][0]["lr"], rates[answers[-1]["step"] + 1])

    def test_a_run_is_changed_profiled_saved_paused_and_stopped_and_repeats_with_its_change(self):
        project = self.project()
        process = self.begin(project)
        self.wait_for(lambda: self.plumbline("runs", project)["runs"][0]["steps"]["attempted"] > 0, process)
        answer = self.tell(project, "training.optimizer.lr=0.0125")["answers"]
        self.assertEqual([(a["path"], a["value"], a["accepted"]) for a in answer], [("training.optimizer.lr", 0.0125, True)])
        changed = answer[0]["step"]

        answers = self.tell(project, "--profile", 5, "--trace", "--checkpoint")["answers"]
        self.assertEqual([(a["path"], a["accepted"]) for a in answers], [("profile", True), ("checkpoint", True)])
        run = next((project / "runs").glob("*/run.sqlite")).parent
        saved = run / "checkpoints" / f"step-{answers[1]['step']:09}.ckpt"
        self.wait_for(saved.exists, process)  # after a validation, where one is on
        self.wait_for(lambda: [f for f in run.glob("profiles/step-*.json") if ".trace" not in f.name], process)
        report = json.loads(next(f for f in run.glob("profiles/step-*.json") if ".trace" not in f.name).read_text())
        self.assertEqual(report["first_step"], answers[0]["step"] + 1)
        self.assertEqual(report["steps"], 5)
        self.assertGreater(report["phases"]["forward_ms"], 0)
        self.assertTrue(report["blocks"] and report["memory"]["timeline"])
        self.assertTrue(json.loads((run / "profiles" / report["trace"]).read_text())["traceEvents"])

        # What is garbage, a link, or no command is refused by the run, which goes on.
        inbox = run / "inbox"
        (inbox / "00000000000000000001-1-0.json").write_text("garbage")
        (inbox / "00000000000000000001-1-1.json").symlink_to(project / "project.json")
        (inbox / "00000000000000000001-1-2.json").write_text('{"commands": [{"path": "training.stop.epochs", "value": 1}]}')
        self.wait_for(lambda: not list(inbox.iterdir()), process)
        self.assertTrue((project / "project.json").exists())
        self.refused("tell", project, "latest", "training.stop.epochs=3", code=2, error="not-live")
        self.refused("tell", project, "latest", "training.optimizer.lrr=3", code=2)
        self.refused("tell", project, "latest", "training.optimizer.lr=-1", code=2)
        self.refused("tell", project, "latest", "training.optimizer.lr=fast", code=2)
        self.refused("tell", project, "latest", "training.clip.clip_value=0.5", code=2, error="no-effect")
        self.refused("tell", project, "latest", "--trace", code=2)
        self.refused("tell", project, "latest", "--checkpoint", "--timeout", "nan", code=2)
        self.refused("tell", project, "latest", code=2, error="nothing-to-tell")

        self.refused("tell", project, "latest", "--go-on", code=2, error="not-paused")
        self.assertTrue(self.tell(project, "--pause")["answers"][0]["accepted"])
        # Paused, it hears all the same.
        told = []

        def stands_still():
            told.append(self.tell(project, "training.optimizer.lr=0.005")["answers"][0])
            return len(told) > 1 and told[-1]["step"] == told[-2]["step"]

        self.wait_for(stands_still, process)
        self.assertTrue(all(answer["accepted"] for answer in told))
        said = self.run_program("tell", project, "latest", "training.optimizer.lr=0.0075", "--checkpoint", "--pause")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertRegex(said.stdout, r"training\.optimizer\.lr (is|will be) 0\.0075 from step \d+ on")
        self.assertIn("paused already", said.stdout)
        self.assertTrue(self.tell(project, "--go-on")["answers"][0]["accepted"])
        self.assertEqual(self.plumbline("tell", project, "latest", "training.optimizer.weight_decay=0.001", "--no-wait")["answers"], [])
        self.tell(project, "training.optimizer.lr=0.025")
        self.assertTrue(self.tell(project, "--stop")["answers"][0]["accepted"])
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, err)
        self.assertNotIn("registerClient", err, "LibTorch's profiler writes nothing into the terminal")
        summary = json.loads(out)
        self.assertEqual((summary["status"], summary["stop_reason"]["code"]), ("stopped", "user"))
        self.assertFalse(inbox.exists())
        self.refused("tell", project, "latest", "--stop", code=2, error="run-not-on")

        rates = dict(self.metrics(project, "latest", "lr"))
        self.assertEqual((float(rates[changed]), float(rates[changed + 1])), (0.01, 0.0125))
        self.assertEqual(float(rates[max(rates)]), 0.025)
        # All changes come again, and the profile with its trace changed no number.
        again = self.plumbline("reproduce", project, "latest")
        self.assertEqual(again["verdict"], "passed", again)

    def test_what_stands_before_a_pause_or_a_stop_in_a_message_is_taken_before_it(self):
        for accumulation in (1, 3):
            with self.subTest(accumulation=accumulation):
                project = self.project()
                process = self.begin(project, f"training.accumulation={accumulation}")
                self.wait_for(lambda: self.plumbline("runs", project)["runs"][0]["steps"]["attempted"] > 0, process)
                answers = self.tell(project, "training.optimizer.lr=0.002", "--pause")["answers"]
                self.assertEqual({(a["path"], a["accepted"]) for a in answers}, {("training.optimizer.lr", True), ("pause", True)})
                self.tell(project, "--go-on")
                answers = self.tell(project, "training.optimizer.lr=0.003", "--checkpoint", "--stop")["answers"]
                self.assertEqual({(a["path"], a["accepted"]) for a in answers}, {("training.optimizer.lr", True), ("checkpoint", True), ("stop", True)})
                out, err = process.communicate(timeout=300)
                self.assertEqual(process.returncode, 0, err)
                told = {a["path"]: a["step"] for a in answers}
                run = next((project / "runs").glob("*/run.sqlite")).parent
                self.assertTrue((run / "checkpoints" / f"step-{told['checkpoint']:09}.ckpt").exists(), os.listdir(run / "checkpoints"))
                # The resume goes on with what was told last.
                last = json.loads(out)["steps"]["attempted"]
                self.plumbline("resume", project, "latest", "--max-steps", last + 2)
                self.assertEqual(float(dict(self.metrics(project, "latest", "lr"))[last + 1]), 0.003)

    def test_what_was_told_to_a_run_that_was_killed_is_not_for_its_resume(self):
        project = self.project()
        process = self.begin(project)
        run = next((project / "runs").glob("*/run.sqlite")).parent
        process.kill()
        process.communicate()
        (run / "inbox" / "00000000000000000001-1-0.json").write_text('{"commands": [{"path": "stop"}]}')
        self.refused("tell", project, "latest", "--stop", code=2, error="run-not-on")
        resumed = self.plumbline("resume", project, "latest", "--max-steps", 20)
        self.assertEqual(resumed["stop_reason"]["code"], "max_steps")
        self.assertEqual(resumed["steps"]["attempted"], 20)


if __name__ == "__main__":
    unittest.main()
