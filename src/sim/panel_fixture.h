// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "sim/panel_mesh.h"

namespace fluidsplat::sim {

// A unit sphere of 6 n^2 quadrilaterals: a cube blown up, its lattice at equal angles.
inline PanelMesh sphere_mesh(int n) {
  std::vector<double> planes;
  for (int i = 0; i <= n; ++i) planes.push_back(std::tan(std::numbers::pi / 4 * (2.0 * i / n - 1)));
  auto mesh = box_surface(planes, planes, planes);
  for (auto& v : mesh.vertices) v.normalize();
  return mesh;
}

// Every quadrilateral cut into two triangles.
inline PanelMesh cut(const PanelMesh& mesh) {
  PanelMesh out{mesh.vertices, {}};
  for (const auto& p : mesh.panels) {
    out.panels.push_back({p[0], p[1], p[2], p[2]});
    out.panels.push_back({p[0], p[2], p[3], p[3]});
  }
  return out;
}

}  // namespace fluidsplat::sim
