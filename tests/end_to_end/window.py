"""The program in front of a person: started, found on the screen, killed, started again."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from gui_driver import App

SOURCE = pathlib.Path(os.environ["PLUMBLINE_SOURCE_DIR"])
GUI = os.environ["PLUMBLINE_GUI"]
PROGRAM = str(pathlib.Path(GUI).with_name("plumbline"))


def until(what, condition, timeout=60.0):
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        try:
            value = condition()
        except Exception:  # a widget died during the walk: walk again
            value = None
        if value:
            return value
        time.sleep(0.1)
    raise AssertionError(f"waited {timeout:.0f} s for: {what}")


class Desk:
    """A home folder with projects in it, and the program on it. Nothing outside of the folder is touched."""

    def __init__(self, **environment):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="plumbline-window-"))
        self.process = None
        self.app = None
        self.environment = dict(os.environ, HOME=str(self.folder), XDG_CONFIG_HOME=str(self.folder / "config"),
                                XDG_DATA_HOME=str(self.folder / "share"), **environment)
        self.environment.setdefault("XDG_CACHE_HOME", os.environ.get("XDG_CACHE_HOME", str(pathlib.Path.home() / ".cache")))
        (self.folder / "Documents").mkdir()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(30)
        subprocess.run(["chmod", "-R", "u+w", str(self.folder)], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def sample(self, name, change=None):
        """A copy of a sample project without its runs."""
        project = self.folder / name
        shutil.copytree(SOURCE / "projects" / name, project, ignore=shutil.ignore_patterns("runs", "exports"))
        if change:
            file = project / "project.json"
            document = json.loads(file.read_text())
            change(document)
            file.write_text(json.dumps(document, indent=2))
        return project

    def start(self, *arguments, before=()):
        self.process = subprocess.Popen([*before, GUI, *map(str, arguments)], env=self.environment)
        end = time.monotonic() + 60
        while True:  # another window of the program may still be leaving the tree
            self.app = App("plumbline-gui", timeout=30)
            if self.app.root.get_process_id() in self.pids():
                break
            assert time.monotonic() < end, "the window did not come"
            time.sleep(0.1)
        until("the toolbar", lambda: self.app.find_all("Run", role="push button"), 30)
        return self.app

    def pids(self):
        return {self.process.pid}

    def kill(self):
        """As a crash or the kernel does it: no chance to save anything."""
        self.process.kill()
        self.process.wait(30)

    def wait_for_end(self, timeout=60):
        return self.process.wait(timeout)

    def click(self, name, role="push button"):
        self.app.click(name, role=role, timeout=60)

    def page(self, name):
        self.click(name, role="check box")

    def says(self, part, timeout=30):
        return until(f"a sentence with {part!r}", lambda: [n for _, n in self.app.walk() if part in (n.get_name() or "")], timeout)

    def answer_file_dialog(self, path):
        """Types a path into the file dialog that has come up."""
        until("the file dialog", lambda: self.app.find_all(role="file chooser") or self.app.find_all("File name:") or
              [n for n in self.app.find_all(role="dialog")], 15)
        time.sleep(0.5)
        self.app.keys("ctrl+a")
        self.app.type(str(path))
        self.app.keys("Return")


def plumbline(*arguments):
    result = subprocess.run([PROGRAM, *map(str, arguments), "--json"], capture_output=True, text=True, check=False, timeout=600)
    assert result.returncode == 0, f"{arguments}\n{result.stdout[-1000:]}\n{result.stderr[-1000:]}"
    return json.loads(result.stdout)


def runs(project):
    return plumbline("runs", project)["runs"]


def losses(project, run):
    result = subprocess.run([PROGRAM, "metrics", str(project), run, "--series", "train.loss"], capture_output=True, text=True, check=True)
    return [(row.split(",")[1], row.split(",")[4]) for row in result.stdout.splitlines()[1:]]


def newest_checkpoint(project):
    """The step of the newest checkpoint of any run; -1 when there is none."""
    return max([int(f.stem.split("-")[1]) for f in (project / "runs").glob("*/checkpoints/step-*.ckpt")], default=-1)
