// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/schema.h"

#include <array>

namespace fluidsplat::model {
namespace {

// The place of a channel, or -1.
Index place_of(const std::string& name, const Schema& schema) {
  for (Index i = 0; i < std::ssize(schema.channels); ++i)
    if (schema.channels[i].name == name) return i;
  return -1;
}

}  // namespace

std::vector<Index> find_velocity(const Schema& schema) {
  const std::array<std::array<const char*, 3>, 6> families = {{{"u", "v", "w"},
                                                               {"U", "V", "W"},
                                                               {"Ux", "Uy", "Uz"},
                                                               {"ux", "uy", "uz"},
                                                               {"u_x", "u_y", "u_z"},
                                                               {"velocity_x", "velocity_y", "velocity_z"}}};
  for (const auto& names : families) {
    std::vector<Index> found;
    for (int axis = 0; axis < schema.dim(); ++axis)
      if (const Index channel = place_of(names[axis], schema); channel >= 0) found.push_back(channel);
    if (std::ssize(found) == schema.dim()) return found;
  }
  return {};
}

}  // namespace fluidsplat::model
