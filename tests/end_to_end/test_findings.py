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

    def test_a_remedy_of_a_run_that_was_started_with_another_value_names_that_possibility(self):
        project = self.sample("digits-cnn")
        self.plumbline("train", project, "--max-steps", 45, "--set", "training.expert.validate_in_train_mode=true")
        told = self.refused("apply", project, "latest", "validation-in-train-mode", code=3, error="patch-refused")
        self.assertIn("--set", told["hint"])

    def test_who_uses_a_run_is_told_which_it_is_and_what_makes_it_doubtful(self):
        project = self.sample("digits-cnn")
        self.plumbline("train", project, "--max-steps", 45, "--set", "training.expert.validate_in_train_mode=true", "--run-name", "doubtful")
        run = self.plumbline("runs", project)["runs"][0]["id"]
        for use in (["evaluate", project, "{}"], ["predict", project, "{}", "test:0"], ["export", project, "{}", "--format", "state-dict", "--out", "{out}"]):
            for word in ("best", "latest", "doubtful"):
                with self.subTest(use=use[0], word=word):
                    result = self.run_program(*[{"{}": word, "{out}": self.folder / f"out-{word}"}.get(part, part) for part in use], "--json")
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertEqual(f"{word} is run {run}" in result.stderr.splitlines(), word != "doubtful", result.stderr)
                    warned = [line for line in result.stderr.splitlines() if "validation-in-train-mode" in line]
                    self.assertEqual(len(warned), 1, result.stderr)
                    document = json.loads(result.stdout)
                    self.assertEqual((document["run"], document["critical_findings"]), (run, ["validation-in-train-mode"]))
        self.plumbline("train", project, "--max-steps", 45)
        healthy = self.run_program("evaluate", project, "latest", "--json")
        self.assertEqual(json.loads(healthy.stdout)["critical_findings"], [])
        self.assertNotIn("warning: run", healthy.stderr)

    def test_a_remedy_is_applied_to_a_project_that_was_edited_beside_it(self):
        project = self.sample("digits-cnn")
        self.edit(project, lambda d: (d["training"].update(optimizer={"type": "SGD", "lr": 1e30}), d["training"].pop("clip", None)))
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

    def test_a_run_with_a_critical_finding_does_not_end_as_a_plain_success(self):
        project = self.sample("digits-mlp")
        healthy = self.run_program("train", project, "--max-steps", 5)
        self.assertNotIn("critical", healthy.stdout)
        self.edit(project, lambda d: d["training"]["expert"].update(zero_grad_before_step=True))
        result = self.run_program("train", project, "--set", "training.stop.epochs=3")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.strip().splitlines()
        self.assertTrue(any(line.startswith("completed, with 1 critical finding, after 3 epochs,") for line in lines), lines)
        self.assertIn("completed, with 1 critical finding", lines[-1])
        self.assertEqual([run["critical_findings"] for run in self.plumbline("runs", project)["runs"]], [1, 0])
        self.assertIn("1 (1 critical)", self.run_program("runs", project).stdout)

    def test_numbers_that_are_none_are_spelt_alike_and_what_follows_from_a_finding_stands_under_it(self):
        project = self.sample("wine")
        self.edit(project, lambda d: (d["training"].update(optimizer={"type": "SGD", "lr": 1e30}), d["training"].pop("clip", None)))
        result = self.run_program("train", project)
        self.assertNotIn("-nan", result.stdout + result.stderr)
        self.assertIn("nan", result.stdout)
        self.assertEqual(sum(line.startswith("critical: ") for line in result.stderr.splitlines()), 1, result.stderr)
        self.assertEqual(sum(f["cause"] == "" for f in self.plumbline("findings", project, "latest")["findings"]), 1)

    def test_a_loss_far_above_its_start_is_found_though_it_stays_finite(self):
        # Clipped steps of length 10,000: the loss goes up on every machine, and nowhere beyond what a float holds.
        project = self.sample("diabetes")
        self.edit(project, lambda d: d["training"].update(optimizer={"type": "SGD", "lr": 10000.0}, scheduler={"type": "constant"}, clip={"type": "norm", "max_norm": 1.0}))
        causes = [f for f in self.plumbline("train", project)["findings"] if f["cause"] == ""]
        self.assertEqual([f["detector"] for f in causes], ["loss-diverged"], causes)
        self.plumbline("apply", project, "latest", "loss-diverged")
        self.assertEqual(json.loads((project / "project.json").read_text())["training"]["optimizer"]["lr"], 1000.0)

    def test_fail_on_critical_ends_with_4(self):
        project = self.sample("digits-mlp")
        self.edit(project, lambda d: d["training"]["expert"].update(zero_grad_before_step=True))
        summary = self.plumbline("train", project, "--fail-on", "critical", code=4)
        self.assertEqual(summary["stop_reason"]["code"], "finding")
        self.assertIn("parameter-not-updating", [f["detector"] for f in summary["findings"]])

    def test_fail_on_ends_with_4_though_the_finding_comes_at_the_end_of_the_last_epoch(self):
        project = self.sample("digits-cnn")
        self.edit(project, lambda d: (d["training"]["expert"].update(validate_in_train_mode=True), d["training"]["stop"].update(epochs=1),
                                      d["data"]["splits"].update(train=0.8, validation=0.2, test=0)))
        summary = self.plumbline("train", project, "--fail-on", "critical", code=4)
        self.assertEqual((summary["status"], summary["stop_reason"]["code"], summary["epochs"]), ("stopped", "finding", 1))


if __name__ == "__main__":
    unittest.main()
