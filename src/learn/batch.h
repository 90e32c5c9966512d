// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "field/case_cache.h"
#include "field/sensor_plan.h"
#include "learn/model.h"
#include "learn/sampler.h"

namespace fluidsplat::learn {

// Readings of several cases as one padded Observation.  NaN readings become absent tokens.
Observation make_observation(const std::vector<field::SensorReadings>& readings,
                             const std::vector<field::Vector>& descriptors, const field::Normalizer& normalizer,
                             const torch::Device& device);

// The wall of each case as geometry tokens (positions and normals), thinned to a few hundred points.
void add_geometry(Observation& observation, const std::vector<std::shared_ptr<const field::Mesh>>& meshes,
                  const field::Normalizer& normalizer, const torch::Device& device);

// One training step's worth of work.  Queries are laid out [field queries | sensors | surface].
struct Batch {
  Observation observation;
  Queries queries;
  torch::Tensor targets, weights;  // [B, Q, C], [B, Q]
  torch::Tensor obs_query, obs_channel, obs_value,
      obs_present;  // [B, N], per reading: which query, which channel,
  // and what it says in the units of the targets
  torch::Tensor surface_targets;  // [B, S, C]
  Index field_queries = 0, sensor_queries = 0, surface_queries = 0;
};

class BatchMaker {
 public:
  BatchMaker(const TrainConfig& config, const field::Dataset& dataset, const std::vector<Index>& train,
             const field::Normalizer& normalizer, const field::SensorPlan& sensors, torch::Device device);
  // The batch of a step: a pure function of (seed, step, attempt) and the data.
  Batch make(Index step, Index attempt);

 private:
  std::vector<Index> cases_of(Index step, Index attempt) const;
  void silence_sensors(field::SensorReadings& readings, Random& random) const;

  const TrainConfig& config_;
  const field::Dataset& dataset_;
  std::vector<Index> train_;
  const field::Normalizer& normalizer_;
  const field::SensorPlan& sensors_;
  torch::Device device_;
  QuerySampling sampling_;
  field::CaseCache cache_;
};

}  // namespace fluidsplat::learn
