"""Takes out of the wheels what a C++ program needs: libraries, headers, licences; no Python code."""
import fnmatch
import pathlib
import shutil
import zipfile
import zlib

from errors import FetchError, disk_error

WANTED = ("torch/lib/*", "torch/include/*", "torch/share/*", "*.dist-info/*", "nvidia/*")
NEVER = ("torch/lib/libtorch_python.so", "torch/lib/libshm*", "*.a", "*.py", "*.pyi", "nvidia/*/include/*")
ONLY_WITH_CUDA = ("torch/lib/libtorch_cuda*.so",)


def wanted(name, cuda):
    def matches(patterns):
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
    return matches(WANTED) and not matches(NEVER) and (cuda or not matches(ONLY_WITH_CUDA))


def unpack(wheel_path, target, cuda):
    try:
        with zipfile.ZipFile(wheel_path) as archive:
            for member in archive.infolist():
                if member.is_dir() or not wanted(member.filename, cuda):
                    continue
                if ".." in pathlib.PurePosixPath(member.filename).parts or member.filename.startswith("/"):
                    raise FetchError("bad_wheel", f"{wheel_path.name} holds a path outside itself ({member.filename}).",
                                     "Do not use it; report this to Plumbline.")
                path = target / member.filename
                path.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as source, open(path, "wb") as out:
                    shutil.copyfileobj(source, out, 1 << 20)
    except (zipfile.BadZipFile, zlib.error) as error:
        raise FetchError("bad_wheel", f"{wheel_path.name} could not be unpacked ({error}).",
                         f"Delete {wheel_path} and run this again.") from error
    except OSError as error:
        raise disk_error(error, target) from error
