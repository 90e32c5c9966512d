// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/array_mesh.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "import/wall_faces.h"

namespace fluidsplat::importing {

Index scattered_points(const Recipe& recipe, const std::filesystem::path& file) {
  if (!recipe.points.empty()) {
    const auto source = ArraySource::open(file, recipe.points);
    const auto& shape = source.shape();
    if ((shape.size() != 2 && shape.size() != 3) || shape.back() < 2 || shape.back() > 3)
      fail("{}: the points have the shape {}; (points, 2 or 3) or (cases, points, 2 or 3) is needed", source.label(),
           io::shape_text(shape));
    return shape[shape.size() - 2];
  }
  if (recipe.layout.find('n') != std::string::npos && !recipe.x.empty()) {
    const auto source = ArraySource::open(file, recipe.x);
    if (source.shape().size() != 1)
      fail("{}: the x of points must be a list, its shape is {}", source.label(), io::shape_text(source.shape()));
    return source.shape().front();
  }
  return 0;
}

std::vector<Index> read_offsets(const Recipe& recipe, const std::filesystem::path& file, const Axes& data) {
  std::vector<Index> out;
  if (recipe.offsets.empty()) return out;
  auto source = ArraySource::open(file, recipe.offsets);
  if (data.letters.front() != 'n')
    fail("{}: offsets split the points of a layout that begins with n (n or nc), this one is {}", source.label(),
         data.letters);
  for (double v : source.all()) {
    if (v != std::floor(v) || v < 0 || v > double(data.points()))
      fail("{}: {} is not the number of a point; there are {}", source.label(), v, data.points());
    out.push_back(Index(v));
    if (out.size() > 1 && out.back() <= out[out.size() - 2])
      fail("{}: the offsets must rise, {} follows {}", source.label(), v, out[out.size() - 2]);
  }
  if (out.size() < 2) fail("{}: has {} numbers; one more than there are cases is needed", source.label(), out.size());
  return out;
}

namespace {

// The points from `first` up to `last`, with their part of the wall.
field::Mesh cut(const field::Mesh& whole, Index first, Index last) {
  field::Mesh out;
  out.points = whole.points.middleRows(first, last - first);
  out.features = whole.features.middleRows(first, last - first);
  std::vector<Index> rows;
  for (std::size_t s = 0; s < whole.surface.size(); ++s)
    if (whole.surface[s] >= first && whole.surface[s] < last) {
      out.surface.push_back(whole.surface[s] - first);
      rows.push_back(s);
    }
  for (auto s : rows)
    if (!whole.areas.empty()) out.areas.push_back(whole.areas[s]);
  if (whole.normals.size() == 0) return out;
  out.normals.resize(std::ssize(rows), whole.normals.cols());
  for (std::size_t s = 0; s < rows.size(); ++s) out.normals.row(s) = whole.normals.row(rows[s]);
  return out;
}

}  // namespace

ArrayMesh::ArrayMesh(const Recipe& recipe, const std::filesystem::path& file, const Axes& data,
                     std::vector<Index> offsets)
    : recipe_(recipe), data_(data), offsets_(std::move(offsets)) {
  if (!recipe.points.empty()) {
    points_.emplace(open_companion(file, recipe.points, data, true, "points array"));
    dim_ = int(points_->columns());
    if (points_->axes().letters.front() != 't') fixed_points_ = points_->read(0);
  } else {
    lay_out_grid(file);
  }
  for (const auto& name : recipe.features) features_.push_back(open_companion(file, name, data, false, "feature"));
  if (!recipe.normals.empty()) {
    normals_.emplace(open_companion(file, recipe.normals, data, true, "normals array"));
    if (normals_->columns() != dim_)
      fail("{}: the normals have {} components, the points {}", normals_->source().label(), normals_->columns(), dim_);
  }
  if (!recipe.areas.empty()) areas_.emplace(open_companion(file, recipe.areas, data, false, "areas array"));
  if (!recipe.faces.empty()) read_faces(file);
  if (recipe.surface != "array") return;
  auto source = ArraySource::open(file, recipe.surface_array);
  if (source.shape().size() == 1 && !source.is_boolean() && source.shape().front() != data.points()) {
    for (double v : source.all()) {
      if (v != std::floor(v) || v < 0 || v >= double(data.points()))
        fail("{}: {} is not the number of a point; they are 0 to {}", source.label(), v, data.points() - 1);
      surface_list_.push_back(Index(v));
    }
  } else {
    surface_.emplace(open_companion(file, recipe.surface_array, data, false, "surface array"));
  }
}

void ArrayMesh::read_faces(const std::filesystem::path& file) {
  auto source = ArraySource::open(file, recipe_.faces);
  const auto& shape = source.shape();
  if (dim_ != 3) fail("{}: faces describe a surface in space, these points are {}-D", source.label(), dim_);
  const bool by_case = shape.size() == 3;
  if ((shape.size() != 2 && !by_case) || shape.back() < 3 || shape.back() > 4 ||
      (by_case && shape[0] != data_.extent('t')))
    fail("{}: the faces have the shape {}; (faces, 3 or 4) or ({} cases, faces, 3 or 4) is needed", source.label(),
         io::shape_text(shape), data_.extent('t'));
  const auto values = source.all();
  const std::size_t per_case = shape[shape.size() - 2] * shape.back();
  for (std::size_t first = 0; first < values.size(); first += per_case) {
    auto& faces = faces_.emplace_back();
    for (std::size_t f = first; f < first + per_case; f += static_cast<std::size_t>(shape.back())) {
      std::vector<Index> corners;
      for (std::size_t k = f; k < f + static_cast<std::size_t>(shape.back()); ++k) {
        const double v = values[k];
        if (v == -1 || std::isnan(v)) continue;  // padding
        if (v != std::floor(v) || v < 0 || v >= double(data_.points()))
          fail("{}: {} is not the number of a point; they are 0 to {}", source.label(), v, data_.points() - 1);
        corners.push_back(Index(v));
      }
      if (corners.size() > 2) faces.add(corners);
    }
  }
}

field::Matrix ArrayMesh::axis_positions(const std::filesystem::path& file, const std::string& reference, char letter,
                                        int axis) {
  const auto nz = data_.extent('z'), ny = data_.extent('y'), nx = data_.extent('x'), nn = data_.extent('n');
  field::Matrix out(data_.points(), 1);
  std::vector<double> along;
  if (!reference.empty()) {
    auto source = ArraySource::open(file, reference);
    const auto extent = data_.extent(letter) * nn;
    if (source.shape().size() != 1) return open_companion(file, reference, data_, false, "coordinate array").read(0);
    along = source.all();
    if (std::ssize(along) != extent)
      fail("{}: has {} values, the data have {} along {}", source.label(), along.size(), extent, letter);
  } else {
    if (nn > 1) fail("import: points need {} as well; name the array with --{}", letter, letter);
    const std::size_t a = axis;
    const double first = recipe_.origin.empty() ? 0 : recipe_.origin[a];
    const double step = recipe_.spacing.empty() ? 1 : recipe_.spacing[recipe_.spacing.size() == 1 ? 0 : a];
    for (Index i = 0; i < data_.extent(letter); ++i) along.push_back(first + double(i) * step);
  }
  Index i = 0;
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x)
        for (Index n = 0; n < nn; ++n, ++i) {
          const auto at = data_.has('n') ? n : letter == 'x' ? x : letter == 'y' ? y : z;
          out(i, 0) = float(along[at]);
        }
  return out;
}

void ArrayMesh::lay_out_grid(const std::filesystem::path& file) {
  const auto names = coordinate_names();
  dim_ = int(names.size());
  const auto check_size = [&](const std::vector<double>& values, const char* what) {
    if (!values.empty() && values.size() != names.size() && !(values.size() == 1 && what[0] == 's'))
      fail("import: {} has {} numbers, the grid needs {} ({})", what, values.size(), names.size(),
           fmt::join(names, ", "));
  };
  check_size(recipe_.origin, "origin");
  check_size(recipe_.spacing, "spacing");
  fixed_points_.resize(data_.points(), dim_);
  for (int a = 0; a < dim_; ++a) {
    const char letter = names[a][0];
    const auto& reference = letter == 'x' ? recipe_.x : letter == 'y' ? recipe_.y : recipe_.z;
    fixed_points_.col(a) = axis_positions(file, reference, letter, a);
  }
}

std::vector<std::string> ArrayMesh::coordinate_names() const {
  std::vector<std::string> out;
  if (points_) {
    for (int a = 0; a < dim_; ++a) out.emplace_back(1, "xyz"[a]);
  } else if (data_.has('n')) {
    out = {"x", "y"};
    if (!recipe_.z.empty()) out.emplace_back("z");
  } else {
    for (char letter : std::string("xyz"))
      if (data_.has(letter)) out.emplace_back(1, letter);
  }
  return out;
}

bool ArrayMesh::differs_by_case() const {
  const auto by_case = [](const ArrayFrames& f) { return f.axes().has('t'); };
  return !offsets_.empty() || (points_ && by_case(*points_)) || (surface_ && by_case(*surface_)) ||
         (normals_ && by_case(*normals_)) || (areas_ && by_case(*areas_)) || faces_.size() > 1 ||
         std::any_of(features_.begin(), features_.end(), by_case);
}

void ArrayMesh::add_wall(field::Mesh& mesh, Index index) {
  const auto frame = [&](ArrayFrames& f) { return f.read(f.axes().has('t') ? index : 0); };
  if (recipe_.surface == "all") {
    mesh.surface.resize(mesh.size());
    std::iota(mesh.surface.begin(), mesh.surface.end(), 0);
  } else if (!surface_list_.empty()) {
    mesh.surface = surface_list_;
  } else if (surface_) {
    const auto on_wall = frame(*surface_);
    for (Index i = 0; i < on_wall.rows(); ++i)
      if (on_wall(i, 0) != 0 && !std::isnan(on_wall(i, 0))) mesh.surface.push_back(i);
  }
  if (normals_ && !mesh.surface.empty()) {
    const auto all = frame(*normals_);
    mesh.normals.resize(std::ssize(mesh.surface), dim_);
    for (std::size_t s = 0; s < mesh.surface.size(); ++s) mesh.normals.row(s) = all.row(mesh.surface[s]).normalized();
  }
  if (areas_ && !mesh.surface.empty()) {
    const auto all = frame(*areas_);
    for (auto point : mesh.surface) mesh.areas.push_back(checked_area(all(point, 0), areas_->source().label()));
  }
  if (!faces_.empty())
    open_ = !add_patches(mesh, faces_[faces_.size() > 1 ? static_cast<std::size_t>(index) : 0]) || open_;
}

field::Mesh ArrayMesh::read(Index index) {
  if (offsets_.empty()) return build(index);
  if (!whole_) whole_ = build(0);
  const std::size_t i = index;
  return cut(*whole_, offsets_[i], offsets_[i + 1]);
}

field::Mesh ArrayMesh::build(Index index) {
  field::Mesh mesh;
  mesh.points = fixed_points_.size() > 0 ? fixed_points_ : points_->read(index);
  mesh.features.resize(mesh.points.rows(), std::ssize(features_));
  for (std::size_t f = 0; f < features_.size(); ++f)
    mesh.features.col(f) = features_[f].read(features_[f].axes().has('t') ? index : 0);
  if (!data_.has('n')) {
    for (char letter : data_.place()) mesh.grid_shape.push_back(data_.extent(letter));
    mesh.grid_cell.resize(mesh.size());
    std::iota(mesh.grid_cell.begin(), mesh.grid_cell.end(), 0);
  }
  add_wall(mesh, index);
  return mesh;
}

}  // namespace fluidsplat::importing
