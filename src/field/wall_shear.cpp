// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/wall_shear.h"

#include <array>
#include <nanoflann.hpp>

#include "base/error.h"
#include "field/wall.h"

namespace fluidsplat::field {

namespace {

// A point counts as above a wall point when it is this much farther along the normal than aside.
constexpr double kSteepness = 4;
constexpr std::size_t kCandidates = 24;
// A wall of which less than this share is seen says nothing of the whole.
constexpr double kLeastCovered = 0.8;

std::vector<Index> velocity_channels(const Schema& schema, const std::string& where) {
  const auto out = model::find_velocity(schema);
  if (out.empty()) fail("{}: friction needs velocity channels, named u, v or alike; there are none", where);
  return out;
}

}  // namespace

WallShear::WallShear(const Mesh& mesh, const Schema& schema, const std::string& where)
    : velocity_(velocity_channels(schema, where)) {
  const SurfaceView wall(mesh);
  if (!wall.has_normals()) fail("{}: friction needs a wall with normals", where);
  const auto patches = wall.areas().empty() ? wall_lengths(wall) : wall.areas();
  using Tree = nanoflann::KDTreeEigenMatrixAdaptor<Matrix, -1, nanoflann::metric_L2_Simple>;
  const Tree tree(int(mesh.points.cols()), mesh.points);
  double all = 0;
  for (Index s = 0; s < wall.size(); ++s) {
    all += patches[s];
    const Eigen::RowVectorXf here = wall.position(s);
    const Eigen::VectorXd normal = wall.normal(s).transpose().cast<double>();
    std::array<Eigen::Index, kCandidates> found{};
    std::array<float, kCandidates> squares{};
    const auto count = tree.index->knnSearch(here.data(), kCandidates, found.data(), squares.data());
    for (std::size_t k = 0; k < count; ++k) {
      const Eigen::VectorXd way = (mesh.points.row(found[k]) - here).transpose().cast<double>();
      const double height = way.dot(normal), aside = (way - height * normal).norm();
      if (!(height > 0 && height > kSteepness * aside)) continue;
      probes_.push_back({found[k], patches[s] / height, normal});
      covered_ += patches[s];
      break;  // candidates come nearest first
    }
  }
  covered_ /= all;
  if (covered_ < kLeastCovered)
    fail("{}: friction needs points of the mesh along the wall's normals; {:.0f} % of the wall have none near", where,
         100 * (1 - covered_));
}

Eigen::VectorXd WallShear::of(const Matrix& fields) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(std::ssize(velocity_)), velocity(std::ssize(velocity_));
  for (const auto& probe : probes_) {
    for (Index a = 0; a < std::ssize(velocity_); ++a) velocity[a] = fields(probe.point, velocity_[a]);
    velocity -= velocity.dot(probe.normal) * probe.normal;
    sum += probe.patch_per_height * velocity;
  }
  return sum;
}

void add_friction(ForceCoefficients& forces, const WallShear& shear, const Matrix& fields,
                  const ForceSettings& settings, const Schema& schema, const Vector& descriptors,
                  const Reference& reference, const std::string& where) {
  const auto s = settings.with(reference, where);
  const double speed = s.velocity > 0 ? s.velocity : reference.speed;
  if (!(speed > 0)) fail("{}: friction needs the free stream's speed: say forces.velocity", where);
  const double reynolds = double(descriptors[settings.reynolds_index(schema)]);
  if (!(reynolds > 0)) fail("{}: its Reynolds number is {}, so it has no friction", where, reynolds);
  // viscosity / (speed^2 length / 2) = 2 / (Reynolds speed)
  const Eigen::VectorXd force = 2 / (reynolds * speed) * shear.of(fields);
  const auto along = [&](const std::vector<double>& direction) {
    const Eigen::VectorXd d = Eigen::Map<const Eigen::VectorXd>(direction.data(), std::ssize(direction));
    return force.dot(d) / d.norm();
  };
  forces.friction_drag = along(s.drag_direction);
  forces.friction_lift = along(s.lift_direction);
}

}  // namespace fluidsplat::field
