// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/vtk_series.h"

#include <algorithm>

#include "mesh/shell.h"

namespace fluidsplat::mesh {

VtkSeries::VtkSeries(std::filesystem::path folder, std::string name)
    : folder_(std::move(folder)), name_(std::move(name)) {}

void VtkSeries::add(double time, const std::string& stem, const io::VtkMesh& vtk) {
  const auto file = stem + extension_of(vtk);
  io::write_vtk(folder_ / file, vtk);
  entries_.push_back({time, file});
}

std::filesystem::path VtkSeries::finish() {
  if (std::none_of(entries_.begin(), entries_.end(), [](const auto& e) { return e.time != 0; }))
    for (Index i = 0; i < size(); ++i) entries_[i].time = double(i);
  const auto path = folder_ / (name_ + ".pvd");
  io::write_pvd(path, entries_);
  return path;
}

}  // namespace fluidsplat::mesh
