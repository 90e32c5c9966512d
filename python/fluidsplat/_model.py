# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""Models and plans."""

from __future__ import annotations

import os
import threading

import numpy as np

from . import _runtime
from ._field import Bands, Field, Gradient, Primitives, SensorCheck, SensorFinding
from ._places import Places, places_of
from ._readings import ReadingNames, floats, table_of
from ._runtime import Error

_SIDES = {"both": 0, "upper": 1, "lower": 2}


def open(path: str | os.PathLike) -> Model:
    """Opens a trained model.

    Parameters
    ----------
    path : str or path
        A model file, or the run folder that holds ``model.safetensors``.

    Returns
    -------
    Model

    Raises
    ------
    Error
        When it is no sound model file; the text names the file and what is wrong with it.

    Examples
    --------
    >>> fs.open(model_file)
    <fluidsplat.Model: u [m], v [m] in 2-D from 5 sensors (9 readings); 9 primitives, 3,428 parameters; not calibrated>
    """
    return Model(path)


class Model:
    """A trained model: constant, and usable by any number of threads at once.  ``open`` makes one.

    Attributes
    ----------
    channels : tuple of str
        What is reconstructed at every point.
    units : dict
        The unit of each channel.
    features, descriptors : tuple of str
        What has to be given with every point, and once per instant; often nothing.
    sensors : tuple of str
        Names of the sensors the model was trained with; s1, s2, ... for those without one.
    sensor_positions : ndarray, shape (sensors, dim)
        Where they are, in the units of the training data.
    readings : tuple of str
        What they measure, in the order in which ``Plan.reconstruct`` takes it: ``sensor.channel``.
    domain : ndarray, shape (2, dim)
        The lower and the upper corner of the box that the model was trained in.
    highest_level : float
        The highest level that bands can be asked for; 0 for a model that was not calibrated.
    dim, primitives, parameters : int
        The dimension, the number of Gaussians and of trained numbers.
    """

    def __init__(self, path):
        path = os.fspath(path)
        if os.path.isdir(path):
            path = os.path.join(path, "model.safetensors")
        self.path = path
        self._handle = handle = _runtime.Model(path)
        self.dim = handle.dim
        self.primitives, self.parameters = handle.primitives, handle.parameters
        self.channels = tuple(handle.channels())
        self.units = dict(zip(self.channels, handle.units()))
        self.features, self.descriptors = tuple(handle.features()), tuple(handle.descriptors())
        self.sensors = tuple(name or f"s{i + 1}" for i, name in enumerate(handle.sensors()))
        self.sensor_positions = handle.sensor_positions()
        self.domain = handle.domain()
        self.highest_level = handle.calibration()[0]
        self._measured = handle.readings()
        self.readings = tuple(f"{self.sensors[s]}.{self.channels[c]}" for s, c in self._measured)

    def __repr__(self):
        channels = ", ".join(f"{c} [{u}]" if u else c for c, u in self.units.items())
        calibrated = f"bands up to {self.highest_level:.3g}" if self.highest_level else "not calibrated"
        return (
            f"<fluidsplat.Model: {channels} in {self.dim}-D from {len(self.sensors)} sensors "
            f"({len(self.readings)} readings); {self.primitives} primitives, {self.parameters:,} parameters; "
            f"{calibrated}>"
        )

    def plan(
        self,
        points=None,
        *,
        grid=None,
        mesh=None,
        features=None,
        sensors=None,
        sensor_means=None,
        sensor_features=None,
        wall=None,
        threads=1,
    ) -> Plan:
        """Makes the model ready for a set of points.

        Parameters
        ----------
        points : array, shape (points, dim)
            Where the field is wanted, in the units of the training data.
        grid : tuple of int
            Instead of points: so many along x, y[, z], over the model's domain.
        mesh : str, path or object
            Instead of points: those of a .vti, .vtu or .vtp file, or of an object with ``points`` (PyVista, meshio).
            Features are taken from its point data by name.
        features : array, shape (points, features), or dict of arrays by name
            For a model that needs them.
        sensors : array, shape (sensors, dim)
            Other sensors than those of training.  One that stands exactly where one of the model's stands is that one;
            any other measures every channel.
        sensor_means : array, shape (sensors, channels)
            What these say on average, when that is known.
        sensor_features : array, shape (sensors, features)
            Features at the sensors; needed to check sensors of a model with features.
        wall : tuple (points, features)
            The wall, for a model that looks at its shape: (n, dim) and (n, wall features).
        threads : int
            For each call; 0 takes all processors.

        Returns
        -------
        Plan

        Examples
        --------
        >>> model.plan(grid=(40, 20))
        <fluidsplat.Plan: u, v on a grid of 40 x 20 points from 9 readings>
        """
        places = places_of(self, points, grid, mesh)
        return Plan(self, places, features, sensors, sensor_means, sensor_features, wall, threads)


class Plan:
    """A model made ready for a set of points and sensors.  ``Model.plan`` makes one.

    Every method takes readings as

    - an array of shape (readings,) for one instant or (instants, readings) for many, in the order of ``readings``;
    - a dict or a pandas frame or series by name (``nose.u``, or ``nose`` for a sensor that measures one channel).
      Readings that it does not name count as silent; a frame's columns ``time`` and those of descriptors are known.

    NaN says that a sensor says nothing.  Any real dtype is taken; a C-contiguous float32 array is not copied.  Calls
    release the interpreter's lock; several threads may use one plan but then wait for each other, so give each its own.

    Attributes
    ----------
    model : Model
    points : ndarray of float32, shape (points, dim)
    readings : tuple of str
    """

    def __init__(self, model, places: Places, features, sensors, sensor_means, sensor_features, wall, threads):
        self.model = model
        self._places = places
        self.points = places.points
        count, dim = len(places.points), model.dim
        wall_points, wall_features = wall if wall is not None else (None, None)
        given = features if features is not None else places.data or None
        self._options = {
            "points": places.points,
            "features": table_of(given, model.features, count, "features") if model.features else None,
            "sensors": None if sensors is None else floats(sensors, "sensors", 2),
            "sensor_means": None if sensor_means is None else floats(sensor_means, "sensor_means", 2),
            "sensor_features": None if sensor_features is None else floats(sensor_features, "sensor_features", 2),
            "wall_points": None if wall_points is None else floats(wall_points, "points of the wall", 2),
            "wall_features": None if wall_features is None else floats(wall_features, "features of the wall", 2),
            "threads": int(threads) if threads else os.cpu_count() or 1,
        }
        positions = self._options["sensors"]
        if positions is not None and positions.shape[1] != dim:
            raise Error(f"sensors have the shape {positions.shape}, needed is (sensors, {dim})")
        self._names = ReadingNames.of(model, positions)
        self.readings = self._names.columns
        self._plans, self._lock = {}, threading.Lock()
        self._plan()

    def __repr__(self):
        return (
            f"<fluidsplat.Plan: {', '.join(self.model.channels)} {self._places.text} "
            f"from {len(self.readings)} readings>"
        )

    def _plan(self, **wish):
        """The runtime's plan for what is asked; made when it is first asked for."""
        key = tuple(sorted(wish.items()))
        plan = self._plans.get(key)
        if plan is None:
            with self._lock:
                plan = self._plans.get(key)
                if plan is None:
                    plan = self._plans[key] = _runtime.Plan(self.model._handle, **{**self._options, **wish})
        return plan

    def _new(self, frames, *width):
        return np.empty((frames, len(self.points), *width), np.float32)

    def _shaped(self, values, single):
        """As users see it: without the axis of instants for one, with the grid's axes for a grid."""
        shape = self._places.shape
        if shape:
            values = values.reshape(values.shape[:1] + shape + values.shape[2:])
        return values[0] if single else values

    def reconstruct(self, readings, descriptors=None, *, out=None) -> Field:
        """The field at the plan's points.

        Parameters
        ----------
        readings : array, dict or pandas frame
            What the sensors say, for one instant or many; see the class.
        descriptors : array, shape (descriptors,) or (instants, descriptors), or dict
            For a model that needs them.
        out : ndarray of float32, C-contiguous, optional
            Filled instead of a new array; room for (instants, points, channels).

        Returns
        -------
        Field

        Examples
        --------
        >>> plan.reconstruct({"s1.u": 0.5, "s3.v": 0.1})
        <fluidsplat.Field: u [m], v [m] on a grid of 40 x 20 points>
        >>> plan.reconstruct(np.zeros((10, 9)))
        <fluidsplat.Field: u [m], v [m] on a grid of 40 x 20 points, 10 instants>
        """
        said, told, single = self._names.take(readings, descriptors)
        values = self._new(len(said), len(self.model.channels)) if out is None else out
        self._plan().run(said, told, {"field": values})
        if out is not None:
            values = out.reshape(len(said), len(self.points), len(self.model.channels))
        return Field(self.model, self._places, self._shaped(values, single), single)

    def scaffold(self, readings, descriptors=None) -> Field:
        """What the Gaussians alone say, without the decoder: a ``Field`` like that of ``reconstruct``."""
        said, told, single = self._names.take(readings, descriptors)
        values = self._new(len(said), len(self.model.channels))
        self._plan().run(said, told, {"primitive": values})
        return Field(self.model, self._places, self._shaped(values, single), single)

    def gradient(self, readings, descriptors=None) -> Gradient:
        """Derivatives of the field by position, with vorticity and divergence for a model that has velocities.

        Returns
        -------
        Gradient
            ``values`` has the field's axes and one more for x, y[, z].
        """
        said, told, single = self._names.take(readings, descriptors)
        model, plan = self.model, self._plan(gradients=True)
        result = {"gradient": self._new(len(said), len(model.channels), model.dim)}
        velocities = all(name in model.channels for name in "uvw"[: model.dim])
        if velocities:
            result["divergence"] = self._new(len(said))
            result["vorticity"] = self._new(len(said), *((3,) if model.dim == 3 else ()))
        plan.run(said, told, result)
        shaped = {name: self._shaped(values, single) for name, values in result.items()}
        return Gradient(
            model, self._places, shaped["gradient"], shaped.get("vorticity"), shaped.get("divergence"), single
        )

    def bands(
        self, readings, level=0.9, descriptors=None, *, simultaneous=False, side="both", on_average=False
    ) -> Bands:
        """Bands that hold the truth with a given probability, for a calibrated model.

        Parameters
        ----------
        level : float
            The probability, such as 0.9.
        simultaneous : bool
            Bands for all points of a channel at once, not for each by itself.
        side : {"both", "upper", "lower"}
            The edges that are wanted; the other is infinite.
        on_average : bool
            Bands that hold the level on average over calibrations, narrower than those that hold it at least.

        Returns
        -------
        Bands
            With ``field``, ``lower``, ``upper``, ``scale`` and ``guarantee``, a sentence that says what they promise.

        Raises
        ------
        Error
            When the model was not calibrated, or not for so high a level.
        """
        if side not in _SIDES:
            raise Error(f"side is {side!r}; it can be both, upper or lower")
        said, told, single = self._names.take(readings, descriptors)
        wish = {"level": float(level), "simultaneous": bool(simultaneous), "on_average": bool(on_average)}
        plan = self._plan(side=_SIDES[side], **wish)
        result = {name: self._new(len(said), len(self.model.channels)) for name in ("field", "lower", "upper", "scale")}
        plan.run(said, told, result)
        parts = (Field(self.model, self._places, self._shaped(v, single), single) for v in result.values())
        return Bands(*parts, level=float(level), guarantee=plan.guarantee)

    def primitives(self, readings, descriptors=None) -> Primitives:
        """The Gaussians that the model places for these readings, in the units of the data.

        Returns
        -------
        Primitives
        """
        said, told, single = self._names.take(readings, descriptors)
        model = self.model
        raw = np.empty((len(said), model.primitives, model._handle.primitive_columns), np.float32)
        self._plan().primitives(said, told, raw)
        return Primitives.of(model, raw[0] if single else raw)

    def check_sensors(self, readings, descriptors=None) -> SensorCheck:
        """Holds each sensor against what the others suggest, for one instant and a calibrated model.

        Returns
        -------
        SensorCheck
            The state of each sensor, and in ``readings`` what was said with NaN for every sensor that is not fine:
            give that to ``reconstruct``.
        """
        said, told, single = self._names.take(readings, descriptors)
        if not single:
            raise Error("sensors are checked one instant at a time: give readings of the shape (readings,)")
        plan = self._plan(check_sensors=True)
        checked = np.empty(said.shape[1], np.float32)
        findings, unresolved = plan.check_sensors(said, told, checked)
        names, channels = self._names.sensors, self.model.channels
        found = [
            SensorFinding(names[i], _STATES[state], channels[channel], said_, expected, steps)
            for i, (state, channel, said_, expected, steps) in enumerate(findings)
        ]
        return SensorCheck(found, checked, unresolved, plan.false_alarms)


_STATES = ("fine", "silent", "out of range", "disagrees", "swapped")
