"""What the end-to-end tests share: the program, copies of sample projects, small projects of their own."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["PLUMBLINE"]
SOURCE = pathlib.Path(os.environ["PLUMBLINE_SOURCE_DIR"])
# What tells of a crash, an abort or an exception that nobody caught.
CRASH_WORDS = ("terminate called", "what():", "Traceback", "Segmentation", "std::", "nlohmann", "[json.exception", "c10::",
               "Exception raised from", "AddressSanitizer", "runtime error:")


def patient():
    """Whether the long loops are asked for."""
    return os.environ.get("PLUMBLINE_LONG_TESTS", "0") not in ("", "0")


class EndToEnd(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="plumbline-end-to-end-"))

    def tearDown(self):
        subprocess.run(["chmod", "-R", "u+w", str(self.folder)], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def sample(self, name):
        """A copy of a sample project without its runs."""
        target = self.folder / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(SOURCE / "projects" / name, target, ignore=shutil.ignore_patterns("runs", "exports"))
        return target

    def new(self, template, *parameters):
        target = self.folder / template
        self.plumbline("new", target, "--template", template, *[x for p in parameters for x in ("--parameter", p)])
        return target

    def run_program(self, *arguments, **options):
        # A command that hangs is a failure of the test, whatever the machine is busy with.
        options.setdefault("timeout", 600)
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, **options)

    def plumbline(self, *arguments, code=0, **options):
        """Runs with --json; gives the document."""
        result = self.run_program(*arguments, "--json", **options)
        self.assertEqual(result.returncode, code, f"{arguments}\n{result.stdout[-2000:]}\n{result.stderr[-2000:]}")
        return json.loads(result.stdout)

    def refused(self, *arguments, code, says=None, error=None, **options):
        """The command fails with this exit code, one JSON error, a sentence and a next step."""
        document = self.plumbline(*arguments, code=code, **options)
        told = document["error"]
        self.assertTrue(told["message"], told)
        self.assertTrue(told["code"], told)
        self.assertTrue(told["hint"], f"no next step: {told}")
        if says:
            self.assertIn(says, told["message"] + " " + told["hint"] + " " + told["where"])
        if error:
            self.assertEqual(told["code"], error)
        return told

    def assert_told(self, result, codes):
        """Ended with one of these codes; a failure is one JSON error with a sentence, its next step and no trace of a crash. The document."""
        shown = f"{result.args}\nexit code {result.returncode}\n{result.stdout[-1500:]}\n{result.stderr[-1500:]}"
        self.assertIn(result.returncode, codes, shown)
        for word in CRASH_WORDS:
            self.assertNotIn(word, result.stderr + result.stdout, shown)
        document = json.loads(result.stdout)
        if result.returncode not in (0, 4, 130, 143) and "ok" not in document:
            told = document["error"]
            self.assertTrue(told["message"] and told["code"], shown)
            self.assertTrue(told["hint"], "no next step: " + shown)
            self.assertNotIn("\n", told["message"], shown)
            self.assertNotEqual(told["code"], "internal", shown)
            self.assertLess(len(told["message"]), 1200, shown)
        return document

    def edit(self, project, change):
        file = project / "project.json"
        document = json.loads(file.read_text())
        change(document)
        file.write_text(json.dumps(document, indent=2))

    def metrics(self, project, run, series):
        result = self.run_program("metrics", project, run, "--series", series)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = [line.split(",") for line in result.stdout.splitlines()[1:]]
        return [(int(row[1]), row[4]) for row in rows]
