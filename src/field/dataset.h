// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/index.h"
#include "field/case.h"
#include "model/normalization.h"

namespace fluidsplat::field {

using model::Box;
struct Split;

// What is known of a mesh without reading it.
struct MeshOutline {
  Index points = 0, wall_points = 0;  // of the wall: those of a separate one
  std::vector<Index> grid_shape;
  std::size_t bytes = 0;  // that the mesh takes in memory

  Index places() const { return points + wall_points; }
};

// Some points of a mesh.
struct MeshPart {
  Matrix positions, features;
  std::vector<Index> cells;  // of a grid, see Mesh::grid_cell
};

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

  // Parts, so that cases and meshes may be larger than memory.  Unless a dataset can do better, they are cut from what
  // load() and mesh() give.
  virtual MeshOutline outline(Index mesh_index) const;
  // The mesh's points from `first` on; those of a separate wall are not among them.
  virtual MeshPart points_in(Index mesh_index, Index first, Index count) const;
  // Given places (Mesh::position), without their cells.
  virtual MeshPart points_at(Index mesh_index, std::span<const Index> places) const;
  // A case's values there, [count, C].
  virtual Matrix values_in(Index index, Index first, Index count) const;
  virtual Matrix values_at(Index index, std::span<const Index> places) const;
  // What is known of a case beside its values: name, time, descriptors, reference.
  virtual Case without_fields(Index index) const;
};

// How many points a dataset file keeps together: reading one of them from disk costs as much as all.
constexpr Index kChunkPoints = Index{1} << 15;

// Goes through the points of a mesh in parts that are small against memory, always the same ones.
void in_parts(Index points, const std::function<void(Index first, Index count)>& visit);

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
  Matrix values_in(Index index, Index first, Index count) const override;
  Matrix values_at(Index index, std::span<const Index> places) const override;
  Case without_fields(Index index) const override;

 private:
  Schema schema_;
  std::string name_;
  std::vector<Case> cases_;
  std::vector<Index> mesh_of_;
  std::vector<std::shared_ptr<const Mesh>> meshes_;
  Box domain_;
};

}  // namespace fluidsplat::field
