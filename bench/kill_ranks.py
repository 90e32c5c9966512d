#!/usr/bin/python3
# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""Kills random ranks of a tiny training at random moments, again and again, and holds what the resumed runs end with
against a run that was left alone: the same model and the same curve, bit for bit, and no file that is left over.

    bench/kill_ranks.py build/release [--kills 200] [--ranks 2] [--seed 1]

A run is killed at a moment drawn evenly from the time that the undisturbed one took; what is killed is resumed, and may
be killed again.  Exits with 1 when anything differs.
"""

import argparse
import csv
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

CONFIG = """
out = 'run'
[data]
file = 'wave.h5'
train_cases = 10
validation_cases = 4
[sensors]
kind = 'cells'
cells = [[1, 2], [4, 6], [6, 10]]
[model]
primitives = 6
context = 16
encoder_width = 16
attention_width = 8
heads = 2
layers = 2
width = 16
[sampling]
queries = 32
[train]
steps = {steps}
batch = 4
schedule = 'one-cycle'
rate = 3e-3
sensor_dropout = 0.2
sensor_noise = 0.01
validate_every = 10
checkpoint_every = 4
threads = 1
classical = false
"""


def write_wave(folder):
    t, y, x = np.mgrid[0:20, 0:8, 0:12].astype(np.float32)
    np.save(folder / "w.npy", np.sin(0.5 * x - 0.7 * t + 0.1 * y))


def curve(run):
    with open(run / "log.csv") as file:
        return [{k: v for k, v in row.items() if k != "seconds"} for row in csv.DictReader(file)]


def files(run):
    return sorted(p.name for p in run.iterdir())


class Training:
    def __init__(self, program, folder, ranks):
        self.program, self.folder, self.ranks = program, folder, ranks

    def start(self, *words):
        command = [self.program, "launch", "-n", str(self.ranks), "--", "train", "wave.toml", *words]
        return subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    @staticmethod
    def processes(child):
        try:
            return [int(p) for p in Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split()]
        except OSError:
            return []

    def kill_one(self, child, moment, rng):
        """Waits until the moment and kills one of the ranks; None when the run has ended before."""
        begin = time.monotonic()
        while time.monotonic() - begin < moment:
            if child.poll() is not None:
                return None
            time.sleep(min(0.02, moment))
        ranks = self.processes(child)
        if not ranks:
            return None
        victim = rng.choice(ranks)
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            return None
        return ranks.index(victim)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = options.build.resolve() / "fluidsplat"
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_wave(folder)
        (folder / "wave.toml").write_text(CONFIG.format(steps=options.steps))
        subprocess.run([program, "data", "import", "w.npy", "--out", "wave.h5"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        training = Training(program, folder, options.ranks)
        begin = time.monotonic()
        if training.start("out=alone").wait() != 0:
            raise SystemExit("the undisturbed run failed")
        whole = time.monotonic() - begin
        alone = folder / "alone"
        expected = (alone / "model.safetensors").read_bytes(), curve(alone), files(alone)
        print(f"undisturbed: {whole:.1f} s, {options.ranks} ranks", flush=True)

        run, checkpoint = folder / "run", folder / "run" / "checkpoint.safetensors"
        kills = resumed = ended = after_end = wrong = slow = 0
        fresh, in_chain = True, 0
        while kills < options.kills or in_chain > 0:
            if fresh:  # what an earlier run left would be resumed in place of this one
                shutil.rmtree(run, ignore_errors=True)
            go_on = checkpoint.exists()
            child = training.start("--resume" if go_on else "--force")
            resumed += go_on
            victim = training.kill_one(child, rng.uniform(0, whole), rng) if kills < options.kills else None
            killed_at = time.monotonic()
            code, told = child.wait(), child.stderr.read()
            fresh = False
            if code != 0 and victim is None:
                raise SystemExit(f"a run failed by itself:\n{told}")
            if code != 0:
                kills += 1
                in_chain += 1
                slow = max(slow, time.monotonic() - killed_at)
                continue
            after_end += victim is not None  # killed when all was written: nothing to resume
            if in_chain > 0:
                ended += 1
                found = (run / "model.safetensors").read_bytes(), curve(run), files(run)
                if found != expected:
                    wrong += 1
                    what = [n for n, a, b in zip(("model", "curve", "files"), found, expected) if a != b]
                    print(f"after {in_chain} kills: other {', '.join(what)}: {found[2]}", flush=True)
                print(f"{kills} kills, {resumed} resumed, {ended} runs ended, {wrong} otherwise", flush=True)
            fresh, in_chain = True, 0
        print(f"{kills} kills of one of {options.ranks} ranks, {resumed} resumes: {ended} runs ended, {wrong} of them "
              f"otherwise than the undisturbed one; all ranks had ended at most {slow:.1f} s after a kill; "
              f"{time.monotonic() - begin:.0f} s")
        sys.exit(wrong > 0)


main()
