// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "field/dataset.h"

namespace fluidsplat::field {

// A ContentHash of what can be learnt from and judged by: names, meshes, fields, descriptors, free streams, and the
// splits that came with the data.  Two files made by the same solver at different times, with other titles or
// compressed otherwise, have the same.
std::string hash_dataset(const Dataset& dataset);

}  // namespace fluidsplat::field
