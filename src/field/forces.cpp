// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/forces.h"

#include <cmath>

#include "base/error.h"
#include "field/wall.h"

namespace fluidsplat::field {
namespace {

Eigen::VectorXd unit(const std::vector<double>& v) {
  const Eigen::VectorXd out = Eigen::Map<const Eigen::VectorXd>(v.data(), std::ssize(v));
  return out / out.norm();
}

Index channel_index(const std::string& name, const Schema& schema) {
  std::string known;
  for (std::size_t c = 0; c < schema.channels.size(); ++c) {
    if (schema.channels[c].name == name) return static_cast<Index>(c);
    known += (c ? ", " : "") + schema.channels[c].name;
  }
  fail("forces.channel: the data has no channel \"{}\"; its channels are: {}", name, known);
}

void check_direction(const std::vector<double>& v, int dim, const char* name) {
  if (int(v.size()) != dim) fail("{}: {} numbers, expected {}", name, v.size(), dim);
  double square = 0;
  for (double x : v) square += x * x;
  if (!(square > 0) || !std::isfinite(square)) fail("{}: is not a direction", name);
}

}  // namespace

void ForceSettings::bind(Config& c) {
  c.add("forces.channel", &channel, "name of the pressure channel");
  c.add("forces.kind", &kind, "what the pressure is: p, p - p_ref, p / density, or a coefficient")
      .one_of({"absolute", "gauge", "kinematic", "coefficient"});
  c.add("forces.reference_pressure", &reference_pressure, "subtracted from an absolute pressure");
  c.add("forces.density", &density, "of the free stream");
  c.add("forces.velocity", &velocity, "of the free stream");
  c.add("forces.length", &length, "reference length in 2-D, reference area in 3-D");
  c.add("forces.chord", &chord, "reference length of the moment (0: forces.length, in 2-D)");
  c.add("forces.drag_direction", &drag_direction, "along the free stream, for example [1.0, 0.0]");
  c.add("forces.lift_direction", &lift_direction, "for example [0.0, 1.0]");
  c.add("forces.moment_centre", &moment_centre, "point that the moment is taken about; [] = no moment");
}

void ForceSettings::check(const Schema& schema) const {
  channel_index(channel, schema);
  if (kind.empty()) fail("forces.kind: say what the pressure is: absolute, gauge, kinematic or coefficient");
  if (!(length > 0)) fail("forces.length: say the reference length (area in 3-D), more than 0");
  if (kind != "coefficient" && !(velocity > 0)) fail("forces.velocity: say the free stream's speed, more than 0");
  if ((kind == "absolute" || kind == "gauge") && !(density > 0))
    fail("forces.density: say the free stream's density, more than 0");
  check_direction(drag_direction, schema.dim(), "forces.drag_direction");
  check_direction(lift_direction, schema.dim(), "forces.lift_direction");
  if (!moment_centre.empty() && (schema.dim() != 2 || moment_centre.size() != 2))
    fail("forces.moment_centre: a moment is computed in 2-D only, about a point of two coordinates");
}

WallForces::WallForces(const ForceSettings& settings, const Schema& schema, const Mesh& mesh, const std::string& where)
    : settings_(settings) {
  settings.check(schema);
  channel_ = channel_index(settings.channel, schema);
  if (mesh.surface.empty() || mesh.normals.size() == 0)
    fail(
        "{}: has no wall with normals, so there are no forces to compute; import it with --normals, or in 3-D with the "
        "wall's faces",
        where);
  if (!mesh.areas.empty())
    patch_ = mesh.areas;
  else if (schema.dim() == 2)
    patch_ = wall_lengths(mesh);
  else
    fail(
        "{}: its wall has no areas, so the pressure cannot be integrated; import it with its faces (VTK polygons or "
        "--faces), or with --areas",
        where);
}

ForceCoefficients WallForces::of(const Mesh& mesh, const Matrix& fields) const {
  const auto dim = mesh.points.cols();
  // From the pressure as it is given to a coefficient, which all kinds share.
  const double speed2 = settings_.velocity * settings_.velocity;
  const double dynamic = settings_.kind == "coefficient" ? 1
                         : settings_.kind == "kinematic" ? 0.5 * speed2
                                                         : 0.5 * settings_.density * speed2;
  const double reference = settings_.kind == "absolute" ? settings_.reference_pressure : 0;
  Eigen::VectorXd force = Eigen::VectorXd::Zero(dim);
  double moment = 0;
  for (std::size_t s = 0; s < mesh.surface.size(); ++s) {
    const auto point = mesh.surface[s];
    const double coefficient = (double(fields(point, channel_)) - reference) / dynamic;
    // Normals point into the fluid; pressure pushes the other way.
    const Eigen::VectorXd push = -coefficient * patch_[s] * mesh.normals.row(s).transpose().cast<double>();
    force += push;
    if (!settings_.moment_centre.empty())
      moment += (mesh.points(point, 0) - settings_.moment_centre[0]) * push[1] -
                (mesh.points(point, 1) - settings_.moment_centre[1]) * push[0];
  }
  ForceCoefficients out;
  out.drag = force.dot(unit(settings_.drag_direction)) / settings_.length;
  out.lift = force.dot(unit(settings_.lift_direction)) / settings_.length;
  if (!settings_.moment_centre.empty())
    out.moment = moment / (settings_.length * (settings_.chord > 0 ? settings_.chord : settings_.length));
  return out;
}

}  // namespace fluidsplat::field
