"""Brings one wheel into a folder: resumed where the last try ended, and under its own name only once its hash is right."""
import hashlib
import subprocess
import time
import urllib.error

import index
import pip_settings
from errors import FetchError, disk_error

CHUNK = 1 << 18
TRIES = 5


class Downloader:
    def __init__(self, folder, report):
        self._folder = folder
        self._report = report
        self._settings = None
        self._opener = None

    def whole(self, wheel):
        return self._folder / wheel.file

    def part(self, wheel):
        return self._folder / (wheel.file + ".part")

    def already(self, wheel):
        """Bytes of the wheel that are here from before, whole or in part."""
        for path in (self.whole(wheel), self.part(wheel)):
            if path.exists():
                return min(path.stat().st_size, wheel.size)
        return 0

    def get(self, wheel):
        """The wheel's path, its hash checked. Raises FetchError."""
        whole = self.whole(wheel)
        if whole.exists() and whole.stat().st_size == wheel.size and sha256(whole) == wheel.sha256:
            return whole
        if whole.exists():
            self._report.rewind(self.already(wheel))
            whole.unlink()
        resumed = self.part(wheel).exists()
        self._bring(wheel)
        if not self._check(wheel):
            if not resumed:
                raise self._mismatch(wheel)
            # The old part may have been of another file, or torn by a crash: once more from nothing.
            self._report.say(f"The resumed {wheel.file} does not have the expected hash; starting it again.")
            self._report.rewind(wheel.size)
            self._bring(wheel)
            if not self._check(wheel):
                raise self._mismatch(wheel)
        return whole

    def _check(self, wheel):
        part = self.part(wheel)
        self._report.phase("verify", wheel.file)
        if sha256(part) == wheel.sha256:
            part.rename(self.whole(wheel))
            return True
        part.unlink()
        return False

    def _mismatch(self, wheel):
        return FetchError("hash_mismatch", f"{wheel.file} came down with a wrong SHA-256 and was thrown away.",
                          "A proxy or mirror may have changed it: check pip's index-url, or try on another network.")

    def _bring(self, wheel):
        """Fills the .part file to the wheel's size."""
        part = self.part(wheel)
        try:
            if part.exists() and part.stat().st_size > wheel.size:
                part.unlink()
            if part.exists() and part.stat().st_size == wheel.size:
                return
            if self._settings is None:
                self._settings = pip_settings.read()
                self._opener = index.opener(self._settings)
            reason = self._from_index(wheel)
            if reason:
                self._by_pip(wheel, reason)
        except OSError as error:
            raise disk_error(error, part) from error

    def _from_index(self, wheel):
        """Downloads; the reason in words if the index cannot give the wheel."""
        reason = "no package index is set"
        for address in self._settings.indexes:
            try:
                url = index.find(self._opener, address, wheel)
            except (OSError, ValueError, KeyError) as error:
                reason = plain_reason(error)
                continue
            if url is None:
                reason = f"the package index does not have {wheel.file}"
                continue
            reason = self._receive(url, wheel)
            if reason is None:
                return None
        return reason

    def _receive(self, url, wheel):
        """Tries again where a connection broke; gives up when TRIES in a row brought nothing."""
        failures = 0
        reason = None
        while failures < TRIES:
            before = self._part_size(wheel)
            try:
                self._receive_once(url, wheel)
                reason = "the connection ended early"
            except _Unreadable as error:
                reason = plain_reason(error.cause)
            size = self._part_size(wheel)
            if size == wheel.size:
                return None
            failures = 0 if size > before else failures + 1
            if failures:
                time.sleep(min(0.2 * 2 ** failures, 5))
        return reason

    def _receive_once(self, url, wheel):
        offset = self._part_size(wheel)
        headers = {"Range": f"bytes={offset}-"} if offset else {}
        try:
            answer = self._opener.open(index.request(url, headers), timeout=index.TIMEOUT_S)
        except OSError as error:
            if isinstance(error, urllib.error.HTTPError) and error.code == 416:
                self._report.rewind(offset)
                self.part(wheel).unlink()
            raise _Unreadable(error) from error
        with answer:
            if offset and answer.status != 206:  # the server sends everything again
                self._report.rewind(offset)
                offset = 0
            with open(self.part(wheel), "ab" if offset else "wb") as out:
                while offset < wheel.size:
                    try:
                        block = answer.read(min(CHUNK, wheel.size - offset))
                    except Exception as error:  # http.client raises its own kinds besides OSError
                        raise _Unreadable(error) from error
                    if not block:
                        break
                    out.write(block)
                    offset += len(block)
                    self._report.advance(len(block))

    def _part_size(self, wheel):
        part = self.part(wheel)
        return part.stat().st_size if part.exists() else 0

    def _by_pip(self, wheel, reason):
        """The second way, for indexes that only pip can talk to (keyrings, client certificates, local folders)."""
        self._report.say(f"{reason[0].upper()}{reason[1:]}; trying with pip.")
        command = pip_settings.pip(
            "download", "--no-deps", "--only-binary=:all:", "--python-version", "311", "--implementation", "cp",
            "--abi", "cp311", "--platform", "manylinux2014_x86_64", "--platform", "manylinux_2_25_x86_64",
            "--platform", "manylinux_2_27_x86_64", "--platform", "manylinux_2_28_x86_64",
            "--retries", "1", "--timeout", "20", "--quiet", "-d", str(self._folder), f"{wheel.name}=={wheel.version}")
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)
        if outcome.returncode != 0 or not self.whole(wheel).exists():
            raise FetchError("no_network", f"{wheel.file} could not be had from the package index ({reason}).",
                             "Check the network and pip's settings (index-url, proxy, cert), and run this again: "
                             "what has come down is kept.")
        missing = wheel.size - self._part_size(wheel)
        self.whole(wheel).rename(self.part(wheel))
        self._report.advance(missing)


class _Unreadable(Exception):
    """The far side failed, as opposed to the disk here."""

    def __init__(self, cause):
        super().__init__(str(cause))
        self.cause = cause


def plain_reason(error):
    if isinstance(error, urllib.error.HTTPError):
        return f"the server answered {error.code} {error.reason}"
    cause = getattr(error, "reason", error)
    return getattr(cause, "strerror", None) or str(cause) or type(cause).__name__


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()
