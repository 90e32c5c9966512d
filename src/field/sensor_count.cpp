// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/sensor_count.h"

#include <algorithm>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

SensorLayout first_sensors(const SensorLayout& layout, Index count) {
  SensorLayout out = layout;
  out.positions = layout.positions.topRows(count);
  out.channels.resize(count);
  if (!out.names.empty()) out.names.resize(count);
  if (out.mean_readings.rows() > 0) out.mean_readings = layout.mean_readings.topRows(count);
  return out;
}

}  // namespace

std::vector<double> even_arclengths(Index count) {
  std::vector<double> out;
  for (Index i = 0; i < count; ++i) out.push_back((double(i) + 0.5) / double(count));
  return out;
}

SensorLayout with_count(const SensorLayout& layout, Index count, const Mesh& mesh) {
  if (count < 1) fail("{} sensors asked for, at least 1 is needed", count);
  if (count == layout.size()) return layout;
  const bool movable = layout.redraw || !layout.arclengths.empty();
  if (!movable && count > layout.size())
    fail("{} sensors asked for, but these {} have places of their own; say where the others are", count, layout.size());
  if (!movable) return first_sensors(layout, count);

  const auto& seen = layout.channels.front();
  if (std::ranges::any_of(layout.channels, [&](const auto& channels) { return channels != seen; }))
    fail("another number of sensors is asked for, but these {} see different channels; say which ones each sensor sees",
         layout.size());
  auto out = make_layout(Matrix::Zero(count, layout.positions.cols()), seen);
  out.redraw = layout.redraw;
  if (!layout.arclengths.empty()) out.arclengths = even_arclengths(count);
  return place(out, mesh, 0).layout;
}

}  // namespace fluidsplat::field
