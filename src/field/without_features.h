// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <vector>

#include "field/dataset_view.h"

namespace fluidsplat::field {

// A dataset whose points tell where they are and nothing else, for models that do without features.  The dataset must
// outlive it.
class WithoutFeatures : public DatasetView {
 public:
  explicit WithoutFeatures(const Dataset& dataset);

  const Schema& schema() const override { return schema_; }
  Case load(Index index) const override;
  std::shared_ptr<const Mesh> mesh(Index mesh_index) const override;
  MeshPart points_in(Index mesh_index, Index first, Index count) const override;
  MeshPart points_at(Index mesh_index, std::span<const Index> places) const override;

 private:
  // The one copy of a mesh that is in use, as cases that share a mesh must.
  std::shared_ptr<const Mesh> bare(Index mesh_index, const Mesh& mesh) const;

  Schema schema_;
  mutable std::mutex mutex_;
  mutable std::vector<std::weak_ptr<const Mesh>> bare_;
};

}  // namespace fluidsplat::field
