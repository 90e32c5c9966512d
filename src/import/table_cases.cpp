// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/config.h"
#include "base/error.h"
#include "import/array_source.h"
#include "import/case_reader.h"
#include "import/table_columns.h"

namespace fluidsplat::importing {
namespace {

// One text file per case, one row per point.
class TableCases : public CaseReader {
 public:
  TableCases(const Recipe& recipe, const std::vector<InputPath>& files) : recipe_(recipe), files_(files) {
    refuse_settings();
    const auto first = read_table(files_.front().path, recipe_.columns);
    coordinates_ = coordinate_columns(first, {recipe_.x, recipe_.y, recipe_.z});
    for (std::size_t a = 0; a < coordinates_.size(); ++a)
      schema_.coordinates.push_back({std::string(1, "xyz"[a]), recipe_.length_unit});
    const auto taken = recipe_.arrays.empty() ? other_columns(first) : recipe_.arrays;
    if (taken.empty())
      fail("{}: holds positions only ({}); one column more for each quantity is needed", first.source,
           fmt::join(first.header, ", "));
    for (const auto& name : taken) first.column(name);
    if (!recipe_.channels.empty() && recipe_.channels.size() != taken.size())
      fail("{}: {} channels are named, the columns {} are {}", first.source, recipe_.channels.size(),
           fmt::join(taken, ", "), taken.size());
    arrays_ = taken;
    schema_.channels = make_columns(recipe_.channels.empty() ? taken : recipe_.channels, recipe_.units, "channels");
    schema_.features = make_columns(recipe_.features, recipe_.feature_units, "features");
    notes_.push_back(fmt::format("{}: {} rows; positions {}, channels {}", first.source, first.rows(),
                                 fmt::join(coordinates_, " "), fmt::join(taken, " ")));
    for (const auto& file : files_) times_.push_back(file.time);
    if (!recipe_.times.empty()) {
      auto source = ArraySource::open({}, recipe_.times);
      times_ = source.all();
      if (std::ssize(times_) != size()) fail("{}: {} times for {} files", source.label(), times_.size(), size());
    } else if (const auto time = time_column(first); !time.empty()) {
      for (Index i = 0; i < size(); ++i) times_[i] = time_of(i, time);
    }
  }

  const field::Schema& schema() const override { return schema_; }
  Index size() const override { return std::ssize(files_); }
  std::string name(Index index) const override { return files_[index].path.stem().string(); }
  double time(Index index) const override { return times_[index]; }
  const std::vector<std::string>& notes() const override { return notes_; }
  field::Matrix descriptors(const std::vector<std::string>& names) override {
    fail("import: the descriptors {} of tables are read from a CSV; name it with cases", fmt::join(names, ", "));
  }

  field::Case read(Index index) override {
    const auto table = read_table(files_[index].path, recipe_.columns);
    field::Mesh mesh;
    fill(mesh.points, table, coordinates_);
    fill(mesh.features, table, recipe_.features);
    if (recipe_.surface == "all") {
      mesh.surface.resize(mesh.size());
      std::iota(mesh.surface.begin(), mesh.surface.end(), 0);
    } else if (recipe_.surface == "array") {
      const auto& on_wall = table.column(recipe_.surface_array);
      for (Index i = 0; i < mesh.size(); ++i)
        if (on_wall[i] != 0 && !std::isnan(on_wall[i])) mesh.surface.push_back(i);
    }
    field::Case c;
    c.name = name(index);
    fill(c.fields, table, arrays_);
    c.mesh = std::make_shared<const field::Mesh>(std::move(mesh));
    blank_no_data(c.fields, recipe_.no_data);
    if (!recipe_.mask.empty()) {
      const auto& mask = table.column(recipe_.mask);
      for (Index i = 0; i < c.fields.rows(); ++i)
        if (std::isnan(mask[i]) || (mask[i] == 0) != recipe_.mask_inverted)
          c.fields.row(i).setConstant(std::numeric_limits<float>::quiet_NaN());
    }
    return c;
  }

 private:
  void refuse_settings() const {
    const auto refuse = [](bool given, const char* key) {
      if (given) fail("import: {} describes other files than tables with a row per point", key);
    };
    refuse(!recipe_.layout.empty(), "layout");
    refuse(!recipe_.points.empty() || !recipe_.offsets.empty(), "points or offsets");
    refuse(!recipe_.origin.empty() || !recipe_.spacing.empty(), "origin or spacing");
    refuse(!recipe_.faces.empty() || !recipe_.normals.empty() || !recipe_.areas.empty(), "faces, normals or areas");
    refuse(!recipe_.select.empty(), "select");
    refuse(recipe_.mask_channel >= 0, "mask_channel");
    refuse(recipe_.on == "cells", "on = cells");
  }

  // Columns that are neither a position, nor the time, nor used otherwise.
  std::vector<std::string> other_columns(const io::Table& table) const {
    std::vector<std::string> out;
    for (const auto& name : table.header) {
      const auto used = [&](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), name) != names.end();
      };
      if (!used(coordinates_) && !used(recipe_.features) && name != recipe_.mask && name != recipe_.surface_array &&
          name != time_column(table) && !is_row_number(name))
        out.push_back(name);
    }
    return out;
  }

  double time_of(Index index, const std::string& column) const {
    const auto table = read_table(files_[index].path, recipe_.columns);
    const auto& times = table.column(column);
    if (std::any_of(times.begin(), times.end(), [&](double t) { return t != times.front(); }))
      fail("{}: its column \"{}\" changes from row to row; a file per instant is needed", table.source, column);
    return times.front();
  }

  static void fill(field::Matrix& out, const io::Table& table, const std::vector<std::string>& columns) {
    out.resize(Index(table.rows()), std::ssize(columns));
    for (Index c = 0; c < out.cols(); ++c) {
      const auto& values = table.column(columns[c]);
      for (Index i = 0; i < out.rows(); ++i) out(i, c) = float(values[i]);
    }
  }

  Recipe recipe_;
  std::vector<InputPath> files_;
  std::vector<std::string> coordinates_, arrays_;
  field::Schema schema_;
  std::vector<double> times_;
  std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<CaseReader> read_tables(const Recipe& recipe, const std::vector<InputPath>& files) {
  return std::make_unique<TableCases>(recipe, files);
}

}  // namespace fluidsplat::importing
