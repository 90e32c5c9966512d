// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airfoil_case_files.h"

#include "io/vtk.h"

namespace fluidsplat::benchmarks {

namespace {

constexpr double kPlane = 0.5;  // z of the 2-D data in AirfRANS

io::VtkArray empty_array(const std::string& name, int components) {
  return {name, components, {}, io::DType::f32};
}

// Some of the cloud's points with their values.
struct PointSet {
  io::VtkMesh mesh;
  io::VtkArray velocity = empty_array("U", 3), pressure = empty_array("p", 1), eddy = empty_array("nut", 1),
               distance = empty_array("implicit_distance", 1);

  void add(sim::Vec2 point, double to_wall, const sim::AirfoilSample& value, double speed) {
    mesh.points.insert(mesh.points.end(), {point.x, point.y, kPlane});
    velocity.values.insert(velocity.values.end(), {speed * value.u, speed * value.v, 0});
    pressure.values.push_back(speed * speed * value.pressure);
    eddy.values.push_back(0);
    distance.values.push_back(-to_wall);
  }
  void close_loop() {
    const auto count = mesh.point_count();
    for (std::int64_t i = 0; i < count; ++i) mesh.add_cell(io::kVtkLine, {i, (i + 1) % count});
  }
};

}  // namespace

void write_airfoil_case(const AirfransFiles& files, const AirfransName& name, const AirfoilCloud& cloud,
                        const std::function<sim::AirfoilSample(sim::Vec2)>& at) {
  PointSet internal, wall, edge;
  wall.mesh.kind = edge.mesh.kind = io::VtkKind::poly;
  auto normals = empty_array("Normals", 3);
  for (Index k = 0; k < std::ssize(cloud.points); ++k) {
    auto value = at(cloud.points[k]);
    const bool on_wall = k < cloud.around, on_edge = k >= cloud.at(cloud.rings - 1, 0);
    if (on_wall) value.u = value.v = 0;
    const auto add_to = [&](PointSet& set) { set.add(cloud.points[k], cloud.distance[k], value, name.speed); };
    add_to(internal);
    if (on_edge) add_to(edge);
    if (!on_wall) continue;
    add_to(wall);
    normals.values.insert(normals.values.end(), {-cloud.wall[k].normal.x, -cloud.wall[k].normal.y, 0});
  }
  for (const auto& quad : cloud.quads)
    internal.mesh.add_cell(io::kVtkQuad, std::vector<std::int64_t>(quad.begin(), quad.end()));
  wall.close_loop();
  edge.close_loop();
  for (auto* set : {&internal, &wall, &edge}) {
    set->mesh.point_dtype = io::DType::f32;
    set->mesh.point_data = {set->velocity, set->pressure, set->eddy};
    if (set != &edge) set->mesh.point_data.push_back(set->distance);
  }
  wall.mesh.point_data.push_back(normals);
  const auto text = to_string(name);
  std::filesystem::create_directories(files.folder(text));
  io::write_vtk(files.internal(text), internal.mesh);
  io::write_vtk(files.aerofoil(text), wall.mesh);
  io::write_vtk(files.freestream(text), edge.mesh);
}

}  // namespace fluidsplat::benchmarks
