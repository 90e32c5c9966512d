// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/find_groups.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "uncertainty/time_blocks.h"

namespace fluidsplat::calibrate {
namespace {

// Cases of one mesh at different times are frames of a series; this is where each case stands in it.  Empty when there
// is none.
std::vector<Index> places_in_series(const field::Dataset& dataset) {
  if (dataset.mesh_count() != 1 || dataset.size() < 8) return {};
  std::vector<std::pair<double, Index>> order;
  for (Index i = 0; i < dataset.size(); ++i) order.push_back({dataset.load(i).time, i});
  std::ranges::sort(order);
  for (std::size_t i = 1; i < order.size(); ++i)
    if (order[i].first == order[i - 1].first) return {};
  std::vector<Index> out(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) out[order[i].second] = Index(i);
  return out;
}

}  // namespace

std::optional<FoundGroups> find_groups(const field::Dataset& dataset, const std::vector<Index>& cases, Index block,
                                       const std::function<std::optional<double>(Index k)>& size) {
  const auto places = block == 1 ? std::vector<Index>() : places_in_series(dataset);
  FoundGroups out;
  if (!places.empty()) out.block = block;
  if (out.block == 0) {
    std::map<Index, double> errors;
    for (Index k = 0; k < std::ssize(cases); ++k) {
      const auto error = size(k);
      if (!error) return {};
      errors[places[cases[k]]] = std::log(*error + 1e-15);
    }
    // Frames that trained are missing in between.
    std::vector<double> series(errors.rbegin()->first + 1, NAN);
    for (const auto& [place, error] : errors) series[place] = error;
    out.block = uncertainty::block_length(series);
  }
  std::map<Index, std::vector<Index>> blocks;
  for (Index i = 0; i < std::ssize(cases); ++i) blocks[places.empty() ? i : places[cases[i]] / out.block].push_back(i);
  for (auto& [number, members] : blocks) out.groups.push_back(std::move(members));
  if (std::ssize(out.groups) < 2)
    fail(
        "{}: {} case{} to calibrate on; at least two that neither trained nor chose the checkpoint are needed, and "
        "nine for a level of 90 %",
        dataset.name(), out.groups.size(), out.groups.size() == 1 ? "" : "s");
  return out;
}

}  // namespace fluidsplat::calibrate
