// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/index.h"
#include "model/matrix.h"
#include "model/model_file.h"
#include "model/scattered_interpolation.h"

namespace fluidsplat::model {

// A field that all cases share, for models that learn the deviation from it: the mean of the training cases, known at
// the points of their mesh, interpolated elsewhere.  Constant; any number of threads may ask.
class BaseField {
 public:
  // points [n, d] and values [n, C], in physical units; d is 2 or 3.
  BaseField(Matrix points, Matrix values);
  BaseField(const BaseField&) = delete;
  BaseField& operator=(const BaseField&) = delete;

  const Matrix& points() const { return points_; }
  const Matrix& values() const { return values_; }

  // At positions [count][d]: values [count][C] and, unless null, derivatives by position [count][C][d].  Allocates
  // nothing.
  void evaluate(const float* positions, Index count, float* values, float* derivatives = nullptr) const;
  // The values at a mesh's points; looked up, not searched for, when these are the field's own.
  Matrix at(const Matrix& points) const;

  // The block of a model file that keeps it.
  static constexpr const char* kBlock = "base_field";
  Block to_block() const;

 private:
  Matrix points_, values_;
  ScatteredInterpolation interpolation_;
};

// The base field of a model file, or null when it has none.  Throws Error, naming the file, for one that does not fit
// the model.
std::shared_ptr<const BaseField> read_base_field(const ModelFile& file);

}  // namespace fluidsplat::model
