// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/target.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace fluidsplat::reconstruct {
namespace {

// A coordinate's values when they are evenly spaced.
struct Ruler {
  double first = 0, step = 1;
  Index count = 0;  // 0: not evenly spaced
  Index index(double x) const { return std::llround((x - first) / step); }
};

// Finds the ruler of one coordinate, given how many different values it may have.
Ruler find_ruler(const field::Mesh& mesh, Index axis, Index most) {
  std::vector<float> values(mesh.size());
  for (Index i = 0; i < mesh.points.rows(); ++i) values[i] = mesh.points(i, axis);
  std::sort(values.begin(), values.end());
  const double extent = double(values.back()) - values.front();
  if (!(extent > 0)) return {values.front(), 1, 1};
  // Values closer than a hundredth of the smallest possible step are one value with rounding.
  const double same = 0.01 * extent / double(most);
  std::vector<double> different = {values.front()};
  for (float v : values)
    if (v - different.back() > same) different.push_back(v);
  // Holes may hide whole rows: the step is the smallest gap.
  double step = extent;
  for (std::size_t i = 1; i < different.size(); ++i) step = std::min(step, different[i] - different[i - 1]);
  const auto count = std::llround(extent / step) + 1;
  if (count > most) return {};
  const Ruler ruler{values.front(), extent / double(count - 1), count};
  for (double v : different)
    if (std::abs(v - ruler.first - ruler.step * double(ruler.index(v))) > 0.02 * ruler.step) return {};
  return ruler;
}

void make_image(Target& target, const std::vector<Ruler>& rulers) {
  auto& shell = target.shell;
  shell.kind = io::VtkKind::image;
  shell.dimensions = {1, 1, 1};
  for (std::size_t a = 0; a < rulers.size(); ++a) {
    shell.dimensions[a] = rulers[a].count;
    shell.origin[a] = rulers[a].first;
    shell.spacing[a] = rulers[a].step;
    target.array_shape.insert(target.array_shape.begin(), rulers[a].count);
  }
}

void copy_points(io::VtkMesh& shell, const field::Mesh& mesh) {
  shell.points.reserve(3 * static_cast<std::size_t>(mesh.size()));
  for (Index i = 0; i < mesh.points.rows(); ++i)
    for (Index a = 0; a < 3; ++a) shell.points.push_back(a < mesh.points.cols() ? mesh.points(i, a) : 0.0f);
  shell.offsets = {0};
}

// Quadrilaterals (hexahedra) between grid neighbours that all have data.
void add_grid_cells(io::VtkMesh& shell, const field::Mesh& mesh) {
  std::vector<Index> extent(3 - mesh.grid_shape.size(), 1);
  extent.insert(extent.end(), mesh.grid_shape.begin(), mesh.grid_shape.end());
  std::vector<Index> point_of(extent[0] * extent[1] * extent[2], -1);
  for (std::size_t i = 0; i < mesh.grid_cell.size(); ++i) point_of[mesh.grid_cell[i]] = static_cast<Index>(i);
  const auto at = [&](Index k, Index j, Index i) { return point_of[(k * extent[1] + j) * extent[2] + i]; };
  const bool flat = extent[0] == 1;
  for (Index k = 0; k + (flat ? 0 : 1) < extent[0]; ++k)
    for (Index j = 0; j + 1 < extent[1]; ++j)
      for (Index i = 0; i + 1 < extent[2]; ++i) {
        std::vector<Index> corners = {at(k, j, i), at(k, j, i + 1), at(k, j + 1, i + 1), at(k, j + 1, i)};
        if (!flat)
          corners.insert(corners.end(),
                         {at(k + 1, j, i), at(k + 1, j, i + 1), at(k + 1, j + 1, i + 1), at(k + 1, j + 1, i)});
        if (std::find(corners.begin(), corners.end(), -1) == corners.end())
          shell.add_cell(flat ? io::kVtkQuad : io::kVtkHexahedron, corners);
      }
}

void read_wall(const io::VtkMesh& vtk, field::Mesh& mesh) {
  const auto* wall = vtk.find_point_data(kWallArray);
  if (!wall || wall->components != 1) return;
  for (Index i = 0; i < mesh.size(); ++i)
    if (const double v = wall->values[i]; v != 0 && !std::isnan(v)) mesh.surface.push_back(i);
  const auto* normals = vtk.find_point_data(kWallNormalsArray);
  if (!normals || normals->components != 3) return;
  mesh.normals.resize(std::ssize(mesh.surface), mesh.points.cols());
  for (std::size_t s = 0; s < mesh.surface.size(); ++s)
    for (Index a = 0; a < mesh.points.cols(); ++a) mesh.normals(s, a) = float(normals->values[3 * mesh.surface[s] + a]);
}

}  // namespace

const char* Target::extension() const {
  return shell.kind == io::VtkKind::image ? ".vti" : shell.kind == io::VtkKind::poly ? ".vtp" : ".vtu";
}

Target target_from_mesh(std::shared_ptr<const field::Mesh> mesh) {
  Target target;
  target.mesh = mesh;
  if (mesh->is_grid()) {
    std::vector<Ruler> rulers;
    const auto most = *std::max_element(mesh->grid_shape.begin(), mesh->grid_shape.end());
    for (Index a = 0; a < mesh->points.cols(); ++a) rulers.push_back(find_ruler(*mesh, a, most));
    if (std::all_of(rulers.begin(), rulers.end(), [](const Ruler& r) { return r.count > 0; })) {
      make_image(target, rulers);
      for (Index i = 0; i < mesh->points.rows(); ++i) {
        Index flat = 0;
        for (Index a = mesh->points.cols(); a-- > 0;) {
          const auto& r = rulers[a];
          flat = flat * r.count + r.index(mesh->points(i, a));
        }
        target.place.push_back(flat);
      }
      return target;
    }
  }
  target.place.resize(mesh->size());
  std::iota(target.place.begin(), target.place.end(), 0);
  target.array_shape = {mesh->size()};
  copy_points(target.shell, *mesh);
  if (mesh->is_grid()) {
    target.shell.kind = io::VtkKind::unstructured;
    add_grid_cells(target.shell, *mesh);
  } else {
    target.shell.kind = io::VtkKind::poly;
    for (auto i : target.place) target.shell.add_cell(io::kVtkVertex, {i});
  }
  return target;
}

Target target_from_vtk(const std::filesystem::path& path, const field::Schema& schema) {
  Target target;
  target.shell = io::read_vtk(path);
  auto& shell = target.shell;
  const auto n = shell.point_count();
  if (n == 0) fail("{}: has no points", path.string());
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points.resize(n, schema.dim());
  const auto at = [&](Index i, int a) {
    if (shell.kind != io::VtkKind::image) return shell.points[3 * i + a];
    const auto& d = shell.dimensions;
    const Index index = a == 0 ? i % d[0] : a == 1 ? i / d[0] % d[1] : i / (d[0] * d[1]);
    return shell.origin[a] + shell.spacing[a] * double(index);
  };
  for (Index i = 0; i < n; ++i) {
    for (int a = 0; a < schema.dim(); ++a) mesh->points(i, a) = float(at(i, a));
    if (schema.dim() == 2 && at(i, 2) != at(0, 2))
      fail("{}: its points do not lie in a plane z = const, but the model is two-dimensional", path.string());
  }
  mesh->features.resize(schema.features.empty() ? 0 : n, std::ssize(schema.features));
  for (std::size_t f = 0; f < schema.features.size(); ++f) {
    const auto* array = shell.find_point_data(schema.features[f].name);
    if (!array || array->components != 1)
      fail("{}: needs a point array \"{}\" of one component: the model was trained with this feature", path.string(),
           schema.features[f].name);
    for (Index i = 0; i < n; ++i) mesh->features(i, f) = float(array->values[i]);
  }
  read_wall(shell, *mesh);
  shell.point_data.clear();
  shell.cell_data.clear();
  target.array_shape = {n};
  if (shell.kind == io::VtkKind::image) {
    target.array_shape = {shell.dimensions[1], shell.dimensions[0]};
    if (schema.dim() == 3) target.array_shape.insert(target.array_shape.begin(), shell.dimensions[2]);
  }
  target.place.resize(n);
  std::iota(target.place.begin(), target.place.end(), 0);
  target.mesh = std::move(mesh);
  return target;
}

Target target_from_grid(const std::vector<Index>& points, const field::Box& box) {
  const auto dim = box.low.size();
  if (points.size() != dim) fail("a grid of {} sizes does not suit a model of {} dimensions", points.size(), dim);
  Index n = 1;
  std::vector<Ruler> rulers;
  for (std::size_t a = 0; a < dim; ++a) {
    if (points[a] < 2 || n > (Index{1} << 33) / points[a])
      fail("a grid of {} points along axis {} is not usable", points[a], a);
    n *= points[a];
    rulers.push_back({box.low[a], (box.high[a] - box.low[a]) / double(points[a] - 1), points[a]});
  }
  Target target;
  make_image(target, rulers);
  auto mesh = std::make_shared<field::Mesh>();
  mesh->grid_shape = target.array_shape;
  mesh->points.resize(n, dim);
  mesh->grid_cell.resize(n);
  std::iota(mesh->grid_cell.begin(), mesh->grid_cell.end(), 0);
  for (Index i = 0; i < n; ++i) {
    Index rest = i;
    for (std::size_t a = 0; a < dim; ++a) {
      mesh->points(i, a) = float(rulers[a].first + rulers[a].step * double(rest % points[a]));
      rest /= points[a];
    }
  }
  target.place = mesh->grid_cell;
  target.mesh = std::move(mesh);
  return target;
}

std::vector<Index> grid_for(const field::Box& box, Index longest) {
  double side = 0;
  for (std::size_t a = 0; a < box.low.size(); ++a) side = std::max(side, box.high[a] - box.low[a]);
  std::vector<Index> out;
  for (std::size_t a = 0; a < box.low.size(); ++a)
    out.push_back(std::max<Index>(2, std::llround(double(longest - 1) * (box.high[a] - box.low[a]) / side) + 1));
  return out;
}

double share_outside(const Target& target, const field::Box& box) {
  Index outside = 0;
  for (Index i = 0; i < target.mesh->points.rows(); ++i)
    for (Index a = 0; a < target.mesh->points.cols(); ++a) {
      const std::size_t k = a;
      const double margin = 1e-5 * (box.high[k] - box.low[k]), x = target.mesh->points(i, a);
      if (x < box.low[k] - margin || x > box.high[k] + margin) {
        ++outside;
        break;
      }
    }
  return double(outside) / double(target.mesh->size());
}

}  // namespace fluidsplat::reconstruct
