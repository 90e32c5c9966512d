// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "base/index.h"

namespace fluidsplat::sim {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct LinearSolution {
  Eigen::VectorXd x;
  Index iterations = 0;
  double residual = 0;  // |b - A x| / |b|, computed anew at the end
};

// Solves A x = b by GMRES without restarts: few steps are enough for integral equations of the second kind, whose
// matrices are a multiple of the identity and something compact.  Stops at a relative residual of `tolerance` or after
// `most` steps; the caller looks at the residual.  Rows are shared out to threads, sums are not: the bits do not depend
// on the number of threads.
LinearSolution gmres(const RowMatrix& a, const Eigen::VectorXd& b, double tolerance, Index most, int threads);

}  // namespace fluidsplat::sim
