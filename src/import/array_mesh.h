// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/index.h"
#include "field/case.h"
#include "field/faces.h"
#include "import/array_frames.h"
#include "import/recipe.h"

namespace fluidsplat::importing {

// Cases laid end to end along the points: case i has the points from offsets[i] up to offsets[i + 1].
std::vector<Index> read_offsets(const Recipe& recipe, const std::filesystem::path& file, const Axes& data);

// The points of the arrays of one file, with features and wall: on a grid, or where a points array says.
class ArrayMesh {
 public:
  ArrayMesh(const Recipe& recipe, const std::filesystem::path& file, const Axes& data, std::vector<Index> offsets);

  int dim() const { return dim_; }
  std::vector<std::string> coordinate_names() const;
  // Every case has points, features or a wall of its own.
  bool differs_by_case() const;
  // The faces read so far left a surface open: its normals may look the wrong way.
  bool surface_is_open() const { return open_; }
  field::Mesh read(Index index);

 private:
  void lay_out_grid(const std::filesystem::path& file);
  field::Matrix axis_positions(const std::filesystem::path& file, const std::string& reference, char letter, int axis);
  const std::string& reference_of(char letter) const;
  field::Matrix part(ArrayFrames& array, Index index) const;
  field::Matrix positions(Index index);
  void open_faces(const std::filesystem::path& file);
  field::Faces read_faces(const std::vector<double>& values) const;
  void add_wall(field::Mesh& mesh, Index index);

  const Recipe& recipe_;
  Axes data_;
  int dim_ = 0;
  std::vector<ArrayFrames> positions_;  // one with all coordinates, or one for each; none on a grid
  field::Matrix fixed_points_;          // where all cases have the same
  std::optional<ArrayFrames> surface_, normals_, areas_;
  std::vector<Index> surface_list_;
  std::optional<ArraySource> faces_;
  std::optional<field::Faces> fixed_faces_;  // where all cases have the same
  bool open_ = false;
  std::vector<ArrayFrames> features_;
  std::vector<Index> offsets_;
};

// How many points the arrays that give positions describe, 0 for a grid.
Index scattered_points(const Recipe& recipe, const std::filesystem::path& file);

}  // namespace fluidsplat::importing
