// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/sensors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/error.h"
#include "base/random.h"

namespace fluidsplat::field {
namespace {

std::string place(const Matrix& positions, Eigen::Index row) {
  std::string text = "(";
  for (Eigen::Index a = 0; a < positions.cols(); ++a)
    text += fmt::format("{}{:.6g}", a ? ", " : "", positions(row, a));
  return text + ")";
}

std::string sensor_name(const SensorLayout& layout, Eigen::Index i) {
  const auto k = static_cast<std::size_t>(i);
  return k < layout.names.size() && !layout.names[k].empty()
             ? fmt::format("sensor {} \"{}\"", i, layout.names[k])
             : fmt::format("sensor {}", i);
}

}  // namespace

double typical_spacing(const Mesh& mesh) {
  const Eigen::RowVectorXf extent = mesh.points.colwise().maxCoeff() - mesh.points.colwise().minCoeff();
  double volume = 1;
  int axes = 0;
  for (Eigen::Index a = 0; a < extent.size(); ++a)
    if (extent[a] > 0) {
      volume *= extent[a];
      ++axes;
    }
  return axes == 0 ? 0 : std::pow(volume / static_cast<double>(mesh.size()), 1.0 / axes);
}

SensorLayout::Snapped SensorLayout::snap(const Mesh& mesh, double tolerance) const {
  Snapped out{*this, {}};
  for (Eigen::Index i = 0; i < positions.rows(); ++i) {
    Eigen::Index nearest = 0;
    const double squared =
        (mesh.points.rowwise() - positions.row(i)).rowwise().squaredNorm().minCoeff(&nearest);
    if (!(std::sqrt(squared) <= tolerance))
      fail("{} at {} is {:.4g} away from the nearest point with data, at {}; the most accepted is {:.4g}",
           sensor_name(*this, i), place(positions, i), std::sqrt(squared), place(mesh.points, nearest),
           tolerance);
    out.layout.positions.row(i) = mesh.points.row(nearest);
    out.points.push_back(nearest);
  }
  return out;
}

SensorLayout make_layout(Matrix positions, const std::vector<int>& channels) {
  const auto n = static_cast<std::size_t>(positions.rows());
  return {std::move(positions), std::vector<std::vector<int>>(n, channels), {}, {}};
}

SensorLayout layout_from_cells(const Mesh& mesh, const std::vector<std::vector<std::int64_t>>& cells,
                               const std::vector<int>& channels, const std::string& where) {
  if (!mesh.is_grid()) fail("{}: sensors are given as grid cells, but the dataset is not on a grid", where);
  std::unordered_map<std::int64_t, std::int64_t> point_of;
  for (std::size_t i = 0; i < mesh.grid_cell.size(); ++i)
    point_of[mesh.grid_cell[i]] = static_cast<std::int64_t>(i);
  Matrix positions(static_cast<Eigen::Index>(cells.size()), mesh.points.cols());
  for (std::size_t s = 0; s < cells.size(); ++s) {
    if (cells[s].size() != mesh.grid_shape.size())
      fail("{}: sensor cell {} has {} indices, the grid has {} axes", where, s, cells[s].size(),
           mesh.grid_shape.size());
    std::int64_t flat = 0;
    for (std::size_t a = 0; a < cells[s].size(); ++a) {
      if (cells[s][a] < 0 || cells[s][a] >= mesh.grid_shape[a])
        fail("{}: sensor cell {} = [{}] is outside the grid of [{}] cells", where, s,
             fmt::join(cells[s], ", "), fmt::join(mesh.grid_shape, ", "));
      flat = flat * mesh.grid_shape[a] + cells[s][a];
    }
    const auto it = point_of.find(flat);
    if (it == point_of.end())
      fail("{}: sensor cell {} = [{}] has no data (body or mask); move it by a cell", where, s,
           fmt::join(cells[s], ", "));
    positions.row(static_cast<Eigen::Index>(s)) = mesh.points.row(it->second);
  }
  return make_layout(std::move(positions), channels);
}

SensorLayout random_layout(const Mesh& mesh, int count, std::uint64_t seed,
                           const std::vector<int>& channels) {
  if (count < 1 || count > mesh.size())
    fail("{} random sensors asked for on a mesh of {} points", count, mesh.size());
  std::vector<std::int64_t> order(static_cast<std::size_t>(mesh.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  Random random(seed, 0x5e4507);
  Matrix positions(count, mesh.points.cols());
  for (int s = 0; s < count; ++s) {
    const auto pick = static_cast<std::size_t>(s) + random.below(order.size() - static_cast<std::size_t>(s));
    std::swap(order[static_cast<std::size_t>(s)], order[pick]);
    positions.row(s) = mesh.points.row(order[static_cast<std::size_t>(s)]);
  }
  return make_layout(std::move(positions), channels);
}

SensorReadings read_sensors(const Case& c, const SensorLayout& layout,
                            const std::vector<std::int64_t>& points) {
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  SensorReadings out{layout.positions, Matrix::Constant(layout.positions.rows(), c.fields.cols(), nothing),
                     layout.usual};
  for (Eigen::Index i = 0; i < layout.positions.rows(); ++i)
    for (int channel : layout.channels[static_cast<std::size_t>(i)])
      out.values(i, channel) = c.fields(points[static_cast<std::size_t>(i)], channel);
  return out;
}

namespace {

nlohmann::json rows_to_json(const Matrix& m) {
  nlohmann::json rows = nlohmann::json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    rows.push_back(std::vector<float>(m.row(i).data(), m.row(i).data() + m.cols()));
  return rows;
}

Matrix rows_from_json(const nlohmann::json& rows, std::size_t columns, const char* what,
                      const std::string& where) {
  Matrix out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = rows[i].get<std::vector<float>>();
    if (row.size() != columns)
      fail("{}: sensor {} has {} {}, expected {}", where, i, row.size(), what, columns);
    for (std::size_t a = 0; a < columns; ++a) {
      if (!std::isfinite(row[a])) fail("{}: sensor {} has {} that are not finite", where, i, what);
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(a)) = row[a];
    }
  }
  return out;
}

}  // namespace

nlohmann::json to_json(const SensorLayout& layout) {
  return {{"positions", rows_to_json(layout.positions)},
          {"channels", layout.channels},
          {"names", layout.names},
          {"usual", rows_to_json(layout.usual)}};
}

SensorLayout layout_from_json(const nlohmann::json& json, const Schema& schema, const std::string& where) {
  SensorLayout layout;
  try {
    layout.positions = rows_from_json(json.at("positions"), schema.coordinates.size(), "coordinates", where);
    layout.usual = rows_from_json(json.at("usual"), schema.channels.size(), "usual readings", where);
    layout.channels = json.at("channels").get<std::vector<std::vector<int>>>();
    layout.names = json.value("names", std::vector<std::string>{});
  } catch (const nlohmann::json::exception& e) {
    fail("{}: not a sensor layout: {}", where, e.what());
  }
  if (layout.channels.size() != static_cast<std::size_t>(layout.positions.rows()))
    fail("{}: {} channel lists for {} sensors", where, layout.channels.size(), layout.positions.rows());
  if (layout.usual.rows() != 0 && layout.usual.rows() != layout.positions.rows())
    fail("{}: usual readings for {} of {} sensors", where, layout.usual.rows(), layout.positions.rows());
  for (auto& list : layout.channels) {
    std::sort(list.begin(), list.end());
    for (int c : list)
      if (c < 0 || c >= static_cast<int>(schema.channels.size()))
        fail("{}: a sensor names channel {}, the data has {}", where, c, schema.channels.size());
  }
  return layout;
}

}  // namespace fluidsplat::field
