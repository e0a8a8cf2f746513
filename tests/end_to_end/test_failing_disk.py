"""Any write, sync, rename or opening may fail: it ends in success or in one sentence with exit code 5, and what was written
before is still there. PLUMBLINE_LONG_TESTS=1 tries every single call; otherwise a sample spread over all of them."""

import os
import pathlib
import shutil
import unittest

from support import EndToEnd, patient

SHIM = os.environ["PLUMBLINE_FAILING_WRITES"]
KINDS = [("ENOSPC", True), ("EIO", False), ("ENOSPC", False), ("EIO", True)]


class FailingDisk(EndToEnd):
    def shimmed(self, n, error, always, *arguments, environment=None):
        """Runs with the n-th counted call failing; gives the result and how many calls there were."""
        count = self.folder / "count"
        variables = dict(os.environ, LD_PRELOAD=SHIM, PLUMBLINE_FAIL_WRITE=str(n), PLUMBLINE_FAIL_ERRNO=error,
                         PLUMBLINE_FAIL_ALWAYS="1" if always else "0", PLUMBLINE_FAIL_PATH=str(self.folder) + "/",
                         PLUMBLINE_FAIL_COUNT_FILE=str(count), **(environment or {}))
        count.unlink(missing_ok=True)
        result = self.run_program(*arguments, "--json", env=variables)
        self.assertTrue(count.exists(), f"{arguments} did not end by itself: {result.returncode} {result.stderr[-500:]}")
        return result, int(count.read_text())

    def each_failure(self, quick, prepare, check, *arguments):
        """Makes every call fail, one after another. `prepare` gives the arguments that change; `check` looks at what is left."""
        prepare()
        whole, calls = self.shimmed(0, "EIO", False, *arguments)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        self.assertGreater(calls, 0)
        tried = range(1, calls + 1) if patient() else sorted({1 + i * (calls - 1) // max(1, quick - 1) for i in range(quick)})
        for index, n in enumerate(tried):
            for error, always in KINDS if patient() else [KINDS[index % len(KINDS)]]:
                with self.subTest(n=n, of=calls, error=error, always=always):
                    prepare()
                    result, _ = self.shimmed(n, error, always, *arguments)
                    document = self.assert_told(result, (0, 5))
                    if result.returncode == 5:
                        self.assertIn(document["error"]["code"], ("disk-full", "disk-error"), document)
                        self.assertTrue(document["error"]["hint"], document)
                    check(result, document)

    def assert_run_usable(self, project, resume):
        """The list, the numbers and the project are readable; the run can be gone on with."""
        runs = self.plumbline("runs", project)["runs"]
        self.assertTrue(self.plumbline("check", project)["ok"])
        for run in runs:
            self.assertNotEqual(run["status"], "unreadable", run)
            rows = self.run_program("metrics", project, run["id"])
            self.assertEqual(rows.returncode, 0, rows.stderr)
            if resume and list(pathlib.Path(run["folder"]).glob("checkpoints/step-*.ckpt")):
                summary = self.plumbline("resume", project, run["id"], "--max-steps", 60)
                self.assertEqual(summary["steps"]["attempted"], 60)
        return runs

    def test_in_a_training_run(self):
        project = self.folder / "wine"

        def prepare():
            self.sample("wine")

        def check(result, document):
            self.assert_run_usable(project, resume=True)
            self.assertFalse(list(project.glob("runs/*/checkpoints/*.tmp")), "a half-written checkpoint was left behind")

        self.each_failure(7, prepare, check, "train", project, "--max-steps", 40)

    def test_in_a_resumed_run(self):
        template = self.folder / "template"
        project = self.folder / "wine"
        self.sample("wine").rename(template)
        self.plumbline("train", template, "--max-steps", 20, "--run-name", "a")
        before = self.metrics(template, "a", "train.loss")

        def prepare():
            shutil.rmtree(project, ignore_errors=True)
            shutil.copytree(template, project)

        def check(result, document):
            self.assert_run_usable(project, resume=False)
            self.assertEqual(self.metrics(project, "a", "train.loss")[: len(before)], before)

        self.each_failure(3, prepare, check, "resume", project, "a", "--max-steps", 40)

    def test_in_new(self):
        project = self.folder / "cnn"

        def prepare():
            shutil.rmtree(project, ignore_errors=True)

        def check(result, document):
            if result.returncode == 0:
                self.assertTrue(self.plumbline("check", project)["ok"])
            else:
                # What is left is no half project: the same command can be given again.
                self.plumbline("new", project, "--template", "cnn")

        self.each_failure(3, prepare, check, "new", project, "--template", "cnn")

    def test_in_apply(self):
        template = self.folder / "template"
        project = self.folder / "wine"
        self.sample("wine").rename(template)
        self.edit(template, lambda d: d["training"].update(expert={"validate_in_train_mode": True}))
        self.plumbline("train", template, "--max-steps", 20, "--run-name", "a")
        findings = self.plumbline("findings", template, "a")["findings"]
        remedied = [f["detector"] for f in findings if any(r["patch"] for r in f["remedies"])]
        self.assertTrue(remedied, findings)
        before = (template / "project.json").read_bytes()

        def prepare():
            shutil.rmtree(project, ignore_errors=True)
            shutil.copytree(template, project)

        def check(result, document):
            self.assertTrue(self.plumbline("check", project)["ok"])
            self.assertEqual((project / "project.json").read_bytes() == before, result.returncode != 0)

        self.each_failure(3, prepare, check, "apply", project, "a", remedied[0])

    def test_in_export(self):
        project = self.sample("wine")
        self.plumbline("train", project, "--max-steps", 10)
        for form in ("cpp", "torchscript", "state-dict"):
            out = self.folder / "out"

            def prepare():
                shutil.rmtree(out, ignore_errors=True)

            def check(result, document):
                if result.returncode == 0:
                    for file in document["files"]:
                        self.assertTrue((out / file).exists() or pathlib.Path(file).exists(), file)
                else:
                    again = self.run_program("export", project, "latest", "--format", form, "--out", out)
                    self.assertEqual(again.returncode, 0, again.stderr)

            self.each_failure(3, prepare, check, "export", project, "latest", "--format", form, "--out", out)


if __name__ == "__main__":
    unittest.main()
