// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "import/array_source.h"
#include "import/case_reader.h"
#include "import/flat_cases.h"
#include "mesh/vtk_points.h"
#include "mesh/vtk_wall.h"
#include "mesh/wall_faces.h"
#include "mesh/wall_patches.h"

namespace fluidsplat::importing {
namespace {

class VtkCases : public CaseReader {
 public:
  VtkCases(const Recipe& recipe, std::unique_ptr<VtkFrames> frames) : recipe_(recipe), frames_(std::move(frames)) {
    refuse_array_settings();
    if (frames_->cells_only()) recipe_.on = "cells";
    notes_ = frames_->notes();
    const auto file = frames_->label(0);
    const auto first = frames_->read(0).mesh;
    flatness_ = flatness_of(first, file);
    axes_ = flatness_.axes;
    for (int a : axes_) schema_.coordinates.push_back({std::string(1, "xyz"[a]), recipe_.length_unit});
    choose_channels(first, file);
    for (const auto& name : recipe_.features)
      if (find(first, name, file).components != 1) fail("{}: the feature \"{}\" must have one component", file, name);
    schema_.features = make_columns(recipe_.features, recipe_.feature_units, "features");
    if (const auto across = flatness_.across())
      notes_.push_back(fmt::format("{}: {} along {}: read as 2-D", file,
                                   flatness_.rows.empty() ? "flat" : "one layer of cells", "xyz"[*across]));
    if (axes_.size() == 3 && recipe_.surface == "no-data" && !on_cells() &&
        mesh::polygons(first).size() == first.cell_count() && first.cell_count() > 0)
      notes_.push_back(fmt::format("{}: holds a surface and nothing else; if it is the wall, say surface = all", file));
    if (recipe_.surface_array.find(".np") != std::string::npos)
      wall_list_ = ArraySource::open({}, recipe_.surface_array).all();
    if (!recipe_.times.empty()) {
      auto source = ArraySource::open({}, recipe_.times);
      times_ = source.all();
      if (std::ssize(times_) != size()) fail("{}: {} times for {} files", source.label(), times_.size(), size());
    }
  }

  const field::Schema& schema() const override { return schema_; }
  Index size() const override { return frames_->size(); }
  std::string name(Index index) const override { return frames_->name(index); }
  double time(Index index) const override { return times_.empty() ? frames_->time(index) : times_[index]; }
  const std::vector<std::string>& notes() const override { return notes_; }

  field::Matrix descriptors(const std::vector<std::string>& names) override {
    fail("import: the descriptors {} of VTK files are read from a CSV; name it with cases", fmt::join(names, ", "));
  }

  field::Case read(Index index) override {
    const auto file = frames_->label(index);
    const auto frame = frames_->read(index);
    const auto& vtk = frame.mesh;
    if (vtk.points != last_points_ || vtk.kind == io::VtkKind::image) {
      flatness_ = flatness_of(vtk, file);
      last_points_ = vtk.points;
    }
    if (const auto other = mesh::axis_beside(flatness_, axes_))
      fail("{}: extends along {}, the first file is flat there; import 2-D and 3-D files apart", file, "xyz"[*other]);
    auto mesh = mesh::points_of(vtk, axes_, site(), file);
    mesh.features.resize(mesh.points.rows(), std::ssize(recipe_.features));
    for (std::size_t f = 0; f < recipe_.features.size(); ++f)
      copy(find(vtk, recipe_.features[f], file), 0, mesh.features, f);
    add_wall(vtk, file, mesh);
    if (frame.wall.cell_count() > 0) add_faces(frame, file, mesh);
    field::Case c;
    c.name = name(index);
    c.fields.resize(mesh.points.rows(), std::ssize(schema_.channels));
    Index column = 0;
    for (std::size_t a = 0; a < recipe_.arrays.size(); ++a) {
      const auto& array = find(vtk, recipe_.arrays[a], file);
      for (int component : components_[a]) {
        if (component >= array.components)
          fail("{}: \"{}\" has {} components, in {} it has more", file, array.name, array.components,
               frames_->label(0));
        copy(array, component, c.fields, column++);
      }
    }
    if (mesh.wall) fill_wall(frame.wall, file, c);
    c.mesh = std::make_shared<const field::Mesh>(std::move(mesh));
    for (auto& across : left_out_) across.refuse_if_varying(*this, vtk, file);
    blank_no_data(c.fields, recipe_.no_data);
    if (!recipe_.mask.empty()) {
      const auto& mask = find(vtk, recipe_.mask, file);
      for (Index i = 0; i < c.fields.rows(); ++i) {
        const double v = mask.values[i * mask.components];
        if (std::isnan(v) || (v == 0) != recipe_.mask_inverted)
          c.fields.row(i).setConstant(std::numeric_limits<float>::quiet_NaN());
      }
    }
    if (!flatness_.rows.empty()) {
      if (planes_differ(c.fields, flatness_) > kPlanesAgree && !std::exchange(noted_planes_, true))
        notes_.push_back(planes_note(file));
      take_plane(c, flatness_);
    }
    return c;
  }

 private:
  // A vector's component across flat data, left out as long as it is constant.
  struct LeftOut {
    std::string array, channel;
    AcrossCheck check;

    bool is_constant(const VtkCases& cases, const io::VtkMesh& vtk, const std::string& file) {
      const auto& vector = cases.find(vtk, array, file);
      field::Matrix values(std::ssize(vector.values) / 3, 3);
      for (Index a = 0; a < 3; ++a) copy(vector, int(a), values, a);
      blank_no_data(values, cases.recipe_.no_data);
      return check.is_constant(values);
    }
    void refuse_if_varying(const VtkCases& cases, const io::VtkMesh& vtk, const std::string& file) {
      if (!is_constant(cases, vtk, file)) refuse_varying(file, channel);
    }
  };

  bool on_cells() const { return recipe_.on == "cells"; }
  mesh::Site site() const { return on_cells() ? mesh::Site::cells : mesh::Site::points; }

  void refuse_array_settings() const {
    const auto refuse = [](bool given, const char* key) {
      if (given) fail("import: {} describes arrays of .npy and .npz; VTK files say it themselves", key);
    };
    refuse(!recipe_.layout.empty(), "layout");
    refuse(!recipe_.points.empty() || !recipe_.offsets.empty(), "points or offsets");
    refuse(!recipe_.x.empty() || !recipe_.y.empty() || !recipe_.z.empty(), "x, y, z");
    refuse(!recipe_.origin.empty() || !recipe_.spacing.empty(), "origin or spacing");
    refuse(!recipe_.faces.empty(), "faces");
    refuse(!recipe_.select.empty(), "select");
    refuse(recipe_.mask_channel >= 0, "mask_channel");
  }

  const io::VtkArray& find(const io::VtkMesh& mesh, const std::string& name, const std::string& file) const {
    const auto& data = on_cells() ? mesh.cell_data : mesh.point_data;
    const auto& other = on_cells() ? mesh.point_data : mesh.cell_data;
    const auto by_name = [&](const io::VtkArray& a) { return a.name == name; };
    if (const auto it = std::find_if(data.begin(), data.end(), by_name); it != data.end()) return *it;
    if (std::any_of(other.begin(), other.end(), by_name))
      fail("{}: \"{}\" is on {}; use on = {}", file, name, on_cells() ? "points" : "cells",
           on_cells() ? "points" : "cells");
    fail("{}: has no {} array \"{}\"; it has: {}", file, on_cells() ? "cell" : "point", name, names_of(data));
  }

  static std::string names_of(const std::vector<io::VtkArray>& data) {
    std::vector<std::string> names;
    for (const auto& a : data) names.push_back(a.name);
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
  }

  void choose_channels(const io::VtkMesh& first, const std::string& file) {
    const auto& data = on_cells() ? first.cell_data : first.point_data;
    if (recipe_.arrays.empty()) {
      if (data.size() != 1)
        fail("{}: say which arrays to read with arrays = NAMES; on points it has: {}; on cells (on = cells): {}", file,
             names_of(first.point_data), names_of(first.cell_data));
      recipe_.arrays = {data.front().name};
    }
    int vectors = 0;
    for (const auto& name : recipe_.arrays) vectors += find(first, name, file).components == 3;
    // With a name for each component all of them are kept.
    Index most = 0;
    for (const auto& name : recipe_.arrays) most += find(first, name, file).components;
    const bool keep_all = std::ssize(recipe_.channels) == most;
    std::vector<std::string> names;
    for (const auto& name : recipe_.arrays) {
      const auto& array = find(first, name, file);
      components_.emplace_back(array.components);
      std::iota(components_.back().begin(), components_.back().end(), 0);
      if (array.components == 3 && !keep_all) leave_out_across(first, file, name, vectors == 1);
      for (int a : components_.back())
        names.push_back(array.components == 1   ? name
                        : array.components == 3 ? component_name(name, a, vectors == 1)
                                                : fmt::format("{}_{}", name, a));
    }
    if (!recipe_.channels.empty()) {
      if (recipe_.channels.size() != names.size())
        fail("{}: {} channels are named, the arrays {} give {} ({})", file, recipe_.channels.size(),
             fmt::join(recipe_.arrays, ", "), names.size(), fmt::join(names, ", "));
      names = recipe_.channels;
    }
    schema_.channels = make_columns(names, recipe_.units, "channels");
  }

  static std::string component_name(const std::string& vector, int axis, bool only_one) {
    return only_one ? std::string(1, "uvw"[axis]) : fmt::format("{}_{}", vector, "xyz"[axis]);
  }

  // For the vector whose components were added last.
  void leave_out_across(const io::VtkMesh& first, const std::string& file, const std::string& name, bool only_one) {
    const auto across = flatness_.across();
    if (!across) return;
    LeftOut out{name, component_name(name, *across, only_one), AcrossCheck(*across, {axes_.begin(), axes_.end()})};
    if (!out.is_constant(*this, first, file)) return;
    components_.back() = axes_;
    notes_.push_back(across_note(out.channel));
    left_out_.push_back(std::move(out));
  }

  // Points in two planes are flat when the arrays that are read are equal in both.
  mesh::Flatness flatness_of(const io::VtkMesh& vtk, const std::string& file) const {
    const auto positions = mesh::positions_of(vtk, site(), file);
    auto out = mesh::flatness_of(positions);
    if (!out.rows.empty())
      for (const auto& array : on_cells() ? vtk.cell_data : vtk.point_data) {
        if (!recipe_.arrays.empty() &&
            std::find(recipe_.arrays.begin(), recipe_.arrays.end(), array.name) == recipe_.arrays.end())
          continue;
        field::Matrix values(std::ssize(positions) / 3, array.components);
        for (Index k = 0; k < values.cols(); ++k) copy(array, int(k), values, k);
        if (planes_differ(values, out) > kPlanesAgree) out = {mesh::extended_axes(positions), {}, {}};
        if (out.rows.empty()) break;
      }
    // The centres of a single row of cells lie on a line, the cells do not.
    if (out.axes.size() < 2 && on_cells())
      out.axes = mesh::extended_axes(mesh::positions_of(vtk, mesh::Site::points, file));
    mesh::check_extends(out, std::ssize(positions) / 3, file);
    return out;
  }

  static void copy(const io::VtkArray& from, int component, field::Matrix& to, Index column) {
    for (Index i = 0; i < to.rows(); ++i) to(i, column) = float(from.values[i * from.components + component]);
  }

  void add_wall(const io::VtkMesh& vtk, const std::string& file, field::Mesh& mesh) {
    if (recipe_.surface == "all") {
      mesh.surface.resize(mesh.size());
      std::iota(mesh.surface.begin(), mesh.surface.end(), 0);
    } else if (!wall_list_.empty()) {
      for (double v : wall_list_) {
        if (v != std::floor(v) || v < 0 || v >= double(mesh.size()))
          fail("{}: {} is not the number of a point of {}; they are 0 to {}", recipe_.surface_array, v, file,
               mesh.size() - 1);
        mesh.surface.push_back(Index(v));
      }
    } else if (recipe_.surface == "array") {
      const auto& on_wall = find(vtk, recipe_.surface_array, file);
      mesh::take_wall(mesh, on_wall);
      if (mesh.surface.empty()) fail("{}: \"{}\" is zero everywhere: no wall", file, on_wall.name);
    }
    if (mesh.surface.empty()) return;
    if (!recipe_.normals.empty()) {
      const auto& normals = find(vtk, recipe_.normals, file);
      if (normals.components != 3) fail("{}: the normals \"{}\" must have three components", file, normals.name);
      mesh::take_normals(mesh, normals, axes_);
    }
    if (!recipe_.areas.empty()) mesh::take_areas(mesh, find(vtk, recipe_.areas, file), file);
    if (mesh::add_patches(mesh, vtk, site()) || warned_of_open_wall_) return;
    warned_of_open_wall_ = true;
    notes_.push_back(open_surface_note(file));
  }

  // A wall with points and values of its own: the faces of patches.
  void add_faces(const VtkFrames::Frame& frame, const std::string& file, field::Mesh& mesh) const {
    if (!mesh.surface.empty()) fail("{}: give its wall as patches or as surface, not both", file);
    if (!recipe_.features.empty()) fail("{}: features of the wall's faces are not known; say surface = none", file);
    double depth = 1;
    if (const auto across = flatness_.across()) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t i = *across; i < frame.mesh.points.size(); i += 3) {
        low = std::min(low, frame.mesh.points[i]);
        high = std::max(high, frame.mesh.points[i]);
      }
      if (high > low) depth = high - low;
    }
    mesh.wall = mesh::wall_of_faces(frame.wall, axes_, depth, file);
  }

  void fill_wall(const io::VtkMesh& wall, const std::string& file, field::Case& c) const {
    c.wall_fields.resize(wall.cell_count(), std::ssize(schema_.channels));
    Index column = 0;
    for (std::size_t a = 0; a < recipe_.arrays.size(); ++a) {
      const auto it = std::find_if(wall.cell_data.begin(), wall.cell_data.end(),
                                   [&](const io::VtkArray& array) { return array.name == recipe_.arrays[a]; });
      if (it == wall.cell_data.end())
        fail("{}: the faces of its wall have no \"{}\"; surface = none imports it without a wall", file,
             recipe_.arrays[a]);
      for (int component : components_[a]) copy(*it, std::min(component, it->components - 1), c.wall_fields, column++);
    }
  }

  Recipe recipe_;
  std::unique_ptr<VtkFrames> frames_;
  std::vector<int> axes_;
  mesh::Flatness flatness_;                   // of the last file
  std::vector<double> last_points_;           // that it was found out from
  std::vector<std::vector<int>> components_;  // of each array
  std::vector<LeftOut> left_out_;
  field::Schema schema_;
  std::vector<double> times_, wall_list_;  // wall_list_: numbers of the points on the wall
  std::vector<std::string> notes_;
  bool warned_of_open_wall_ = false, noted_planes_ = false;
};

}  // namespace

std::unique_ptr<CaseReader> read_vtk_series(const Recipe& recipe, std::unique_ptr<VtkFrames> frames) {
  return std::make_unique<VtkCases>(recipe, std::move(frames));
}

}  // namespace fluidsplat::importing
