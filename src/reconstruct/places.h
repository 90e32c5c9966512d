// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "field/dataset_file.h"
#include "reconstruct/pieces.h"
#include "reconstruct/reading_table.h"
#include "reconstruct/reconstruct_series.h"
#include "reconstruct/target.h"

namespace fluidsplat::reconstruct {

// Where the fields of a request are wanted and where its sensors are, row by row; rows of one mesh share a place.
class Places {
 public:
  // `note` is told once when points lie outside the domain of training.
  Places(const SeriesRequest& request, const FieldModel& model, std::function<void(const std::string&)> note);

  // Throws RequestError for a row whose place is not known.
  void check(const ReadingTable& table) const;
  void go_to(const ReadingTable& table, Index row);
  const Target& target() const { return target_; }
  const field::SensorLayout& sensors() const { return sensors_; }
  // Null unless the fields are wanted in pieces: on a grid so large, or on a mesh that comes so.  The target is then
  // the first of them.
  const Pieces* pieces() const { return pieces_.get(); }
  // Tells of points of a piece that the model only guesses at; once.
  void look_at(const Target& piece) { warn_of_guesses(*piece.mesh); }
  // The free stream there: what the request says, else what all cases of the dataset on this mesh have in common.
  const field::Reference& reference() const { return reference_; }
  // The same of descriptors; empty when they differ or there is no dataset.
  const field::Vector& descriptors() const { return descriptors_; }

 private:
  bool differ_by_row() const { return dataset_ && request_.mesh_number < 0; }
  Target target_without_dataset();
  void check_inside(const field::SensorLayout& sensors) const;
  field::SensorLayout sensors_on(const field::Mesh& mesh) const;
  void choose(Index number);
  void settle(Target target);
  void warn_of_guesses(const field::Mesh& mesh);
  void ask_cases(Index mesh);

  const SeriesRequest& request_;
  const FieldModel& model_;
  std::function<void(const std::string&)> note_;
  std::optional<field::DatasetFile> dataset_;
  Index number_ = -1;  // of the mesh, in the dataset
  bool warned_of_outside_ = false, warned_of_holes_ = false;
  Target target_;
  std::unique_ptr<const Pieces> pieces_;
  field::SensorLayout sensors_;
  field::Reference reference_;
  field::Vector descriptors_;
};

}  // namespace fluidsplat::reconstruct
