// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/vtk_multiblock.h"

#include <vtkXMLDataElement.h>
#include <vtkXMLUtilities.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "base/error.h"
#include "io/vtk_session.h"

namespace fluidsplat::io {
namespace {

struct Named {
  std::string name, file;
};

void collect(vtkXMLDataElement& element, std::vector<Named>& out) {
  for (int i = 0; i < element.GetNumberOfNestedElements(); ++i) {
    auto* nested = element.GetNestedElement(i);
    const char *file = nested->GetAttribute("file"), *name = nested->GetAttribute("name");
    if (file)
      out.push_back({name ? name : std::filesystem::path(file).stem().string(), file});
    else
      collect(*nested, out);
  }
}

void append_arrays(std::vector<VtkArray>& arrays, const std::vector<VtkArray>& more) {
  std::erase_if(arrays, [&](VtkArray& array) {
    const auto it = std::find_if(more.begin(), more.end(), [&](const VtkArray& other) {
      return other.name == array.name && other.components == array.components;
    });
    if (it == more.end()) return true;
    array.values.insert(array.values.end(), it->values.begin(), it->values.end());
    return false;
  });
}

}  // namespace

VtkBlocks read_vtm(const std::filesystem::path& path) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 28;
  const std::string text = read_file(path, kMaxBytes);
  std::vector<Named> files;
  {
    const VtkSession session;
    const auto root = vtkSmartPointer<vtkXMLDataElement>::Take(vtkXMLUtilities::ReadElementFromString(text.c_str()));
    if (!root) fail("{}: not a readable multi-block file", path.string());
    collect(*root, files);
  }
  if (files.empty()) fail("{}: names no files", path.string());
  VtkBlocks out;
  for (const auto& file : files) out.push_back({file.name, read_vtk(path.parent_path() / file.file)});
  return out;
}

void append(VtkMesh& mesh, const VtkMesh& more) {
  if (mesh.kind == VtkKind::image || more.kind == VtkKind::image)
    fail("blocks that are images cannot be put together with others");
  mesh.dimensions = {0, 0, 0};
  const auto points = mesh.point_count();
  if (mesh.offsets.empty()) mesh.offsets.push_back(0);
  const auto corners = std::ssize(mesh.connectivity);
  mesh.points.insert(mesh.points.end(), more.points.begin(), more.points.end());
  for (auto id : more.connectivity) mesh.connectivity.push_back(points + id);
  for (std::size_t c = 1; c < more.offsets.size(); ++c) mesh.offsets.push_back(corners + more.offsets[c]);
  mesh.cell_types.insert(mesh.cell_types.end(), more.cell_types.begin(), more.cell_types.end());
  append_arrays(mesh.point_data, more.point_data);
  append_arrays(mesh.cell_data, more.cell_data);
}

}  // namespace fluidsplat::io
