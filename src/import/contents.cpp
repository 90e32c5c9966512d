// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/contents.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>

#include "base/error.h"
#include "import/array_file.h"
#include "import/axes.h"
#include "import/hdf5_arrays.h"
#include "import/input_files.h"
#include "import/table_columns.h"
#include "import/vtk_frames.h"
#include "io/openfoam.h"
#include "io/text_numbers.h"
#include "mesh/vtk_points.h"

namespace fluidsplat::importing {
namespace {

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ","));
}

std::vector<std::string> list_arrays(const std::vector<io::VtkArray>& arrays, const char* where, Contents& out) {
  std::vector<std::string> names, shown;
  for (const auto& a : arrays) {
    names.push_back(a.name);
    shown.push_back(a.components == 1 ? a.name : fmt::format("{} ({} components)", a.name, a.components));
  }
  if (!names.empty()) out.lines.push_back(fmt::format("  on {}: {}", where, fmt::join(shown, ", ")));
  return names;
}

void describe_mesh(const io::VtkMesh& mesh, mesh::Site site, const std::string& label, Contents& out) {
  const auto flatness = mesh::flatness_of(mesh::positions_of(mesh, site, label));
  out.lines.push_back(fmt::format("{}: {} points, {} cells, {}", label, mesh.point_count(), mesh.cell_count(),
                                  flatness.across() ? "flat: 2-D" : "3-D"));
}

// Returns the names of the arrays that are suggested.
std::vector<std::string> look_at_vtk(VtkFrames& frames, Contents& out) {
  const auto mesh = frames.read(0).mesh;
  describe_mesh(mesh, frames.cells_only() ? mesh::Site::cells : mesh::Site::points, frames.label(0), out);
  const auto points = list_arrays(mesh.point_data, "points", out), cells = list_arrays(mesh.cell_data, "cells", out);
  const bool on_cells = points.empty() && !cells.empty();
  const auto& names = on_cells ? cells : points;
  if (!names.empty()) out.recipe.emplace_back("arrays", joined(names));
  if (on_cells && !frames.cells_only()) out.recipe.emplace_back("on", "cells");
  return names;
}

void look_at_openfoam(const std::filesystem::path& folder, Contents& out) {
  const io::FoamCase foam(folder);
  std::vector<std::string> patches;
  for (const auto& patch : foam.patches()) patches.push_back(fmt::format("{} ({})", patch.name, patch.type));
  out.lines.push_back(fmt::format("{}: an OpenFOAM case with {} times and the patches {}", folder.string(),
                                  foam.times().size(), fmt::join(patches, ", ")));
  const auto arrays = look_at_vtk(*openfoam_frames({}, folder), out);
  if (arrays.empty())
    fail("{}: time {:g} has no fields of the cells; a time that the solver has written is needed", folder.string(),
         foam.times().back());
  const auto has = [&](const char* name) { return std::ranges::find(arrays, name) != arrays.end(); };
  // What is known beforehand or follows from the others is not worth a channel.
  for (const char* pressure : {"p", "p_rgh"})
    if (has("U") && has(pressure)) {
      out.recipe.front().second = joined({"U", pressure});
      break;
    }
}

// The shape of an array, or nothing when it holds texts and the like.
std::vector<Index> shape_of(const ArrayFile& file, const std::string& name) {
  try {
    return file.array(name)->shape();
  } catch (const Error&) {
    return {};
  }
}

// Whether an array holds the places of points: a telling name, and two or three coordinates in its last axis.
bool is_positions(const ArrayFile& file, const std::string& name) {
  constexpr std::array kNames = {"points", "point",    "xyz",       "xy",       "coords", "coordinates", "coord",
                                 "pos",    "position", "positions", "vertices", "nodes",  "centers",     "centres"};
  auto last = name.substr(name.rfind('/') + 1);  // in HDF5 names are paths
  std::ranges::transform(last, last.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  const auto shape = shape_of(file, name);
  return std::ranges::find(kNames, last) != kNames.end() && (shape.size() == 2 || shape.size() == 3) &&
         (shape.back() == 2 || shape.back() == 3);
}

// The array with the places of the points that data of a shape (cases, points[, channels]) are given at; empty: none.
std::string positions_of(const ArrayFile& file, const std::vector<Index>& shape) {
  if (shape.size() != 2 && shape.size() != 3) return "";
  for (const auto& name : file.names())
    if (is_positions(file, name))
      if (const auto places = shape_of(file, name); places[places.size() - 2] == shape[1]) return name;
  return "";
}

// Lists under telling names, as long as an axis of the data, are its coordinates or times (`letters` says which are
// looked for): --x x --times t.
void suggest_coordinates(const ArrayFile& file, std::vector<Index> extents, const std::string& letters, Contents& out) {
  std::string taken;
  for (const auto& name : file.names()) {
    const char letter = axis_letter(name);
    if (letter == 0 || letters.find(letter) == std::string::npos || taken.find(letter) != std::string::npos) continue;
    const auto shape = shape_of(file, name);
    const auto axis = shape.size() == 1 ? std::find(extents.begin(), extents.end(), shape[0]) : extents.end();
    if (axis == extents.end()) continue;
    extents.erase(axis);
    taken += letter;
    out.recipe.emplace_back(letter == 't' ? "times" : std::string(1, letter), name);
  }
}

// A guess where a shape can be read in several ways: channels are few.
std::string likely_layout(const std::vector<Index>& shape, bool time_last) {
  constexpr Index kFew = 8;
  const auto rank = shape.size();
  if (rank < 2 || rank > 5) return "";
  if (time_last) {
    if (rank == 4) return shape[2] <= kFew ? "yxct" : shape[3] <= kFew ? "yxtc" : "yxzt";
    return rank == 2 ? "yx" : rank == 3 ? "yxt" : "";
  }
  const bool channels_last = shape.back() <= kFew;
  if (rank == 5) return channels_last ? "tzyxc" : "tczyx";
  if (rank == 4) return channels_last ? "tyxc" : shape[1] <= kFew ? "tcyx" : "tzyx";
  return rank == 3 ? "yxc" : "yx";
}

// The layout to write, where the import would ask for it.
void suggest_layout(const std::vector<Index>& shape, bool any_order, const std::string& name, Contents& out) {
  try {
    read_axes("", shape, {0, 0, any_order}, name);
  } catch (const Error&) {
    const auto layout = likely_layout(shape, any_order);
    if (layout.empty()) return;
    out.lines.push_back(fmt::format(
        "  the axes of {} can be read in several ways, {} is a guess (t case or time, z y x grid, c channel)", name,
        layout));
    out.recipe.emplace_back("layout", layout);
  }
}

void look_at_arrays(const std::filesystem::path& path, Contents& out) {
  const auto file = ArrayFile::open(path);
  out.lines.push_back(fmt::format("{}: {}", path.string(), contents(*file, path)));
  std::vector<std::string> largest;
  Index most = 0;
  for (const auto& name : file->data_names()) {
    const auto shape = shape_of(*file, name);
    if (shape.empty() || is_positions(*file, name)) continue;
    const auto count = io::checked_count(shape, name);
    if (count > most) largest.clear();
    if (count >= most && shape.size() > 1) largest.push_back(name);
    most = std::max(most, count);
  }
  if (path.extension() != ".npy" && !largest.empty()) out.recipe.emplace_back("arrays", joined(largest));
  if (largest.empty()) return;
  const auto axes = file->axes(largest.front());
  if (!axes.layout.empty()) out.lines.push_back(fmt::format("  its axes are {}, as the file says", axes.layout));
  if (!axes.layout.empty()) return;
  const auto shape = shape_of(*file, largest.front());
  if (const auto points = positions_of(*file, shape); !points.empty()) {
    out.recipe.emplace_back("points", points);
    suggest_coordinates(*file, {shape[0]}, "t", out);
    return;
  }
  if (shape.size() >= 3) suggest_coordinates(*file, shape, "txyz", out);  // fewer are points in a list
  suggest_layout(shape, file->any_order(largest.front()), largest.front(), out);
}

// Files of one array each whose names differ by more than their numbers (u.npy, v.npy) are channels of the same cases.
void look_at_channels(const std::vector<InputPath>& files, Contents& out) {
  std::set<std::string> kinds;
  std::vector<std::string> names;
  for (const auto& file : files) {
    if (file.path.extension() != ".npy") return;
    names.push_back(file.path.string());
    auto kind = file.path.stem().string();
    std::erase_if(kind, [](unsigned char c) { return std::isdigit(c); });
    if (!kinds.insert(kind).second) return;
  }
  if (names.size() < 2) return;
  out.lines.push_back(
      "  these are taken for channels of the same cases; without --arrays they are cases one after the other");
  out.recipe.emplace_back("arrays", joined(names));
}

void look_at_table(const std::filesystem::path& path, Contents& out) {
  const auto table = io::read_text_numbers(path);
  if (table.header.empty()) {
    out.lines.push_back(
        fmt::format("{}: {} rows of {} numbers, without names", path.string(), table.rows(), table.columns.size()));
    std::vector<std::string> names = {"x", "y", "u", "v", "p"};
    names.resize(std::min(names.size(), table.columns.size()));
    for (std::size_t i = names.size(); i < table.columns.size(); ++i) names.push_back(fmt::format("q{}", i - 4));
    out.recipe.emplace_back("columns", joined(names));
    return;
  }
  out.lines.push_back(
      fmt::format("{}: {} rows with the columns {}", path.string(), table.rows(), fmt::join(table.header, ", ")));
}

}  // namespace

Contents look_inside(const std::vector<std::string>& files) {
  const auto inputs = expand_inputs(files);
  Contents out;
  out.lines = inputs.notes;
  const auto& first = inputs.files.front().path;
  if (inputs.files.size() > 1)
    out.lines.push_back(fmt::format("{} files, {} to {}; the first holds:", inputs.files.size(),
                                    first.filename().string(), inputs.files.back().path.filename().string()));
  switch (inputs.kind) {
    case InputKind::arrays:
      look_at_arrays(first, out);
      look_at_channels(inputs.files, out);
      break;
    case InputKind::vtk:
      look_at_vtk(*vtk_file_frames({}, inputs.files), out);
      break;
    case InputKind::tables:
      look_at_table(first, out);
      break;
    case InputKind::openfoam:
      look_at_openfoam(first, out);
      break;
  }
  return out;
}

}  // namespace fluidsplat::importing
