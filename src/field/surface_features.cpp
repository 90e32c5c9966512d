// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/surface_features.h"

#include "base/error.h"
#include "field/convexity.h"
#include "field/estimate_normals.h"

namespace fluidsplat::field {
namespace {

struct Around {
  const char* name;
  double radius;  // of the body's longest side
};
constexpr Around kAround[] = {{"convexity_fine", 1.0 / 48}, {"convexity", 1.0 / 16}, {"convexity_wide", 1.0 / 6}};

// The surface's normals in the order of the mesh's points.
Matrix normals_of(const Mesh& mesh) {
  if (mesh.normals.rows() != mesh.size()) return estimate_normals(mesh.points);
  Matrix out(mesh.size(), mesh.points.cols());
  for (Index k = 0; k < mesh.size(); ++k) out.row(mesh.surface[k]) = mesh.normals.row(k);
  return out;
}

}  // namespace

std::vector<Column> surface_feature_columns(const std::vector<Column>& coordinates) {
  std::vector<Column> out;
  for (const auto& c : coordinates) out.push_back({"normal_" + c.name, ""});
  for (const auto& around : kAround) out.push_back({around.name, ""});
  return out;
}

Matrix surface_features(const Mesh& mesh) {
  if (std::ssize(mesh.surface) != mesh.size())
    fail("{} of {} points are on the surface; its shape can be told where all are", mesh.surface.size(), mesh.size());
  const Index d = mesh.points.cols();
  const auto normals = normals_of(mesh);
  const double side = (mesh.points.colwise().maxCoeff() - mesh.points.colwise().minCoeff()).maxCoeff();
  Matrix out(mesh.size(), d + std::ssize(kAround));
  out.leftCols(d) = normals;
  for (Index k = 0; k < std::ssize(kAround); ++k)
    out.col(d + k) = convexity(mesh.points, normals, kAround[k].radius * side);
  return out;
}

}  // namespace fluidsplat::field
