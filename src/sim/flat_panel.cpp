// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/flat_panel.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace fluidsplat::sim {
namespace {

using Eigen::Vector3d;

constexpr double kFourPi = 4 * std::numbers::pi;

// Of the triangle a, b, c as seen from the origin; positive when it is counter-clockwise from there (van Oosterom and
// Strackee, 1983).
double triangle_angle(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return -2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + a.dot(c) * lb + b.dot(c) * la);
}

}  // namespace

FlatPanel::FlatPanel(const PanelMesh& mesh, const std::array<Index, 4>& panel) : sides_(sides_of(panel)) {
  Vector3d middle = Vector3d::Zero();
  for (int i = 0; i < 4; ++i) corners_[i] = mesh.vertices[panel[i]];
  for (int i = 0; i < sides_; ++i) middle += corners_[i] / sides_;
  normal_ = (corners_[2] - corners_[0]).cross(corners_[3] - corners_[1]).normalized();
  for (auto& corner : corners_) corner -= (corner - middle).dot(normal_) * normal_;
  const double first = 0.5 * (corners_[1] - corners_[0]).cross(corners_[2] - corners_[0]).dot(normal_);
  const double second = 0.5 * (corners_[2] - corners_[0]).cross(corners_[3] - corners_[0]).dot(normal_);
  area_ = first + second;
  centre_ = (first * (corners_[0] + corners_[1] + corners_[2]) + second * (corners_[0] + corners_[2] + corners_[3])) /
            (3 * area_);
  const double longest = std::max(
      {(corners_[2] - corners_[0]).norm(), (corners_[3] - corners_[1]).norm(), (corners_[1] - corners_[0]).norm()});
  far_squared_ = kFar * kFar * longest * longest;
}

double FlatPanel::solid_angle(const Vector3d& at) const {
  std::array<Vector3d, 4> seen;
  for (int i = 0; i < 4; ++i) seen[i] = corners_[i] - at;
  double angle = triangle_angle(seen[0], seen[1], seen[2]);
  if (sides_ == 4) angle += triangle_angle(seen[0], seen[2], seen[3]);
  return angle;
}

PanelInfluence FlatPanel::exact_influence(const Vector3d& at) const {
  double edges = 0;
  for (int i = 0; i < sides_; ++i) {
    const Vector3d &from = corners_[i], &to = corners_[(i + 1) % sides_];
    const Vector3d edge = to - from;
    const double length = edge.norm(), both = (at - from).norm() + (at - to).norm();
    const double distance = edge.cross(normal_).dot(from - at) / length;
    // On the edge itself the logarithm is infinite and the distance nothing.
    if (both > length) edges += distance * std::log((both + length) / (both - length));
  }
  const double height = (at - centre_).dot(normal_);
  const double angle = std::abs(height) > 1e-12 * std::sqrt(area_) ? solid_angle(at) : 0;
  return {(edges - std::abs(height * angle)) / kFourPi, angle / kFourPi};
}

PanelInfluence FlatPanel::influence(const Vector3d& at) const {
  const Vector3d away = at - centre_;
  const double squared = away.squaredNorm();
  if (squared < far_squared_) return exact_influence(at);
  const double source = area_ / (kFourPi * std::sqrt(squared));
  return {source, source * away.dot(normal_) / squared};
}

std::vector<FlatPanel> flat_panels(const PanelMesh& mesh) {
  std::vector<FlatPanel> out;
  for (const auto& panel : mesh.panels) out.emplace_back(mesh, panel);
  return out;
}

}  // namespace fluidsplat::sim
