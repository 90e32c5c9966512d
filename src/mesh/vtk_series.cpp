// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/vtk_series.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/pvtu.h"
#include "mesh/shell.h"

namespace fluidsplat::mesh {

VtkSeries::VtkSeries(std::filesystem::path folder, std::string name)
    : folder_(std::move(folder)), unfinished_(folder_ / ("." + name + ".unfinished")), name_(std::move(name)) {
  std::filesystem::remove_all(unfinished_);  // what a killed process has left
}

VtkSeries::~VtkSeries() {
  std::error_code ignored;
  std::filesystem::remove_all(unfinished_, ignored);
}

void VtkSeries::add(double time, const std::string& stem, const io::VtkMesh& vtk) {
  const auto file = stem + extension_of(vtk);
  io::write_vtk(unfinished_ / file, vtk);
  entries_.push_back({time, file});
}

void VtkSeries::begin_pieces(double time, const std::string& stem,
                             const std::optional<std::array<std::int64_t, 3>>& dimensions) {
  stem_ = stem;
  dimensions_ = dimensions;
  pieces_.clear();
  entries_.push_back({time, stem + (dimensions ? ".pvti" : ".pvtu")});
}

void VtkSeries::add_piece(const io::VtkMesh& vtk) {
  const auto file = fmt::format("{}/{:05}{}", stem_, pieces_.size(), extension_of(vtk));
  io::write_vtk(unfinished_ / file, vtk);
  pieces_.push_back({vtk.first, vtk.dimensions, file});
  like_ = {};  // what the index needs to know, without the values
  like_.origin = vtk.origin;
  like_.spacing = vtk.spacing;
  like_.point_dtype = vtk.point_dtype;
  for (const auto& array : vtk.point_data) like_.point_data.push_back({array.name, array.components, {}, array.dtype});
}

void VtkSeries::end_pieces() {
  const auto index = unfinished_ / entries_.back().file;
  if (dimensions_) return io::write_pvti(index, *dimensions_, like_, pieces_);
  std::vector<std::string> files;
  for (const auto& piece : pieces_) files.push_back(piece.file);
  io::write_pvtu(index, like_, files);
}

// Files of this series' name and a number that it has not written: a longer one was here before.
void VtkSeries::remove_older() const {
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    const auto file = entry.path().filename().string(), stem = entry.path().stem().string();
    const auto extension = entry.path().extension();
    const bool folder = entry.is_directory() && extension.empty();
    if (!folder && extension != ".vti" && extension != ".vtu" && extension != ".vtp" && extension != ".pvti" &&
        extension != ".pvtu")
      continue;
    if (!stem.starts_with(name_ + "_")) continue;
    const auto number = stem.substr(name_.size() + 1);
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) continue;
    // The pieces' folder goes with their index.
    const auto is_named = [&](const io::PvdEntry& e) {
      return folder ? e.file == stem + ".pvti" || e.file == stem + ".pvtu" : e.file == file;
    };
    if (std::ranges::none_of(entries_, is_named)) std::filesystem::remove_all(entry.path());
  }
}

std::filesystem::path VtkSeries::finish() {
  if (std::none_of(entries_.begin(), entries_.end(), [](const auto& e) { return e.time != 0; }))
    for (Index i = 0; i < size(); ++i) entries_[i].time = double(i);
  const auto play = name_ + ".pvd";
  io::write_pvd(unfinished_ / play, entries_);
  // The .pvd goes first and comes last: it never plays instants of two series.
  std::filesystem::remove(folder_ / play);
  for (const auto& e : entries_) {
    const auto pieces = std::filesystem::path(e.file).stem();
    if (std::filesystem::is_directory(unfinished_ / pieces)) {
      std::filesystem::remove_all(folder_ / pieces);
      std::filesystem::rename(unfinished_ / pieces, folder_ / pieces);
    }
    std::filesystem::rename(unfinished_ / e.file, folder_ / e.file);
  }
  std::filesystem::rename(unfinished_ / play, folder_ / play);
  remove_older();
  return folder_ / play;
}

}  // namespace fluidsplat::mesh
