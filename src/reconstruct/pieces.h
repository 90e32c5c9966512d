// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "reconstruct/target.h"

namespace fluidsplat::reconstruct {

// Where a field is wanted that is larger than memory: targets that are gone through one by one.
class Pieces {
 public:
  virtual ~Pieces() = default;
  virtual Index size() const = 0;
  virtual Target target(Index piece) const = 0;
  // Of the whole image that the pieces make up; none when they are meshes.
  virtual std::optional<std::array<std::int64_t, 3>> dimensions() const { return {}; }
};

}  // namespace fluidsplat::reconstruct
