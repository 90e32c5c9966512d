// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/flat_cases.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "import/points_with_data.h"

namespace fluidsplat::importing {
namespace {

std::vector<double> positions_of(const field::Matrix& points) {
  std::vector<double> out;
  out.reserve(points.size());
  for (Index i = 0; i < points.rows(); ++i)
    for (Index a = 0; a < 3; ++a) out.push_back(points(i, a));
  return out;
}

field::Matrix without_column(const field::Matrix& from, Index column) {
  field::Matrix out(from.rows(), from.cols() - 1);
  out << from.leftCols(column), from.rightCols(from.cols() - column - 1);
  return out;
}

// The spread of a channel over the points that have a value.
double spread(const field::Matrix& values, Index column) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (Index i = 0; i < values.rows(); ++i)
    if (const double v = values(i, column); std::isfinite(v)) {
      low = std::min(low, v);
      high = std::max(high, v);
    }
  return high > low ? high - low : 0;
}

// The shape of a grid of two layers without the axis that tells them apart, or nothing when the rows are no layer.
std::vector<Index> one_layer_shape(const field::Mesh& full, const std::vector<Index>& rows) {
  const auto& shape = full.grid_shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] != 2) continue;
    const Index inner = std::accumulate(shape.begin() + Index(axis) + 1, shape.end(), Index{1}, std::multiplies<>());
    const auto layer = [&](Index row) { return full.grid_cell[row] / inner % 2; };
    if (std::any_of(rows.begin(), rows.end(), [&](Index row) { return layer(row) != layer(rows.front()); })) continue;
    auto out = shape;
    out.erase(out.begin() + Index(axis));
    return out;
  }
  return {};
}

class FlatCases : public CaseReader {
 public:
  explicit FlatCases(std::unique_ptr<CaseReader> reader) : reader_(std::move(reader)), schema_(reader_->schema()) {
    if (schema_.dim() != 3) return;
    const auto first = reader_->read(0);
    const auto flatness = flatness_of(first);
    across_ = flatness.across();
    if (!across_) return;
    schema_.coordinates.erase(schema_.coordinates.begin() + *across_);
    const char axis = "xyz"[*across_];
    notes_.push_back(flatness.rows.empty() ? fmt::format("flat along {}: read as 2-D", axis)
                                           : fmt::format("one layer of cells along {}: read as 2-D", axis));
    leave_out_across(first);
  }

  const field::Schema& schema() const override { return schema_; }
  Index size() const override { return reader_->size(); }
  std::string name(Index index) const override { return reader_->name(index); }
  double time(Index index) const override { return reader_->time(index); }
  field::Matrix descriptors(const std::vector<std::string>& names) override { return reader_->descriptors(names); }
  const std::vector<std::string>& notes() const override {
    all_notes_ = reader_->notes();
    all_notes_.insert(all_notes_.end(), notes_.begin(), notes_.end());
    return all_notes_;
  }

  field::Case read(Index index) override {
    auto c = reader_->read(index);
    if (!across_) return c;
    if (check_) {
      if (!check_->is_constant(c.fields)) refuse_varying(c.name, reader_->schema().channels[check_->column()].name);
      c.fields = without_column(c.fields, check_->column());
    }
    if (c.mesh != full_) {
      const auto flatness = flatness_of(c);
      if (flatness.across() != across_)
        fail("{}: extends along {}, the first case is flat there; import 2-D and 3-D cases apart", c.name,
             "xyz"[*across_]);
      full_ = c.mesh;
      flatness_ = flatness;
      flat_ = drop_axis(*full_);
    }
    c.mesh = flat_;
    if (!flatness_.rows.empty()) {
      if (planes_differ(c.fields, flatness_) > kPlanesAgree && !std::exchange(noted_planes_, true))
        notes_.push_back(planes_note(c.name));
      take_plane(c, flatness_);
    }
    return c;
  }

 private:
  void leave_out_across(const field::Case& first) {
    Index across = -1;
    std::vector<Index> siblings;
    for (Index c = 0; c < std::ssize(schema_.channels); ++c)
      for (int axis = 0; axis < 3; ++axis)
        if (is_component(schema_.channels[c].name, axis)) {
          if (axis == *across_)
            across = c;
          else
            siblings.push_back(c);
        }
    AcrossCheck check(across, siblings);
    if (across < 0 || siblings.empty() || !check.is_constant(first.fields)) return;
    check_ = check;
    notes_.push_back(across_note(schema_.channels[across].name));
    schema_.channels.erase(schema_.channels.begin() + across);
  }

  mesh::Flatness flatness_of(const field::Case& c) const {
    const auto positions = positions_of(c.mesh->points);
    auto out = mesh::flatness_of(positions);
    // Padding lies in no plane, and planes whose values differ are data in space.
    if (!out.rows.empty() && planes_differ(c.fields, out) > kPlanesAgree)
      return {mesh::extended_axes(positions), {}, {}};
    return out;
  }

  std::shared_ptr<const field::Mesh> drop_axis(const field::Mesh& full) const {
    auto out = std::make_shared<field::Mesh>(full);
    out->points = without_column(full.points, *across_);
    if (full.normals.size() > 0) out->normals = without_column(full.normals, *across_);
    if (std::ssize(full.grid_shape) == 3)
      if (const auto one = std::find(out->grid_shape.begin(), out->grid_shape.end(), 1); one != out->grid_shape.end())
        out->grid_shape.erase(one);
    return out;
  }

  std::unique_ptr<CaseReader> reader_;
  field::Schema schema_;
  std::optional<int> across_;
  std::optional<AcrossCheck> check_;  // of the channel that is left out
  std::vector<std::string> notes_;
  mutable std::vector<std::string> all_notes_;
  std::shared_ptr<const field::Mesh> full_, flat_;  // of the last case
  mesh::Flatness flatness_;
  bool noted_planes_ = false;
};

}  // namespace

std::unique_ptr<CaseReader> flatten(std::unique_ptr<CaseReader> reader) {
  return std::make_unique<FlatCases>(std::move(reader));
}

std::string across_note(const std::string& name) {
  return fmt::format("\"{}\" is constant and points out of the plane: left out", name);
}

std::string planes_note(const std::string& where) {
  return fmt::format("{}: the two planes of points, the same in the first case, differ here: one plane was taken",
                     where);
}

void refuse_varying(const std::string& where, const std::string& name) {
  fail(
      "{}: \"{}\" points out of the plane and varies, in the first case it is constant; channels = NAMES that give it "
      "a name of its own, such as swirl, keep it",
      where, name);
}

double planes_differ(const field::Matrix& fields, const mesh::Flatness& flatness) {
  double out = 0;
  for (Index c = 0; c < fields.cols(); ++c) {
    double largest = 0;
    for (std::size_t i = 0; i < flatness.rows.size(); ++i) {
      const double difference = std::abs(fields(flatness.rows[i], c) - fields(flatness.twins[i], c));
      if (std::isfinite(difference)) largest = std::max(largest, difference);
    }
    if (largest > 0) out = std::max(out, largest / spread(fields, c));
  }
  return out;
}

void take_plane(field::Case& c, const mesh::Flatness& flatness) {
  std::vector<bool> keep(c.mesh->size(), false);
  for (auto row : flatness.rows) keep[row] = true;
  const auto kept = keep_points(c.mesh, keep, false);
  auto mesh = std::make_shared<field::Mesh>(*kept.mesh);
  if (c.mesh->is_grid()) {
    mesh->grid_shape = one_layer_shape(*c.mesh, kept.rows);
    mesh->grid_cell.resize(mesh->grid_shape.empty() ? 0 : mesh->size());
    std::iota(mesh->grid_cell.begin(), mesh->grid_cell.end(), 0);
  }
  field::Matrix fields(std::ssize(kept.rows), c.fields.cols());
  for (Index i = 0; i < fields.rows(); ++i) fields.row(i) = c.fields.row(kept.rows[i]);
  c.fields = std::move(fields);
  c.mesh = std::move(mesh);
}

bool is_component(const std::string& name, int axis) {
  if (name == std::string(1, "uvw"[axis]) || name == std::string(1, "UVW"[axis])) return true;
  if (name.size() < 2) return false;
  const char last = name.back(), before = name[name.size() - 2];
  if (last == "xyz"[axis] || last == "XYZ"[axis]) return name.size() == 2 || before == '_' || before == ':';
  return last == "012"[axis] && (before == '_' || before == ':');
}

bool AcrossCheck::is_constant(const field::Matrix& fields) {
  for (auto c : siblings_) largest_ = std::max(largest_, spread(fields, c));
  return spread(fields, column_) <= 1e-6 * largest_;
}

}  // namespace fluidsplat::importing
