// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cylinder_wake.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "field/sensors.h"

namespace fluidsplat::benchmarks {
namespace {

std::vector<std::uint8_t> disc_mask(const sim::PixelWindow& w) {
  std::vector<std::uint8_t> mask;
  for (int row = 0; row < w.rows; ++row)
    for (int column = 0; column < w.columns; ++column)
      mask.push_back(std::hypot(row - w.centre_row, column - w.centre_column) > 6);
  return mask;
}

TEST(CylinderWake, MeshIsTheFluidPartOfThePaperWindow) {
  const sim::PixelWindow window;
  const auto mesh = wake_mesh(window, disc_mask(window));
  EXPECT_EQ(mesh.grid_shape, (std::vector<Index>{112, 192}));
  EXPECT_NEAR(double(112 * 192 - mesh.size()), 3.14159 * 36, 8) << "the body's area in pixels";
  for (Index i = 0; i < mesh.points.rows(); ++i)
    ASSERT_GT(mesh.points.row(i).norm(), 0.5f) << "a point inside the cylinder";
  ASSERT_FALSE(mesh.surface.empty());
  for (std::size_t s = 0; s < mesh.surface.size(); ++s) {
    const auto n = mesh.normals.row(s);
    EXPECT_NEAR(n.norm(), 1, 1e-5);
    EXPECT_GT(n.dot(mesh.points.row(mesh.surface[s])), 0) << "normals point into the fluid";
  }
}

// The paper's surface layouts must all be on pixels with data, next to the wall.
TEST(CylinderWake, ThePapersWallSensorsHaveData) {
  const sim::PixelWindow window;
  const auto mesh = wake_mesh(window, disc_mask(window));
  const auto layout = field::layout_from_cells(mesh,
                                               {{55, 20},
                                                {53, 19},
                                                {51, 18},
                                                {50, 16},
                                                {49, 14},
                                                {50, 11},
                                                {51, 9},
                                                {53, 8},
                                                {55, 7},
                                                {58, 8},
                                                {60, 9},
                                                {61, 11},
                                                {62, 13},
                                                {61, 16},
                                                {60, 18},
                                                {58, 19}},
                                               {0}, "test");
  for (Index i = 0; i < layout.positions.rows(); ++i) {
    EXPECT_GT(layout.positions.row(i).norm(), 0.5f);
    EXPECT_LT(layout.positions.row(i).norm(), 0.6f);
  }
}

TEST(CylinderWake, AnInterruptedRunLeavesNothing) {
  TemporaryFolder folder;
  CylinderWakeOptions options;
  options.flow = sim::CylinderCase::quick();
  options.flow.threads = 1;
  options.frames = 3;
  sim::RunHooks hooks;
  hooks.interrupted = [] { return true; };
  EXPECT_FALSE(make_cylinder_wake(folder / "w.h5", options, hooks).complete);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace fluidsplat::benchmarks
