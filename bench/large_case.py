#!/usr/bin/python3
# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""Training on cases that are larger than train.memory_budget, each with its mesh: resident memory, and whether the model
is that of the same training without a budget, bit for bit.

    bench/large_case.py build/release [--side 10000] [--budget 400] [--steps 20] [--folder DIR] [--alone]

Three waves on a grid of SIDE x SIDE points, in the order of Hilbert's curve.  10,000 write 7 GB to the folder, and the
training without a budget, which --alone leaves out, takes 3 GB of memory.
"""

import argparse
import os
import tempfile
from pathlib import Path

import waves

CASES = 3


def train(program, folder, name, settings):
    usage = waves.train(program, folder, name, settings)
    print(f"{name}: peak {usage.ru_maxrss * 1024 / 1e6:.0f} MB, processor {usage.ru_utime + usage.ru_stime:.0f} s",
          flush=True)
    return (folder / name / "model.safetensors").read_bytes()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--side", type=int, default=10000)
    parser.add_argument("--budget", type=int, default=400, help="MB")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--folder", default=None)
    parser.add_argument("--alone", action="store_true", help="without the training that has no budget")
    options = parser.parse_args()
    program = options.build.resolve() / "fluidsplat"
    if options.folder:
        os.makedirs(options.folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        size = waves.make_dataset(program, folder, CASES, options.side, ["--order", "curve"])
        (folder / "waves.toml").write_text(
            waves.CONFIG.format(train_cases=2, chunks=8, steps=options.steps, validate_every=options.steps))
        print(f"{CASES} cases of {options.side ** 2:.2e} points, {size / 1e9:.2f} GB", flush=True)
        bounded = train(program, folder, "bounded", [f"train.memory_budget={options.budget}MB"])
        if not options.alone:
            free = train(program, folder, "free", ["data.cache_gigabytes=100"])
            print(f"the models {'agree' if bounded == free else 'DIFFER'}")


main()
