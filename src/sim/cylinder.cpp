// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/cylinder.h"

#include <cmath>
#include <numbers>

#include "base/error.h"

namespace fluidsplat::sim {

namespace {

// Without help the symmetric wake takes some thirty shedding periods to become unstable.  A turn of the cylinder to one
// side and back, about as long as one period, sets it off at nearly its final amplitude.
constexpr double kKickTime = 6, kKickSpeed = 0.5;

// Of a cylinder in laminar shedding; the far field needs it, and an error of a tenth there does not matter.
constexpr double kUsualDrag = 1.35;

constexpr double kSpongeStrength = 1.0;  // at the edge, per D/U

double kick(double time) {
  return time < kKickTime ? kKickSpeed * std::sin(2 * std::numbers::pi * time / kKickTime) : 0;
}

const CylinderCase& checked(const CylinderCase& c) {
  if (!(c.reynolds > 0)) fail("cylinder.reynolds = {}: must be positive", c.reynolds);
  if (!(c.length >= 0.2 && c.length <= 5)) fail("cylinder.length = {}: must be in [0.2, 5] heights", c.length);
  if (!(c.cells_per_diameter >= 4)) fail("cylinder.cells_per_diameter = {}: must be at least 4", c.cells_per_diameter);
  if (!(c.lattice_velocity > 0 && c.lattice_velocity <= 0.2)) {
    fail("cylinder.lattice_velocity = {}: must be in (0, 0.2], 0.05 to 0.1 is usual", c.lattice_velocity);
  }
  if (!(c.upstream >= 1 && c.downstream >= 1 && c.height >= 2)) {
    fail("cylinder domain: upstream {}, downstream {} must be at least 1 diameter, height {} at least 2", c.upstream,
         c.downstream, c.height);
  }
  if (!(c.sponge >= 0 && c.sponge < c.downstream)) {
    fail("cylinder.sponge = {}: must be between 0 and downstream = {}", c.sponge, c.downstream);
  }
  return c;
}

int cells(const CylinderCase& c, double diameters) {
  return int(std::lround(diameters * c.cells_per_diameter));
}

// Between the two middle rows when their number is even: a symmetric lattice.
Vec2 centre(const CylinderCase& c) {
  return {c.upstream * c.cells_per_diameter, 0.5 * (cells(c, c.height) - 1)};
}

Shape body(const CylinderCase& c) {
  const double radius = 0.5 * c.cells_per_diameter;
  if (c.length == 1) return circle(centre(c), radius, c.lattice_velocity);
  return ellipse(centre(c), {c.length * radius, radius}, c.lattice_velocity);
}

LbmSettings lattice(const CylinderCase& c) {
  LbmSettings s;
  s.nx = cells(c, c.upstream + c.downstream);
  s.ny = cells(c, c.height);
  s.viscosity = c.lattice_velocity * c.cells_per_diameter / c.reynolds;
  s.edges.stream.velocity = {c.lattice_velocity, 0};
  s.edges.stream.body = centre(c);
  s.edges.stream.radius = 0.5 * c.cells_per_diameter;
  s.edges.stream.source = 0.5 * kUsualDrag * c.lattice_velocity * c.cells_per_diameter;
  s.edges.x = s.edges.y = Edge::kFarField;
  s.sponge_width = cells(c, c.sponge);
  s.sponge_strength = kSpongeStrength * c.lattice_velocity / c.cells_per_diameter;
  s.threads = c.threads;
  return s;
}

}  // namespace

CylinderCase CylinderCase::quick() {
  return {};
}

CylinderCase CylinderCase::fine() {
  CylinderCase c;
  c.cells_per_diameter = 24;
  return c;
}

CylinderFlow::CylinderFlow(const CylinderCase& settings)
    : settings_(checked(settings)),
      time_step_(settings.lattice_velocity / settings.cells_per_diameter),
      lbm_(lattice(settings), body(settings)),
      reader_(lbm_),
      sampler_(lbm_, settings.window, centre(settings), settings.cells_per_diameter) {
  // Potential flow: the start makes little noise, and far away it is right at once.
  const double speed = settings.lattice_velocity;
  lbm_.set_state([&](int x, int y) {
    const auto [u, v] = lbm_.settings().edges.stream.at(x, y);
    const double pressure = 0.5 * (speed * speed - u * u - v * v);
    return Moments{float(3 * pressure), float(u), float(v)};
  });
}

void CylinderFlow::step(int count) {
  const double speed = settings_.lattice_velocity;
  const double unit = 0.5 * speed * speed * settings_.cells_per_diameter;
  while (count > 0) {
    const bool kicking = time() < kKickTime;
    const int batch = kicking ? 1 : count;  // the wall's speed changes from step to step
    lbm_.set_wall_motion(kick(time()));
    lbm_.step(batch);
    count -= batch;
    for (const Vec2 force : lbm_.forces_on_walls()) {
      ++steps_;
      drag_ = force.x / unit;
      lift_ = force.y / unit;
      if (!kicking) shedding_.push(time(), lift_, drag_);
    }
  }
}

void CylinderFlow::advance(double duration) {
  step(int(std::lround(duration / time_step_)));
}

const FlowFields& CylinderFlow::fields() {
  reader_.read(lbm_, fields_);
  return fields_;
}

void CylinderFlow::read(WakeImage& image) {
  fields();
  const double speed = settings_.lattice_velocity;
  sampler_.sample(fields_.vorticity, settings_.cells_per_diameter / speed, image.vorticity);
  sampler_.sample(fields_.u, 1 / speed, image.u);
  sampler_.sample(fields_.v, 1 / speed, image.v);
  sampler_.sample(fields_.pressure, 1 / (speed * speed), image.pressure);
}

}  // namespace fluidsplat::sim
