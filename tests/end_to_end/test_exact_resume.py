"""Runs that are killed again and again at random instants have, to the last bit, the numbers of a run that was left alone."""

import os
import random
import signal
import struct
import subprocess
import time
import unittest
import zlib

from support import PROGRAM, EndToEnd, patient

HANGS = 300
SERIES = ("train.", "val.", "test.", "lr", "scaler.scale")


class ExactResume(EndToEnd):
    seed = int(os.environ.get("PLUMBLINE_TEST_SEED", "0")) or random.SystemRandom().randrange(1, 1 << 31)

    def setUp(self):
        super().setUp()
        self.random = random.Random(self.seed)

    def project(self, training, workers):
        """A small convolutional net with everything that an interruption could disturb: dropout, BatchNorm, augmentation, workers."""
        project = self.sample("digits-cnn")

        def change(document):
            document["model"] = {"definitions": {}, "graph": {
                "inputs": document["model"]["graph"]["inputs"],
                "nodes": {"conv": {"type": "Conv2d", "from": "image", "params": {"out_channels": 4, "kernel_size": 3}},
                          "bn": {"type": "BatchNorm2d", "from": "conv"},
                          "relu": {"type": "ReLU", "from": "bn"},
                          "drop": {"type": "Dropout", "from": "relu", "params": {"p": 0.2}},
                          "flatten": {"type": "Flatten", "from": "drop"},
                          "fc": {"type": "Linear", "from": "flatten", "params": {"out_features": 10}}},
                "outputs": {"logits": "fc"}}}
            document["data"]["inputs"]["image"]["transforms"].insert(0, {"type": "random_rotation", "degrees": 20})
            document["data"]["loader"].update(batch_size=32, workers=workers)
            document["training"].update(device="cpu", threads=1, stop={"epochs": 12}, validation={"every": 7, "unit": "step"})
            document["training"]["optimizer"].pop("groups", None)
            document["training"]["checkpoints"] = {"every": 3, "unit": "step", "keep_last": 3, "best": {"series": "val.loss", "mode": "min"}}
            document["training"].update(training)

        self.edit(project, change)
        return project

    def numbers(self, project, run):
        """Every value that does not come from the clock: series, step, value as it is stored."""
        result = self.run_program("metrics", project, run)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = [line.split(",") for line in result.stdout.splitlines()[1:]]
        return [(row[0], int(row[1]), row[4]) for row in rows if row[0].startswith(SERIES)]

    def checkpoints(self, project, besides):
        return {file: file.stat().st_mtime_ns for run in (project / "runs").glob("2*") if run not in besides for file in run.glob("checkpoints/step-*.ckpt")}

    def kill(self, project, command, besides, name):
        """Kills a command at a random instant after it has written a checkpoint. Whether the run `name` has something left to do: a kill may come when
        its end is on record already."""
        before = self.checkpoints(project, besides)
        process = subprocess.Popen([PROGRAM, *map(str, command), "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + HANGS
        while process.poll() is None and time.monotonic() < end:
            try:
                if self.checkpoints(project, besides).items() - before.items():
                    break
            except FileNotFoundError:
                pass  # one was removed while it was looked at
            time.sleep(0.001)
        time.sleep(self.random.uniform(0, 0.25))
        process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
        if process.returncode != -signal.SIGKILL:
            self.assertEqual(process.returncode, 0, errors)
            return False
        return next(run for run in self.plumbline("runs", project)["runs"] if run["name"] == name)["status"] == "interrupted"

    def check(self, training, workers):
        project = self.project(training, workers)
        self.plumbline("train", project, "--run-name", "whole")
        whole = self.numbers(project, "whole")
        for series in ("train.loss", "train.accuracy", "val.loss", "val.accuracy", "test.loss"):
            self.assertTrue(any(name == series for name, _, _ in whole), f"{series} is not compared")
        kills = 0
        for attempt in range(10):
            if kills >= 2 and not patient():
                break
            before = set((project / "runs").glob("2*"))
            name = f"killed-{attempt}"
            going = self.kill(project, ["train", project, "--run-name", name], before, name)
            for _ in range(4):
                kills += going
                if not going:
                    break
                going = self.kill(project, ["resume", project, name], before, name)
            kills += going
            if going:
                self.assertEqual(self.plumbline("resume", project, name)["status"], "completed")
            self.assertEqual(self.numbers(project, name), whole, f"seed {self.seed}")
        self.assertGreaterEqual(kills, 2, f"seed {self.seed}: the runs were over before they could be killed")
        return project

    def test_with_workers_augmentation_and_accumulation(self):
        project = self.check({"accumulation": 3}, workers=3)
        proof = self.plumbline("resume", project, "killed-0", "--prove")
        self.assertEqual(proof["verdict"], "passed")
        self.assertGreater(proof["compared"]["values"], 0)
        self.assertGreater(proof["compared"]["tensors"], 10)
        again = self.plumbline("reproduce", project, "killed-0")
        self.assertEqual((again["verdict"], again["first_difference"], again["environment"]), ("passed", None, []))

    def test_with_bf16(self):
        self.check({"precision": "bf16"}, workers=1)

    def test_with_fp16_and_a_scale_that_moves(self):
        self.check({"precision": "fp16", "accumulation": 2, "grad_scaler": {"init_scale": 1e8, "growth_interval": 6}}, workers=0)


class Proof(EndToEnd):
    def trained(self):
        project = self.sample("wine")
        self.plumbline("train", project, "--run-name", "run", "--set", "training.stop.epochs=4", "--set", "training.device=cpu")
        return project, next((project / "runs").glob("2*"))

    def test_a_run_that_does_not_go_on_exactly_is_told_where_it_differs(self):
        project, run = self.trained()
        before = sorted((file, file.read_bytes()) for file in run.rglob("*") if file.is_file())
        proof = self.plumbline("resume", project, "run", "--prove")
        self.assertEqual((proof["verdict"], proof["first_difference"]), ("passed", None))
        self.assertLess(proof["from_step"], proof["to_step"])
        self.assertEqual(sorted((file, file.read_bytes()) for file in run.rglob("*") if file.is_file()), before, "the run itself is untouched")
        # Another run's checkpoint in the place of this one's: whole, but not where this run came from.
        self.plumbline("train", project, "--run-name", "other", "--set", "training.stop.epochs=4", "--set", "training.device=cpu", "--set", "training.optimizer.lr=0.5")
        other = next(folder for folder in (project / "runs").glob("2*") if folder != run)
        newest = sorted(run.glob("checkpoints/step-*.ckpt"))[-1]
        newest.unlink()
        newest.write_bytes((other / "checkpoints" / newest.name).read_bytes())
        proof = self.plumbline("resume", project, "run", "--prove", code=6)
        self.assertEqual(proof["verdict"], "differs")
        self.assertTrue(proof["first_difference"]["what"].startswith("model."), proof)
        self.assertTrue(proof["first_difference"]["block"], proof)

    def test_one_checkpoint_proves_nothing_and_is_refused(self):
        project, run = self.trained()
        for file in sorted(run.glob("checkpoints/*.ckpt"))[:-1]:
            file.unlink()
        self.refused("resume", project, "run", "--prove", code=2, error="nothing-to-prove")

    def test_reproduce_gives_the_numbers_again_and_tells_when_they_differ(self):
        project, run = self.trained()
        again = self.plumbline("reproduce", project, "run")
        self.assertEqual(again["verdict"], "passed")
        self.assertGreater(again["compared"]["values"], 20)
        short = self.plumbline("reproduce", project, "run", "--max-steps", 5)
        self.assertEqual((short["verdict"], short["steps"]), ("passed", 5))
        # A run whose record says other threads than it had would be a lie; a changed project is none: the run's own definition counts.
        self.edit(project, lambda d: d["training"]["optimizer"].update(lr=0.9))
        self.assertEqual(self.plumbline("reproduce", project, "run")["verdict"], "passed")
        data = next(file for file in (project / "data").iterdir() if file.suffix == ".csv")
        lines = data.read_text().splitlines()
        data.write_text("\n".join(lines[:-1]) + "\n")
        self.refused("reproduce", project, "run", code=3, error="data-changed")


class Branches(EndToEnd):
    def test_a_branch_goes_on_with_changed_settings_and_names_its_parent(self):
        project = self.sample("wine")
        self.plumbline("train", project, "--run-name", "parent", "--set", "training.stop.epochs=4")
        parent = self.plumbline("runs", project)["runs"][0]
        steps = parent["steps"]["attempted"]
        branch = self.plumbline("train", project, "--from", "parent", "--run-name", "branch", "--set", "training.stop.epochs=6", "--set", "training.optimizer.lr=0.001")
        self.assertEqual(branch["status"], "completed")
        self.assertEqual(branch["steps"]["attempted"], steps // 4 * 6)
        runs = {run["name"]: run for run in self.plumbline("runs", project)["runs"]}
        self.assertEqual(runs["branch"]["parent"], {"run": parent["id"], "step": steps})
        self.assertIsNone(runs["parent"]["parent"])
        self.assertIn(f"{parent['id']} step {steps}", self.run_program("runs", project).stdout)
        self.assertEqual(self.numbers_from(project, "branch"), steps + 1)
        self.assertEqual(self.plumbline("reproduce", project, "branch")["verdict"], "passed")
        self.refused("train", project, "--from", "parent", "--set", "training.stop.epochs=2", code=2, error="nothing-left-to-train")
        self.refused("train", project, "--from", "parent:77777", code=2, error="unknown-checkpoint")
        self.refused("train", project, "--from", "nobody", code=2)

    def test_a_branch_from_a_run_that_ended_with_its_best_weights_is_reproduced(self):
        project = self.sample("wine")
        # The largest loss is the first epoch's: the run ends with the weights of another step than its last.
        self.plumbline("train", project, "--run-name", "parent", "--set", "training.stop.epochs=4", "--set", "training.early_stopping.patience=100",
                       "--set", "training.early_stopping.mode=max", "--set", "training.early_stopping.restore_best=true", "--set", "training.checkpoints.best=null")
        self.plumbline("train", project, "--from", "parent", "--run-name", "branch", "--set", "training.stop.epochs=6")
        self.assertEqual(self.plumbline("reproduce", project, "branch")["verdict"], "passed")

    def numbers_from(self, project, run):
        return self.metrics(project, run, "train.loss")[0][0]


class Signals(EndToEnd):
    def start(self, *arguments):
        return subprocess.Popen([PROGRAM, *map(str, arguments), "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_for(self, condition):
        end = time.monotonic() + HANGS
        while not condition():
            self.assertLess(time.monotonic(), end, "it never came to that")
            time.sleep(0.002)

    def ends_within(self, process, seconds, code):
        began = time.monotonic()
        output, errors = process.communicate(timeout=HANGS)
        self.assertEqual(process.returncode, code, errors)
        self.assertLess(time.monotonic() - began, seconds)
        return output

    def test_sigterm_in_a_long_validation_saves_within_ten_seconds(self):
        project = self.sample("digits-mlp")
        # One step, then a validation of nearly all samples, over and over.
        self.edit(project, lambda d: (d["data"].update(splits={"train": 0.02, "validation": 0.97, "test": 0.01}), d["data"]["loader"].update(batch_size=1),
                                      d["training"].update(stop={"epochs": 100000}, validation={"every": 1, "unit": "step"}, checkpoints={"every": 1, "unit": "step"})))
        for attempt in range(3):
            before = set((project / "runs").glob("2*"))
            process = self.start("train", project, "--run-name", f"run-{attempt}")
            self.wait_for(lambda: any(int(file.stem.split("-")[1]) > 1 for run in (project / "runs").glob("2*") if run not in before
                                      for file in run.glob("checkpoints/step-*.ckpt")))
            time.sleep(random.uniform(0, 0.2))
            process.send_signal(signal.SIGTERM)
            self.ends_within(process, 10, 143)
            run = next(run for run in self.plumbline("runs", project)["runs"] if run["name"] == f"run-{attempt}")
            self.assertEqual(run["stop_reason"]["code"], "terminate")
            on = self.plumbline("resume", project, f"run-{attempt}", "--max-steps", run["steps"]["attempted"] + 2)
            self.assertEqual(on["steps"]["attempted"], run["steps"]["attempted"] + 2)

    def test_sigterm_while_slow_data_are_loaded_ends_within_ten_seconds(self):
        project = self.folder / "slow"
        pictures = project / "pictures"
        side = 3000
        rows = b"".join(b"\0" + bytes((x * y) & 255 for x in range(side)) for y in range(40)) * (side // 40)
        chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")
        for name in ("a", "b"):
            (pictures / name).mkdir(parents=True)
            (pictures / name / "0.png").write_bytes(png)
            for i in range(1, 120):
                os.link(pictures / name / "0.png", pictures / name / f"{i}.png")
        made = self.run_program("new", self.folder / "project", "--data", pictures)
        self.assertEqual(made.returncode, 0, made.stderr)
        process = self.start("train", self.folder / "project", "--set", "data.loader.batch_size=128", "--set", "data.loader.workers=1")
        time.sleep(2.0)
        self.assertIsNone(process.poll(), "its first batch is not there yet")
        process.send_signal(signal.SIGTERM)
        self.ends_within(process, 10, 143)

    def test_a_second_ctrl_c_ends_at_once_and_damages_nothing(self):
        project = self.sample("digits-mlp")
        self.edit(project, lambda d: d["training"].update(stop={"epochs": 100000}, checkpoints={"every": 1, "unit": "step", "keep_last": 3}))
        process = self.start("train", project, "--run-name", "run")
        self.wait_for(lambda: list((project / "runs").glob("2*/checkpoints/step-00000001*.ckpt")))
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        self.ends_within(process, 10, 130)
        run = self.plumbline("runs", project)["runs"][0]
        self.assertIn(run["status"], ("interrupted", "stopped"))
        saved = max(int(file.stem.split("-")[1]) for file in (project / "runs").glob("2*/checkpoints/step-*.ckpt"))
        self.assertGreaterEqual(run["steps"]["attempted"], saved, "what the list says is not behind what a resume goes on from")
        on = self.plumbline("resume", project, "run", "--max-steps", run["steps"]["attempted"] + 5)
        self.assertEqual(on["stop_reason"]["code"], "max_steps")
        losses = [step for step, _ in self.metrics(project, "run", "train.loss")]
        self.assertEqual(losses, list(range(1, on["steps"]["attempted"] + 1)), "every step once")


if __name__ == "__main__":
    unittest.main()
