"""What a person mistypes, names oddly or breaks on the way: told in a sentence that says what to do, and nothing is lost."""

import json
import os
import pathlib
import shlex
import subprocess
import unittest

from support import PROGRAM, EndToEnd


class Commands(EndToEnd):
    def test_an_unknown_command_or_option_is_named_with_what_was_meant(self):
        for arguments, named, meant in [
            (("trian", "x"), '"trian"', '"train"'),
            (("--json", "chek"), '"chek"', '"check"'),
            (("check", "x", "--sett", "a=b"), '"--sett"', '"--set"'),
            (("metrics", "x", "latest", "--serie=val.loss"), '"--serie"', '"--series"'),
            (("train", "x", "--epochs", "3"), '"--epochs"', '"--set training.stop.epochs=…"'),
            (("train", "a", "b", "c"), '"b"', "plumbline train --help"),
            (("train",), "needs PROJECT", "plumbline train --help"),
            (("export", "x"), "needs --format", "plumbline export --help"),
            (("frobnicate",), '"frobnicate"', "plumbline --help"),
            ((), "A command is needed", "plumbline --help"),
        ]:
            with self.subTest(arguments):
                result = self.run_program(*arguments)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(named, result.stderr + result.stdout)
                self.assertIn(meant, result.stderr + result.stdout)
        self.refused("fly", code=2, error="unknown-command")

    def test_a_name_of_thousands_of_letters_is_not_echoed_whole(self):
        project, name = self.sample("wine"), "n" * 5000
        self.plumbline("train", project, "--max-steps", 2)
        for arguments in [("findings", project, name), ("metrics", project, "latest", "--series", name), ("train", project, "--set", f"training.{name}=1"),
                          ("train", project, "--set", name), ("train", project, "--run-name", name), ("new", self.folder / "x", "--template", name),
                          ("evaluate", project, "latest", "--checkpoint", name), ("evaluate", project, "latest", "--split", name),
                          ("evaluate", project, "latest", "--device", name), ("predict", project, "latest", name + "=1"), (name,), ("train", project, "--" + name)]:
            with self.subTest(arguments[0][:20]):
                result = self.run_program(*arguments)
                self.assertEqual(result.returncode, 2, result.stderr[:500])
                self.assertLess(len(result.stderr), 900, result.stderr[:300])
                self.assertIn("…", result.stderr)

    def test_a_reader_that_has_seen_enough_is_no_failure(self):
        project = self.sample("wine")
        self.plumbline("train", project)
        for command in (["metrics", str(project), "latest"], ["metrics", str(project), "latest", "--format", "json"], ["runs", str(project)], ["blocks"],
                        ["settings", "--json"], ["schema"], ["check", str(project)], ["data", str(project)], ["findings", str(project), "latest"]):
            for reader in ("head -n 1", "true"):
                with self.subTest(command=command[0], reader=reader):
                    script = " ".join(map(shlex.quote, [PROGRAM, *command])) + f" | {reader} > /dev/null; exit ${{PIPESTATUS[0]}}"
                    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=120)
                    self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_disk_that_takes_nothing_is_a_failure_of_every_command(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        project = self.sample("wine")
        self.plumbline("train", project, "--max-steps", 3)
        for command in (["metrics", str(project), "latest"], ["blocks"], ["runs", str(project), "--json"]):
            with open("/dev/full", "w") as full:
                result = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
            self.assertEqual(result.returncode, 5, result.stderr)
            self.assertIn("could not be written", result.stderr)

    def test_doctor_speaks_to_a_person(self):
        text = self.run_program("doctor").stdout
        for word in ("null", "true", "false", "{", "["):
            self.assertNotIn(word, text)
        gflops = next(line.split()[-1] for line in text.splitlines() if line.startswith("gemm_gflops"))
        self.assertRegex(gflops, r"^\d+\.\d$")

    def test_one_is_no_plural(self):
        result = self.run_program("train", self.sample("wine"), "--set", "training.stop.epochs=1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 epoch, ", result.stdout)
        self.assertNotIn("1 epochs", result.stdout)


class Names(EndToEnd):
    def test_a_run_is_named_so_that_it_can_be_found(self):
        project = self.sample("wine")
        for name in ("latest", "best", "two\nlines", "\x1b[31mred", "--oddly", " spaced"):
            self.refused("train", project, f"--run-name={name}", "--max-steps", 2, code=2, error="bad-run-name")
        self.assertFalse((project / "runs").exists())
        self.plumbline("train", project, "--run-name", "a wide one", "--max-steps", 2)
        self.assertEqual(self.plumbline("findings", project, "a wide one")["findings"], [])

    def test_a_command_that_is_suggested_can_be_pasted(self):
        folder = self.folder / "my wines; it's"
        result = self.run_program("new", folder, "--template", "mlp")
        self.assertEqual(result.returncode, 0, result.stderr)
        suggested = result.stdout.split("Train it with: ")[1].strip()
        self.assertEqual(shlex.split(suggested), ["plumbline", "train", str(folder)])
        none = self.run_program("runs", folder).stdout.split("Train with: ")[1].strip()
        self.assertEqual(shlex.split(none), ["plumbline", "train", str(folder)])

    def test_a_project_deep_down_is_trained_and_used(self):
        deep = self.folder
        while len(str(deep)) < 700:
            deep = deep / ("d" * 90)
        deep.mkdir(parents=True)
        project = self.sample("wine").rename(deep / "wine")
        summary = self.plumbline("train", project, "--max-steps", 40)
        self.assertEqual(summary["steps"]["attempted"], 40)
        self.plumbline("resume", project, "latest", "--max-steps", 50)
        self.assertEqual([run["status"] for run in self.plumbline("runs", project)["runs"]], ["stopped"])
        self.assertEqual(len(self.metrics(project, "latest", "train.loss")), 50)
        self.plumbline("evaluate", project, "latest")

    def test_a_device_that_is_not_there_leaves_no_run(self):
        project = self.sample("wine")
        if self.run_program("train", project, "--device", "cuda:0", "--max-steps", 1, "--json").returncode == 0:
            self.skipTest("a GPU is here")
        self.assertFalse((project / "runs").exists())
        self.refused("train", project, "--set", "training.device=cuda:99", code=5)
        self.assertFalse((project / "runs").exists())
        self.plumbline("train", project, "--max-steps", 1)
        self.refused("evaluate", project, "latest", "--device", "gpu", code=2, error="unknown-device")


class Links(EndToEnd):
    def test_a_link_stays_one_whoever_writes(self):
        project = self.sample("wine")
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        events = project / "events.jsonl"
        events.symlink_to(elsewhere / "events.jsonl")
        definition = project / "project.json"
        definition.rename(elsewhere / "definition.json")
        definition.symlink_to(elsewhere / "definition.json")
        self.plumbline("train", project, "--max-steps", 40, "--events", events)
        for name in ("empty", "missing"):
            target = elsewhere / name
            if name == "empty":
                target.mkdir()
            out = self.folder / f"out-{name}"
            out.symlink_to(target)
            files = self.plumbline("export", project, "latest", "--format", "state-dict", "--out", out)["files"]
            self.assertTrue(out.is_symlink(), name)
            self.assertTrue(any(target.iterdir()), name)
            self.assertTrue(all(pathlib.Path(file).exists() for file in files), files)
        made = self.folder / "made"
        made.symlink_to(elsewhere / "made here")
        self.plumbline("new", made, "--template", "mlp")
        self.assertTrue(made.is_symlink())
        self.assertTrue((elsewhere / "made here" / "project.json").exists())
        for link in (events, definition):
            self.assertTrue(link.is_symlink(), link)
        self.assertTrue((elsewhere / "events.jsonl").read_text())


class Checkpoints(EndToEnd):
    def test_a_damaged_best_checkpoint_is_told_another_is_used_when_asked_for_and_a_resume_makes_a_new_one(self):
        project = self.sample("wine")
        self.plumbline("train", project, "--max-steps", 80)
        folder = next((project / "runs").glob("*/checkpoints"))
        best = folder / "best.ckpt"
        content = bytearray(best.read_bytes())
        content[len(content) // 2] ^= 1
        best.unlink()  # a link to a step's file
        best.write_bytes(content)
        row = "14.23,1.71,2.43,15.6,127,2.8,3.06,0.28,2.29,5.64,1.04,3.92,1065"
        out = self.folder / "out"
        uses = [("evaluate", project, "latest"), ("predict", project, "latest", row), ("export", project, "latest", "--format", "state-dict", "--out", out)]
        for use in uses:
            with self.subTest(use[0]):
                told = self.refused(*use, code=3, says="best.ckpt", error="damaged-checkpoint")
                self.assertIn("best checkpoint", told["message"])
                self.assertIn("--checkpoint last", told["hint"])
        self.assertFalse(out.exists())
        newest = sorted(folder.glob("step-*.ckpt"))[-1]
        for use in uses:
            document = self.plumbline(*use, "--checkpoint", "last")
            self.assertEqual(document.get("checkpoint", str(newest)), str(newest))
        resumed = self.run_program("resume", project, "latest")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertIn("best.ckpt.damaged", resumed.stderr)
        self.assertEqual((folder / "best.ckpt.damaged").read_bytes(), bytes(content))
        for use in uses[:2]:
            self.assertEqual(self.plumbline(*use)["checkpoint"], str(best))
        self.refused("evaluate", project, "latest", "--checkpoint", "none", code=2, says="best", error="unknown-checkpoint")


class Tables(EndToEnd):
    def test_predict_takes_what_a_person_has_at_hand(self):
        project = self.sample("wine")
        self.plumbline("train", project, "--max-steps", 60)
        table = project / "data" / "wine.csv"
        header, *rows = table.read_text().splitlines()
        asked = self.refused("predict", project, "latest", code=2, error="input-missing")
        columns = header.split(",")[:-1]
        self.assertIn(", ".join(columns), asked["hint"])
        self.assertIn("Without one the command is refused", " ".join(self.run_program("predict", "--help").stdout.split()))
        example = asked["hint"].split("For example: ")[1]
        expected = self.plumbline("predict", project, "latest", example)["predictions"][0]["outputs"]
        pairs = [f"{name}={value}" for name, value in zip(columns, rows[0].split(","))]
        for given in ([rows[0]], [",".join(reversed(pairs))], pairs):
            self.assertEqual(self.plumbline("predict", project, "latest", *given)["predictions"][0]["outputs"], expected, given)
        new = self.folder / "new bottles.csv"
        new.write_text("\n".join([header, *rows[:5]]) + "\n")
        for absent in ("./nofile.csv", "nofile.csv", "pictures/nofile"):
            self.assertIn("does not exist", self.refused("predict", project, "latest", absent, code=2, error="file-missing")["message"])
        self.refused("predict", project, "latest", "1,2,3", code=2, error="input-count")
        several = self.plumbline("predict", project, "latest", new)["predictions"]
        self.assertEqual([p["input"] for p in several], [f"{new}, row {row}" for row in range(2, 7)])
        self.assertEqual(several[0]["outputs"], expected)

    def test_a_decimal_comma_needs_no_tricks(self):
        table = self.folder / "werte.csv"
        table.write_text("länge;breite;art\n" + "".join(f"{i % 7},{i % 10};{i % 5},5;{'kurz' if i % 7 < 3 else 'lang'}\n" for i in range(80)))
        project = self.folder / "werte"
        self.plumbline("new", project, "--data", table)
        self.plumbline("train", project, "--max-steps", 30)
        one = self.plumbline("predict", project, "latest", "1,5;2,5")["predictions"][0]["outputs"]
        self.assertEqual(self.plumbline("predict", project, "latest", "länge=1,5", "breite=2,5")["predictions"][0]["outputs"], one)
        self.refused("predict", project, "latest", "länge=1.5", "breite=2,5", code=2, says="comma")
        hint = self.refused("predict", project, "latest", "1,5", code=2, says="länge, breite")["hint"]
        example = shlex.split(hint.split("For example: ")[1])
        self.assertEqual(len(example), 1)
        self.plumbline("predict", project, "latest", *example)

    def test_a_value_beyond_float32_is_no_riddle(self):
        project = self.sample("wine")
        table = project / "data" / "wine.csv"
        lines = table.read_text().splitlines()
        cells = lines[8].split(",")
        cells[2] = "1e39"
        lines[8] = ",".join(cells)
        table.write_text("\n".join(lines) + "\n")
        plain = ["--set", "data.inputs.features.transforms=[]"]
        told = self.refused("train", project, *plain, code=3, error="beyond-float32")
        self.assertIn("row 9", told["message"])
        self.assertIn(lines[0].split(",")[2], told["message"])


if __name__ == "__main__":
    unittest.main()
