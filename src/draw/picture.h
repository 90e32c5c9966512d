// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "draw/colormap.h"
#include "field/case.h"
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
  int slice_normal = 2;   // 3-D: the axis that looks at the viewer
  double slice_at = 0.5;  // ... and where along it, as a share of the mesh's extent
};

// The part of the plane that a picture of a mesh shows, and the coordinates along its sides.
struct Frame {
  double left = 0, right = 1, bottom = 0, top = 1;
  Index across = 0, up = 1;
};
Frame frame_of(const field::Mesh& mesh, const PictureOptions& options = {});

// One channel as an image.  Grid meshes are shown cell by cell; scattered points by their nearest neighbour. Where
// there is no data the picture is light grey.  y points up for scattered points and along the rows for grids.  A 3-D
// mesh is shown as a slice, a grid by its nearest layer; sensors and ellipses are not drawn on it.
io::Image draw_field(const field::Mesh& mesh, const field::Vector& values, const ColorScale& scale,
                     const PictureOptions& options = {});

// A horizontal bar of the scale's colours.
io::Image draw_scale(const ColorScale& scale, int width, int height);

}  // namespace fluidsplat::draw
