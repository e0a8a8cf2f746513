"""What is taken away gives the same numbers."""

import io
import itertools
import json
import math
import os
import pathlib
import pickle
import random
import shlex
import shutil
import struct
import subprocess
import unittest
import unittest.mock
import zipfile
import zlib

from support import EndToEnd

# What torch.load(weights_only=True) allows in a file of plain tensors.
ALLOWED = {("torch._utils", "_rebuild_tensor_v2"), ("torch", "FloatStorage"), ("torch", "LongStorage"), ("torch", "DoubleStorage"),
           ("collections", "OrderedDict")}


# What a number of a storage is, for struct: all are written little-endian.
NUMBERS = {"FloatStorage": "f", "DoubleStorage": "d", "LongStorage": "q", "float32": "f", "float64": "d", "int64": "q"}


class WeightsOnly(pickle.Unpickler):
    """The standard library's reader with that mode's globals only; tensors come back as (storage, shape, values in order)."""

    def __init__(self, archive):
        self.archive = archive
        self.prefix = archive.namelist()[0].split("/")[0]
        super().__init__(io.BytesIO(archive.read(f"{self.prefix}/data.pkl")))

    def tensor(self, storage, offset, size, stride):
        _, kind, key, _, count = storage
        values = struct.unpack(f"<{count}{NUMBERS[kind]}", self.archive.read(f"{self.prefix}/data/{key}"))
        places = itertools.product(*map(range, size))
        return kind, tuple(size), [values[offset + sum(i * step for i, step in zip(place, stride))] for place in places]

    def find_class(self, module, name):
        if (module, name) not in ALLOWED:
            raise pickle.UnpicklingError(f"{module}.{name} is not allowed")
        if name == "_rebuild_tensor_v2":
            return lambda storage, offset, size, stride, *rest: self.tensor(storage, offset, size, stride)
        return name if module == "torch" else dict

    def persistent_load(self, identifier):
        return identifier


def weights_of_checkpoint(file):
    """Name to (shape, values) of the model's tensors, by the description of the file in engine/train/README.md."""
    content = file.read_bytes()
    assert content[:8] == b"PLBLCKP1"
    length = struct.unpack_from("<Q", content, 8)[0]
    header = json.loads(content[24:24 + length])
    start = (24 + length + 63) // 64 * 64
    weights = {}
    for entry in header["tensors"]:
        if entry["name"].startswith("model."):
            values = struct.unpack_from(f"<{math.prod(entry['dims'])}{NUMBERS[entry['dtype']]}", content, start + entry["offset"])
            weights[entry["name"][len("model."):]] = (tuple(entry["dims"]), list(values))
    return weights


# Names that mean something else in C++, one composite used three times, a dropout that stays on, a class as the target of
# element-wise losses, a run counted in steps alone, no validation split, data of another element type than the model's.
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
        "inputs": {"x": {"from": "made.features", "dtype": "float64"}}, "targets": {"label": {"from": "made.label"}}, "splits": {"train": 1.0},
        "loader": {"batch_size": 16, "workers": 0}},
    "training": {
        "seed": 5, "device": "cpu", "stop": {"epochs": 0, "steps": 10},
        "losses": [{"type": "BCEWithLogitsLoss", "output": "logits", "target": "label"},
                   {"type": "MSELoss", "output": "logits", "target": "label", "weight": 0.5}],
        "optimizer": {"type": "AdamW", "lr": 0.01, "gradient_centralization": True},
        "averaging": {"type": "ema", "decay": 0.9, "start": 2},
        "scheduler": {"type": "one_cycle", "unit": "step", "warmup": 2, "pct_start": 0.4}},
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
            "positions": {"type": "PositionalEncoding", "from": "bypass", "params": {"max_len": 8, "batch_first": True}},
            "layer": {"type": "TransformerEncoderLayer", "from": "positions",
                      "params": {"nhead": 3, "dim_feedforward": 16, "batch_first": True, "is_causal": True, "bias": False}},
            "cross": {"type": "MultiheadAttention", "from": {"query": "layer", "key": "x", "value": "x"}, "params": {"num_heads": 2, "batch_first": True}},
            "gru": {"type": "GRU", "from": "cross", "params": {"hidden_size": 5}},
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
        "seed": 2, "device": "cpu", "stop": {"epochs": 2}, "clip": {"type": "adaptive", "factor": 0.05},
        "losses": [{"type": "FocalLoss", "output": "logits", "target": "label", "class_weights": [1, 0.5, 2], "reduction": "sum", "weight": 0.1},
                   {"type": "ExpressionLoss", "expression": "mean(abs(value - again) ** 1.5)", "weight": 0.1}],
        "optimizer": {"type": "NAdam", "lr": 0.01, "weight_decay": 0.1, "decay_norms_and_biases": False, "layer_decay": 0.9,
                      "groups": [{"match": "gru.*", "lr": 0.002}, {"match": "number.bias", "frozen": True}]},
        "freeze": [{"match": "lstm.*", "epochs": 1}, {"match": "bn.*", "epochs": 1}],
        "scheduler": {"type": "sequence", "unit": "step", "phases": [{"type": "linear", "length": 3}, {"type": "exponential", "gamma": 0.9}]}},
    "monitor": {}}


# Sixteen rows at a time, two batches a step; the rows are no multiple of sixteen.
SIXTEEN = {
    "schema_version": 1, "name": "sixteen", "description": "",
    "model": {"definitions": {}, "graph": {"inputs": {"x": {"shape": [16, 2], "dtype": "float32"}}, "outputs": {"logits": "fc"}, "nodes": {
        "hidden": {"type": "Linear", "from": "x", "params": {"out_features": 6}},
        "relu": {"type": "ReLU", "from": "hidden"},
        "fc": {"type": "Linear", "from": "relu", "params": {"out_features": 3}}}}},
    "data": {
        "sources": {"rows": {"type": "csv", "path": "rows.csv"}}, "inputs": {"x": {"from": ["rows.a", "rows.b"]}}, "targets": {"label": {"from": "rows.label"}},
        "splits": {"train": 1.0}, "loader": {"batch_size": 16, "workers": 0, "drop_last": True}},
    "training": {
        "seed": 5, "device": "cpu", "stop": {"epochs": 2}, "accumulation": 2,
        "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}], "optimizer": {"type": "SGD", "lr": 0.05}},
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
        told = "".join(self.trains(report, out))
        self.assertIn("train.loss", told)
        self.assertNotIn("val.loss", told)
        self.assertTrue((out / "new.pt").exists())

    def test_a_model_of_a_fixed_batch_is_compared_trained_and_asked_on_whole_batches(self):
        project = self.folder / "sixteen"
        project.mkdir()
        (project / "project.json").write_text(json.dumps(SIXTEEN))
        rows = [f"{i % 7 / 2},{i % 5 / 4},{'abc'[i % 3]}" for i in range(70)]
        (project / "rows.csv").write_text("\n".join(["a,b,label", *rows]) + "\n")
        script = self.plumbline("export", project, "--format", "torchscript", "--out", self.folder / "ts", "--verify")
        self.assertTrue(script["parity"]["passed"], script["parity"])
        out = self.folder / "cpp"
        # That the last batch is left out is the model's doing, too.
        report = self.plumbline("export", project, "--format", "cpp", "--out", out, "--verify", "--set", "data.loader.drop_last=false")
        self.assertTrue(report["parity"]["passed"], report["parity"])
        told = self.trains(report, out, "inference")
        self.assertEqual(len(told), 2)
        self.assertNotIn("nan", "".join(told))
        self.assertEqual(len(self.asked(out, "raw.pt")), 16)
        of_file = self.asked(out, "sample.csv")
        self.assertEqual([each["outputs"] for each in of_file], [each["outputs"] for each in self.asked(out, "raw.pt")])
        refused = self.runs(out, ["build/inference", "weights.pt", "0.5,1.25"], code=1)
        self.assertIn("the model takes 16 samples at a time and was given 1\n", refused.stderr)
        readme = (out / "README.md").read_text()
        self.assertIn("16 samples at a time", readme)
        self.assertEqual(readme.count("build/inference weights.pt"), 2, "raw.pt and sample.csv; a single row is no way to ask it")

    def test_exported_training_starts_from_the_plans_initial_values_and_follows_its_schedule(self):
        project = self.sample("wine")
        path = project / "project.json"
        plan = json.loads(path.read_text())
        plan["data"]["loader"]["shuffle"] = False
        next(iter(plan["data"]["sources"].values()))["missing"] = "median"
        plan["training"].update({"stop": {"epochs": 3}, "scheduler": {"type": "step", "unit": "epoch", "step_size": 1, "gamma": 0.1}})
        plan["model"]["graph"]["nodes"]["linear1"].update({"init": {"scheme": "orthogonal"}, "frozen": True})
        path.write_text(json.dumps(plan))
        self.plumbline("train", project)
        out = self.folder / "cpp"
        report = self.plumbline("export", project, "latest", "--format", "cpp", "--out", out)
        told = self.trains(report, out, "inference")
        rows = self.run_program("metrics", project, "latest", "--series", "val.loss").stdout.splitlines()[1:]
        self.assertEqual([len(told), len(rows)], [3, 3])
        for here, there in zip(told, rows):
            self.assertAlmostEqual(float(here.split("val.loss")[1]), float(there.split(",")[4]), places=4)
        # The same build answers for rows as they stand in the file, for their inputs alone, and by name.
        header, *lines = (project / "data" / "wine.csv").read_text().splitlines()
        names = header.split(",")
        inputs = [i for i, name in enumerate(names) if name != "class"]
        first, last = lines[0].split(","), lines[-1].split(",")
        gaps = ",".join("" if i == inputs[0] else "NA" if i == inputs[3] else value for i, value in enumerate(first))
        self.answers_alike(project, out, {lines[0]: lines[0], gaps: gaps, ",".join(last[i] for i in inputs): ",".join(last[i] for i in inputs),
                                          ",".join(f"{names[i]}={first[i]}" for i in inputs): ",".join(f"{names[i]}={first[i]}" for i in inputs)})
        (out / "some.csv").write_text("\n".join([header, *lines[::40]]) + "\n")
        of_file = self.asked(out, "some.csv")
        of_rows = self.plumbline("predict", project, "latest", *lines[::40])["predictions"]
        self.assertEqual(len(of_file), len(of_rows))
        for told_here, told_there in zip(of_file, of_rows):
            self.assert_same_answer(told_here, told_there)
        refused = self.runs(out, ["build/inference", "weights.pt", "1,2,3"], code=1)
        self.assertIn("takes 13 values and there are 3", refused.stderr)

    def runs(self, out, command, code=0):
        done = subprocess.run(command, cwd=out, capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr[-2000:])
        return done

    def build(self, report, out, *targets):
        """By the commands that the export tells, without optimisation: the build is what takes long."""
        enter, configure, build = report["commands"][:3]
        self.assertEqual(shlex.split(enter), ["cd", str(out)])
        self.runs(out, [*shlex.split(configure), "-DCMAKE_BUILD_TYPE=Debug"])
        self.runs(out, [*shlex.split(build), "--parallel", "2", "--target", *targets])

    def trains(self, report, out, *more):
        """Builds the exported training program and runs it; the lines it says."""
        self.build(report, out, "training", *more)
        done = self.runs(out, ["build/training", "new.pt"])
        return [line for line in done.stdout.splitlines() if line.startswith("epoch")]

    def asked(self, out, *inputs):
        return json.loads(self.runs(out, ["build/inference", "weights.pt", *map(str, inputs), "--json"]).stdout)["predictions"]

    def assert_same_answer(self, here, there):
        def flat(value):
            return [x for each in value for x in flat(each)] if isinstance(value, list) else [value]
        self.assertEqual(list(here["outputs"]), list(there["outputs"]))
        for name, value in there["outputs"].items():
            numbers = flat(value)
            self.assertEqual(len(flat(here["outputs"][name])), len(numbers))
            for a, b in zip(flat(here["outputs"][name]), numbers):
                self.assertAlmostEqual(a, b, delta=1e-6 * max(1.0, *map(abs, numbers)))
        self.assertEqual([each["class"] for each in here["classes"]], [each["class"] for each in there["classes"]])
        for a, b in zip(here["classes"], there["classes"]):
            self.assertAlmostEqual(a["probability"], b["probability"], places=6)

    def answers_alike(self, project, out, inputs):
        """`inputs`: what `predict` is asked, and what the exported program is."""
        there = self.plumbline("predict", project, "latest", *inputs)["predictions"]
        here = self.asked(out, *inputs.values())
        self.assertEqual(len(here), len(there))
        for a, b in zip(here, there):
            self.assert_same_answer(a, b)

    def test_raw_pictures_get_the_answer_of_predict(self):
        project = self.sample("digits-mlp")
        self.plumbline("train", project, "--max-steps", 60)
        out = self.folder / "it's an export"
        report = self.plumbline("export", project, "latest", "--format", "cpp", "--out", out)
        self.build(report, out, "inference")
        draw = random.Random(3)
        inputs = {}
        for i, (width, height) in enumerate(((8, 8), (31, 20), (5, 40))):
            pixels = bytes(draw.randrange(256) for _ in range(width * height * 3))
            rows = b"".join(b"\0" + pixels[y * width * 3:(y + 1) * width * 3] for y in range(height))
            chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
            png = self.folder / f"{i}.png"
            png.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(
                struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks))
            ppm = self.folder / f"{i}.ppm"
            ppm.write_bytes(f"P6\n# made\n{width} {height}\n255\n".encode() + pixels)
            inputs[png] = ppm
        self.answers_alike(project, out, inputs)
        # Raw tensors and the same samples prepared by the application.
        raw, prepared = self.asked(out, "raw.pt"), self.asked(out, "sample.pt")
        self.assertEqual(len(raw), 64)
        self.assertEqual([each["outputs"] for each in raw], [each["outputs"] for each in prepared])
        self.assertIn("0.0625", (out / "preprocess.h").read_text())

    def test_a_scaled_target_comes_back_in_the_units_of_the_data(self):
        project = self.sample("diabetes")
        before = self.plumbline("data", project)["targets"][0]["statistics"]
        self.edit(project, lambda plan: plan["data"]["targets"]["target"].update({"transforms": [{"type": "normalize", "statistics": "train"}]}))
        self.plumbline("train", project, "--max-steps", 20)
        out = self.folder / "cpp"
        report = self.plumbline("export", project, "latest", "--format", "cpp", "--out", out)
        self.build(report, out, "inference")
        row = (out / "sample.csv").read_text().splitlines()[3]
        self.answers_alike(project, out, {row: row})
        answer = self.asked(out, row)[0]
        (value,), = answer["outputs"].values()
        self.assertAlmostEqual(answer["targets"]["target"][0], value * before["std"][0] + before["mean"][0], places=9)

    def test_data_that_the_model_does_not_take_are_told_before_anything_is_compared(self):
        narrow = json.loads(json.dumps(UNUSUAL))
        narrow["data"]["sources"]["made"]["features"] = 5
        project = self.folder / "narrow"
        project.mkdir()
        (project / "project.json").write_text(json.dumps(narrow))
        for kind in ("torchscript", "cpp"):
            self.refused("export", project, "--format", kind, "--out", self.folder / kind, "--verify", code=3, error="input-shape")

    def test_a_compiler_that_fails_is_one_sentence(self):
        fake = self.folder / "bin" / "cmake"
        fake.parent.mkdir()
        fake.write_text("#!/bin/sh\necho '-- looking'\nprintf 'CMake Error at CMakeLists.txt:1:\\n  no compiler\\n\\n'\nexit 1\n")
        fake.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, {"PATH": f"{fake.parent}:{os.environ['PATH']}"}):
            told = self.refused("export", self.sample("wine"), "--format", "cpp", "--out", self.folder / "cpp", "--verify", code=6,
                                error="export-does-not-build")
        self.assertEqual(told["message"], "cmake ended with exit code 1: Error at CMakeLists.txt:1: no compiler")

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

    def test_cpp_accumulates_and_counts_labels_as_the_plan_does_and_says_that_it_computes_in_float32(self):
        project = self.sample("wine")
        path = project / "project.json"
        plan = json.loads(path.read_text())
        plan["training"].update({"accumulation": 3, "precision": "bf16", "stop": {"epochs": 0, "steps": 7},
                                 "scheduler": {"type": "cosine", "unit": "step"}})
        plan["training"]["losses"][0].update({"ignore_index": 0, "class_weights": [1, 0.25, 3], "label_smoothing": 0.1})
        path.write_text(json.dumps(plan))
        self.plumbline("train", project)
        out = self.folder / "cpp"
        report = self.plumbline("export", project, "latest", "--format", "cpp", "--out", out, "--verify")
        self.assertTrue(report["parity"]["passed"], report["parity"])
        self.assertEqual(len(report["notes"]), 1, report["notes"])
        self.assertIn("float32", report["notes"][0])
        written = (out / "plan.h").read_text() + (out / "losses.h").read_text()
        for text in (report["notes"][0], "kAccumulation = 3", "{1.0, 0.25, 3.0}"):
            self.assertIn(text, written)

    def test_several_outputs_recurrent_blocks_attention_and_a_bypass_give_the_same_numbers(self):
        project = self.trained(BRANCHES)
        report = self.plumbline("export", project, "latest", "--format", "cpp", "--out", self.folder / "cpp", "--verify")
        self.assertTrue(report["parity"]["passed"], report["parity"])
        script = self.plumbline("export", project, "latest", "--format", "torchscript", "--out", self.folder / "ts", "--verify")
        self.assertTrue(script["parity"]["passed"], script["parity"])

    def test_a_program_that_computes_something_else_fails_with_6_and_says_where(self):
        """A cmake that exchanges an activation before it builds stands for a compiler that gets it wrong. It builds what is compared only."""
        project = self.sample("wine")
        self.plumbline("train", project, "--max-steps", 3)
        real = shutil.which("cmake")
        fake = self.folder / "bin" / "cmake"
        fake.parent.mkdir()
        fake.write_text("#!/bin/sh\n"
                        f"for a in \"$@\"; do [ ! -f \"$a/model.h\" ] || sed -i 's/torch::nn::ReLU/torch::nn::Sigmoid/' \"$a/model.h\"; done\n"
                        f"[ \"$1\" != --build ] || set -- \"$@\" --target check\nexec {real} \"$@\"\n")
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
        self.assertIsNone(report["parity"]["training_max"], "the script does not train")

    def test_weights_are_read_by_pythons_safe_mode(self):
        project = self.sample("digits-cnn")
        summary = self.plumbline("train", project, "--max-steps", 5)
        report = self.plumbline("export", project, "latest", "--format", "state-dict", "--out", self.folder / "sd", "--verify")
        self.assertTrue(report["parity"]["passed"])
        self.assertIsNone(report["parity"]["forward_max"], "nothing was computed, all was read back")
        file = pathlib.Path(report["files"][0])
        with zipfile.ZipFile(file) as archive:
            state = WeightsOnly(archive).load()
        self.assertEqual(list(state)[:2], ["stem.conv.weight", "stem.bn.weight"])
        self.assertEqual(state["stem.conv.weight"][:2], ("FloatStorage", (32, 1, 3, 3)))
        self.assertEqual(state["stem.bn.num_batches_tracked"], ("LongStorage", (), [5]), "it has seen five batches")
        # Every number is the checkpoint's, bit for bit.
        trained = weights_of_checkpoint(pathlib.Path(summary["folder"]) / summary["checkpoint"])
        self.assertEqual(set(state), set(trained))
        for name, (kind, shape, values) in state.items():
            self.assertEqual((shape, values), trained[name], name)
        self.assertGreater(len(set(state["stem.conv.weight"][2])), 200, "and they are no constant")
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
