// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/index.h"
#include "field/case.h"
#include "model/normalization.h"

namespace fluidsplat::field {

using model::Box;
struct Split;

// Cases that share channels.  load() may read from disk and may be called from several threads.
class Dataset {
 public:
  virtual ~Dataset() = default;
  virtual const Schema& schema() const = 0;
  virtual Index size() const = 0;
  virtual Case load(Index index) const = 0;
  // Without reading its fields.  Names may be empty, and need not be unique.
  virtual const std::string& case_name(Index index) const = 0;
  virtual const Reference& reference(Index index) const = 0;
  virtual Index mesh_count() const = 0;
  // Which mesh a case lives on, and that mesh.
  virtual Index mesh_of(Index index) const = 0;
  virtual std::shared_ptr<const Mesh> mesh(Index mesh_index) const = 0;
  virtual Box domain() const = 0;
  // Splits that came with the data, such as a benchmark's own; asking for one that is not there is an Error.
  virtual std::vector<std::string> split_names() const { return {}; }
  virtual Split named_split(const std::string& name) const;
  // What messages call it.
  virtual const std::string& name() const = 0;
};

// Makes the box, which may be empty yet, hold the mesh's points too.
void enclose(Box& box, const Mesh& mesh);
// The smallest box around all points of all meshes.
Box bounding_box(const std::vector<std::shared_ptr<const Mesh>>& meshes);

// A Dataset held in memory.
class MemoryDataset : public Dataset {
 public:
  MemoryDataset(Schema schema, std::string name = "dataset in memory");
  // Cases that share a Mesh pointer share the mesh.  Checked on the way in.
  void add(Case c);
  void set_domain(Box box) { domain_ = std::move(box); }

  const Schema& schema() const override { return schema_; }
  Index size() const override { return std::ssize(cases_); }
  Case load(Index index) const override;
  const std::string& case_name(Index index) const override { return cases_.at(index).name; }
  const Reference& reference(Index index) const override { return cases_.at(index).reference; }
  Index mesh_count() const override { return std::ssize(meshes_); }
  Index mesh_of(Index index) const override;
  std::shared_ptr<const Mesh> mesh(Index mesh_index) const override;
  Box domain() const override { return domain_.low.empty() ? bounding_box(meshes_) : domain_; }
  const std::string& name() const override { return name_; }

 private:
  Schema schema_;
  std::string name_;
  std::vector<Case> cases_;
  std::vector<Index> mesh_of_;
  std::vector<std::shared_ptr<const Mesh>> meshes_;
  Box domain_;
};

}  // namespace fluidsplat::field
