// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/dataset_view.h"

namespace fluidsplat::field {

// What channels are called in units of the free stream's speed U: velocities "U", pressures "U^2".  The power of U that
// such a unit stands for; 0 for any other unit.
int free_stream_power(const std::string& unit);
// Whether any channel is in such units.
bool is_in_free_stream_units(const Schema& schema);

// Whether the units of any channel tell how it grows with the speed of flows that are alike: m/s, 1/s, m2/s2, Pa.
bool has_free_stream_units(const Schema& schema);
// The speed of a case's free stream; 0 when it is not known.
double free_stream_speed(const Schema& data, const Reference& reference, const Vector& descriptors);

// What the forces of a case are referred to when its fields are a model's with this schema.
Reference reference_in(const Schema& model, Reference reference);

// A dataset in units of each case's own free stream: velocities over its speed, pressures over the square of it.  Flows
// that differ in nothing but speed are then the same.  Which channel is which is told by the units; others stay as
// they are.  The speed is that of the case's reference or, where that knows none, a descriptor called "speed",
// "velocity", "Uinf" or the like.  A case's reference then has speed 1.  The dataset must outlive it.
class FreeStreamUnits : public DatasetView {
 public:
  // Throws Error when no channel has a unit to tell by, or a case no speed.
  explicit FreeStreamUnits(const Dataset& dataset);

  const Schema& schema() const override { return schema_; }
  Case load(Index index) const override;
  const Reference& reference(Index index) const override { return references_.at(std::size_t(index)); }
  Matrix values_in(Index index, Index first, Index count) const override;
  Matrix values_at(Index index, std::span<const Index> places) const override;
  Case without_fields(Index index) const override;

 private:
  Matrix in_units(Index index, Matrix values) const;

  Schema schema_;
  std::vector<Reference> references_;
};

// Between the units of a case and those of a model: nothing to do unless the model works in units of the free stream
// and the data do not.
class CaseUnits {
 public:
  // Throws Error when a speed is needed and not known; `where` is what the message calls the case.
  CaseUnits(const Schema& model, const Schema& data, const Case& c, const std::string& where);
  // What a channel's values in the model's units are multiplied by.
  float factor(Index channel) const { return factors_.size() > 0 ? factors_[channel] : 1; }
  // Values [n, C], NaN where there are none.
  void into_model(Matrix& values) const;
  void into_data(Matrix& values) const;

 private:
  Eigen::RowVectorXf factors_;  // what the model's values are times in the data; empty: the same
};

}  // namespace fluidsplat::field
