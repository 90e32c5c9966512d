# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""What a plan answers: arrays with names and units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._readings import suggestion
from ._runtime import Error


class Field:
    """Values of every channel at a plan's points, in the units of the training data.

    Attributes
    ----------
    values : ndarray of float32
        (points, channels); (instants, points, channels) for many instants.  On a grid the axis of points is (y, x) or
        (z, y, x).
    points : ndarray of float32, shape (points, dim)
    channels : tuple of str
    units : dict of str

    Examples
    --------
    >>> field = plan.reconstruct([0.5, 0.1, 1.5, 0.1, 0.2, 0.3, 0.1, 0.0, 0.4])
    >>> field["v"].shape, field.units["v"]
    ((20, 40), 'm')
    """

    def __init__(self, model, places, values, single):
        self.channels, self.units = model.channels, model.units
        self.points, self.values = places.points, values
        self._places, self._single = places, single

    def __repr__(self):
        channels = ", ".join(f"{c} [{u}]" if u else c for c, u in self.units.items())
        many = "" if self._single else f", {len(self.values)} instants"
        return f"<fluidsplat.Field: {channels} {self._places.text}{many}>"

    def __array__(self, dtype=None):
        return self.values if dtype is None else self.values.astype(dtype)

    def __getitem__(self, channel):
        """A channel by name: a view, not a copy."""
        return self.values[..., self._index(channel)]

    def _index(self, channel):
        if channel not in self.channels:
            raise Error(
                f'there is no channel "{channel}"{suggestion(str(channel), self.channels)}; '
                f"there are: {', '.join(self.channels)}"
            )
        return self.channels.index(channel)

    def force(self, normals, areas, pressure="p"):
        """The pressure's force on a wall whose points the plan was made for: minus the sum of p n dA.

        Parameters
        ----------
        normals : array, shape (points, dim)
            Unit vectors out of the body.
        areas : array, shape (points,)
            What each point stands for: an area, in the plane a length.
        pressure : str
            The pressure's channel.

        Returns
        -------
        ndarray, shape (dim,) or (instants, dim)
            In the unit of the pressure times that of the areas.
        """
        normals, areas = np.asarray(normals, np.float64), np.asarray(areas, np.float64)
        if normals.shape != self.points.shape or areas.shape != self.points.shape[:1]:
            raise Error(
                f"normals have the shape {normals.shape} and areas {areas.shape}; needed are {self.points.shape} and "
                f"{self.points.shape[:1]}"
            )
        p = self[pressure].reshape((-1, len(self.points))).astype(np.float64)
        force = -p @ (normals * areas[:, np.newaxis])
        return force[0] if self._single else force

    def to_vtk(self, path):
        """Writes the field for ParaView: a .vti for a grid, otherwise a .vtu with the mesh's cells or bare points.

        Parameters
        ----------
        path : str or path
            For many instants a .pvd of this name, with one file each beside it.

        Returns
        -------
        str
            The file to open.
        """
        return _write(path, self._places, dict(self._named(self.values)), self._single)

    def _named(self, values, suffix=""):
        for i, name in enumerate(self.channels):
            yield name + suffix, values[..., i]

    def plot(self, channel=None, *, instant=0, ax=None, **style):
        """Draws a channel with matplotlib: in the plane as colours, of a 3-D grid the middle layer.

        Parameters
        ----------
        channel : str
            The first if not given.
        instant : int
            Which of many.
        ax : matplotlib Axes
            A new figure's if not given.
        **style
            For ``pcolormesh`` or ``scatter``, such as ``cmap``.

        Returns
        -------
        matplotlib Axes
        """
        import matplotlib.pyplot as plt

        channel = self.channels[0] if channel is None else channel
        values = self[channel] if self._single else self[channel][instant]
        ax = plt.subplots(layout="constrained")[1] if ax is None else ax
        if self._places.shape:
            axes = self._places.axes()
            layer = values if values.ndim == 2 else values[values.shape[0] // 2]
            drawn = ax.pcolormesh(axes[0], axes[1], layer, shading="gouraud", **style)
        else:
            drawn = ax.scatter(self.points[:, 0], self.points[:, 1], c=values, s=4, **style)
        ax.set_aspect("equal")
        ax.set(xlabel="x", ylabel="y")
        unit = self.units[channel]
        ax.figure.colorbar(drawn, ax=ax, label=f"{channel} [{unit}]" if unit else channel)
        return ax


@dataclass(repr=False)
class Bands:
    """A field with the band that holds the truth: lower <= truth <= upper with probability ``level``.

    ``scale`` is the local scale that the band's width is a multiple of, ``guarantee`` the promise in one sentence.
    Edges are infinite where too many sensors are silent to promise any.
    """

    field: Field
    lower: Field
    upper: Field
    scale: Field
    level: float
    guarantee: str

    def __repr__(self):
        return f"<fluidsplat.Bands: {self.level:g} around {self.field!r}; {self.guarantee}>"

    def width(self, channel):
        """Upper minus lower edge of a channel."""
        return self.upper[channel] - self.lower[channel]

    def to_vtk(self, path):
        """Writes field and edges into one file, as ``Field.to_vtk``."""
        f = self.field
        arrays = dict(f._named(f.values))
        for name in ("lower", "upper", "scale"):
            arrays |= f._named(getattr(self, name).values, "_" + name)
        return _write(path, f._places, arrays, f._single)


class Gradient:
    """Derivatives of a field.

    Attributes
    ----------
    values : ndarray of float32
        The field's axes and one more for x, y[, z]; in the channel's unit per unit of length.
    vorticity, divergence : ndarray of float32 or None
        For a model with velocities u, v[, w]; the vorticity has three components in 3-D.
    """

    def __init__(self, model, places, values, vorticity, divergence, single):
        self.channels = model.channels
        self.points, self.values = places.points, values
        self.vorticity, self.divergence = vorticity, divergence
        self._places, self._single = places, single

    def __repr__(self):
        more = " with vorticity and divergence" if self.vorticity is not None else ""
        return f"<fluidsplat.Gradient: of {', '.join(self.channels)} {self._places.text}{more}>"

    def __getitem__(self, channel):
        """The derivatives of a channel by x, y[, z]."""
        if channel not in self.channels:
            raise Error(f'there is no channel "{channel}"; there are: {", ".join(self.channels)}')
        return self.values[..., self.channels.index(channel), :]


@dataclass(repr=False)
class Primitives:
    """The Gaussians of one instant, or of many with a leading axis.

    Attributes
    ----------
    centres : ndarray, shape (primitives, dim)
        In the units of the data.
    axes : ndarray, shape (primitives, dim, dim)
        Rows are the semi-axes of one standard deviation, the longest first, in the units of the data.
    weights : ndarray, shape (primitives,)
        In (0, 1).
    amplitudes : ndarray, shape (primitives, channels)
        Normalised: in standard deviations of the training data.
    """

    centres: np.ndarray
    axes: np.ndarray
    weights: np.ndarray
    amplitudes: np.ndarray

    def __repr__(self):
        *many, count, dim = self.centres.shape
        instants = f", {many[0]} instants" if many else ""
        return f"<fluidsplat.Primitives: {count} Gaussians in {dim}-D{instants}>"

    @classmethod
    def of(cls, model, raw):
        """From the runtime's rows: centre, scales, rotation (unless axis-aligned), log weight, amplitude."""
        dim, channels = model.dim, len(model.channels)
        raw = raw.astype(np.float64)
        low, high = model.domain
        side = high - low
        scales = raw[..., dim : 2 * dim]
        if raw.shape[-1] == 2 * dim + 1 + channels:
            rotation = np.broadcast_to(np.eye(dim), (*raw.shape[:-1], dim, dim))
        else:
            rotation = raw[..., 2 * dim : 2 * dim + dim * dim].reshape(*raw.shape[:-1], dim, dim)
        # Axes stretched into the domain are no longer at right angles: take those of the stretched ellipsoid.
        stretched = rotation * scales[..., np.newaxis] * side
        values, vectors = np.linalg.eigh(np.swapaxes(stretched, -1, -2) @ stretched)
        axes = np.sqrt(np.maximum(values, 0))[..., np.newaxis] * np.swapaxes(vectors, -1, -2)
        return cls(
            low + side * raw[..., :dim],
            axes[..., ::-1, :],
            np.exp(raw[..., -channels - 1]),
            raw[..., -channels:],
        )


@dataclass(frozen=True)
class SensorFinding:
    """How a sensor fits the others.

    ``state`` is fine, silent, out of range, disagrees or swapped; ``said`` and ``expected`` are of its reading that fits
    worst, of ``channel``; ``steps`` is their difference in units of what it usually is.
    """

    sensor: str
    state: str
    channel: str
    said: float
    expected: float
    steps: float


@dataclass(repr=False)
class SensorCheck:
    """Every sensor held against the others.

    Attributes
    ----------
    findings : list of SensorFinding
        One per sensor.
    readings : ndarray of float32, shape (readings,)
        What was said, NaN for every sensor that is not fine.
    unresolved : bool
        Half of the sensors were taken out and the rest still do not fit each other.
    false_alarms : float
        The share of instants with sound sensors in which some sensor is wrongly named, on average.
    """

    findings: list
    readings: np.ndarray
    unresolved: bool
    false_alarms: float

    @property
    def suspects(self):
        """The findings that are not fine."""
        return [f for f in self.findings if f.state != "fine"]

    def __repr__(self):
        named = ", ".join(f"{f.sensor} {f.state}" for f in self.suspects) or "all sensors are fine"
        return f"<fluidsplat.SensorCheck: {named}{'; unresolved' if self.unresolved else ''}>"


def _write(path, places, arrays, single):
    from . import _vtk

    return _vtk.write(path, places, arrays) if single else _vtk.write_series(path, places, arrays)
