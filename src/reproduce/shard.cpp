// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/shard.h"

namespace fluidsplat::reproduce {

std::vector<Run> part_of(const std::vector<Run>& runs, const Shard& shard) {
  std::vector<Run> out;
  Index classical = 0, trained = 0;
  for (const auto& run : runs)
    if (shard.has((run.is_classical ? classical : trained)++)) out.push_back(run);
  return out;
}

}  // namespace fluidsplat::reproduce
