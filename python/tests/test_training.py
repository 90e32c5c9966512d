# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""Training in the interpreter's process, with scikit-learn's verbs."""

import os
import signal
import threading
import time
import tomllib

import fluidsplat as fs
import numpy as np
import pytest


def wave(points, phase):
    """A travelling wave with two channels."""
    x, y = points[:, 0], points[:, 1]
    t = np.asarray(phase)[:, None]
    return {"u": np.sin(3 * x - t) * np.cos(y), "v": np.cos(3 * x - t) * np.sin(y)}


@pytest.fixture(scope="module")
def points():
    return np.random.default_rng(1).uniform(0, 2, (150, 2)).astype(np.float32)


@pytest.fixture(scope="module")
def fields(points):
    return wave(points, np.linspace(0, 2 * np.pi, 24, endpoint=False))


SENSORS = [3, 40, 77, 120]


def readings_of(fields):
    return np.stack([fields[c][:, s] for s in SENSORS for c in ("u", "v")], axis=1)


def small(**changes):
    settings = {"train.batch": 8, "train.validate_every": 20, "train.checkpoint_every": 40, "sampling.queries": 100}
    settings |= {"model.width": 32, "model.layers": 2, "model.context": 32, "model.encoder_width": 32}
    return fs.Reconstructor(**{"steps": 40, "primitives": 8, "verbose": False, "settings": settings, **changes})


@pytest.fixture(scope="module")
def fitted(points, fields):
    return small().fit(SENSORS, fields, points=points, units={"u": "m/s"})


def test_it_learns_and_predicts(fitted, points, fields):
    unseen = wave(points, [0.4, 1.7, 5.1])
    guess = fitted.predict(readings_of(unseen))
    assert guess.shape == (3, 150, 2)
    assert fitted.score(readings_of(unseen), unseen) > 0.9
    assert fitted.score(readings_of(unseen)[::-1], unseen) < 0.5  # the wrong readings score low
    assert fitted.model_.units == {"u": "m/s", "v": ""} and fitted.outcome_ == "finished"
    np.testing.assert_allclose(fitted.model_.sensor_positions, points[SENSORS], rtol=1e-6)
    assert fitted.n_features_in_ == 8 and "fitted" in repr(fitted)


def test_the_model_file_is_complete(fitted, fields, tmp_path):
    fitted.save(tmp_path / "model.safetensors")
    field = fs.open(tmp_path / "model.safetensors").plan(grid=(8, 8)).reconstruct(readings_of(fields)[0])
    assert np.isfinite(field.values).all() and field.units["u"] == "m/s"


def test_the_same_seed_gives_the_same_model(points, fields):
    one, other = (small(steps=5, threads=1).fit(SENSORS, fields, points=points) for _ in range(2))
    third = small(steps=5, threads=1, seed=7).fit(SENSORS, fields, points=points)
    readings = readings_of(fields)[:2]
    np.testing.assert_array_equal(one.predict(readings), other.predict(readings))
    assert not np.array_equal(one.predict(readings), third.predict(readings))


def test_minutes_become_steps(points, fields, tmp_path):
    from fluidsplat import _train

    data = fs.Dataset.from_arrays(fields, points, path=tmp_path / "wave.h5")
    steps = []
    for minutes in (1, 20):
        config = tomllib.loads(_train.suggest(data.path, str(tmp_path), points[SENSORS].astype(float).tolist(), [], minutes))
        steps.append(config["train"]["steps"])
    assert 3 * steps[0] < steps[1]  # a machine that is busy for one of them spoils a factor, not the order
    short = fs.Reconstructor(minutes=0.01, verbose=False).fit(SENSORS, fields, points=points)
    assert 0 < short.steps_ <= steps[0]
    for minutes in (0, -1, float("nan")):
        with pytest.raises(fs.Error, match="minutes is"):
            fs.Reconstructor(minutes=minutes).fit(SENSORS, fields, points=points)


def test_readings_find_their_sensors(points, fields):
    model = small(steps=2).fit(readings_of(fields), fields, points=points).model_
    np.testing.assert_allclose(model.sensor_positions, points[SENSORS], rtol=1e-6)
    with pytest.raises(fs.Error, match="reading 0 is not among the fields' values"):
        small(steps=2).fit(np.random.default_rng(2).normal(size=(24, 8)), fields, points=points)


def test_ctrl_c_keeps_the_best_model(points, fields, tmp_path):
    file = tmp_path / "run" / "model.safetensors"

    def press():
        while not file.exists():
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    flow = small(steps=1_000_000, out=tmp_path / "run").fit(SENSORS, fields, points=points)
    thread.join()
    assert flow.outcome_ == "interrupted" and 20 <= flow.steps_ < 1_000_000
    assert np.isfinite(flow.predict(readings_of(fields))).all()


def test_wrong_input_is_told(points, fields):
    for wrong, text in [
        (dict(sensors=[999]), "numbers of points from 0 to 149"),
        (dict(sensors=np.zeros((3, 5))), r"shape \(3, 5\)"),
        (dict(fields={"u": fields["u"], "v": fields["v"][:3]}), "shapes differ"),
        (dict(points=points[:5]), "5 points are given for fields of 150"),
        (dict(points=None), "say where the fields are"),
        (dict(fields={"u": np.full_like(fields["u"], np.nan)}), "finite|nan"),
    ]:
        with pytest.raises(fs.Error, match=text):
            small().fit(**{"sensors": SENSORS, "fields": fields, "points": points, **wrong})
    with pytest.raises(fs.Error, match="train.stepz"):
        small(settings={"train.stepz": 3}).fit(SENSORS, fields, points=points)
    with pytest.raises(fs.Error, match='no setting "minute"'):
        small().set_params(minute=3)
    with pytest.raises(Exception, match="not fitted"):
        small().predict([1.0])


def test_datasets(points, fields, tmp_path):
    data = fs.Dataset.from_arrays(fields, points, path=tmp_path / "wave.h5", units={"u": "m/s"}, times=np.arange(24) / 4)
    assert repr(data) == "<fluidsplat.Dataset: u, v at 150 points in 2-D, 24 instants>"
    assert "24 cases" in data.info() and data.summary["times"]["last"] == pytest.approx(23 / 4)
    assert data.summary["channels"][0]["unit"] == "m/s"
    assert data.summary["channels"][0]["max"] == pytest.approx(fields["u"].max(), rel=1e-5)
    x, y = np.linspace(0, 1, 6), np.linspace(0, 2, 4)
    grid = fs.Dataset.from_arrays({"p": np.arange(48.0).reshape(2, 4, 6)}, (x, y))
    assert grid.summary["meshes"][0]["grid_shape"] == [4, 6]
    with pytest.raises(fs.Error, match="does not fit"):
        fs.Dataset.from_arrays({"p": np.zeros((2, 6, 4))}, (x, y))
    with pytest.raises(fs.Error, match="no-such.h5"):
        fs.Dataset("no-such.h5")


def test_datasets_of_xarray(tmp_path):
    xarray = pytest.importorskip("xarray")
    x, y, t = np.linspace(0, 1, 6), np.linspace(0, 2, 4), np.arange(3.0)
    values = np.random.default_rng(3).normal(size=(3, 4, 6))
    dataset = xarray.Dataset(
        {"u": (("time", "y", "x"), values, {"units": "m/s"})}, coords={"time": t, "y": y, "x": x}
    )
    data = fs.Dataset.from_xarray(dataset)
    assert data.summary["meshes"][0]["grid_shape"] == [4, 6] and data.summary["channels"][0]["unit"] == "m/s"


def test_methods_are_compared(points, fields):
    data = fs.Dataset.from_arrays(fields, points)
    table = fs.compare(data, points[SENSORS])
    pandas = pytest.importorskip("pandas")
    assert isinstance(table, pandas.DataFrame) and len(table) > 3
    assert table.attrs["advice"]


def test_scikit_learn_can_use_it(points, fields):
    sklearn = pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.utils import estimator_checks as checks

    assert sklearn
    copy = clone(small(steps=3))
    assert copy.get_params() == small(steps=3).get_params()
    # The checks that fit arbitrary tables (check_estimators_dtypes, check_fit2d_1sample, ...) do not apply: a field
    # needs points, and readings that belong to it.
    for check in (
        checks.check_parameters_default_constructible,
        checks.check_no_attributes_set_in_init,
        checks.check_get_params_invariance,
        checks.check_set_params,
    ):
        check("Reconstructor", fs.Reconstructor())
