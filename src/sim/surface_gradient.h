// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "sim/flat_panel.h"

namespace fluidsplat::sim {

// The panels that share a corner with each panel.
std::vector<std::vector<Index>> panel_neighbours(const PanelMesh& mesh);

// The derivative along the surface, at the centre of panel `i`, of a function that is known at the panels' centres: of
// the parabola in the panel's plane that comes nearest to the values around it.  Second order where the surface is
// smooth.
Eigen::Vector3d surface_gradient(const std::vector<FlatPanel>& panels, const std::vector<Index>& neighbours,
                                 const Eigen::VectorXd& values, Index i);

}  // namespace fluidsplat::sim
