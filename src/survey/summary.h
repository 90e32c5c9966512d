// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "base/index.h"
#include "field/dataset_file.h"
#include "survey/length_scale.h"
#include "survey/pod.h"

namespace fluidsplat::survey {

struct ColumnSummary {
  field::Column column;
  double least = 0, most = 0, mean = 0, deviation = 0;
};

struct MeshSummary {
  Index index = 0, points = 0, cases = 0, surface = 0;
  std::vector<Index> grid_shape;
  double no_data_share = 0;  // of the grid's cells
  bool normals = false;      // of the wall
  std::optional<double> wall_area;
};

// The decay of the first channel's spectrum, where the data are on a grid.
struct SpectrumSummary {
  std::string channel;
  double slope = 0;       // energy ~ frequency^slope over the scales that the grid resolves
  double smoothness = 0;  // effective Sobolev smoothness
};

// What one wants to know of a dataset before training on it.
struct Summary {
  std::string file, title;
  field::Schema schema;
  field::Box domain;
  Index cases = 0, meshes = 0;
  double first_time = 0, last_time = 0;
  std::optional<double> time_step;  // when the times are equally spaced
  std::vector<MeshSummary> mesh;    // at most the first few
  Index points_least = 0, points_most = 0;
  Index examined = 0;  // cases that the columns were computed from
  std::vector<ColumnSummary> channels, descriptors;
  LengthScales lengths;
  std::optional<PodEnergy> pod;
  std::optional<SpectrumSummary> spectrum;
};

// Reads at most `max_cases` cases, evenly spread.
Summary summarize(const field::DatasetFile& dataset, Index max_cases = 500);

// For people and for programs.
std::string to_text(const Summary& summary);
nlohmann::json to_json(const Summary& summary);

}  // namespace fluidsplat::survey
