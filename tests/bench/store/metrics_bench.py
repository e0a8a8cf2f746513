#!/usr/bin/env python3
"""`plumbline metrics` of a run with a million values, process start included. Prints JSON.

    metrics_bench.py PLUMBLINE STORE_BENCH PROJECT [VALUES] [RUNS]
"""
import json, os, pathlib, shutil, statistics, subprocess, sys, tempfile, time


def main():
    program, writer, project = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    values = int(sys.argv[4]) if len(sys.argv) > 4 else 1_000_000
    runs = int(sys.argv[5]) if len(sys.argv) > 5 else 5
    result = {"values": values}
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / project.name
        shutil.copytree(project, copy, ignore=shutil.ignore_patterns("runs", "exports"))
        subprocess.run([writer, "--write", str(copy / "runs"), str(values)], stdout=subprocess.DEVNULL, check=True)
        for form in ("csv", "json"):
            output = pathlib.Path(folder) / form
            times, before = [], os.times()
            for _ in range(runs):
                start = time.monotonic()
                with open(output, "wb") as file:
                    subprocess.run([program, "metrics", str(copy), "latest", "--format", form], stdout=file, check=True)
                times.append(time.monotonic() - start)
            after = os.times()
            text = output.read_bytes()
            found = text.count(b"\n") - 1 if form == "csv" else sum(len(series["points"]) for series in json.loads(text)["series"])
            result[form] = {"median_seconds": statistics.median(times), "least_seconds": min(times), "bytes": len(text), "values_found": found,
                            "mean_cpu_seconds": (after.children_user + after.children_system - before.children_user - before.children_system) / runs}
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
