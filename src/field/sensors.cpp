// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/sensors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "base/draw_distinct.h"
#include "base/error.h"
#include "field/fields_at.h"
#include "field/split.h"
#include "field/wall.h"

namespace fluidsplat::field {
namespace {

std::string coordinates(const Eigen::RowVectorXf& position) {
  std::string text = "(";
  for (Index a = 0; a < position.size(); ++a) text += fmt::format("{}{:.6g}", a ? ", " : "", position[a]);
  return text + ")";
}

// Places of a mesh: of its points, or of its wall.
std::vector<Index> draw_places(const PointSource& mesh, Index count, const SensorLayout::Redraw& how) {
  const auto points = mesh.outline().points;
  const auto n = how.on_wall ? SurfaceView(mesh.whole()).size() : points;
  if (how.on_wall && n == 0)
    fail("sensors on the wall are asked for, but the data have no wall; import them with surface = ...");
  if (count < 1 || count > n)
    fail("{} random sensors asked for on a {} of {} points", count, how.on_wall ? "wall" : "mesh", n);
  Random random(how.seed, 0x5e4507);
  auto places = how.torch ? torch_randperm(n, how.seed, count) : draw_distinct(n, count, random);
  if (how.on_wall)
    for (auto& place : places) place = SurfaceView(mesh.whole()).place(place);
  return places;
}

// The points of a separate wall.
Matrix wall_positions(const PointSource& mesh) {
  std::vector<Index> places(std::size_t(mesh.outline().wall_points));
  std::iota(places.begin(), places.end(), mesh.outline().points);
  return mesh.positions(places);
}

struct Nearest {
  Index place = 0;
  double distance = 0;
};

// Of the mesh's points and those of a separate wall, to each position.
std::vector<Nearest> nearest_places(const PointSource& mesh, const Matrix& positions) {
  std::vector<Nearest> out;
  for (const auto& n : nearest_points(mesh, positions)) out.push_back({n.point, std::sqrt(n.squared)});
  if (mesh.outline().wall_points == 0) return out;
  Mesh wall;
  wall.points = wall_positions(mesh);
  const auto on_wall = nearest_points(wall, positions);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (const double distance = std::sqrt(on_wall[i].squared); distance < out[i].distance)
      out[i] = {mesh.outline().points + on_wall[i].point, distance};
  return out;
}

// How far the points around a position that is one of them are from each other.
double local_spacing(const PointSource& mesh, const Eigen::RowVectorXf& position) {
  // The point itself comes first, then one neighbour along each direction of each axis.
  const auto nth = std::min<Index>(mesh.outline().points - 1, 2 * position.size());
  std::vector<float> smallest;
  mesh.visit([&](Index, const MeshPart& part) {
    const auto before = smallest.size();
    smallest.resize(before + std::size_t(part.positions.rows()));
    Eigen::Map<Eigen::VectorXf>(smallest.data() + before, part.positions.rows()) =
        (part.positions.rowwise() - position).rowwise().squaredNorm();
    const auto kept = std::min(std::ssize(smallest), nth + 1);
    std::nth_element(smallest.begin(), smallest.begin() + kept - 1, smallest.end());
    smallest.resize(std::size_t(kept));
  });
  return std::sqrt(smallest.back());
}

double spacing_at(const PointSource& mesh, Index place) {
  const Eigen::RowVectorXf position = mesh.positions(std::span(&place, 1)).row(0);
  if (place < mesh.outline().points) return local_spacing(mesh, position);
  Mesh wall;
  wall.points = wall_positions(mesh);
  return local_spacing(wall, position);
}

// The smallest box around the points, as columns low and high.
struct Extent {
  Eigen::RowVectorXf low, high;
};
Extent extent_of(const PointSource& mesh) {
  Extent out;
  mesh.visit([&](Index first, const MeshPart& part) {
    const Eigen::RowVectorXf low = part.positions.colwise().minCoeff(), high = part.positions.colwise().maxCoeff();
    out = first == 0 ? Extent{low, high} : Extent{out.low.cwiseMin(low), out.high.cwiseMax(high)};
  });
  return out;
}

[[noreturn]] void refuse_place(const SensorLayout& layout, Index i, const PointSource& mesh, Index nearest,
                               double distance, double limit) {
  std::string box;
  bool outside = false;
  const auto extent = extent_of(mesh);
  for (Index a = 0; a < extent.low.size(); ++a) {
    const float low = extent.low[a], high = extent.high[a];
    box += fmt::format("{}{:.6g} to {:.6g}", a ? ", " : "", low, high);
    outside = outside || !(layout.positions(i, a) >= low && layout.positions(i, a) <= high);
  }
  fail("{} at {} is {}: it is {:.4g} away from the nearest point with data, at {}; the most accepted is {:.4g}",
       layout.label(i), coordinates(layout.positions.row(i)),
       outside ? fmt::format("outside the domain ({})", box) : "where there are no data (body, land or a hole)",
       distance, coordinates(mesh.positions(std::span(&nearest, 1)).row(0)), limit);
}

PlacedSensors on_places(const SensorLayout& layout, const PointSource& mesh, std::vector<Index> points) {
  PlacedSensors out{layout, std::move(points)};
  out.layout.positions = mesh.positions(out.points);
  return out;
}

}  // namespace

double typical_spacing(const PointSource& mesh) {
  const auto [low, high] = extent_of(mesh);
  const Eigen::RowVectorXf extent = high - low;
  double volume = 1;
  int axes = 0;
  for (Index a = 0; a < extent.size(); ++a)
    if (extent[a] > 0) {
      volume *= extent[a];
      ++axes;
    }
  return axes == 0 ? 0 : std::pow(volume / double(mesh.outline().points), 1.0 / axes);
}

PlacedSensors place(const SensorLayout& layout, const PointSource& mesh, double tolerance) {
  if (layout.redraw) return on_places(layout, mesh, redraw(layout, mesh, layout.redraw->seed));
  std::vector<Index> points;
  if (!layout.arclengths.empty()) {
    const auto walk = walk_wall(mesh.whole());
    for (double fraction : layout.arclengths) points.push_back(wall_point(walk, fraction));
    return on_places(layout, mesh, std::move(points));
  }
  const auto near = nearest_places(mesh, layout.positions);
  for (Index i = 0; i < layout.size(); ++i) {
    const auto [nearest, distance] = near[i];
    if (!(distance <= tolerance)) {
      const double limit = std::max(tolerance, spacing_at(mesh, nearest));
      if (!(distance <= limit)) refuse_place(layout, i, mesh, nearest, distance, limit);
    }
    points.push_back(nearest);
  }
  return on_places(layout, mesh, std::move(points));
}

std::vector<Index> redraw(const SensorLayout& layout, const PointSource& mesh, std::uint64_t seed) {
  auto how = layout.redraw.value_or(SensorLayout::Redraw{});
  how.seed = seed;
  return draw_places(mesh, layout.size(), how);
}

SensorLayout make_layout(Matrix positions, const std::vector<int>& channels) {
  SensorLayout layout;
  layout.channels.assign(positions.rows(), channels);
  layout.positions = std::move(positions);
  return layout;
}

SensorLayout layout_from_cells(const PointSource& mesh, const std::vector<std::vector<Index>>& cells,
                               const std::vector<int>& channels, const std::string& where) {
  const auto& shape = mesh.outline().grid_shape;
  if (shape.empty()) fail("{}: sensors are given as grid cells, but the dataset is not on a grid", where);
  std::vector<Index> wanted;
  for (std::size_t s = 0; s < cells.size(); ++s) {
    if (cells[s].size() != shape.size())
      fail("{}: sensor cell {} has {} indices, the grid has {} axes", where, s, cells[s].size(), shape.size());
    Index flat = 0;
    for (std::size_t a = 0; a < cells[s].size(); ++a) {
      if (cells[s][a] < 0 || cells[s][a] >= shape[a])
        fail("{}: sensor cell {} = [{}] is outside the grid of [{}] cells", where, s, fmt::join(cells[s], ", "),
             fmt::join(shape, ", "));
      flat = flat * shape[a] + cells[s][a];
    }
    wanted.push_back(flat);
  }
  std::unordered_map<Index, Index> point_of;
  for (const auto cell : wanted) point_of[cell] = -1;
  mesh.visit([&](Index first, const MeshPart& part) {
    for (Index i = 0; i < std::ssize(part.cells); ++i)
      if (const auto it = point_of.find(part.cells[i]); it != point_of.end()) it->second = first + i;
  });
  std::vector<Index> points;
  for (std::size_t s = 0; s < cells.size(); ++s) {
    points.push_back(point_of[wanted[s]]);
    if (points.back() < 0)
      fail("{}: sensor cell {} = [{}] has no data (body or mask); move it by a cell", where, s,
           fmt::join(cells[s], ", "));
  }
  return make_layout(mesh.positions(points), channels);
}

SensorLayout random_layout(const Mesh& mesh, int count, std::uint64_t seed, const std::vector<int>& channels,
                           bool on_wall) {
  const PointSource source(mesh);
  return make_layout(source.positions(draw_places(source, count, {seed, on_wall})), channels);
}

SensorLayout random_layout(const Dataset& dataset, int count, std::uint64_t seed, const std::vector<int>& channels) {
  const PointSource first(dataset, 0);
  if (dataset.mesh_count() == 1) return make_layout(first.positions(draw_places(first, count, {seed})), channels);
  // Some of many candidates have data everywhere, if the meshes are of one domain at all.
  constexpr Index kCandidates = 32;
  const auto candidates = draw_places(first, std::min<Index>(kCandidates * count, first.outline().points), {seed});
  Matrix good = first.positions(candidates);
  for (Index m = 1; m < dataset.mesh_count() && good.rows() > 0; ++m) {
    const PointSource mesh(dataset, m);
    const double limit = snap_tolerance(mesh);
    const auto nearest = nearest_points(mesh, good);
    std::vector<Index> kept;
    for (Index i = 0; i < good.rows(); ++i)
      if (!(nearest[i].squared > limit * limit)) kept.push_back(i);
    good = Matrix(good(kept, Eigen::all));
  }
  if (good.rows() < count)
    fail(
        "{}: of {} places tried, {} have data on all of its {} meshes, {} sensors were asked for; draw them on every "
        "mesh anew (sensors.kind = random-each), or put them on the wall (wall, random-wall)",
        dataset.name(), candidates.size(), good.rows(), dataset.mesh_count(), count);
  return make_layout(good.topRows(count), channels);
}

SensorLayout wall_layout(const Mesh& mesh, const std::vector<double>& arclengths, const std::vector<int>& channels) {
  auto layout = make_layout(Matrix::Zero(std::ssize(arclengths), mesh.points.cols()), channels);
  layout.arclengths = arclengths;
  return place(layout, mesh, 0).layout;
}

SensorReadings read_sensors(const Case& c, const PlacedSensors& sensors) {
  return read_sensors(fields_at(c, sensors.points), sensors.layout);
}

SensorReadings read_sensors(const Matrix& values, const SensorLayout& layout) {
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  SensorReadings out{layout.positions, Matrix::Constant(layout.size(), values.cols(), nothing), layout.mean_readings};
  for (Index i = 0; i < layout.size(); ++i)
    for (int channel : layout.channels[i]) out.values(i, channel) = values(i, channel);
  return out;
}

}  // namespace fluidsplat::field
