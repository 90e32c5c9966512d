# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""04: sensors die one after another.  Prints the error, writes 04_dying_sensors.png."""

import fluidsplat as fs
import matplotlib.pyplot as plt
import numpy as np

rng = np.random.default_rng(1)
points = rng.uniform([0, -1], [4, 1], (400, 2))
x, y = points.T


def flow(time):
    return np.sin(2 * x - time) * np.cos(2 * y)


times = np.linspace(0, 2 * np.pi, 40, endpoint=False)
sensors = [5, 60, 90, 150, 210, 260, 333, 390]
# Sensors that fall silent in training teach the model to do without them.
model = fs.Reconstructor(steps=30, settings={"train.sensor_dropout": 0.3}, verbose=False)
model.fit(sensors, {"v": np.stack([flow(t) for t in times])}, points=points)

unseen = np.linspace(0.1, 6, 17)
truth = np.stack([flow(t) for t in unseen])
errors = []
for dead in range(len(sensors)):
    readings = truth[:, sensors] + 0.05 * rng.normal(size=(len(truth), len(sensors)))  # noise on every sensor
    readings[:, :dead] = np.nan  # NaN: this one says nothing
    guess = model.predict(readings)[..., 0]
    errors.append(np.linalg.norm(guess - truth) / np.linalg.norm(truth))
    print(f"{dead} of {len(sensors)} silent: relative error {errors[-1]:.3f}")

fig, ax = plt.subplots(layout="constrained")
ax.plot(errors, "o-")
ax.set(xlabel="silent sensors", ylabel="relative error", ylim=(0, None))
fig.savefig("04_dying_sensors.png", dpi=110)
