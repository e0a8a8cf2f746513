"""The data that travels with the sample projects is what its README says it is.

argv[1] is the checkout; the rest goes to unittest.
"""
import collections
import csv
import gzip
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(sys.argv.pop(1))
PROJECTS = ROOT / "projects"


def read_idx(path):
    content = gzip.decompress(path.read_bytes())
    zero, kind, dimensions = struct.unpack(">HBB", content[:4])
    shape = struct.unpack(f">{dimensions}I", content[4:4 + 4 * dimensions])
    return zero, kind, shape, content[4 + 4 * dimensions:]


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return header, rows


def png_pixels(content):
    """The rows of one of draw_shapes.py's pictures, which are one IDAT chunk."""
    at = content.index(b"IDAT")
    length = struct.unpack(">I", content[at - 4:at])[0]
    return zlib.decompress(content[at + 4:at + 4 + length])


class SampleData(unittest.TestCase):
    def test_digits_are_1797_images_of_8x8(self):
        for project in ("digits-cnn", "digits-mlp"):
            with self.subTest(project=project):
                self.assertEqual(read_idx(PROJECTS / project / "data/images.idx.gz")[:3], (0, 8, (1797, 8, 8)))
                pixels = read_idx(PROJECTS / project / "data/images.idx.gz")[3]
                self.assertEqual((len(pixels), max(pixels)), (1797 * 64, 16))
                zero, kind, shape, labels = read_idx(PROJECTS / project / "data/labels.idx.gz")
                self.assertEqual((zero, kind, shape), (0, 8, (1797,)))
                self.assertEqual(set(labels), set(range(10)))
                self.assertLess(collections.Counter(labels).most_common(1)[0][1], 190)

    def test_mnist5k_holds_500_of_each_digit(self):
        self.assertEqual(read_idx(PROJECTS / "mnist5k-cnn/data/images.idx.gz")[:3], (0, 8, (5000, 28, 28)))
        self.assertEqual(max(read_idx(PROJECTS / "mnist5k-cnn/data/images.idx.gz")[3]), 255)
        labels = read_idx(PROJECTS / "mnist5k-cnn/data/labels.idx.gz")[3]
        self.assertEqual(collections.Counter(labels), {digit: 500 for digit in range(10)})

    def test_wine_has_178_rows_and_three_classes(self):
        header, rows = read_csv(PROJECTS / "wine/data/wine.csv")
        self.assertEqual((len(header), header[-1], len(rows)), (14, "class", 178))
        self.assertEqual(collections.Counter(row[-1] for row in rows), {"class_0": 59, "class_1": 71, "class_2": 48})
        self.assertTrue(all(float(value) >= 0 for row in rows for value in row[:-1]))

    def test_diabetes_is_as_measured_and_not_normalised(self):
        header, rows = read_csv(PROJECTS / "diabetes/data/diabetes.csv")
        self.assertEqual((header, len(rows)), (["age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6", "target"], 442))
        ages = [float(row[0]) for row in rows]
        self.assertTrue(18 < min(ages) < max(ages) < 90)
        self.assertEqual((min(float(row[-1]) for row in rows), max(float(row[-1]) for row in rows)), (25, 346))

    def test_shapes_are_what_the_script_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "tools" / "data" / "draw_shapes.py"
            copy.parent.mkdir(parents=True)
            copy.write_bytes((ROOT / "tools/data/draw_shapes.py").read_bytes())
            subprocess.run([sys.executable, "-B", str(copy)], check=True, capture_output=True)
            drawn = pathlib.Path(folder) / "projects/shapes/data"
            committed = PROJECTS / "shapes/data"
            pictures = sorted(path.relative_to(committed) for path in committed.rglob("*.png"))
            self.assertEqual(pictures, sorted(path.relative_to(drawn) for path in drawn.rglob("*.png")))
            self.assertEqual(collections.Counter(path.parts[0] for path in pictures),
                             {"circle": 60, "square": 60, "star": 60, "triangle": 60})
            for path in pictures:
                # Pixels rather than bytes: another zlib may compress them in another way.
                self.assertEqual(png_pixels((drawn / path).read_bytes()), png_pixels((committed / path).read_bytes()), path)

    def test_sums_are_what_the_script_writes(self):
        data = PROJECTS / "char-transformer/data"
        with tempfile.TemporaryDirectory() as folder:
            tools = pathlib.Path(folder) / "tools" / "data"
            tools.mkdir(parents=True)
            for script in ("write_sums.py", "idx.py"):
                (tools / script).write_bytes((ROOT / "tools/data" / script).read_bytes())
            written = pathlib.Path(folder) / "projects/char-transformer/data"
            written.mkdir(parents=True)
            subprocess.run([sys.executable, "-B", str(tools / "write_sums.py")], check=True, capture_output=True)
            for name in ("text.idx.gz", "next.idx.gz"):
                self.assertEqual(read_idx(written / name), read_idx(data / name), name)
            self.assertEqual((written / "characters.txt").read_bytes(), (data / "characters.txt").read_bytes())
        characters = (data / "characters.txt").read_text()[:-1]
        text, following = (read_idx(data / name)[3] for name in ("text.idx.gz", "next.idx.gz"))
        self.assertEqual((read_idx(data / "text.idx.gz")[2], len(characters)), ((2048, 64), 25))
        self.assertEqual(text[1:], following[:-1], "what follows a character is the next one")
        self.assertTrue("".join(characters[index] for index in text).startswith("after seventy-two comes seventy-three. "))

    def test_every_data_folder_names_its_source_and_licence(self):
        for project in ("char-transformer", "digits-cnn", "digits-mlp", "mnist5k-cnn", "wine", "diabetes", "shapes"):
            with self.subTest(project=project):
                text = (PROJECTS / project / "data/README.md").read_text()
                self.assertIn("Source: ", text)
                self.assertIn("Licence: ", text)
                self.assertIn("Made by: `tools/data/", text)
                if "`LICENSE.txt`" in text:
                    self.assertIn("Redistribution and use", (PROJECTS / project / "data/LICENSE.txt").read_text())


if __name__ == "__main__":
    unittest.main()
