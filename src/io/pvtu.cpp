// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/pvtu.h"

#include <vtkXMLDataElement.h>
#include <vtkXMLUtilities.h>

#include <cstring>

#include "base/atomic_file.h"
#include "base/error.h"
#include "io/parallel_xml.h"
#include "io/vtk_session.h"

namespace fluidsplat::io {

void write_pvtu(const std::filesystem::path& path, const VtkMesh& like, const std::vector<std::string>& files) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
      "compressor=\"vtkZLibDataCompressor\">\n"
      "  <PUnstructuredGrid GhostLevel=\"0\">\n" +
      parallel_point_data(like) +
      fmt::format(
          "    <PPoints>\n      <PDataArray type=\"{}\" Name=\"Points\" NumberOfComponents=\"3\"/>\n    </PPoints>\n",
          vtk_type_name(like.point_dtype));
  for (const auto& file : files) text += fmt::format("    <Piece Source=\"{}\"/>\n", xml_escaped(file));
  write_file(path, text + "  </PUnstructuredGrid>\n</VTKFile>\n");
}

std::vector<std::string> read_pvtu(const std::filesystem::path& path) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 28;
  const std::string text = read_file(path, kMaxBytes);
  const VtkSession session;
  const auto root = vtkSmartPointer<vtkXMLDataElement>::Take(vtkXMLUtilities::ReadElementFromString(text.c_str()));
  vtkXMLDataElement* grid = root ? root->FindNestedElementWithName("PUnstructuredGrid") : nullptr;
  if (!grid) fail("{}: not a readable pvtu file; a <PUnstructuredGrid> of <Piece> was expected", path.string());
  std::vector<std::string> files;
  for (int i = 0; i < grid->GetNumberOfNestedElements(); ++i) {
    vtkXMLDataElement* element = grid->GetNestedElement(i);
    if (std::strcmp(element->GetName(), "Piece") != 0) continue;
    const char* source = element->GetAttribute("Source");
    if (!source) fail("{}: piece number {} has no 'Source'", path.string(), files.size() + 1);
    files.emplace_back(source);
  }
  if (files.empty()) fail("{}: has no pieces", path.string());
  return files;
}

}  // namespace fluidsplat::io
