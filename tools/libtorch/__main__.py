"""fetch-libtorch: puts LibTorch into the user's cache, once, whole and checked."""
import argparse
import ctypes
import os
import pathlib
import platform
import re
import shutil
import signal
import sys

import manifest
import unpack
from cache import Cache, whole_folder
from download import Downloader
from errors import FetchError, disk_error
from report import Report, megabytes

HERE = pathlib.Path(__file__).resolve().parent
OLDEST_DRIVER = 580  # the first NVIDIA driver that runs CUDA 13


def arguments():
    parser = argparse.ArgumentParser(
        prog="fetch-libtorch", description="Puts LibTorch into ${XDG_CACHE_HOME:-~/.cache}/plumbline, once, whole and checked.",
        epilog="Exit codes: 0 it is there; 1 you said no; 2 wrong usage; 5 something is missing here; 130 and 143 interrupted.")
    parser.add_argument("--yes", action="store_true", help="do not ask before downloading")
    parser.add_argument("--check", action="store_true", help="only say whether it is there (exit code 0 or 5)")
    parser.add_argument("--progress", choices=("auto", "plain", "json", "none"), default="auto",
                        help="json: one JSON object a line on standard output")
    gpu = parser.add_mutually_exclusive_group()
    gpu.add_argument("--with-cuda", action="store_true", help="with the GPU libraries, whatever this machine has")
    gpu.add_argument("--without-cuda", action="store_true", help="without them, though an NVIDIA driver is here")
    parser.add_argument("--wheels", type=pathlib.Path, metavar="DIR", help="use wheels that lie in this folder before asking the network")
    parser.add_argument("--manifest", type=pathlib.Path, default=HERE / "wheels.json", help=argparse.SUPPRESS)
    return parser.parse_args()


def driver_runs_cuda():
    """Is an NVIDIA driver here that is new enough?"""
    try:
        text = pathlib.Path("/proc/driver/nvidia/version").read_text(encoding="utf-8", errors="replace")
        found = re.search(r"Kernel Module.*?\s(\d{3,})\.\d+", text)
        return bool(found) and int(found.group(1)) >= OLDEST_DRIVER
    except OSError:
        pass
    try:  # WSL has no such file, only the library
        version = ctypes.c_int(0)
        ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
        return version.value >= 13000
    except (OSError, AttributeError):
        return False


def check_space(cache, download_bytes, unpacked_bytes):
    needed = download_bytes + unpacked_bytes + (64 << 20)
    free = shutil.disk_usage(cache.root).free
    if free < needed:
        raise FetchError("disk_full", f"{cache.root} has {megabytes(free)} free, and LibTorch needs {megabytes(needed)}.",
                         "Make room, or point XDG_CACHE_HOME to another disk.")


def ask(wanted, missing_bytes, cache, options):
    """Consent, unless given with --yes."""
    if options.yes:
        return
    if not sys.stdin.isatty() or not sys.stderr.isatty():
        raise FetchError("no_consent", f"LibTorch {wanted.version} is not here: {megabytes(missing_bytes)} to download.",
                         "Say --yes to fetch it without being asked.", exit_code=2)
    sys.stderr.write(f"Plumbline computes with LibTorch {wanted.version}, which is not here yet.\n"
                     f"Download {megabytes(missing_bytes)} from the Python package index into {cache.root} "
                     f"({megabytes(wanted.unpacked_bytes)} unpacked, hashes checked)? [Y/n] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("", "y", "yes", "j", "ja"):
        raise FetchError("declined", "Nothing was downloaded.", "Set PLUMBLINE_LIBTORCH to use a LibTorch that you have.", exit_code=1)


def take_local_wheels(wanted, folder, downloader):
    """Wheels that somebody brought along; their hashes are checked like every other's."""
    for wheel in wanted.wheels:
        source = folder / wheel.file
        if source.is_file() and not downloader.whole(wheel).exists():
            try:
                shutil.copyfile(source, downloader.part(wheel))
            except OSError as error:
                raise disk_error(error, downloader.part(wheel)) from error


def install(wanted, cache, options, report):
    """Everything from the first byte to the folder's final name; the lock is held."""
    downloader = Downloader(cache.downloads, report)
    shutil.rmtree(cache.unpacking, ignore_errors=True)
    shutil.rmtree(cache.replaced, ignore_errors=True)
    if options.wheels:
        take_local_wheels(wanted, options.wheels, downloader)
    already = sum(downloader.already(wheel) for wheel in wanted.wheels)
    missing = wanted.download_bytes - already
    ask(wanted, missing, cache, options)
    check_space(cache, missing, wanted.unpacked_bytes)

    report.start(wanted.download_bytes, already)
    resumed = f", {megabytes(already)} of it already here" if already else ""
    report.say(f"LibTorch {wanted.version}: downloading {megabytes(wanted.download_bytes)}{resumed}.")
    paths = []
    for wheel in wanted.wheels:
        report.phase("download", wheel.file)
        paths.append(downloader.get(wheel))

    report.phase("unpack")
    report.say("Unpacking.")
    try:
        cache.unpacking.mkdir()
        for path in paths:
            unpack.unpack(path, cache.unpacking, wanted.cuda)
        if not whole_folder(cache.unpacking, wanted.cuda):
            raise FetchError("bad_wheel", "The wheels unpacked without the libraries that were expected.",
                             "Report this to Plumbline: its list of wheels is wrong.")
        os.sync()  # the name must not outlive a power cut that the contents did not
        if cache.final.exists():
            cache.final.rename(cache.replaced)
        cache.unpacking.rename(cache.final)
    except OSError as error:
        raise disk_error(error, cache.root) from error
    shutil.rmtree(cache.replaced, ignore_errors=True)
    for path in paths:
        path.unlink(missing_ok=True)


def run(options, report):
    own = os.environ.get("PLUMBLINE_LIBTORCH")
    if own:
        folder = pathlib.Path(own)
        if any((base / "lib" / "libtorch_cpu.so").is_file() for base in (folder, folder / "torch")):
            report.say(f"PLUMBLINE_LIBTORCH is set: using {folder}.")
            report.event("done", path=str(folder))
            return
        raise FetchError("bad_libtorch", f"PLUMBLINE_LIBTORCH is {folder}, but no lib/libtorch_cpu.so lies there.",
                         "Point it to the folder that holds LibTorch's include/ and lib/, or unset it.")
    cuda = options.with_cuda or (not options.without_cuda and driver_runs_cuda())
    wanted = manifest.read(options.manifest, cuda)
    cache = Cache(wanted.version)
    if not cache.whole(options.with_cuda):
        if options.check:
            raise FetchError("missing", f"LibTorch {wanted.version} is not in {cache.root}.", "Run fetch-libtorch to fetch it.")
        if platform.machine() != "x86_64" or platform.system() != "Linux":
            raise FetchError("platform", f"There is no LibTorch to fetch for {platform.system()} on {platform.machine()}.",
                             "Set PLUMBLINE_LIBTORCH to one that you have.")

        def waiting(pid):
            report.event("waiting", pid=pid)
            report.say(f"Another fetch-libtorch is at work (process {pid}); waiting for it.")

        with cache.locked(waiting):
            if not cache.whole(options.with_cuda):  # the other one may have brought it
                install(wanted, cache, options, report)
        report.say(f"LibTorch {wanted.version} is in {cache.final}.")
    report.event("done", path=str(cache.final))
    if options.check and report.mode != "json":
        print(cache.final)


class Terminated(BaseException):
    """SIGTERM; like KeyboardInterrupt no error that the code below may handle."""


def on_terminate(_number, _frame):
    raise Terminated


def main():
    options = arguments()
    report = Report(options.progress)
    signal.signal(signal.SIGTERM, on_terminate)
    try:
        run(options, report)
        return 0
    except FetchError as error:
        report.fail(error)
        return error.exit_code
    except (KeyboardInterrupt, Terminated) as stop:
        code = 130 if isinstance(stop, KeyboardInterrupt) else 143
        report.fail(FetchError("interrupted", "Stopped before LibTorch was whole.",
                               "Run this again to go on where it stopped: what has come down is kept.", code))
        return code


sys.exit(main())
