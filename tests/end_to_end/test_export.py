"""What is taken away gives the same numbers."""

import io
import json
import os
import pathlib
import pickle
import shutil
import subprocess
import unittest
import unittest.mock
import zipfile

from support import EndToEnd

# What torch.load(weights_only=True) allows in a file of plain tensors.
ALLOWED = {("torch._utils", "_rebuild_tensor_v2"), ("torch", "FloatStorage"), ("torch", "LongStorage"), ("torch", "DoubleStorage"),
           ("collections", "OrderedDict")}


class WeightsOnly(pickle.Unpickler):
    """The standard library's reader with that mode's globals only; tensors come back as (dtype, shape)."""

    def find_class(self, module, name):
        if (module, name) not in ALLOWED:
            raise pickle.UnpicklingError(f"{module}.{name} is not allowed")
        if name == "_rebuild_tensor_v2":
            return lambda storage, offset, size, stride, *rest: (storage[1], tuple(size))
        return name if module == "torch" else dict

    def persistent_load(self, identifier):
        return identifier


# Names that mean something else in C++, one composite used three times, a dropout that stays on, a class as the target of
# element-wise losses, a run counted in steps alone, no validation split.
UNUSUAL = {
    "schema_version": 1, "name": "unusual", "description": "",
    "model": {
        "definitions": {"Tensors": {"inputs": {"x": {}}, "outputs": {"y": "bitor"}, "nodes": {
            "linux": {"type": "Linear", "from": "x", "params": {"out_features": 6}},
            "bitor": {"type": "ReLU", "from": "linux"}}}},
        "graph": {"inputs": {"x": {"shape": ["B", 6], "dtype": "float32"}}, "outputs": {"logits": "nullptr"}, "nodes": {
            "Tensors": {"type": "Tensors", "from": "x"},
            "plan": {"type": "Tensors", "from": "Tensors", "weights": "Tensors"},
            "NULL": {"type": "Linear", "from": "plan", "params": {"out_features": 6}, "weights": "Tensors.linux"},
            "compl": {"type": "Dropout", "from": "NULL", "params": {"p": 0.3}, "mode": "stochastic"},
            "nullptr": {"type": "Linear", "from": "compl", "params": {"out_features": 1}}}}},
    "data": {
        "sources": {"made": {"type": "generated", "kind": "clusters", "samples": 64, "classes": 2, "features": 6}},
        "inputs": {"x": {"from": "made.features"}}, "targets": {"label": {"from": "made.label"}}, "splits": {"train": 1.0},
        "loader": {"batch_size": 16, "workers": 0}},
    "training": {
        "seed": 5, "device": "cpu", "stop": {"epochs": 0, "steps": 10},
        "losses": [{"type": "BCEWithLogitsLoss", "output": "logits", "target": "label"},
                   {"type": "MSELoss", "output": "logits", "target": "label", "weight": 0.5}],
        "optimizer": {"type": "AdamW", "lr": 0.01}, "scheduler": {"type": "cosine", "unit": "step", "warmup": 2}},
    "monitor": {}}


# Two outputs with a loss each, two kinds of recurrent block, a bypass around a norm, a parameter that two blocks share.
BRANCHES = {
    "schema_version": 1, "name": "branches", "description": "",
    "model": {"definitions": {"Bypass": {"inputs": {"x": {}}, "outputs": {"y": "sum"}, "nodes": {
        "norm": {"type": "LayerNorm", "from": "x", "params": {"normalized_shape": 12}},
        "fc": {"type": "Linear", "from": "norm", "params": {"out_features": 12}},
        "gelu": {"type": "GELU", "from": "fc"},
        "sum": {"type": "Add", "from": ["x", "gelu"]}}}},
        "graph": {"inputs": {"x": {"shape": ["B", 8, 6], "dtype": "float32"}}, "outputs": {"logits": "head", "value": "number"}, "nodes": {
            "lstm": {"type": "LSTM", "from": "x", "params": {"hidden_size": 6, "bidirectional": True, "num_layers": 2}},
            "bypass": {"type": "Bypass", "from": "lstm", "repeat": 2},
            "gru": {"type": "GRU", "from": "bypass", "params": {"hidden_size": 5}},
            "both": {"type": "Concat", "from": ["gru", "bypass"], "params": {"dim": 2}},
            "flat": {"type": "Flatten", "from": "both"},
            "bn": {"type": "BatchNorm1d", "from": "flat"},
            "head": {"type": "Linear", "from": "bn", "params": {"out_features": 3}},
            "number": {"type": "Linear", "from": "flat", "params": {"out_features": 1}}}}},
    "data": {
        "sources": {"made": {"type": "generated", "kind": "clusters", "samples": 72, "classes": 3, "features": 48}},
        "inputs": {"x": {"from": "made.features", "transforms": [{"type": "reshape", "shape": [8, 6]}]}},
        "targets": {"label": {"from": "made.label"}, "again": {"from": "made.label"}},
        "splits": {"train": 0.8, "validation": 0.2}, "loader": {"batch_size": 12, "workers": 0}},
    "training": {
        "seed": 2, "device": "cpu", "stop": {"epochs": 2}, "clip": {"type": "norm", "max_norm": 0.5},
        "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"},
                   {"type": "MSELoss", "output": "value", "target": "again", "weight": 0.1}],
        "optimizer": {"type": "SGD", "lr": 0.05, "momentum": 0.9, "nesterov": True}},
    "monitor": {}}


class Export(EndToEnd):
    def trained(self, document):
        """A project with this definition, and one run of it."""
        project = self.folder / document["name"]
        project.mkdir()
        (project / "project.json").write_text(json.dumps(document))
        self.plumbline("train", project)
        return project

    def test_what_is_unusual_builds_gives_the_same_numbers_and_trains_again(self):
        project = self.trained(UNUSUAL)
        script = self.plumbline("export", project, "latest", "--format", "torchscript", "--out", self.folder / "ts", "--verify")
        self.assertTrue(script["parity"]["passed"], script["parity"])
        out = self.folder / "cpp"
        report = self.plumbline("export", project, "latest", "--format", "cpp", "--out", out, "--verify")
        self.assertTrue(report["parity"]["passed"], report["parity"])
        self.assertFalse((out / "validation.pt").exists())
        told = "".join(self.trains(out))
        self.assertIn("train.loss", told)
        self.assertNotIn("val.loss", told)
        self.assertTrue((out / "new.pt").exists())

    def test_exported_training_starts_from_the_plans_own_initial_values(self):
        project = self.sample("wine")
        path = project / "project.json"
        plan = json.loads(path.read_text())
        plan["data"]["loader"]["shuffle"] = False
        plan["training"]["stop"] = {"epochs": 2}
        plan["model"]["graph"]["nodes"]["linear1"].update({"init": {"scheme": "orthogonal"}, "frozen": True})
        path.write_text(json.dumps(plan))
        self.plumbline("train", project)
        out = self.folder / "cpp"
        self.plumbline("export", project, "latest", "--format", "cpp", "--out", out)
        told = self.trains(out)
        rows = self.run_program("metrics", project, "latest", "--series", "val.loss").stdout.splitlines()[1:]
        self.assertAlmostEqual(float(told[0].split("val.loss")[1]), float(rows[0].split(",")[4]), places=4)

    def trains(self, out):
        """Builds the exported training program and runs it; the lines it says."""
        libtorch = pathlib.Path(self.plumbline("fetch-libtorch")["libtorch"]).parent
        for command in (["cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Debug", f"-DLIBTORCH={libtorch}"],
                        ["cmake", "--build", "build", "--target", "training"], ["build/training", "new.pt"]):
            done = subprocess.run(command, cwd=out, capture_output=True, text=True, timeout=600, check=False)
            self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
        return [line for line in done.stdout.splitlines() if line.startswith("epoch")]

    def test_cpp_builds_and_gives_the_same_numbers(self):
        project = self.sample("digits-cnn")
        self.plumbline("train", project, "--max-steps", 30)
        out = self.folder / "cpp"
        report = self.plumbline("export", project, "latest", "--format", "cpp", "--out", out, "--verify")
        parity = report["parity"]
        self.assertTrue(parity["checked"] and parity["passed"], parity)
        self.assertLessEqual(parity["forward_max"], 1e-6)
        self.assertLessEqual(parity["training_max"], 1e-5)
        for name in ("CMakeLists.txt", "model.h", "weights.pt", "inference.cpp", "training.cpp"):
            self.assertTrue((out / name).exists(), name)
        self.refused("export", project, "latest", "--format", "cpp", "--out", out, code=2, error="folder-not-empty")

    def test_cpp_accumulates_as_the_plan_does_and_says_that_it_computes_in_float32(self):
        project = self.sample("wine")
        self.plumbline("train", project, "--max-steps", 3, "--set", "training.accumulation=3", "--set", "training.precision=bf16")
        out = self.folder / "cpp"
        report = self.plumbline("export", project, "latest", "--format", "cpp", "--out", out, "--verify")
        self.assertTrue(report["parity"]["passed"], report["parity"])
        self.assertEqual(len(report["notes"]), 1, report["notes"])
        self.assertIn("float32", report["notes"][0])
        self.assertIn(report["notes"][0], (out / "plan.h").read_text())
        self.assertIn("kAccumulation = 3", (out / "plan.h").read_text())

    def test_cpp_counts_labels_as_the_plan_does(self):
        project = self.sample("wine")
        path = project / "project.json"
        plan = json.loads(path.read_text())
        plan["training"]["accumulation"] = 2
        plan["training"]["stop"] = {"epochs": 0, "steps": 7}
        plan["training"]["scheduler"] = {"type": "cosine", "unit": "step"}
        plan["training"]["losses"][0].update({"ignore_index": 0, "class_weights": [1, 0.25, 3], "label_smoothing": 0.1})
        path.write_text(json.dumps(plan))
        self.plumbline("train", project)
        out = self.folder / "cpp"
        report = self.plumbline("export", project, "latest", "--format", "cpp", "--out", out, "--verify")
        self.assertTrue(report["parity"]["passed"], report["parity"])
        self.assertIn("{1.0, 0.25, 3.0}", (out / "plan.h").read_text())

    def test_several_outputs_recurrent_blocks_and_a_bypass_give_the_same_numbers(self):
        project = self.trained(BRANCHES)
        report = self.plumbline("export", project, "latest", "--format", "cpp", "--out", self.folder / "cpp", "--verify")
        self.assertTrue(report["parity"]["passed"], report["parity"])
        script = self.plumbline("export", project, "latest", "--format", "torchscript", "--out", self.folder / "ts", "--verify")
        self.assertTrue(script["parity"]["passed"], script["parity"])

    def test_a_program_that_computes_something_else_fails_with_6_and_says_where(self):
        """A cmake that exchanges an activation before it builds stands for a compiler that gets it wrong."""
        project = self.sample("wine")
        self.plumbline("train", project, "--max-steps", 3)
        real = shutil.which("cmake")
        fake = self.folder / "bin" / "cmake"
        fake.parent.mkdir()
        fake.write_text("#!/bin/sh\n"
                        f"for a in \"$@\"; do [ ! -f \"$a/model.h\" ] || sed -i 's/torch::nn::ReLU/torch::nn::Sigmoid/' \"$a/model.h\"; done\nexec {real} \"$@\"\n")
        fake.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, {"PATH": f"{fake.parent}:{os.environ['PATH']}"}):
            report = self.plumbline("export", project, "latest", "--format", "cpp", "--out", self.folder / "cpp", "--verify", code=6)
        self.assertTrue(report["parity"]["checked"])
        self.assertFalse(report["parity"]["passed"])
        self.assertGreater(report["parity"]["forward_max"], 1e-3)
        self.assertTrue(report["parity"]["worst"], "where it is largest")
        self.assertTrue((self.folder / "cpp" / "model.h").exists(), "what was written can be looked at")

    def test_torchscript_gives_the_same_numbers(self):
        project = self.sample("digits-cnn")
        report = self.plumbline("export", project, "--format", "torchscript", "--out", self.folder / "ts", "--verify")
        self.assertTrue(report["parity"]["passed"], report["parity"])
        self.assertLessEqual(report["parity"]["forward_max"], 1e-6)

    def test_weights_are_read_by_pythons_safe_mode(self):
        project = self.sample("digits-cnn")
        report = self.plumbline("export", project, "--format", "state-dict", "--out", self.folder / "sd", "--verify")
        self.assertTrue(report["parity"]["passed"])
        file = pathlib.Path(report["files"][0])
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            prefix = names[0].split("/")[0]
            state = WeightsOnly(io.BytesIO(archive.read(f"{prefix}/data.pkl"))).load()
        self.assertEqual(list(state)[:2], ["stem.conv.weight", "stem.bn.weight"])
        self.assertEqual(state["stem.conv.weight"], ("FloatStorage", (32, 1, 3, 3)))
        self.assertEqual(state["stem.bn.num_batches_tracked"][0], "LongStorage")
        try:
            import torch
        except ImportError:
            return
        self.assertEqual(tuple(torch.load(file, weights_only=True)["stem.conv.weight"].shape), (32, 1, 3, 3))

    def test_a_folder_that_cannot_be_written_is_a_sentence(self):
        project = self.sample("wine")
        self.assertIn(self.run_program("export", project, "--format", "state-dict", "--out", "/proc/none/x", "--json").returncode, (3, 5))
        self.refused("export", project, "--format", "onnx", "--out", self.folder / "o", code=2)


if __name__ == "__main__":
    unittest.main()
