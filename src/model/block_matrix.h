// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/matrix.h"
#include "model/model_file.h"

// Matrices in the blocks of a model file.
namespace fluidsplat::model {

io::Array to_array(const Matrix& matrix);
// Throws Error, naming `where`, unless the block holds it, as F32 in so many columns (-1: any number), with finite
// values only.  `what` is whose it is: "the base field".
Matrix matrix_of(const Block& block, const char* name, Index columns, const char* what, const std::string& where);

}  // namespace fluidsplat::model
