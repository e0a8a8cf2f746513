"""A person in front of the window: opens the digits, presses Run, looks back; breaks something and is told what."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from gui_driver import App
from window import SOURCE, until

SHOTS = os.environ.get("PLUMBLINE_SHOTS")


def shot(app, name):
    if SHOTS:
        app.shot(str(pathlib.Path(SHOTS) / f"{name}.png"))


class Window:
    """The program on a copy of a sample project; gone when the block ends."""

    def __init__(self, sample):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="plumbline-window-"))
        self.project = self.folder / sample
        shutil.copytree(SOURCE / "projects" / sample, self.project, ignore=shutil.ignore_patterns("runs", "exports"))

    def __enter__(self):
        self.process = subprocess.Popen([os.environ["PLUMBLINE_GUI"], str(self.project)])
        self.app = App("plumbline-gui", timeout=30)
        until("the canvas", lambda: self.app.find_all("Model graph"), 30)
        return self

    def __exit__(self, *_):
        alive = self.process.poll() is None
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
        assert alive, "the window closed by itself"

    def page(self, name):
        self.app.click(name, role="check box")

    def train(self):
        """Presses Run and waits for the end of the run."""
        before = run_status(self.project).count("completed")
        self.app.click("Run", role="push button")
        until("the end of the run", lambda: run_status(self.project).count("completed") > before, 240)


def trains_and_looks_back():
    with Window("digits-cnn") as window:
        app = window.app
        shot(app, "model")
        for page in ("Data", "Train", "Runs", "Export", "Model"):
            window.page(page)
            if page == "Data":
                until("samples of the data page", lambda: app.find_all("Samples as the model gets them"), 30)
                shot(app, "data")
        window.page("Train")
        window.train()
        shot(app, "train")
        window.page("Runs")
        until("the run in the table", lambda: app.find_all("completed"), 30)
        shot(app, "runs")
        window.page("Export")
        until("the export button", lambda: app.find_all("Export", role="push button"), 10)
        shot(app, "export")


def is_told_what_is_wrong():
    with Window("digits-mlp") as window:
        app = window.app
        window.page("Train")
        app.set_text("Find a setting", "validate_in")
        until("the setting", lambda: app.find_all("validate_in_train_mode", role="check box"))
        app.click("validate_in_train_mode", role="check box")
        until("an edit that can be undone", lambda: app.find_all("Undo Set validate_in_train_mode"))
        window.train()
        until("the finding", lambda: [n for n in app.find_all(role="page tab") if n.get_name() == "Findings 1"], 20)
        until("its sentence", lambda: [n for _, n in app.walk() if "ran with" in (n.get_name() or "") and "training mode" in n.get_name()], 20)
        until("its numbers", lambda: app.find_all("Blocks in training mode"), 20)
        shot(app, "finding")
        app.click("Validate in eval mode", role="push button")
        until("what became of it", lambda: app.find_all("applied, run again"), 20)
        until("an edit that can be undone", lambda: app.find_all("Undo Validate in eval mode"))


def main():
    trains_and_looks_back()
    is_told_what_is_wrong()
    print("the window did what a person asked")


def run_status(project):
    program = pathlib.Path(os.environ["PLUMBLINE_GUI"]).with_name("plumbline")
    result = subprocess.run([str(program), "runs", str(project)], capture_output=True, text=True, check=False)
    return result.stdout


if __name__ == "__main__":
    sys.exit(main())
