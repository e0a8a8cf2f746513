"""The folder of the user's cache that LibTorch lives in, and the lock that lets one process at a time change it."""
import contextlib
import fcntl
import os
import pathlib

from errors import disk_error


class Cache:
    def __init__(self, version):
        root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        self.root = pathlib.Path(root) / "plumbline"
        self.final = self.root / f"libtorch-{version}"
        self.downloads = self.root / "downloads"
        self.unpacking = self.root / f".libtorch-{version}.unpacking"
        self.replaced = self.root / f".libtorch-{version}.replaced"

    def whole(self, cuda):
        """Is LibTorch there? Its folder gets its name last, so a name means a whole folder."""
        return whole_folder(self.final, cuda)

    @contextlib.contextmanager
    def locked(self, waiting):
        """Held until the block ends, given back by the system if the process dies. waiting(pid) is called if another has it."""
        path = self.root / "fetch-libtorch.lock"
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            self.downloads.mkdir(exist_ok=True)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise disk_error(error, self.root) from error
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waiting(os.pread(handle, 32, 0).decode(errors="replace").strip() or "unknown")
                fcntl.flock(handle, fcntl.LOCK_EX)
            with contextlib.suppress(OSError):  # a full disk must not stop the sentence about it
                os.ftruncate(handle, 0)
                os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
            yield
        finally:
            os.close(handle)


def whole_folder(folder, cuda):
    library = folder / "torch" / "lib"
    needed = [library / "libtorch_cpu.so", library / "libc10.so"]
    if cuda:
        needed.append(library / "libtorch_cuda.so")
    return all(path.is_file() for path in needed)
