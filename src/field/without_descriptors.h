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

 private:
  const Dataset& dataset_;
  Schema schema_;
};

}  // namespace fluidsplat::field
