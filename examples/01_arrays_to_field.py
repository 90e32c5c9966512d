# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""01: from arrays to a field in 20 lines.  Writes 01_field.png and 01_field.vti."""

import fluidsplat as fs
import numpy as np

rng = np.random.default_rng(0)
points = rng.uniform([0, -1], [4, 1], (400, 2))  # where the field is known
x, y = points.T


def flow(time):  # a row of travelling vortices stands for your simulation
    return {"u": 1 + np.cos(2 * x - time) * np.sin(2 * y), "v": np.sin(2 * x - time) * np.cos(2 * y)}


frames = [flow(t) for t in np.linspace(0, 2 * np.pi, 40, endpoint=False)]
fields = {name: np.stack([f[name] for f in frames]) for name in "uv"}
sensors = [5, 90, 210, 333]  # four of the points carry a probe
model = fs.Reconstructor(steps=30, verbose=False)  # or minutes=5
model.fit(sensors, fields, points=points, units={"u": "m/s", "v": "m/s"})

unseen = flow(1.234)
readings = [unseen[c][s] for s in sensors for c in "uv"]
error = np.sqrt(np.mean([(model.predict(readings)[:, i] - unseen[c]) ** 2 for i, c in enumerate("uv")]))
print(f"unseen instant: rms error {error:.1e} m/s from {len(readings)} readings")
field = model.model_.plan(grid=(160, 80)).reconstruct(readings)
field.plot("v").figure.savefig("01_field.png", dpi=110)
print(field.to_vtk("01_field"))
