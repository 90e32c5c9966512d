// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reconstruct/field_model.h"
#include "uncertainty/instant_readings.h"

namespace fluidsplat::reconstruct {

// A mesh whose points are the sensors' places, with the features of the nearest points of a mesh and with its wall, so
// that a model can be asked for what its sensors read.
std::shared_ptr<const field::Mesh> mesh_of_sensors(const field::Matrix& positions, const field::Mesh& mesh);

// What a model of any kind says of every reading without the sensor it belongs to, [V] in the order of the model's own;
// NaN for readings of silent sensors.  Costs one small reconstruction per sensor that speaks.
std::vector<float> left_out_readings(FieldModel& model, const uncertainty::InstantReadings& own,
                                     const field::SensorReadings& readings, const field::Vector& descriptors,
                                     const std::shared_ptr<const field::Mesh>& at_sensors);

}  // namespace fluidsplat::reconstruct
