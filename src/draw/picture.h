// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "draw/colormap.h"
#include "draw/plane.h"
#include "io/png.h"

namespace fluidsplat::draw {

// What values the ends of a colour map stand for.
struct ColorScale {
  ColorMap map = ColorMap::diverging;
  double low = -1, high = 1;
};

// A scale that suits the values: symmetric and diverging when they reach about as far to both sides of zero, sequential
// otherwise.  The ends are the 0.5 and 99.5 percentiles, so that a few extreme points do not wash out the picture.
ColorScale scale_for(const field::Vector& values);

// An ellipse outline to draw over a picture, in the mesh's coordinates.
struct Ellipse {
  double x, y, radius_a, radius_b, angle;  // angle of the first axis from x
};

struct PictureOptions {
  int pixels_wide = 768;
  field::Matrix sensors;  // marked as gold discs, [N, d]
  std::vector<Ellipse> ellipses;
};

// One channel as an image.  Grid meshes are shown cell by cell; scattered points by their nearest neighbour. Where
// there is no data the picture is light grey.  y points up for scattered points and along the rows for grids.  Sensors
// and ellipses are not drawn on a slice through space.
io::Image draw_field(const Plane& plane, const field::Vector& values, const ColorScale& scale,
                     const PictureOptions& options = {});

// A horizontal bar of the scale's colours.
io::Image draw_scale(const ColorScale& scale, int width, int height);

}  // namespace fluidsplat::draw
