// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/panel_flow.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/misuse.h"
#include "base/threads.h"
#include "sim/surface_gradient.h"

namespace fluidsplat::sim {
namespace {

using Eigen::Vector3d;

Vector3d mirrored(const Vector3d& v) {
  return {v.x(), v.y(), -v.z()};
}

}  // namespace

PanelFlow::PanelFlow(const PanelMesh& mesh, const PanelFlowSettings& settings) : settings_(settings) {
  check_closed(mesh, "panel method");
  if (settings_.ground && std::ranges::any_of(mesh.vertices, [](const auto& v) { return !(v.z() > 0); }))
    fail("panel method: the body reaches the ground; all of it must be above z = 0");
  if (settings_.threads <= 0) settings_.threads = available_threads();
  panels_ = flat_panels(mesh);
  neighbours_ = panel_neighbours(mesh);
  // At the centre of panel i Green's formula is  phi_i / 2 = sum_j doublet_ij phi_j + sum_j source_ij (n_j . stream).
  // Seen from a closed surface, the others of its panels fill half the solid angle, -1/2, and those of its image none.
  // What is written as 1/2 here is therefore 1 + (sum of all others), which also holds where bent panels leave gaps.
  const Index n = std::ssize(panels_);
  doublets_.resize(n, n);
  sources_.resize(n, n);
#pragma omp parallel for num_threads(settings_.threads) schedule(dynamic, 16)
  for (Index i = 0; i < n; ++i) {
    const auto& at = panels_[i].centre();
    double diagonal = 1;
    for (Index j = 0; j < n; ++j) {
      const auto own = panels_[j].influence(at);
      const auto image = settings_.ground ? panels_[j].influence(mirrored(at)) : PanelInfluence{};
      sources_(i, j) = own.source + image.source;
      doublets_(i, j) = -own.doublet - image.doublet;
      diagonal += image.doublet + (j == i ? 0 : own.doublet);
    }
    doublets_(i, i) += diagonal;
  }
}

// What the image does here is what the panel does at this point's image.
PanelInfluence PanelFlow::influence(Index panel, const Vector3d& at) const {
  auto sum = panels_[panel].influence(at);
  if (settings_.ground) {
    const auto image = panels_[panel].influence(mirrored(at));
    sum.source += image.source;
    sum.doublet += image.doublet;
  }
  return sum;
}

PanelSolution PanelFlow::solve(const Vector3d& stream) const {
  if (!(stream.norm() > 0)) misuse("PanelFlow::solve: the stream has no speed");
  if (settings_.ground && stream.z() != 0) misuse("PanelFlow::solve: the stream must be along the ground");
  const Index n = std::ssize(panels_);
  Eigen::VectorXd strength(n), right(n);
  for (Index i = 0; i < n; ++i) strength[i] = panels_[i].normal().dot(stream);
  for (Index i = 0; i < n; ++i) right[i] = sources_.row(i).dot(strength);
  auto linear = gmres(doublets_, right, settings_.tolerance, settings_.most_iterations, settings_.threads);
  // A residual that does not reach the tolerance by rounding alone is still far below what panels err by.
  if (!(linear.residual <= 100 * settings_.tolerance))
    fail(
        "panel method: no solution after {} steps (residual {:.2g}); are there panels that touch or lie in each other?",
        linear.iterations, linear.residual);

  PanelSolution out;
  out.stream = stream;
  out.potential = std::move(linear.x);
  out.iterations = linear.iterations;
  out.residual = linear.residual;
  out.velocity.resize(3, n);
  out.pressure.resize(n);
  Eigen::VectorXd total = out.potential;
  for (Index i = 0; i < n; ++i) total[i] += panels_[i].centre().dot(stream);
  double force = 0, area = 0;
  for (Index i = 0; i < n; ++i) {
    out.velocity.col(i) = surface_gradient(panels_, neighbours_[i], total, i);
    out.pressure[i] = 1 - out.velocity.col(i).squaredNorm() / stream.squaredNorm();
    force -= out.pressure[i] * panels_[i].area() * strength[i] / stream.norm();
    area += panels_[i].area();
  }
  out.drag = force / area;
  return out;
}

double PanelFlow::potential(const PanelSolution& solution, const Vector3d& at) const {
  double sum = 0;
  for (Index j = 0; j < std::ssize(panels_); ++j) {
    const auto one = influence(j, at);
    sum += one.doublet * solution.potential[j] + one.source * panels_[j].normal().dot(solution.stream);
  }
  return sum;
}

}  // namespace fluidsplat::sim
