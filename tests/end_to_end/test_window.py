"""A person in front of the window: opens the digits, presses Run, looks back; breaks something and is told what."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from gui_driver import App, Atspi
from window import SOURCE, until

SHOTS = os.environ.get("PLUMBLINE_SHOTS")  # keeps the pictures there
PICTURES = pathlib.Path(SHOTS or tempfile.mkdtemp(prefix="plumbline-shots-"))


def shot(app, name):
    """A picture of the screen, which has to show something: its different colours are counted."""
    file = PICTURES / f"{name}.png"
    app.shot(str(file))
    colours = subprocess.run(["identify", "-format", "%k", str(file)], capture_output=True, text=True, check=True).stdout
    assert int(colours) > 50, f"{file} shows {colours} colours"
    return file


def changed_pixels(before, after):
    result = subprocess.run(["compare", "-metric", "AE", str(before), str(after), "null:"], capture_output=True, text=True, check=False)
    return float(result.stderr.split()[0])


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

    def press(self, name, role="push button"):
        """With the mouse, where the button is on the screen."""
        until(f"{name}", lambda: self.app.find_all(name, role=role), 30)
        self.app.mouse_click(self.app.find(name, role=role))

    def curve(self, series):
        """Last step of a curve on the Train page, from the table that a plot offers to readers of the screen; -1 before its first point."""
        cells = [node.get_name() or "" for _, node in self.app.walk() if node.get_role_name() == "table cell"]
        return int(cells[cells.index(series) + 2]) if series in cells else -1

    def train(self):
        """Presses Run and waits for the end of the run."""
        before = run_status(self.project).count("completed")
        self.press("Run")
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
        until("an empty page", lambda: window.curve("train.loss") == -1)
        before = shot(app, "train-before")
        window.press("Run")
        first = until("the first points", lambda: window.curve("train.loss") + 1, 60) - 1
        during = shot(app, "train-during")
        assert changed_pixels(before, during) > 2000, "curves are drawn while the run goes on"
        until("more points", lambda: window.curve("train.loss") > first, 60)
        for series in ("val.loss", "val.accuracy", "all", "lr", "samples/s", "loader wait", "tensors"):
            # "all" is the gradient norm over all blocks.
            until(f"a curve of {series}", lambda: window.curve(series) > 0, 120)
        until("the end of the run", lambda: "completed" in run_status(window.project), 240)
        shot(app, "train")
        window.page("Runs")
        until("the run in the table", lambda: app.find_all("completed"), 30)
        shot(app, "runs")
        exports(window)


def exports(window):
    app = window.app
    window.page("Export")
    folder = window.folder / "exported"
    app.set_text("Folder", str(folder))
    check = "Build or load it and compare the numbers"
    until("the choice to compare", lambda: app.find_all(check, role="check box"), 10)
    if not app.find(check, role="check box").get_state_set().contains(Atspi.StateType.CHECKED):
        window.press(check, role="check box")
    window.press("Export")
    until("the verdict", lambda: [n for _, n in app.walk() if "The numbers are the same" in (n.get_name() or "")], 400)
    for file in ("CMakeLists.txt", "model.h", "weights.pt", "training.cpp"):
        until(f"{file} of the export", lambda: list(folder.rglob(file)), 5)
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
        until("the finding", lambda: [n for n in app.find_all(role="page tab") if (n.get_name() or "").startswith("Findings 1 ")], 20)
        until("its sentence", lambda: [n for _, n in app.walk() if "ran with" in (n.get_name() or "") and "training mode" in n.get_name()], 20)
        until("its numbers", lambda: app.find_all("Blocks in training mode"), 20)
        shot(app, "finding")
        app.click("Validate in eval mode", role="push button")
        until("what became of it", lambda: app.find_all("Applied, run again."), 20)
        until("the same in its row", lambda: [n for _, n in app.walk() if (n.get_name() or "").endswith(" · applied, run again")], 20)
        until("an edit that can be undone", lambda: app.find_all("Undo Validate in eval mode"))


def main():
    trains_and_looks_back()
    is_told_what_is_wrong()
    if not SHOTS:
        shutil.rmtree(PICTURES)
    print("the window did what a person asked")


def run_status(project):
    program = pathlib.Path(os.environ["PLUMBLINE_GUI"]).with_name("plumbline")
    result = subprocess.run([str(program), "runs", str(project)], capture_output=True, text=True, check=False)
    return result.stdout


if __name__ == "__main__":
    sys.exit(main())
