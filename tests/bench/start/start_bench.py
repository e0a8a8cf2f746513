#!/usr/bin/env python3
"""Start to first window: from the start of the process to the first frame. Prints JSON.

    start_bench.py PLUMBLINE-GUI [PROJECT] [RUNS]
"""
import json, os, statistics, subprocess, sys, tempfile, time


def first_paint_ms(command, environment):
    start = time.monotonic_ns()
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60, check=True)
    return (json.loads(done.stdout)["first_paint_ns"] - start) / 1e6


def measure(command, runs):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        environment = dict(os.environ, XDG_CONFIG_HOME=home, XDG_DATA_HOME=home, XDG_RUNTIME_DIR=home)
        if "DISPLAY" not in environment:
            environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        cold = first_paint_ms(command, environment)
        before = os.times()
        times = [first_paint_ms(command, environment) for _ in range(runs)]
        after = os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return {"runs": runs, "first_run_ms": cold, "median_ms": statistics.median(times), "least_ms": min(times),
            "mean_cpu_ms_of_the_whole_program": 1000 * processor / runs}


def main():
    program = sys.argv[1]
    project = sys.argv[2] if len(sys.argv) > 2 else ""
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 15
    result = {"platform": "xcb" if "DISPLAY" in os.environ else "offscreen", "welcome": measure([program, "--first-paint"], runs)}
    if project:
        result["with_project"] = measure([program, "--first-paint", project], runs)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
