// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluidsplat::sim {

// How well multiples of a fraction of a turn spread over the turn: the smallest q * |q fraction - nearest integer| for
// q = 1 .. count.  0 for a fraction that repeats after q steps; at most about 0.38, which the numbers related to the
// golden ratio reach for every count.
double spread(double fraction, int count);

// Steps between frames of a flow with this period (in steps), near `fraction` of the period, such that `frames` frames
// see the cycle at phases that spread evenly instead of repeating.  The best of the strides within 5 %.
int frame_stride(double period, double fraction, int frames);

}  // namespace fluidsplat::sim
