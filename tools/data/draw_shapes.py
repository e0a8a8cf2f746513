#!/usr/bin/env python3
"""Draws the image folder of the project shapes: 4 classes x 60 colour pictures of 32x32 pixels, the same every time.

Needs: nothing but Python's standard library
"""
import colorsys
import math
import pathlib
import random
import struct
import zlib

TARGET = pathlib.Path(__file__).resolve().parents[2] / "projects" / "shapes" / "data"
SIZE = 32
A_CLASS = 60
SUBSAMPLES = 3  # a pixel's colour is the mean of 3x3 points: edges without stairs


def polygon(corners, outer, inner, turn):
    """Corners on alternating radii around the origin; outer == inner gives a regular polygon."""
    radii = [outer, inner] if inner != outer else [outer]
    count = corners * len(radii)
    return [(radii[i % len(radii)] * math.cos(turn + 2 * math.pi * i / count),
             radii[i % len(radii)] * math.sin(turn + 2 * math.pi * i / count)) for i in range(count)]


def inside_polygon(points, x, y):
    inside = False
    for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1]):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def outline(name, rng):
    """A function that says whether a point relative to the shape's centre lies inside."""
    radius = rng.uniform(7.0, 12.0)
    turn = rng.uniform(0.0, 2 * math.pi)
    if name == "circle":
        return lambda x, y: x * x + y * y <= radius * radius
    points = {
        "square": lambda: polygon(4, radius, radius, turn),
        "triangle": lambda: polygon(3, radius * 1.15, radius * 1.15, turn),
        "star": lambda: polygon(5, radius * 1.15, radius * 0.5, turn),
    }[name]()
    return lambda x, y: inside_polygon(points, x, y)


def colours(rng):
    """Two colours that differ clearly in brightness."""
    hue = rng.random()
    dark = colorsys.hsv_to_rgb(hue, rng.uniform(0.3, 0.9), rng.uniform(0.15, 0.4))
    light = colorsys.hsv_to_rgb((hue + rng.uniform(0.2, 0.8)) % 1.0, rng.uniform(0.1, 0.5), rng.uniform(0.75, 1.0))
    return (dark, light) if rng.random() < 0.5 else (light, dark)


def draw(name, rng):
    """Rows of RGB bytes."""
    shape, ground = colours(rng)
    contains = outline(name, rng)
    centre_x = SIZE / 2 + rng.uniform(-3.0, 3.0)
    centre_y = SIZE / 2 + rng.uniform(-3.0, 3.0)
    rows = []
    for row in range(SIZE):
        line = bytearray()
        for column in range(SIZE):
            hits = 0
            for i in range(SUBSAMPLES):
                for j in range(SUBSAMPLES):
                    x = column + (i + 0.5) / SUBSAMPLES - centre_x
                    y = row + (j + 0.5) / SUBSAMPLES - centre_y
                    hits += contains(x, y)
            cover = hits / SUBSAMPLES ** 2
            noise = rng.uniform(-0.06, 0.06)
            for channel in range(3):
                value = cover * shape[channel] + (1 - cover) * ground[channel] + noise
                line.append(max(0, min(255, round(value * 255))))
        rows.append(bytes(line))
    return rows


def png(rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 2, 0, 0, 0)  # 8 bits, RGB
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


total = 0
for name in ("circle", "square", "star", "triangle"):
    folder = TARGET / name
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(A_CLASS):
        picture = png(draw(name, random.Random(f"{name}/{number}")))
        (folder / f"{name}-{number:02d}.png").write_bytes(picture)
        total += len(picture)
print(f"{TARGET}  {4 * A_CLASS} pictures  {total} bytes")
