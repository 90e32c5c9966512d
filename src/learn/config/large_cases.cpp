// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/config/large_cases.h"

#include <algorithm>

#include "base/error.h"
#include "base/memory_budget.h"

namespace fluidsplat::learn {
namespace {

// The bytes of the largest case with its mesh.
std::size_t largest_case(const field::Dataset& dataset) {
  const auto channels = dataset.schema().channels.size();
  std::size_t most = 0;
  for (Index m = 0; m < dataset.mesh_count(); ++m) {
    const auto outline = dataset.outline(m);
    most = std::max(most, outline.bytes + static_cast<std::size_t>(outline.places()) * channels * sizeof(float));
  }
  return most;
}

// What asks for whole cases, and what does not; empty when nothing does.
std::string needs_whole_cases(const TrainConfig& c) {
  if (c.sampling.kind != SamplingKind::kUniform) return "sampling.kind other than uniform";
  if (c.lambda_surface > 0) return "train.lambda_surface > 0";
  if (c.subtract_mean) return "train.subtract_mean";
  if (c.correction != CorrectionKind::kNone) return "model.correction";
  if (c.validation_points == 0 && c.data.validation_cases > 0) return "train.validation_points = 0";
  if (c.sensors.kind == SensorKind::kWall || c.sensors.kind == SensorKind::kRandomWall) return "sensors on the wall";
  if (c.sensors.generator == SensorGenerator::kTorch) return "sensors.generator = torch";
  return {};
}

}  // namespace

bool has_large_cases(const TrainConfig& config, const field::Dataset& dataset) {
  const auto budget = config.budget_bytes();
  return budget > 0 && largest_case(dataset) > budget / 2;
}

void check_large_cases(const TrainConfig& config, const field::Dataset& dataset) {
  const auto why = needs_whole_cases(config);
  if (!why.empty() && has_large_cases(config, dataset))
    fail(
        "{}: its largest case takes {}, more than half of train.memory_budget = \"{}\", so that only some points of it "
        "are read at a time; {} needs it whole: raise the budget, or do without",
        dataset.name(), bytes_text(largest_case(dataset)), config.memory_budget, why);
}

}  // namespace fluidsplat::learn
