// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/json_entries.h"
#include "model/sensor_layout.h"

namespace fluidsplat::model {
namespace {

using nlohmann::json;

Matrix rows_from_json(const json& list, Index columns, const char* what, const std::string& where) {
  Matrix out(std::ssize(list), columns);
  for (Index i = 0; i < out.rows(); ++i) {
    const auto row = numbers(list[i], columns, what, where);
    for (Index c = 0; c < columns; ++c) out(i, c) = float(row[c]);
  }
  return out;
}

json rows_to_json(const Matrix& m) {
  json out = json::array();
  for (Index i = 0; i < m.rows(); ++i) out.push_back(std::vector<float>(m.row(i).data(), m.row(i).data() + m.cols()));
  return out;
}

}  // namespace

json to_json(const SensorLayout& layout) {
  json out = {{"positions", rows_to_json(layout.positions)},
              {"channels", layout.channels},
              {"names", layout.names},
              {"mean_readings", rows_to_json(layout.mean_readings)}};
  if (!layout.arclengths.empty()) out["arclengths"] = layout.arclengths;
  if (layout.redraw) {
    out["redraw"] = {{"seed", layout.redraw->seed}, {"on_wall", layout.redraw->on_wall}};
    if (layout.redraw->torch) out["redraw"]["torch"] = true;
  }
  return out;
}

SensorLayout layout_from_json(const json& object, Index dim, Index channels, const std::string& where) {
  const Entries s(object, where);
  SensorLayout layout;
  layout.positions = rows_from_json(s.list("positions"), dim, "coordinates", s.where());
  // Schema 1 called them usual.
  layout.mean_readings =
      rows_from_json(s.list(s.has("usual") ? "usual" : "mean_readings"), channels, "mean readings", s.where());
  for (const json& list : s.list("channels")) {
    if (!list.is_array()) fail("{}: each sensor needs a list of channels", s.where());
    auto& out = layout.channels.emplace_back();
    for (const json& c : list) {
      if (!c.is_number_integer() || c.get<std::int64_t>() < 0 || c.get<std::int64_t>() >= channels)
        fail("{}: a sensor names channel {}, the model has {}", s.where(), c.dump(), channels);
      out.push_back(c.get<int>());
    }
    std::sort(out.begin(), out.end());
  }
  for (const json& name : s.list("names")) {
    if (!name.is_string()) fail("{}: a sensor's name must be a text", s.where());
    layout.names.push_back(name.get<std::string>());
  }
  if (s.has("arclengths"))
    layout.arclengths = numbers(s.at("arclengths"), layout.positions.rows(), "arclengths", s.where());
  if (s.has("redraw")) {
    const auto redraw = s.inside("redraw");
    const bool says_torch = redraw.has("torch");
    if (!redraw.at("seed").is_number_unsigned() || !redraw.at("on_wall").is_boolean() ||
        (says_torch && !redraw.at("torch").is_boolean()))
      fail("{}: \"seed\" must be a whole number, \"on_wall\" and \"torch\" true or false", redraw.where());
    layout.redraw = SensorLayout::Redraw{redraw.at("seed").get<std::uint64_t>(), redraw.at("on_wall").get<bool>(),
                                         says_torch && redraw.at("torch").get<bool>()};
  }
  check_layout(layout, dim, channels, s.where());
  return layout;
}

}  // namespace fluidsplat::model
