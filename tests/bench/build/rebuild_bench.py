#!/usr/bin/env python3
"""How long the build takes after an edit of one engine source: the file gets a function more, all that depends on it is
built, and the file is put back. Prints JSON; processor seconds are those of all compilers and linkers together.

    rebuild_bench.py BUILD [RUNS]
"""
import json, os, pathlib, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCES = ("engine/graph/infer.cpp", "engine/train/training_loop.cpp")


def build(folder):
    """Wall and processor seconds, and how many steps it took."""
    # As ./test builds: paths count relative to the checkout.
    environment = {**os.environ, "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "true", "NINJA_STATUS": "[%t] "}
    before, start = os.times(), time.monotonic()
    done = subprocess.run(["ninja", "-C", str(folder), "-j", "2"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    wall, after = time.monotonic() - start, os.times()
    if done.returncode != 0:
        sys.exit(done.stdout[-2000:])
    steps = max((int(line[1:line.index("]")]) for line in done.stdout.splitlines() if line.startswith("[")), default=0)
    return wall, after.children_user + after.children_system - before.children_user - before.children_system, steps


def main():
    folder = pathlib.Path(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    build(folder)
    result = {"runs": runs}
    for source in SOURCES:
        file = ROOT / source
        text = file.read_text()
        measured = []
        try:
            for run in range(runs):
                # Of its own each time: what was compiled before is remembered.
                file.write_text(f"{text}\n[[gnu::used]] static int edited{time.time_ns()}() {{ return {run}; }}\n")
                measured.append(build(folder))
        finally:
            file.write_text(text)
            build(folder)
        result[source] = {"least_seconds": min(m[0] for m in measured), "least_cpu_seconds": min(m[1] for m in measured), "steps": measured[0][2]}
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
