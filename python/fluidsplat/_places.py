# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""Where a field is wanted: points, a grid, a mesh."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

import numpy as np

from ._readings import floats
from ._runtime import Error


@dataclass
class Places:
    """Points [n, dim] with what is known of how they belong together.

    ``shape`` is the grid's, slowest axis first ((y, x) or (z, y, x)), or empty.  ``cells`` are those of a mesh
    (connectivity, offsets, types as in VTK) or None, ``data`` what its points carry by name.
    """

    points: np.ndarray
    text: str
    shape: tuple = ()
    cells: tuple | None = None
    data: dict = field(default_factory=dict)

    def axes(self):
        """The coordinates along each axis of a grid: x, y[, z]."""
        dim = self.points.shape[1]
        rows = self.points.reshape(*self.shape, dim)
        return [rows[tuple(slice(None) if a == dim - 1 - i else 0 for a in range(dim))][:, i] for i in range(dim)]


def places_of(model, points, grid, mesh):
    if sum(x is not None for x in (points, grid, mesh)) != 1:
        raise Error("say where the field is wanted, in one way: points, grid=(nx, ny[, nz]) or mesh")
    if points is not None and not hasattr(points, "__array_interface__") and hasattr(points, "points"):
        mesh, points = points, None  # a mesh given where points are expected
    if grid is not None:
        return _grid(model, grid)
    return _mesh(model, mesh) if mesh is not None else _points(model, points)


def _points(model, points):
    points = floats(points, "points", 2)
    if points.shape[1] != model.dim:
        raise Error(f"points have the shape {points.shape}, needed is (points, {model.dim})")
    return Places(points, f"at {len(points):,} points")


def _grid(model, grid):
    counts = [int(n) for n in np.atleast_1d(grid)]
    if len(counts) != model.dim or min(counts) < 2:
        raise Error(f"grid is {tuple(grid)}; {model.dim} numbers of points are needed, each at least 2")
    low, high = model.domain
    axes = [np.linspace(low[a], high[a], n, dtype=np.float32) for a, n in enumerate(counts)]
    corners = np.meshgrid(*reversed(axes), indexing="ij")  # slowest axis first
    points = np.ascontiguousarray(np.stack([c.ravel() for c in reversed(corners)], axis=1))
    return Places(points, f"on a grid of {' x '.join(map(str, counts))} points", tuple(reversed(counts)))


def _mesh(model, mesh):
    if isinstance(mesh, (str, os.PathLike)):
        from . import _vtk

        path = os.fspath(mesh)
        points, cells, data = _vtk.read(path)
        text = f"at {len(points):,} points of {os.path.basename(path)}"
    elif hasattr(mesh, "points"):
        points, cells = np.asarray(mesh.points), None
        data = {str(k): np.asarray(v) for k, v in dict(getattr(mesh, "point_data", {})).items()}
        text = f"at the {len(points):,} points of a {type(mesh).__name__}"
    else:
        raise Error(f"a mesh is a file's name or an object with points, not a {type(mesh).__name__}")
    if points.ndim != 2 or points.shape[1] < model.dim:
        raise Error(f"the mesh's points have the shape {points.shape}, needed is (points, {model.dim})")
    extra = points[:, model.dim :]
    if extra.size and np.ptp(extra, axis=0).max() > 1e-6 * max(np.ptp(points, axis=0).max(), 1e-30):
        raise Error(f"the mesh is not flat, but the model is {model.dim}-D")
    return Places(floats(points[:, : model.dim], "points", 2), text, cells=cells, data=data)
