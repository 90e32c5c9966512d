// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "sim/panel_mesh.h"

namespace fluidsplat::sim {

// Values of a surface at more points than it has panels.
struct SurfaceCloud {
  Eigen::Matrix3Xd points;
  Eigen::VectorXd values;
};

// Every quadrilateral is divided into `divisions`^2 pieces; points are the pieces' middles.  Between the values of the
// panels, which are those of their middles, they are interpolated: bilinearly in each quarter of a panel from its
// middle, its corner (the mean of the panels around it) and two middles of edges (the mean of two panels), so that the
// field is continuous.  Second order, first where the lattice bends.  With one division the values are the panels' own.
// Triangles are misuse.
SurfaceCloud refine_surface(const PanelMesh& mesh, const Eigen::VectorXd& values, Index divisions);

}  // namespace fluidsplat::sim
