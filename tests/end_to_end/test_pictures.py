"""Pictures of pages from the command line: plumbline-gui --page, --run and --shot need no screen."""

import os
import struct
import subprocess
import unittest

from support import EndToEnd

WINDOW = os.environ["PLUMBLINE_GUI"]


class Pictures(EndToEnd):
    def window(self, *arguments):
        environment = dict(os.environ, XDG_CONFIG_HOME=str(self.folder), XDG_CACHE_HOME=os.environ.get("XDG_CACHE_HOME", ""))
        if not environment["XDG_CACHE_HOME"]:
            del environment["XDG_CACHE_HOME"]
        return subprocess.run([WINDOW, *map(str, arguments)], capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=120, env=environment)

    def shot(self, name, *arguments):
        picture = self.folder / f"{name}.png"
        result = self.window(*arguments, "--shot", picture, "--lang", "en")
        self.assertEqual(result.returncode, 0, result.stderr[-2000:])
        content = picture.read_bytes()
        self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
        return struct.unpack(">II", content[16:24]), content

    def test_each_page_is_drawn_at_the_size_asked_for(self):
        project = self.sample("digits-mlp")
        seen = set()
        for page in ("welcome", "model", "data", "train", "runs", "export"):
            size, content = self.shot(page, project, "--page", page, "--size", "1000x700")
            self.assertEqual(size, (1000, 700))
            seen.add(content)
        self.assertEqual(len(seen), 6)
        dark, other = self.shot("dark", project, "--page", "data", "--size", "1000x700", "--theme", "dark")
        self.assertNotIn(other, seen)

    def test_a_run_is_shown_by_its_word_and_a_missing_one_is_told(self):
        project = self.sample("digits-mlp")
        self.plumbline("train", project, "--set", "training.stop.epochs=1")
        without = self.shot("without", project, "--page", "train")[1]
        with_run = self.shot("with", project, "--page", "train", "--run", "latest")[1]
        self.assertNotEqual(without, with_run)
        drawn = self.window(project, "--page", "train", "--run", "latest", "--shot", self.folder / "quiet.png", "--lang", "en")
        self.assertNotIn("QPainter", drawn.stderr)
        result = self.window(project, "--page", "train", "--run", "no-such-run", "--shot", self.folder / "none.png", "--lang", "en")
        self.assertEqual(result.returncode, 3)
        self.assertIn("no-such-run", result.stderr)

    def test_mistakes_end_with_one_sentence(self):
        project = self.sample("wine")
        for arguments, code, says in (
                ((project, "--page", "nowhere", "--shot", self.folder / "a.png"), 2, 'There is no page "nowhere"'),
                ((self.folder / "nothing", "--shot", self.folder / "a.png"), 3, "could not be opened"),
                (("--size", "12x9", "--shot", self.folder / "a.png"), 2, "--size takes"),
                (("--theme", "pink"), 2, "--theme takes light, dark or system"),
                (("one", "two"), 2, "One project can be opened, 2 were given"),
                ((project, "--shot", self.folder / "no" / "folder" / "a.png"), 5, "could not be written")):
            result = self.window(*arguments, "--lang", "en")
            self.assertEqual(result.returncode, code, f"{arguments}\n{result.stderr}")
            self.assertIn(says, result.stderr)
        self.assertFalse((self.folder / "a.png").exists())

    def test_help_speaks_the_language_asked_for(self):
        english = self.window("--help", "--lang", "en")
        chinese = self.window("--help", "--lang", "zh_CN")
        self.assertEqual((english.returncode, chinese.returncode), (0, 0))
        self.assertIn("A project folder or its project.json.", english.stdout)
        self.assertNotIn("A project folder", chinese.stdout)
        self.assertIn("--shot", chinese.stdout)


if __name__ == "__main__":
    unittest.main()
