"""A mistake in the project, a run with the real engine, a finding that lights its block, its remedy and the way back."""

import json
import sys

from test_window import Window, run_status, until

REMEDY = "Validate in eval mode"


class BrokenProject(Window):
    """The sample with validation in training mode, written as the program writes it."""

    def __init__(self, sample):
        super().__init__(sample)
        self.file = self.project / "project.json"
        text = self.file.read_text()
        text = text.replace('"expert": {}', '"expert": {"validate_in_train_mode": true}').replace('"epochs": 20', '"epochs": 4')
        document = json.loads(text)["training"]
        assert document["expert"]["validate_in_train_mode"] is True and document["stop"]["epochs"] == 4
        self.file.write_text(text)

    def choose_finding(self):
        """Brings the list of findings to the front and selects the one."""
        tab = until("the tab of findings", lambda: [n for n in self.app.find_all(role="page tab") if (n.get_name() or "").startswith("Findings")])[0]
        self.app.act(tab)
        cell = until("the finding in its list", lambda: [n for n in self.app.find_all(role="table cell") if "in training mode" in (n.get_name() or "")], 20)[0]
        self.app.mouse_click(cell)
        until("its remedy", lambda: self.app.find_all(REMEDY, role="push button"), 10)


def said(app, *words):
    return [n for _, n in app.walk() if all(word in (n.get_name() or "") for word in words)]


def command(app, name):
    """An action of the menus by its name ("Undo" with what it takes back), whether its menu is open or not."""
    items = [n for n in app.find_all(showing=False) if n.get_role_name() in ("menu item", "check menu item")]
    named = {(n.get_name() or "").replace("&", ""): n for n in items}
    found = named.get(name) or next((n for text, n in named.items() if text.startswith(name + " ")), None)
    assert found, f"no command {name} among {sorted(named)}"
    app.act(found)


def save(app, file, differs_from):
    command(app, "Save")
    until("the saved file", lambda: file.read_bytes() != differs_from, 10)
    return file.read_bytes()


def blocks(app):
    """The table beside the canvas: name → cells of its row."""
    rows = app.table("Blocks", role="table")
    return {row[0]: row for row in rows if row and row[0]}


def main():
    with BrokenProject("digits-cnn") as window:
        app, file = window.app, window.file
        command(app, "Blocks as a list")
        until("the list of blocks", lambda: blocks(app), 15)
        app.click("Run", role="push button")
        window.page("Model")  # pressing Run shows the Train page
        until("the fill of a block while it trains", lambda: [r for r in blocks(app).values() if "‖grad‖" in " ".join(c or "" for c in r)], 60)
        until("its block, lit", lambda: [r for r in blocks(app).values() if "training mode" in " ".join(c or "" for c in r)], 120)
        until("the end of the run", lambda: "completed" in run_status(window.project), 240)

        # Applied and saved; taken back and saved: the file is what it was, byte for byte.
        before = file.read_bytes()
        window.choose_finding()
        app.click(REMEDY, role="push button")
        until("one edit that can be undone", lambda: app.find_all(f"Undo {REMEDY}", showing=False), 10)
        applied = save(app, file, before)
        assert json.loads(applied)["training"]["expert"]["validate_in_train_mode"] is False
        command(app, "Undo")
        assert save(app, file, applied) == before

        # Mended by hand meanwhile: there is nothing left to apply, and the card says so.
        window.page("Train")
        app.set_text("Find a setting", "validate_in")
        until("the setting", lambda: app.find_all("validate_in_train_mode", role="check box"))
        app.click("validate_in_train_mode", role="check box")
        until("the edit", lambda: app.find_all("Undo Set validate_in_train_mode", showing=False), 10)
        window.choose_finding()
        until("a remedy that has nothing left to do", lambda: not app.enabled(REMEDY, role="push button"), 10)
        until("the reason", lambda: said(app, "un again"), 10)
    print("a finding lit its block, was mended, taken back and refused")


if __name__ == "__main__":
    sys.exit(main())
