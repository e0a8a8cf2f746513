"""Every command once, and what its JSON holds at least."""

import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import unittest

from support import PROGRAM, SOURCE, EndToEnd
from terminal import on_a_terminal


class CommandLine(EndToEnd):
    def test_lists_say_what_there_is(self):
        blocks = self.plumbline("blocks")["blocks"]
        for name in ("Conv2d", "LSTM", "BatchNorm2d", "Concat", "Detach"):
            self.assertIn(name, [block["type"] for block in blocks])
        detectors = [detector["id"] for detector in self.plumbline("detectors")["detectors"]]
        self.assertEqual(len(detectors), 11)
        # Those that are named, in that order, with what belongs to them; a person reads the same.
        named = self.plumbline("blocks", "LSTM", "Conv2d")["blocks"]
        self.assertEqual([block["type"] for block in named], ["LSTM", "Conv2d"])
        told = self.run_program("blocks", "Conv2d").stdout
        for parameter in named[1]["parameters"]:
            self.assertRegex(told, rf"(?m)^{parameter['path']} .*{re.escape(parameter['help'])}$")
        told = self.run_program("detectors", "loader-stall").stdout
        for threshold in self.plumbline("detectors", "loader-stall")["detectors"][0]["thresholds"]:
            self.assertRegex(told, rf"(?m)^{threshold['path'].rsplit('.', 1)[1]} .*{re.escape(threshold['help'])}$")
        self.refused("blocks", "Conv2D", code=2, error="unknown-block", says="Conv2d")
        self.refused("detectors", "loader", code=2, error="unknown-detector", says="loader-stall")
        under = [setting["path"] for setting in self.plumbline("settings", "training.optimizer")["settings"]]
        self.assertIn("training.optimizer.lr", under)
        self.assertTrue(all(path.startswith("training.optimizer.") or path == "training.optimizer" for path in under), under)
        self.assertIn("training.optimizer.lr", [setting["path"] for setting in self.plumbline("settings", "lr")["settings"]])
        self.refused("settings", "momentun", code=2, error="unknown-setting", says="momentum")
        self.assertRegex(self.run_program("settings").stdout, r"(?m)^training\.optimizer\.momentum .*0 … 1")
        for setting in self.plumbline("settings")["settings"]:
            self.assertTrue(setting["path"] and setting["help"] and setting["applies"] in ("live", "next_run"), setting)
        paths = [setting["path"] for setting in self.plumbline("settings")["settings"]]
        for path in ("training.losses.N.scalar_target", "training.metrics.N.type", "training.optimizer.groups.N.match"):
            self.assertIn(path, paths)
        schema = self.plumbline("schema")
        self.assertEqual(schema["type"], "object")
        published = json.loads((SOURCE / "docs" / "project.schema.json").read_text())
        self.assertEqual(schema, published, "plumbline schema > docs/project.schema.json brings it up to date")

    def test_a_name_with_a_comma_is_one_field_of_the_table(self):
        project = self.sample("wine")
        name = 'share, "all"'
        self.edit(project, lambda d: d["training"]["metrics"].append({"type": "balanced_accuracy", "output": "logits", "target": "label", "name": name}))
        self.edit(project, lambda d: d["training"]["optimizer"].update({"decay_norms_and_biases": False, "layer_decay": 0.5}))
        self.plumbline("train", project, "--max-steps", 30, "--set", "training.validation.unit=step", "--set", "training.validation.every=10")
        rows = list(csv.reader(self.run_program("metrics", project, "latest").stdout.splitlines()))
        self.assertEqual({len(row) for row in rows}, {5})
        self.assertIn("val." + name, {row[0] for row in rows})
        self.assertTrue(any(", no weight decay" in row[0] for row in rows), {row[0] for row in rows})

    def test_a_command_that_a_signal_stops_says_which_and_ends_with_its_code(self):
        project = self.sample("wine")
        for number, code, says in ((signal.SIGTERM, 143, "SIGTERM"), (signal.SIGINT, 130, "Ctrl-C")):
            for probe in (["overfit", project, "--steps", 1000000, "--set", "training.optimizer.lr=0"], ["find-lr", project, "--steps", 1000000, "--lowest", "1e-9", "--highest", "1e-8"]):
                with self.subTest(f"{probe[0]} {says}"):
                    process = subprocess.Popen([PROGRAM, *map(str, probe), "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                    self.addCleanup(lambda process=process: (process.poll() is None and process.kill(), process.communicate()))
                    while "loss" not in process.stderr.readline():  # it trains
                        self.assertIsNone(process.poll())
                    process.send_signal(number)
                    out, _ = process.communicate(timeout=300)
                    self.assertEqual(process.returncode, code)
                    error = json.loads(out)["error"]
                    self.assertEqual(error["code"], "stopped")
                    self.assertIn(says, error["message"])

    def test_the_planned_rates_are_those_that_a_run_has(self):
        project = self.sample("wine")
        planned = self.plumbline("schedule", project, "--points", 100000)
        self.assertEqual((planned["unit"], planned["known"]), ("step", planned["length"]))
        self.assertEqual([point["position"] for point in planned["points"]], list(range(planned["length"])))
        self.plumbline("train", project, "--max-steps", 30)
        lines = self.run_program("metrics", project, "latest", "--series", "lr").stdout.splitlines()[1:]
        self.assertEqual(len(lines), 30)
        for line, point in zip(lines, planned["points"]):
            self.assertAlmostEqual(float(line.split(",")[-1]), point["lr"], delta=1e-12)
        cycle = ("--set", "training.scheduler.type=one_cycle", "--set", "training.scheduler.warmup=0")
        few = self.plumbline("schedule", project, "--points", 3, *cycle)["points"]
        self.assertEqual([point["position"] for point in few], [0, (planned["length"] - 1) // 2, planned["length"] - 1])
        self.assertEqual(few[0]["momentum"], 0.95)
        self.assertRegex(self.run_program("schedule", project, *cycle).stdout, r"(?m)^ *step +learning rate +momentum")
        self.refused("schedule", project, *cycle, "--set", "training.scheduler.unit=epoch", code=3, error="schedule-needs-steps", says="step")
        self.refused("schedule", project, "--points", 1, code=2)

    def test_the_plan_of_several_optimizers_has_a_rate_for_each(self):
        project = self.sample("dcgan")
        steps = {"type": "linear", "unit": "step", "start_factor": 1.0, "end_factor": 0.0, "total": 1000}
        self.edit(project, lambda d: d["training"].update(scheduler=steps, stop={"epochs": 0, "steps": 40}))
        self.edit(project, lambda d: d["training"]["phases"][1].update(every=2))
        self.edit(project, lambda d: d["training"]["phases"][1]["optimizer"].update(groups=[{"match": "generator.bn*", "lr": 0.1}]))
        planned = self.plumbline("schedule", project, "--points", 1000)
        series = {each["name"]: each for each in planned["series"]}
        self.assertEqual(list(series), ["lr", "lr/discriminator", "lr/generator", "lr/generator: generator.bn*"])
        self.assertEqual([each["every"] for each in series.values()], [1, 1, 2, 2])
        self.assertEqual([each["phase"] for each in series.values()], [None, "discriminator", "generator", "generator"])
        for name, base in (("lr", 0.1), ("lr/discriminator", 0.0002), ("lr/generator", 0.0005), ("lr/generator: generator.bn*", 0.1)):
            self.assertEqual([point["position"] for point in series[name]["points"]], list(range(40)))
            for point in series[name]["points"]:
                self.assertAlmostEqual(point["lr"], base * (1 - point["position"] / 1000), delta=1e-12)
        self.assertEqual(planned["points"][5]["lr"], series["lr"]["points"][5]["lr"])
        lines = self.run_program("schedule", project, "--points", 1000, "--format", "csv").stdout.splitlines()
        self.assertEqual(lines[0], "series,step,value")
        rows = [line.rsplit(",", 2) for line in lines[1:]]
        self.assertEqual([(name, int(step), float(value)) for name, step, value in rows],
                         [(name, point["position"], point["lr"]) for name, each in series.items() for point in each["points"]])
        table = self.run_program("schedule", project, "--points", 3).stdout
        self.assertRegex(table, r"(?m)^ *step +lr/discriminator +lr/generator +lr/generator: generator.bn\*")
        self.assertIn("The phase generator", table)
        self.plumbline("train", project, "--max-steps", 6)
        for name in series:
            ran = self.run_program("metrics", project, "latest", "--series", name).stdout.splitlines()[1:]
            self.assertEqual(len(ran), 6, name)
            for line, point in zip(ran, series[name]["points"]):
                self.assertAlmostEqual(float(line.split(",")[-1]), point["lr"], delta=1e-12)

    def test_every_template_makes_a_project_that_checks_and_trains(self):
        templates = self.plumbline("templates")["templates"]
        self.assertEqual({t["id"] for t in templates}, {"mlp", "cnn", "resnet18", "lstm", "autoencoder", "sandwich", "blank"})
        small = {"resnet18": ["width=8", "size=32"]}
        for template in templates:
            with self.subTest(template["id"]):
                project = self.new(template["id"], *small.get(template["id"], []))
                report = self.plumbline("check", project)
                self.assertTrue(report["ok"], report["problems"])
                self.assertGreater(report["model"]["parameters"], 0)
                summary = self.plumbline("train", project, "--max-steps", 3)
                self.assertEqual(summary["steps"]["attempted"], 3)
                self.assertEqual(summary["stop_reason"]["code"], "max_steps")

    def test_events_do_not_take_the_place_of_another_file(self):
        project = self.sample("wine")
        before = (project / "project.json").read_bytes()
        self.refused("train", project, "--events", project / "project.json", "--max-steps", 2, code=2, error="not-an-event-file")
        self.assertEqual((project / "project.json").read_bytes(), before)
        events = self.folder / "events.jsonl"
        for _ in range(2):  # those of an earlier run may go
            self.plumbline("train", project, "--events", events, "--max-steps", 2)
            self.assertTrue(all("event" in json.loads(line) for line in events.read_text().splitlines()))

    def test_the_sandwich_decodes_its_answer(self):
        project = self.new("sandwich")
        self.plumbline("train", project, "--max-steps", 60)
        for answer in self.plumbline("predict", project, "latest", 0, 1, 2)["predictions"]:
            probabilities, label = answer["outputs"]["probabilities"], answer["outputs"]["label"]
            self.assertAlmostEqual(sum(probabilities), 1, places=5)
            self.assertIs(type(label), int, "a class is a whole number")
            self.assertEqual(probabilities[label], max(probabilities))
            self.assertEqual(answer["classes"][0]["class"], str(label))

    def test_check_opens_the_data_and_says_what_does_not_fit(self):
        project = self.sample("wine")
        narrow = ["check", project, "--set", 'model.graph.inputs.features.shape=["B", 12]']
        report = self.plumbline(*narrow, code=3)
        self.assertEqual([problem["code"] for problem in report["problems"]], ["input-shape"])
        self.assertTrue(self.plumbline(*narrow, "--no-data")["ok"])
        (project / "data" / "wine.csv").unlink()
        self.assertFalse(self.plumbline("check", project, code=3)["ok"])

    def test_check_gives_shapes_and_costs_of_each_layer(self):
        report = self.plumbline("check", self.sample("digits-cnn"))
        layers = {layer["name"]: layer for layer in report["model"]["layers"]}
        self.assertEqual(layers["layers.1.conv"]["output_shape"], "B, 64, 4, 4")
        self.assertEqual(layers["stem.conv"]["parameters"], 32 * 9)
        self.assertEqual(layers["stem.conv"]["macs"], "18432*B")

    def test_data_gives_counts_and_the_same_batches_every_time(self):
        project = self.sample("wine")
        first = self.plumbline("data", project, "--batch", 3)
        self.assertEqual(sum(first["counts"].values()), 178)
        self.assertEqual(len(first["batches"]), 3)
        again = self.plumbline("data", project, "--batch", 3, "--set", "data.loader.workers=2")
        self.assertEqual(first["batches"], again["batches"])

    def test_a_run_can_be_looked_at_used_and_compared(self):
        project = self.sample("wine")
        events = self.folder / "events.jsonl"
        summary = self.plumbline("train", project, "--run-name", "first", "--events", events)
        self.assertEqual(summary["status"], "completed")
        self.assertEqual(summary["epochs"], 20)
        self.assertEqual(summary["findings"], [])
        self.assertGreater(summary["throughput"]["samples_per_second"], 0)
        self.assertGreater(summary["peak_memory_bytes"], 0)
        kinds = {json.loads(line)["event"] for line in events.read_text().splitlines()}
        self.assertTrue({"state", "epoch", "checkpoint"} <= kinds, kinds)

        runs = self.plumbline("runs", project)["runs"]
        self.assertEqual([run["name"] for run in runs], ["first"])
        self.assertEqual(len(self.metrics(project, "latest", "train.loss")), summary["steps"]["attempted"])
        self.assertEqual(self.plumbline("findings", project, "first")["findings"], [])
        evaluated = self.plumbline("evaluate", project, "latest")["metrics"]
        self.assertAlmostEqual(evaluated["test.accuracy"], summary["metrics"]["test.accuracy"], places=6)

        header, row = (project / "data" / "wine.csv").read_text().splitlines()[:2]
        columns = dict(zip(header.split(","), row.split(",")))
        columns.pop("class")
        text = ",".join(f"{name}={value}" for name, value in columns.items())
        prediction = self.plumbline("predict", project, "latest", text)["predictions"][0]
        self.assertEqual(prediction["classes"][0]["class"], "class_0")

        self.plumbline("train", project, "--set", "training.optimizer.lr=0.02", "--run-name", "second")
        comparison = self.plumbline("compare", project, "first", "second")
        self.assertEqual([d["pointer"] for d in comparison["differences"]], ["/training/optimizer/lr"])

    def test_compiled_blocks_measure_and_answer_what_the_blocks_do(self):
        project = self.sample("digits-cnn")
        self.plumbline("train", project, "--max-steps", 40)
        plain = self.plumbline("evaluate", project, "latest")
        compiled = self.plumbline("evaluate", project, "latest", "--compile")
        self.assertNotIn("compiled", plain)
        self.assertEqual(set(plain["metrics"]), set(compiled["metrics"]))
        self.assertEqual(plain["metrics"]["test.accuracy"], compiled["metrics"]["test.accuracy"])
        self.assertAlmostEqual(plain["metrics"]["test.loss"], compiled["metrics"]["test.loss"], delta=1e-5 * plain["metrics"]["test.loss"])
        self.tell_of_every_block(project, compiled["compiled"])
        answers = [self.plumbline("predict", project, "latest", "test:0", "test:1", *option)["predictions"] for option in ([], ["--compile"])]
        for one, other in zip(*answers):
            self.assertEqual(one["classes"][0]["class"], other["classes"][0]["class"])
            self.assertAlmostEqual(one["classes"][0]["probability"], other["classes"][0]["probability"], places=5)
        told = self.run_program("evaluate", project, "latest", "--compile")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("test.accuracy", told.stdout)
        self.assertRegex(told.stderr, r"(compiled \(|: eager: )")

    def test_compile_reports_and_says_why_not(self):
        project = self.sample("digits-cnn")
        self.plumbline("train", project, "--max-steps", 2)
        report = self.plumbline("compile", project, "latest", "--batch", 16)
        self.tell_of_every_block(project, report)
        table = self.run_program("compile", project, "latest", "--batch", 16)
        self.assertEqual(table.returncode, 0, table.stderr)
        self.assertIn("outcome", table.stdout)
        self.plumbline("train", project, "--max-steps", 2, "--set", "training.precision=bf16")
        for unit in self.plumbline("compile", project, "latest")["units"]:
            self.assertEqual((unit["outcome"], unit["reason"]), ("eager", "blocks are compiled for the precision fp32 alone"))
        self.refused("compile", project, "nobody", code=2)
        self.refused("compile", project, "latest", "--device", "gpu", code=2, error="unknown-device")

    def tell_of_every_block(self, project, report):
        nodes = json.loads((project / "project.json").read_text())["model"]["graph"]["nodes"]
        self.assertEqual({block for unit in report["units"] for block in unit["blocks"]}, set(nodes))
        for unit in report["units"]:
            if unit["outcome"] == "compiled":
                self.assertGreaterEqual(unit["speedup"], 1.05)
                self.assertLessEqual(unit["largest_difference"], report["bound"])
                self.assertEqual((unit["took_effect"], unit["reason"]), (1.0, ""))
                self.assertGreater(unit["calls"], 0)
            else:
                self.assertTrue(unit["reason"], unit)

    def test_the_same_seed_gives_the_same_losses(self):
        project = self.sample("wine")
        for name in ("a", "b"):
            self.plumbline("train", project, "--run-name", name)
        self.assertEqual(self.metrics(project, "a", "train.loss"), self.metrics(project, "b", "train.loss"))
        self.plumbline("train", project, "--run-name", "c", "--seed", 1)
        self.assertNotEqual(self.metrics(project, "a", "train.loss"), self.metrics(project, "c", "train.loss"))

    def test_tune_loader_measures_and_chooses(self):
        result = self.plumbline("tune-loader", self.sample("wine"), "--seconds", "0.05")
        self.assertIn(result["chosen"], [point["workers"] for point in result["sweep"]])
        self.assertTrue(result["limited_by"])

    def test_doctor_knows_versions_and_whether_cuda_loads(self):
        result = self.run_program("doctor", "--json")
        report = json.loads(result.stdout)
        self.assertIn("libtorch", report["versions"])
        self.assertGreater(report["gemm_gflops"], 0)
        self.assertTrue(report["cuda"]["loaded"] or report["cuda"]["reason"])
        self.assertGreaterEqual(report["threads"]["libtorch"], 1)
        self.assertTrue(report["allocator"]["malloc_settings"])
        self.assertTrue((pathlib.Path(report["libtorch_folder"]) / "include" / "ATen").is_dir(), "what an exported project is built with")
        for folder in report["folders"].values():
            self.assertTrue(folder["writable"], folder)
            self.assertGreater(folder["free_bytes"], 0)

    def test_doctor_tells_each_problem_with_its_remedy_and_its_own_exit_code(self):
        environment = dict(os.environ, OMP_WAIT_POLICY="ACTIVE")
        report = self.plumbline("doctor", code=5, env=environment)
        problems = {problem["code"]: problem for problem in report["problems"]}
        self.assertIn("Unset OMP_WAIT_POLICY", problems["wait-policy"]["remedy"])
        self.assertEqual(report["allocator"]["wait_policy"], "ACTIVE")
        told = self.run_program("doctor", env=environment)
        self.assertEqual(told.returncode, 5)
        # This one: what a busy machine reaches differs from call to call.
        problem = problems["wait-policy"]
        self.assertIn(f"problem: {problem['message']} {problem['remedy']}", told.stdout)
        self.assertNotIn("No problems.", told.stdout)

    def test_doctor_tells_of_folders_that_cannot_be_used_and_of_a_missing_libtorch(self):
        # Nothing is free in /proc, for root as well.
        environment = dict(os.environ, XDG_CACHE_HOME="/proc/plumbline-cache", PLUMBLINE_LIBTORCH=str(self.folder))
        problems = {problem["code"]: problem for problem in self.plumbline("doctor", code=5, env=environment)["problems"]}
        self.assertIn("are free in /proc.", problems["little-space"]["message"])
        unpacked = json.loads((SOURCE / "tools" / "libtorch" / "wheels.json").read_text())["unpacked_bytes"]["cpu"]
        size = f"{unpacked // 1_000_000} MB"
        self.assertIn(size, problems["little-space"]["remedy"])
        self.assertIn(size, (SOURCE / "docs" / "install.md").read_text())
        missing = [problem for code, problem in problems.items() if "libtorch" in code]
        self.assertEqual(len(missing), 1, problems)
        self.assertIn(str(self.folder), missing[0]["message"])
        self.assertTrue(missing[0]["remedy"])
        closed = next((folder for folder in ("/sys", "/proc") if not os.access(folder, os.W_OK)), None)
        if closed:
            environment["XDG_CACHE_HOME"] = closed + "/plumbline-cache"
            problems = {problem["code"]: problem for problem in self.plumbline("doctor", code=5, env=environment)["problems"]}
            self.assertIn("cannot be written to", problems["not-writable"]["message"])
            self.assertIn("set XDG_CACHE_HOME", problems["not-writable"]["remedy"])

    def test_what_the_thread_library_does_not_understand_is_a_sentence(self):
        project = self.sample("wine")
        environment = dict(os.environ, OMP_NUM_THREADS="abc")
        result = self.run_program("train", project, "--max-steps", 3, env=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("libgomp", result.stderr)
        self.assertIn('The environment variable OMP_NUM_THREADS is "abc"', result.stderr)
        self.assertIn("library-remark", [problem["code"] for problem in self.plumbline("doctor", code=5, env=environment)["problems"]])

    def test_a_broadcast_that_is_allowed_warns_of_nothing_but_itself(self):
        project = self.sample("diabetes")
        self.edit(project, lambda d: (d["training"].setdefault("expert", {}).update(allow_broadcast_loss=True),
                                      next(iter(d["data"]["targets"].values())).update(squeeze=True)))
        result = self.run_program("train", project, "--max-steps", 3)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("loss-target-shape", result.stderr)
        self.assertNotIn("[W", result.stderr)
        self.assertNotIn("Warning", result.stderr)

    def test_a_misspelt_detector_is_refused_before_there_is_a_run(self):
        project = self.new("mlp")
        file = project / "project.json"
        document = json.loads(file.read_text())
        document["monitor"] = {"detectors": {"loader-stal": {}}}
        file.write_text(json.dumps(document))
        for command in ("check", "train"):
            self.refused(command, project, code=3, says="loader-stall", error="unknown-detector")
        self.assertFalse((project / "runs").exists())

    def test_a_step_limit_of_nothing_is_refused_and_csv_spells_nan_plainly(self):
        project = self.new("mlp")
        self.refused("train", project, "--max-steps", 0, code=2)
        self.plumbline("train", project, "--max-steps", 2, "--fail-on", "never", "--set", "training.optimizer.lr=1e30", "--set", "training.optimizer.type=SGD")
        values = [line.split(",")[-1] for line in self.run_program("metrics", project, "latest").stdout.splitlines()[1:]]
        self.assertIn("nan", values)
        self.assertNotIn("-nan", values)

    def test_without_libtorch_checking_works_and_training_is_a_sentence(self):
        project = self.sample("wine")
        environment = dict(os.environ, PLUMBLINE_LIBTORCH=str(self.folder / "nowhere"))
        self.assertTrue(self.plumbline("check", project, env=environment)["ok"])
        self.refused("train", project, code=5, error="libtorch-missing", env=environment)

    def test_output_for_a_person_is_plain_lines(self):
        result = self.run_program("train", self.sample("wine"), "--max-steps", 20)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("epoch 1", result.stdout)
        self.assertNotIn("\r", result.stdout + result.stderr)

    def test_a_terminal_gets_a_progress_bar_that_leaves_nothing_behind(self):
        # Long enough that progress is told more than once.
        code, shown = on_a_terminal([PROGRAM, "train", self.sample("wine"), "--set", "training.stop.epochs=200"])
        self.assertEqual(code, 0, shown)
        bars = re.findall(r"\r\x1b\[K([█░]+) +(\d+) %  epoch (\d+)/200  step (\d+)  .* samples/s  .* left", shown)
        self.assertGreater(len(bars), 1, shown)
        for bar, share, epoch, step in bars:
            self.assertAlmostEqual(bar.count("█") / len(bar), int(share) / 100, delta=0.06)
        steps = [int(step) for *_, step in bars]
        self.assertEqual(steps, sorted(steps))
        self.assertNotRegex(shown.rpartition("\x1b[K")[2], "[█░]")


if __name__ == "__main__":
    unittest.main()
