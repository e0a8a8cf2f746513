"""Whatever a file or a person gives ends in one sentence and the right exit code, and nothing written is lost."""

import gzip
import json
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


class WhatTrainingWouldRefuse(EndToEnd):
    """`check` says it beforehand, `train` the same, with one sentence and before anything is written."""

    def project(self, source, shape, nodes, samples=60, batch=16, dtype="float32"):
        folder = self.folder / "project"
        folder.mkdir(exist_ok=True)
        field = {"clusters": "features", "sequences": "tokens"}[source["kind"]]
        document = {
            "schema_version": 1, "name": "t",
            "model": {"definitions": {}, "graph": {"inputs": {"x": {"shape": shape, "dtype": dtype}}, "nodes": nodes, "outputs": {"logits": list(nodes)[-1]}}},
            "data": {"sources": {"g": {"type": "generated", "samples": samples, "classes": 3, **source}}, "inputs": {"x": {"from": "g." + field}},
                     "targets": {"label": {"from": "g.label"}}, "loader": {"batch_size": batch, "workers": 0}},
            "training": {"seed": 0, "device": "cpu", "stop": {"epochs": 1}, "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}],
                         "metrics": [], "optimizer": {"type": "SGD", "lr": 0.05}},
            "monitor": {}}
        (folder / "project.json").write_text(json.dumps(document))
        return folder

    def assert_both_refuse(self, project, error, *words):
        report = self.plumbline("check", project, code=3)
        problems = {problem["code"]: problem for problem in report["problems"] if problem["severity"] == "critical"}
        self.assertIn(error, problems)
        told = self.refused("train", project, code=3, error=error)
        for sentence in (problems[error]["message"], told["message"]):
            self.assertNotIn("grad_fn", sentence)
            for word in words:
                self.assertIn(word, sentence)

    def test_a_model_in_which_nothing_learns(self):
        clusters = {"kind": "clusters", "features": 6}
        linear = {"type": "Linear", "from": "x", "params": {"out_features": 3}}
        cases = [
            ("nothing-learns", {"a": linear, "fc": {"type": "Detach", "from": "a"}}, "gradients stop at fc"),
            ("nothing-to-train", {"fc": dict(linear, frozen=True)}, "no parameter that is trained"),
        ]
        for error, nodes, word in cases:
            with self.subTest(error):
                project = self.project(clusters, ["B", 6], nodes)
                self.assert_both_refuse(project, error, word)
                self.assertFalse((project / "runs").exists(), "a refused run writes nothing")
        project = self.project({"kind": "clusters", "features": 3}, ["B", 3], {"fc": {"type": "Identity", "from": "x"}})
        self.assert_both_refuse(project, "nothing-to-train")

    def test_a_fixed_batch_that_the_loader_does_not_make(self):
        project = self.project({"kind": "clusters", "features": 6}, [2, 6], {"fc": {"type": "Linear", "from": "x", "params": {"out_features": 3}}})
        self.assert_both_refuse(project, "fixed-batch", "fixed batch of 2", "batches of 16")
        report = self.plumbline("check", project, "--set", "data.loader.batch_size=2", "--no-data")
        self.assertTrue(report["ok"])
        self.assertEqual(report["model"]["macs"], 18, "of one sample, not of the two in a batch")
        report = self.plumbline("check", project, "--set", "model.graph.inputs.x.shape=[\"B\", 6]")
        self.assertEqual(report["model"]["macs"], 18)

    def test_an_id_past_the_end_of_its_table(self):
        nodes = {"e": {"type": "Embedding", "from": "x", "params": {"num_embeddings": 5, "embedding_dim": 8}},
                 "m": {"type": "Mean", "from": "e", "params": {"dim": [1]}}, "fc": {"type": "Linear", "from": "m", "params": {"out_features": 3}}}
        project = self.project({"kind": "sequences", "length": 12, "vocabulary": 20}, ["B", 12], nodes, dtype="int64")
        self.assert_both_refuse(project, "id-out-of-range", "the id 19", "e looks ids up in a table of 5")
        self.assertTrue(self.plumbline("check", project, "--set", "model.graph.nodes.e.params.num_embeddings=20")["ok"])

    def test_a_last_batch_of_one_before_a_batch_normalisation(self):
        nodes = {"b": {"type": "BatchNorm1d", "from": "x"}, "fc": {"type": "Linear", "from": "b", "params": {"out_features": 3}}}
        project = self.project({"kind": "clusters", "features": 6}, ["B", 6], nodes, samples=61)
        self.assert_both_refuse(project, "batch-of-one", "b (BatchNorm1d)", "49 samples")
        dropping = ["--set", "data.loader.drop_last=true"]
        self.assertTrue(self.plumbline("check", project, *dropping)["ok"])
        self.assertEqual(self.plumbline("train", project, *dropping)["status"], "completed")


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
        project = self.sample("wine")
        subprocess.run(["chmod", "-R", "a-w", str(project)], check=True)
        # Root writes everywhere unless it gives that up.
        mortal = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"] if os.geteuid() == 0 else []
        for command in (["train", project], ["train", project, "--run-name", "x", "--events", project / "events.jsonl"]):
            result = subprocess.run([*mortal, PROGRAM, *map(str, command), "--json"], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
            told = self.assert_told(result, (5,))["error"]
            self.assertEqual(told["code"], "no-permission", told)
            self.assertIn(str(project), told["message"])
        self.assertFalse((project / "runs").exists(), "nothing was begun")

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
