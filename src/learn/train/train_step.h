// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <map>

#include "learn/batch/batch.h"
#include "learn/distributed/group.h"
#include "learn/model/model.h"

namespace fluidsplat::learn {

// What one batch says of the model.
struct StepResult {
  double loss = 0;
  std::map<std::string, double> terms;
  double gradient = 0;  // its norm before clipping
  double rate = 0;      // the learning rate the step was taken with
  bool is_finite() const { return std::isfinite(loss) && std::isfinite(gradient); }
};

// The loss of a batch, of which each rank has a part.  With a finite loss below `limit` the parameters then hold its
// gradient, at most `clip_norm` long (0: any length), the same bits on all ranks; otherwise they hold none.
StepResult compute_gradient(Model& model, const Batch& batch, const TensorMap& parameters, double limit,
                            double clip_norm, Group& group = alone());

}  // namespace fluidsplat::learn
