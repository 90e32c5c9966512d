// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Test support: results of runs that were never made.
#pragma once

#include "reproduce/store.h"

namespace fluidsplat::reproduce {

inline Run sample_run(const Subject& subject, Index seed = 0, double minutes = 1) {
  Run run{subject, false, config_of(subject), {0}};
  run.config.seed += seed;
  run.config.max_minutes = minutes;
  run.config.threads = 1;
  return run;
}

inline Finished sample_result(const Run& run, double error, const std::string& data_hash = "data") {
  Finished out{manifest_for(run), {}};
  out.manifest.data = "embedded data";
  out.manifest.data_hash = data_hash;
  out.manifest.cases = 100;
  out.manifest.date = "2026-03-01T12:00:00Z";
  out.manifest.seconds = 62.5;
  out.outcome.cases = 80;
  out.outcome.channels = {"w"};
  out.outcome.parameters = 1234;
  out.outcome.steps = 500;
  out.outcome.seconds_to_train = 60;
  out.outcome.seconds_to_answer = 0.01;
  out.outcome.ended = "finished";
  for (const Index n : run.sensors)
    out.outcome.judged.push_back({n,
                                  {{kClean, error, 2 * error, {error}},
                                   {kLittleNoise, 3 * error, 4 * error, {error}},
                                   {kMuchNoise, 5 * error, 6 * error, {error}},
                                   {kQuarterDead, 7 * error, 8 * error, {error}}}});
  return out;
}

}  // namespace fluidsplat::reproduce
