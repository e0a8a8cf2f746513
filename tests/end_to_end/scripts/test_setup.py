"""./run, ./test and what they source: quick and silent when all is there, a sentence when something is missing.

argv[1] is the checkout; the rest goes to unittest. System programs (dpkg-query, apt-get, sudo, id) are played by scripts.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
LISTS = ROOT / "tools" / "packages"


def packages(list_name, group):
    lines = (LISTS / list_name).read_text().splitlines()
    return [line.split()[1] for line in lines if line.startswith(group + " ")]


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.checkout = self.folder / "checkout"
        (self.checkout / "tools").mkdir(parents=True)
        (self.checkout / "tools" / "packages").symlink_to(LISTS)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.stamp = self.folder / "stamp"
        self.installed = self.folder / "installed"
        self.installed.write_text("")
        # dpkg-query knows what is in the file `installed`; apt-get install adds to it.
        self.play("dpkg-query", f'for p in "$@"; do grep -qx "$p" {self.installed} && echo "$p installed"; done; true')
        self.play("apt-get", f'echo "apt-get $*" >>{self.folder}/calls\n'
                             f'case " $* " in *" install "*) for p in "$@"; do echo "$p" >>{self.installed}; done ;; esac')
        self.play("apt-cache", "exit 0")

    def play(self, name, script):
        path = self.bin / name
        path.write_text("#!/bin/sh\n" + script + "\n")
        path.chmod(0o755)

    def shell(self, script, **environment):
        program = (f'set -u; root={self.checkout}; program=./run; preset=release; build=$root/build/release\n'
                   f'. {ROOT}/tools/setup-system; . {ROOT}/tools/setup-build\n'
                   f'package_list() {{ echo {LISTS}/debian-12.txt; }}\n{script}')
        kept = {key: value for key, value in os.environ.items() if not key.startswith("PLUMBLINE_")}
        outcome = subprocess.run(["bash", "-c", program], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
                                 env={**kept, "PATH": f"{self.bin}:{os.environ['PATH']}", **environment})
        return outcome.returncode, outcome.stdout + outcome.stderr

    def calls(self):
        path = self.folder / "calls"
        return path.read_text() if path.exists() else ""

    def test_nothing_is_said_or_asked_when_all_packages_are_there(self):
        self.installed.write_text("\n".join(packages("debian-12.txt", "build")))
        self.assertEqual(self.shell(f"setup_system {self.stamp} build"), (0, ""))
        self.assertEqual(self.calls(), "")

    def test_the_second_look_is_at_a_stamp_only(self):
        self.installed.write_text("\n".join(packages("debian-12.txt", "build")))
        self.shell(f"setup_system {self.stamp} build")
        self.play("dpkg-query", f"echo asked >>{self.folder}/calls; exit 1")
        self.assertEqual(self.shell(f"setup_system {self.stamp} build"), (0, ""))
        self.assertEqual(self.calls(), "")

    def test_what_is_missing_is_named_and_installed_as_root(self):
        self.play("id", "echo 0")
        there = packages("debian-12.txt", "build")
        there.remove("ninja-build")
        self.installed.write_text("\n".join(there) + "\n")
        status, said = self.shell(f"setup_system {self.stamp} build")
        self.assertEqual(status, 0, said)
        self.assertIn("ninja-build", said)
        self.assertNotIn("cmake", said)
        self.assertIn("install ninja-build", self.calls())

    def test_tests_need_more_than_building(self):
        self.play("id", "echo 0")
        self.installed.write_text("\n".join(packages("debian-12.txt", "build")) + "\n")
        status, said = self.shell(f"setup_system {self.stamp} build test")
        self.assertEqual(status, 0, said)
        self.assertIn("xvfb", self.calls())

    def test_sudo_is_used_and_announced_by_others(self):
        self.play("id", "echo 1000")
        self.play("sudo", f'echo "sudo $*" >>{self.folder}/calls; exec "$@"')
        status, said = self.shell(f"setup_system {self.stamp} build")
        self.assertEqual(status, 0, said)
        self.assertIn("sudo may ask", said)
        self.assertIn("sudo env DEBIAN_FRONTEND=noninteractive apt-get", self.calls())

    def test_a_failing_apt_is_a_sentence(self):
        self.play("id", "echo 0")
        self.play("apt-get", 'case " $* " in *" install "*) echo "E: Unable to locate package cmake"; exit 100 ;; esac')
        status, said = self.shell(f"setup_system {self.stamp} build")
        self.assertEqual(status, 5)
        self.assertIn("E: Unable to locate package cmake", said)
        self.assertIn("build/apt.log", said)
        self.assertFalse(self.stamp.exists())

    def test_an_unknown_system_goes_on_with_what_it_has(self):
        status, said = self.shell(f"package_list() {{ :; }}\nsetup_system {self.stamp} build")
        self.assertEqual(status, 0)
        self.assertIn("not a Debian or Ubuntu system", said)

    def test_every_list_names_the_same_groups_and_says_if_it_is_untried(self):
        for name in ("debian-13.txt", "ubuntu-24.04.txt"):
            self.assertIn("Untried", (LISTS / name).read_text())
        for path in LISTS.iterdir():
            with self.subTest(list=path.name):
                self.assertGreater(len(packages(path.name, "build")), 20)
                self.assertGreater(len(packages(path.name, "test")), 5)
                for line in path.read_text().splitlines():
                    self.assertRegex(line, r"^(#.*|(build|test) [a-z0-9.+|-]+)$")

    def test_a_libtorch_that_is_none_is_a_sentence(self):
        status, said = self.shell("setup_libtorch", PLUMBLINE_LIBTORCH=str(self.folder))
        self.assertEqual(status, 5)
        self.assertIn("Point it to a LibTorch", said)

    def test_a_libtorch_of_ones_own_is_taken(self):
        (self.folder / "torch" / "lib").mkdir(parents=True)
        (self.folder / "torch" / "lib" / "libtorch_cpu.so").write_text("")
        (self.folder / "torch" / "include" / "ATen").mkdir(parents=True)
        status, said = self.shell('setup_libtorch; echo "$libtorch"', PLUMBLINE_LIBTORCH=str(self.folder))
        self.assertEqual((status, said), (0, f"{self.folder}/torch\n"))

    def test_a_failed_configure_shows_the_reason(self):
        self.play("cmake", 'echo "-- fine so far"; echo "CMake Error at CMakeLists.txt:1: no Qt"; exit 1')
        status, said = self.shell("libtorch=/nowhere; setup_configure")
        self.assertEqual(status, 5)
        self.assertIn("no Qt", said)
        self.assertNotIn("fine so far", said)
        self.assertIn("configure.log", said)

    def test_another_libtorch_configures_again_and_the_same_does_not(self):
        self.play("cmake", f'echo "$*" >>{self.folder}/calls; mkdir -p {self.checkout}/build/release; touch {self.checkout}/build/release/build.ninja')
        for libtorch in ("/one", "/one", "/two"):
            self.assertEqual(self.shell(f"libtorch={libtorch}; setup_configure")[0], 0)
        self.assertEqual([line.split("=")[-1] for line in self.calls().splitlines()], ["/one", "/two"])

    def run_script(self, *arguments, **environment):
        """./run in a checkout whose build is played: ninja says what it builds, the programs say how they were called."""
        tools = self.checkout / "tools"
        for name in ("setup-system", "setup-build"):
            (tools / name).symlink_to(ROOT / "tools" / name)
        shutil.copy(ROOT / "run", self.checkout / "run")
        lists = LISTS.iterdir()
        self.installed.write_text("\n".join(name for path in lists for name in packages(path.name, "build")) + "\n")
        libtorch = self.folder / "libtorch"
        (libtorch / "lib").mkdir(parents=True)
        (libtorch / "lib" / "libtorch_cpu.so").write_text("")
        (libtorch / "include" / "ATen").mkdir(parents=True)
        programs = self.checkout / "build" / "release" / "bin"
        programs.mkdir(parents=True)
        for name in ("plumbline", "plumbline-gui"):
            (programs / name).write_text(f'#!/bin/sh\necho "{name} $*"\nexit 7\n')
            (programs / name).chmod(0o755)
        self.play("cmake", "exit 0")
        self.play("ninja", f'echo "ninja $*" >>{self.folder}/calls')
        kept = {key: value for key, value in os.environ.items() if not key.startswith("PLUMBLINE_") and key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        outcome = subprocess.run([self.checkout / "run", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
                                 env={**kept, "PATH": f"{self.bin}:{os.environ['PATH']}", "PLUMBLINE_LIBTORCH": str(libtorch), **environment})
        return outcome.returncode, outcome.stdout, outcome.stderr

    def test_run_opens_the_window_on_the_digits_where_there_is_a_display(self):
        status, said, wrong = self.run_script(DISPLAY=":99")
        self.assertEqual(said, f"plumbline-gui {self.checkout}/projects/digits-cnn\n", wrong)
        self.assertEqual(status, 7, "the program's own exit code")
        self.assertIn("plumbline-gui", self.calls())

    def test_run_trains_the_digits_without_a_display_and_does_not_build_the_window(self):
        status, said, wrong = self.run_script()
        self.assertEqual(said.splitlines()[-1], f"plumbline train {self.checkout}/projects/digits-cnn", wrong)
        self.assertIn("no display", said + wrong)
        self.assertEqual(status, 7)
        self.assertNotIn("plumbline-gui", self.calls())

    def test_run_passes_its_arguments_to_the_command_line_display_or_not(self):
        status, said, wrong = self.run_script("train", "my project", "--set", "a=b c", DISPLAY=":99")
        self.assertEqual((status, said), (7, "plumbline train my project --set a=b c\n"), wrong)
        self.assertNotIn("plumbline-gui", self.calls())

    def test_a_failed_build_shows_the_compilers_words(self):
        self.play("ninja", r'printf "[1/9] compiling a\nFAILED: b.o\ng++ b.cpp\nb.cpp:3: error: no such thing\n[2/9] compiling c\n"; exit 1')
        status, said = self.shell("mkdir -p $build; setup_build all")
        self.assertEqual(status, 1)
        self.assertIn("b.cpp:3: error: no such thing", said)
        self.assertIn("build.log", said)

    def test_a_build_with_nothing_to_do_is_silent(self):
        self.play("ninja", 'echo "ninja: no work to do."')
        self.assertEqual(self.shell("mkdir -p $build; setup_build all"), (0, ""))

    def test_the_scripts_are_well_formed(self):
        for script in ("run", "test", ".ci/run", "tools/setup-system", "tools/setup-build", "tools/fetch-libtorch"):
            with self.subTest(script=script):
                subprocess.run(["bash", "-n", str(ROOT / script)], check=True)


if __name__ == "__main__":
    unittest.main()
