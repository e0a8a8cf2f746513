"""What is to be fetched: the wheels of one LibTorch version with their sizes and hashes (wheels.json)."""
import dataclasses
import json

from errors import FetchError


@dataclasses.dataclass(frozen=True)
class Wheel:
    name: str  # as the package index knows it
    version: str
    file: str
    size: int  # bytes
    sha256: str


@dataclasses.dataclass(frozen=True)
class Manifest:
    version: str
    wheels: tuple
    unpacked_bytes: int
    cuda: bool

    @property
    def download_bytes(self):
        return sum(wheel.size for wheel in self.wheels)


def read(path, cuda):
    """cuda: with the GPU libraries, which are four times the size."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        wheels = [Wheel(w["name"], w["version"], w["file"], w["bytes"], w["sha256"])
                  for w in document["wheels"] if cuda or w["for"] == "cpu"]
        return Manifest(document["version"], tuple(wheels), document["unpacked_bytes"]["cuda" if cuda else "cpu"], cuda)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FetchError("manifest", f"{path} is not a list of wheels ({error!r}).",
                         "Install Plumbline again: this file belongs to it.") from error
