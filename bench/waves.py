# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""Waves on a square grid as a dataset, and trainings on them whose memory is measured: for the benches beside this."""

import os
import subprocess

import numpy as np

CONFIG = """
[data]
file = 'waves.h5'
split = 'disjoint'
train_cases = {train_cases}
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
chunks = {chunks}
[train]
steps = {steps}
batch = 8
validate_every = {validate_every}
checkpoint_every = {steps}
threads = 1
classical = false
"""


def write_array(path, cases, side):
    along = np.arange(side, dtype=np.float32) * np.float32(2 * np.pi / side)
    with open(path, "wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False,
                                                    "shape": (cases, side, side)})
        for t in range(cases):
            across = np.sin(3 * along - np.float32(0.7 * t))
            # Row by row: what this process ever had in memory would count as its children's.
            for row in along:
                file.write((np.cos(2 * row + np.float32(0.13 * t)) * across).astype(np.float32).tobytes())


def make_dataset(program, folder, cases, side, settings=()):
    """waves.h5 in the folder; gives its bytes."""
    write_array(folder / "w.npy", cases, side)
    subprocess.run([program, "data", "import", "w.npy", *settings, "--out", "waves.h5"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    (folder / "w.npy").unlink()
    return (folder / "waves.h5").stat().st_size


def train(program, folder, name, settings):
    """Trains as waves.toml in the folder says; gives what the process used (os.wait4)."""
    child = subprocess.Popen([program, "train", "waves.toml", f"out={name}", *settings], cwd=folder,
                             stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"the training {name} failed")
    return usage
