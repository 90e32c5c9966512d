// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/openfoam.h"

#include <vtkCompositeDataSet.h>
#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkInformation.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkOpenFOAMReader.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include "base/error.h"
#include "io/vtk_convert.h"
#include "io/vtk_session.h"

namespace fluidsplat::io {
namespace {

void collect(vtkMultiBlockDataSet& blocks, const std::string& name, VtkBlocks& out) {
  for (unsigned i = 0; i < blocks.GetNumberOfBlocks(); ++i) {
    auto* block = blocks.GetBlock(i);
    const auto* information = blocks.GetMetaData(i);
    const char* called =
        information ? const_cast<vtkInformation*>(information)->Get(vtkCompositeDataSet::NAME()) : nullptr;
    if (auto* inner = vtkMultiBlockDataSet::SafeDownCast(block))
      collect(*inner, name, out);
    else if (block)
      out.push_back({called ? called : "", convert_vtk(block, name)});
  }
}

}  // namespace

struct FoamCase::State {
  vtkSmartPointer<vtkOpenFOAMReader> reader;
};

FoamCase::FoamCase(const std::filesystem::path& folder) : name_(folder.string()), state_(std::make_unique<State>()) {
  const auto boundary = folder / "constant" / "polyMesh" / "boundary";
  if (!std::filesystem::exists(boundary))
    fail(
        "{}: has no constant/polyMesh/boundary; is the mesh made (blockMesh), and is it joined after a parallel run "
        "(reconstructPar)?",
        name_);
  if (!std::filesystem::exists(folder / "system" / "controlDict"))
    fail("{}: has no system/controlDict; the whole case folder is needed", name_);
  patches_ = read_foam_boundary(boundary);
  check_foam_mesh(boundary.parent_path(), patches_);
  const VtkSession session;
  state_->reader = vtkSmartPointer<vtkOpenFOAMReader>::New();
  auto& reader = *state_->reader;
  reader.SetFileName((folder / "case.foam").c_str());
  reader.SetCreateCellToPoint(0);
  reader.SetDecomposePolyhedra(0);
  reader.SetCacheMesh(1);
  reader.SetListTimeStepsByControlDict(0);
  reader.SetSkipZeroTime(false);
  reader.UpdateInformation();
  if (const auto error = session.first_error(); !error.empty()) fail("{}: cannot be read: {}", name_, error);
  if (auto* times = reader.GetTimeValues())
    for (vtkIdType i = 0; i < times->GetNumberOfTuples(); ++i) times_.push_back(times->GetValue(i));
  if (times_.empty()) fail("{}: has no folder of a time", name_);
  reader.EnableAllPatchArrays();
  reader.EnableAllCellArrays();
}

FoamCase::~FoamCase() = default;
FoamCase::FoamCase(FoamCase&&) noexcept = default;

VtkBlocks FoamCase::read(Index instant) const {
  const VtkSession session;
  auto& reader = *state_->reader;
  const double time = times_.at(std::size_t(instant));
  reader.UpdateTimeStep(time);
  if (const auto error = session.first_error(); !error.empty()) fail("{}: time {:g}: {}", name_, time, error);
  VtkBlocks out;
  try {
    collect(*reader.GetOutput(), fmt::format("{}, time {:g}", name_, time), out);
  } catch (const std::bad_alloc&) {
    fail("{}: time {:g}: claims more data than fits in memory", name_, time);
  }
  if (out.empty() || out.front().mesh.cell_count() == 0) fail("{}: time {:g}: has no cells", name_, time);
  return out;
}

}  // namespace fluidsplat::io
