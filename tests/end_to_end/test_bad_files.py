"""Files that are wrong in every way a person or a disk can make them: one sentence, the right exit code, never a crash.
PLUMBLINE_LONG_TESTS=1 tries every value and region; otherwise a sample spread over all of them."""

import copy
import json
import pathlib
import random
import shutil
import struct
import unittest
import zlib

from support import EndToEnd, patient

DEEP = json.loads("[" * 60 + "]" * 60)
WRONG = [None, True, -1, 0, 2 ** 62, -(2 ** 63), 1e308, "", "x", "a" * 100_000, "\u0000", [], {}, [[1, 2], {"a": None}], DEEP,
         {"unknown": 1}, 0.5]


def places(value, path=()):
    """Every place of a document, leaves and inner ones."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, path + (key,))


def replaced(document, path, value):
    changed = copy.deepcopy(document)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


class BadProjectFiles(EndToEnd):
    def check(self, project, codes=(0, 3)):
        return self.assert_told(self.run_program("check", project, "--json"), codes)

    def test_every_value_of_a_project_replaced(self):
        project = self.sample("digits-cnn")
        whole = json.loads((project / "project.json").read_text())
        cases = [(path, value) for path in places(whole) if path for value in WRONG]
        if not patient():
            cases = random.Random(5).sample(cases, 90)
        trained = 0
        for path, value in cases:
            with self.subTest(path="/".join(map(str, path)), value=repr(value)[:60]):
                (project / "project.json").write_text(json.dumps(replaced(whole, path, value)))
                document = self.check(project)
                # What check lets through has to train, or to be refused by what only the run can know.
                if document.get("ok") and (patient() or trained < 4):
                    trained += 1
                    result = self.run_program("train", project, "--max-steps", 1, "--json")
                    told = self.assert_told(result, (0, 1, 3, 5))
                    self.assertNotEqual(told.get("error", {}).get("code"), "block-failed", told)

    def test_texts_that_are_no_project(self):
        project = self.sample("wine")
        file = project / "project.json"
        whole = file.read_text()
        for name, content in {
            "nothing": b"", "null": b"null", "a number": b"1", "NUL bytes": b"\0" * 5000, "NUL inside": whole.encode().replace(b"wine", b"wi\0ne"),
            "twice": whole.replace('"name"', '"name": "a", "name"', 1).encode(), "deep list": b"[" * 1_000_000,
            "deep object": b'{"a":' * 300_000, "bom": b"\xef\xbb\xbf" + whole.encode(), "utf-16": whole.encode("utf-16"),
            "latin-1": whole.replace("wine", "w\u00efne").encode("latin-1"), "lone surrogate": whole.replace('"wine"', '"\\ud800"', 1).encode(),
            "trailing": whole.encode() + b"{}", "comment": b"// x\n" + whole.encode(), "nan": whole.replace("1", "NaN", 1).encode(),
            "long number": whole.replace("1", "9" * 100_000, 1).encode(), "huge exponent": whole.replace("1", "1e99999", 1).encode(),
        }.items():
            with self.subTest(name):
                file.write_bytes(content)
                self.check(project)
        file.unlink()
        for name, make in {"a folder": file.mkdir, "a loop": lambda: file.symlink_to("project.json"),
                           "a pipe": lambda: __import__("os").mkfifo(file), "a device": lambda: file.symlink_to("/dev/zero")}.items():
            with self.subTest(name):
                make()
                self.check(project, (3,))
                file.rmdir() if name == "a folder" else file.unlink()
        with self.subTest("larger than any project"), open(file, "wb") as huge:
            huge.write(b'{"name": "' + b"x" * 100_000_000 + b'"}')
            huge.flush()
            self.check(project, (3,))
            huge.truncate(20_000_000_000)
            self.check(project, (3,))

    def test_layouts_that_are_none_do_not_matter(self):
        project = self.sample("wine")
        for content in (b"", b"null", b"[1]", b"{", b'{"model": 1, "": null}', b'{"graph": {"linear0": [1e400, "x"]}}', b"\xff" * 1000, b"[" * 100_000):
            with self.subTest(content[:20]):
                (project / "layout.json").write_bytes(content)
                self.assertTrue(self.check(project)["ok"])


class BadTables(EndToEnd):
    def told(self, project, codes, *arguments):
        return self.assert_told(self.run_program("data", project, *arguments, "--json"), codes)

    def test_tables(self):
        project = self.sample("wine")
        file = project / "data" / "wine.csv"
        header, *rows = file.read_text().splitlines()
        columns = header.split(",")

        def table(head, body, end="\n"):
            return (end.join([head, *body]) + end).encode()

        def cells(change):
            return [",".join(change(i, row.split(","))) for i, row in enumerate(rows)]

        good = {
            "byte order mark": b"\xef\xbb\xbf" + table(header, rows), "CRLF": table(header, rows, "\r\n"),
            "quotes": table(",".join(f'"{c}"' for c in columns), cells(lambda i, row: [f'"{c}"' for c in row])),
            "no newline at the end": table(header, rows)[:-1], "empty lines": table(header, rows, "\n\n"),
            "blanks around": table(header, [row.replace(",", " , ") for row in rows]),
        }
        bad = {
            "nan": table(header, cells(lambda i, row: ["nan"] + row[1:] if i == 7 else row)),
            "inf": table(header, cells(lambda i, row: ["inf"] + row[1:] if i == 7 else row)),
            "too large": table(header, cells(lambda i, row: ["1e999"] + row[1:] if i == 7 else row)),
            "an empty cell": table(header, cells(lambda i, row: [""] + row[1:] if i == 7 else row)),
            "a column without values": table(header, cells(lambda i, row: [""] + row[1:])),
            "an open quote": table(header, rows[:5] + ['"' + rows[5]] + rows[6:]),
            "a quote inside": table(header, rows[:5] + [rows[5].replace(",", ',a"b,', 1)] + rows[6:]),
            "only a header": table(header, []), "nothing": b"", "only newlines": b"\n\r\n\n",
            "one column": table(columns[0], [row.split(",")[0] for row in rows]),
            "a header twice": table(",".join([columns[1]] + columns[1:]), rows), "a header without a name": table("," + header, ["1," + r for r in rows]),
            "UTF-16": table(header, rows).decode().encode("utf-16"), "not UTF-8": table(header, rows).replace(columns[0].encode(), b"\xff\xfe\xfa", 1),
            "NUL bytes": b"\0" * 10_000, "random bytes": random.Random(1).randbytes(20_000),
            "a line without end": header.encode() + b"\n" + b"1" * 70_000_000, "many columns": b"a," * 2_000_000,
            "ragged": table(header, rows[:3] + [rows[3] + ",1"] + rows[4:]), "cut in the middle": table(header, rows)[: 4000 + rows[0].count(",")],
        }
        for name, content in good.items():
            with self.subTest(name):
                file.write_bytes(content)
                self.assertEqual(sum(self.told(project, (0,))["counts"].values()), len(rows))
        for name, content in bad.items():
            with self.subTest(name):
                file.write_bytes(content)
                self.told(project, (3,))
        with self.subTest("one row"):
            file.write_bytes(table(header, rows[:1]))
            # Not a mistake: it trains, and says that nothing is left to validate with.
            result = self.run_program("train", project, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("validation split is empty", result.stderr)
        file.unlink()
        for name, make in {"missing": lambda: None, "a folder": file.mkdir, "a loop": lambda: file.symlink_to(file.name),
                           "a pipe": lambda: __import__("os").mkfifo(file), "a device": lambda: file.symlink_to("/dev/zero")}.items():
            with self.subTest(name):
                make()
                self.told(project, (3,))
                if name != "missing":
                    file.rmdir() if name == "a folder" else file.unlink()

    def test_every_choice_for_missing_values_with_a_column_that_has_none(self):
        project = self.sample("wine")
        file = project / "data" / "wine.csv"
        lines = file.read_text().splitlines()
        file.write_text("\n".join([lines[0]] + ["," + line.split(",", 1)[1] for line in lines[1:]]) + "\n")
        for choice in ("mean", "median", "most_frequent", "drop_row", "error"):
            with self.subTest(choice):
                self.told(project, (3,), "--set", f"data.sources.wine.missing={choice}")

    def test_labels_out_of_range(self):
        """From the file to the loss: a class that the model has no output for is told before a step is made."""
        project = self.sample("wine")
        self.edit(project, lambda d: d["model"]["graph"]["nodes"]["output"]["params"].update(out_features=2))
        told = self.assert_told(self.run_program("train", project, "--json"), (3,))
        self.assertNotEqual(told["error"]["code"], "block-failed", told)
        project = self.sample("digits-mlp")
        labels = next((project / "data").glob("labels*"))
        import gzip
        content = bytearray(gzip.decompress(labels.read_bytes()) if labels.suffix == ".gz" else labels.read_bytes())
        content[-1] = 200
        labels.write_bytes(gzip.compress(bytes(content)) if labels.suffix == ".gz" else bytes(content))
        told = self.assert_told(self.run_program("train", project, "--json"), (3,))
        self.assertNotEqual(told["error"]["code"], "block-failed", told)


def png(width, height, depth=8, color=2, data=None):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    if data is None:
        data = zlib.compress((b"\0" + b"\x40" * (width * channels * depth // 8)) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


class BadImages(EndToEnd):
    def test_image_folders(self):
        project = self.sample("shapes")
        folder = next(f for f in sorted((project / "data").rglob("*")) if f.is_dir() and list(f.glob("*.png")))
        some = sorted(folder.glob("*.png"))[0]
        whole = some.read_bytes()
        size = struct.unpack(">II", whole[16:24])
        jpeg = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffdb0043000302020302020303030304030304050805050404050a070706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffc9000b080001000101011100ffcc000600101005ffda0008010100003f00d2cf20ffd9")
        good = {"as it was": whole, "16 bit": png(*size, depth=16), "with alpha": png(*size, color=6), "grey with alpha": png(*size, color=4)}
        bad = {"empty": b"", "text": b"not a picture at all", "one pixel": png(1, 1), "no pixels": png(0, 0), "another size": png(size[0] * 2, size[1]),
               "huge": png(2_000_000_000, 2_000_000_000, data=zlib.compress(b"")), "a bomb": png(60_000, 60_000, data=zlib.compress(b"\0" * 30_000_000)),
               "a short stream": png(*size, data=zlib.compress(b"\0" * 10)), "a jpeg by name of png, cut": jpeg[:60], "random": random.Random(3).randbytes(4000)}
        for length in range(0, len(whole), 1 if patient() else max(1, len(whole) // 25)):
            bad[f"cut at {length}"] = whole[:length]
        for at in range(8, len(whole), 1 if patient() else max(1, len(whole) // 25)):
            bad[f"changed at {at}"] = whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:]
        for name, content in {**good, **bad}.items():
            with self.subTest(name):
                some.write_bytes(content)
                # A changed byte may still be a picture (a text chunk, the end of the stream).
                codes = (0,) if name in good else (0, 3) if name.startswith(("changed", "cut")) else (3,)
                self.assert_told(self.run_program("data", project, "--json"), codes)
        some.unlink()
        for name, make in {"a loop": lambda: some.symlink_to(some.name), "a dangling link": lambda: some.symlink_to("nowhere.png"),
                           "a pipe": lambda: __import__("os").mkfifo(some), "a device": lambda: some.symlink_to("/dev/zero")}.items():
            with self.subTest(name):
                make()
                self.assert_told(self.run_program("data", project, "--json"), (3,))
                some.unlink()
        with self.subTest("a folder that leads back to itself"):
            some.write_bytes(whole)
            (folder / "again").symlink_to(folder)
            (folder.parent / "again").symlink_to(folder.parent)
            self.assert_told(self.run_program("data", project, "--json"), (0, 3))

    def test_idx_files(self):
        import gzip
        project = self.sample("digits-mlp")
        file = project / "data" / "images.idx.gz"
        packed = file.read_bytes()
        raw = gzip.decompress(packed)
        bad = {"wrong magic": b"\1" + raw[1:], "wrong type": raw[:2] + b"\x77" + raw[3:], "no dims": raw[:3] + b"\0" + raw[4:],
               "many dims": raw[:3] + b"\xff" + raw[4:], "too few values": raw[:-1], "too many values": raw + b"\0", "only a header": raw[:16],
               "absurd sizes": raw[:4] + b"\xff" * 12 + raw[16:], "one size too large": raw[:4] + struct.pack(">I", 1 << 31) + raw[8:],
               "no samples": raw[:4] + struct.pack(">I", 0) + raw[8:16]}
        for name, content in bad.items():
            for how in (lambda x: x, gzip.compress):
                with self.subTest(name, packed=how is gzip.compress):
                    file.write_bytes(how(content))
                    self.assert_told(self.run_program("data", project, "--json"), (3,))
        with self.subTest("a bomb"):
            bomb = zlib.compressobj(9, zlib.DEFLATED, 31)
            file.write_bytes(bomb.compress(raw[:16]) + b"".join(bomb.compress(b"\0" * (1 << 24)) for _ in range(6)) + bomb.flush())
            self.assert_told(self.run_program("data", project, "--json"), (3,))
        for length in range(0, len(packed), max(1, len(packed) // (400 if patient() else 12))):
            with self.subTest(cut=length):
                file.write_bytes(packed[:length])
                self.assert_told(self.run_program("data", project, "--json"), (3,))
        for at in range(10, len(packed), max(1, len(packed) // (400 if patient() else 12))):
            with self.subTest(changed=at):
                file.write_bytes(packed[:at] + bytes([packed[at] ^ 0x10]) + packed[at + 1:])
                self.assert_told(self.run_program("data", project, "--json"), (3,))


class DamagedRuns(EndToEnd):
    def test_checkpoints(self):
        """Resuming passes over damaged checkpoints and says so; what uses one checkpoint refuses it."""
        template = self.folder / "template"
        self.sample("wine").rename(template)
        self.edit(template, lambda d: d["training"]["checkpoints"].update(every={"count": 10, "unit": "step"}, keep_last=3)
                  if isinstance(d["training"].get("checkpoints", {}).get("every"), dict) else d["training"].setdefault("checkpoints", {}).update(keep_last=3))
        self.plumbline("train", template, "--max-steps", 40, "--run-name", "a")
        folder = next((template / "runs").glob("2*"))
        steps = sorted((folder / "checkpoints").glob("step-*.ckpt"))
        self.assertGreaterEqual(len(steps), 2)
        newest = steps[-1].read_bytes()
        project = self.folder / "wine"
        cases = [("cut", at) for at in range(0, len(newest), len(newest) // (200 if patient() else 4))]
        cases += [("changed", at) for at in range(0, len(newest), len(newest) // (200 if patient() else 6))]
        for what, at in cases:
            with self.subTest(what, at=at):
                shutil.rmtree(project, ignore_errors=True)
                shutil.copytree(template, project)
                target = project / steps[-1].relative_to(template)
                target.unlink()  # it may be one file with best.ckpt
                target.write_bytes(newest[:at] if what == "cut" else newest[:at] + bytes([newest[at] ^ 0x21]) + newest[at + 1:])
                events = self.folder / "events.jsonl"
                result = self.run_program("resume", project, "a", "--max-steps", 60, "--json", "--events", events)
                self.assertEqual(self.assert_told(result, (0,))["steps"]["attempted"], 60)
                self.assertIn("Passed over", events.read_text())
                events.unlink()
        for file in (project / "runs").glob("2*/checkpoints/*"):
            file.write_bytes(b"PLBLCKP1" + b"\xff" * 400)
        for command in (["resume", project, "a"], ["evaluate", project, "a"], ["predict", project, "a", "test:0"],
                        ["export", project, "a", "--format", "state-dict", "--out", self.folder / "out"]):
            with self.subTest(command[0]):
                self.assert_told(self.run_program(*command, "--json"), (3,))
        self.assertFalse((self.folder / "out").exists())

    def test_stores(self):
        """Bytes changed or cut anywhere: each command tells, and another run is not touched."""
        project = self.sample("wine")
        for name in ("a", "b"):
            self.plumbline("train", project, "--max-steps", 12, "--run-name", name)
        runs = {run["name"]: pathlib.Path(run["folder"]) for run in self.plumbline("runs", project)["runs"]}
        file = runs["a"] / "run.sqlite"
        whole = file.read_bytes()
        chance = random.Random(11)
        for n in range(150 if patient() else 5):
            content = bytearray(whole)
            for _ in range(chance.randint(1, 40)):
                content[chance.randrange(len(content))] = chance.randrange(256)
            if n % 3 == 0:
                del content[chance.randrange(len(content)):]
            with self.subTest(n=n):
                file.write_bytes(content)
                listed = self.assert_told(self.run_program("runs", project, "--json"), (0,))["runs"]
                self.assertEqual(len(listed), 2)
                self.assertEqual([run["status"] for run in listed if run["folder"] == str(runs["b"])], ["stopped"])
                for command in (["findings", project, runs["a"].name], ["compare", project, runs["a"].name, "b"], ["resume", project, runs["a"].name]):
                    self.assert_told(self.run_program(*command, "--json"), (0, 1, 3, 5))
                rows = self.run_program("metrics", project, runs["a"].name)
                self.assertIn(rows.returncode, (0, 3), rows.stderr)


if __name__ == "__main__":
    unittest.main()
