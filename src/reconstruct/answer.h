// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"
#include "reconstruct/disturbance.h"
#include "reconstruct/field_model.h"

namespace fluidsplat::reconstruct {

// What a model says of a case, whatever units it works in: readings (disturbed as asked for) and fields are in those of
// the data, whose schema is `data`.  The mesh is the case's or its separate wall.
field::Matrix answer(FieldModel& model, const field::SensorReadings& readings, const Disturbance& disturbance,
                     const field::Case& c, const field::Schema& data, const std::shared_ptr<const field::Mesh>& mesh);

}  // namespace fluidsplat::reconstruct
