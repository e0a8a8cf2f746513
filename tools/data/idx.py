"""Writes arrays of bytes as IDX files, gzip-compressed, the same bytes every time."""
import gzip
import struct


def write_idx_gz(path, data, shape):
    """data: bytes in C order; shape: its dimensions. Type 0x08 is unsigned byte."""
    expected = 1
    for size in shape:
        expected *= size
    if len(data) != expected:
        raise ValueError(f"{path}: {len(data)} bytes do not fill the shape {shape}")
    header = struct.pack(">BBBB", 0, 0, 0x08, len(shape)) + struct.pack(f">{len(shape)}I", *shape)
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as raw:
        # No name and no time in the header: the file depends on the data alone.
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=9, mtime=0) as out:
            out.write(header + data)
    print(f"{path}  {'x'.join(map(str, shape))}  {path.stat().st_size} bytes")
