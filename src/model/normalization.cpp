// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/normalization.h"

namespace fluidsplat::model {

void Scaling::normalize(Eigen::Ref<Matrix> values) const {
  for (Index c = 0; c < values.cols(); ++c) values.col(c) = (values.col(c).array() - mean[c]) / scale[c];
}

void Scaling::restore(Eigen::Ref<Matrix> values) const {
  for (Index c = 0; c < values.cols(); ++c) values.col(c) = values.col(c).array() * scale[c] + mean[c];
}

Matrix Normalization::positions(const Matrix& physical) const {
  Matrix out(physical.rows(), physical.cols());
  for (Index i = 0; i < out.rows(); ++i)
    for (Index a = 0; a < out.cols(); ++a) out(i, a) = position(a, physical(i, a));
  return out;
}

}  // namespace fluidsplat::model
