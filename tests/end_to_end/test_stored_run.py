"""What a stored run says of how it came about: enough to do it again."""

import json
import pathlib
import platform
import re
import sqlite3
import unittest

from support import SOURCE, EndToEnd


def first_match(file, pattern):
    """The first group of the first line that matches; None where the file or the line is not there."""
    try:
        found = re.search(pattern, pathlib.Path(file).read_text(errors="replace"), re.MULTILINE)
    except OSError:
        return None
    return found.group(1).strip() if found else None


class StoredRun(EndToEnd):
    def records(self, project, name, *arguments):
        """The records of a run of a few steps, read without any of the program's code."""
        summary = self.plumbline("train", project, "--max-steps", 4, "--run-name", name, *arguments)
        with sqlite3.connect(pathlib.Path(summary["folder"]) / "run.sqlite") as store:
            return {key: json.loads(value) for key, value in store.execute("SELECT key, value FROM records")}

    def test_versions_are_those_of_this_program_and_this_machine(self):
        versions = self.records(self.sample("wine"), "a")["choices"]["versions"]
        self.assertEqual(versions["plumbline"], first_match(SOURCE / "CMakeLists.txt", r"project\(Plumbline VERSION ([\d.]+)"))
        libtorch = pathlib.Path(self.plumbline("fetch-libtorch")["libtorch"])
        built = next((f for f in (libtorch.parent / "version.py", libtorch.parent / "build-version") if f.exists()), None)
        if built is not None:
            self.assertIn(versions["libtorch"], built.read_text())
        self.assertRegex(versions["libtorch"], r"^\d+\.\d+\.\d+")
        self.assertRegex(versions["compiler"], r"^(g\+\+|.*[Cc]lang) ?\d+\.\d+")
        self.assertEqual(versions["os"], f'{first_match("/etc/os-release", "^PRETTY_NAME=.(.*).$")}, {platform.system()} {platform.release()}')
        self.assertEqual(versions["cpu"], first_match("/proc/cpuinfo", r"^model name\s*: (.*)$") or "unknown")
        self.assertEqual(versions["driver"], first_match("/sys/module/nvidia/version", r"^(.*)$") or first_match("/proc/driver/nvidia/version", r"\s(\d+\.[\d.]+)\s"))

    def test_what_was_chosen_and_the_whole_definition_are_there(self):
        project = self.sample("digits-cnn")
        records = self.records(project, "a", "--seed", 77, "--set", "training.determinism=deterministic")
        choices = records["choices"]
        self.assertEqual(choices["seed"], 77)
        self.assertEqual(choices["device"], "cpu")
        self.assertEqual(choices["memory_format"], "channels_last", "a convolutional model")
        self.assertGreaterEqual(choices["threads"], 1)
        self.assertTrue(choices["deterministic"])
        self.assertTrue(choices["flags"]["deterministic_algorithms"])
        self.assertEqual(choices["monitor_stride"], 50)
        whole = json.loads((project / "project.json").read_text())
        whole["training"].update(seed=77, determinism="deterministic")
        self.assertEqual([value for value in records.values() if isinstance(value, dict) and value.get("model") == whole["model"]][0]["training"]["seed"], 77)
        dense = self.records(self.sample("wine"), "dense")["choices"]
        self.assertEqual(dense["memory_format"], "contiguous")
        self.assertEqual(dense["monitor_stride"], "auto")

    def test_the_fingerprint_is_the_datas_and_the_hash_the_definitions(self):
        project = self.sample("wine")
        one = self.records(project, "one")["choices"]
        again = self.records(project, "again")["choices"]
        self.assertTrue(one["data_fingerprint"])
        self.assertEqual(again, one, "the same definition, data and machine")
        other = self.records(project, "other", "--set", "training.optimizer.lr=0.5")["choices"]
        self.assertEqual(other["data_fingerprint"], one["data_fingerprint"])
        self.assertNotEqual(other["definition_hash"], one["definition_hash"])
        file = project / "data" / "wine.csv"
        lines = file.read_text().splitlines()
        cells = lines[1].split(",")
        cells[0] = str(float(cells[0]) + 0.25)
        file.write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]) + "\n")
        changed = self.records(project, "changed")["choices"]
        self.assertNotEqual(changed["data_fingerprint"], one["data_fingerprint"])
        self.assertEqual(changed["definition_hash"], one["definition_hash"])


class Sandwich(EndToEnd):
    def test_it_takes_the_bytes_of_images_as_they_are(self):
        """Pixels from 0 to 16 as uint8, without a transform: the adapter makes of them what the core computes with."""
        project = self.new("sandwich")
        digits = self.sample("digits-mlp")
        images = json.loads((digits / "project.json").read_text())["data"]

        def raw(document):
            document["data"] = {"sources": {name: dict(source, images=str(digits / source["images"]), labels=str(digits / source["labels"]))
                                            for name, source in images["sources"].items()},
                                "inputs": {"image": {"from": next(iter(images["inputs"].values()))["from"]}}, "targets": images["targets"],
                                "splits": images["splits"], "loader": images["loader"]}
            document["model"]["graph"]["inputs"]["image"] = {"shape": ["B", 1, 8, 8], "dtype": "uint8"}
            document["training"]["losses"][0]["target"] = document["training"]["metrics"][0]["target"] = next(iter(images["targets"]))
            document["training"]["stop"] = {"epochs": 8}

        self.edit(project, raw)
        told = self.plumbline("data", project)
        self.assertIn("uint8", json.dumps(told))
        summary = self.plumbline("train", project)
        self.assertEqual(summary["findings"], [])
        self.assertGreater(summary["metrics"]["val.accuracy"], 0.9)
        for answer in self.plumbline("predict", project, "latest", "test:0", "test:1")["predictions"]:
            self.assertEqual(answer["classes"][0]["class"], str(answer["outputs"]["label"]))


if __name__ == "__main__":
    unittest.main()
