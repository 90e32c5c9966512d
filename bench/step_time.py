#!/usr/bin/python3
# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""A model of the time of a training step against the number of ranks, from measured sums of arrays.

    bench/scale_network > sums.csv                       (several times, if the machine is busy: the least time counts)
    bench/step_time.py sums.csv [--case 0.01] [--rest 0.01] [--bytes 1628932] [--batch 1024] [--figure F.svg]

Gloo adds up in a ring: of N ranks each sends 2 (N - 1) messages of a N-th of the array, one after the other, so that

    seconds = 2 (N - 1) (latency + bytes / N / bandwidth).

Of two ranks, latency is what the sum of 4,000 bytes takes at a delay, and bandwidth is what the difference of the two
largest arrays without delay tells.  Four ranks, two on each of the hosts, whose link they share, are predicted from that
and held against what was measured.  A step of a batch takes `case` seconds for each case, shared out, and `rest` seconds
that every rank spends (clipping, optimiser), and the sum of the gradient; ranks have hosts of their own.
"""

import argparse
import collections
import csv
import math

RATES = {"1gbit": 1e9 / 8, "10gbit": 1e10 / 8}
DELAYS = ("0ms", "0.1ms", "1ms")
MOST = 1024
COLOURS = ("#1b6ca8", "#7fb2d9", "#b3501b", "#e0a578")


def read(path):
    """The least of the times of each (rate, delay, ranks, bytes), without loss."""
    least = collections.defaultdict(lambda: math.inf)
    with open(path) as file:
        for row in csv.DictReader(file):
            if row["bytes"] == "bytes" or row["loss"] != "0%":
                continue
            key = row["rate"], row["delay"], int(row["ranks"]), int(row["bytes"])
            least[key] = min(least[key], float(row["seconds"]))
    return least


def terms(ranks, size, on_host):
    return 2 * (ranks - 1), 2 * (ranks - 1) / ranks * size * on_host


def latency_of(points):
    """Of a message between two ranks."""
    return points[2, 4000] / terms(2, 0, 1)[0]


def seconds_per_byte(points):
    more, most = sorted(size for ranks, size in points if ranks == 2)[-2:]
    return (points[2, most] - points[2, more]) / (most - more)


def draw(path, curves, title):
    left, top, width, height = 70, 40, 560, 360
    low = math.floor(math.log10(min(min(c[1]) for c in curves)))
    high = math.ceil(math.log10(max(max(c[1]) for c in curves)))
    x = lambda n: left + width * math.log2(n) / math.log2(MOST)
    y = lambda t: top + height * (high - math.log10(t)) / (high - low)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 190}" height="{top + height + 60}" '
           'font-family="sans-serif" font-size="13">', '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{left}" y="22" font-size="15">{title}</text>']
    for k in range(11):
        out.append(f'<line x1="{x(2**k):.1f}" y1="{top}" x2="{x(2**k):.1f}" y2="{top + height}" stroke="#ddd"/>'
                   f'<text x="{x(2**k):.1f}" y="{top + height + 18}" text-anchor="middle">{2**k}</text>')
    for d in range(low, high + 1):
        out.append(f'<line x1="{left}" y1="{y(10**d):.1f}" x2="{left + width}" y2="{y(10**d):.1f}" stroke="#ddd"/>'
                   f'<text x="{left - 8}" y="{y(10**d) + 4:.1f}" text-anchor="end">{10**d:g} s</text>')
    out.append(f'<text x="{left + width / 2}" y="{top + height + 42}" text-anchor="middle">ranks</text>')
    for i, (name, times, colour, dash) in enumerate(curves):
        points = " ".join(f"{x(n + 1):.1f},{y(t):.1f}" for n, t in enumerate(times))
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" {dash}/>')
        at = top + 14 + 20 * i
        out.append(f'<line x1="{left + width + 12}" y1="{at - 4}" x2="{left + width + 36}" y2="{at - 4}" '
                   f'stroke="{colour}" stroke-width="2" {dash}/><text x="{left + width + 42}" y="{at}">{name}</text>')
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sums")
    parser.add_argument("--case", type=float, default=0.01)
    parser.add_argument("--rest", type=float, default=0.01)
    parser.add_argument("--bytes", type=int, default=1628932)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--figure")
    options = parser.parse_args()
    least = read(options.sums)
    curves, colours = [], iter(COLOURS)
    print("rate, delay, ranks, bytes: measured seconds, those of the model")
    for rate in RATES:
        def measured(delay):
            return {(n, size): t for (r, d, n, size), t in least.items() if (r, d) == (rate, delay)}
        per_byte = seconds_per_byte(measured(DELAYS[0]))
        for delay in DELAYS:
            points = measured(delay)
            latency = latency_of(points)
            for (n, size), t in sorted(points.items()):
                a, b = terms(n, size, n / 2)
                print(f"  {rate}, {delay}, {n}, {size}: {t:.6f} {a * latency + b * per_byte:.6f}")
            print(f"{rate}, {delay}: latency {1e6 * latency:.0f} us, bandwidth {8e-9 / per_byte:.2f} Gbit/s")
            if delay == DELAYS[0]:
                continue

            def step(n):
                a, b = terms(n, options.bytes, 1)
                return -(-options.batch // n) * options.case + options.rest + a * latency + b * per_byte
            times = [step(n) for n in range(1, MOST + 1)]
            best = min(range(MOST), key=times.__getitem__)
            # As long as twice the ranks take less than 2/3 of the time they are worth having.
            pays = next((n for n in (2**k for k in range(10)) if times[2 * n - 1] > 2 / 3 * times[n - 1]), MOST)
            print(f"{rate}, {delay}: 1 rank {times[0]:.2f} s, fastest with {best + 1} ranks ({times[best]:.3f} "
                  f"s, {times[0] / times[best]:.0f} times), 1024 ranks {times[-1]:.2f} s; doubling stops paying at {pays} "
                  f"ranks ({times[pays - 1]:.3f} s, efficiency {100 * times[0] / times[pays - 1] / pays:.0f} %)")
            curves.append((f"{rate.replace('gbit', ' Gbit/s')}, {delay.replace('ms', ' ms')}", times, next(colours), ""))
    perfect = [-(-options.batch // n) * options.case + options.rest for n in range(1, MOST + 1)]
    curves.append(("no network", perfect, "#888888", 'stroke-dasharray="4 4"'))
    if options.figure:
        draw(options.figure, curves, f"A step of {options.batch} cases, gradient of {options.bytes / 1e6:.1f} MB")


main()
