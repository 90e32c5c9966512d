// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "sim/panel_mesh.h"

namespace fluidsplat::sim {

// What a panel with something evenly spread over it does to the potential of a flow, with G = 1 / (4 pi distance).
struct PanelInfluence {
  double source = 0;   // the integral of G over the panel
  double doublet = 0;  // of dG/dn: the solid angle under which the panel is seen, over 4 pi, positive from outside
};

// A flat triangle or quadrilateral.  Both integrals have closed forms: the solid angle, and (by the divergence theorem)
// a sum over the edges of their distance times the integral of 1 / distance along them.
class FlatPanel {
 public:
  // Corners that are not in one plane are moved into the plane that halves their distances.
  FlatPanel(const PanelMesh& mesh, const std::array<Index, 4>& panel);

  const Eigen::Vector3d& centre() const { return centre_; }
  const Eigen::Vector3d& normal() const { return normal_; }
  double area() const { return area_; }

  // From kFar diagonals away on as if everything were in the centre.
  PanelInfluence influence(const Eigen::Vector3d& at) const;
  // In the panel's own plane the doublet is nothing.
  PanelInfluence exact_influence(const Eigen::Vector3d& at) const;

  // There the far field errs by less than 0.3 % of itself; at a fixed distance this falls with the square of the size.
  static constexpr double kFar = 6;

 private:
  double solid_angle(const Eigen::Vector3d& at) const;

  int sides_;
  std::array<Eigen::Vector3d, 4> corners_;
  Eigen::Vector3d centre_, normal_;
  double area_, far_squared_;
};

std::vector<FlatPanel> flat_panels(const PanelMesh& mesh);

}  // namespace fluidsplat::sim
