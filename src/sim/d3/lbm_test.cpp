// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/d3/lbm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <stdexcept>

#include "base/random.h"
#include "sim/convergence.h"

namespace fluidsplat::sim::d3 {
namespace {

// Decaying vortices that lie in the plane of axes (a, b) of a periodic box of n^3 cells.
class TaylorGreen {
 public:
  TaylorGreen(Index n, double speed, double viscosity, int a, int b)
      : n_(n), a_(a), b_(b), speed_(speed), viscosity_(viscosity), lbm_(settings(n, viscosity)) {
    lbm_.set_state([&](Index x, Index y, Index z) { return exact({x, y, z}, 0); });
  }

  // Relative to the vortices at that time, in the mean square.
  double error_after(Index steps) {
    lbm_.step(steps);
    double error = 0, norm = 0;
    for (Index z = 0; z < n_; ++z)
      for (Index y = 0; y < n_; ++y)
        for (Index x = 0; x < n_; ++x) {
          const Moments have = lbm_.at(x, y, z), want = exact({x, y, z}, double(steps));
          error += std::pow(have.u - want.u, 2) + std::pow(have.v - want.v, 2) + std::pow(have.w - want.w, 2);
          norm += std::pow(want.u, 2) + std::pow(want.v, 2) + std::pow(want.w, 2);
        }
    return std::sqrt(error / norm);
  }

 private:
  static LbmSettings settings(Index n, double viscosity) {
    LbmSettings s;
    s.size = {n, n, n};
    s.viscosity = viscosity;
    s.threads = 1;
    return s;
  }
  Moments exact(const std::array<Index, 3>& cell, double time) const {
    const double k = 2 * std::numbers::pi / double(n_), decay = std::exp(-2 * viscosity_ * k * k * time);
    const double p = k * double(cell[a_]), q = k * double(cell[b_]);
    std::array<double, 3> velocity{};
    velocity[a_] = -speed_ * decay * std::cos(p) * std::sin(q);
    velocity[b_] = speed_ * decay * std::sin(p) * std::cos(q);
    const double pressure = -0.25 * speed_ * speed_ * decay * decay * (std::cos(2 * p) + std::cos(2 * q));
    return {float(3 * pressure), float(velocity[0]), float(velocity[1]), float(velocity[2])};
  }
  Index n_;
  int a_, b_;
  double speed_, viscosity_;
  Lbm lbm_;
};

// A wrong sign, weight or offset of any of the nineteen directions shows in one of the planes.
TEST(Lbm3, VorticesInEveryPlaneDecayAtSecondOrder) {
  for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {2, 0}}) {
    std::vector<double> sizes, errors;
    for (const Index n : {8, 16, 32}) {
      const double scale = double(n) / 8;  // diffusive scaling: the same flow, time step as the square of the cell
      TaylorGreen flow(n, 0.04 / scale, 0.04, a, b);
      sizes.push_back(double(n));
      errors.push_back(flow.error_after(std::llround(25 * scale * scale)));
    }
    EXPECT_LT(errors.back(), 5e-3) << a << b;
    EXPECT_GT(convergence_order(sizes, errors), 1.8) << a << b;
    EXPECT_LT(convergence_order(sizes, errors), 2.4) << a << b;
  }
}

Moments random_state(Random& random) {
  const auto draw = [&](double size) { return float(random.uniform(-size, size)); };
  return {draw(0.01), draw(0.05), draw(0.05), draw(0.05)};
}

TEST(Lbm3, PeriodicBoxConservesMassAndMomentum) {
  LbmSettings s;
  s.size = {19, 11, 7};
  s.threads = 1;
  Lbm lbm(s);
  Random random(3);
  lbm.set_state([&](Index, Index, Index) { return random_state(random); });
  const auto totals = [&] {
    std::array<double, 4> sum{};
    for (Index z = 0; z < s.size.nz; ++z)
      for (Index y = 0; y < s.size.ny; ++y)
        for (Index x = 0; x < s.size.nx; ++x) {
          const Moments m = lbm.at(x, y, z);
          sum[0] += m.density, sum[1] += m.u, sum[2] += m.v, sum[3] += m.w;
        }
    return sum;
  };
  const auto before = totals();
  lbm.step(500);
  const auto after = totals();
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(after[k], before[k], 1e-7 * double(s.size.cells())) << k;
}

TEST(Lbm3, SameBitsForAnyNumberOfThreads) {
  const auto run = [](int threads) {
    LbmSettings s;
    s.size = {21, 17, 13};
    s.edges = {Edge::kWall, Edge::kWall, Edge::kPeriodic, {0.1, 0, 0.02}};
    s.threads = threads;
    Lbm lbm(s, {[](Vec3 p) { return std::hypot(p.x - 9.2, p.y - 8.1, p.z - 6.3) - 3.3; }, {}});
    lbm.step(101);
    std::vector<float> bits;
    for (Index z = 0; z < s.size.nz; ++z)
      for (Index y = 0; y < s.size.ny; ++y)
        for (Index x = 0; x < s.size.nx; ++x) {
          const Moments m = lbm.at(x, y, z);
          bits.insert(bits.end(), {m.density, m.u, m.v, m.w});
        }
    bits.push_back(float(lbm.force_on_body().x));
    return bits;
  };
  const auto one = run(1);
  for (const int threads : {2, 3}) {
    const auto more = run(threads);
    EXPECT_EQ(std::memcmp(one.data(), more.data(), one.size() * sizeof(float)), 0) << threads;
  }
  EXPECT_NE(one.back(), 0) << "the body felt nothing";
}

TEST(Lbm3, RefusesImpossibleSettings) {
  const auto with = [](auto change) {
    LbmSettings s;
    s.size = {4, 4, 4};
    change(s);
    Lbm lbm(s);
  };
  EXPECT_THROW(with([](LbmSettings& s) { s.size.nz = 0; }), std::logic_error);
  EXPECT_THROW(with([](LbmSettings& s) { s.viscosity = 0; }), std::logic_error);
  EXPECT_THROW(with([](LbmSettings& s) { s.viscosity = std::nan(""); }), std::logic_error);
  EXPECT_THROW(with([](LbmSettings& s) { s.magic = -1; }), std::logic_error);
}

}  // namespace
}  // namespace fluidsplat::sim::d3
