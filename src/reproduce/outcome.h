// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/index.h"

namespace fluidsplat::reproduce {

// Errors under one condition: relative L2, mean over cases, the worst case, and the mean channel by channel.
struct ConditionErrors {
  std::string condition;
  double mean = 0, worst = 0;
  std::vector<double> channels = {};
};

// How a model did with one number of sensors; 0: as in training.
struct Judged {
  Index sensors = 0;
  std::vector<ConditionErrors> conditions = {};
  // Null when there is no such condition: a lone sensor cannot die.
  const ConditionErrors* find(const std::string& condition) const;
};

inline constexpr const char *kClean = "clean", *kLittleNoise = "1 % noise", *kMuchNoise = "5 % noise",
                            *kQuarterDead = "a quarter dead";

// What one method's answer costs: the run "cost" times all methods, turn by turn.
struct Timing {
  std::string method;  // its label
  std::string engine;  // what runs it
  Index parameters = 0;
  double milliseconds = 0, deviation = 0;  // the median and the deviation over turns
};

// What came of a run.
struct Outcome {
  Index cases = 0;  // that it was judged by
  std::vector<std::string> channels = {};
  Index parameters = 0, steps = 0;
  double seconds_to_train = 0, seconds_to_answer = 0;
  std::string ended = {};    // how training did: finished, early-stopped, out-of-time; empty: fitted in closed form
  std::string trouble = {};  // why a classical method cannot be used on these data; then nothing is judged
  std::vector<Judged> judged = {};
  std::vector<Timing> timings = {};  // of the run "cost" alone
  const Judged* find(Index sensors) const;
};

nlohmann::ordered_json to_json(const Outcome& outcome);
// `where` is what an Error calls it.
Outcome outcome_from(const std::string& json, const std::string& where);

}  // namespace fluidsplat::reproduce
