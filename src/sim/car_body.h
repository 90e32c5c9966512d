// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.h"
#include "sim/panel_mesh.h"

namespace fluidsplat::sim {

// A car-like closed body without wheels.  Lengths in metres, angles in degrees; x from nose (0) to tail, y to the left,
// z up from the ground.
//
//            windscreen   ____roof_length____
//                     \ /                     \   slant
//       bonnet_length  /                        \______
//      ______________ /                                |  deck_height
//     |  bonnet_height                                 |
//      \______________________________________________/   ride_height
//     0                                              length
//
// Heights are above the ground.
struct CarShape {
  double length = 4.3, width = 1.8, height = 1.45;
  double ride_height = 0.18;
  double bonnet_length = 1.1, bonnet_height = 0.9;
  double windscreen = 32;  // angle to the horizontal
  double roof_length = 1.4;
  double slant = 28, deck_height = 1;  // of the rear window, and where it ends if the tail does not come first
  double rounding = 0.2;               // radius of the edges of the box that the body is bent from
  double lean = 0.2;                   // of the side windows: how much narrower per height
  double taper = 0.12;                 // how much narrower nose and tail are, as a share of the width
  double diffuser = 4;                 // angle by which the floor rises at the tail
};

// Within ranges that look like cars: saloons, estates, hatchbacks, vans.
CarShape random_car(Random& random);

// Throws Error that names the measure which does not fit the others.
void check_car(const CarShape& shape);

// Quadrilaterals of about `panel_size`, smaller across the rounded edges.
PanelMesh car_mesh(const CarShape& shape, double panel_size);

}  // namespace fluidsplat::sim
