# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""05: choosing the number of primitives by the error on unseen instants.  Writes 05_primitives.png."""

import fluidsplat as fs
import matplotlib.pyplot as plt
import numpy as np

rng = np.random.default_rng(2)
points = rng.uniform([0, -1], [4, 1], (400, 2))
x, y = points.T


def flow(time):
    return np.sin(3 * x - time) * np.cos(3 * y) + 0.5 * np.cos(2 * x - 2 * time)


times = np.linspace(0, 2 * np.pi, 40, endpoint=False)
fields = {"v": np.stack([flow(t) for t in times])}
sensors = [5, 60, 90, 150, 210, 333]
unseen = np.stack([flow(t) for t in np.linspace(0.1, 6, 17)])
# The Gaussians alone, without decoder and prior, so that their number decides; small networks, so that it takes seconds.
settings = {"model.output": "primitive", "model.prior": "none", "model.context": 32, "model.encoder_width": 32}

counts, scores = [2, 4, 8, 16, 32], []
for count in counts:
    model = fs.Reconstructor(steps=200, primitives=count, settings=settings, verbose=False)
    scores.append(model.fit(sensors, fields, points=points).score(unseen[:, sensors], {"v": unseen}))
    print(f"{count:3d} primitives: {model.model_.parameters:,} parameters, R2 of unseen instants {scores[-1]:.4f}")
best = counts[int(np.argmax(scores))]
print(f"best here: {best} primitives")

fig, ax = plt.subplots(layout="constrained")
ax.semilogx(counts, 1 - np.array(scores), "o-", base=2)
ax.set(xlabel="primitives", ylabel="1 - R2", yscale="log")
fig.savefig("05_primitives.png", dpi=110)
