// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "draw/picture.h"

namespace fluidsplat::draw {

struct VolumeOptions {
  int width = 640, height = 480;
  field::Matrix sensors;  // gold balls, [N, 3]
};

// A 3-D field as VTK draws it, off-screen, with no display needed.  Fields that change sign on a grid: surfaces of
// equal value at a quarter and at half of the scale, on both sides; others: at a quarter, half and three quarters of
// it.  Scattered points: discs that make a surface, or dots where they fill a volume, in the scale's colours.  Throws
// Error where the machine has no OpenGL.
io::Image draw_volume(const field::Mesh& mesh, const field::Vector& values, const ColorScale& scale,
                      const VolumeOptions& options = {});

}  // namespace fluidsplat::draw
