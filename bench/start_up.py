#!/usr/bin/python3
# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""How long the program takes to start: fluidsplat, and fluidsplat-full, which is linked with libtorch as it once was.

    bench/start_up.py build/release

Medians of wall time and of processor time; on a busy machine only the second says something.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

build = Path(sys.argv[1]).resolve()


def measure(words, folder, rounds=11):
    wall, used = [], []
    for _ in range(rounds):
        begin = time.perf_counter()
        child = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status  # waited for
        wall.append(time.perf_counter() - begin)
        used.append(usage.ru_utime + usage.ru_stime)
        if status != 0:
            raise SystemExit(f"{words} failed")
    return 1e3 * statistics.median(wall), 1e3 * statistics.median(used)


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([build / "write_random_model", f"{folder}/model.safetensors"], check=True)
    Path(folder, "readings.csv").write_text("s1.u,s2.v\n0.5,0.1\n")
    field = ["reconstruct", "model.safetensors", "--readings", "readings.csv", "--grid", "8x6", "--out"]
    for words in (["--help"], ["version"], ["train", "--help"], [*field, "vtk"], [*field, "npy", "--format", "npy"]):
        times = [measure([build / program, *words], folder) for program in ("fluidsplat", "fluidsplat-full")]
        shown = " ".join(words[:1] + words[7:] if words[0] == "reconstruct" else words)
        print(f"{shown:32} " + "; ".join(f"{w:.0f} ms ({u:.0f} ms of processor time)" for w, u in times))
