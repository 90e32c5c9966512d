// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/known_region.h"

#include <algorithm>
#include <cmath>
#include <nanoflann.hpp>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "base/error.h"
#include "field/point_source.h"
#include "field/surface_view.h"
#include "mesh/grid.h"
#include "mesh/ruler.h"
#include "model/json_entries.h"

namespace fluidsplat::reconstruct {
namespace {

// Nodes along the longest side, in 2-D and in 3-D.
constexpr Index kNodes2d = 512, kNodes3d = 96;
constexpr Index kMostMeshes = 32, kMostNodes = Index{1} << 27;
// A place farther from all points than this many times their distance from each other has no data.
constexpr float kReach = 1.5f;

// The points of a mesh and of its wall, to find the nearest of.
struct Cloud {
  field::Matrix points, normals;  // normals: [n, d], zero off the wall

  explicit Cloud(const field::Mesh& mesh) {
    points.resize(mesh.places(), mesh.points.cols());
    for (Index i = 0; i < points.rows(); ++i) points.row(i) = mesh.position(i);
    normals.setZero(points.rows(), points.cols());
    const field::SurfaceView wall(mesh);
    for (Index s = 0; s < wall.size() && wall.has_normals(); ++s) normals.row(wall.place(s)) = wall.normal(s);
  }
  std::size_t kdtree_get_point_count() const { return points.rows(); }
  float kdtree_get_pt(std::size_t i, std::size_t axis) const { return points(i, axis); }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>, Cloud, -1, std::size_t>;

// Tells of any place whether the mesh has data there.
class Finder {
 public:
  explicit Finder(const field::Mesh& mesh)
      : cloud_(mesh), tree_(int(mesh.points.cols()), cloud_), spacing_(cloud_.points.rows()) {
    tree_.buildIndex();
  }
  bool has_data(const Eigen::RowVectorXf& place) {
    std::size_t nearest;
    float squared;
    tree_.knnSearch(place.data(), 1, &nearest, &squared);
    const float reach = kReach * spacing(nearest);
    if (squared > reach * reach) return false;
    // Behind the wall.
    return (place - cloud_.points.row(nearest)).dot(cloud_.normals.row(nearest)) >= -1e-3f * reach;
  }

 private:
  // How far the points around one are from each other.
  float spacing(std::size_t point) {
    float& known = spacing_[point];
    if (known > 0) return known;
    // The point itself comes first, then one neighbour along each direction of each axis.
    const auto wanted = std::min<Index>(2 * cloud_.points.cols() + 1, cloud_.points.rows());
    std::vector<std::size_t> index(wanted);
    std::vector<float> squared(wanted);
    tree_.knnSearch(&cloud_.points(point, 0), wanted, index.data(), squared.data());
    return known = std::sqrt(squared.back());
  }

  Cloud cloud_;
  Tree tree_;
  std::vector<float> spacing_;
};

Index node_count(const std::vector<Index>& shape) {
  return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
}

// The raster of an evenly spaced grid is the grid itself.
KnownRegion of_grid(const field::Mesh& mesh, const std::vector<mesh::Ruler>& rulers) {
  KnownRegion out;
  for (const auto& r : rulers) {
    const double end = r.at(r.count - 1);
    out.box.low.push_back(std::min(r.first, end));
    out.box.high.push_back(std::max(r.first, end));
    out.shape.push_back(r.count);
  }
  out.known.assign(node_count(out.shape), 0);
  for (Index i = 0; i < mesh.size(); ++i) {
    Index node = 0;
    for (Index a = std::ssize(rulers) - 1; a >= 0; --a) {
      const auto& r = rulers[a];
      const Index k = r.index(mesh.points(i, a));
      node = node * r.count + (r.step > 0 ? k : r.count - 1 - k);
    }
    out.known[node] = 1;
  }
  return out;
}

KnownRegion of_meshes(const field::Dataset& dataset, const std::set<Index>& meshes) {
  KnownRegion out;
  out.box = dataset.domain();
  out.shape = mesh::grid_for(out.box, out.box.low.size() == 2 ? kNodes2d : kNodes3d);
  const auto nodes = mesh::make_grid(out.shape, out.box).mesh.points;
  out.known.assign(nodes.rows(), 0);
  Index looked_at = 0;
  for (auto number : meshes) {
    if (++looked_at > kMostMeshes) break;
    Finder finder(*dataset.mesh(number));
    for (Index i = 0; i < nodes.rows(); ++i)
      if (!out.known[i]) out.known[i] = finder.has_data(nodes.row(i));
  }
  return out;
}

// The same of meshes with many more points than the raster has nodes, without a tree of them and in parts: a node is
// known when it is the nearest to some point.
KnownRegion of_large_meshes(const field::Dataset& dataset, const std::set<Index>& meshes) {
  KnownRegion out;
  out.box = dataset.domain();
  out.shape = mesh::grid_for(out.box, (out.box.low.size() == 2 ? kNodes2d : kNodes3d) / 2);
  out.known.assign(node_count(out.shape), 0);
  for (auto number : meshes)
    field::PointSource(dataset, number).visit([&](Index, const field::MeshPart& part) {
      for (Index i = 0; i < part.positions.rows(); ++i) {
        Index node = 0;
        for (Index a = std::ssize(out.shape) - 1; a >= 0; --a) {
          const double side = out.box.high[a] - out.box.low[a];
          const double share = side > 0 ? (part.positions(i, a) - out.box.low[a]) / side : 0;
          const auto nearest = Index(std::lround(std::clamp(share, 0.0, 1.0) * double(out.shape[a] - 1)));
          node = node * out.shape[a] + nearest;
        }
        out.known[node] = 1;
      }
    });
  return out;
}

}  // namespace

bool KnownRegion::contains(const Eigen::RowVectorXf& place) const {
  return is_near(place, 0);
}

bool KnownRegion::is_near(const Eigen::RowVectorXf& place, Index nodes) const {
  if (shape.empty()) return true;
  const Index dim = std::ssize(shape);
  std::vector<Index> from(dim), to(dim);
  for (Index a = 0; a < dim; ++a) {
    const double side = box.high[a] - box.low[a];
    const double share = side > 0 ? (place[a] - box.low[a]) / side : 0;
    const auto nearest =
        std::clamp<Index>(std::llround(std::clamp(share, 0.0, 1.0) * double(shape[a] - 1)), 0, shape[a] - 1);
    from[a] = std::max<Index>(0, nearest - nodes);
    to[a] = std::min(shape[a] - 1, nearest + nodes);
  }
  auto at = from;
  for (;;) {
    Index node = 0;
    for (Index a = dim - 1; a >= 0; --a) node = node * shape[a] + at[a];
    if (known[node]) return true;
    Index a = 0;
    while (a < dim && ++at[a] > to[a]) at[a] = from[a], ++a;
    if (a == dim) return false;
  }
}

KnownRegion learn_region(const field::Dataset& dataset, const std::vector<Index>& cases, Index large) {
  std::set<Index> meshes;
  for (auto index : cases) meshes.insert(dataset.mesh_of(index));
  Index points = 0;
  for (auto number : meshes) points = std::max(points, dataset.outline(number).points);
  KnownRegion out;
  if (points > large) {
    out = of_large_meshes(dataset, meshes);
  } else {
    const auto first = dataset.mesh(*meshes.begin());
    const auto rulers = meshes.size() == 1 && first->is_grid() ? mesh::find_rulers(*first) : std::vector<mesh::Ruler>();
    out = rulers.empty() ? of_meshes(dataset, meshes) : of_grid(*first, rulers);
  }
  out.points = points;
  if (std::ranges::all_of(out.known, [](auto k) { return k != 0; })) out.shape.clear(), out.known.clear();
  return out;
}

model::Block to_block(const KnownRegion& region) {
  model::Block block;
  nlohmann::json config = {{"points", region.points}};
  if (!region.shape.empty()) {
    config["low"] = region.box.low;
    config["high"] = region.box.high;
    config["shape"] = region.shape;
    block.tensors["known"] = io::Array::from<std::uint8_t>({std::ssize(region.known)}, region.known);
  }
  block.config = config.dump();
  return block;
}

KnownRegion region_from_block(const model::Block& block, Index dim, const std::string& where) {
  const auto json = nlohmann::json::parse(block.config);
  const model::Entries entries(json, fmt::format("{}, block \"{}\"", where, kRegionBlock));
  KnownRegion out;
  if (!entries.at("points").is_number_integer()) fail("{}: \"points\" must be a whole number", entries.where());
  out.points = std::max<Index>(0, entries.at("points").get<Index>());
  if (!entries.has("shape")) return out;
  out.box.low = model::numbers(entries.at("low"), dim, "coordinates", entries.where());
  out.box.high = model::numbers(entries.at("high"), dim, "coordinates", entries.where());
  Index nodes = 1;
  for (double n : model::numbers(entries.at("shape"), dim, "sizes", entries.where())) {
    if (!(n >= 1 && n <= double(kMostNodes / nodes))) fail("{}: \"shape\" is not usable", entries.where());
    out.shape.push_back(Index(n));
    nodes *= Index(n);
  }
  const auto it = block.tensors.find("known");
  if (it == block.tensors.end() || it->second.dtype != io::DType::u8 || it->second.count() != nodes)
    fail("{}: should hold {} nodes; the file is damaged", entries.where(), nodes);
  out.known = it->second.as<std::uint8_t>();
  return out;
}

}  // namespace fluidsplat::reconstruct
