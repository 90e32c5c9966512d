// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/airfoil_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "sim/lattice_stencil.h"

namespace fluidsplat::sim {

namespace {

constexpr double kSpongeStrength = 1.0;  // at the edge, per time unit

// Forces are looked at in pieces of this length, and questions to the hooks asked after each tenth.
constexpr double kPiece = 1;

// A flow is steady when drag and lift of this many pieces in a row stay within this share of the larger of the two.
constexpr std::size_t kSteadyPieces = 3;
constexpr double kSteady = 0.004;

// No laminar flow past an airfoil has such forces: the lattice has become unstable.
constexpr double kImpossibleForce = 50;

// In cells: nearer to the wall than the first, interpolation would lean on cells inside the body.  Farther away the
// stagnation pressure at the nose, which is hardly wider than a cell, would be missed.
constexpr double kFirstSample = 1, kSecondSample = 2;

const AirfoilCase& checked(const AirfoilCase& c) {
  if (!(c.reynolds > 0)) fail("airfoil.reynolds = {}: must be positive", c.reynolds);
  if (!(std::abs(c.angle) <= 30)) fail("airfoil.angle = {}: must be between -30 and 30 degrees", c.angle);
  if (!(c.cells_per_chord >= 16 && c.cells_per_chord <= 2000))
    fail("airfoil.cells_per_chord = {}: must be 16 to 2000", c.cells_per_chord);
  if (!(c.lattice_velocity > 0 && c.lattice_velocity <= 0.2))
    fail("airfoil.lattice_velocity = {}: must be in (0, 0.2], 0.05 to 0.1 is usual", c.lattice_velocity);
  if (!(c.upstream >= 1 && c.downstream >= 2 && c.height >= 2))
    fail("airfoil domain: upstream {} must be at least 1 chord, downstream {} and height {} at least 2", c.upstream,
         c.downstream, c.height);
  if (!(c.sponge >= 0 && c.sponge < c.downstream - 1))
    fail("airfoil.sponge = {}: must be at least 0 and end behind the airfoil", c.sponge);
  return c;
}

int cells(const AirfoilCase& c, double chords) {
  return int(std::lround(chords * c.cells_per_chord));
}

// An odd number: the chord lies on the middle row, so that the thin trailing edge is solid up to its end.
int rows(const AirfoilCase& c) {
  return 2 * cells(c, 0.5 * c.height) + 1;
}

Vec2 to_cell(const AirfoilCase& c, Vec2 p) {
  return {c.cells_per_chord * (c.upstream + p.x), 0.5 * (rows(c) - 1) + c.cells_per_chord * p.y};
}

Vec2 to_point(const AirfoilCase& c, Vec2 cell) {
  return {cell.x / c.cells_per_chord - c.upstream, (cell.y - 0.5 * (rows(c) - 1)) / c.cells_per_chord};
}

Vec2 direction(const AirfoilCase& c) {
  const double angle = c.angle * std::numbers::pi / 180;
  return {std::cos(angle), std::sin(angle)};
}

LbmSettings lattice(const AirfoilCase& c) {
  LbmSettings s;
  s.nx = cells(c, c.upstream + c.downstream);
  s.ny = rows(c);
  s.viscosity = c.lattice_velocity * c.cells_per_chord / c.reynolds;
  // Odd moments relax at once.  At viscosities as low as these, those of the usual magic parameter of 3/16 relax
  // slowly, and waves grow along the open edges.
  s.magic = 1.5 * s.viscosity;
  s.edges.stream.velocity = {c.lattice_velocity * direction(c).x, c.lattice_velocity * direction(c).y};
  s.edges.stream.body = to_cell(c, {0.25, 0});
  s.edges.x = s.edges.y = Edge::kFarField;
  s.sponge_width = cells(c, c.sponge);
  s.sponge_strength = kSpongeStrength * c.lattice_velocity / c.cells_per_chord;
  s.threads = c.threads;
  return s;
}

// Far from the airfoil any positive number will do: most cells need no distance to 400 panels.
Shape shape(const AirfoilCase& c, const NacaAirfoil& airfoil) {
  return {[&c, &airfoil](Vec2 cell) {
            const Vec2 p = to_point(c, cell);
            if (p.x < -0.1 || p.x > 1.1 || std::abs(p.y) > 0.4) return 1.0;
            return airfoil.signed_distance(p);
          },
          {}};
}

void add(std::vector<float>& sum, const std::vector<float>& values) {
  sum.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

}  // namespace

// Mean forces and the range of the lift over a piece of the run.
struct AirfoilFlow::Window {
  double drag = 0, lift = 0;
  double least_lift = std::numeric_limits<double>::infinity(), most_lift = -least_lift;
  Index steps = 0;

  void push(double step_drag, double step_lift) {
    ++steps;
    drag += (step_drag - drag) / double(steps);
    lift += (step_lift - lift) / double(steps);
    least_lift = std::min(least_lift, step_lift);
    most_lift = std::max(most_lift, step_lift);
  }
};

AirfoilFlow::AirfoilFlow(const AirfoilCase& settings)
    : settings_(checked(settings)),
      airfoil_(settings.digits),
      lbm_(lattice(settings_), shape(settings_, airfoil_)),
      reader_(lbm_) {}

void AirfoilFlow::step(int count) {
  const double unit = 0.5 * settings_.lattice_velocity * settings_.lattice_velocity * settings_.cells_per_chord;
  const Vec2 along = direction(settings_);
  lbm_.step(count);
  const Vec2 force = lbm_.force_on_walls();
  drag_ = (force.x * along.x + force.y * along.y) / unit;
  lift_ = (force.y * along.x - force.x * along.y) / unit;
  steps_ += count;
}

void AirfoilFlow::keep_instant() {
  reader_.read(lbm_, instant_);
  mean_.nx = instant_.nx;
  mean_.ny = instant_.ny;
  add(mean_.u, instant_.u);
  add(mean_.v, instant_.v);
  add(mean_.pressure, instant_.pressure);
  ++kept_;
}

// False when interrupted or diverged.
bool AirfoilFlow::advance(double duration, bool keep_fields, const RunHooks& hooks, Window& window) {
  const int batch =
      std::max(1, int(std::lround(0.1 * kPiece * settings_.cells_per_chord / settings_.lattice_velocity)));
  const double longest = settings_.settle_most + settings_.average, end = time() + duration;
  while (time() < end) {
    if (hooks.should_stop()) return false;
    // Single steps are pushed so that a piece's mean has no aliasing with sound.
    for (int k = 0; k < batch; k += 4) {
      step(4);
      window.push(drag_, lift_);
    }
    if (!(std::abs(window.drag) < kImpossibleForce && std::abs(window.lift) < kImpossibleForce)) return false;
    if (keep_fields) keep_instant();
    hooks.tell(std::min(1.0, time() / longest), "flow");
  }
  return true;
}

// The far field of a body with the forces that were measured.
void AirfoilFlow::follow(const Window& window) {
  FarStream stream = lbm_.settings().edges.stream;
  const double unit = 0.5 * settings_.lattice_velocity * settings_.cells_per_chord;
  stream.source = unit * window.drag;
  stream.circulation = unit * window.lift;
  lbm_.set_stream(stream);
}

AirfoilReport AirfoilFlow::run(const RunHooks& hooks) {
  AirfoilReport report;
  std::vector<Window> pieces;
  const auto steady = [&] {
    if (time() < settings_.settle_least || pieces.size() < kSteadyPieces) return false;
    double scale = 0, drag_low = 1e9, drag_high = -1e9, lift_low = 1e9, lift_high = -1e9;
    for (auto p = pieces.end() - kSteadyPieces; p != pieces.end(); ++p) {
      scale = std::max({scale, std::abs(p->drag), std::abs(p->lift)});
      drag_low = std::min(drag_low, p->drag), drag_high = std::max(drag_high, p->drag);
      lift_low = std::min(lift_low, p->least_lift), lift_high = std::max(lift_high, p->most_lift);
    }
    return drag_high - drag_low < kSteady * scale && lift_high - lift_low < kSteady * scale;
  };
  const auto stopped = [&] {
    report.time = time();
    report.diverged = !hooks.should_stop();
    return report;
  };
  while (time() < settings_.settle_most && !steady()) {
    pieces.emplace_back();
    if (!advance(kPiece, false, hooks, pieces.back())) return stopped();
    follow(pieces.back());
  }
  report.steady = steady();
  Window mean;
  mean_ = {};
  kept_ = 0;
  if (!advance(report.steady ? kPiece : settings_.average, true, hooks, mean)) return stopped();
  const float share = 1 / float(kept_);
  for (auto* field : {&mean_.u, &mean_.v, &mean_.pressure})
    for (auto& value : *field) value *= share;
  pressure_far_ = 0;
  pressure_far_ = total_pressure() - 0.5;
  report.complete = true;
  report.time = time();
  report.drag = mean.drag;
  report.lift = mean.lift;
  report.lift_amplitude = 0.5 * (mean.most_lift - mean.least_lift);
  return report;
}

AirfoilSample AirfoilFlow::interpolate(Vec2 point) const {
  const auto stencil = stencil_at(lbm_, to_cell(settings_, point));
  if (!stencil) fail("airfoil flow: the point ({}, {}) is outside the lattice; enlarge the domain", point.x, point.y);
  const double speed = settings_.lattice_velocity;
  return {stencil->apply(mean_.u, mean_.nx) / speed, stencil->apply(mean_.v, mean_.nx) / speed,
          stencil->apply(mean_.pressure, mean_.nx) / (speed * speed) - pressure_far_};
}

// Ahead of the airfoil nothing has been lost yet: pressure + velocity^2 / 2 is what it is far away, where the open
// edges hold the velocity but leave the pressure's level to itself.
double AirfoilFlow::total_pressure() const {
  double sum = 0;
  constexpr int kPoints = 21;
  const double x = -0.7 * settings_.upstream, reach = 0.6 * settings_.height;
  for (int k = 0; k < kPoints; ++k) {
    const auto at = interpolate({x, reach * (double(k) / (kPoints - 1) - 0.5)});
    sum += at.pressure + 0.5 * (at.u * at.u + at.v * at.v);
  }
  return sum / kPoints;
}

AirfoilSample AirfoilFlow::at(Vec2 point) const {
  const auto wall = airfoil_.nearest(point);
  const double distance = wall.distance * settings_.cells_per_chord;
  if (distance >= kFirstSample) return interpolate(point);
  // At the wall itself the way to it has no direction, nor inside, where rounding may put a point of the wall.
  const Vec2 away = distance > 1e-3
                        ? Vec2{(point.x - wall.point.x) / wall.distance, (point.y - wall.point.y) / wall.distance}
                        : wall.normal;
  const auto sample = [&](double in_cells) {
    const double d = in_cells / settings_.cells_per_chord;
    return interpolate({wall.point.x + d * away.x, wall.point.y + d * away.y});
  };
  const AirfoilSample first = sample(kFirstSample), second = sample(kSecondSample);
  const double d = std::max(0.0, distance), a = kFirstSample, b = kSecondSample;
  const double of_first = d * (d - b) / (a * (a - b)), of_second = d * (d - a) / (b * (b - a));
  const double along = (d - a) / (b - a);
  return {of_first * first.u + of_second * second.u, of_first * first.v + of_second * second.v,
          first.pressure + along * (second.pressure - first.pressure)};
}

}  // namespace fluidsplat::sim
