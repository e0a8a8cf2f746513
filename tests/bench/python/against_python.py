#!/usr/bin/env python3
"""A training step of the application, all monitors on, against a loop in Python on the same LibTorch, one thread, loading of the data
included; the two by turns. Prints JSON; where Python has no torch it says so and ends.

    against_python.py PLUMBLINE [ROUNDS [STEPS]] [--only mlp|cnn|resnet14|transformer]

Python's loop is what one writes: DataLoader over tensors in memory, CrossEntropyLoss, AdamW, zero_grad. "listed" adds what the application
always keeps: the loss, the norm of the gradients and the rate of every step, in a list. "logged" writes them by TensorBoard's SummaryWriter
and "lightning" by Lightning's TensorBoardLogger, where Python has these. `ratio` is Python's time over the application's: the median over the
rounds, and `lower_95`, the lower 95 % bound of that median (4,000 resamples).
"""
import argparse
import json
import logging
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

try:
    import torch
except ImportError as error:
    print(json.dumps({"skipped": f"Python has no torch: {error}"}))
    sys.exit(0)

from torch import nn

try:
    from torch.utils.tensorboard import SummaryWriter
except ImportError:
    SummaryWriter = None
try:
    import lightning
    from lightning.pytorch.loggers import TensorBoardLogger
except ImportError:
    lightning = None

SAMPLES, BATCH = 4096, 64
ROOT = pathlib.Path(__file__).resolve().parents[3]


# ---- The models, once as PyTorch and once as a project ----------------------------------------------------------------------------------

def mlp():
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10))


def cnn():
    return nn.Sequential(nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.25), nn.Flatten(),
                         nn.Linear(9216, 128), nn.ReLU(), nn.Dropout(0.5), nn.Linear(128, 10))


class BasicBlock(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.shortcut = nn.Identity() if stride == 1 and inputs == outputs else nn.Sequential(
            nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return torch.relu(self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x))))) + self.shortcut(x))


def resnet14():
    layers, width = [nn.Conv2d(3, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU()], 16
    for stage, outputs in enumerate((16, 32, 64)):
        for block in range(2):
            layers.append(BasicBlock(width, outputs, 2 if stage > 0 and block == 0 else 1))
            width = outputs
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


class CharTransformer(nn.Module):
    def __init__(self, vocabulary, width=128, context=64):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(context, width)
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(width, 4, 4 * width, 0.1, activation="gelu", batch_first=True, norm_first=True) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary)
        self.register_buffer("mask", nn.Transformer.generate_square_subsequent_mask(context))

    def forward(self, x):
        x = self.tokens(x) + self.places.weight
        for layer in self.layers:
            x = layer(x, src_mask=self.mask, is_causal=True)
        return self.head(self.norm(x)).transpose(1, 2)


def node(kind, source, **params):
    return {"type": kind, "from": source, **({"params": params} if params else {})}


def mlp_nodes():
    return {"flatten": node("Flatten", "image"), "fc1": node("Linear", "flatten", out_features=128), "relu1": node("ReLU", "fc1"),
            "fc2": node("Linear", "relu1", out_features=64), "relu2": node("ReLU", "fc2"), "fc3": node("Linear", "relu2", out_features=10)}, "fc3"


def cnn_nodes():
    return {"conv1": node("Conv2d", "image", out_channels=32, kernel_size=3), "relu1": node("ReLU", "conv1"),
            "conv2": node("Conv2d", "relu1", out_channels=64, kernel_size=3), "relu2": node("ReLU", "conv2"), "pool": node("MaxPool2d", "relu2", kernel_size=2),
            "drop1": node("Dropout", "pool", p=0.25), "flatten": node("Flatten", "drop1"), "fc1": node("Linear", "flatten", out_features=128),
            "relu3": node("ReLU", "fc1"), "drop2": node("Dropout", "relu3", p=0.5), "fc2": node("Linear", "drop2", out_features=10)}, "fc2"


def resnet_nodes():
    nodes = {"conv": node("Conv2d", "image", out_channels=16, kernel_size=3, padding=1, bias=False), "bn": node("BatchNorm2d", "conv"), "relu": node("ReLU", "bn")}
    last, width = "relu", 16
    for stage, outputs in enumerate((16, 32, 64)):
        for block in range(2):
            stride, p = 2 if stage > 0 and block == 0 else 1, f"s{stage}b{block}_"
            nodes.update({
                p + "conv1": node("Conv2d", last, out_channels=outputs, kernel_size=3, stride=stride, padding=1, bias=False), p + "bn1": node("BatchNorm2d", p + "conv1"),
                p + "relu1": node("ReLU", p + "bn1"), p + "conv2": node("Conv2d", p + "relu1", out_channels=outputs, kernel_size=3, padding=1, bias=False),
                p + "bn2": node("BatchNorm2d", p + "conv2")})
            shortcut = last
            if stride != 1 or width != outputs:
                nodes.update({p + "down": node("Conv2d", last, out_channels=outputs, kernel_size=1, stride=stride, bias=False), p + "down_bn": node("BatchNorm2d", p + "down")})
                shortcut = p + "down_bn"
            nodes.update({p + "add": node("Add", [p + "bn2", shortcut]), p + "relu2": node("ReLU", p + "add")})
            last, width = p + "relu2", outputs
    nodes.update({"average": node("AdaptiveAvgPool2d", last, output_size=1), "flatten": node("Flatten", "average"), "fc": node("Linear", "flatten", out_features=10)})
    return nodes, "fc"


def image_project(nodes, channels, size):
    nodes, output = nodes
    return {
        "schema_version": 1, "name": "bench", "description": "",
        "model": {"definitions": {}, "graph": {"inputs": {"image": {"shape": ["B", channels, size, size], "dtype": "float32"}}, "nodes": nodes, "outputs": {"logits": output}}},
        "data": {"sources": {"g": {"type": "generated", "kind": "images", "samples": SAMPLES, "channels": channels, "size": size, "classes": 10, "seed": 0}},
                 "inputs": {"image": {"from": "g.image"}}, "targets": {"label": {"from": "g.label"}}, "splits": {"train": 1.0, "validation": 0.0, "test": 0.0, "seed": 0},
                 "loader": {"batch_size": BATCH, "workers": 0, "shuffle": True, "drop_last": True}},
        "training": {"seed": 0, "device": "cpu", "threads": 1, "stop": {"epochs": 100000}, "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}],
                     "optimizer": {"type": "AdamW", "lr": 0.001}, "checkpoints": {"every": 1000000, "unit": "step"}}}


def image_data(channels, size):
    return torch.utils.data.TensorDataset(torch.rand(SAMPLES, channels, size, size), torch.randint(10, (SAMPLES,)))


def transformer_project(folder):
    """The sample, at the batch of the others and without its validation."""
    import shutil
    shutil.copytree(ROOT / "projects" / "char-transformer", folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("runs", "exports"))
    project = json.loads((folder / "project.json").read_text())
    project["data"]["splits"] = {"train": 1.0, "validation": 0.0, "test": 0.0, "seed": 0}
    project["data"]["loader"] = {"batch_size": BATCH, "workers": 0, "shuffle": True, "drop_last": True}
    training = project["training"]
    project["training"] = {"seed": 0, "device": "cpu", "threads": 1, "stop": {"epochs": 100000}, "losses": training["losses"], "optimizer": {"type": "AdamW", "lr": 0.001},
                           "checkpoints": {"every": 1000000, "unit": "step"}}
    return project


MODELS = {
    "mlp": (mlp, lambda folder: image_project(mlp_nodes(), 1, 8), lambda: image_data(1, 8), 1000),
    "cnn": (cnn, lambda folder: image_project(cnn_nodes(), 1, 28), lambda: image_data(1, 28), 30),
    "resnet14": (resnet14, lambda folder: image_project(resnet_nodes(), 3, 32), lambda: image_data(3, 32), 10),
    "transformer": (lambda: CharTransformer(25), transformer_project,
                    lambda: torch.utils.data.TensorDataset(torch.randint(25, (SAMPLES, 64)), torch.randint(25, (SAMPLES, 64))), 12),
}


# ---- Measuring --------------------------------------------------------------------------------------------------------------------------

class PythonLoop:
    """`log` is told loss, norm and rate of each step, as functions that give them; None: nothing is."""

    def __init__(self, model, data, log=None):
        torch.manual_seed(0)
        self.model, self.log, self.steps = model(), log, 0
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.loader = torch.utils.data.DataLoader(data, batch_size=BATCH, shuffle=True, drop_last=True)
        self.batches = iter(self.loader)
        self.loss = nn.CrossEntropyLoss()
        self.model.train()

    def next_batch(self):
        try:
            return next(self.batches)
        except StopIteration:
            self.batches = iter(self.loader)
            return next(self.batches)

    def run(self, steps):
        """Milliseconds a step."""
        start = time.perf_counter()
        for _ in range(steps):
            x, y = self.next_batch()
            self.optimizer.zero_grad()
            loss = self.loss(self.model(x), y)
            loss.backward()
            if self.log:
                norm = torch.nn.utils.get_total_norm([p.grad for p in self.model.parameters()])
                self.log(self.steps, loss.item(), norm.item(), self.optimizer.param_groups[0]["lr"])
            self.optimizer.step()
            self.steps += 1
        return 1000 * (time.perf_counter() - start) / steps


class TensorBoard:
    def __init__(self, folder):
        self.writer = SummaryWriter(folder)

    def __call__(self, step, loss, norm, rate):
        self.writer.add_scalar("loss", loss, step)
        self.writer.add_scalar("grad_norm", norm, step)
        self.writer.add_scalar("lr", rate, step)


def lightning_loop(model, data, folder):
    """A loop by Lightning, as PythonLoop has it: run(steps) gives milliseconds a step, those at its start left out."""
    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.model, self.loss, self.ends = model(), nn.CrossEntropyLoss(), []

        def training_step(self, batch, _):
            loss = self.loss(self.model(batch[0]), batch[1])
            self.log("loss", loss)
            return loss

        def on_before_optimizer_step(self, optimizer):
            self.log("grad_norm", torch.nn.utils.get_total_norm([p.grad for p in self.parameters()]))
            self.log("lr", optimizer.param_groups[0]["lr"])

        def on_train_batch_end(self, *_):
            self.ends.append(time.perf_counter())

        def configure_optimizers(self):
            return torch.optim.AdamW(self.parameters(), lr=1e-3)

    class Loop:
        def run(self, steps):
            warm = max(5, steps // 4)
            module = Module()
            trainer = lightning.Trainer(accelerator="cpu", max_steps=steps + warm, max_epochs=-1, logger=TensorBoardLogger(folder), log_every_n_steps=1, enable_checkpointing=False,
                                        enable_progress_bar=False, enable_model_summary=False, barebones=False)
            trainer.fit(module, torch.utils.data.DataLoader(data, batch_size=BATCH, shuffle=True, drop_last=True))
            return 1000 * (module.ends[-1] - module.ends[warm - 1]) / (len(module.ends) - warm)

    return Loop()


def application(program, project, steps):
    """Milliseconds a step: the mean of its own series over the last steps of a new process, as Python's are those of a loop that has been going."""
    warm = max(5, steps)
    done = subprocess.run([program, "train", str(project), "--json", "--max-steps", str(steps + warm)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(json.dumps({"error": (done.stdout + done.stderr)[-2000:]}))
    summary = json.loads(done.stdout)
    table = subprocess.run([program, "metrics", str(project), summary["run"], "--series", "step.ms"], capture_output=True, text=True, check=True).stdout
    values = [float(line.split(",")[4]) for line in table.splitlines()[1:]][warm:]
    return sum(values) / len(values)


def lower_bound(values):
    draw = random.Random(5)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(4000))
    return medians[int(0.05 * len(medians))]


def compare(program, name, rounds, steps):
    model, project_of, data_of, usual = MODELS[name]
    steps = steps or usual
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as temporary:
        folder = pathlib.Path(temporary)
        (folder / "project.json").write_text(json.dumps(project_of(folder)))
        data = data_of()
        listed = []
        loops = {"plain": PythonLoop(model, data), "listed": PythonLoop(model, data, lambda *values: listed.append(values))}
        if SummaryWriter is not None:
            loops["logged"] = PythonLoop(model, data, TensorBoard(folder / "tensorboard"))
        if lightning is not None and name == "mlp":
            loops["lightning"] = lightning_loop(model, data, folder / "lightning")
        for loop in loops.values():
            loop.run(3)
        application(program, folder, 3)
        times = {kind: [] for kind in ("application", *loops)}
        for _ in range(rounds):
            times["application"].append(application(program, folder, steps))
            for kind, loop in loops.items():
                times[kind].append(loop.run(steps))
    result = {"rounds": rounds, "steps": steps, "application_ms": statistics.median(times["application"])}
    for kind in loops:
        ratios = [python / own for python, own in zip(times[kind], times["application"])]
        result[kind] = {"python_ms": statistics.median(times[kind]), "ratio": statistics.median(ratios), "lower_95": lower_bound(ratios)}
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("rounds", nargs="?", type=int, default=9)
    parser.add_argument("steps", nargs="?", type=int, default=0)
    parser.add_argument("--only", choices=MODELS)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore")
    result = {"torch": torch.__version__, "threads": 1}
    for name in [arguments.only] if arguments.only else MODELS:
        result[name] = compare(arguments.program, name, arguments.rounds, arguments.steps)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
