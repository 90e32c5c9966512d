// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/array_mesh.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "mesh/vtk_wall.h"
#include "mesh/wall_faces.h"

namespace fluidsplat::importing {
namespace {

bool has_cases(const ArrayFrames& array) {
  return array.axes().has('t');
}

}  // namespace

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

ArrayMesh::ArrayMesh(const Recipe& recipe, const std::filesystem::path& file, const Axes& data,
                     std::vector<Index> offsets)
    : recipe_(recipe), data_(data), offsets_(std::move(offsets)) {
  if (!recipe.points.empty()) {
    positions_.push_back(open_companion(file, recipe.points, data, true, "points array"));
    dim_ = int(positions_.front().columns());
  } else if (data.has('n')) {
    for (const auto& name : coordinate_names()) {
      const auto& reference = reference_of(name[0]);
      if (reference.empty()) fail("import: points need {} as well; name the array with {} = NAME", name, name);
      positions_.push_back(open_companion(file, reference, data, false, "coordinate array"));
    }
    dim_ = int(positions_.size());
  } else {
    lay_out_grid(file);
  }
  if (!positions_.empty() && offsets_.empty() && std::none_of(positions_.begin(), positions_.end(), has_cases))
    fixed_points_ = positions(0);
  for (const auto& name : recipe.features) features_.push_back(open_companion(file, name, data, false, "feature"));
  if (!recipe.normals.empty()) {
    normals_.emplace(open_companion(file, recipe.normals, data, true, "normals array"));
    if (normals_->columns() != dim_)
      fail("{}: the normals have {} components, the points {}", normals_->source().label(), normals_->columns(), dim_);
  }
  if (!recipe.areas.empty()) areas_.emplace(open_companion(file, recipe.areas, data, false, "areas array"));
  if (!recipe.faces.empty()) open_faces(file);
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

// The part of an array that belongs to a case.
field::Matrix ArrayMesh::part(ArrayFrames& array, Index index) const {
  if (offsets_.empty()) return array.read(has_cases(array) ? index : 0);
  const std::size_t i = index;
  const auto first = offsets_[i], count = offsets_[i + 1] - first;
  // Cases laid end to end are one case in the file, which may say so with an axis of length one in front.
  if (has_cases(array)) return array.read(0).middleRows(first, count);
  return array.read_points(first, count);
}

field::Matrix ArrayMesh::positions(Index index) {
  if (positions_.size() == 1) return part(positions_.front(), index);
  field::Matrix out;
  for (std::size_t a = 0; a < positions_.size(); ++a) {
    const auto column = part(positions_[a], index);
    out.conservativeResize(column.rows(), std::ssize(positions_));
    out.col(a) = column;
  }
  return out;
}

void ArrayMesh::open_faces(const std::filesystem::path& file) {
  faces_ = ArraySource::open(file, recipe_.faces);
  const auto& shape = faces_->shape();
  if (dim_ != 3) fail("{}: faces describe a surface in space, these points are {}-D", faces_->label(), dim_);
  const bool by_case = shape.size() == 3;
  if ((shape.size() != 2 && !by_case) || shape.back() < 3 || shape.back() > 4 ||
      (by_case && shape[0] != data_.extent('t')))
    fail("{}: the faces have the shape {}; (faces, 3 or 4) or ({} cases, faces, 3 or 4) is needed", faces_->label(),
         io::shape_text(shape), data_.extent('t'));
  if (!by_case) fixed_faces_ = read_faces(faces_->all());
}

field::Faces ArrayMesh::read_faces(const std::vector<double>& values) const {
  const std::size_t width = faces_->shape().back();
  field::Faces out;
  for (std::size_t f = 0; f < values.size(); f += width) {
    std::vector<Index> corners;
    for (std::size_t k = f; k < f + width; ++k) {
      const double v = values[k];
      if (v == -1 || std::isnan(v)) continue;  // padding
      if (v != std::floor(v) || v < 0 || v >= double(data_.points()))
        fail("{}: {} is not the number of a point; they are 0 to {}", faces_->label(), v, data_.points() - 1);
      corners.push_back(Index(v));
    }
    if (corners.size() > 2) out.add(corners);
  }
  return out;
}

field::Matrix ArrayMesh::axis_positions(const std::filesystem::path& file, const std::string& reference, char letter,
                                        int axis) {
  const auto nz = data_.extent('z'), ny = data_.extent('y'), nx = data_.extent('x');
  field::Matrix out(data_.points(), 1);
  std::vector<double> along;
  if (!reference.empty()) {
    auto source = ArraySource::open(file, reference);
    const auto extent = data_.extent(letter);
    if (source.shape().size() != 1) return open_companion(file, reference, data_, false, "coordinate array").read(0);
    along = source.all();
    if (std::ssize(along) != extent)
      fail("{}: has {} values, the data have {} along {}", source.label(), along.size(), extent, letter);
  } else {
    const std::size_t a = axis;
    const double first = recipe_.origin.empty() ? 0 : recipe_.origin[a];
    const double step = recipe_.spacing.empty() ? 1 : recipe_.spacing[recipe_.spacing.size() == 1 ? 0 : a];
    for (Index i = 0; i < data_.extent(letter); ++i) along.push_back(first + double(i) * step);
  }
  Index i = 0;
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x, ++i) out(i, 0) = float(along[letter == 'x' ? x : letter == 'y' ? y : z]);
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
    fixed_points_.col(a) = axis_positions(file, reference_of(letter), letter, a);
  }
}

const std::string& ArrayMesh::reference_of(char letter) const {
  return letter == 'x' ? recipe_.x : letter == 'y' ? recipe_.y : recipe_.z;
}

std::vector<std::string> ArrayMesh::coordinate_names() const {
  std::vector<std::string> out;
  if (!recipe_.points.empty()) {
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
  const auto by_case = [](const auto& array) { return array && has_cases(*array); };
  return !offsets_.empty() || by_case(surface_) || by_case(normals_) || by_case(areas_) || (faces_ && !fixed_faces_) ||
         std::any_of(positions_.begin(), positions_.end(), has_cases) ||
         std::any_of(features_.begin(), features_.end(), has_cases);
}

void ArrayMesh::add_wall(field::Mesh& mesh, Index index) {
  if (recipe_.surface == "all") {
    mesh.surface.resize(mesh.size());
    std::iota(mesh.surface.begin(), mesh.surface.end(), 0);
  } else if (!surface_list_.empty()) {
    const auto first = offsets_.empty() ? 0 : offsets_[index];
    for (auto point : surface_list_)
      if (point >= first && point < first + mesh.size()) mesh.surface.push_back(point - first);
  } else if (surface_) {
    const auto on_wall = part(*surface_, index);
    for (Index i = 0; i < on_wall.rows(); ++i)
      if (on_wall(i, 0) != 0 && !std::isnan(on_wall(i, 0))) mesh.surface.push_back(i);
  }
  if (normals_ && !mesh.surface.empty()) {
    const auto all = part(*normals_, index);
    mesh.normals.resize(std::ssize(mesh.surface), dim_);
    for (std::size_t s = 0; s < mesh.surface.size(); ++s) mesh.normals.row(s) = all.row(mesh.surface[s]).normalized();
  }
  if (areas_ && !mesh.surface.empty()) {
    const auto all = part(*areas_, index);
    for (auto point : mesh.surface) mesh.areas.push_back(mesh::checked_area(all(point, 0), areas_->source().label()));
  }
  if (faces_)
    open_ = !mesh::add_patches(mesh, fixed_faces_ ? *fixed_faces_ : read_faces(faces_->exact_rows(index, 1))) || open_;
}

field::Mesh ArrayMesh::read(Index index) {
  field::Mesh mesh;
  mesh.points = fixed_points_.size() > 0 ? fixed_points_ : positions(index);
  mesh.features.resize(mesh.points.rows(), std::ssize(features_));
  for (std::size_t f = 0; f < features_.size(); ++f) mesh.features.col(f) = part(features_[f], index);
  if (!data_.has('n')) {
    for (char letter : data_.place()) mesh.grid_shape.push_back(data_.extent(letter));
    mesh.grid_cell.resize(mesh.size());
    std::iota(mesh.grid_cell.begin(), mesh.grid_cell.end(), 0);
  }
  add_wall(mesh, index);
  return mesh;
}

}  // namespace fluidsplat::importing
