// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"

namespace fluidsplat::field {

// Where a mesh's places are, [places, d]: its points, then those of a separate wall.
Matrix all_places(const Mesh& mesh);
// A case's fields there, [places, C].
Matrix fields_at_places(const Case& c);

}  // namespace fluidsplat::field
