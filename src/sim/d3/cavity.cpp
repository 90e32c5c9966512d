// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/d3/cavity.h"

#include <algorithm>
#include <cmath>

#include "base/misuse.h"

namespace fluidsplat::sim::d3 {

namespace {

constexpr Index kBatch = 20;  // steps between questions to the hooks
constexpr double kLargestViscosity = 0.25;

LbmSettings lattice(const CavityCase& c) {
  LbmSettings s;
  s.size = {c.cells, c.cells, c.cells};
  s.viscosity = lattice_velocity(c) * double(c.cells) / c.reynolds;
  s.edges = {Edge::kWall, Edge::kWall, Edge::kWall, {lattice_velocity(c), 0, 0}};
  s.threads = c.threads;
  return s;
}

// The obstacle's distance at a point of the lattice, whose cell 0 is centred half a cell inside the wall.
Solid solid(const CavityCase& c) {
  if (!c.obstacle) return {};
  const double cell = kCavitySide / double(c.cells);
  return {[obstacle = *c.obstacle, cell](Vec3 p) {
            return signed_distance(obstacle, {cell * (p.x + 0.5), cell * (p.y + 0.5), cell * (p.z + 0.5)});
          },
          {}};
}

double square_sum(const std::vector<float>& a) {
  double sum = 0;
  for (const float value : a) sum += double(value) * value;
  return sum;
}

double relative_change(const std::vector<float>& before, const std::vector<float>& now) {
  double difference = 0;
  for (Index i = 0; i < std::ssize(now); ++i) difference += std::pow(double(now[i]) - before[i], 2);
  return std::sqrt(difference / square_sum(now));
}

}  // namespace

double lattice_velocity(const CavityCase& c) {
  if (c.cells < 4) misuse("a cavity of {} cells: at least 4", c.cells);
  if (!(c.reynolds > 0)) misuse("Reynolds number {}: must be positive", c.reynolds);
  return std::min(c.lattice_velocity, kLargestViscosity * c.reynolds / double(c.cells));
}

CavityFlow::CavityFlow(const CavityCase& settings)
    : settings_(settings), velocity_(lattice_velocity(settings)), lbm_(lattice(settings), solid(settings)) {}

std::vector<float> CavityFlow::velocities() const {
  std::vector<float> result;
  result.reserve(3 * lbm_.size().cells());
  for (Index z = 0; z < settings_.cells; ++z)
    for (Index y = 0; y < settings_.cells; ++y)
      for (Index x = 0; x < settings_.cells; ++x) {
        if (!lbm_.fluid(x, y, z)) continue;
        const Moments m = lbm_.at(x, y, z);
        result.insert(result.end(), {m.u, m.v, m.w});
      }
  return result;
}

CavityReport CavityFlow::settle(const SteadyOptions& options, const RunHooks& hooks) {
  CavityReport report;
  const Index steps = std::llround(double(settings_.cells) / velocity_);  // that a side / lid speed takes
  double nearest = 0;  // how far the change has come on its way to the tolerance
  std::vector<float> before = velocities();
  for (report.time = 1; report.time <= options.longest; ++report.time) {
    for (Index done = 0; done < steps; done += kBatch) {
      if (hooks.should_stop()) {
        report.end = CavityEnd::kInterrupted;
        return report;
      }
      lbm_.step(std::min(kBatch, steps - done));
    }
    std::vector<float> now = velocities();
    report.change = relative_change(before, now);
    before = std::move(now);
    // Nowhere does steady flow in a cavity outrun its lid.
    const auto fast = [&](float v) { return !(std::abs(v) < 2 * velocity_); };
    report.end = std::ranges::any_of(before, fast)   ? CavityEnd::kDiverged
                 : report.change < options.tolerance ? CavityEnd::kSteady
                                                     : CavityEnd::kUnsettled;
    if (report.end != CavityEnd::kUnsettled) return report;
    nearest = std::clamp(std::log(report.change) / std::log(options.tolerance), nearest, 1.0);
    hooks.tell(nearest, "settle");
  }
  return report;
}

CavityFields CavityFlow::fields() const {
  CavityFields f;
  double sum = 0, count = 0;
  const float per_speed = float(1 / velocity_);
  for (Index z = 0; z < settings_.cells; ++z)
    for (Index y = 0; y < settings_.cells; ++y)
      for (Index x = 0; x < settings_.cells; ++x) {
        const bool fluid = lbm_.fluid(x, y, z);
        const Moments m = fluid ? lbm_.at(x, y, z) : Moments{};
        f.fluid.push_back(fluid);
        f.u.push_back(m.u * per_speed);
        f.v.push_back(m.v * per_speed);
        f.w.push_back(m.w * per_speed);
        f.pressure.push_back(m.density / 3 * per_speed * per_speed);
        sum += f.pressure.back();
        count += fluid;
      }
  for (Index i = 0; i < std::ssize(f.pressure); ++i)
    if (f.fluid[i]) f.pressure[i] -= float(sum / count);
  return f;
}

Vec3 CavityFlow::force_coefficients() const {
  const Vec3 force = lbm_.force_on_body();
  const double scale = 2 / std::pow(velocity_ * double(settings_.cells), 2);
  return {force.x * scale, force.y * scale, force.z * scale};
}

}  // namespace fluidsplat::sim::d3
