"""Makes the .deb and the .tar.gz and looks at them as a machine would that has nothing else of ours.

argv[1] is CPackConfig.cmake, argv[2] cpack; the rest goes to unittest.
"""
import json
import mmap
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

TESTS = pathlib.Path(__file__).resolve().parents[1] / "tests/end_to_end"
sys.path[:0] = [str(TESTS), str(TESTS / "scripts")]
import fake_index  # noqa: E402
from terminal import on_a_terminal  # noqa: E402

CONFIG, CPACK = sys.argv.pop(1), sys.argv.pop(1)
EXPECTED = (
    "bin/plumbline", "bin/plumbline-gui", "lib/plumbline/libplumbline_runtime.so", "libexec/plumbline/fetch-libtorch",
    "libexec/plumbline/libtorch/__main__.py", "libexec/plumbline/libtorch/wheels.json",
    "share/applications/org.plumbline.Plumbline.desktop", "share/metainfo/org.plumbline.Plumbline.metainfo.xml",
    "share/icons/hicolor/scalable/apps/org.plumbline.Plumbline.svg", "share/doc/plumbline/copyright",
    "share/doc/plumbline/LICENSES/Apache-2.0.txt", "share/doc/plumbline/docs/detectors/loader-stall.md",
    "share/doc/plumbline/docs/zh_CN/detectors/loader-stall.md", "share/doc/plumbline/docs/images/train.png", "share/plumbline/projects/digits-cnn/project.json",
    "share/plumbline/projects/wine/data/wine.csv")


def output_of(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls._folder.name)
        made = subprocess.run([CPACK, "--config", CONFIG, "-B", str(cls.folder)], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise AssertionError(made.stdout + made.stderr)
        cls.deb = next(cls.folder.glob("*.deb"))
        archive = next(cls.folder.glob("*.tar.gz"))
        with tarfile.open(archive) as tar:
            tar.extractall(cls.folder / "unpacked")
        cls.tree = next((cls.folder / "unpacked").iterdir())

    @classmethod
    def tearDownClass(cls):
        cls._folder.cleanup()

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self.addCleanup(shutil.rmtree, self.home)

    def test_the_archive_holds_what_a_user_needs_and_nothing_of_the_build(self):
        for path in EXPECTED:
            self.assertTrue((self.tree / path).is_file(), path)
        names = [str(path.relative_to(self.tree)) for path in self.tree.rglob("*")]
        self.assertEqual([n for n in names if "/runs/" in n or n.endswith((".h", ".a", ".pyc")) or "gtest" in n], [])
        self.assertEqual([n for n in names if "torch_cpu" in n or "libc10" in n], [], "LibTorch is never bundled")

    def test_the_debian_package_installs_the_same_files_under_usr(self):
        names = output_of("dpkg-deb", "-c", str(self.deb))
        for path in EXPECTED:
            self.assertIn(f" ./usr/{path}\n", names)

    def test_the_debian_package_depends_on_qt_and_python_and_not_on_libtorch(self):
        depends = output_of("dpkg-deb", "-f", str(self.deb), "Depends")
        for name in ("libqt6widgets6", "libqcustomplot2", "libsqlite3-0", "libc6", "python3-pip", "libqt6svg6"):
            self.assertIn(name, depends)
        self.assertNotIn("torch", depends)

    def test_no_program_knows_the_machine_it_was_built_on(self):
        for path in ("bin/plumbline", "bin/plumbline-gui", "lib/plumbline/libplumbline_runtime.so"):
            dynamic = output_of("readelf", "-d", str(self.tree / path))
            for line in dynamic.splitlines():
                if "RPATH" in line or "RUNPATH" in line:
                    self.assertIn("$ORIGIN", line)
        for path in ("bin/plumbline", "bin/plumbline-gui"):
            self.assertNotIn("torch", output_of("readelf", "-d", str(self.tree / path)), "programs open LibTorch, never link it")

    def environment(self, **more):
        """Of somebody who has nothing else of ours: an empty home, no LibTorch."""
        return {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "LC_ALL": "C.UTF-8", "PIP_CONFIG_FILE": os.devnull, **more}

    def sample(self):
        copy = self.home / "wine"
        shutil.copytree(self.tree / "share/plumbline/projects/wine", copy)
        return copy

    def asked_for_consent(self, answer, *arguments, **environment):
        """Runs the installed program at a terminal and answers its question. Exit code, what the terminal showed."""
        return on_a_terminal([self.tree / "bin/plumbline", *arguments], self.environment(**environment), b"[y/N]", answer)

    def test_the_debian_package_unpacked_is_a_program_that_runs(self):
        subprocess.run(["dpkg-deb", "-x", str(self.deb), str(self.home)], check=True)
        out = output_of(str(self.home / "usr/bin/plumbline"), "check", str(self.home / "usr/share/plumbline/projects/wine"), "--json",
                        env=self.environment(), cwd="/")
        self.assertTrue(json.loads(out)["ok"])

    def test_the_installed_command_line_runs_from_any_folder(self):
        out = output_of(str(self.tree / "bin/plumbline"), "check", str(self.tree / "share/plumbline/projects/wine"), "--json",
                        env=self.environment(), cwd="/")
        self.assertTrue(json.loads(out)["ok"])

    def test_the_installed_window_opens_a_sample_without_libtorch(self):
        out = output_of(str(self.tree / "bin/plumbline-gui"), "--first-paint", str(self.sample()), cwd="/",
                        env=self.environment(QT_QPA_PLATFORM="offscreen", XDG_RUNTIME_DIR=str(self.home)))
        self.assertGreater(json.loads(out)["first_paint_ns"], 0)

    def test_without_libtorch_the_installed_program_says_what_to_do(self):
        outcome = subprocess.run([str(self.tree / "bin/plumbline"), "train", str(self.sample())], env=self.environment(), text=True,
                                 capture_output=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(outcome.returncode, 5, outcome.stderr)
        self.assertIn("LibTorch", outcome.stderr)

    def test_without_consent_nothing_is_fetched(self):
        index = fake_index.FakeIndex(fake_index.sample_wheels())
        self.addCleanup(index.close)
        code, shown = self.asked_for_consent(b"n\n", "train", self.sample(), PIP_INDEX_URL=index.url)
        self.assertEqual(code, 5, shown)
        self.assertEqual(index.requests, [])
        self.assertFalse((self.home / ".cache/plumbline").exists())

    def test_with_consent_the_installed_program_fetches_libtorch_and_trains_a_sample(self):
        # The real libraries in a wheel of ours: the test needs no network.
        own = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "plumbline/libtorch-2.13.0"
        if not (own / "torch/lib/libtorch_cpu.so").is_file():
            self.skipTest("the LibTorch here is not the one that fetch-libtorch brings")
        if shutil.disk_usage(self.home).free < 4 << 30:
            self.skipTest("4 GB of temporary space are needed for LibTorch, its wheel and its download")
        wheel = self.home / "made.whl"
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_STORED) as archive:
            for path in sorted([*own.glob("torch/lib/*.so*"), *own.glob("nvidia/**/*.so*")]):
                archive.write(path, path.relative_to(own))
        name = "torch-2.13.0-cp311-cp311-manylinux_2_28_x86_64.whl"
        listing = self.tree / "libexec/plumbline/libtorch/wheels.json"
        original = listing.read_text(encoding="utf-8")
        self.addCleanup(listing.write_text, original, encoding="utf-8")
        with open(wheel, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            index = fake_index.FakeIndex({name: content})
            self.addCleanup(index.close)
            listing.write_text(json.dumps({"version": "2.13.0", "unpacked_bytes": {"cpu": len(content), "cuda": len(content)},
                                           "wheels": [fake_index.entry(name, "torch", "2.13.0", "cpu", content)]}), encoding="utf-8")
            code, shown = self.asked_for_consent(b"y\n", "train", self.sample(), "--max-steps", "3", PIP_INDEX_URL=index.url)
            self.assertEqual(code, 0, shown)
            self.assertEqual(len(index.asked_for(name)), 1, "downloaded once")
        self.assertIn("%", shown, "progress")
        self.assertTrue((self.home / ".cache/plumbline/libtorch-2.13.0/torch/lib/libtorch_cpu.so").is_file())
        runs = json.loads(output_of(str(self.tree / "bin/plumbline"), "runs", str(self.home / "wine"), "--json", env=self.environment()))
        self.assertEqual([run["steps"]["applied"] for run in runs["runs"]], [3])

    @unittest.skipUnless(shutil.which("desktop-file-validate"), "desktop-file-utils is not installed")
    def test_the_desktop_entry_is_valid(self):
        output_of("desktop-file-validate", str(self.tree / EXPECTED[6]))

    @unittest.skipUnless(shutil.which("appstreamcli"), "appstream is not installed")
    def test_the_metainfo_is_valid(self):
        outcome = subprocess.run(["appstreamcli", "validate", "--no-net", str(self.tree / EXPECTED[7])], capture_output=True,
                                 text=True, check=False)
        self.assertEqual(outcome.returncode, 0, outcome.stdout + outcome.stderr)


if __name__ == "__main__":
    unittest.main()
