// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/sensor_placement.h"
#include "field/split.h"
#include "learn/distributed/group.h"
#include "learn/model/trained_model.h"

namespace fluidsplat::learn {

// Judges a model on cases it was not trained on, at a fixed sample of points of every mesh.
class Validation {
 public:
  // `points` a case, 0 = all.
  Validation(const field::Dataset& dataset, std::vector<Index> cases, const field::SensorPlacement& sensors,
             Index points, Index seed);
  bool has_cases() const { return !cases_.empty(); }
  // The mean over cases of the relative L2 error, which is not finite when the model's answer is not.  A network on top
  // of a prior is judged with the share of its field, 0 to 1, that serves these cases best.
  struct Judgement {
    double error = 0;
    double network_scale = 1;
  };
  // The ranks of a group share the cases out and come to one judgement, the bits of one rank's.
  Judgement judge(const TrainedModel& model, const torch::Device& device, Group& group = alone()) const;

 private:
  const field::Dataset& dataset_;
  std::vector<Index> cases_;
  const field::SensorPlacement& sensors_;
  std::vector<std::vector<Index>> points_;  // per mesh; empty for meshes without a validation case
};

}  // namespace fluidsplat::learn
