"""Locked stores, folders that vanish, kills at any instant, little memory, limits and absurd arguments: a sentence, the
right exit code, and what was written before is still there. PLUMBLINE_LONG_TESTS=1 tries many more instants and sizes."""

import os
import pathlib
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from support import PROGRAM, EndToEnd, patient


class Hostile(EndToEnd):
    def start(self, *arguments, **options):
        return subprocess.Popen([PROGRAM, *map(str, arguments), "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **options)

    def ended(self, process, codes, seconds=120):
        output, errors = process.communicate(timeout=seconds)
        return self.assert_told(subprocess.CompletedProcess(process.args, process.returncode, output, errors), codes)

    def until(self, holds, what, seconds=60):
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.002)

    def long_project(self, name="wine", epochs=100_000):
        project = self.sample(name)
        self.edit(project, lambda d: d["training"]["stop"].update(epochs=epochs))
        return project

    def running(self, project, *arguments, checkpoints=1):
        process = self.start("train", project, *arguments)
        self.until(lambda: len(list(project.glob("runs/2*/checkpoints/*.ckpt"))) >= checkpoints or process.poll() is not None, "no checkpoint came")
        return process


class OtherPrograms(Hostile):
    def test_a_store_that_is_locked_for_a_while_is_waited_for(self):
        project = self.long_project()
        process = self.running(project)
        store = next(project.glob("runs/2*/run.sqlite"))
        other = sqlite3.connect(store, timeout=20, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        time.sleep(2.5)  # longer than the program waits at one go
        other.execute("ROLLBACK")
        other.close()
        process.send_signal(signal.SIGINT)
        summary = self.ended(process, (130,))
        self.assertEqual(summary["status"], "stopped")
        steps = self.metrics(project, "latest", "train.loss")
        self.assertEqual([step for step, _ in steps], list(range(1, len(steps) + 1)), "no value was lost")

    def test_a_store_that_stays_locked_ends_the_run_with_a_sentence(self):
        if not patient():
            self.skipTest("waits as long as the program does; slow_store_test.cpp has it with less patience")
        project = self.long_project()
        process = self.running(project)
        store = next(project.glob("runs/2*/run.sqlite"))
        other = sqlite3.connect(store, timeout=20, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        told = self.ended(process, (5,))
        self.assertEqual(told["error"]["code"], "store-locked")
        other.close()
        newest = max(int(file.stem.split("-")[1]) for file in project.glob("runs/2*/checkpoints/step-*.ckpt"))
        self.assert_told(self.run_program("resume", project, "latest", "--max-steps", newest + 5, "--json"), (0,))

    def test_an_index_that_is_locked_or_gone_hides_no_run(self):
        project = self.sample("wine")
        self.plumbline("train", project, "--max-steps", 3)
        self.plumbline("runs", project)
        other = sqlite3.connect(project / "runs" / "index.sqlite", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        self.assertEqual(len(self.plumbline("runs", project)["runs"]), 1)
        other.close()
        for file in (project / "runs").glob("index.*"):
            file.unlink()
        self.assertEqual(len(self.plumbline("runs", project)["runs"]), 1)
        for file in (project / "runs").glob("index.*"):
            file.unlink()
        (project / "runs" / "index.sqlite").mkdir()
        self.assertEqual(len(self.plumbline("runs", project)["runs"]), 1)

    def test_two_trainings_of_one_project_at_once(self):
        project = self.sample("wine")
        several = [self.start("train", project, "--run-name", str(i)) for i in range(3)]
        for process in several:
            self.assertEqual(self.ended(process, (0,))["status"], "completed")
        self.assertEqual({run["name"] for run in self.plumbline("runs", project)["runs"]}, {"0", "1", "2"})

    def test_a_run_cannot_be_resumed_while_it_goes_on(self):
        project = self.long_project()
        process = self.running(project)
        self.refused("resume", project, "latest", code=3, error="store-locked")
        process.send_signal(signal.SIGTERM)
        self.ended(process, (143,))

    def test_a_run_folder_removed_while_the_run_goes_on(self):
        project = self.long_project()
        process = self.running(project)
        self.until(lambda: shutil.rmtree(project / "runs", ignore_errors=True) or not (project / "runs").exists(), "cannot remove it")
        told = self.ended(process, (1,))
        self.assertEqual(told["error"]["code"], "run-folder-gone")


class Kills(Hostile):
    def test_kill_9_at_any_instant_leaves_a_run_that_can_be_gone_on_with(self):
        template = self.sample("wine")
        # Checkpoints all the time, so that many of the kills hit one that is being written.
        self.edit(template, lambda d: d["training"].update(checkpoints={"every": 1, "unit": "step", "keep_last": 2}))
        self.edit(template, lambda d: d["training"]["stop"].update(epochs=30))
        whole = None
        chance = random.Random(17)
        for n in range(60 if patient() else 4):
            project = self.folder / f"killed-{n}"
            shutil.copytree(template, project)
            process = self.start("train", project, "--run-name", "a")
            self.until(lambda: list(project.glob("runs/2*/run.sqlite")), "no run was begun")
            time.sleep(chance.uniform(0, 0.8))  # any instant will do
            process.kill()
            process.communicate()
            runs = self.plumbline("runs", project)["runs"]
            with self.subTest(n=n, runs=runs):
                for run in runs:
                    self.assertIn(run["status"], ("interrupted", "completed"))
                    checkpoints = list(pathlib.Path(run["folder"]).glob("checkpoints/step-*.ckpt"))
                    if run["status"] == "interrupted" and checkpoints:
                        self.assertEqual(self.plumbline("resume", project, "a")["status"], "completed")
                        losses = self.metrics(project, "a", "train.loss")
                        if whole is None:
                            self.plumbline("train", template, "--run-name", "whole")
                            whole = self.metrics(template, "whole", "train.loss")
                        self.assertEqual(losses, whole)
                        self.assertFalse(list(pathlib.Path(run["folder"]).glob("checkpoints/*.tmp")), "left over from the kill")
            shutil.rmtree(project)

    def test_signals_while_data_is_read_and_ctrl_c_twice(self):
        project = self.long_project()
        for instant in (0.0, 0.01, 0.05, 0.15, 0.3) if patient() else (0.0, 0.1):
            for number in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(instant=instant, signal=number):
                    process = self.start("train", project)
                    time.sleep(instant)
                    process.send_signal(number)
                    output, errors = process.communicate(timeout=60)
                    # Before the handler is there the signal itself ends the program.
                    self.assertIn(process.returncode, (128 + number, -number), output + errors)
        process = self.running(project)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (130,))
        for run in self.plumbline("runs", project)["runs"]:
            self.assertIn(run["status"], ("stopped", "interrupted"))
            rows = self.run_program("metrics", project, run["id"])
            self.assertEqual(rows.returncode, 0, rows.stderr)


class Limits(Hostile):
    def limited(self, *arguments, **limits):
        def apply():
            for name, value in limits.items():
                resource.setrlimit(getattr(resource, name), (value, value))
        return self.run_program(*arguments, "--json", preexec_fn=apply, timeout=120)

    def test_memory_of_any_size(self):
        project = self.sample("wine")
        for megabytes in (range(20, 2000, 20) if patient() else (60, 300, 420, 700, 1400)):
            with self.subTest(megabytes=megabytes):
                self.assert_told(self.limited("check", project, RLIMIT_AS=megabytes << 20), (0, 5))
                self.assert_told(self.limited("train", project, "--max-steps", 5, RLIMIT_AS=megabytes << 20), (0, 5))
                for run in self.plumbline("runs", project)["runs"]:
                    self.assertIn(run["status"], ("stopped", "failed", "interrupted"))

    def test_threads_that_cannot_be_started(self):
        project = self.sample("digits-cnn")
        told = self.assert_told(self.limited("train", project, "--max-steps", 5, "--set", "training.threads=300", RLIMIT_AS=1100 << 20), (5,))
        self.assertEqual(told["error"]["code"], "no-threads")

    def test_a_limit_on_the_size_of_files_is_a_full_disk(self):
        project = self.sample("wine")
        for kilobytes in (range(0, 400, 8) if patient() else (0, 40, 90)):
            with self.subTest(kilobytes=kilobytes):
                document = self.assert_told(self.limited("train", project, RLIMIT_FSIZE=kilobytes << 10), (0, 5))
                if "error" in document:
                    self.assertEqual(document["error"]["code"], "disk-full", document)
                for run in self.plumbline("runs", project)["runs"]:
                    self.assertNotEqual(run["status"], "unreadable", run)

    def test_few_open_files(self):
        project = self.sample("wine")
        for count in (range(3, 40) if patient() else (4, 12, 20)):
            with self.subTest(count=count):
                result = self.limited("train", project, "--max-steps", 5, RLIMIT_NOFILE=count)
                # The dynamic loader needs some before the program is there.
                if result.returncode != 127:
                    self.assert_told(result, (0, 1, 3, 5))

    def test_a_disk_that_is_really_full(self):
        if os.geteuid() != 0:
            self.skipTest("only root may mount a small disk")
        disk = self.folder / "disk"
        disk.mkdir()
        for kilobytes in (range(100, 900, 40) if patient() else (150, 300, 600)):
            if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "plumbline-test", disk], check=False, capture_output=True).returncode != 0:
                self.skipTest("mounting is not permitted here")
            try:
                with self.subTest(kilobytes=kilobytes):
                    project = disk / "wine"
                    shutil.copytree(self.sample("wine"), project)
                    document = self.assert_told(self.run_program("train", project, "--json"), (0, 5))
                    if "error" in document:
                        self.assertEqual(document["error"]["code"], "disk-full", document)
                    for run in self.plumbline("runs", project)["runs"]:
                        self.assertNotEqual(run["status"], "unreadable", run)
            finally:
                subprocess.run(["umount", disk], check=True)

    def test_an_output_that_cannot_be_written(self):
        project = self.sample("wine")
        self.plumbline("train", project, "--max-steps", 3)
        for arguments in (["runs", project, "--json"], ["check", project], ["metrics", project, "latest"], ["blocks", "--json"]):
            with self.subTest(arguments[0]), open("/dev/full", "w") as full:
                result = subprocess.run([PROGRAM, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
                self.assertEqual(result.returncode, 5, result.stderr)
                self.assertIn("output", result.stderr)
        with self.subTest("events"):
            self.assert_told(self.run_program("train", project, "--events", "/dev/full", "--json"), (5,))
        with self.subTest("no standard streams at all"):
            result = subprocess.run(["bash", "-c", f'"{PROGRAM}" train "{project}" --max-steps 3 <&- >&- 2>&-'], timeout=60)
            self.assertEqual(result.returncode, 0)
            self.assertEqual(self.plumbline("runs", project)["runs"][0]["status"], "stopped")


class Arguments(Hostile):
    def test_absurd_arguments(self):
        project = self.sample("wine")
        self.plumbline("train", project, "--max-steps", 3, "--run-name", "a")
        deep = "[" * 50_000
        for arguments, codes in [
            ([], (2,)), (["--nonsense"], (2,)), (["", project], (2,)), (["check"], (2,)), (["check", ""], (3,)), (["check", "\x01"], (3,)),
            (["check", "/dev/null"], (3,)), (["check", "x" * 5000], (3,)), (["check", project, "more"], (2,)),
            (["doctor", "more"], (2,)), (["doctor", "--threads", "-1"], (2,)),
            (["data", project, "--split", "nothing"], (2,)), (["data", project, "--batch", "-1"], (2,)), (["data", project, "--batch", "1" * 30], (2,)),
            (["data", project, "--set", f"data.loader.batch_size={deep}"], (2,)), (["data", project, "--set", "..=1"], (2,)),
            (["check", project, "--set", "x=1"], (2,)),
            (["tune-loader", project, "--set", "data.loader.batch_size=0"], (2,)), (["tune-loader", self.folder / "none"], (3,)),
            (["evaluate", project, "nobody"], (2, 3)), (["evaluate", project, "a", "--split", "x"], (2,)), (["evaluate", project, "a", "--device", "cuda:99"], (2, 5)),
            (["evaluate", project, "../../etc"], (2, 3)),
            (["predict", project, "a", "1,2,3"], (2,)), (["predict", project, "a", "test:999999999999999999999"], (2,)), (["predict", project, "a", "test:-1"], (2,)),
            (["predict", project, "a", ""], (2,)), (["predict", project, "a", "alcohol=nan"], (2,)), (["predict", project, "a", "=" * 9000], (2,)),
            (["compare", project, "a", "nobody"], (2, 3)), (["compare", project, "", ""], (2, 3)),
            (["apply", project, "a", "no-finding"], (2, 3)), (["apply", project, "a", "x", "--remedy", "-1"], (2,)), (["apply", project, "a", "x", "--remedy", "9" * 40], (2,)),
            (["export", project, "a", "--format", "onnx", "--out", "x"], (2,)),
            (["export", project, "a", "--format", "cpp", "--out", "/proc/nothing/here"], (3, 5)),
            (["export", project, "a", "--format", "cpp", "--out", project], (2,)), (["export", project, "a", "--format", "state-dict", "--out", "/dev/null"], (2,)),
            (["train", project, "--max-steps", "-1"], (2,)), (["train", project, "--max-steps", "1e3"], (2,)), (["train", project, "--seed", "-5"], (2,)),
            (["train", project, "--device", "gpu"], (2,)), (["train", project, "--device", "cuda:7"], (5,)), (["train", project, "--events", "/nonexistent/x"], (3, 5)),
            (["train", project, "--events", "/"], (3, 5)), (["train", project, "--fail-on", "often"], (2,)),
            (["train", project, "--set", b"name=\xff"], (2,)), (["train", project, "--set", "training.optimizer.lr=1e999"], (2,)),
            (["train", project, "--set", "data.loader.batch_size=9223372036854775807"], (2, 3, 5)), (["train", project, "--set", "data.loader.workers=100000"], (2, 3, 5)),
            (["train", project, "--set", "training.threads=100000"], (2, 3, 5)), (["train", project, "--set", "data.loader.prefetch_batches=1000000000000"], (2, 3, 5)),
            (["new", project, "--template", "cnn"], (2,)), (["new", self.folder / "x", "--template", "none"], (2,)),
            (["new", self.folder / "y", "--template", "cnn", "--parameter", f"classes={deep}"], (2,)), (["new", self.folder / "z", "--template", "cnn", "--parameter", "classes=-3"], (2, 3)),
            (["new", self.folder / "v", "--template", "cnn", "--parameter", "classes=1e300"], (2, 3)), (["new", "/proc/new", "--template", "cnn"], (3, 5)),
            (["new", project / "project.json" / "x", "--template", "cnn"], (2, 3, 5)),
            (["metrics", project, "a", "--series", "no.such"], (2,)), (["metrics", project, "a", "--format", "xml"], (2,)), (["findings", project, "x" * 3000], (2, 3)),
        ]:
            with self.subTest(" ".join(str(a)[:60] for a in arguments[:1] + arguments[2:])):
                shown = [a if isinstance(a, bytes) else str(a) for a in arguments]
                result = subprocess.run([PROGRAM, *shown, "--json"], capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=120)
                document = self.assert_told(result, codes)
                self.assertTrue(document["error"]["message"])


if __name__ == "__main__":
    unittest.main()
