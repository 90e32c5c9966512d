// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "sim/flat_panel.h"
#include "sim/gmres.h"

namespace fluidsplat::sim {

struct PanelFlowSettings {
  bool ground = false;  // the plane z = 0 is a wall: every panel has its mirror image
  double tolerance = 1e-10;
  Index most_iterations = 200;
  int threads = 0;  // 0: every processor of this process
};

struct PanelSolution {
  Eigen::Vector3d stream;     // the free stream
  Eigen::VectorXd potential;  // of what the body adds to it, at the panels' centres
  Eigen::Matrix3Xd velocity;  // there, along the surface
  Eigen::VectorXd pressure;   // the coefficient (p - p_inf) / (density U^2 / 2) there
  Index iterations = 0;
  double residual = 0;  // of the linear system, relative
  // The pressure's force along the stream, over density U^2 / 2 and the sum of the panels' areas.  An ideal flow has
  // none (d'Alembert), so that this tells how well the panels do.
  double drag = 0;
};

// Steady flow of an ideal fluid past a closed body without lift, by Green's formula for the potential on the surface
// (Morino): flat panels carry the sources that the wall asks for, whose strength is the stream's part along the normal,
// and doublets as strong as the potential, which is solved for.  Compared with sources of unknown strength (Hess and
// Smith) the potential is of second order in the size of the panels instead of first, because that a closed surface is
// seen under the whole solid angle holds exactly.  Velocities are its derivative along the surface.
//
// There is no wake: behind a blunt body the pressure comes back to that of the front, which real flows do not do.
//
// The same bits with any number of threads.
class PanelFlow {
 public:
  // Throws Error unless the mesh is closed and, with a ground, above it.
  PanelFlow(const PanelMesh& mesh, const PanelFlowSettings& settings);

  // Throws Error when the linear system could not be solved to the tolerance.  With a ground the stream must be along
  // it.
  PanelSolution solve(const Eigen::Vector3d& stream) const;

  // What the body adds to the potential at a point in the fluid.
  double potential(const PanelSolution& solution, const Eigen::Vector3d& at) const;

  const std::vector<FlatPanel>& panels() const { return panels_; }

 private:
  // Of a panel and its image.
  PanelInfluence influence(Index panel, const Eigen::Vector3d& at) const;

  PanelFlowSettings settings_;
  std::vector<FlatPanel> panels_;
  std::vector<std::vector<Index>> neighbours_;
  RowMatrix doublets_, sources_;  // [at panel, of panel]
};

}  // namespace fluidsplat::sim
