"""A run that is killed or interrupted goes on exactly: its losses equal the uninterrupted run's, bit for bit."""

import json
import pathlib
import random
import re
import signal
import subprocess
import time
import unittest

from support import PROGRAM, EndToEnd

HANGS = 300  # seconds after which a program is taken for one that never ends, however busy the machine


class KillAndResume(EndToEnd):
    def start(self, project, *arguments):
        return subprocess.Popen([PROGRAM, "train", str(project), "--json", *map(str, arguments)], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_for_checkpoint(self, project, at_least, besides=()):
        """Until a checkpoint of a step past `at_least` is there, in another run than those of `besides`."""
        end = time.monotonic() + HANGS
        while time.monotonic() < end:
            for file in (project / "runs").glob("*/checkpoints/step-*.ckpt"):
                if file.parent.parent not in besides and int(file.stem.split("-")[1]) >= at_least:
                    return
            time.sleep(0.005)
        self.fail("no checkpoint came")

    def project(self):
        project = self.sample("digits-mlp")
        self.edit(project, lambda d: d["model"]["graph"]["nodes"].update(
            {"drop": {"type": "Dropout", "from": "relu1", "params": {"p": 0.1}},
             "linear2": {"type": "Linear", "from": "drop", "params": {"out_features": 64}}}))
        return project

    def test_after_kill_9_the_losses_are_those_of_the_uninterrupted_run(self):
        project = self.project()
        self.plumbline("train", project, "--run-name", "whole")
        whole = self.metrics(project, "whole", "train.loss")
        before = set((project / "runs").glob("2*"))
        process = self.start(project, "--run-name", "killed")
        # Any instant will do, so it differs from run to run; the run has four times as many steps.
        self.wait_for_checkpoint(project, random.randint(1, len(whole) // 4), besides=before)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        again = self.run_program("train", project, "--max-steps", 1, "--run-name", "new")
        self.assertEqual(again.returncode, 0, again.stderr)
        told = [line for line in again.stderr.splitlines() if "interrupted" in line]
        self.assertEqual(len(told), 1, again.stderr)
        command = re.search(r'"plumbline (resume .*?)"', told[0]).group(1).split()
        self.assertEqual(command[:2], ["resume", str(project)])
        runs = {run["name"]: run for run in self.plumbline("runs", project)["runs"]}
        self.assertEqual(runs["killed"]["status"], "interrupted")
        self.assertEqual(command[2], runs["killed"]["id"])
        summary = self.plumbline(*command)
        self.assertEqual(summary["status"], "completed")
        quiet = self.run_program("train", project, "--max-steps", 1)
        self.assertNotIn("interrupted", quiet.stderr)
        self.assertEqual(self.metrics(project, "killed", "train.loss"), whole)

    def test_ctrl_c_saves_and_ends_with_130(self):
        project = self.project()
        self.edit(project, lambda d: d["training"]["stop"].update(epochs=2000))
        process = self.start(project)
        self.wait_for_checkpoint(project, 20)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=HANGS)
        self.assertEqual(process.returncode, 130)
        summary = json.loads(output)
        self.assertEqual(summary["stop_reason"]["code"], "interrupt")
        self.assertTrue((pathlib.Path(summary["folder"]) / summary["checkpoint"]).exists())

    def test_sigterm_and_a_lost_terminal_save_and_end_with_143(self):
        project = self.project()
        self.edit(project, lambda d: d["training"]["stop"].update(epochs=2000))
        for number in (signal.SIGTERM, signal.SIGHUP):
            before = set((project / "runs").glob("2*"))
            process = self.start(project)
            self.wait_for_checkpoint(project, 20, besides=before)
            process.send_signal(number)
            output, _ = process.communicate(timeout=HANGS)
            self.assertEqual(process.returncode, 143, number)
            summary = json.loads(output)
            self.assertEqual(summary["stop_reason"]["code"], "terminate")
            # The run has 2,000 epochs: what is saved is the step at which it was stopped.
            self.assertEqual(int(pathlib.Path(summary["checkpoint"]).stem.split("-")[1]), summary["steps"]["attempted"])
            self.assertTrue((pathlib.Path(summary["folder"]) / summary["checkpoint"]).exists())

    def test_a_resume_without_its_data_leaves_the_run_as_it_was(self):
        project = self.sample("wine")
        self.plumbline("train", project, "--set", "training.stop.epochs=2", "--max-steps", 10)
        before = self.plumbline("runs", project)["runs"]
        self.assertEqual(before[0]["status"], "stopped")
        (project / "data").rename(project / "elsewhere")
        self.refused("resume", project, "latest", code=3, error="file-missing")
        self.assertEqual(self.plumbline("runs", project)["runs"], before)
        (project / "elsewhere").rename(project / "data")
        self.assertEqual(self.plumbline("resume", project, "latest")["status"], "completed")

    def test_max_steps_then_resume_equals_one_run(self):
        project = self.project()
        self.plumbline("train", project, "--run-name", "whole", "--max-steps", 60)
        self.plumbline("train", project, "--run-name", "parts", "--max-steps", 33)
        self.plumbline("resume", project, "parts", "--max-steps", 60)
        self.assertEqual(self.metrics(project, "parts", "train.loss"), self.metrics(project, "whole", "train.loss"))

    def test_a_resume_that_has_nothing_to_do_is_refused_and_says_what_has(self):
        project = self.project()
        self.plumbline("train", project, "--run-name", "part", "--max-steps", 20)
        before = self.metrics(project, "part", "train.loss")
        for steps in (1, 10, 20):
            told = self.refused("resume", project, "part", "--max-steps", steps, code=2, error="nothing-left-to-train")
            self.assertIn("20 steps", told["message"])
            self.assertIn("more than 20", told["hint"])
        self.refused("resume", project, "part", "--max-steps", 0, code=2)
        self.assertEqual(self.metrics(project, "part", "train.loss"), before)
        self.refused("train", project, "--from", "part", "--max-steps", 20, code=2, error="nothing-left-to-train")
        self.refused("train", project, "--from", "part", "--max-steps", 0, code=2)
        self.plumbline("train", project, "--run-name", "whole", "--set", "training.stop.epochs=2")
        told = self.refused("resume", project, "whole", code=2, error="run-completed")
        self.assertIn("--from", told["hint"])


if __name__ == "__main__":
    unittest.main()
