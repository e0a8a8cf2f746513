"""Whatever a file or a person gives ends in one sentence and the right exit code, and nothing written is lost."""

import gzip
import os
import pathlib
import subprocess
import unittest

from support import PROGRAM, EndToEnd


class BadProjects(EndToEnd):
    def test_usage(self):
        self.refused("train", code=2)
        self.refused("fly", code=2)
        project = self.sample("wine")
        self.refused("train", project, "--set", "training.optimizer.lr", code=2, error="bad-setting")
        self.refused("train", project, "--set", "training.optimizer.lrr=1", code=2, error="unknown-key")
        self.refused("train", project, "--set", "training.optimizer.lr=-1", code=2, error="out-of-range")
        self.refused("metrics", project, "latest", code=code_of_missing_run(self, project))

    def test_missing_and_truncated_projects(self):
        self.refused("check", self.folder / "none", code=3, error="project-missing")
        project = self.sample("wine")
        text = (project / "project.json").read_text()
        for length in (0, 1, 20, len(text) // 2, len(text) - 3):
            (project / "project.json").write_text(text[:length])
            self.refused("check", project, code=3)
        (project / "project.json").write_bytes(b"\xff\xfe\x00garbage")
        self.refused("check", project, code=3)
        (project / "project.json").write_text("[" * 100000)
        self.refused("check", project, code=3, error="json-too-deep")

    def test_wrong_values_name_their_pointer(self):
        cases = [
            (lambda d: d.update(extra=1), "/extra"),
            (lambda d: d.update(schema_version=99), "/schema_version"),
            (lambda d: d["training"].update(precision="fp8"), "/training/precision"),
            (lambda d: d["data"]["loader"].update(batch_size=0), "/data/loader/batch_size"),
            (lambda d: d["data"]["loader"].update(batch_sise=2), "/data/loader/batch_sise"),
            (lambda d: d["model"].update(graf={}), "/model/graf"),
        ]
        for change, pointer in cases:
            with self.subTest(pointer):
                project = self.sample("wine")
                self.edit(project, change)
                self.refused("check", project, code=3, says=pointer)

    def test_model_mistakes_are_problems_of_their_block(self):
        def nodes(document):
            return document["model"]["graph"]["nodes"]

        cases = [
            ("unknown block", lambda d: nodes(d)["linear0"].update(type="Lineer"), "Linear"),
            ("dangling wire", lambda d: nodes(d)["linear1"].update({"from": "nobody"}), "nobody"),
            ("cycle", lambda d: nodes(d)["linear0"].update({"from": "relu1"}), "linear0"),
            ("shape conflict", lambda d: nodes(d)["linear0"]["params"].update(in_features=7), "7"),
            ("no such output", lambda d: d["training"]["losses"][0].update(output="nothing"), "nothing"),
        ]
        for name, change, word in cases:
            with self.subTest(name):
                project = self.sample("wine")
                self.edit(project, change)
                report = self.plumbline("check", project, code=3)
                self.assertFalse(report["ok"])
                told = " ".join(p["message"] for p in report["problems"])
                self.assertIn(word, told)
                self.refused("train", project, code=3)
                self.assertFalse((project / "runs").exists(), "a refused run writes nothing")


def code_of_missing_run(test, project):
    """A run that is not there is told the same way by every command."""
    code = test.run_program("findings", project, "latest", "--json").returncode
    test.assertIn(code, (2, 3))
    return code


class BadData(EndToEnd):
    def wine_with(self, change):
        project = self.sample("wine")
        file = project / "data" / "wine.csv"
        lines = file.read_text().splitlines()
        file.write_text("\n".join(change(lines)) + "\n")
        return project

    def test_tables(self):
        def with_cell(row, column, value):
            def change(lines):
                cells = lines[row].split(",")
                cells[column] = value
                lines[row] = ",".join(cells)
                return lines
            return change

        for name, change, word in [
            ("NaN", with_cell(5, 2, "nan"), "row 6"),
            ("missing value", with_cell(7, 0, ""), "row 8"),
            ("ragged row", lambda lines: lines[:3] + [lines[3] + ",1"] + lines[4:], "row 4"),
            ("header only", lambda lines: lines[:1], "wine.csv"),
        ]:
            with self.subTest(name):
                project = self.wine_with(change)
                self.refused("data", project, code=3, says=word)
                self.refused("train", project, code=3)

    def test_missing_values_are_imputed_by_choice(self):
        def change(lines):
            cells = lines[4].split(",")
            cells[1] = ""
            lines[4] = ",".join(cells)
            return lines
        project = self.wine_with(change)
        self.plumbline("data", project, "--set", "data.sources.wine.missing=mean")

    def test_images(self):
        project = self.sample("digits-mlp")
        images = project / "data" / "images.idx.gz"
        whole = images.read_bytes()
        for name, content in [("truncated", whole[: len(whole) // 2]), ("garbage", b"not gzip at all"), ("empty", b""),
                              ("lying header", gzip.compress(b"\x00\x00\x08\x03" + b"\x7f\xff\xff\xff" * 3))]:
            with self.subTest(name):
                images.write_bytes(content)
                self.refused("train", project, code=3)
        images.unlink()
        self.refused("train", project, code=3, says="images.idx.gz")


class BadMachine(EndToEnd):
    def test_a_read_only_folder(self):
        if os.geteuid() == 0:
            self.skipTest("root writes everywhere")
        project = self.sample("wine")
        subprocess.run(["chmod", "-R", "a-w", str(project)], check=True)
        self.refused("train", project, code=5)

    def test_exhausted_memory_is_a_sentence(self):
        project = self.sample("wine")
        self.edit(project, lambda d: d["model"]["graph"]["nodes"]["linear0"]["params"].update(out_features=20_000_000))
        result = subprocess.run(["bash", "-c", f'ulimit -v 3500000; exec "{PROGRAM}" train "{project}" --json'],
                                capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 5, result.stdout[-800:] + result.stderr[-800:])
        self.assertIn('"error"', result.stdout)

    def test_a_corrupt_store_does_not_hide_the_other_runs(self):
        project = self.sample("wine")
        for name in ("a", "b"):
            self.plumbline("train", project, "--run-name", name, "--max-steps", 5)
        broken = pathlib.Path(self.plumbline("runs", project)["runs"][0]["folder"]) / "run.sqlite"
        broken.write_bytes(b"SQLite format 3\x00" + b"\x5a" * 3000)
        runs = self.plumbline("runs", project)["runs"]
        self.assertEqual(len(runs), 2)
        self.assertEqual(sum(run["status"] != "unreadable" for run in runs), 1)

    def test_an_index_that_is_broken_is_made_anew(self):
        project = self.sample("wine")
        self.plumbline("train", project, "--max-steps", 5)
        for index in (project / "runs").glob("index.sqlite*"):
            index.write_bytes(b"broken")
        self.assertEqual(len(self.plumbline("runs", project)["runs"]), 1)


if __name__ == "__main__":
    unittest.main()
