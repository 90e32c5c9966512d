// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/run_hooks.h"
#include "field/seen_data.h"
#include "field/split.h"
#include "learn/config/train_config.h"
#include "reconstruct/best_classical.h"

namespace fluidsplat::baselines {

struct CompareRequest {
  learn::TrainConfig config;  // data, sensors and the first of the trained methods; models go to folders in its `out`
  double minutes = 0;         // for all trained methods together; 0: none is trained
  std::vector<std::string> networks = {};  // kinds to train; empty: all
  Index cases = 100;                       // unseen ones at most, evenly spread
  RunHooks hooks = {};                     // a part is a method
};

// Fits or trains every method to the split's training cases and judges all on the same unseen ones, clean and
// disturbed. A method that cannot be used on these data says why.  Nothing when it was stopped.
std::optional<reconstruct::Comparison> compare(const CompareRequest& request, const field::SeenData& data,
                                               const field::Split& split, const field::SensorLayout& sensors);

// Chosen by the validation cases, or where there are none by some of the test cases, and judged by the latter.  Nothing
// when it was stopped.
std::optional<reconstruct::BestClassical> best_classical(const field::SeenData& data, const field::Split& split,
                                                         const field::SensorLayout& sensors,
                                                         const std::function<bool()>& go_on = {});

}  // namespace fluidsplat::baselines
