# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""`pip install .` without a network."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BUILD, READINGS

SOURCE = Path(__file__).resolve().parents[2]


def test_pip_installs_a_package_that_works(model_file, tmp_path):
    pytest.importorskip("pip")
    target = tmp_path / "site"
    words = [sys.executable, "-m", "pip", "install", ".", "--no-build-isolation", "--no-deps", "--no-index"]
    words += ["--target", target, "--config-settings", f"build={BUILD}"]
    done = subprocess.run(words, cwd=SOURCE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    code = (
        "import fluidsplat as fs, sys; "
        f"print(fs.__file__, fs.open({os.fspath(model_file)!r}).plan(grid=(4, 3)).reconstruct({READINGS}), "
        "'torch' in open('/proc/self/maps').read())"
    )
    env = {**os.environ, "PYTHONPATH": str(target)}
    said = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, env=env)
    assert said.stdout == (
        f"{target}/fluidsplat/__init__.py <fluidsplat.Field: u [m], v [m] on a grid of 4 x 3 points> False\n"
    ), said.stderr
    assert (target / "fluidsplat" / "py.typed").exists()
