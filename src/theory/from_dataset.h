// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/index.h"
#include "field/dataset.h"
#include "theory/grid.h"

namespace fluidsplat::theory {

// One channel of several cases on one mesh, as this folder sees fields.
struct DatasetFrames {
  Points points;              // [n, d]
  Matrix fields;              // [n, frames]
  std::optional<Grid> grid;   // when the mesh is a grid: the points are its valid pixels, in order
  std::vector<Index> row_of;  // of each point of the mesh
  bool in_time = false;       // the frames follow each other at equal steps
  std::string channel, unit;

  Matrix on_grid() const;  // [pixels, frames] with zeros outside the domain; needs a grid
};

// `channel`: a name, or "" for the first.  Cases on another mesh than the first one's are left out.
DatasetFrames load_frames(const field::Dataset& dataset, const std::string& channel, const std::vector<Index>& cases);

}  // namespace fluidsplat::theory
