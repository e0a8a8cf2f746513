"""Mistakes made on purpose are found, named and mended; healthy runs stay silent."""

import json
import unittest

from support import EndToEnd


class Findings(EndToEnd):
    def test_a_mistake_is_found_and_its_remedy_mends_it(self):
        project = self.sample("digits-cnn")
        self.edit(project, lambda d: d["training"]["expert"].update(validate_in_train_mode=True))
        summary = self.plumbline("train", project, "--max-steps", 45)
        found = [f for f in summary["findings"] if f["detector"] == "validation-in-train-mode"]
        self.assertEqual(len(found), 1, summary["findings"])
        self.assertEqual(found[0]["severity"], "critical")
        self.assertTrue(found[0]["evidence"])
        self.assertGreater(found[0]["step"], 0)
        self.plumbline("apply", project, "latest", "validation-in-train-mode")
        self.assertFalse(json.loads((project / "project.json").read_text())["training"]["expert"]["validate_in_train_mode"])
        healthy = self.plumbline("train", project, "--max-steps", 45)
        self.assertEqual(healthy["findings"], [])

    def test_a_remedy_is_refused_when_the_project_has_moved_on(self):
        project = self.sample("digits-cnn")
        self.edit(project, lambda d: d["training"]["expert"].update(validate_in_train_mode=True))
        self.plumbline("train", project, "--max-steps", 45)
        self.edit(project, lambda d: d["training"]["expert"].update(validate_in_train_mode=False))
        before = (project / "project.json").read_text()
        self.refused("apply", project, "latest", "validation-in-train-mode", code=3)
        self.assertEqual((project / "project.json").read_text(), before)

    def test_a_remedy_is_applied_to_a_project_that_was_edited_beside_it(self):
        project = self.sample("digits-cnn")
        self.edit(project, lambda d: (d["training"].update(optimizer={"type": "SGD", "lr": 1e12}), d["training"].pop("clip", None)))
        found = self.plumbline("train", project, "--max-steps", 20)["findings"]
        adding = [(f, i) for f in found for i, r in enumerate(f["remedies"])
                  if [o["op"] for o in r["patch"]] == ["test", "add"] and isinstance(r["patch"][0]["value"], dict)]
        self.assertTrue(adding, found)
        finding, which = adding[0]
        self.edit(project, lambda d: d["training"]["optimizer"].update(lr=0.5))
        self.plumbline("apply", project, "latest", finding["id"], "--remedy", which)
        self.assertEqual(json.loads((project / "project.json").read_text())["training"]["optimizer"]["lr"], 0.5)

    def test_every_template_trains_in_silence(self):
        for template in self.plumbline("templates")["templates"]:
            with self.subTest(template=template["id"]):
                project = self.new(template["id"])
                steps = 8 if template["id"] == "resnet18" else 60
                summary = self.plumbline("train", project, "--max-steps", steps)
                self.assertEqual([f["message"] for f in summary["findings"]], [])

    def test_fail_on_critical_ends_with_4(self):
        project = self.sample("digits-mlp")
        self.edit(project, lambda d: d["training"]["expert"].update(zero_grad_before_step=True))
        summary = self.plumbline("train", project, "--fail-on", "critical", code=4)
        self.assertEqual(summary["stop_reason"]["code"], "finding")
        self.assertIn("parameter-not-updating", [f["detector"] for f in summary["findings"]])


if __name__ == "__main__":
    unittest.main()
