#!/usr/bin/env python3
"""The allocator settings' effect on step time and peak memory: processes with and without them by turns. Prints JSON.

    allocator_bench.py ALLOCATOR_BENCH [ROUNDS]
"""
import json, statistics, subprocess, sys


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    found = {"with": [], "without": []}
    for _ in range(rounds):
        for mode in found:
            found[mode].append(json.loads(subprocess.run([program, mode], stdout=subprocess.PIPE, check=True).stdout))
    result = {mode: {key: statistics.median(run[key] for run in runs) for key in runs[0] if key != "settings"} for mode, runs in found.items()}
    for key in ("median_step_ms", "median_step_cpu_ms", "peak_resident_bytes"):
        result[f"ratio_of_{key}"] = result["with"][key] / result["without"][key]
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
