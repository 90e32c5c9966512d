// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/d3/cavity.h"
#include "sim/d3/cavity_reference.h"
#include "sim/d3/slab_cavity.h"

namespace fluidsplat::sim::d3 {
namespace {

// Botella and Peyret, Computers & Fluids 27 (1998), give the extremes to seven digits by a spectral method.  The values
// of Ghia, Ghia and Shin are up to 0.012 away from these.
TEST(CavityLong, ASlabAtReynoldsNumber1000AgreesWithPublishedValues) {
  const SlabCavity flow(129, 1000, 80);
  EXPECT_NEAR(flow.least_u(), -0.3885698, 0.004);
  EXPECT_NEAR(flow.least_v(), -0.5270771, 0.004);
  EXPECT_NEAR(flow.most_v(), 0.3769447, 0.004);
  EXPECT_LT(flow.worst_u(kGhiaU1000), 0.01);
  EXPECT_LT(flow.worst_v(kGhiaV1000), 0.015);
}

// Velocities on the centre lines of the cube, which lie between the four middle rows of cells.
struct CubeLines {
  std::vector<double> u, v;

  explicit CubeLines(Index n) {
    CavityFlow flow({.reynolds = 1000, .cells = n, .lattice_velocity = 0.15});
    EXPECT_EQ(flow.settle({.tolerance = 1e-4}).end, CavityEnd::kSteady);
    const CavityFields f = flow.fields();
    const Index h = n / 2;
    const auto middle = [&](const std::vector<float>& field, auto cell) {
      return 0.25 *
             (double(field[cell(h, h)]) + field[cell(h - 1, h)] + field[cell(h, h - 1)] + field[cell(h - 1, h - 1)]);
    };
    for (Index i = 0; i < n; ++i) {
      u.push_back(middle(f.u, [&](Index x, Index z) { return (z * n + i) * n + x; }));
      v.push_back(middle(f.v, [&](Index y, Index z) { return (z * n + y) * n + i; }));
    }
  }
};

// The line's values where the reference has them.
std::vector<double> values_at(const CentreLine& line, const std::vector<double>& cells, double lid) {
  return interpolated(
      line.at, std::ssize(cells), [&](Index i) { return cells[i]; }, 0, lid);
}

// 72 cells resolve the layers at the walls to 0.02; that the error is of second order shows in what two lattices
// extrapolate to.
TEST(CavityLong, TheCubeAtReynoldsNumber1000AgreesWithAlbensoederAndKuhlmann) {
  const CubeLines coarse(48), fine(72);
  const auto check = [](const CentreLine& line, const std::vector<double>& low, const std::vector<double>& high,
                        double lid, double fine_error) {
    const auto a = values_at(line, low, lid), b = values_at(line, high, lid);
    for (Index k = 0; k < std::ssize(line.at); ++k) {
      EXPECT_NEAR(b[k], line.value[k], fine_error) << line.at[k];
      EXPECT_NEAR(b[k] + (b[k] - a[k]) / (1.5 * 1.5 - 1), line.value[k], 0.008) << line.at[k];
    }
  };
  check(kCubeU1000, coarse.u, fine.u, 1, 0.01);
  check(kCubeV1000, coarse.v, fine.v, 0, 0.021);
}

}  // namespace
}  // namespace fluidsplat::sim::d3
