// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/lbm.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include <cmath>
#include <cstring>
#include <numbers>

#include "base/random.h"
#include "sim/convergence.h"

namespace fluidsplat::sim {
namespace {

// Decaying vortices in a periodic box of n x n cells, carried by a uniform stream.
class TaylorGreen {
 public:
  TaylorGreen(int n, double speed, double viscosity, double stream)
      : n_(n), speed_(speed), viscosity_(viscosity), stream_(stream), lbm_(settings(n, viscosity)) {
    lbm_.set_state([&](int x, int y) { return exact(x, y, 0); });
  }

  Moments exact(double x, double y, double time) const {
    const double k = 2 * std::numbers::pi / n_, decay = std::exp(-2 * viscosity_ * k * k * time);
    const double kx = k * (x - stream_ * time), ky = k * y;
    const double pressure = -0.25 * speed_ * speed_ * decay * decay * (std::cos(2 * kx) + std::cos(2 * ky));
    return {float(3 * pressure), float(stream_ - speed_ * decay * std::cos(kx) * std::sin(ky)),
            float(speed_ * decay * std::sin(kx) * std::cos(ky))};
  }

  // Relative to the vortices at that time, in the mean square.
  double error_after(int steps) {
    lbm_.step(steps);
    double error = 0, norm = 0;
    for (int y = 0; y < n_; ++y) {
      for (int x = 0; x < n_; ++x) {
        const Moments have = lbm_.at(x, y), want = exact(x, y, steps);
        error += std::pow(have.u - want.u, 2) + std::pow(have.v - want.v, 2);
        norm += std::pow(want.u - stream_, 2) + std::pow(want.v, 2);
      }
    }
    return std::sqrt(error / norm);
  }

 private:
  static LbmSettings settings(int n, double viscosity) {
    LbmSettings s;
    s.nx = s.ny = n;
    s.viscosity = viscosity;
    return s;
  }
  int n_;
  double speed_, viscosity_, stream_;
  Lbm lbm_;
};

TEST(Lbm, TaylorGreenConvergesAtSecondOrder) {
  std::vector<double> sizes, errors;
  for (const int n : {16, 32, 64}) {
    const double scale = n / 16.0;  // diffusive scaling: the same flow, time step as the square of the cell
    TaylorGreen flow(n, 0.04 / scale, 0.04, 0);
    sizes.push_back(n);
    errors.push_back(flow.error_after(int(100 * scale * scale)));
  }
  EXPECT_LT(errors.back(), 2e-3);
  const double order = convergence_order(sizes, errors);
  EXPECT_GT(order, 1.8);
  EXPECT_LT(order, 2.3);
}

TEST(Lbm, VorticesDoNotNoticeAUniformStream) {
  const int n = 48, steps = 960;  // the stream goes round exactly once
  const double at_rest = TaylorGreen(n, 0.02, 0.02, 0).error_after(steps);
  const double carried = TaylorGreen(n, 0.02, 0.02, 0.05).error_after(steps);
  EXPECT_LT(at_rest, 5e-3);
  EXPECT_LT(carried, 2e-2);
}

TEST(Lbm, PeriodicBoxConservesMassAndMomentum) {
  LbmSettings s;
  s.nx = 37;
  s.ny = 23;
  Lbm lbm(s);
  Random random(3);
  lbm.set_state([&](int, int) {
    return Moments{float(random.uniform(-0.01, 0.01)), float(random.uniform(-0.05, 0.05)),
                   float(random.uniform(-0.05, 0.05))};
  });
  const auto totals = [&] {
    double mass = 0, x = 0, y = 0;
    for (int j = 0; j < s.ny; ++j) {
      for (int i = 0; i < s.nx; ++i) {
        const Moments m = lbm.at(i, j);
        mass += m.density, x += m.u, y += m.v;
      }
    }
    return std::array{mass, x, y};
  };
  const auto before = totals();
  lbm.step(1000);
  const auto after = totals();
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(after[k], before[k], 1e-7 * s.nx * s.ny) << k;
}

TEST(Lbm, SameBitsForAnyNumberOfThreads) {
  const auto run = [](int threads) {
    LbmSettings s;
    s.nx = 61;
    s.ny = 47;
    s.edges.x = s.edges.y = Edge::kFarField;
    s.edges.stream.velocity = {0.1, 0.01};
    s.sponge_width = 12;
    s.sponge_strength = 0.01;
    s.threads = threads;
    Lbm lbm(s, circle({20.2, 22.7}, 5.1));
    lbm.step(300);
    std::vector<float> bits;
    for (int y = 0; y < s.ny; ++y) {
      for (int x = 0; x < s.nx; ++x) {
        const Moments m = lbm.at(x, y);
        bits.insert(bits.end(), {m.density, m.u, m.v});
      }
    }
    bits.push_back(float(lbm.force_on_walls().x));
    bits.push_back(float(lbm.force_on_walls().y));
    return bits;
  };
  const auto one = run(1);
  for (const int threads : {2, 3}) {
    const auto more = run(threads);
    EXPECT_EQ(std::memcmp(one.data(), more.data(), one.size() * sizeof(float)), 0) << threads;
  }
  EXPECT_GT(one[one.size() - 2], 0);  // there was a drag at all
}

TEST(Lbm, RefusesImpossibleSettings) {
  const auto with = [](auto change) {
    LbmSettings s;
    s.nx = s.ny = 8;
    change(s);
    Lbm lbm(s);
  };
  EXPECT_THROW(with([](LbmSettings& s) { s.nx = 0; }), std::logic_error);
  EXPECT_THROW(with([](LbmSettings& s) { s.viscosity = 0; }), std::logic_error);
  EXPECT_THROW(with([](LbmSettings& s) { s.viscosity = std::nan(""); }), std::logic_error);
  EXPECT_THROW(with([](LbmSettings& s) { s.magic = -1; }), std::logic_error);
  EXPECT_THROW(with([](LbmSettings& s) { s.sponge_width = 9; }), std::logic_error);
}

}  // namespace
}  // namespace fluidsplat::sim
