// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "base/index.h"

namespace fluidsplat::sim {

// A closed surface of triangles and quadrilaterals.
struct PanelMesh {
  std::vector<Eigen::Vector3d> vertices;
  // The corners of each panel, counter-clockwise as seen from outside.  A triangle names its last corner twice.
  std::vector<std::array<Index, 4>> panels;
};

// Three, or four.
inline int sides_of(const std::array<Index, 4>& panel) {
  return panel[2] == panel[3] ? 3 : 4;
}

// The surface of a box as a lattice whose planes are at the given coordinates (rising, at least two along each axis).
// Bent without folding, it becomes any closed body without poles.
PanelMesh box_surface(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& z);

// Throws Error unless the surface is closed (two panels at every edge, turned alike) and its panels look outward;
// `where` is what the message calls it.
void check_closed(const PanelMesh& mesh, const std::string& where);

// Negative when the panels look inward.
double enclosed_volume(const PanelMesh& mesh);

}  // namespace fluidsplat::sim
