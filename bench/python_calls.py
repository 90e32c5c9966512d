#!/usr/bin/python3
# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""What Python costs: import time, and a call of Plan.reconstruct beside the same call of the C interface.

    PYTHONPATH=build/release/python python3 bench/python_calls.py build/release [MODEL]

The C interface is called through ctypes with its arguments made beforehand; what ctypes itself takes is measured on a
call that does nothing and subtracted.  Medians of rounds that take turns, in processor time of this process, which a busy
machine changes least.
"""

import ctypes
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

build = Path(sys.argv[1])
sys.path.insert(0, str(Path(__file__).parents[1] / "python" / "tests"))
os.environ["FLUIDSPLAT_BUILD"] = str(build)
import fluidsplat as fs  # noqa: E402
from conftest import CInterface, Outputs  # noqa: E402


def import_times():
    """Wall time, and the processor's: on a busy machine only the second says something."""
    code = (
        "import time; now = lambda: (time.perf_counter(), time.process_time()); a = now(); import numpy; b = now(); "
        "import fluidsplat; c = now(); print(b[0] - a[0], c[0] - b[0], b[1] - a[1], c[1] - b[1])"
    )
    rounds = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout for _ in range(15)]
    wall_numpy, wall, numpy_, ours = 1e3 * np.median([[float(x) for x in r.split()] for r in rounds], axis=0)
    print(f"import fluidsplat: {wall_numpy + wall:.0f} ms ({numpy_ + ours:.0f} ms of processor time), ", end="")
    print(f"of which NumPy {wall_numpy:.0f} ms ({numpy_:.0f} ms)")


def seconds(call, count):
    begin = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - begin) / count


def main():
    import_times()
    with tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) > 2:
            path = sys.argv[2]
        else:
            path = os.path.join(folder, "model.safetensors")
            subprocess.run([build / "write_random_model", path], check=True)
        model = fs.open(path)
        print(model)
        c = CInterface(path)
        readings = np.zeros(len(model.readings), np.float32)
        for count in (1, 1000, 1_000_000):
            points = np.random.default_rng(1).uniform(*model.domain, (count, model.dim)).astype(np.float32)
            plan, out = model.plan(points), np.empty((count, len(model.channels)), np.float32)
            o = c.lib.fluidsplat_plan_default_options()
            o.points, o.count = points.ctypes.data, count
            handle = ctypes.c_void_p()
            assert c.lib.fluidsplat_plan_create(c.model, ctypes.byref(o), ctypes.byref(handle)) == 0
            outputs = Outputs(field=out.ctypes.data)
            words = (
                handle, ctypes.c_void_p(readings.ctypes.data), ctypes.c_size_t(readings.size), None,
                ctypes.c_size_t(0), ctypes.byref(outputs),
            )  # fmt: skip
            rounds = 3 if count > 10_000 else 15
            calls = {1: 2000, 1000: 100}.get(count, 1)
            times = np.array(
                [
                    (
                        seconds(lambda: c.lib.fluidsplat_run_readings(*words), calls),
                        seconds(lambda: plan.reconstruct(readings, out=out), calls),
                        seconds(lambda: plan.reconstruct(readings), calls),
                        seconds(lambda: c.lib.fluidsplat_plan_destroy(None), 2000),
                    )
                    for _ in range(rounds)
                ]
            )
            in_c, into, new, nothing = 1e6 * np.median(times, axis=0)
            print(
                f"{count:9,} points: C {in_c - nothing:.1f} us, Python into an array {into:.1f} us, "
                f"into a new one {new:.1f} us (ctypes {nothing:.1f} us, subtracted)"
            )


main()
