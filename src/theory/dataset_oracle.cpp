// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/dataset_oracle.h"

#include <algorithm>

#include "base/error.h"
#include "field/split.h"
#include "theory/from_dataset.h"

namespace fluidsplat::theory {
namespace {

std::vector<int> training_cases(std::filesystem::path split, Index cases) {
  if (std::filesystem::is_directory(split)) split /= "split.json";
  const std::vector<Index> train = field::read_split(split, cases).train;
  if (std::ssize(train) >= cases)
    fail("{}: every case of the dataset trains; the oracle needs some that are held out", split.string());
  return {train.begin(), train.end()};
}

}  // namespace

std::string DatasetOracle::subject(const std::string& title) const {
  return fmt::format("{}: {} frames of {}, {}", title, cases.size(), channel,
                     held_out ? "none of which trains" : "evenly spaced over all cases");
}

DatasetOracle oracle_sweep(const field::Dataset& dataset, const OracleRequest& request) {
  DatasetOracle oracle;
  oracle.held_out = !request.split.empty();
  const std::vector<int> excluded =
      oracle.held_out ? training_cases(request.split, dataset.size()) : std::vector<int>{};
  const int total = int(dataset.size()), left = total - int(excluded.size());
  oracle.cases = evenly_spaced(total, std::min(request.frames, left), excluded);
  const DatasetFrames frames = load_frames(dataset, request.channel, {oracle.cases.begin(), oracle.cases.end()});
  if (!frames.grid)
    fail(
        "{}: smoothing is in pixels, so the oracle sweep needs a dataset on a grid; `theory advise` has the oracle's "
        "rate for any points",
        dataset.name());
  oracle.channel = frames.channel;
  oracle.rows = oracle_sweep(*frames.grid, frames.on_grid(), request.sweep);
  return oracle;
}

}  // namespace fluidsplat::theory
