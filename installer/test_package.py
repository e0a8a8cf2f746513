"""Makes the .deb and the .tar.gz and looks at them as a machine would that has nothing else of ours.

argv[1] is CPackConfig.cmake, argv[2] cpack; the rest goes to unittest.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

CONFIG, CPACK = sys.argv.pop(1), sys.argv.pop(1)
EXPECTED = (
    "bin/plumbline", "bin/plumbline-gui", "lib/plumbline/libplumbline_runtime.so", "libexec/plumbline/fetch-libtorch",
    "libexec/plumbline/libtorch/__main__.py", "libexec/plumbline/libtorch/wheels.json",
    "share/applications/org.plumbline.Plumbline.desktop", "share/metainfo/org.plumbline.Plumbline.metainfo.xml",
    "share/icons/hicolor/scalable/apps/org.plumbline.Plumbline.svg", "share/doc/plumbline/copyright",
    "share/doc/plumbline/LICENSES/Apache-2.0.txt", "share/doc/plumbline/docs/detectors/loader-stall.md", "share/plumbline/projects/digits-cnn/project.json",
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

    def test_the_installed_command_line_runs_from_any_folder(self):
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}
        out = output_of(str(self.tree / "bin/plumbline"), "check", str(self.tree / "share/plumbline/projects/wine"), "--json",
                        env=environment, cwd="/")
        self.assertIn('"ok"', out)

    def test_without_libtorch_the_installed_program_says_what_to_do(self):
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}
        copy = self.folder / "wine"
        shutil.copytree(self.tree / "share/plumbline/projects/wine", copy)
        outcome = subprocess.run([str(self.tree / "bin/plumbline"), "train", str(copy)], env=environment, text=True,
                                 capture_output=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(outcome.returncode, 5, outcome.stderr)
        self.assertIn("LibTorch", outcome.stderr)

    def test_the_installed_program_trains_a_sample_with_a_libtorch_in_the_users_cache(self):
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": str(cache)}
        if os.environ.get("PLUMBLINE_LIBTORCH"):
            environment["PLUMBLINE_LIBTORCH"] = os.environ["PLUMBLINE_LIBTORCH"]
        copy = self.folder / "trained"
        shutil.copytree(self.tree / "share/plumbline/projects/wine", copy)
        outcome = subprocess.run([str(self.tree / "bin/plumbline"), "train", str(copy), "--max-steps", "3", "--json"],
                                 env=environment, text=True, capture_output=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertIn('"status"', outcome.stdout)

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
