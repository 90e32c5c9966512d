// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/sensors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "base/error.h"
#include "base/random.h"
#include "field/split.h"
#include "field/wall.h"

namespace fluidsplat::field {
namespace {

std::string coordinates(const Eigen::RowVectorXf& position) {
  std::string text = "(";
  for (Index a = 0; a < position.size(); ++a) text += fmt::format("{}{:.6g}", a ? ", " : "", position[a]);
  return text + ")";
}

// `count` of the numbers below n.
std::vector<Index> draw(Index n, Index count, std::uint64_t seed) {
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), 0);
  Random random(seed, 0x5e4507);
  for (Index s = 0; s < count; ++s) std::swap(order[s], order[s + Index(random.below(n - s))]);
  order.resize(count);
  return order;
}

// Places of a mesh: of its points, or of its wall.
std::vector<Index> draw_places(const Mesh& mesh, Index count, const SensorLayout::Redraw& how) {
  const SurfaceView wall(mesh);
  if (how.on_wall && wall.empty())
    fail("sensors on the wall are asked for, but the data have no wall; import them with surface = ...");
  const Index n = how.on_wall ? wall.size() : mesh.size();
  if (count < 1 || count > n)
    fail("{} random sensors asked for on a {} of {} points", count, how.on_wall ? "wall" : "mesh", n);
  auto places = how.torch ? torch_randperm(n, how.seed, count) : draw(n, count, how.seed);
  if (how.on_wall)
    for (auto& place : places) place = wall.place(place);
  return places;
}

struct Nearest {
  Index place = 0;
  double distance = 0;
};

// Of the mesh's points and those of a separate wall.
Nearest nearest_place(const Mesh& mesh, const Eigen::RowVectorXf& position) {
  Nearest out;
  out.distance = std::sqrt((mesh.points.rowwise() - position).rowwise().squaredNorm().minCoeff(&out.place));
  if (!mesh.wall) return out;
  Nearest on_wall = nearest_place(*mesh.wall, position);
  on_wall.place += mesh.size();
  return on_wall.distance < out.distance ? on_wall : out;
}

// How far the points around a place are from each other.
double local_spacing(const Mesh& mesh, Index place) {
  if (place >= mesh.size()) return local_spacing(*mesh.wall, place - mesh.size());
  std::vector<float> squared(mesh.size());
  Eigen::Map<Eigen::VectorXf>(squared.data(), mesh.size()) =
      (mesh.points.rowwise() - mesh.points.row(place)).rowwise().squaredNorm();
  // The point itself comes first, then one neighbour along each direction of each axis.
  const auto nth = std::min(squared.size() - 1, 2 * static_cast<std::size_t>(mesh.points.cols()));
  std::nth_element(squared.begin(), squared.begin() + static_cast<std::ptrdiff_t>(nth), squared.end());
  return std::sqrt(squared[nth]);
}

[[noreturn]] void refuse_place(const SensorLayout& layout, Index i, const Mesh& mesh, Index nearest, double distance,
                               double limit) {
  std::string box;
  bool outside = false;
  for (Index a = 0; a < mesh.points.cols(); ++a) {
    const float low = mesh.points.col(a).minCoeff(), high = mesh.points.col(a).maxCoeff();
    box += fmt::format("{}{:.6g} to {:.6g}", a ? ", " : "", low, high);
    outside = outside || !(layout.positions(i, a) >= low && layout.positions(i, a) <= high);
  }
  fail("{} at {} is {}: it is {:.4g} away from the nearest point with data, at {}; the most accepted is {:.4g}",
       layout.label(i), coordinates(layout.positions.row(i)),
       outside ? fmt::format("outside the domain ({})", box) : "where there are no data (body, land or a hole)",
       distance, coordinates(mesh.position(nearest)), limit);
}

PlacedSensors on_places(const SensorLayout& layout, const Mesh& mesh, std::vector<Index> points) {
  PlacedSensors out{layout, std::move(points)};
  for (Index i = 0; i < std::ssize(out.points); ++i) out.layout.positions.row(i) = mesh.position(out.points[i]);
  return out;
}

}  // namespace

double typical_spacing(const Mesh& mesh) {
  const Eigen::RowVectorXf extent = mesh.points.colwise().maxCoeff() - mesh.points.colwise().minCoeff();
  double volume = 1;
  int axes = 0;
  for (Index a = 0; a < extent.size(); ++a)
    if (extent[a] > 0) {
      volume *= extent[a];
      ++axes;
    }
  return axes == 0 ? 0 : std::pow(volume / double(mesh.size()), 1.0 / axes);
}

PlacedSensors place(const SensorLayout& layout, const Mesh& mesh, double tolerance) {
  if (layout.redraw) return redraw(layout, mesh, layout.redraw->seed);
  std::vector<Index> points;
  if (!layout.arclengths.empty()) {
    const auto walk = walk_wall(mesh);
    for (double fraction : layout.arclengths) points.push_back(wall_point(walk, fraction));
    return on_places(layout, mesh, std::move(points));
  }
  for (Index i = 0; i < layout.size(); ++i) {
    const auto [nearest, distance] = nearest_place(mesh, layout.positions.row(i));
    if (!(distance <= tolerance)) {
      const double limit = std::max(tolerance, local_spacing(mesh, nearest));
      if (!(distance <= limit)) refuse_place(layout, i, mesh, nearest, distance, limit);
    }
    points.push_back(nearest);
  }
  return on_places(layout, mesh, std::move(points));
}

PlacedSensors redraw(const SensorLayout& layout, const Mesh& mesh, std::uint64_t seed) {
  auto how = layout.redraw.value_or(SensorLayout::Redraw{});
  how.seed = seed;
  return on_places(layout, mesh, draw_places(mesh, layout.size(), how));
}

SensorLayout make_layout(Matrix positions, const std::vector<int>& channels) {
  SensorLayout layout;
  layout.channels.assign(positions.rows(), channels);
  layout.positions = std::move(positions);
  return layout;
}

SensorLayout layout_from_cells(const Mesh& mesh, const std::vector<std::vector<Index>>& cells,
                               const std::vector<int>& channels, const std::string& where) {
  if (!mesh.is_grid()) fail("{}: sensors are given as grid cells, but the dataset is not on a grid", where);
  std::unordered_map<Index, Index> point_of;
  for (std::size_t i = 0; i < mesh.grid_cell.size(); ++i) point_of[mesh.grid_cell[i]] = static_cast<Index>(i);
  Matrix positions(std::ssize(cells), mesh.points.cols());
  for (std::size_t s = 0; s < cells.size(); ++s) {
    if (cells[s].size() != mesh.grid_shape.size())
      fail("{}: sensor cell {} has {} indices, the grid has {} axes", where, s, cells[s].size(),
           mesh.grid_shape.size());
    Index flat = 0;
    for (std::size_t a = 0; a < cells[s].size(); ++a) {
      if (cells[s][a] < 0 || cells[s][a] >= mesh.grid_shape[a])
        fail("{}: sensor cell {} = [{}] is outside the grid of [{}] cells", where, s, fmt::join(cells[s], ", "),
             fmt::join(mesh.grid_shape, ", "));
      flat = flat * mesh.grid_shape[a] + cells[s][a];
    }
    const auto it = point_of.find(flat);
    if (it == point_of.end())
      fail("{}: sensor cell {} = [{}] has no data (body or mask); move it by a cell", where, s,
           fmt::join(cells[s], ", "));
    positions.row(s) = mesh.points.row(it->second);
  }
  return make_layout(std::move(positions), channels);
}

SensorLayout random_layout(const Mesh& mesh, int count, std::uint64_t seed, const std::vector<int>& channels,
                           bool on_wall) {
  const auto points = draw_places(mesh, count, {seed, on_wall});
  Matrix positions(count, mesh.points.cols());
  for (int s = 0; s < count; ++s) positions.row(s) = mesh.position(points[s]);
  return make_layout(std::move(positions), channels);
}

SensorLayout random_layout(const Dataset& dataset, int count, std::uint64_t seed, const std::vector<int>& channels) {
  const auto first = dataset.mesh(0);
  if (dataset.mesh_count() == 1) return random_layout(*first, count, seed, channels);
  // Some of many candidates have data everywhere, if the meshes are of one domain at all.
  constexpr Index kCandidates = 32;
  const auto candidates = draw_places(*first, std::min<Index>(kCandidates * count, first->size()), {seed});
  std::vector<Index> good = candidates;
  for (Index m = 1; m < dataset.mesh_count() && !good.empty(); ++m) {
    const auto mesh = dataset.mesh(m);
    const double limit = snap_tolerance(*mesh);
    std::erase_if(good, [&](Index p) {
      return (mesh->points.rowwise() - first->points.row(p)).rowwise().squaredNorm().minCoeff() > limit * limit;
    });
  }
  if (int(good.size()) < count)
    fail(
        "{}: of {} places tried, {} have data on all of its {} meshes, {} sensors were asked for; draw them on every "
        "mesh anew (sensors.kind = random-each), or put them on the wall (wall, random-wall)",
        dataset.name(), candidates.size(), good.size(), dataset.mesh_count(), count);
  Matrix positions(count, first->points.cols());
  for (int s = 0; s < count; ++s) positions.row(s) = first->points.row(good[s]);
  return make_layout(std::move(positions), channels);
}

SensorLayout wall_layout(const Mesh& mesh, const std::vector<double>& arclengths, const std::vector<int>& channels) {
  auto layout = make_layout(Matrix::Zero(std::ssize(arclengths), mesh.points.cols()), channels);
  layout.arclengths = arclengths;
  return place(layout, mesh, 0).layout;
}

SensorReadings read_sensors(const Case& c, const PlacedSensors& sensors) {
  const auto& layout = sensors.layout;
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  SensorReadings out{layout.positions, Matrix::Constant(layout.size(), c.fields.cols(), nothing), layout.mean_readings};
  for (Index i = 0; i < layout.size(); ++i)
    for (int channel : layout.channels[i]) out.values(i, channel) = c.values(sensors.points[i])[channel];
  return out;
}

}  // namespace fluidsplat::field
