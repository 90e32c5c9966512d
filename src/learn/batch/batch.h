// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/made_ahead.h"
#include "base/memory_budget.h"
#include "field/case_cache.h"
#include "field/sensor_placement.h"
#include "field/surface_view.h"
#include "learn/batch/case_weights.h"
#include "learn/batch/sampler.h"
#include "learn/batch/training_prior.h"
#include "learn/config/train_config.h"
#include "learn/distributed/group.h"
#include "learn/model/observation.h"

namespace fluidsplat::learn {

// A range of a batch's queries that one term of the loss is about.
struct LossTerm {
  std::string name;          // as the log calls it
  Index begin = 0, end = 0;  // rows of the queries
  double weight = 1;         // what its weights hold; divided out again for the log
};

// One training step's worth of work: what is compared with what, and how much it counts, at every query and channel.
// Every term of the loss is then a weighted sum of squares over its rows.  Of several ranks each has some of the cases;
// the weights are those of the whole batch, so that losses and gradients of the ranks add up to its own.
struct Batch {
  Observation observation;
  Queries queries;
  torch::Tensor targets, weights;  // [B, Q, C], normalised
  std::vector<LossTerm> terms;
};

// Batches are made ahead by a thread of their own.  Of cases that there is no room to hold, only the points are read
// that a batch asks for.
class BatchMaker {
 public:
  // With `base` [places of the one mesh, C] the targets are deviations from it, and with a prior from what that adds
  // when it has not seen the case, in units of what it usually leaves.
  BatchMaker(const TrainConfig& config, const field::Dataset& dataset, const std::vector<Index>& train,
             const model::Normalization& normalization, const field::SensorPlacement& sensors, bool with_geometry,
             torch::Device device, field::Matrix base = {}, const TrainingPrior* prior = nullptr,
             Group& group = alone());
  // This rank's part of the batch of a step.  The whole is a pure function of (seed, step, attempt) and the data.
  Batch make(Index step, Index attempt);
  // The most memory that cases and meshes have taken.
  std::size_t most_held_bytes() const { return cache_.most_held_bytes(); }

 private:
  struct Rows;
  struct Part;
  // What a batch is a function of.
  struct Turn {
    Index step = 0, attempt = 0;
    bool operator==(const Turn&) const = default;
  };
  // This rank's part of a batch before it knows what the others have.
  struct Draft {
    torch::Tensor positions, features, targets, weights, points;
    std::vector<field::SensorReadings> readings;
    std::vector<field::Vector> descriptors;
    std::vector<std::shared_ptr<const field::Mesh>> meshes;  // where they are held
    double present = 0;                                      // readings
  };
  Rows rows() const;
  Draft draft(const Turn& turn);
  void draft_case(Index index, Random& random, const Rows& rows, Part& part, Draft& out);
  std::vector<Index> cases_of(Index step, Index attempt) const;
  void disturb(field::SensorReadings& readings, Random& random) const;
  void draw_field_points(const PointSampler& sampler, const Rows& rows, Random& random, Part& part) const;
  bool needs_mesh(Index number) const;
  void draw_wall_points(const field::SurfaceView& wall, const Rows& rows, Random& random, Part& part) const;
  // Returns how many readings there are.
  static Index aim_at_readings(const field::Matrix& readings, const Rows& rows, Part& part);
  void subtract_prior(Index case_index, const field::Matrix& readings, Part& part) const;
  void normalize(Part& part) const;
  void silence_some(field::SensorReadings& readings, Random& random) const;

  const TrainConfig& config_;
  const field::Dataset& dataset_;
  std::vector<Index> train_;
  const model::Normalization& normalization_;
  const field::SensorPlacement& sensors_;
  bool with_geometry_;
  field::Matrix base_;
  const TrainingPrior* prior_;
  torch::Device device_;
  Group& group_;
  Share share_;  // of the cases of a batch
  QuerySampling sampling_;
  CaseWeights case_weights_;
  std::optional<MemoryBudget> budget_;
  field::CaseCache cache_;
  MadeAhead<Turn, Draft> drafts_;  // the last member: its thread uses the others
};

}  // namespace fluidsplat::learn
