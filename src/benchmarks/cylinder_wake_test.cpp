// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cylinder_wake.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "field/sensors.h"
#include "sim/phase_gap.h"
#include "sim/shape.h"

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

// Half as long as it is high: the ring of pixels next to it, and normals across it.
TEST(CylinderWake, AnEllipseHasASurfaceOfItsOwn) {
  const sim::PixelWindow window;
  const sim::Shape body = sim::ellipse({0, 0}, {0.25, 0.5});
  std::vector<std::uint8_t> mask;
  for (int row = 0; row < window.rows; ++row)
    for (int column = 0; column < window.columns; ++column)
      mask.push_back(body.distance({(column - window.centre_column) / window.pixels_per_diameter,
                                    (row - window.centre_row) / window.pixels_per_diameter}) > 0);
  const auto mesh = wake_mesh(window, mask, 0.5);
  EXPECT_NEAR(double(112 * 192 - mesh.size()), 3.14159 * 18, 8) << "the body's area in pixels";
  // Its circumference is 2.42 heights of 12 pixels, and the ring around it longer.
  EXPECT_GT(double(mesh.surface.size()), 2.42 * 12);
  EXPECT_LT(double(mesh.surface.size()), 1.5 * 2.42 * 12);
  for (std::size_t s = 0; s < mesh.surface.size(); ++s) {
    const Eigen::RowVector2f at = mesh.points.row(mesh.surface[s]), n = mesh.normals.row(s);
    EXPECT_NEAR(n.norm(), 1, 1e-5);
    // A pixel back along the normal is the body.
    const Eigen::RowVector2f back = at - 1.3f / float(window.pixels_per_diameter) * n;
    EXPECT_LT(body.distance({back.x(), back.y()}), 0) << at;
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

// Coarse and quick; what counts here is that the file says of its frames what is true of them.
TEST(CylinderWake, NotesTellHowEvenlyTheFramesLieInTheCycle) {
  TemporaryFolder folder;
  CylinderWakeOptions options;
  options.flow.reynolds = 92;
  options.flow.cells_per_diameter = 10;
  options.flow.lattice_velocity = 0.2;
  options.flow.upstream = 4, options.flow.downstream = 9, options.flow.height = 10, options.flow.sponge = 3;
  options.flow.window = {
      .rows = 48, .columns = 80, .pixels_per_diameter = 12, .centre_row = 23.5, .centre_column = 13.5};
  options.flow.threads = 1;
  options.frames = 60;
  ASSERT_TRUE(make_cylinder_wake(folder / "w.h5", options).complete);

  const field::DatasetFile file(folder / "w.h5");
  ASSERT_EQ(file.size(), 60);
  const auto note = [&](const char* name) { return std::stod(file.notes().at(name)); };
  EXPECT_EQ(note("reynolds"), 92);
  EXPECT_NEAR((file.time_of(59) - file.time_of(0)) / 59 * note("strouhal"), note("frame_step_periods"), 1e-6);
  std::vector<double> phases;
  for (Index i = 0; i < file.size(); ++i) phases.push_back(file.time_of(i) * note("strouhal"));
  EXPECT_NEAR(sim::smallest_phase_gap(phases), note("smallest_phase_gap"), 0.02);
  EXPECT_GT(note("smallest_phase_gap"), 1.0 / 3);
}

TEST(CylinderWake, AnInterruptedRunLeavesNothing) {
  TemporaryFolder folder;
  CylinderWakeOptions options;
  options.flow = sim::CylinderCase::quick();
  options.flow.threads = 1;
  options.frames = 3;
  RunHooks hooks;
  hooks.interrupted = [] { return true; };
  EXPECT_FALSE(make_cylinder_wake(folder / "w.h5", options, hooks).complete);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace fluidsplat::benchmarks
