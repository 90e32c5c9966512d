# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""03: a control loop in C, 1,000 times a second: pressure taps on a cylinder in, lift out.

    python3 03_control_loop.py [CONTROL_LOOP]

Trains a model of a cylinder whose circulation swings, lets 03_control_loop/control_loop.c answer from eight taps on the
wall, and compares its lift with the exact one.  CONTROL_LOOP is the built program; without it `cc` builds it against
the installed library.  Writes 03_control_loop.png.
"""

import subprocess
import sys

import fluidsplat as fs
import matplotlib.pyplot as plt
import numpy as np

rng = np.random.default_rng(4)


def pressure(radius, angle, circulation):
    """Of the potential flow of speed 1 past a cylinder of radius 1, by Bernoulli."""
    outward = (1 - radius**-2) * np.cos(angle)
    around = -(1 + radius**-2) * np.sin(angle) - circulation / (2 * np.pi * radius)
    return 0.5 * (1 - outward**2 - around**2)


def place(radius, angle):
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


# Eight taps, the rest of the wall, and the flow around it.
wall_angle = np.linspace(0, 2 * np.pi, 64, endpoint=False)
radius = np.concatenate([np.ones(64), rng.uniform(1, 3, 500)])
angle = np.concatenate([wall_angle, rng.uniform(0, 2 * np.pi, 500)])
taps = np.arange(0, 64, 8)
seen = rng.uniform(-6, 6, 60)
model = fs.Reconstructor(steps=60, verbose=False)
model.fit(taps, {"p": np.stack([pressure(radius, angle, c) for c in seen])}, points=place(radius, angle))
model.save("cylinder.fsplat")

# What the loop is given: the wall, and two seconds of readings.
times = np.arange(2000) / 1000
circulation = 5 * np.sin(2 * np.pi * times)
readings = pressure(1, wall_angle[taps], circulation[:, None])
np.savetxt("wall.txt", np.column_stack([place(1, wall_angle), place(1, wall_angle), np.full(64, 2 * np.pi / 64)]))
np.savetxt("readings.txt", readings, fmt="%.7g")
program = sys.argv[1] if len(sys.argv) > 1 else "./control_loop"
if len(sys.argv) == 1:
    source = __file__.replace(".py", "/control_loop.c")
    subprocess.run(["cc", "-O2", source, "-o", program, "-lfluidsplat"], check=True)
with open("readings.txt") as file:
    done = subprocess.run([program, "cylinder.fsplat", "p", "wall.txt"], stdin=file, capture_output=True, text=True, check=True)
print(done.stderr, end="")
_, drag, lift, taken = np.array([line.split() for line in done.stdout.splitlines()], dtype=float).T

# Kutta and Joukowski know the lift; the drag is none.
exact = circulation
print(f"lift: rms error {np.sqrt(np.mean((lift - exact) ** 2)):.1e} of amplitude {np.abs(exact).max():.0f}")
fig, (above, below) = plt.subplots(2, sharex=True, layout="constrained")
above.plot(times, exact, "k", lw=3, alpha=0.3, label="exact lift")
above.plot(times, lift, label="lift of the loop")
above.plot(times, drag, label="drag of the loop (exact: 0)")
above.set(ylabel="force per length, $\\rho U^2 R$")
above.legend()
below.semilogy(times, taken, ".", ms=2)
below.axhline(np.percentile(taken, 99), color="C3", label=f"99 %: {np.percentile(taken, 99):.0f} us")
below.axhline(1000, color="k", ls="--", label="the period")
below.set(xlabel="time, s", ylabel="us per answer")
below.legend(loc="center right")
fig.savefig("03_control_loop.png", dpi=110)
