// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reconstruct/field_model.h"
#include "uncertainty/instant_readings.h"

namespace fluidsplat::reconstruct {

// A mesh whose points are the sensors' places, with the features of the nearest points of a mesh and with its wall, so
// that a model can be asked for what its sensors read.
std::shared_ptr<const field::Mesh> mesh_of_sensors(const field::Matrix& positions, const field::Mesh& mesh);

// What a model of any kind says of every reading without the sensor it belongs to; runtime::LeftOutReadings is the same
// for a runtime model.  Costs one small reconstruction per sensor that speaks.  One thread at a time.
class LeftOutModel {
 public:
  explicit LeftOutModel(FieldModel& model);
  // The instant that is asked about next: where its sensors are, on which mesh.
  void go_to(field::SensorReadings readings, field::Vector descriptors, std::shared_ptr<const field::Mesh> mesh);
  // values [N][C], NaN where silent: expected [V] in the order of the model's own readings.
  void operator()(const float* values, float* expected);
  const uncertainty::InstantReadings& own() const { return own_; }

 private:
  FieldModel& model_;
  uncertainty::InstantReadings own_;
  field::SensorReadings readings_;
  field::Vector descriptors_;
  std::shared_ptr<const field::Mesh> mesh_, at_sensors_;  // the latter made when it is needed
  field::Matrix field_;
};

}  // namespace fluidsplat::reconstruct
