// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/index.h"
#include "field/dataset.h"
#include "model/model_file.h"

namespace fluidsplat::reconstruct {

// Where training had data, so that nothing is made up inside a body: a raster of nodes over the domain.
struct KnownRegion {
  Index points = 0;  // of the largest training mesh
  field::Box box;
  std::vector<Index> shape;         // nodes along x, y[, z]; empty: data everywhere
  std::vector<std::uint8_t> known;  // of each node, x turning fastest

  // Whether there are data at the node nearest to a place; any place when there is no raster.
  bool contains(const Eigen::RowVectorXf& place) const;
  // The same, or at one of the nodes around it, up to `nodes` away along each axis.
  bool is_near(const Eigen::RowVectorXf& place, Index nodes) const;
};

// From the meshes of a dataset's cases.  Those with more points than `large` are looked through in parts, on a coarser
// raster.
KnownRegion learn_region(const field::Dataset& dataset, const std::vector<Index>& cases, Index large = Index{1} << 22);

// As a block of the model file, and back; Errors name `where`.
constexpr const char* kRegionBlock = "region";
model::Block to_block(const KnownRegion& region);
KnownRegion region_from_block(const model::Block& block, Index dim, const std::string& where);

}  // namespace fluidsplat::reconstruct
