// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/series_trust.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "reconstruct/left_out_readings.h"
#include "reconstruct/places.h"
#include "uncertainty/fault_kind.h"
#include "uncertainty/series_check.h"
#include "uncertainty/shift_alarm.h"

namespace fluidsplat::reconstruct {
namespace {

using uncertainty::SensorState;

std::string sensor_name(const field::SensorLayout& sensors, Index i) {
  return i < std::ssize(sensors.names) && !sensors.names[i].empty() ? sensors.names[i] : fmt::format("s{}", i + 1);
}

}  // namespace

SensorReport check_series(FieldModel& model, const std::shared_ptr<const uncertainty::Calibration>& calibration,
                          ReadingTable& table, Places& places, SensorPolicy policy, double false_alarms) {
  LeftOutModel left_out(model);
  uncertainty::SensorCheck check(calibration, left_out.own(),
                                 [&](const float* values, float* expected) { left_out(values, expected); },
                                 {.false_alarms = false_alarms});
  const auto go_to = [&](Index row) {
    places.go_to(table, row);
    left_out.go_to(instant(table, row, places.sensors()), table.descriptors[row], places.target().mesh);
  };
  std::vector<std::vector<float>> values;
  for (const auto& row : table.values) values.emplace_back(row.data(), row.data() + row.size());
  auto found = uncertainty::check_rows(check, *calibration, left_out.own(), values, false_alarms, go_to);

  SensorReport out;
  out.false_alarms = check.false_alarms();
  out.rows = std::move(found.rows);
  out.wrong_throughout = std::move(found.wrong);
  uncertainty::ShiftAlarm shift(uncertainty::Strangeness(*calibration).groups(), calibration->block);
  out.blocks_between_false_alarms = shift.threshold();
  for (Index row = 0; row < std::ssize(table.values); ++row) {
    if (policy == SensorPolicy::mask) std::ranges::copy(values[row], table.values[row].data());
    const double strangeness = out.rows[row].strangeness;
    if (!std::isnan(strangeness) && shift.add(strangeness) && out.shifted_at < 0) out.shifted_at = row;
    out.shift.push_back(shift.statistic());
  }
  for (Index i = 0; i < model.sensors().size(); ++i) {
    uncertainty::SensorHistory history;
    for (const auto& r : out.rows) history.push_back(r.sensors[i]);
    out.faults.push_back(uncertainty::fault_of(history));
  }
  return out;
}

std::vector<std::string> sensor_names(const field::SensorLayout& sensors) {
  std::vector<std::string> out;
  for (Index i = 0; i < sensors.size(); ++i) out.push_back(sensor_name(sensors, i));
  return out;
}

std::vector<std::string> describe(const SensorReport& report, const field::SensorLayout& sensors,
                                  const ReadingTable& table, SensorPolicy policy) {
  std::vector<std::string> out;
  const Index rows = std::ssize(report.rows);
  for (Index i = 0; i < std::ssize(report.faults); ++i) {
    if (report.faults[i] == SensorState::fine) continue;
    Index count = 0, first = -1;
    const uncertainty::SensorFinding* worst = nullptr;
    for (Index row = 0; row < rows; ++row) {
      const auto& f = report.rows[row].sensors[i];
      if (!f.is_ignored()) continue;
      ++count;
      if (first < 0) first = row;
      if (!worst || std::abs(f.steps) > std::abs(worst->steps)) worst = &f;
    }
    auto line = fmt::format("sensor {}: {} in {} of {} rows, first in row {}", sensor_name(sensors, i),
                            name_of(report.faults[i]), count, rows, table.rows[first]);
    if (report.faults[i] == SensorState::swapped && worst->partner >= 0)
      line += ", with " + sensor_name(sensors, worst->partner);
    if (worst->steps != 0)
      line +=
          fmt::format("; at worst it says {:.4g} where the others suggest {:.4g}, {:.1f} times the usual difference",
                      worst->said, worst->expected, std::abs(worst->steps));
    if (std::ranges::find(report.wrong_throughout, i) != report.wrong_throughout.end())
      line += "; all rows together show it";
    line += policy == SensorPolicy::mask ? "; ignored there" : "; used all the same";
    out.push_back(std::move(line));
  }
  const auto unresolved = std::ranges::count_if(report.rows, [](const auto& r) { return r.is_unresolved; });
  if (unresolved > 0)
    out.push_back(
        fmt::format("in {} of {} rows the sensors do not fit each other even without half of them: another "
                    "flow, or columns in another order?",
                    unresolved, rows));
  if (report.shifted_at >= 0)
    out.push_back(
        fmt::format("this is not a flow like those calibrated on: the running test fired in row {} (it does "
                    "so wrongly once in {:g} blocks on average, at the most); bands promise nothing here",
                    table.rows[report.shifted_at], report.blocks_between_false_alarms));
  return out;
}

std::string sensors_csv(const SensorReport& report, const field::SensorLayout& sensors, const ReadingTable& table) {
  std::string out = "time,shift,unresolved";
  for (Index i = 0; i < std::ssize(report.faults); ++i) out += "," + sensor_name(sensors, i);
  out += "\n";
  for (std::size_t row = 0; row < report.rows.size(); ++row) {
    out += fmt::format("{},{:.4g},{}", table.times[row], report.shift[row], report.rows[row].is_unresolved ? 1 : 0);
    for (const auto& f : report.rows[row].sensors) out += fmt::format(",{}", name_of(f.state));
    out += "\n";
  }
  return out;
}

FunctionalSeries::FunctionalSeries(const uncertainty::Calibration& calibration, const field::Schema& schema,
                                   const std::string& where)
    : functionals_(calibration.functionals, schema, where) {
  table_.header = {"time"};
  for (const auto& f : functionals_.list())
    for (const char* edge : {"", "_lower", "_upper"}) table_.header.push_back(f.name + edge);
  table_.columns.resize(table_.header.size());
}

void FunctionalSeries::add(double time, const uncertainty::Band& band, const std::shared_ptr<const field::Mesh>& mesh,
                           const field::Matrix& fields, const field::Matrix& on_wall, const field::Vector& descriptors,
                           const field::Reference& reference) {
  const auto values = functionals_.of(mesh, fields, on_wall, descriptors, reference);
  table_.columns[0].push_back(time);
  for (Index i = 0; i < std::ssize(values); ++i) {
    const auto [lower, upper] = band.interval(i, values[i]);
    table_.columns[3 * i + 1].push_back(values[i]);
    table_.columns[3 * i + 2].push_back(lower);
    table_.columns[3 * i + 3].push_back(upper);
  }
}

std::vector<std::string> FunctionalSeries::unknown() const {
  std::vector<std::string> out;
  for (Index i = 0; i < std::ssize(functionals_.list()); ++i)
    if (std::ranges::any_of(table_.columns[3 * i + 1], [](double v) { return std::isnan(v); }))
      out.push_back(functionals_.list()[i].name);
  return out;
}

}  // namespace fluidsplat::reconstruct
