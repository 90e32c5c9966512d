// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/surface_gradient.h"

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <set>

namespace fluidsplat::sim {

std::vector<std::vector<Index>> panel_neighbours(const PanelMesh& mesh) {
  std::vector<std::vector<Index>> at_vertex(mesh.vertices.size());
  for (Index p = 0; p < std::ssize(mesh.panels); ++p)
    for (int i = 0; i < sides_of(mesh.panels[p]); ++i) at_vertex[mesh.panels[p][i]].push_back(p);
  std::vector<std::vector<Index>> out;
  for (Index p = 0; p < std::ssize(mesh.panels); ++p) {
    std::set<Index> around;
    for (const auto vertex : mesh.panels[p]) around.insert(at_vertex[vertex].begin(), at_vertex[vertex].end());
    around.erase(p);
    out.emplace_back(around.begin(), around.end());
  }
  return out;
}

Eigen::Vector3d surface_gradient(const std::vector<FlatPanel>& panels, const std::vector<Index>& neighbours,
                                 const Eigen::VectorXd& values, Index i) {
  const auto& here = panels[i];
  const Eigen::Vector3d along = here.normal().unitOrthogonal(), across = here.normal().cross(along);
  // s, t, s^2, s t, t^2 of every neighbour; lengths in units of the panel, for the conditioning.
  const double unit = std::sqrt(here.area());
  Eigen::Matrix<double, Eigen::Dynamic, 5> terms(std::ssize(neighbours), 5);
  Eigen::VectorXd differences(std::ssize(neighbours));
  for (Index k = 0; k < std::ssize(neighbours); ++k) {
    const Eigen::Vector3d away = (panels[neighbours[k]].centre() - here.centre()) / unit;
    const double s = away.dot(along), t = away.dot(across);
    terms.row(k) << s, t, s * s, s * t, t * t;
    differences[k] = values[neighbours[k]] - values[i];
  }
  const Eigen::VectorXd fit = terms.colPivHouseholderQr().solve(differences);
  return (fit[0] * along + fit[1] * across) / unit;
}

}  // namespace fluidsplat::sim
