#!/usr/bin/env python3
"""What ./run adds to the program when all is built: seconds of `./run --version` less those of the program itself. Prints JSON.

    second_start_bench.py RUN PLUMBLINE [RUNS]
"""
import json, statistics, subprocess, sys, time


def seconds(command):
    start = time.monotonic()
    subprocess.run([*command, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


def main():
    script, program = sys.argv[1:3]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    seconds([script])  # builds what has changed
    added = [seconds([script]) - seconds([program]) for _ in range(runs)]
    print(json.dumps({"runs": runs, "median_seconds_before_the_program": statistics.median(added), "least_seconds": min(added)}, indent=2))


if __name__ == "__main__":
    main()
