"""A project whose model runs a compiled package: refused until the package is trusted, then trained, used, exported; and trust taken back."""

import json
import os
import pathlib
import unittest
import zipfile

from support import EndToEnd

CODE = pathlib.Path(os.environ["PLUMBLINE_PACKAGE_CODE"])


class Trust(EndToEnd):
    def setUp(self):
        super().setUp()
        os.environ["XDG_CONFIG_HOME"] = str(self.folder / "config")
        self.project = self.sample("wine")
        self.package(self.project / "features.pt2")

        def with_package(document):
            inputs = document["model"]["graph"]["inputs"]
            self.input = next(iter(inputs))
            sizes = inputs[self.input]["shape"]
            tensor = f"float32 [{', '.join(map(str, sizes))}]"
            nodes = document["model"]["graph"]["nodes"]
            for node in nodes.values():
                if node.get("from") == self.input:
                    node["from"] = "package"
            nodes["package"] = {"type": "AOTIPackage", "from": [self.input], "params": {"path": "features.pt2", "inputs": tensor, "output": tensor}}
            document["training"]["stop"] = {"epochs": 2}

        self.edit(self.project, with_package)

    def tearDown(self):
        del os.environ["XDG_CONFIG_HOME"]
        super().tearDown()

    def package(self, file, behaviour=""):
        """Laid out as torch 2.13 does."""
        with zipfile.ZipFile(file, "w") as package:
            package.writestr("features/archive_format", "pt2")
            folder = "features/data/aotinductor/model/"
            package.writestr(folder + "code.wrapper_metadata.json", json.dumps({"AOTI_DEVICE_KEY": "cpu"}))
            package.write(CODE, folder + "code.wrapper.so")
            package.writestr(folder + "behaviour.txt", behaviour)

    def trusted(self):
        return self.plumbline("trust", "--list")["files"]

    def test_nothing_of_a_package_runs_before_it_is_trusted(self):
        document = self.plumbline("check", self.project)
        self.assertTrue(document["ok"])
        self.assertEqual([p["code"] for p in document["problems"] if p["block"] == "package"], ["package-costs"])
        layer = next(layer for layer in document["model"]["layers"] if layer["name"] == "package")
        self.assertEqual((layer["parameters"], layer["macs"]), (0, 0))
        for command in (["train", self.project], ["preflight", self.project],
                        ["export", self.project, "--format", "state-dict", "--out", self.folder / "out"]):
            told = self.refused(*command, code=3, error="package-not-trusted")
            self.assertIn(f"plumbline trust {self.project} package", told["hint"])
        # A project cannot give it, and no setting can.
        self.refused("train", self.project, "--set", "trusted=true", code=2, error="unknown-key")
        self.refused("train", self.project, "--set", "model.graph.nodes.package.params.trusted=true", code=3)
        # It is asked on a terminal, and this is none.
        self.refused("trust", self.project, code=2, error="not-asked")
        self.assertEqual(self.trusted(), [])

    def test_a_trusted_package_trains_evaluates_predicts_and_is_left_out_of_what_is_compiled(self):
        package = self.plumbline("trust", self.project, "package", "--yes")["packages"]
        self.assertEqual([(p["block"], p["trusted"], p["before"]) for p in package], [("package", True, False)])
        self.assertEqual([f["sha256"] for f in self.trusted()], [package[0]["sha256"]])
        self.assertTrue(self.plumbline("trust", self.project, "--yes")["packages"][0]["before"])
        summary = self.plumbline("train", self.project)
        self.assertEqual(summary["status"], "completed")
        self.plumbline("evaluate", self.project, "latest")
        self.assertEqual(len(self.plumbline("predict", self.project, "latest", "test:0", "test:1")["predictions"]), 2)
        units = self.plumbline("compile", self.project, "latest")["units"]
        self.assertTrue(any(unit["outcome"] == "eager" and "runs a package" in (unit["reason"] or "") for unit in units), units)
        self.refused("export", self.project, "latest", "--format", "cpp", "--out", self.folder / "cpp", code=3, error="package-not-exported")
        self.refused("export", self.project, "latest", "--format", "torchscript", "--out", self.folder / "ts", code=3, error="package-not-exported")
        self.plumbline("export", self.project, "latest", "--format", "state-dict", "--out", self.folder / "weights")

        # Another package under the same name is another one, trusted or not.
        self.package(self.project / "features.pt2", "another one")
        self.refused("evaluate", self.project, "latest", code=3, error="package-not-trusted")
        self.plumbline("trust", self.project, "--yes")
        for command in (["evaluate"], ["predict"]):
            self.refused(*command, self.project, "latest", *(["test:0"] if command == ["predict"] else []), code=3, error="package-changed")
        self.assertEqual(len(self.trusted()), 2)
        self.refused("trust", "--remove", "x", code=2, error="unknown-sum")
        self.refused("trust", self.project, "--yes", "--remove", "", code=2, error="unknown-sum")
        self.plumbline("trust", "--remove", package[0]["sha256"][:12])
        self.assertEqual(len(self.trusted()), 1)

    def test_what_is_no_package_is_told_by_check(self):
        (self.project / "features.pt2").write_bytes(b"PK\x05\x06" + b"\0" * 18)
        problems = self.plumbline("check", self.project, code=3)["problems"]
        self.assertEqual([p["code"] for p in problems if p["severity"] == "critical"], ["not-a-package"])
        self.refused("trust", self.project, "nobody", code=2, error="no-package")
        self.refused("trust", self.sample("digits-mlp"), "--yes", code=2, error="no-package")
        self.refused("trust", code=2, error="no-project")


if __name__ == "__main__":
    unittest.main()
