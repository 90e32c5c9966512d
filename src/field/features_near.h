// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"

namespace fluidsplat::field {

// The features of a mesh's place, its separate wall's included, that is nearest to each position [n, d]: [n, F].
Matrix features_near(const Mesh& mesh, const Matrix& positions);

}  // namespace fluidsplat::field
