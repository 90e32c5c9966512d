// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/forces.h"

#include <cassert>
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

// The part of a lift direction that is at right angles to the drag.
std::vector<double> perpendicular(const std::vector<double>& lift, const std::vector<double>& drag,
                                  const std::string& where) {
  const Eigen::VectorXd up = unit(lift), along = unit(drag), out = up - up.dot(along) * along;
  if (out.norm() < 1e-6) fail("forces.lift_direction: is along the free stream of {}", where);
  return {out.data(), out.data() + out.size()};
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
  c.add("forces.density", &density, "of the free stream; 0 = each case's own, where the data know it");
  c.add("forces.velocity", &velocity, "speed of the free stream; 0 = each case's own, where the data know it");
  c.add("forces.length", &length, "reference length in 2-D, reference area in 3-D");
  c.add("forces.chord", &chord, "reference length of the moment (0: forces.length, in 2-D)");
  c.add("forces.drag_direction", &drag_direction,
        "along the free stream, for example [1.0, 0.0]; [] = each case's own, where the data know it");
  c.add("forces.lift_direction", &lift_direction,
        "for example [0.0, 1.0], made perpendicular to a case's own free stream; [] = in 2-D, to the left of the drag");
  c.add("forces.moment_centre", &moment_centre, "point that the moment is taken about; [] = no moment");
  c.add("forces.reynolds", &reynolds,
        "the descriptor that is the Reynolds number of forces.length: friction is computed too; empty = it is not");
}

void ForceSettings::check(const Schema& schema) const {
  channel_index(channel, schema);
  if (!reynolds.empty()) reynolds_index(schema);
  if (kind.empty()) fail("forces.kind: say what the pressure is: absolute, gauge, kinematic or coefficient");
  if (!(length > 0)) fail("forces.length: say the reference length (area in 3-D), more than 0");
  if (velocity < 0) fail("forces.velocity: the free stream's speed must be more than 0, or 0 for each case's own");
  if (density < 0) fail("forces.density: the free stream's density must be more than 0, or 0 for each case's own");
  if (!drag_direction.empty()) check_direction(drag_direction, schema.dim(), "forces.drag_direction");
  if (!lift_direction.empty() || schema.dim() != 2)
    check_direction(lift_direction, schema.dim(), "forces.lift_direction");
  if (!moment_centre.empty() && (schema.dim() != 2 || moment_centre.size() != 2))
    fail("forces.moment_centre: a moment is computed in 2-D only, about a point of two coordinates");
}

Index ForceSettings::reynolds_index(const Schema& schema) const {
  std::vector<std::string> known;
  for (const auto& descriptor : schema.descriptors) {
    if (descriptor.name == reynolds) return std::ssize(known);
    known.push_back(descriptor.name);
  }
  fail("forces.reynolds: the data have no descriptor \"{}\"; they have: {}", reynolds, fmt::join(known, ", "));
}

ForceSettings ForceSettings::with(const Reference& reference, const std::string& where) const {
  ForceSettings out = *this;
  if (velocity == 0) out.velocity = reference.speed;
  if (density == 0) out.density = reference.density;
  if (kind != "coefficient" && !(out.velocity > 0))
    fail("forces.velocity: say the free stream's speed, more than 0; {} does not know its own", where);
  if ((kind == "absolute" || kind == "gauge") && !(out.density > 0))
    fail("forces.density: say the free stream's density, more than 0; {} does not know its own", where);
  if (drag_direction.empty()) {
    if (reference.direction.empty())
      fail("forces.drag_direction: say the direction of the free stream; {} does not know its own", where);
    out.drag_direction = reference.direction;
    if (!lift_direction.empty()) out.lift_direction = perpendicular(lift_direction, out.drag_direction, where);
  }
  if (lift_direction.empty()) out.lift_direction = {-out.drag_direction[1], out.drag_direction[0]};
  return out;
}

WallForces::WallForces(const ForceSettings& settings, const Schema& schema, const SurfaceView& wall,
                       const std::string& where)
    : settings_(settings), where_(where) {
  settings.check(schema);
  channel_ = channel_index(settings.channel, schema);
  if (wall.empty() || !wall.has_normals())
    fail(
        "{}: has no wall with normals, so there are no forces to compute; import it with --normals, or in 3-D with the "
        "wall's faces",
        where);
  if (!wall.areas().empty())
    patch_ = wall.areas();
  else if (schema.dim() == 2)
    patch_ = wall_lengths(wall);
  else
    fail(
        "{}: its wall has no areas, so the pressure cannot be integrated; import it with its faces (VTK polygons or "
        "--faces), or with --areas",
        where);
}

std::vector<double> WallForces::pressure(const Matrix& wall_fields, const Reference& reference) const {
  const auto s = settings_.with(reference, where_);
  // From the pressure as it is given to a coefficient, which all kinds share.
  const double speed2 = s.velocity * s.velocity;
  const double dynamic = s.kind == "coefficient" ? 1 : s.kind == "kinematic" ? 0.5 * speed2 : 0.5 * s.density * speed2;
  const double pressure_far_away = s.kind == "absolute" ? s.reference_pressure : 0;
  std::vector<double> out;
  for (Index i = 0; i < wall_fields.rows(); ++i)
    out.push_back((double(wall_fields(i, channel_)) - pressure_far_away) / dynamic);
  return out;
}

ForceCoefficients WallForces::of(const SurfaceView& wall, const Matrix& wall_fields, const Reference& reference) const {
  assert(wall_fields.rows() == wall.size() && std::ssize(patch_) == wall.size());
  const auto s = settings_.with(reference, where_);
  const auto coefficients = pressure(wall_fields, reference);
  Eigen::VectorXd force = Eigen::VectorXd::Zero(wall.dim());
  double moment = 0;
  for (Index i = 0; i < wall.size(); ++i) {
    // Normals point into the fluid; pressure pushes the other way.
    const Eigen::VectorXd push = -coefficients[i] * patch_[i] * wall.normal(i).transpose().cast<double>();
    force += push;
    if (!s.moment_centre.empty())
      moment +=
          (wall.position(i)[0] - s.moment_centre[0]) * push[1] - (wall.position(i)[1] - s.moment_centre[1]) * push[0];
  }
  ForceCoefficients out;
  out.drag = force.dot(unit(s.drag_direction)) / s.length;
  out.lift = force.dot(unit(s.lift_direction)) / s.length;
  if (!s.moment_centre.empty()) out.moment = moment / (s.length * (s.chord > 0 ? s.chord : s.length));
  return out;
}

}  // namespace fluidsplat::field
