# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""The numbered examples, as a newcomer runs them, with what they print."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import BUILD
from fluidsplat import _vtk

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run(words, folder, **how):
    path = f"{BUILD}:{os.environ['PATH']}"
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env={**os.environ, "PATH": path}, **how)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def python_example(name, folder, *words):
    pytest.importorskip("matplotlib")
    out = run([sys.executable, EXAMPLES / name, *words], folder).stdout
    (picture,) = folder.glob("*.png")
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 3000
    return out


def test_01_arrays_to_field(tmp_path):
    out = python_example("01_arrays_to_field.py", tmp_path)
    error, readings = re.search(r"rms error (\S+) m/s from (\d+) readings", out).groups()
    assert float(error) < 0.05 and readings == "8"  # the flow's own rms is 0.5
    assert _vtk.read(str(tmp_path / "01_field.vti"))[2]["v"].shape == (160 * 80,)


def test_02_openfoam_to_paraview(tmp_path):
    run([BUILD / "tests" / "write_foam_case", tmp_path / "channel"], tmp_path)
    out = run([EXAMPLES / "02_openfoam_to_paraview.sh", "channel", "0.02"], tmp_path).stdout
    assert "8 instants at 2400 points" in out
    assert len(list((tmp_path / "fields").glob("*.vt[pu]"))) >= 8 and list((tmp_path / "fields").glob("*.pvd"))
    assert (tmp_path / "02_channel.png").stat().st_size > 1000


def build_loop(folder):
    run(["cc", "-O2", "-I", EXAMPLES.parent / "include", EXAMPLES / "03_control_loop" / "control_loop.c", "-o",
         folder / "loop", f"-L{BUILD}", "-lfluidsplat", f"-Wl,-rpath,{BUILD}"], folder)  # fmt: skip


def test_03_control_loop(tmp_path):
    """Against the lift that theory knows."""
    build_loop(tmp_path)
    out = python_example("03_control_loop.py", tmp_path, tmp_path / "loop")
    assert re.search(r"2000 answers for 64 wall points: p50 \d+ us, p99 \d+ us", out)
    assert float(re.search(r"rms error (\S+) of amplitude 5", out).group(1)) < 1e-3


def test_03_forces_are_those_of_python(model, model_file, tmp_path):
    build_loop(tmp_path)
    angle = np.linspace(0, 2 * np.pi, 50, endpoint=False)
    normals = np.stack([np.cos(angle), np.sin(angle)], 1)
    lengths = np.full(50, 2 * np.pi / 50)
    np.savetxt(tmp_path / "wall.txt", np.column_stack([1 + 0.5 * normals, normals, lengths]))
    readings = np.random.default_rng(9).normal(size=(200, 9)).astype(np.float32)
    readings[7, 3] = np.nan
    text = "\n".join(" ".join(map(repr, row.tolist())) for row in readings)
    done = run([tmp_path / "loop", model_file, "v", "wall.txt"], tmp_path, input=text)
    assert re.search(r"200 answers for 50 wall points: p50 \d+ us, p99 \d+ us", done.stderr)
    forces = np.array([[float(x) for x in line.split()[1:3]] for line in done.stdout.splitlines()])
    expected = model.plan(1 + 0.5 * normals).reconstruct(readings).force(normals, lengths, "v")
    np.testing.assert_allclose(forces, expected, rtol=1e-3, atol=1e-4)


def test_04_dying_sensors(tmp_path):
    errors = [float(e) for e in re.findall(r"relative error ([\d.]+)", python_example("04_dying_sensors.py", tmp_path))]
    assert len(errors) == 8 and errors[0] < 0.1 and 2 * errors[0] < errors[-1]


def test_05_how_many_primitives(tmp_path):
    out = python_example("05_how_many_primitives.py", tmp_path)
    rows = re.findall(r"(\d+) primitives: ([\d,]+) parameters, R2 of unseen instants ([-\d.]+)", out)
    assert [int(r[0]) for r in rows] == [2, 4, 8, 16, 32]
    best = int(re.search(r"best here: (\d+)", out).group(1))
    assert max(rows, key=lambda r: float(r[2]))[0] == str(best) and float(rows[0][2]) < 0.5 < max(float(r[2]) for r in rows)


def test_06_your_own_baseline(tmp_path):
    out = python_example("06_your_own_baseline.py", tmp_path)
    ridge, ours = (float(e) for e in re.findall(r"relative error (\S+)", out))
    assert ridge < 0.01 and ours < 0.05  # two waves and six sensors: a linear map is exact but for its penalty
    assert "built-in methods" in out and len(out.splitlines()) > 6


def test_the_notebook_is_01(tmp_path):
    import json

    notebook = EXAMPLES / "01_arrays_to_field.ipynb"
    cells = ["".join(c["source"]) for c in json.loads(notebook.read_text())["cells"] if c["cell_type"] == "code"]
    script = (EXAMPLES / "01_arrays_to_field.py").read_text().split('"""', 2)[2]
    assert "".join("\n".join(cells).split()) == "".join(script.split())
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    run([sys.executable, "-m", "nbconvert", "--execute", "--to", "html", "--output-dir", tmp_path, notebook], tmp_path)
