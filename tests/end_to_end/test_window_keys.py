"""The keys people have in their hands, pressed in the real window; what they did is read from the saved project."""

import json
import re
import signal
import subprocess
import sys
import time

from window import Desk, newest_checkpoint, runs, until


class Keys:
    def __init__(self, desk, project):
        self.desk, self.app, self.project = desk, desk.app, project
        self.canvas = until("the canvas", lambda: self.app.find_all("Model graph"), 30)[0]

    def press(self, *keys):
        self.app.keys(*keys)

    def focus_canvas(self):
        """A click on an empty corner of the canvas."""
        x, y, w, h = self.app.box(self.canvas)
        subprocess.run(["xdotool", "mousemove", "--sync", str(x + w // 2), str(y + h - 12), "click", "1"], check=True)

    def quick_add(self, kind):
        self.press("Tab")
        self.app.type(kind)
        self.press("Return")

    def saved(self):
        return json.loads((self.project / "project.json").read_text())["model"]

    def nodes(self):
        return self.saved()["graph"]["nodes"]

    def until_saved(self, what, condition):
        """Saves until the file on disk is as wanted: an edit of a moment ago may not have arrived yet."""
        def look():
            self.press("ctrl+s")
            return condition(self.nodes())
        until(what, look, 20)

    def zoom(self):
        texts = [n.get_name() or "" for _, n in self.app.walk()]
        return next(int(m.group(1)) for m in (re.fullmatch(r"(\d+) %", t) for t in texts) if m)


def edits_on_the_canvas():
    with Desk() as desk:
        project = desk.sample("digits-cnn")
        desk.start(project)
        keys = Keys(desk, project)
        before = len(keys.nodes())

        keys.focus_canvas()
        keys.quick_add("Dropout")
        keys.until_saved("Tab adds a block", lambda nodes: len(nodes) == before + 1)
        keys.press("ctrl+z")
        keys.until_saved("Ctrl+Z takes it back", lambda nodes: len(nodes) == before)
        keys.press("ctrl+y")
        keys.until_saved("Ctrl+Y brings it again", lambda nodes: len(nodes) == before + 1)
        keys.press("ctrl+z")
        keys.until_saved("Ctrl+Z again", lambda nodes: len(nodes) == before)

        keys.focus_canvas()
        keys.press("ctrl+a", "ctrl+c", "ctrl+v")
        keys.until_saved("Ctrl+A, Ctrl+C, Ctrl+V", lambda nodes: len(nodes) == 2 * before)
        keys.press("Delete")
        keys.until_saved("Delete removes what was pasted", lambda nodes: len(nodes) == before)
        keys.press("ctrl+a", "ctrl+d")
        keys.until_saved("Ctrl+D", lambda nodes: len(nodes) == 2 * before)
        keys.press("ctrl+z")
        keys.until_saved("one undo for it", lambda nodes: len(nodes) == before)

        keys.press("ctrl+f")
        keys.app.type("fc")
        keys.press("Return", "ctrl+d")
        keys.until_saved("Ctrl+F goes to a block", lambda nodes: len(nodes) == before + 1 and sum(n["type"] == "Linear" for n in nodes.values()) == 2)
        keys.press("ctrl+z")
        keys.until_saved("the block alone", lambda nodes: len(nodes) == before)

        definitions = set(keys.saved()["definitions"])
        keys.press("ctrl+a", "ctrl+g")
        keys.until_saved("Ctrl+G groups", lambda nodes: len(keys.saved()["definitions"]) == len(definitions) + 1)
        made = (set(keys.saved()["definitions"]) - definitions).pop()
        inside = lambda: len(keys.saved()["definitions"][made]["nodes"])
        held, outside = inside(), len(keys.nodes())
        keys.press("Return")
        keys.quick_add("Dropout")
        keys.until_saved("Return goes in", lambda nodes: inside() == held + 1 and len(nodes) == outside)
        keys.press("BackSpace")
        keys.quick_add("Dropout")
        keys.until_saved("Backspace goes out", lambda nodes: inside() == held + 1 and len(nodes) == outside + 1)
        keys.press("ctrl+z", "ctrl+z", "ctrl+z")
        keys.until_saved("three undos", lambda nodes: len(nodes) == before and set(keys.saved()["definitions"]) == definitions)


def looks_around():
    with Desk() as desk:
        project = desk.sample("digits-cnn")
        desk.start(project)
        keys = Keys(desk, project)
        keys.focus_canvas()
        first = keys.zoom()
        keys.press("Home")
        time.sleep(0.5)
        fitted = keys.zoom()
        assert fitted <= first, "the first view is legible, Home shows all"
        x, y, w, h = keys.app.box(keys.canvas)
        subprocess.run(["xdotool", "mousemove", "--sync", str(x + w // 2), str(y + h // 2), "click", "4", "click", "4"], check=True)
        until("the wheel zooms in", lambda: keys.zoom() > fitted)
        keys.press("Home")
        until("Home fits all", lambda: keys.zoom() == fitted)
        keys.press("ctrl+a", "plus")
        until("+ zooms in", lambda: keys.zoom() > fitted)
        keys.press("period")
        until(". fits the selection", lambda: abs(keys.zoom() - fitted) <= 2)
        keys.press("ctrl+k")
        keys.app.type("full screen")
        keys.press("Return")
        place = lambda: keys.app.box(keys.app.find_all(role="frame")[0])
        whole = (0, 0, 1400, 900)
        until("Ctrl+K runs a command by its name", lambda: place() == whole)
        keys.press("F11")
        until("F11 leaves full screen", lambda: place() != whole)
        keys.press("ctrl+n")
        until("Ctrl+N", lambda: keys.app.find_all("Templates"))
        keys.press("Escape")
        until("the dialog closed", lambda: not keys.app.find_all("Templates"))
        keys.press("ctrl+o")
        until("Ctrl+O", lambda: [n for n in keys.app.find_all("Open a project") if n.get_role_name() in ("dialog", "file chooser")])
        keys.press("Escape")
        for number, sign in enumerate(("Start", "Model", "Data", "Train", "Runs", "Sweeps", "Export"), 1):
            keys.press(f"ctrl+{number}")
            until(f"Ctrl+{number} shows {sign}", lambda: any(is_checked(n) for n in keys.app.find_all(sign, role="check box")))


def is_checked(node):
    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi
    return node.get_state_set().contains(Atspi.StateType.CHECKED)


def runs_by_keyboard():
    with Desk() as desk:
        project = desk.sample("digits-mlp", lambda d: d["training"]["stop"].update(epochs=2000))
        desk.start(project)
        keys = Keys(desk, project)
        keys.press("F5")
        until("F5 runs", lambda: newest_checkpoint(project) > 0, 60)
        keys.press("F6")
        desk.says("paused")
        held = newest_checkpoint(project)
        keys.press("F5")
        until("F5 goes on", lambda: newest_checkpoint(project) > held, 60)
        keys.press("shift+F5")
        until("Shift+F5 stops", lambda: runs(project)[0]["status"] == "stopped", 60)
        # Fast fingers: whatever is pressed, one run at a time, and each ends whole.
        for _ in range(4):
            keys.press("F5", "shift+F5", "F5", "F6", "F5", "shift+F5")
        keys.press("shift+F5")

        def at_rest():
            keys.press("shift+F5")
            return all(run["status"] in ("stopped", "completed") for run in runs(project)) and keys.app.enabled("Run", role="push button")
        until("every run ended", at_rest, 60)
        count = len(runs(project))
        keys.press("F5")
        until("a run after all that", lambda: len(runs(project)) == count + 1, 60)
        keys.press("shift+F5")
        until("its end", lambda: runs(project)[0]["status"] != "running", 60)


def main():
    signal.alarm(850)
    for scenario in (runs_by_keyboard, edits_on_the_canvas, looks_around):
        scenario()
        print(scenario.__name__.replace("_", " "), flush=True)


if __name__ == "__main__":
    sys.exit(main())
