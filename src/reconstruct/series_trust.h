// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "reconstruct/field_bands.h"
#include "reconstruct/functionals.h"
#include "reconstruct/reading_table.h"
#include "reconstruct/reconstruct_series.h"

namespace fluidsplat::reconstruct {

class Places;

// Holds every row's sensors against each other.  With SensorPolicy::mask those that are not fine are set to NaN in the
// table, with SensorPolicy::refuse they are an Error; the report is the same with all of them.
SensorReport check_series(FieldModel& model, const std::shared_ptr<const uncertainty::Calibration>& calibration,
                          ReadingTable& table, Places& places, SensorPolicy policy, double false_alarms);

// What messages call each sensor.
std::vector<std::string> sensor_names(const field::SensorLayout& sensors);

// One line for each sensor that is not fine, and one when the flow is not one that the model knows; `label` names a
// sensor.
std::vector<std::string> describe(const SensorReport& report, const field::SensorLayout& sensors,
                                  const ReadingTable& table, SensorPolicy policy);

// time, shift, then every sensor's state in a column of its own.
std::string sensors_csv(const SensorReport& report, const field::SensorLayout& sensors, const ReadingTable& table);

// The calibrated numbers of every instant with their intervals: time, then name, name_lower, name_upper of each.
class FunctionalSeries {
 public:
  FunctionalSeries(const uncertainty::Calibration& calibration, const field::Schema& schema, const std::string& where);
  bool empty() const { return functionals_.list().empty(); }
  // The band has observed the instant.
  void add(double time, const uncertainty::Band& band, const std::shared_ptr<const field::Mesh>& mesh,
           const field::Matrix& fields, const field::Matrix& on_wall, const field::Vector& descriptors,
           const field::Reference& reference = {});
  const io::Table& table() const { return table_; }
  // Those that were NaN in some instant.
  std::vector<std::string> unknown() const;

 private:
  Functionals functionals_;
  io::Table table_;
};

}  // namespace fluidsplat::reconstruct
