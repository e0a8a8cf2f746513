"""fetch-libtorch against an index of our own: what arrives is whole and right, and every failure is a sentence.

argv[1] is the program; the rest goes to unittest.
"""
import json
import os
import pathlib
import pty
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import fake_index
from fake_index import CUBLAS_FILE, RUNTIME_FILE, TORCH_FILE

PROGRAM = sys.argv.pop(1)


class FetchLibtorch(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)
        self.cache = self.folder / "cache"
        self.final = self.cache / "plumbline" / "libtorch-9.9.9"
        self.downloads = self.cache / "plumbline" / "downloads"
        self.part = self.downloads / (TORCH_FILE + ".part")
        self.wheels = fake_index.sample_wheels()
        self.index = fake_index.FakeIndex(self.wheels)
        self.addCleanup(self.index.close)
        self.manifest = self.folder / "wheels.json"
        self.write_manifest()

    def write_manifest(self, **changes):
        self.manifest.write_text(json.dumps(fake_index.manifest(self.wheels, **changes)))

    def environment(self, **changes):
        kept = {key: value for key, value in os.environ.items()
                if not key.startswith("PIP_") and not key.lower().endswith("_proxy") and key != "PLUMBLINE_LIBTORCH"}
        return {**kept, "PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": self.index.url,
                "XDG_CACHE_HOME": str(self.cache), **changes}

    def command(self, *arguments):
        return [PROGRAM, "--manifest", str(self.manifest), *arguments]

    def start(self, *arguments, **options):
        options.setdefault("env", self.environment())
        process = subprocess.Popen(self.command(*arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(ended, process)
        return process

    def fetch(self, *arguments, env=None, **options):
        process = self.start("--without-cuda", *arguments, env=env or self.environment(), **options)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def assert_whole(self):
        library = self.final / "torch" / "lib" / "libtorch_cpu.so"
        self.assertIn(library.read_bytes(), self.wheels[TORCH_FILE])
        self.assertEqual(library.stat().st_size, 3_000_000)
        self.assertEqual(list(self.downloads.iterdir()), [], "downloads are removed once unpacked")

    def assert_failed(self, outcome, code, *words):
        status, out, err = outcome
        self.assertEqual(status, code, err)
        self.assertFalse(self.final.exists(), "a folder that is not whole never has the final name")
        self.assertEqual(err.count("fetch-libtorch:"), 1, err)
        self.assertNotIn("Traceback", err)
        for word in words:
            self.assertIn(word, err)

    def start_and_hold(self):
        """A fetch that has received a part of the big wheel and waits for the rest."""
        self.index.held.clear()
        self.index.hold_after = 1_000_000
        process = self.start("--yes", "--without-cuda")
        self.assertTrue(self.index.held.wait(30))
        deadline = time.monotonic() + 30
        while not (self.part.exists() and self.part.stat().st_size > 0) and time.monotonic() < deadline:
            time.sleep(0.01)
        return process

    # -- what arrives ------------------------------------------------------------------------------------------------

    def test_brings_libraries_and_headers_and_no_python(self):
        status, _, err = self.fetch("--yes")
        self.assertEqual(status, 0, err)
        self.assert_whole()
        there = {str(path.relative_to(self.final)) for path in self.final.rglob("*") if path.is_file()}
        self.assertEqual(there, {"torch/lib/libtorch_cpu.so", "torch/lib/libc10.so", "torch/include/ATen/core/Tensor.h",
                                 "torch-9.9.9.dist-info/METADATA", "nvidia/cu13/lib/libcudart.so.13"})

    def test_never_downloads_twice(self):
        self.assertEqual(self.fetch("--yes")[0], 0)
        before = len(self.index.requests)
        self.assertEqual(self.fetch("--yes")[0], 0)
        self.assertEqual(len(self.index.requests), before)

    def test_reads_an_index_that_only_speaks_html(self):
        self.index.html = True
        self.assertEqual(self.fetch("--yes")[0], 0)
        self.assert_whole()

    def test_gpu_libraries_are_added_when_asked_for(self):
        self.assertEqual(self.fetch("--yes")[0], 0)
        process = self.start("--yes", "--with-cuda")
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertTrue((self.final / "torch/lib/libtorch_cuda.so").exists())
        self.assertTrue((self.final / "nvidia/cu13/lib/libcublas.so.13").exists())
        self.assertEqual(self.index.asked_for(CUBLAS_FILE), [None])

    def test_takes_wheels_from_a_folder_without_a_network(self):
        brought = self.folder / "stick"
        brought.mkdir()
        for name, content in self.wheels.items():
            (brought / name).write_bytes(content)
        self.assertEqual(self.fetch("--yes", "--wheels", str(brought))[0], 0)
        self.assert_whole()
        self.assertEqual(self.index.requests, [])

    def test_json_lines_tell_the_window_what_happens(self):
        status, out, _ = self.fetch("--yes", "--progress", "json")
        self.assertEqual(status, 0)
        lines = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(lines[0]["event"], "start")
        self.assertEqual(lines[0]["bytes_total"], len(self.wheels[TORCH_FILE]) + len(self.wheels[RUNTIME_FILE]))
        progress = [line for line in lines if line["event"] == "progress"]
        self.assertEqual(progress[-1]["percent"], 100.0)
        self.assertEqual(lines[-1], {"event": "done", "path": str(self.final)})

    # -- resuming ----------------------------------------------------------------------------------------------------

    def test_a_kill_in_the_middle_continues_where_it_was(self):
        process = self.start_and_hold()
        process.kill()
        process.communicate()
        self.assertFalse(self.final.exists())
        received = self.part.stat().st_size
        self.assertGreater(received, 0)

        self.index.hold_after = None
        self.index.release.set()
        status, _, err = self.fetch("--yes")
        self.assertEqual(status, 0, err)
        self.assertEqual(self.index.asked_for(TORCH_FILE), [None, f"bytes={received}-"])
        self.assert_whole()

    def test_ctrl_c_says_that_it_can_go_on(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(signal=number):
                process = self.start_and_hold()
                process.send_signal(number)
                out, err = process.communicate(timeout=30)
                self.assert_failed((process.returncode, out, err), code, "kept")

    def test_a_broken_connection_is_taken_up_again(self):
        self.index.break_after = 1_000_000
        status, _, err = self.fetch("--yes")
        self.assertEqual(status, 0, err)
        self.assertEqual(len(self.index.asked_for(TORCH_FILE)), 2)
        self.assert_whole()

    def test_a_server_without_ranges_still_ends_whole(self):
        self.index.ranges = False
        self.index.break_after = 1_000_000
        self.assertEqual(self.fetch("--yes")[0], 0)
        self.assert_whole()

    def test_a_torn_part_is_started_again(self):
        self.downloads.mkdir(parents=True)
        self.part.write_bytes(b"\0" * 500_000)
        status, _, err = self.fetch("--yes")
        self.assertEqual(status, 0, err)
        self.assert_whole()

    def test_a_half_unpacked_folder_of_an_earlier_crash_is_not_used(self):
        left = self.cache / "plumbline" / ".libtorch-9.9.9.unpacking"
        (left / "torch" / "lib").mkdir(parents=True)
        (left / "torch" / "lib" / "libtorch_cpu.so").write_bytes(b"half")
        self.assertEqual(self.fetch("--yes")[0], 0)
        self.assert_whole()
        self.assertFalse(left.exists())

    def test_two_at_once_download_once(self):
        first = self.start_and_hold()
        second = self.start("--yes", "--without-cuda", "--progress", "json")
        self.assertEqual(json.loads(second.stdout.readline()), {"event": "waiting", "pid": str(first.pid)})
        self.index.release.set()
        first.communicate(timeout=60)
        second.communicate(timeout=60)
        self.assertEqual((first.returncode, second.returncode), (0, 0))
        self.assertEqual(self.index.asked_for(TORCH_FILE), [None])
        self.assert_whole()

    # -- failures ----------------------------------------------------------------------------------------------------

    def test_a_wrong_hash_is_refused(self):
        changed = bytearray(self.wheels[TORCH_FILE])
        changed[1000] ^= 1
        self.index.wheels[TORCH_FILE] = bytes(changed)
        self.assert_failed(self.fetch("--yes"), 5, "SHA-256", "mirror")
        self.assertEqual(list(self.downloads.iterdir()), [])

    def test_a_failure_is_also_a_json_line(self):
        self.index.wheels[TORCH_FILE] = bytes(len(self.wheels[TORCH_FILE]))
        outcome = self.fetch("--yes", "--progress", "json")
        last = json.loads(outcome[1].splitlines()[-1])
        self.assertEqual((last["event"], last["code"]), ("error", "hash_mismatch"))
        self.assertTrue(last["message"] and last["hint"])

    def test_too_little_space_is_said_before_the_download(self):
        self.write_manifest(unpacked_bytes=10 ** 18)
        self.assert_failed(self.fetch("--yes"), 5, "free", "Make room")
        self.assertEqual(self.index.requests, [])

    def test_a_disk_that_fills_up_is_a_sentence_and_loses_nothing(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
        self.assert_failed(self.fetch("--yes", preexec_fn=limit), 5, "disk is full")
        self.assertEqual(self.part.stat().st_size, 1_000_000)
        self.assertEqual(self.fetch("--yes")[0], 0)
        self.assertEqual(self.index.asked_for(TORCH_FILE)[-1], "bytes=1000000-")
        self.assert_whole()

    def test_no_network_is_a_sentence(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{unused.getsockname()[1]}/simple/"
            outcome = self.fetch("--yes", env=self.environment(PIP_INDEX_URL=url))
        self.assert_failed(outcome, 5, "Connection refused", "network")

    def test_an_index_without_the_wheel_is_a_sentence(self):
        del self.index.wheels[TORCH_FILE]
        self.assert_failed(self.fetch("--yes"), 5, TORCH_FILE)

    def test_a_wheel_that_reaches_outside_is_refused(self):
        self.wheels[RUNTIME_FILE] = fake_index.wheel_bytes({"nvidia/../../../outside": b"x"})
        self.index.wheels = dict(self.wheels)
        self.write_manifest()
        self.assert_failed(self.fetch("--yes"), 5, "outside")
        self.assertFalse((self.cache / "outside").exists())

    def test_a_cache_that_cannot_be_written_is_a_sentence(self):
        self.cache.write_text("a file where the folder should be")
        self.assert_failed(self.fetch("--yes"), 5, "could not be written", "XDG_CACHE_HOME")

    def test_pip_missing_is_a_sentence(self):
        broken = self.folder / "site"
        (broken / "pip").mkdir(parents=True)
        (broken / "pip" / "__main__.py").write_text("import sys; sys.exit('/usr/bin/python3: No module named pip')")
        (broken / "pip" / "__init__.py").write_text("")
        outcome = self.fetch("--yes", env=self.environment(PYTHONPATH=str(broken)))
        self.assert_failed(outcome, 5, "python3-pip")

    # -- consent and choice ------------------------------------------------------------------------------------------

    def test_without_consent_and_without_a_terminal_nothing_is_fetched(self):
        self.assert_failed(self.fetch(), 2, "--yes")
        self.assertEqual(self.index.requests, [])

    def test_asks_on_a_terminal(self):
        for answer, status in ((b"n\n", 1), (b"y\n", 0)):
            with self.subTest(answer=answer):
                near, far = pty.openpty()
                process = subprocess.Popen(self.command("--without-cuda"), env=self.environment(), stdin=far, stderr=far,
                                           stdout=subprocess.DEVNULL)
                os.close(far)
                shown = b""
                while b"[Y/n]" not in shown:
                    shown += os.read(near, 4096)
                os.write(near, answer)
                self.assertEqual(drained(process, near), status)
                self.assertEqual(self.final.exists(), status == 0)

    def test_a_libtorch_of_ones_own_is_used(self):
        own = self.folder / "own"
        (own / "lib").mkdir(parents=True)
        (own / "lib" / "libtorch_cpu.so").write_bytes(b"")
        self.assertEqual(self.fetch("--yes", env=self.environment(PLUMBLINE_LIBTORCH=str(own)))[0], 0)
        self.assertEqual(self.index.requests, [])

    def test_a_libtorch_of_ones_own_that_is_none_is_a_sentence(self):
        outcome = self.fetch("--yes", env=self.environment(PLUMBLINE_LIBTORCH=str(self.folder)))
        self.assert_failed(outcome, 5, "PLUMBLINE_LIBTORCH", "unset")

    def test_check_only_looks(self):
        self.assert_failed(self.fetch("--check"), 5, "not in")
        self.assertEqual(self.fetch("--yes")[0], 0)
        status, out, _ = self.fetch("--check")
        self.assertEqual((status, out.strip()), (0, str(self.final)))


def ended(process):
    if process.poll() is None:
        process.kill()
    process.wait()
    process.stdout.close()
    process.stderr.close()


def drained(process, terminal):
    """The exit status of a process whose terminal is read until it ends."""
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        try:
            os.read(terminal, 4096)
        except OSError:
            break
    os.close(terminal)
    return process.wait(timeout=30)


if __name__ == "__main__":
    unittest.main()
