// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/dataset_oracle.h"

#include <algorithm>

#include "base/error.h"
#include "field/split.h"
#include "theory/from_dataset.h"

namespace fluidsplat::theory {

std::vector<OracleSweepRow> oracle_sweep(const field::Dataset& dataset, const OracleRequest& request) {
  std::vector<int> excluded;
  if (!request.split.empty())
    for (std::int64_t index : field::read_split(request.split, dataset.size()).train)
      excluded.push_back(static_cast<int>(index));
  const int total = static_cast<int>(dataset.size()), left = total - static_cast<int>(excluded.size());
  const std::vector<int> chosen = evenly_spaced(total, std::min(request.frames, left), excluded);
  const DatasetFrames frames = load_frames(dataset, request.channel, {chosen.begin(), chosen.end()});
  if (!frames.grid)
    fail(
        "{}: smoothing is in pixels, so the oracle sweep needs a dataset on a grid; `theory advise` has the "
        "oracle's "
        "rate for any points",
        dataset.name());
  return oracle_sweep(*frames.grid, frames.on_grid(), request.sweep);
}

}  // namespace fluidsplat::theory
