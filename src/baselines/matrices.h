// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include <Eigen/Dense>

#include "model/matrix.h"

// Between Eigen, which solves, and libtorch, which keeps.  Both ways copy.
namespace fluidsplat::baselines {

inline torch::Tensor to_tensor(const model::Matrix& m) {
  return torch::from_blob(const_cast<float*>(m.data()), {m.rows(), m.cols()}).clone();
}

// Of a tensor of floats, [n, m].
inline Eigen::MatrixXd to_matrix(const torch::Tensor& t) {
  const auto rows = t.contiguous();
  return Eigen::Map<const model::Matrix>(rows.data_ptr<float>(), rows.size(0), rows.size(1)).cast<double>();
}

}  // namespace fluidsplat::baselines
