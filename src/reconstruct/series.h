// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <iosfwd>

#include "base/index.h"
#include "reconstruct/field_bands.h"
#include "reconstruct/field_model.h"
#include "reconstruct/pieces.h"
#include "reconstruct/target.h"

namespace fluidsplat::reconstruct {

// The target's shell filled with one instant: every channel by its name, the velocity as a vector when there is one,
// scaffold_<channel>, mass, vorticity, divergence, as far as they were computed, and <channel>_lower, _upper, _scale
// where there are bands.  Shell points without data are NaN.
io::VtkMesh fill(const Target& target, const Reconstruction& result, const FieldBands::Edges& edges,
                 const field::Schema& schema, const std::vector<Index>& velocity_channels);

// Reconstructed instants as files in a folder, one instant in memory at a time.
class SeriesWriter {
 public:
  virtual ~SeriesWriter() = default;
  // `edges` are empty where no bands were asked for.
  virtual void add(double time, const Target& target, const Reconstruction& result,
                   const FieldBands::Edges& edges = {}) = 0;
  // One piece of an instant of which more follow: see Pieces.  Writers that keep whole arrays have none.
  virtual void add_piece(double time, const Pieces& pieces, Index piece, const Target& target,
                         const Reconstruction& result, const FieldBands::Edges& edges);
  // After the last instant; returns the file to open.
  virtual std::filesystem::path finish() = 0;
};

// <folder>/<name>_0000.vti ... and <name>.pvd, which plays them.  Every instant may have a target of its own.  Files
// that an earlier, longer series has left there are removed.
std::unique_ptr<SeriesWriter> vtk_series(const std::filesystem::path& folder, const std::string& name,
                                         const FieldModel& model);

// <folder>/field.npy [times, ..., C], scaffold.npy, mass.npy, ..., lower.npy, upper.npy, scale.npy, and time.npy,
// points.npy [..., d]: one array for all instants, which must have one target.
std::unique_ptr<SeriesWriter> npy_series(const std::filesystem::path& folder, Index times);

// The same field.npy alone, as it is computed, to a pipe.
std::unique_ptr<SeriesWriter> npy_stream(std::ostream& out, Index times);

}  // namespace fluidsplat::reconstruct
