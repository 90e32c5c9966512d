# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""06: your own method beside the built-in ones, on the same instants.  Writes 06_baseline.png."""

import fluidsplat as fs
import matplotlib.pyplot as plt
import numpy as np

rng = np.random.default_rng(3)
points = rng.uniform([0, -1], [4, 1], (300, 2))
x, y = points.T
times = np.sort(rng.uniform(0, 2 * np.pi, 60))
fields = np.stack([np.sin(2 * x - t) * np.cos(2 * y) + 0.3 * np.sin(4 * x - 2 * t) for t in times])
sensors = [5, 60, 90, 150, 210, 260]
train, test = np.arange(60) % 4 != 0, np.arange(60) % 4 == 0


class Ridge:
    """Linear from readings to the field, with a small penalty: anything with fit and predict will do."""

    def fit(self, readings, truth, penalty=1e-3):
        self.mean = readings.mean(0), truth.mean(0)
        a, b = readings - self.mean[0], truth - self.mean[1]
        self.map = np.linalg.solve(a.T @ a + penalty * np.eye(a.shape[1]), a.T @ b)
        return self

    def predict(self, readings):
        return self.mean[1] + (readings - self.mean[0]) @ self.map


def error(guess):
    return np.linalg.norm(guess - fields[test]) / np.linalg.norm(fields[test])


mine = Ridge().fit(fields[train][:, sensors], fields[train])
theirs = fs.Reconstructor(steps=30, verbose=False)
theirs.fit(sensors, {"v": fields[train]}, points=points)
readings = fields[test][:, sensors]
results = {"own ridge": error(mine.predict(readings)), "FluidSplat": error(theirs.predict(readings)[..., 0])}
for name, value in results.items():
    print(f"{name:>12}: relative error {value:.1e}")
print("built-in methods that need no training:")
table = fs.compare(fs.Dataset.from_arrays({"v": fields}, points), points[sensors])
print(table[["method", "clean"]].to_string(index=False))

# The built-in ones chose their own unseen instants; the flow is the same.
shown = results | dict(zip(table["method"], table["clean"]))
names = sorted(shown, key=shown.get)
fig, ax = plt.subplots(layout="constrained")
ax.barh(names, [shown[n] for n in names], color=["C1" if n in results else "C0" for n in names])
ax.set(xscale="log", xlabel="relative error on unseen instants")
fig.savefig("06_baseline.png", dpi=110)
