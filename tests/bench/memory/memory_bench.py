#!/usr/bin/env python3
"""What a run holds in memory, against what it has to hold. Prints JSON.

    memory_bench.py PLUMBLINE

Trains the same model on a small and on a large data set (IDX bytes, then a CSV table). What the large one takes more,
divided by the bytes that the samples have in memory, is the number of copies of the data: 1 is right.
"""
import json, os, pathlib, random, struct, subprocess, sys, tempfile

STEPS = 100
BATCH = 64


def project(source, inputs, features, classes):
    return {
        "schema_version": 1, "name": "memory", "description": "",
        "model": {"definitions": {}, "graph": {
            "inputs": {"x": {"shape": ["B"] + features, "dtype": "float32"}},
            "nodes": {"flatten": {"type": "Flatten", "from": "x"},
                      "fc1": {"type": "Linear", "from": "flatten", "params": {"out_features": 256}},
                      "relu": {"type": "ReLU", "from": "fc1"},
                      "fc2": {"type": "Linear", "from": "relu", "params": {"out_features": classes}}},
            "outputs": {"logits": "fc2"}}},
        "data": {"sources": {"d": source}, "inputs": {"x": inputs}, "targets": {"label": {"from": "d.label"}},
                 "splits": {"train": 0.9, "validation": 0.1, "test": 0.0, "seed": 0},
                 "loader": {"batch_size": BATCH, "workers": 1, "prefetch_batches": 4, "shuffle": True}},
        "training": {"seed": 0, "device": "cpu", "threads": 1, "stop": {"epochs": 1000},
                     "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}],
                     "optimizer": {"type": "AdamW", "lr": 0.001}},
    }


def write_idx(folder, samples):
    noise = random.Random(0).randbytes(784 * 1000)
    with open(folder / "images.idx", "wb") as images:
        images.write(struct.pack(">IIII", 0x803, samples, 28, 28))
        for _ in range(samples // 1000):
            images.write(noise)
    with open(folder / "labels.idx", "wb") as labels:
        labels.write(struct.pack(">II", 0x801, samples) + bytes(i % 10 for i in range(samples)))
    source = {"type": "idx", "images": "images.idx", "labels": "labels.idx"}
    inputs = {"from": "d.image", "transforms": [{"type": "scale", "by": 0.00390625}]}
    return project(source, inputs, [1, 28, 28], 10), samples * 785


def write_csv(folder, samples, columns=20):
    draw = random.Random(0)
    rows = ["".join(f"{draw.gauss(0, 1):.5f}," for _ in range(columns)) for _ in range(1000)]
    with open(folder / "table.csv", "w") as table:
        table.write("".join(f"c{i}," for i in range(columns)) + "label\n")
        for i in range(samples):
            table.write(f"{rows[i % 1000]}{'abc'[i % 3]}\n")
    source = {"type": "csv", "path": "table.csv"}
    inputs = {"from": [f"d.c{i}" for i in range(columns)], "transforms": [{"type": "normalize", "statistics": "train"}]}
    # Numbers are kept as float64, so that nothing a table says is lost; a class is a 32-bit index.
    return project(source, inputs, [columns], 3), samples * (8 * columns + 4)


def run(program, make, samples):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        description, data_bytes = make(folder, samples)
        (folder / "project.json").write_text(json.dumps(description))
        child = subprocess.Popen([program, "train", str(folder), "--json", "--max-steps", str(STEPS)], stdout=subprocess.PIPE)
        output = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        answer = json.loads(output)
        if status != 0:
            sys.exit(f"plumbline failed: {output.decode()}")
    return {"samples": samples, "data_bytes": data_bytes, "peak_resident_bytes": usage.ru_maxrss * 1024,
            "peak_tensor_bytes": answer["peak_memory_bytes"], "memory": answer.get("memory")}


def measure(program, make, small, large):
    first, second = run(program, make, small), run(program, make, large)
    more = second["data_bytes"] - first["data_bytes"]
    parts = second.pop("memory")
    first.pop("memory")
    expected = sum(part["peak"] for name, part in parts.items() if name != "prefetch")
    return {"small": first, "large": second,
            "copies_of_the_data": (second["peak_resident_bytes"] - first["peak_resident_bytes"]) / more,
            "tensors_grow_by": second["peak_tensor_bytes"] - first["peak_tensor_bytes"],
            "peak_bytes_of_parts": {name: part["peak"] for name, part in parts.items()},
            "sum_of_tensor_parts": expected}


def main():
    program = sys.argv[1]
    print(json.dumps({"idx": measure(program, write_idx, 20_000, 300_000), "csv": measure(program, write_csv, 20_000, 500_000)}, indent=2))


if __name__ == "__main__":
    main()
