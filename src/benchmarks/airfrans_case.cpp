// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airfrans_case.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/atomic_file.h"
#include "base/error.h"
#include "field/nearest_wall.h"
#include "field/wall.h"
#include "io/vtk.h"

namespace fluidsplat::benchmarks {

namespace {

using field::Matrix;

enum Feature : Index { kDistance, kNormalX, kNormalY, kArclength, kStreamX, kStreamY, kFeatures };

// One of the two VTK files of a case.
class PointFile {
 public:
  explicit PointFile(std::filesystem::path path) : path_(std::move(path)) {
    if (!std::filesystem::exists(path_))
      fail("{}: missing; the manifest lists its case, so either the folder is incomplete or the manifest is another's",
           path_.string());
    mesh_ = io::read_vtk(path_);
    if (mesh_.point_count() < 3) fail("{}: has {} points", path_.string(), mesh_.point_count());
  }

  Index size() const { return mesh_.point_count(); }

  // x and y; the data lie in a plane of constant z.
  Matrix points() const {
    Matrix out(size(), 2);
    for (Index i = 0; i < size(); ++i) {
      out(i, 0) = float(mesh_.points[3 * i]);
      out(i, 1) = float(mesh_.points[3 * i + 1]);
      if (std::abs(mesh_.points[3 * i + 2] - mesh_.points[2]) > 1e-3)
        fail("{}: its points lie at different z ({} and {}), expected one plane", path_.string(), mesh_.points[2],
             mesh_.points[3 * i + 2]);
    }
    return out;
  }

  const std::vector<double>& values(const char* name, int components) const {
    const auto* array = mesh_.find_point_data(name);
    if (!array) fail("{}: has no point data \"{}\"", path_.string(), name);
    if (array->components != components)
      fail("{}: \"{}\" has {} components, expected {}", path_.string(), name, array->components, components);
    return array->values;
  }

 private:
  std::filesystem::path path_;
  io::VtkMesh mesh_;
};

double viscosity_of(const std::filesystem::path& facts) {
  if (!std::filesystem::exists(facts)) return kAirfransViscosity;
  const auto json = nlohmann::json::parse(read_file(facts, 1 << 20), nullptr, false);
  const auto* viscosity = json.is_object() && json.contains("viscosity") ? &json["viscosity"] : nullptr;
  if (!viscosity || !viscosity->is_number() || !(viscosity->get<double>() > 0))
    fail("{}: says no \"viscosity\" above 0; without the file that of AirfRANS, {} m2/s, is taken", facts.string(),
         kAirfransViscosity);
  return viscosity->get<double>();
}

Matrix unit_normals(const PointFile& wall, const std::filesystem::path& path) {
  const auto& values = wall.values("Normals", 3);
  Matrix out(wall.size(), 2);
  for (Index i = 0; i < wall.size(); ++i) {
    const double x = values[3 * i], y = values[3 * i + 1], length = std::hypot(x, y);
    if (!(length > 0)) fail("{}: the normal of point {} has no direction in the plane", path.string(), i);
    out.row(i) << float(x / length), float(y / length);
  }
  return out;
}

// Files have normals into the body; whichever way they are, the result looks into the fluid.  Walked along
// counter-clockwise the fluid is on the right.
void turn_outward(Matrix& normals, const Matrix& points) {
  field::Mesh mesh;
  mesh.points = points.topRows(1);
  mesh.wall = field::make_wall(points, {}, normals, {});
  double outward = 0;
  for (const auto& curve : field::wall_curves(mesh))
    for (Index k = 0; k + 1 < std::ssize(curve.order); ++k) {
      const Index a = curve.order[k], b = curve.order[k + 1];
      const Eigen::RowVector2f along = points.row(b) - points.row(a);
      outward += double(normals(a, 0) * along[1] - normals(a, 1) * along[0]);
    }
  if (outward < 0) normals = -normals;
}

// What depends on the nearest wall point, and the place in the stream's frame.
class QueryFeatures {
 public:
  // `wall` has normals; the wall's own features are what is made here.
  QueryFeatures(const field::Mesh& wall, double angle)
      : wall_(wall), nearest_(wall), arclength_(wall.size()), cos_(std::cos(angle)), sin_(std::sin(angle)) {
    const auto walk = field::walk_wall(wall);
    for (Index k = 0; k < std::ssize(walk.points); ++k) arclength_[walk.points[k]] = walk.distance[k] / walk.perimeter;
  }

  Matrix at(const Matrix& points) const {
    Matrix out(points.rows(), kFeatures);
    for (Index i = 0; i < points.rows(); ++i) {
      const auto found = nearest_(points.row(i));
      out(i, kDistance) = float(found.distance);
      out(i, kNormalX) = wall_.normals(found.wall_point, 0);
      out(i, kNormalY) = wall_.normals(found.wall_point, 1);
      out(i, kArclength) = float(arclength_[found.wall_point]);
      out(i, kStreamX) = float(cos_ * points(i, 0) + sin_ * points(i, 1));
      out(i, kStreamY) = float(cos_ * points(i, 1) - sin_ * points(i, 0));
    }
    return out;
  }

 private:
  const field::Mesh& wall_;
  field::NearestWall nearest_;
  std::vector<double> arclength_;
  double cos_, sin_;
};

Matrix fields_of(const PointFile& file) {
  const auto &velocity = file.values("U", 3), &pressure = file.values("p", 1);
  Matrix out(file.size(), 3);
  for (Index i = 0; i < file.size(); ++i)
    out.row(i) << float(velocity[3 * i]), float(velocity[3 * i + 1]), float(pressure[i]);
  return out;
}

}  // namespace

field::Schema airfrans_schema() {
  field::Schema schema;
  schema.coordinates = {{"x", "m"}, {"y", "m"}};
  schema.channels = {{"u", "m/s"}, {"v", "m/s"}, {"p", "m2/s2"}};
  schema.features = {{"distance", "m"}, {"normal_x", ""},  {"normal_y", ""},
                     {"arclength", ""}, {"stream_x", "m"}, {"stream_y", "m"}};
  schema.descriptors = {{"Reynolds", ""}, {"angle", "deg"}};
  return schema;
}

field::Case read_airfrans_case(const AirfransFiles& files, const std::string& name) {
  const auto facts = parse_airfrans_name(name);
  const double angle = facts.angle * std::numbers::pi / 180;
  const PointFile internal(files.internal(name)), aerofoil(files.aerofoil(name));
  const Matrix wall_points = aerofoil.points();
  Matrix normals = unit_normals(aerofoil, files.aerofoil(name));
  turn_outward(normals, wall_points);

  const auto bare = field::make_wall(wall_points, {}, normals, {});
  const QueryFeatures features(*bare, angle);
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points = internal.points();
  mesh->features = features.at(mesh->points);
  // The file's distance is measured to the wall, not to its points.
  const auto& distance = internal.values("implicit_distance", 1);
  for (Index i = 0; i < internal.size(); ++i) mesh->features(i, kDistance) = float(-distance[i]);
  mesh->wall = field::make_wall(wall_points, features.at(wall_points), normals, field::wall_lengths(*bare));

  field::Case out;
  out.name = name;
  out.mesh = mesh;
  out.fields = fields_of(internal);
  out.wall_fields = fields_of(aerofoil);
  out.wall_fields.leftCols(2).setZero();
  out.descriptors.resize(2);
  out.descriptors << float(facts.speed / viscosity_of(files.facts(name))), float(facts.angle);
  out.reference = {facts.speed, kAirfransDensity, {std::cos(angle), std::sin(angle)}};
  return out;
}

}  // namespace fluidsplat::benchmarks
