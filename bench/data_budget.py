#!/usr/bin/python3
# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""Training on a dataset of at least eight times train.memory_budget, against the same training with all data in memory:
resident memory, steps per second, and whether the curves agree bit for bit.

    bench/data_budget.py build/release [--budget 400] [--pairs 2] [--folder DIR]

Writes about twice eight times the budget (MB) to the folder.  Steps per second are those of the second pass over the
cases, when the run without a budget holds all of them; the two run in turns, and the ratio is that of their best.
"""

import argparse
import csv
import os
import tempfile
from pathlib import Path

import waves

SIDE = 1024


def train(program, folder, name, settings):
    usage = waves.train(program, folder, name, settings)
    with open(folder / name / "log.csv") as file:
        rows = list(csv.DictReader(file))
    steps = int(rows[-1]["step"]) - int(rows[0]["step"])
    rate = steps / (float(rows[-1]["seconds"]) - float(rows[0]["seconds"]))
    print(f"{name}: {rate:.2f} steps/s, peak {usage.ru_maxrss * 1024 / 1e6:.0f} MB, processor "
          f"{usage.ru_utime + usage.ru_stime:.0f} s", flush=True)
    curve = [{k: v for k, v in row.items() if k != "seconds"} for row in rows]
    return rate, usage.ru_maxrss * 1024, curve, (folder / name / "model.safetensors").read_bytes()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--budget", type=int, default=400, help="MB")
    parser.add_argument("--pairs", type=int, default=2)
    parser.add_argument("--folder", default=None)
    options = parser.parse_args()
    program = options.build.resolve() / "fluidsplat"
    cases = -(-8 * options.budget * 10**6 // (4 * SIDE * SIDE * 8)) * 8
    if options.folder:
        os.makedirs(options.folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        size = waves.make_dataset(program, folder, cases, SIDE)
        steps = 2 * cases // 8
        (folder / "waves.toml").write_text(
            waves.CONFIG.format(train_cases=cases - 8, chunks=0, steps=steps, validate_every=steps // 2))
        print(f"{cases} cases, {size / 1e9:.2f} GB: {size / options.budget / 1e6:.1f} times the budget", flush=True)
        budget, memory = [], []
        for pair in range(options.pairs):
            budget.append(train(program, folder, f"budget{pair}", [f"train.memory_budget={options.budget}MB"]))
            memory.append(train(program, folder, f"memory{pair}", ["data.cache_gigabytes=100"]))
            print(f"  {100 * budget[-1][0] / memory[-1][0]:.0f} %", flush=True)
        best, in_memory = max(run[0] for run in budget), max(run[0] for run in memory)
        same = all(run[2:] == memory[0][2:] for run in budget + memory)
        print(f"{100 * best / in_memory:.0f} % of the steps per second, resident memory at most "
              f"{100 * max(run[1] for run in budget) / options.budget / 1e6:.0f} % of the budget; curves and models "
              f"{'agree' if same else 'DIFFER'}")


main()
