"""Ways into the program: from a person's own data, from an installed sample, from a folder that can only be read."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys

from window import SOURCE, Desk, runs, until

SHOTS = os.environ.get("PLUMBLINE_SHOTS")


def shot(app, name):
    if SHOTS:
        app.shot(str(pathlib.Path(SHOTS) / f"{name}.png"))


def completed(project):
    return [run for run in runs(project) if run["status"] == "completed"]


def starts_from_a_table():
    with Desk() as desk:
        shutil.copy(SOURCE / "projects" / "wine" / "data" / "wine.csv", desk.folder / "my wine.csv")
        (desk.folder / "notes.txt").write_text("one column\nonly\n")
        app = desk.start()
        desk.click("Start from my data…")
        until("the dialog", lambda: app.find_all("Choose a file…", role="push button"))
        desk.click("Choose a file…")
        desk.answer_file_dialog(desk.folder / "notes.txt")
        desk.says("holds no table of at least two columns")
        desk.click("Choose a file…")
        desk.answer_file_dialog(desk.folder / "my wine.csv")
        desk.says("A table of 178 rows and 14 columns")
        shot(app, "start-from-data")
        app.set_text("Project name", "wines")
        until("Create", lambda: app.enabled("Create", role="push button"))
        desk.click("Create")
        project = desk.folder / "Documents" / "wines"
        desk.says("ready to run")
        shot(app, "started-from-data")
        app.keys("F5")
        until("the end of the run", lambda: (project / "runs").exists() and completed(project), 240)
        assert completed(project)[0]["metrics"]["test.accuracy"] > 0.9, completed(project)[0]["metrics"]

        app.keys("ctrl+5")
        desk.says("Its true label is class_", 60)
        shot(app, "try-sample")
        until("rightly predicted", lambda: [n for _, n in app.walk() if (n.get_name() or "") in ("right", "critical: wrong")])
        desk.click("Pick at random")
        desk.says("Its true label is class_", 60)


def ordinary():
    """A superuser may write everywhere: the program goes without that right, as it does for everyone else."""
    return ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"] if os.geteuid() == 0 else []


def opens_a_copy_of_an_installed_sample():
    with Desk() as desk:
        samples = desk.folder / "installed"
        shutil.copytree(SOURCE / "projects" / "wine", samples / "wine", ignore=shutil.ignore_patterns("runs", "exports"))
        subprocess.run(["chmod", "-R", "a-w", str(samples)], check=True)
        desk.environment["PLUMBLINE_SAMPLES"] = str(samples)
        app = desk.start(before=ordinary())
        item = until("the sample", lambda: [n for n in app.find_all(role="list item") if (n.get_name() or "").startswith("wine")])[0]
        app.mouse_click(item)
        app.keys("Return")
        desk.says("This is your copy of the sample")
        project = desk.folder / "Documents" / "Plumbline" / "wine"
        app.keys("F5")
        until("the end of the run", lambda: (project / "runs").exists() and completed(project), 240)
        assert not (samples / "wine" / "runs").exists()


def saves_a_read_only_project_elsewhere():
    with Desk() as desk:
        project = desk.sample("wine")
        subprocess.run(["chmod", "-R", "a-w", str(project)], check=True)
        app = desk.start(project, before=ordinary())
        desk.says("This project can only be read where it is")
        desk.click("Save as…")
        copy = desk.folder / "Documents" / "my-wine"
        desk.answer_file_dialog(copy)
        until("the copy", lambda: (copy / "project.json").exists() and (copy / "data" / "wine.csv").exists())
        app.keys("F5")
        until("the end of the run", lambda: (copy / "runs").exists() and completed(copy), 240)
        assert not (project / "runs").exists()


def main():
    signal.alarm(850)
    for scenario in (starts_from_a_table, opens_a_copy_of_an_installed_sample, saves_a_read_only_project_elsewhere):
        scenario()
        print(scenario.__name__.replace("_", " "), flush=True)


if __name__ == "__main__":
    sys.exit(main())
