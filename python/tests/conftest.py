# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""Model files with random weights, and the C interface itself to hold the package against."""

import ctypes
import json
import os
import subprocess
from pathlib import Path

import fluidsplat as fs
import numpy as np
import pytest

BUILD = Path(os.environ["FLUIDSPLAT_BUILD"])
READINGS = [0.5, 0.1, 1.5, 0.1, 0.2, 0.3, 0.1, 0.0, 0.4]  # the random model's sensors measure nine values


def write_model(path, changes=None, calibrated=False):
    words = [BUILD / "write_random_model", path, json.dumps(changes or {})]
    subprocess.run([*words, "calibrated"] if calibrated else words, check=True)
    return path


@pytest.fixture(scope="session")
def model_file(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("model") / "model.safetensors")


@pytest.fixture(scope="session")
def model(model_file):
    return fs.open(model_file)


@pytest.fixture(scope="session")
def calibrated(tmp_path_factory):
    return fs.open(write_model(tmp_path_factory.mktemp("calibrated") / "model.safetensors", calibrated=True))


@pytest.fixture(scope="session")
def demanding(tmp_path_factory):
    """A model with features at every point and descriptors for every instant."""
    changes = {"features": 2, "descriptors": 1}
    return fs.open(write_model(tmp_path_factory.mktemp("demanding") / "model.safetensors", changes))


class PlanOptions(ctypes.Structure):
    _fields_ = [
        ("points", ctypes.c_void_p), ("count", ctypes.c_size_t), ("features", ctypes.c_void_p),
        ("sensor_positions", ctypes.c_void_p), ("sensor_count", ctypes.c_size_t),
        ("sensor_mean_readings", ctypes.c_void_p), ("wall_points", ctypes.c_void_p),
        ("wall_features", ctypes.c_void_p), ("wall_count", ctypes.c_size_t), ("threads", ctypes.c_int),
        ("gradients", ctypes.c_int), ("level", ctypes.c_double), ("simultaneous", ctypes.c_int),
        ("side", ctypes.c_int), ("check_sensors", ctypes.c_int), ("sensor_features", ctypes.c_void_p), ("on_average", ctypes.c_int),
    ]  # fmt: skip


class Outputs(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_void_p)
        for name in "field primitive mass gradient vorticity divergence lower upper scale".split()
    ]


class CInterface:
    """A model through libfluidsplat, as a C program uses it."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(str(BUILD / "libfluidsplat.so"))
        self.lib.fluidsplat_plan_default_options.restype = PlanOptions
        self.model = ctypes.c_void_p()
        assert self.lib.fluidsplat_model_open(os.fsencode(path), ctypes.byref(self.model)) == 0

    def run(self, points, readings, name, width, **options):
        """One output [points, width] of one instant."""
        points, readings = np.asarray(points, np.float32), np.asarray(readings, np.float32)
        o = self.lib.fluidsplat_plan_default_options()
        o.points, o.count = points.ctypes.data, len(points)
        for key, value in options.items():
            setattr(o, key, value)
        plan = ctypes.c_void_p()
        assert self.lib.fluidsplat_plan_create(self.model, ctypes.byref(o), ctypes.byref(plan)) == 0
        values = np.empty((len(points), width), np.float32)
        out = Outputs(**{name: values.ctypes.data})
        status = self.lib.fluidsplat_run_readings(
            plan, ctypes.c_void_p(readings.ctypes.data), ctypes.c_size_t(readings.size), None, ctypes.c_size_t(0),
            ctypes.byref(out),
        )  # fmt: skip
        assert status == 0
        self.lib.fluidsplat_plan_destroy(plan)
        return values


@pytest.fixture(scope="session")
def c_interface():
    return CInterface
