// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// What the indices of VTK files in pieces (.pvti, .pvtu) have in common.
#pragma once

#include <fmt/format.h>

#include "io/vtk.h"
#include "io/xml_text.h"

namespace fluidsplat::io {

// As VTK's writers call the types of data that this program writes.
inline const char* vtk_type_name(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return "Float32";
    case DType::f64:
      return "Float64";
    default:
      return "Int64";
  }
}

inline std::string parallel_point_data(const VtkMesh& like) {
  std::string text = "    <PPointData>\n";
  for (const auto& array : like.point_data)
    text += fmt::format("      <PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n",
                        vtk_type_name(array.dtype), xml_escaped(array.name), array.components);
  return text + "    </PPointData>\n";
}

}  // namespace fluidsplat::io
