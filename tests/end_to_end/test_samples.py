"""Each sample project reaches what its expected.json says."""

import json
import unittest

from support import SOURCE, EndToEnd


class Samples(EndToEnd):
    def test_samples_reach_their_metrics(self):
        names = sorted(folder.name for folder in (SOURCE / "projects").iterdir() if (folder / "project.json").exists())
        self.assertEqual(names, ["diabetes", "digits-cnn", "digits-mlp", "mnist5k-cnn", "shapes", "wine"])
        for name in names:
            with self.subTest(name):
                project = self.sample(name)
                expected = json.loads((SOURCE / "projects" / name / "expected.json").read_text())
                summary = self.plumbline("train", project)
                self.assertEqual(summary["status"], "completed")
                self.assertEqual([f["detector"] for f in summary["findings"]], [], "a healthy sample stays silent")
                for metric, bounds in expected["metrics"].items():
                    value = summary["metrics"][metric]
                    self.assertGreaterEqual(value, bounds.get("min", float("-inf")), metric)
                    self.assertLessEqual(value, bounds.get("max", float("inf")), metric)

    def test_digits_cnn_is_good_whatever_its_seed(self):
        project = self.sample("digits-cnn")
        for seed in range(5):
            with self.subTest(seed=seed):
                summary = self.plumbline("train", project, "--set", f"training.seed={seed}")
                self.assertGreaterEqual(summary["metrics"]["test.accuracy"], 0.975)


if __name__ == "__main__":
    unittest.main()
