# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""Datasets and training, with scikit-learn's verbs.  Importing this loads libtorch."""

from __future__ import annotations

import csv
import inspect
import io
import json
import os
import sys
import tempfile
import time

import numpy as np

from . import _model, _train
from ._readings import floats
from ._runtime import Error

_AXES = ("x", "y", "z")


class Dataset:
    """Fields at many instants, as ``fluidsplat`` keeps them: one HDF5 file.

    Parameters
    ----------
    path : str or path
        A file that ``from_arrays``, ``from_xarray`` or ``fluidsplat data import`` made.

    Examples
    --------
    >>> points = np.random.default_rng(0).uniform(size=(50, 2))
    >>> waves = np.sin(points[:, 0] + np.arange(8)[:, None])
    >>> fs.Dataset.from_arrays({"u": waves}, points)
    <fluidsplat.Dataset: u at 50 points in 2-D, 8 instants>
    """

    def __init__(self, path):
        self.path = os.path.abspath(os.fspath(path))
        if not os.path.exists(self.path):
            raise Error(f"{self.path}: no such dataset; Dataset.from_arrays makes one")
        self._holder = None  # a temporary folder that lives as long as this
        self._info = None

    @classmethod
    def from_arrays(
        cls, fields, points=None, *, path=None, channels=None, units=None, times=None, descriptors=None, features=None
    ):
        """A dataset of arrays.

        Parameters
        ----------
        fields : dict of arrays by channel, or array
            Each (instants, points), or the axes of a grid instead of points: (instants, y, x), (instants, z, y, x).
            As one array: (instants, points, channels).
        points : array, shape (points, dim), or tuple of arrays (x, y[, z])
            Where; for a grid the coordinates along its axes.
        path : str or path, optional
            The file to write; without it a temporary one, which lives as long as the dataset.
        channels : sequence of str
            Names, when the fields are one array.
        units : dict
            The unit of each channel, as far as it is known.
        times : array, shape (instants,)
        descriptors, features : dict of arrays by name
            What describes each instant (instants,), and each point (points,).

        Returns
        -------
        Dataset
        """
        if points is None:
            raise Error("points: say where the fields are, (points, dim) or the axes (x, y[, z]) of a grid")
        values, names = _stacked(fields, channels)
        places, shape = _places(points, values.shape[1:-1])
        values = values.reshape(len(values), -1, values.shape[-1])
        holder = None
        if path is None:
            holder = tempfile.TemporaryDirectory(prefix="fluidsplat-")
            path = os.path.join(holder.name, "data.h5")
        units = units or {}
        unknown = [name for name in units if name not in names]
        if unknown:
            raise Error(f'units: there is no channel "{unknown[0]}"; there are: {", ".join(names)}')
        told, told_names = _columns(descriptors, len(values), "descriptors")
        features, feature_names = _columns(features, values.shape[1], "features")
        times = np.arange(len(values), dtype=float) if times is None else np.asarray(times, float)
        _train.write_dataset(
            os.fspath(path), list(_AXES[: places.shape[1]]), names, [units.get(n, "") for n in names], places, values,
            times.tolist(), told_names, told, feature_names, features, list(shape),
        )  # fmt: skip
        made = cls(path)
        made._holder = holder
        return made

    @classmethod
    def from_xarray(cls, dataset, *, path=None, time="time"):
        """A dataset of an ``xarray.Dataset`` whose variables have the dimensions (time, [z,] y, x).

        Units are those of the variables' attribute ``units``; ``time`` is the name of the first dimension.
        """
        names = [str(n) for n, v in dataset.data_vars.items() if time in v.dims]
        if not names:
            raise Error(f'no variable has the dimension "{time}"; name the one that counts instants')
        dims = [d for d in dataset[names[0]].dims if d != time]
        if not 2 <= len(dims) <= 3:
            raise Error(f"{names[0]} has the dimensions {(time, *dims)}; two or three of space are needed")
        arrays = {n: dataset[n].transpose(time, *dims).values for n in names}
        units = {n: str(dataset[n].attrs["units"]) for n in names if "units" in dataset[n].attrs}
        axes = tuple(np.asarray(dataset[d].values, float) for d in reversed(dims))
        times = np.asarray(dataset[time].values)
        if times.dtype.kind == "M":
            times = (times - times[0]) / np.timedelta64(1, "s")
        return cls.from_arrays(arrays, axes, path=path, units=units, times=times)

    @property
    def summary(self):
        """What ``info`` says, as a dict."""
        if self._info is None:
            text, numbers = _train.info(self.path)
            self._info = text, json.loads(numbers)
        return self._info[1]

    def info(self):
        """What the dataset holds: sizes, ranges, length scales, how much varies; the text of ``fluidsplat data info``."""
        self.summary  # noqa: B018
        return self._info[0]

    def __repr__(self):
        s = self.summary
        names = ", ".join(c["name"] for c in s["channels"])
        return f"<fluidsplat.Dataset: {names} {_extent(s)}>"


def _extent(summary):
    dim = len(summary["coordinates"])
    return f"at {summary['points_most']:,} points in {dim}-D, {summary['cases']} instants"


def _stacked(fields, channels):
    """([instants, ..., channels] float32, names)."""
    if isinstance(fields, dict):
        if not fields:
            raise Error("fields: none is given")
        arrays = {str(n): floats(a, f"fields: {n}") for n, a in fields.items()}
        shapes = {a.shape for a in arrays.values()}
        if len(shapes) > 1:
            raise Error(f"fields: shapes differ: {', '.join(f'{n} {a.shape}' for n, a in arrays.items())}")
        values, names = np.stack(list(arrays.values()), axis=-1), list(arrays)
    else:
        values = floats(fields, "fields")
        if values.ndim == 2:
            values = values[..., np.newaxis]
        names = list(channels) if channels is not None else [f"c{i + 1}" for i in range(values.shape[-1])]
    if values.ndim < 3:
        raise Error(f"fields have the shape {values.shape}; (instants, points[, channels]) is needed")
    return values, names


def _places(points, shape):
    """(points [n, dim], the grid's shape or ()) of points or a grid's axes, for values of this shape."""
    if isinstance(points, (tuple, list)) and all(np.ndim(a) == 1 for a in points) and 2 <= len(points) <= 3:
        axes = [floats(a, "axes", 1) for a in points]
        if tuple(len(a) for a in reversed(axes)) != tuple(shape):
            raise Error(f"a grid of {' x '.join(str(len(a)) for a in axes)} points does not fit fields of {shape}")
        corners = np.meshgrid(*reversed(axes), indexing="ij")
        return np.stack([c.ravel() for c in reversed(corners)], axis=1), shape
    points = floats(points, "points", 2)
    if len(points) != np.prod(shape):
        raise Error(f"{len(points)} points are given for fields of {np.prod(shape)}")
    return points, ()


def _columns(given, count, what):
    given = given or {}
    columns = [floats(v, f"{what}: {n}", 1) for n, v in given.items()]
    for name, column in zip(given, columns):
        if len(column) != count:
            raise Error(f"{what}: {name} has {len(column)} values, needed are {count}")
    return (np.stack(columns, axis=1) if columns else np.empty((count, 0), np.float32)), [str(n) for n in given]


class Reconstructor:
    """Learns to reconstruct a field from a few of its values; scikit-learn's verbs.

    Parameters
    ----------
    minutes : float
        What training may take on this machine; not used when ``steps`` says how many.
    steps : int, optional
        Optimiser steps.
    primitives : int, optional
        Gaussians; chosen to suit the data if not given.
    sensor_channels : sequence of str, optional
        The channels that sensors measure; all if not given.
    validation : float
        The share of instants that choose the best model.
    seed : int
        Of the initial weights and every draw.
    threads : int
        0: OMP_NUM_THREADS or all processors.
    out : str or path, optional
        A folder for the run: config, log, checkpoint and model.  Without it a temporary one.
    settings : dict, optional
        Any other settings by their names in a config, such as ``{"train.batch": 8}``; ``fluidsplat train --show`` lists
        them.
    verbose : bool
        A line of progress, in terminals and notebooks.

    Attributes
    ----------
    model_ : Model
        The best model, ready to plan.
    outcome_ : str
        finished, early stop, out of time or interrupted (Ctrl-C: what was best until then is kept).
    n_features_in_ : int
        The number of readings.
    validation_error_ : float
        Relative L2 error of the best model on the validation instants.

    Examples
    --------
    >>> flow = fs.Reconstructor(minutes=2).fit(sensors, {"u": u, "v": v}, points=points)  # doctest: +SKIP
    >>> flow.predict(readings).shape  # doctest: +SKIP
    (3, 500, 2)
    """

    _estimator_type = "regressor"

    def __init__(
        self,
        minutes=1.0,
        steps=None,
        primitives=None,
        sensor_channels=None,
        validation=0.15,
        seed=0,
        threads=0,
        out=None,
        settings=None,
        verbose=True,
    ):
        self.minutes = minutes
        self.steps = steps
        self.primitives = primitives
        self.sensor_channels = sensor_channels
        self.validation = validation
        self.seed = seed
        self.threads = threads
        self.out = out
        self.settings = settings
        self.verbose = verbose

    def get_params(self, deep=True):
        """The settings by name."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params):
        """Changes settings by name."""
        known = inspect.signature(type(self)).parameters
        for name, value in params.items():
            if name not in known:
                raise Error(f'there is no setting "{name}"; there are: {", ".join(known)}')
            setattr(self, name, value)
        return self

    def __repr__(self):
        default = {n: p.default for n, p in inspect.signature(type(self)).parameters.items()}
        changed = [f"{n}={v!r}" for n, v in self.get_params().items() if v is not default[n] and v != default[n]]
        fitted = f" fitted: {self.model_!r}" if hasattr(self, "model_") else ""
        return f"Reconstructor({', '.join(changed)}){fitted}"

    def fit(self, sensors, fields, points=None, *, channels=None, units=None):
        """Trains.

        Parameters
        ----------
        sensors : array
            Positions (sensors, dim) of floats; or numbers of points, integers (sensors,); or readings
            (instants, readings), which are then found again among the fields' values.
        fields : Dataset, dict of arrays (instants, points) by channel, or array (instants, points, channels)
        points : array, shape (points, dim)
            Where the fields are; not needed with a Dataset.
        channels, units
            As in ``Dataset.from_arrays``.

        Returns
        -------
        Reconstructor
            Itself.
        """
        data = fields
        if not isinstance(data, Dataset):
            data = Dataset.from_arrays(fields, points, channels=channels, units=units)
            values, names = _stacked(fields, channels)
            places = _places(points, values.shape[1:-1])[0]
            values = values.reshape(len(values), -1, values.shape[-1])
            positions, seen = _find_sensors(sensors, values, places, names)
        else:
            places = _train.points(data.path)
            positions, seen = floats(sensors, "sensors", 2), None
        seen = list(self.sensor_channels) if self.sensor_channels is not None else seen
        if not 0 < self.validation < 1:
            raise Error(f"validation is {self.validation}; a share between 0 and 1 is needed")
        if self.steps is None and not self.minutes > 0:
            raise Error(f"minutes is {self.minutes}; a positive number is needed, or steps")
        holder = tempfile.TemporaryDirectory(prefix="fluidsplat-") if self.out is None else None
        out = os.path.join(holder.name, "run") if holder else os.path.abspath(os.fspath(self.out))
        minutes = 0 if self.steps is not None else float(self.minutes)
        toml = _train.suggest(data.path, out, positions.astype(float).tolist(), seen or [], minutes)
        toml = _train.resolve(toml, self._overrides(data.summary["cases"]))
        progress = _Progress("training") if self.verbose else None
        outcome, steps, best, seconds = _train.train(toml, progress)
        if progress:
            progress.end(f"{outcome} after {steps:,} steps, {seconds:.0f} s; validation error {best:.3g}")
        file = os.path.join(out, "model.safetensors")
        if outcome == "interrupted" and not os.path.exists(file):
            raise KeyboardInterrupt("stopped before there was a model to keep")
        self.model_ = _model.open(file)
        self._holder = holder  # the model's file lives as long as this
        self.outcome_, self.steps_, self.validation_error_ = outcome, steps, best
        self.n_features_in_ = len(self.model_.readings)
        self._plan = self.model_.plan(places, threads=self.threads or 0)
        return self

    def _overrides(self, cases):
        kept = max(1, round(self.validation * cases))
        if cases - kept < 2:
            raise Error(f"{cases} instants are too few to train on")
        # A split has to leave one instant over; training takes that too.
        words = {"data.validation_cases": kept, "data.train_cases": cases - kept - 1, "train.seed": int(self.seed)}
        words["train.threads"] = int(self.threads)
        if self.steps is not None:
            words["train.steps"] = int(self.steps)
        if self.primitives is not None:
            words["model.primitives"] = int(self.primitives)
        words |= self.settings or {}
        return [f"{key}={json.dumps(value)}" for key, value in words.items()]

    def _fitted(self):
        if not hasattr(self, "model_"):
            raise _not_fitted()("this Reconstructor is not fitted yet; call fit first")
        return self._plan

    def predict(self, readings):
        """The fields at the points of ``fit``.

        Parameters
        ----------
        readings : array (instants, readings) or (readings,), dict or pandas frame

        Returns
        -------
        ndarray, shape (instants, points, channels) or (points, channels)
        """
        return self._fitted().reconstruct(readings).values

    def score(self, readings, fields):
        """The coefficient of determination R^2 of the predicted fields over all points, instants and channels.

        1 is perfect; 0 is what the mean of these fields over the instants gets.
        """
        truth = _stacked(fields, list(self._fitted().model.channels))[0].astype(np.float64)
        truth = truth.reshape(len(truth), -1, truth.shape[-1])
        guess = self.predict(readings)
        if guess.shape != truth.shape:
            raise Error(f"fields have the shape {truth.shape}, the readings give {guess.shape}")
        spread = ((truth - truth.mean(axis=0)) ** 2).sum()
        return float(1 - ((truth - guess) ** 2).sum() / spread) if spread > 0 else float("nan")

    def save(self, path):
        """Copies the model file, which ``fs.open`` and the C interface open."""
        import shutil

        self._fitted()
        shutil.copyfile(self.model_.path, path)


def _not_fitted():
    try:
        from sklearn.exceptions import NotFittedError

        return NotFittedError
    except ImportError:
        return Error


def _find_sensors(sensors, values, places, names):
    """(positions, channels that they see or None) of what ``fit`` takes."""
    given = np.asarray(sensors)
    if given.dtype.kind in "iu" and given.ndim == 1:
        if given.size == 0 or given.min() < 0 or given.max() >= len(places):
            raise Error(f"sensors: numbers of points from 0 to {len(places) - 1} are needed")
        return places[given], None
    given = floats(given, "sensors", 2)
    if given.shape[1] == places.shape[1] and given.shape[0] != len(values):
        return given, None
    if given.shape[0] != len(values):
        raise Error(
            f"sensors have the shape {given.shape}: positions (sensors, {places.shape[1]}), or readings "
            f"({len(values)}, readings) are needed"
        )
    # Readings: each is the history of one channel at one point.
    table = values.reshape(len(values), -1)
    homes = []
    for r in range(given.shape[1]):
        found = np.flatnonzero((table == given[:, r : r + 1]).all(axis=0))
        if len(found) == 0:
            raise Error(f"reading {r} is not among the fields' values: give the sensors' positions instead")
        homes.append(divmod(int(found[0]), values.shape[2]))
    seen = sorted({c for _, c in homes})
    spots = list(dict.fromkeys(p for p, _ in homes))
    if homes != [(p, c) for p in spots for c in seen]:
        raise Error("readings: every sensor has to measure the same channels, sensor by sensor")
    return places[spots], [names[c] for c in seen]


class _Progress:
    """One line that is written over, in terminals and notebooks."""

    def __init__(self, what):
        self.what, self.begin, self.width = what, time.monotonic(), 0

    def __call__(self, *state):
        if len(state) == 4:
            step, steps, loss, best = state
            self._line(f"{self.what}: step {step:,} of {steps:,}, loss {loss:.3g}, validation {best:.3g}")
        else:
            self._line(f"{self.what}: {state[1]} {100 * state[0]:.0f} %")

    def _line(self, text):
        print("\r" + text.ljust(self.width), end="", file=sys.stderr, flush=True)
        self.width = len(text)

    def end(self, text):
        self._line(f"{self.what}: {text}")
        print(file=sys.stderr)


def compare(dataset, sensors, *, channels=None, minutes=0.0, networks=(), cases=100, settings=None, verbose=False):
    """Every method on the same unseen instants: which one to use for these data?

    Parameters
    ----------
    dataset : Dataset
    sensors : array, shape (sensors, dim)
    channels : sequence of str
        That the sensors measure; all if not given.
    minutes : float
        For all networks together; 0: only the methods that need no training.
    networks : sequence of str
        The kinds to train; all if empty.
    cases : int
        Unseen instants to judge by, at most.
    settings : dict
        Other settings by their names in a config.

    Returns
    -------
    pandas.DataFrame
        One row per method with its errors; a list of dicts without pandas.  The attribute ``attrs["advice"]`` has the
        recommendation.
    """
    positions = floats(sensors, "sensors", 2).astype(float).tolist()
    words = [f"{key}={json.dumps(value)}" for key, value in (settings or {}).items()]
    with tempfile.TemporaryDirectory(prefix="fluidsplat-") as folder:
        toml = _train.suggest(dataset.path, os.path.join(folder, "run"), positions, list(channels or []), 0)
        kept = max(1, round(0.15 * dataset.summary["cases"]))
        words.insert(0, f"data.train_cases={max(1, dataset.summary['cases'] - 2 * kept)}")
        progress = _Progress("comparing") if verbose else None
        result = _train.compare(toml, words, float(minutes), list(networks), int(cases), progress)
    if result is None:
        raise KeyboardInterrupt("the comparison was stopped")
    rows = list(csv.DictReader(io.StringIO(result[0])))
    for row in rows:
        for key, value in row.items():
            try:
                row[key] = float(value)
            except ValueError:
                pass
    try:
        import pandas
    except ImportError:
        return rows
    frame = pandas.DataFrame(rows)
    frame.attrs["advice"] = result[1]
    return frame
