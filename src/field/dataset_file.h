// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/index.h"
#include "field/dataset.h"
#include "field/mesh_register.h"
#include "field/split.h"

namespace fluidsplat::io {
class Hdf5File;
}

namespace fluidsplat::field {

// The Dataset container, one HDF5 file:
//
//   /                  attributes: format, version, schema (JSON), title, domain (JSON), notes (JSON, may be missing)
//   /meshes/<m>/       points [n, d], features [n, F], grid_cell [n], surface [s], normals [s, d],
//                      areas [s];
//                      attribute grid_shape (JSON)
//   /meshes/<m>/wall/  of a separate wall: points [s, d], features [s, F], normals [s, d], areas [s]
//   /fields/<m>        [frames of that mesh, n, C], float, in chunks of one frame and kChunkPoints points
//   /wall_fields/<m>   [frames of that mesh, s, C], the same on a separate wall
//   /cases/            mesh [T], row [T], time [T], descriptors [T, M], names (JSON as bytes),
//                      reference [T, 2 + d]: speed, density and direction of the free stream, zeros where unknown
//   /splits            splits that came with the data, by name (JSON as bytes: see split.h)
//
// What a dataset does not have, its file does not hold.
//
// A reader fetches one case at a time, so the file may be larger than memory.
class DatasetWriter {
 public:
  DatasetWriter(const std::filesystem::path& path, Schema schema, std::string title = "");
  ~DatasetWriter();
  // Meshes are written as they come.  One with the same contents as an earlier one is recognised and not stored again,
  // fastest when cases in a row share the pointer.  Of the meshes only the last is kept in memory.
  void add(const Case& c);
  Index mesh_count() const { return meshes_.size(); }
  // Before the first case: points in the order of curve_order(), so that points that a file keeps together are near
  // each other.
  void order_along_curve() { along_curve_ = true; }
  // Before the first case: how hard fields are compressed, 0 (not at all) to 9.
  void compress(int level) { compression_ = level; }
  void set_domain(Box box) { domain_ = std::move(box); }
  // What a reader of the data may want to know of how they were made, by name.
  void set_notes(std::map<std::string, std::string> notes) { notes_ = std::move(notes); }
  // By name; they may name cases that are added later.
  void set_splits(std::map<std::string, Split> splits) { splits_ = std::move(splits); }
  // Puts the finished file in place; without it nothing is left behind.
  void commit();

 private:
  Index mesh_index(const std::shared_ptr<const Mesh>& mesh);
  Case along_curve(const Case& c);

  std::string name_;
  std::unique_ptr<io::Hdf5File> file_;
  Schema schema_;
  Box domain_, extent_;  // as set; around all points
  std::map<std::string, std::string> notes_;
  std::map<std::string, Split> splits_;
  MeshRegister meshes_;
  std::shared_ptr<const Mesh> last_mesh_;
  Index last_number_ = 0;
  bool along_curve_ = false;
  int compression_ = 0;
  // With along_curve_: the last mesh as it came, in which order its points are written, and what was made of it.
  std::shared_ptr<const Mesh> unordered_, ordered_;
  std::vector<Index> order_;
  std::vector<Index> frames_on_mesh_, case_mesh_, case_row_;
  std::vector<double> case_time_;
  std::vector<float> case_descriptors_;
  std::vector<std::string> case_names_;
  std::vector<Reference> case_reference_;
};

class DatasetFile : public Dataset {
 public:
  explicit DatasetFile(const std::filesystem::path& path);
  ~DatasetFile() override;

  const Schema& schema() const override { return schema_; }
  Index size() const override { return std::ssize(case_mesh_); }
  Case load(Index index) const override;
  const std::string& case_name(Index index) const override { return case_names_.at(index); }
  const Reference& reference(Index index) const override { return case_reference_.at(index); }
  Index mesh_count() const override { return mesh_count_; }
  Index mesh_of(Index index) const override;
  std::shared_ptr<const Mesh> mesh(Index mesh_index) const override;
  Box domain() const override { return domain_; }
  std::vector<std::string> split_names() const override;
  Split named_split(const std::string& name) const override;
  const std::string& name() const override { return name_; }
  MeshOutline outline(Index mesh_index) const override;
  MeshPart points_in(Index mesh_index, Index first, Index count) const override;
  MeshPart points_at(Index mesh_index, std::span<const Index> places) const override;
  Matrix values_in(Index index, Index first, Index count) const override;
  Matrix values_at(Index index, std::span<const Index> places) const override;
  Case without_fields(Index index) const override;
  const std::string& title() const { return title_; }
  const std::map<std::string, std::string>& notes() const { return notes_; }
  double time_of(Index index) const { return case_time_.at(index); }

 private:
  // Tables of the mesh's points and of its separate wall's.
  struct Tables {
    std::string points, wall;
  };
  void read_schema();
  void read_cases();
  Matrix rows_at(const Tables& tables, Index frame, Index columns, Index points, std::span<const Index> places) const;

  std::string name_, title_;
  std::unique_ptr<io::Hdf5File> file_;
  Schema schema_;
  Box domain_;
  std::map<std::string, std::string> notes_;
  std::map<std::string, Split> splits_;
  Index mesh_count_ = 0;
  std::vector<Index> case_mesh_, case_row_;
  std::vector<double> case_time_;
  Matrix case_descriptors_;
  std::vector<std::string> case_names_;
  std::vector<Reference> case_reference_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<Index, std::weak_ptr<const Mesh>> meshes_;
  mutable std::unordered_map<Index, MeshOutline> outlines_;
  // One mesh for all cases is the common case: keep the last one alive.
  mutable std::shared_ptr<const Mesh> last_mesh_;
};

}  // namespace fluidsplat::field
