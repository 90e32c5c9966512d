// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/pvd.h"

#include <vtkXMLDataElement.h>
#include <vtkXMLUtilities.h>

#include <cstring>

#include "base/atomic_file.h"
#include "base/error.h"
#include "io/vtk_session.h"
#include "io/xml_text.h"

namespace fluidsplat::io {

void write_pvd(const std::filesystem::path& path, const std::vector<PvdEntry>& entries) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const PvdEntry& entry : entries)
    text += fmt::format("    <DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n", entry.time,
                        xml_escaped(entry.file));
  write_file(path, text + "  </Collection>\n</VTKFile>\n");
}

std::vector<PvdEntry> read_pvd(const std::filesystem::path& path) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 28;
  const std::string text = read_file(path, kMaxBytes);
  const VtkSession session;
  const auto root = vtkSmartPointer<vtkXMLDataElement>::Take(vtkXMLUtilities::ReadElementFromString(text.c_str()));
  vtkXMLDataElement* collection = root ? root->FindNestedElementWithName("Collection") : nullptr;
  if (!collection) fail("{}: not a readable pvd file; a <Collection> of <DataSet> was expected", path.string());
  std::vector<PvdEntry> entries;
  for (int i = 0; i < collection->GetNumberOfNestedElements(); ++i) {
    vtkXMLDataElement* element = collection->GetNestedElement(i);
    if (std::strcmp(element->GetName(), "DataSet") != 0) continue;
    PvdEntry entry;
    const char* file = element->GetAttribute("file");
    if (!file || !element->GetScalarAttribute("timestep", entry.time))
      fail("{}: DataSet number {} needs 'timestep' and 'file'", path.string(), i + 1);
    entry.file = file;
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace fluidsplat::io
