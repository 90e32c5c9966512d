// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "sim/period.h"

namespace fluidsplat::sim {

struct FrameStride {
  int steps;
  // No two frames are closer in phase than this part of the mean gap, as long as the period is within its uncertainty.
  double gap;
};

// Whole steps between the frames of a flow with this period (in steps): at most `longest` periods, and not less than
// four fifths of that.  A long series of frames meets the cycle at even phases instead of repeating a few of them,
// and so, as well as may be, does every part of it that begins with the first frame.
//
// Steps are whole, so a flow whose period is a whole number of them shows only that many phases, and no stride can
// part more frames than that: `gap` says what is reached.
FrameStride frame_stride(const Period& period, double longest, Index frames);

}  // namespace fluidsplat::sim
