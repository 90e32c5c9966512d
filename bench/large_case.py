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
import subprocess
import tempfile
from pathlib import Path

import numpy as np

CONFIG = """
[data]
file = 'waves.h5'
split = 'disjoint'
train_cases = 2
validation_cases = 0
[sensors]
kind = 'random'
count = 8
[model]
primitives = 64
layers = 3
width = 128
[sampling]
queries = 1024
chunks = 8
[train]
steps = {steps}
batch = 8
validate_every = {steps}
checkpoint_every = {steps}
threads = 1
classical = false
"""
CASES = 3


def write_waves(folder, side):
    along = np.arange(side, dtype=np.float32) * np.float32(2 * np.pi / side)
    with open(folder / "w.npy", "wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False,
                                                    "shape": (CASES, side, side)})
        for t in range(CASES):
            # Row by row: what this process ever had in memory would count as its children's.
            for row in along:
                file.write((np.cos(2 * row + np.float32(0.13 * t))
                            * np.sin(3 * along - np.float32(0.7 * t))).astype(np.float32).tobytes())


def train(program, folder, name, settings):
    child = subprocess.Popen([program, "train", "waves.toml", f"out={name}", *settings], cwd=folder,
                             stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"the training {name} failed")
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
        write_waves(folder, options.side)
        subprocess.run([program, "data", "import", "w.npy", "--order", "curve", "--out", "waves.h5"], cwd=folder,
                       check=True, stdout=subprocess.DEVNULL)
        (folder / "w.npy").unlink()
        (folder / "waves.toml").write_text(CONFIG.format(steps=options.steps))
        print(f"{CASES} cases of {options.side ** 2:.2e} points, {(folder / 'waves.h5').stat().st_size / 1e9:.2f} GB",
              flush=True)
        bounded = train(program, folder, "bounded", [f"train.memory_budget={options.budget}MB"])
        if not options.alone:
            free = train(program, folder, "free", ["data.cache_gigabytes=100"])
            print(f"the models {'agree' if bounded == free else 'DIFFER'}")


main()
