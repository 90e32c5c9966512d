// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/series_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/temporary_folder.h"

namespace fluidsplat::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using uncertainty::SensorState;

TEST(SeriesPage, ShowsWhoWasDoubtedAndWhen) {
  reconstruct::SeriesReport series;
  series.instants = 4;
  series.times = {0, 1, 2, 3};
  series.sensor_names = {"nose", "tail"};
  series.sensors = {"sensor tail: biased in 2 of 4 rows"};
  reconstruct::SensorReport found;
  for (int row = 0; row < 4; ++row) {
    uncertainty::InstantFindings f;
    f.sensors.resize(2);
    if (row > 1) f.sensors[1].state = SensorState::disagrees;
    found.rows.push_back(f);
  }
  found.faults = {SensorState::fine, SensorState::biased};
  found.shift = {0, 1, 2, 3};
  found.blocks_between_false_alarms = 1e4;
  series.sensor_report = found;
  series.functionals.header = {"time", "drag", "drag_lower", "drag_upper"};
  series.functionals.columns = {{0, 1, 2, 3}, {1, 1, 1, 1}, {0.5, 0.5, 0.5, 0.5}, {2, 2, 2, 2}};
  series.functional_units = {"N/m"};
  field::Schema schema;
  schema.coordinates = {{"x", "m"}, {"y", "m"}};
  schema.channels = {{"u", "m/s"}};
  const TemporaryFolder folder;
  auto html = read_file(write_series_page(series, schema, folder.path()));
  EXPECT_THAT(html, AllOf(HasSubstr("biased in 2 of 4 rows"), HasSubstr(">nose<"), HasSubstr(">biased<"),
                          HasSubstr("a flow the model knows"), HasSubstr("drag with its interval"), HasSubstr(">N/m<"),
                          HasSubstr("once in 10000 blocks")));
  EXPECT_THAT(html, Not(HasSubstr(">disagrees<"))) << "what all rows say of it is more";
  // A test that heard nothing draws no empty chart.
  series.sensor_report->shift = {0, 0, 0, 0};
  html = read_file(write_series_page(series, schema, folder.path()));
  EXPECT_THAT(html, AllOf(HasSubstr("has nothing to go by"), Not(HasSubstr("evidence against it"))));
  series.sensor_report.reset();
  html = read_file(write_series_page(series, schema, folder.path()));
  EXPECT_THAT(html, Not(HasSubstr("Are sensors lying?")));
}

}  // namespace
}  // namespace fluidsplat::report
