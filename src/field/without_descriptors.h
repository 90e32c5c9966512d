// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/dataset.h"
#include "field/split.h"

namespace fluidsplat::field {

// A dataset whose cases do not tell what describes them, for models that must find that out by their sensors.  The
// dataset must outlive it.
class WithoutDescriptors : public Dataset {
 public:
  explicit WithoutDescriptors(const Dataset& dataset) : dataset_(dataset), schema_(dataset.schema()) {
    schema_.descriptors.clear();
  }

  const Schema& schema() const override { return schema_; }
  Index size() const override { return dataset_.size(); }
  Case load(Index index) const override {
    auto c = dataset_.load(index);
    c.descriptors.resize(0);
    return c;
  }
  const std::string& case_name(Index index) const override { return dataset_.case_name(index); }
  const Reference& reference(Index index) const override { return dataset_.reference(index); }
  Index mesh_count() const override { return dataset_.mesh_count(); }
  Index mesh_of(Index index) const override { return dataset_.mesh_of(index); }
  std::shared_ptr<const Mesh> mesh(Index mesh_index) const override { return dataset_.mesh(mesh_index); }
  Box domain() const override { return dataset_.domain(); }
  std::vector<std::string> split_names() const override { return dataset_.split_names(); }
  Split named_split(const std::string& name) const override { return dataset_.named_split(name); }
  const std::string& name() const override { return dataset_.name(); }
  MeshOutline outline(Index mesh_index) const override { return dataset_.outline(mesh_index); }
  MeshPart points_in(Index mesh_index, Index first, Index count) const override {
    return dataset_.points_in(mesh_index, first, count);
  }
  MeshPart points_at(Index mesh_index, std::span<const Index> places) const override {
    return dataset_.points_at(mesh_index, places);
  }
  Matrix values_in(Index index, Index first, Index count) const override {
    return dataset_.values_in(index, first, count);
  }
  Matrix values_at(Index index, std::span<const Index> places) const override {
    return dataset_.values_at(index, places);
  }
  Case without_fields(Index index) const override {
    auto c = dataset_.without_fields(index);
    c.descriptors.resize(0);
    return c;
  }

 private:
  const Dataset& dataset_;
  Schema schema_;
};

}  // namespace fluidsplat::field
