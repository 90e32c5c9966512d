# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""What users give as readings, descriptors and features, made into C-contiguous float32 arrays."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

import numpy as np

from ._runtime import Error


def floats(given, what, ndim=None):
    """A C-contiguous float32 array of what was given; itself when it is one."""
    a = given if isinstance(given, np.ndarray) else np.asarray(given)
    if a.dtype != np.float32:
        if a.dtype.kind not in "fiu":
            raise Error(f"{what} are of the type {a.dtype}; real numbers are needed")
        with np.errstate(over="ignore"):  # too large for float32: infinite, and refused later
            a = a.astype(np.float32)
    if ndim is not None and a.ndim != ndim:
        raise Error(f"{what} have the shape {a.shape}; {ndim} axes are needed")
    return a if a.flags.c_contiguous else np.ascontiguousarray(a)


def is_named(given):
    """A mapping, or a pandas frame or series."""
    return isinstance(given, Mapping) or (hasattr(given, "keys") and hasattr(given, "to_numpy"))


def suggestion(name, known):
    near = [k for k in known if k.lower() == name.lower()] or difflib.get_close_matches(name, known, 1)
    return f', did you mean "{near[0]}"?' if near else ""


def table_of(given, names, count, what):
    """An array [count, names] of an array or of columns by name, which may hold others too."""
    if given is None:
        raise Error(f"the model needs {what} at every point: {', '.join(names)}")
    if not is_named(given):
        return floats(given, what, 2)
    missing = [name for name in names if name not in given]
    if missing:
        raise Error(f"{what}: there is no \"{missing[0]}\"; the model needs {', '.join(names)}")
    columns = [floats(given[name], f"{what}: {name}", 1) for name in names]
    for name, column in zip(names, columns):
        if len(column) != count:
            raise Error(f"{what}: {name} has {len(column)} values for {count} points")
    return np.ascontiguousarray(np.stack(columns, axis=1))


class ReadingNames:
    """The readings of a set of sensors by name."""

    def __init__(self, columns, short, descriptors, sensors):
        self.columns = tuple(columns)
        self.sensors = tuple(sensors)
        self._descriptors = tuple(descriptors)
        self._place = {name: i for i, name in enumerate(columns)}
        self._short = short  # another name of a reading -> its column

    @classmethod
    def of(cls, model, positions):
        """For the model's sensors, or for others at ``positions``, with the C interface's rule of which is which."""
        measured = {}
        for sensor, channel in model._measured:
            measured.setdefault(sensor, []).append(channel)
        sensors = [(name, measured.get(i, [])) for i, name in enumerate(model.sensors)]
        if positions is not None:
            every = list(range(len(model.channels)))
            known = {tuple(p): sensors[i] for i, p in enumerate(model.sensor_positions)}
            sensors = [known.get(tuple(p), (f"s{i + 1}", every)) for i, p in enumerate(positions)]
            if len({name for name, _ in sensors}) < len(sensors):  # some of the model's, some not: number them all
                sensors = [(f"s{i + 1}", seen) for i, (_, seen) in enumerate(sensors)]
        columns, short = [], {}
        for name, seen in sensors:
            columns += [f"{name}.{model.channels[c]}" for c in seen]
            if len(seen) == 1 and name not in ("time", "mesh", *model.descriptors):
                short[name] = columns[-1]
        return cls(columns, short, model.descriptors, [name for name, _ in sensors])

    def take(self, readings, descriptors):
        """(readings [instants, readings], descriptors [instants, descriptors] or None, whether it is one instant)."""
        if is_named(readings):
            said, single, found = self._from_names(readings)
            descriptors = found if descriptors is None else descriptors
        else:
            said = floats(readings, "readings")
            single = said.ndim < 2
        if single:
            said = said[np.newaxis]
        told = self._take_descriptors(descriptors, len(said)) if self._descriptors else None
        if told is None and descriptors is not None and len(descriptors) > 0:
            raise Error("the model has no descriptors")
        return said, told, single

    def _from_names(self, given):
        others = ("time", "mesh", *self._descriptors)
        values = {}
        for name in given.keys():
            column = self._short.get(name, name)
            if column in values:
                raise Error(f'readings: "{name}" and "{column}" mean the same; which?')
            if column in self._place:
                values[column] = floats(given[name], f"readings: {name}")
            elif name not in others:
                raise Error(
                    f'readings: unknown "{name}"{suggestion(str(name), self.columns)}; '
                    f"the sensors measure: {', '.join(self.columns)}"
                )
        if not values:
            raise Error(f"readings: none is given; the sensors measure: {', '.join(self.columns)}")
        shapes = {v.shape for v in values.values()}
        if len(shapes) > 1 or len(next(iter(shapes))) > 1:
            raise Error(f"readings: shapes differ or have more than one axis: {sorted(shapes)}")
        shape = shapes.pop()
        said = np.full((*shape, len(self.columns)), np.nan, np.float32)
        for column, v in values.items():
            said[..., self._place[column]] = v
        found = {name: given[name] for name in self._descriptors if name in given}
        return said, not shape, found or None

    def _take_descriptors(self, given, instants):
        names = self._descriptors
        if given is None:
            raise Error(f"the model needs descriptors: {', '.join(names)}")
        if is_named(given):
            missing = [name for name in names if name not in given]
            if missing:
                raise Error(f'descriptors: there is no "{missing[0]}"; the model needs {", ".join(names)}')
            given = np.stack([np.broadcast_to(floats(given[n], f"descriptors: {n}"), (instants,)) for n in names], -1)
        told = floats(given, "descriptors")
        if told.ndim == 1:
            told = np.ascontiguousarray(np.broadcast_to(told, (instants, len(told))))
        return told
