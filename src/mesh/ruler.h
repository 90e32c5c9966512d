// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "base/index.h"
#include "field/case.h"

namespace fluidsplat::mesh {

// A coordinate whose values are evenly spaced.
struct Ruler {
  double first = 0, step = 1;
  Index count = 0;
  Index index(double x) const { return std::llround((x - first) / step); }
  double at(Index i) const { return first + step * double(i); }
};

// One ruler per coordinate when the points of a grid lie on an evenly spaced one, whatever cells have no point; else
// none.
std::vector<Ruler> find_rulers(const field::Mesh& mesh);

}  // namespace fluidsplat::mesh
