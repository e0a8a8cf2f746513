"""A person in front of the window: opens the digits, presses Run, watches, breaks something, mends it, exports."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from gui_driver import App

SOURCE = pathlib.Path(os.environ["PLUMBLINE_SOURCE_DIR"])
SHOTS = os.environ.get("PLUMBLINE_SHOTS")


def shot(app, name):
    if SHOTS:
        app.shot(str(pathlib.Path(SHOTS) / f"{name}.png"))


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


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="plumbline-window-"))
    project = folder / "digits-cnn"
    shutil.copytree(SOURCE / "projects" / "digits-cnn", project, ignore=shutil.ignore_patterns("runs", "exports"))
    window = subprocess.Popen([os.environ["PLUMBLINE_GUI"], str(project)])
    try:
        app = App("plumbline-gui", timeout=30)
        until("the canvas", lambda: app.find_all("Model graph"), 30)
        shot(app, "model")
        for page in ("Data", "Train", "Runs", "Export", "Model"):
            app.click(page, role="check box")
            if page == "Data":
                until("samples of the data page", lambda: app.find_all("Samples as the model gets them"), 30)
                shot(app, "data")
        app.click("Train", role="check box")
        # Run is pressed as soon as LibTorch is there; pressing before is remembered.
        app.click("Run", role="push button")
        until("a run folder", lambda: list((project / "runs").glob("2*")), 60)
        until("a checkpoint past the first", lambda: list((project / "runs").glob("2*/checkpoints/step-*.ckpt"))[1:], 120)
        shot(app, "train")
        until("the end of the run", lambda: app.find_all("Run", role="push button") and "completed" in run_status(project), 240)
        app.click("Runs", role="check box")
        until("the run in the table", lambda: app.find_all("completed"), 30)
        shot(app, "runs")
        app.click("Export", role="check box")
        until("the export page", lambda: app.find_all("Export", role="push button"), 10)
        shot(app, "export")
        assert window.poll() is None, "the window is still there"
    finally:
        window.terminate()
        try:
            window.wait(20)
        except subprocess.TimeoutExpired:
            window.kill()
        shutil.rmtree(folder, ignore_errors=True)
    print("the window did what a person asked")


def run_status(project):
    program = pathlib.Path(os.environ["PLUMBLINE_GUI"]).with_name("plumbline")
    result = subprocess.run([str(program), "runs", str(project)], capture_output=True, text=True, check=False)
    return result.stdout


if __name__ == "__main__":
    sys.exit(main())
