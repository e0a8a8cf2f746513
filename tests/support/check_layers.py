#!/usr/bin/env python3
"""Reads every #include and fails when a module uses one that lies above it: check_layers.py SOURCE_DIR.

The table is the one of ARCHITECTURE.md. A module may include itself, what it may use, and what those may use."""

import pathlib
import re
import sys

MAY_USE = {
    "core": [],
    "graph": ["core"],
    "blocks": ["graph"],
    "data": ["core"],
    "plan": ["core"],
    "diagnostics": ["graph"],
    "project": ["graph", "data", "plan", "diagnostics"],
    "store": ["diagnostics"],
    "codegen": ["project", "blocks"],
    "session": ["project", "diagnostics", "store"],
    "sweep": ["store"],
    "cuda": ["core"],
    "model": ["blocks", "cuda"],
    "compile": ["model", "codegen"],
    "monitor": ["diagnostics", "cuda"],
    "train": ["model", "monitor", "data", "plan", "session"],
    "export": ["model", "compile", "train", "codegen", "session", "data"],
    "runtime": ["compile", "export"],
    "cli": ["session", "sweep", "project", "blocks", "store", "diagnostics", "data", "plan"],
}
TORCH = {"model", "compile", "monitor", "train", "export", "runtime", "cuda"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]')
QT = re.compile(r"^(Q[A-Z]\w*|Qt\w+/.*|qcustomplot\.h)$")
TORCH_HEADER = re.compile(r"^(torch|ATen|c10|caffe2)/")


def closure(module):
    seen, todo = set(), [module]
    while todo:
        for used in MAY_USE[todo.pop()]:
            if used not in seen:
                seen.add(used)
                todo.append(used)
    return seen | {module}


def main(root):
    problems = []
    allowed = {module: closure(module) for module in MAY_USE}
    for top in ("engine", "widgets", "gui"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in {".h", ".cpp", ".cu"}:
                continue
            module = file.relative_to(root / top).parts[0] if top == "engine" else top
            if top == "engine" and module not in MAY_USE:
                problems.append(f"{file}: the folder {module} is in no layer")
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                header = match.group(1)
                first = header.split("/")[0]
                where = f"{file.relative_to(root)}:{number}: {header}"
                if top == "engine":
                    if QT.match(header) or first in {"widgets", "gui"}:
                        problems.append(f"{where}: the engine knows no Qt")
                    if TORCH_HEADER.match(header) and module not in TORCH:
                        problems.append(f"{where}: {module} is built without LibTorch")
                    if first in MAY_USE and "/" in header and first not in allowed[module]:
                        problems.append(f"{where}: {module} may not use {first}")
                else:
                    if TORCH_HEADER.match(header):
                        problems.append(f"{where}: neither widgets nor gui see LibTorch")
                    if top == "widgets" and "/" in header and (first in MAY_USE or first in {"gui", "engine"}):
                        problems.append(f"{where}: widgets know nothing of the engine")
                    if top == "gui" and first in TORCH and "/" in header:
                        problems.append(f"{where}: the window reaches LibTorch through session/ alone")
    for problem in problems:
        print(problem)
    print(f"{len(problems)} includes break the layers")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
