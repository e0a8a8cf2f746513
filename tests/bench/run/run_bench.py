#!/usr/bin/env python3
"""The whole of `plumbline train PROJECT`, process start included. Prints JSON.

    run_bench.py PLUMBLINE PROJECT [EPOCHS] [RUNS]
"""
import json, os, pathlib, resource, shutil, statistics, subprocess, sys, tempfile, time


def main():
    program, project = sys.argv[1], pathlib.Path(sys.argv[2])
    epochs = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 7
    wall, summary = [], {}
    before = os.times()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / project.name
        shutil.copytree(project, copy, ignore=shutil.ignore_patterns("runs", "exports"))
        for _ in range(runs + 1):  # the first one warms the caches
            start = time.monotonic()
            done = subprocess.run([program, "train", str(copy), "--json", "--set", f"training.stop.epochs={epochs}"], stdout=subprocess.PIPE, check=True)
            wall.append(time.monotonic() - start)
            summary = json.loads(done.stdout)
    after = os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    print(json.dumps({"project": project.name, "epochs": summary["epochs"], "runs": runs, "first_run_seconds": wall[0],
                      "median_seconds": statistics.median(wall[1:]), "least_seconds": min(wall[1:]),
                      "mean_cpu_seconds": processor / (runs + 1), "training_seconds": summary["seconds"],
                      "peak_resident_bytes": 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}, indent=2))


if __name__ == "__main__":
    main()
