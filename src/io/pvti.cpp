// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/pvti.h"

#include "base/atomic_file.h"
#include "base/error.h"
#include "io/parallel_xml.h"

namespace fluidsplat::io {
namespace {

std::string extent(const std::array<std::int64_t, 3>& first, const std::array<std::int64_t, 3>& dimensions) {
  return fmt::format("{} {} {} {} {} {}", first[0], first[0] + dimensions[0] - 1, first[1],
                     first[1] + dimensions[1] - 1, first[2], first[2] + dimensions[2] - 1);
}

std::string three(const std::array<double, 3>& values) {
  return fmt::format("{} {} {}", values[0], values[1], values[2]);
}

}  // namespace

void write_pvti(const std::filesystem::path& path, const std::array<std::int64_t, 3>& dimensions, const VtkMesh& like,
                const std::vector<PvtiPiece>& pieces) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
      "compressor=\"vtkZLibDataCompressor\">\n"
      "  <PImageData WholeExtent=\"{}\" GhostLevel=\"0\" Origin=\"{}\" Spacing=\"{}\">\n",
      extent({0, 0, 0}, dimensions), three(like.origin), three(like.spacing));
  text += parallel_point_data(like);
  for (const auto& piece : pieces)
    text += fmt::format("    <Piece Extent=\"{}\" Source=\"{}\"/>\n", extent(piece.first, piece.dimensions),
                        xml_escaped(piece.file));
  write_file(path, text + "  </PImageData>\n</VTKFile>\n");
}

}  // namespace fluidsplat::io
