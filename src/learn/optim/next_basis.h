// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/model/tensors.h"

namespace fluidsplat::learn {

// An orthonormal basis (columns) brought nearer to the eigenvectors of a symmetric positive matrix: one power step,
// then Gram-Schmidt in the given order of columns.  It is made a block of columns at a time, so that the work can be
// spread: columns begin .. end of `next` from the columns order[begin .. end] of `basis`; columns before `begin` are
// finished. Orthonormal to rounding whatever the matrix: directions that it maps to nothing stay.
void renew_columns(const torch::Tensor& matrix, const torch::Tensor& basis, const torch::Tensor& order, Index begin,
                   Index end, const torch::Tensor& next);

}  // namespace fluidsplat::learn
