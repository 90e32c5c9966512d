// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/wake_series.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"

namespace fluidsplat::benchmarks {
namespace {

// Small and short: what is tested is the book-keeping, not the flow.
CylinderWakeOptions small_transient() {
  CylinderWakeOptions o;
  o.flow.cells_per_diameter = 8;
  o.flow.upstream = 3;
  o.flow.height = 10;
  o.frames = 3;
  o.transient = 1.5;
  return o;
}

TEST(WakeSeries, FramesCarryTheirReynoldsNumber) {
  const TemporaryFolder folder;
  const auto o = small_transient();
  EXPECT_EQ(make_wake_series(folder / "s.h5", o, {60, 150}).size(), 2u);
  const field::DatasetFile data(folder / "s.h5");
  ASSERT_EQ(data.size(), 6);
  EXPECT_EQ(data.mesh_count(), 1) << "one window, one mesh";
  EXPECT_EQ(data.schema().descriptors, (std::vector<field::Column>{{"Re", ""}}));
  EXPECT_EQ(data.load(2).descriptors(0), 60);
  EXPECT_EQ(data.load(3).descriptors(0), 150);
  EXPECT_NEAR(data.load(4).time, 1.0, o.flow.lattice_velocity / o.flow.cells_per_diameter);
  EXPECT_EQ(data.case_name(3), "re150-frame-00000");
  // The same start, but less viscosity: other fields.
  EXPECT_GT((data.load(2).fields - data.load(5).fields).norm(), 0.01 * data.load(2).fields.norm());
  auto alone = o;
  alone.flow.reynolds = 150;
  make_cylinder_wake(folder / "alone.h5", alone);
  EXPECT_EQ(field::DatasetFile(folder / "alone.h5").load(1).fields, data.load(4).fields);
}

TEST(WakeSeries, GoesOnWhereItWasInterrupted) {
  const TemporaryFolder folder;
  const auto o = small_transient();
  RunHooks stop_in_second;
  bool second = false;
  stop_in_second.progress = [&](double, const std::string& part) { second = second || part.starts_with("Re 150"); };
  stop_in_second.interrupted = [&] { return second; };
  const auto reports = make_wake_series(folder / "s.h5", o, {60, 150}, stop_in_second);
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_FALSE(reports.back().complete);
  EXPECT_FALSE(std::filesystem::exists(folder / "s.h5"));
  EXPECT_EQ(make_wake_series(folder / "s.h5", o, {60, 150}).size(), 1u) << "the first is not made again";
  EXPECT_EQ(field::DatasetFile(folder / "s.h5").size(), 6);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_EQ(entry.path().filename(), "s.h5") << "parts are cleared away";

  second = false;
  make_wake_series(folder / "s.h5", o, {60, 150}, stop_in_second);
  auto finer = o;
  finer.flow.cells_per_diameter = 9;
  EXPECT_EQ(make_wake_series(folder / "s.h5", finer, {60, 150}).size(), 2u) << "a part with other settings is no use";
}

TEST(WakeSeries, PartsMakeTheSeriesOfOneProcess) {
  const TemporaryFolder folder;
  const auto o = small_transient();
  make_wake_series(folder / "alone.h5", o, {60, 150});
  EXPECT_EQ(make_wake_series(folder / "s.h5", o, {60, 150}, {}, {2, 2}).size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(folder / "s.h5"));
  EXPECT_EQ(make_wake_series(folder / "s.h5", o, {60, 150}, {}, {1, 2}).size(), 1u);
  const field::DatasetFile alone(folder / "alone.h5"), shared(folder / "s.h5");
  ASSERT_EQ(shared.size(), alone.size());
  for (Index i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(shared.load(i).fields, alone.load(i).fields);
    EXPECT_EQ(shared.case_name(i), alone.case_name(i));
  }
  EXPECT_EQ(shared.notes(), alone.notes());
}

TEST(WakeSeries, RefusesTheSameNumberTwice) {
  const TemporaryFolder folder;
  EXPECT_THROW(make_wake_series(folder / "s.h5", small_transient(), {60, 60}), Error);
}

}  // namespace
}  // namespace fluidsplat::benchmarks
