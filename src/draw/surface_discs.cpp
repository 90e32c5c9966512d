// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/surface_discs.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <nanoflann.hpp>

namespace fluidsplat::draw {
namespace {

constexpr std::size_t kNeighbours = 9;  // the point itself among them
// Discs reach a little farther than half way to the farthest of the neighbours.
constexpr double kOverlap = 0.75;
// Share of the neighbours' scatter across the plane that fits them best, below which they lie in it.
constexpr double kFlat = 0.03;

struct SpacePoints {
  const field::Matrix& xyz;
  std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(xyz.rows()); }
  double kdtree_get_pt(std::size_t i, std::size_t axis) const { return xyz(i, axis); }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, SpacePoints>, SpacePoints, 3>;

// The plane through a point's neighbourhood.
struct Neighbourhood {
  Eigen::Vector3d normal;
  double reach = 0;  // distance to the farthest neighbour
  double flatness = 0;
};

Neighbourhood look_around(const Tree& tree, const field::Matrix& points, Index i) {
  const Eigen::Vector3d centre = points.row(i).transpose().cast<double>();
  std::array<std::uint32_t, kNeighbours> index{};
  std::array<double, kNeighbours> squared{};
  const auto found = tree.knnSearch(centre.data(), kNeighbours, index.data(), squared.data());
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (std::size_t k = 0; k < found; ++k) mean += points.row(index[k]).transpose().cast<double>();
  mean /= double(found);
  Eigen::Matrix3d scatter = Eigen::Matrix3d::Zero();
  for (std::size_t k = 0; k < found; ++k) {
    const Eigen::Vector3d d = points.row(index[k]).transpose().cast<double>() - mean;
    scatter += d * d.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(scatter);
  const double all = eigen.eigenvalues().sum();
  return {eigen.eigenvectors().col(0), std::sqrt(squared[found - 1]), all > 0 ? eigen.eigenvalues()[0] / all : 0};
}

}  // namespace

Discs surface_discs(const field::Matrix& points) {
  const SpacePoints adaptor{points};
  const Tree tree(3, adaptor);
  Discs out;
  out.normals.resize(points.rows(), 3);
  for (Index i = 0; i < points.rows(); ++i) {
    const auto around = look_around(tree, points, i);
    out.normals.row(i) = around.normal.transpose().cast<float>();
    out.radius.push_back(float(kOverlap * around.reach));
  }
  return out;
}

bool is_surface(const field::Mesh& mesh) {
  if (mesh.points.cols() != 3 || mesh.is_grid() || mesh.size() < 32) return false;
  if (!mesh.surface.empty()) return std::ssize(mesh.surface) == mesh.size();
  const SpacePoints adaptor{mesh.points};
  const Tree tree(3, adaptor);
  std::vector<double> flatness;
  const auto samples = std::min<Index>(mesh.points.rows(), 500);
  for (Index s = 0; s < samples; ++s)
    flatness.push_back(look_around(tree, mesh.points, s * mesh.points.rows() / samples).flatness);
  const auto middle = flatness.begin() + static_cast<std::ptrdiff_t>(flatness.size() / 2);
  std::nth_element(flatness.begin(), middle, flatness.end());
  return *middle < kFlat;
}

}  // namespace fluidsplat::draw
