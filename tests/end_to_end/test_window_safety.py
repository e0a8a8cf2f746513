"""Nothing is lost: unsaved edits and runs survive kill -9, and closing the window during a run saves it first."""

import json
import signal
import sys

from window import Desk, losses, newest_checkpoint, plumbline, runs, until


def long_run(document):
    document["training"]["stop"] = {"epochs": 20000}


def unsaved_edits_survive_a_kill():
    with Desk() as desk:
        project = desk.sample("digits-mlp")
        app = desk.start(project)
        desk.page("Train")
        app.set_text("Find a setting", "validate_in")
        until("the setting", lambda: app.find_all("validate_in_train_mode", role="check box"))
        desk.click("validate_in_train_mode", role="check box")
        until("an edit that can be undone", lambda: app.find_all("Undo Set validate_in_train_mode"))
        until("the recovery file", lambda: list(desk.folder.glob("share/**/recovery/*.json")), 20)
        desk.kill()
        saved = json.loads((project / "project.json").read_text())
        assert not saved["training"]["expert"].get("validate_in_train_mode"), "the project itself was written"

        app = desk.start(project)
        desk.says("were not saved when the program ended")
        desk.click("Restore")
        until("the edit that came back", lambda: app.find_all("Undo Restore unsaved changes"))
        app.keys("ctrl+s")
        until("the saved project", lambda: json.loads((project / "project.json").read_text())["training"]["expert"].get("validate_in_train_mode"))
        until("no recovery file", lambda: not list(desk.folder.glob("share/**/recovery/*.json")), 20)
        desk.kill()

        desk.start(project)
        until("the canvas", lambda: desk.app.find_all("Model graph"), 30)
        assert not [n for _, n in desk.app.walk() if "were not saved" in (n.get_name() or "")], "offered although all was saved"


def a_killed_run_goes_on_exactly():
    with Desk() as desk:
        project = desk.sample("digits-mlp", lambda d: d["training"]["stop"].update(epochs=240))
        plumbline("train", project, "--run-name", "whole")
        whole = losses(project, "whole")
        app = desk.start(project)
        app.keys("F5")
        before = newest_checkpoint(project)
        until("a second run", lambda: len(runs(project)) == 2, 60)
        killed = next(run["id"] for run in runs(project) if run["name"] != "whole")
        until("a checkpoint of it", lambda: len(list((project / "runs" / killed / "checkpoints").glob("step-*.ckpt"))) >= 2 and before >= 0, 60)
        desk.kill()
        status = next(run["status"] for run in runs(project) if run["id"] == killed)
        assert status == "interrupted", status
        assert losses(project, killed) != whole, "the run was over before it could be killed"

        app = desk.start(project)
        desk.says("was interrupted at step")
        desk.click("Resume run")
        until("the end of the run", lambda: next(run["status"] for run in runs(project) if run["id"] == killed) == "completed", 240)
        assert losses(project, killed) == whole, "the losses differ from the uninterrupted run's"


def asks_before_it_closes(desk):
    """Ctrl+Q, pressed again as a person would while the window manager still hands the keyboard back."""
    for patience in (8, 8, 8, 30):
        desk.app.keys("ctrl+q")
        try:
            return desk.says("the run that is on has to stop", patience)
        except AssertionError as error:
            late = error
    raise late


def closing_during_a_run_asks_and_saves():
    with Desk() as desk:
        project = desk.sample("digits-mlp", long_run)
        app = desk.start(project)
        app.keys("F5")
        until("a checkpoint", lambda: newest_checkpoint(project) > 0, 60)
        asks_before_it_closes(desk)
        desk.click("Keep training")
        reached = newest_checkpoint(project)
        until("the run going on", lambda: newest_checkpoint(project) > reached, 60)
        asks_before_it_closes(desk)
        desk.click("Stop the run")
        assert desk.wait_for_end(60) == 0
        run = runs(project)[0]
        assert run["status"] == "stopped", run
        steps = plumbline("runs", project)["runs"][0]["steps"]
        attempted = steps["attempted"] if isinstance(steps, dict) else steps
        assert newest_checkpoint(project) == attempted, (newest_checkpoint(project), run)


def main():
    signal.alarm(850)
    for scenario in (unsaved_edits_survive_a_kill, a_killed_run_goes_on_exactly, closing_during_a_run_asks_and_saves):
        scenario()
        print(scenario.__name__.replace("_", " "), flush=True)


if __name__ == "__main__":
    sys.exit(main())
