// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/dataset.h"
#include "field/split.h"

namespace fluidsplat::field {

// Another dataset seen through it: what a view does not change is passed on.  The dataset must outlive it.
class DatasetView : public Dataset {
 public:
  explicit DatasetView(const Dataset& dataset) : inner_(dataset) {}

  const Schema& schema() const override { return inner_.schema(); }
  Index size() const override { return inner_.size(); }
  Case load(Index index) const override { return inner_.load(index); }
  const std::string& case_name(Index index) const override { return inner_.case_name(index); }
  const Reference& reference(Index index) const override { return inner_.reference(index); }
  Index mesh_count() const override { return inner_.mesh_count(); }
  Index mesh_of(Index index) const override { return inner_.mesh_of(index); }
  std::shared_ptr<const Mesh> mesh(Index mesh_index) const override { return inner_.mesh(mesh_index); }
  Box domain() const override { return inner_.domain(); }
  std::vector<std::string> split_names() const override { return inner_.split_names(); }
  Split named_split(const std::string& name) const override { return inner_.named_split(name); }
  const std::string& name() const override { return inner_.name(); }
  MeshOutline outline(Index mesh_index) const override { return inner_.outline(mesh_index); }
  MeshPart points_in(Index mesh_index, Index first, Index count) const override {
    return inner_.points_in(mesh_index, first, count);
  }
  MeshPart points_at(Index mesh_index, std::span<const Index> places) const override {
    return inner_.points_at(mesh_index, places);
  }
  Matrix values_in(Index index, Index first, Index count) const override {
    return inner_.values_in(index, first, count);
  }
  Matrix values_at(Index index, std::span<const Index> places) const override {
    return inner_.values_at(index, places);
  }
  Case without_fields(Index index) const override { return inner_.without_fields(index); }

 protected:
  const Dataset& inner() const { return inner_; }

 private:
  const Dataset& inner_;
};

}  // namespace fluidsplat::field
