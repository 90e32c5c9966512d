// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/wall_patches.h"

#include <Eigen/Geometry>

#include "base/error.h"

namespace fluidsplat::mesh {

std::shared_ptr<const field::Mesh> wall_of_faces(const io::VtkMesh& faces, const std::vector<int>& axes, double depth,
                                                 const std::string& file) {
  const auto dim = std::ssize(axes);
  field::Matrix points(faces.cell_count(), dim), normals(faces.cell_count(), dim);
  std::vector<double> areas;
  const auto corner = [&](std::int64_t i) {
    const double* p = faces.points.data() + 3 * faces.connectivity[i];
    return Eigen::Vector3d(p[0], p[1], p[2]);
  };
  for (Index f = 0; f < points.rows(); ++f) {
    const auto first = faces.offsets[f], last = faces.offsets[static_cast<std::size_t>(f) + 1];
    if (last - first < 3) fail("{}: face {} of its wall has {} corners", file, f, last - first);
    Eigen::Vector3d middle = Eigen::Vector3d::Zero(), area = middle;
    for (auto i = first; i < last; ++i) middle += corner(i) / double(last - first);
    for (auto i = first; i < last; ++i)
      area += 0.5 * (corner(i) - middle).cross(corner(i + 1 < last ? i + 1 : first) - middle);
    Eigen::VectorXd inward(dim);
    for (Index k = 0; k < dim; ++k) {
      points(f, k) = float(middle[axes[k]]);
      inward[k] = -area[axes[k]];
    }
    if (!(inward.norm() > 0)) fail("{}: face {} of its wall has no area", file, f);
    normals.row(f) = inward.normalized().cast<float>();
    areas.push_back(dim == 2 ? inward.norm() / depth : inward.norm());
  }
  return field::make_wall(std::move(points), field::Matrix(faces.cell_count(), 0), std::move(normals),
                          std::move(areas));
}

}  // namespace fluidsplat::mesh
