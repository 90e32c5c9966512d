// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/disturbance.h"

#include <limits>
#include <numeric>
#include <string_view>

#include "base/error.h"
#include "base/random.h"

namespace fluidsplat::reconstruct {

field::SensorReadings disturb(field::SensorReadings readings, const Disturbance& disturbance,
                              const model::Scaling& scaling) {
  auto& values = readings.values;
  if (disturbance.dead >= values.rows() && disturbance.dead > 0)
    fail("{} dead sensors leave none of {} to speak", disturbance.dead, values.rows());
  // The readings themselves choose the draw, so that it does not matter in which order cases are judged.
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  Random random(disturbance.seed, std::hash<std::string_view>{}(bytes));
  for (Index i = 0; i < values.rows(); ++i)
    for (Index c = 0; c < values.cols(); ++c)
      values(i, c) += float(disturbance.noise * scaling.scale[c] * random.normal());
  std::vector<Index> order(values.rows());
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  for (Index k = 0; k < disturbance.dead; ++k)
    values.row(order[k]).setConstant(std::numeric_limits<float>::quiet_NaN());
  return readings;
}

}  // namespace fluidsplat::reconstruct
