// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/answer.h"

#include "field/free_stream_units.h"

namespace fluidsplat::reconstruct {

field::Matrix answer(FieldModel& model, const field::SensorReadings& readings, const Disturbance& disturbance,
                     const field::Case& c, const field::Schema& data, const std::shared_ptr<const field::Mesh>& mesh) {
  const field::CaseUnits units(model.schema(), data, c, "case \"" + c.name + "\"");
  // Readings are disturbed as they are, so that models of other units hear the same noise and miss the same sensors.
  auto scaling = model.description().normalization.readings;
  for (Index k = 0; k < scaling.size(); ++k) scaling.scale[std::size_t(k)] *= units.factor(k);
  auto heard = disturb(readings, disturbance, scaling);
  units.into_model(heard.values);
  auto out = model.reconstruct(heard, descriptors_for(c.descriptors, model.schema()), mesh).field;
  units.into_data(out);
  return out;
}

}  // namespace fluidsplat::reconstruct
