// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/export_cases.h"

#include <algorithm>

#include "base/error.h"
#include "mesh/point_data.h"
#include "mesh/vtk_series.h"

namespace fluidsplat::mesh {

ExportReport export_cases(const field::Dataset& dataset, Index first, Index count, const std::filesystem::path& folder,
                          const ExportHooks& hooks) {
  const auto end = count > 0 ? std::min(dataset.size(), first + count) : dataset.size();
  if (first < 0 || first >= end)
    fail("{}: there is no case {}, the cases are 0 to {}", dataset.name(), first, dataset.size() - 1);
  std::filesystem::create_directories(folder);
  VtkSeries series(folder, "cases");
  std::shared_ptr<const field::Mesh> shown;
  Shell shell;
  for (auto index = first; index < end && !(hooks.interrupted && hooks.interrupted()); ++index) {
    const auto c = dataset.load(index);
    if (c.mesh != shown) {
      shown = c.mesh;
      shell = shell_of(*shown);
    }
    auto vtk = shell.geometry;
    add_channels(vtk, shell, dataset.schema(), c.fields);
    add_mesh_data(vtk, shell, dataset.schema(), *shown);
    series.add(c.time, fmt::format("case_{:05}", index), vtk);
    if (hooks.progress) hooks.progress(series.size(), end - first);
  }
  return {series.size(), series.finish()};
}

}  // namespace fluidsplat::mesh
