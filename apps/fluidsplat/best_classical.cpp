// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/best_classical.h"

#include <fmt/format.h>

#include "base/interrupt.h"
#include "baselines/compare.h"
#include "field/error_text.h"

namespace fluidsplat::app {
namespace {

// Fitting reads all training cases some dozens of times.
constexpr double kLarge = 1e9;  // bytes

double bytes_of(const field::Dataset& dataset, const std::vector<Index>& cases) {
  double values = 0;
  for (const Index i : cases)
    values += double(dataset.mesh(dataset.mesh_of(i))->size()) * double(dataset.schema().channels.size());
  return values * sizeof(float);
}

}  // namespace

void tell_best_classical(const field::SeenData& data, const field::Split& split, const field::SensorLayout& sensors,
                         const field::ErrorSummary& ours, const std::filesystem::path& folder) {
  if (bytes_of(*data, split.train) > kLarge) {
    fmt::print("  methods without training were not tried, the data are large; `fluidsplat compare` tries them\n");
    return;
  }
  const auto best = baselines::best_classical(data, split, sensors, [] { return !interrupted(); });
  if (!best) return;
  fmt::print("  the best method without training, {}, errs by {} (worst {}){}\n", best->method,
             field::error_text(best->errors.mean), field::error_text(best->errors.worst),
             best->errors.mean < ours.relative_l2 ? ": better than this model" : "");
  reconstruct::write_best_classical(folder, *best);
}

}  // namespace fluidsplat::app
