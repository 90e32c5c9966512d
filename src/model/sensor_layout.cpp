// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/sensor_layout.h"

#include "base/error.h"

namespace fluidsplat::model {

std::string SensorLayout::label(Index i) const {
  // Counted from 1, as the columns s1, s2, ... of readings are.
  return i < std::ssize(names) && !names[i].empty() ? fmt::format("sensor {} \"{}\"", i + 1, names[i])
                                                    : fmt::format("sensor {}", i + 1);
}

void check_layout(const SensorLayout& layout, Index dim, Index channels, const std::string& where) {
  const Index n = layout.size();
  if (n > 0 && layout.positions.cols() != dim)
    fail("{}: sensors have {} coordinates, the model {}", where, layout.positions.cols(), dim);
  if (std::ssize(layout.channels) != n) fail("{}: {} channel lists for {} sensors", where, layout.channels.size(), n);
  if (!layout.names.empty() && std::ssize(layout.names) != n)
    fail("{}: {} names for {} sensors", where, layout.names.size(), n);
  if (layout.mean_readings.rows() > 0 && (layout.mean_readings.rows() != n || layout.mean_readings.cols() != channels))
    fail("{}: mean readings for {} of {} sensors", where, layout.mean_readings.rows(), n);
  if (!layout.arclengths.empty() && std::ssize(layout.arclengths) != n)
    fail("{}: {} arclengths for {} sensors", where, layout.arclengths.size(), n);
  for (Index i = 0; i < n; ++i)
    if (!layout.positions.row(i).allFinite()) fail("{}: the position of {} is not finite", where, layout.label(i));
  if (!layout.mean_readings.allFinite()) fail("{}: a sensor's mean reading is not finite", where);
  for (double fraction : layout.arclengths)
    if (!(fraction >= 0 && fraction <= 1)) fail("{}: the arclength {} is not in 0 to 1", where, fraction);
  for (const auto& list : layout.channels)
    for (int c : list)
      if (c < 0 || c >= channels) fail("{}: a sensor names channel {}, the model has {}", where, c, channels);
}

}  // namespace fluidsplat::model
