// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "field/sensors.h"

namespace fluidsplat::field {
namespace {

nlohmann::json rows_to_json(const Matrix& m) {
  nlohmann::json rows = nlohmann::json::array();
  for (Index i = 0; i < m.rows(); ++i) rows.push_back(std::vector<float>(m.row(i).data(), m.row(i).data() + m.cols()));
  return rows;
}

Matrix rows_from_json(const nlohmann::json& rows, std::size_t columns, const char* what, const std::string& where) {
  Matrix out(std::ssize(rows), columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = rows[i].get<std::vector<float>>();
    if (row.size() != columns) fail("{}: sensor {} has {} {}, expected {}", where, i, row.size(), what, columns);
    for (std::size_t a = 0; a < columns; ++a) {
      if (!std::isfinite(row[a])) fail("{}: sensor {} has {} that are not finite", where, i, what);
      out(i, a) = row[a];
    }
  }
  return out;
}

}  // namespace

nlohmann::json to_json(const SensorLayout& layout) {
  nlohmann::json json = {{"positions", rows_to_json(layout.positions)},
                         {"channels", layout.channels},
                         {"names", layout.names},
                         {"usual", rows_to_json(layout.usual)}};
  if (!layout.arclengths.empty()) json["arclengths"] = layout.arclengths;
  if (layout.redraw) json["redraw"] = {{"seed", layout.redraw->seed}, {"on_wall", layout.redraw->on_wall}};
  return json;
}

SensorLayout layout_from_json(const nlohmann::json& json, const Schema& schema, const std::string& where) {
  SensorLayout layout;
  try {
    layout.positions = rows_from_json(json.at("positions"), schema.coordinates.size(), "coordinates", where);
    layout.usual = rows_from_json(json.at("usual"), schema.channels.size(), "usual readings", where);
    layout.channels = json.at("channels").get<std::vector<std::vector<int>>>();
    layout.names = json.value("names", std::vector<std::string>{});
    layout.arclengths = json.value("arclengths", std::vector<double>{});
    if (json.contains("redraw"))
      layout.redraw = SensorLayout::Redraw{json["redraw"].at("seed").get<std::uint64_t>(),
                                           json["redraw"].at("on_wall").get<bool>()};
  } catch (const nlohmann::json::exception& e) {
    fail("{}: not a sensor layout: {}", where, e.what());
  }
  if (layout.channels.size() != static_cast<std::size_t>(layout.positions.rows()))
    fail("{}: {} channel lists for {} sensors", where, layout.channels.size(), layout.positions.rows());
  if (!layout.arclengths.empty() && layout.arclengths.size() != static_cast<std::size_t>(layout.positions.rows()))
    fail("{}: {} arclengths for {} sensors", where, layout.arclengths.size(), layout.positions.rows());
  for (double fraction : layout.arclengths)
    if (!(fraction >= 0 && fraction <= 1)) fail("{}: the arclength {} is not in 0 to 1", where, fraction);
  if (layout.usual.rows() != 0 && layout.usual.rows() != layout.positions.rows())
    fail("{}: usual readings for {} of {} sensors", where, layout.usual.rows(), layout.positions.rows());
  for (auto& list : layout.channels) {
    std::sort(list.begin(), list.end());
    for (int c : list)
      if (c < 0 || c >= int(schema.channels.size()))
        fail("{}: a sensor names channel {}, the data has {}", where, c, schema.channels.size());
  }
  return layout;
}

}  // namespace fluidsplat::field
