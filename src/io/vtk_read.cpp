// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <vtkXMLImageDataReader.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLRectilinearGridReader.h>
#include <vtkXMLStructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "base/error.h"
#include "io/vtk.h"
#include "io/vtk_blocks.h"
#include "io/vtk_convert.h"
#include "io/vtk_legacy.h"
#include "io/vtk_session.h"

namespace fluidsplat::io {
namespace {

class MeshReader {
 public:
  explicit MeshReader(const std::filesystem::path& path) : name_(path.string()), extension_(path.extension()) {}

  VtkMesh read() {
    check_vtk_blocks(name_);
    const VtkSession session;
    VtkMesh mesh;
    try {
      if (extension_ == ".vtu")
        read_with<vtkXMLUnstructuredGridReader>(session, mesh);
      else if (extension_ == ".vtp")
        read_with<vtkXMLPolyDataReader>(session, mesh);
      else if (extension_ == ".vti")
        read_with<vtkXMLImageDataReader>(session, mesh);
      else if (extension_ == ".vts")
        read_with<vtkXMLStructuredGridReader>(session, mesh);
      else if (extension_ == ".vtr")
        read_with<vtkXMLRectilinearGridReader>(session, mesh);
      else
        fail("{}: the extension '{}' is unknown; .vtu, .vtp, .vti, .vts, .vtr and .vtk are readable", name_,
             extension_);
    } catch (const std::bad_alloc&) {
      refuse("claims more data than fits in memory");
    } catch (const std::length_error&) {
      refuse("claims more data than fits in memory");
    }
    return mesh;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { fail("{}: not a readable VTK file: {}", name_, why); }

  template <class Reader>
  void read_with(const VtkSession& session, VtkMesh& mesh) {
    vtkNew<Reader> reader;
    reader->SetFileName(name_.c_str());
    reader->Update();
    const std::string error = session.first_error();
    if (!error.empty()) refuse(error);
    if (reader->GetErrorCode() != 0) refuse("it is damaged or cut short");
    mesh = convert_vtk(reader->GetOutputDataObject(0), name_);
  }

  std::string name_, extension_;
};

}  // namespace

VtkMesh read_vtk(const std::filesystem::path& path) {
  // VTK's own reader of the legacy format overruns memory on damaged files.
  if (path.extension() == ".vtk") return read_legacy_vtk(path);
  return MeshReader(path).read();
}

}  // namespace fluidsplat::io
