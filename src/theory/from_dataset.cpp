// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/from_dataset.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/index.h"

namespace fluidsplat::theory {
namespace {

Index find_channel(const field::Dataset& dataset, const std::string& channel) {
  std::vector<std::string> names;
  for (const field::Column& column : dataset.schema().channels) names.push_back(column.name);
  if (channel.empty()) return 0;
  const auto found = std::find(names.begin(), names.end(), channel);
  if (found == names.end())
    fail("{}: there is no channel \"{}\"; its channels are {}", dataset.name(), channel, fmt::join(names, ", "));
  return found - names.begin();
}

// The mesh's points in the order of the grid's pixels (or as they are), as rows of the mesh.
std::vector<Index> reading_order(const field::Mesh& mesh) {
  std::vector<Index> order(mesh.size());
  std::iota(order.begin(), order.end(), 0);
  if (mesh.is_grid())
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return mesh.grid_cell[a] < mesh.grid_cell[b]; });
  return order;
}

Grid grid_of(const field::Mesh& mesh) {
  std::vector<int> shape(mesh.grid_shape.begin(), mesh.grid_shape.end());
  const auto pixels = std::accumulate(shape.begin(), shape.end(), std::size_t{1},
                                      [](std::size_t a, int b) { return a * static_cast<std::size_t>(b); });
  std::vector<char> valid(pixels, 0);
  for (Index cell : mesh.grid_cell) valid.at(cell) = 1;
  return Grid(std::move(shape), std::move(valid));
}

bool equally_spaced(const std::vector<double>& times) {
  if (times.size() < 2) return false;
  const double step = (times.back() - times.front()) / double(times.size() - 1);
  for (std::size_t i = 1; i < times.size(); ++i)
    if (std::abs(times[i] - times[i - 1] - step) > 0.01 * step) return false;
  return step > 0;
}

}  // namespace

Matrix DatasetFrames::on_grid() const {
  if (!grid) fail("the points of this dataset are not a grid");
  Matrix frames = Matrix::Zero(grid->size(), fields.cols());
  for (std::size_t i = 0; i < grid->valid_pixels().size(); ++i) frames.row(grid->valid_pixels()[i]) = fields.row(i);
  return frames;
}

DatasetFrames load_frames(const field::Dataset& dataset, const std::string& channel, const std::vector<Index>& cases) {
  if (cases.empty()) fail("{}: no cases to look at", dataset.name());
  const Index column = find_channel(dataset, channel);
  const Index mesh_index = dataset.mesh_of(cases.front());
  const auto mesh = dataset.mesh(mesh_index);
  const std::vector<Index> order = reading_order(*mesh);

  DatasetFrames frames;
  const field::Column& chosen = dataset.schema().channels[column];
  frames.channel = chosen.name;
  frames.unit = chosen.unit;
  if (mesh->is_grid()) frames.grid = grid_of(*mesh);
  frames.points.resize(mesh->size(), mesh->points.cols());
  frames.row_of.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    frames.points.row(i) = mesh->points.row(order[i]).cast<double>();
    frames.row_of[order[i]] = static_cast<Index>(i);
  }
  std::vector<Vector> columns;
  std::vector<double> times;
  for (Index index : cases) {
    if (dataset.mesh_of(index) != mesh_index) continue;
    const field::Case c = dataset.load(index);
    Vector values(mesh->size());
    for (std::size_t i = 0; i < order.size(); ++i) values[i] = c.fields(order[i], column);
    columns.push_back(std::move(values));
    times.push_back(c.time);
  }
  frames.fields.resize(mesh->size(), std::ssize(columns));
  for (std::size_t j = 0; j < columns.size(); ++j) frames.fields.col(j) = columns[j];
  frames.in_time = equally_spaced(times);
  return frames;
}

}  // namespace fluidsplat::theory
