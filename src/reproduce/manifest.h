// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reproduce/plan.h"

namespace fluidsplat::reproduce {

// What made a run's numbers, enough to make them again.
struct Manifest {
  Subject subject;
  bool is_classical = false;
  std::string asked;           // settings_text() of what was asked
  std::string config;          // of what was done: with the steps that the time allowed
  std::vector<Index> sensors;  // numbers of sensors that it was judged with
  Index cases = 0;             // unseen ones that it was judged by, at most; 0: all
  Index seed = 0, threads = 1;
  double minutes = 0;           // that were allowed; 0: as many as the config needs
  std::string data, data_hash;  // the dataset's title and the hash of its file
  std::string version, compiler, cpu;
  std::string date;    // when it was finished
  double seconds = 0;  // that it took, judging included
};

nlohmann::ordered_json to_json(const Manifest& manifest);
Manifest manifest_from(const std::string& json, const std::string& where);

// A manifest of what is about to be done on this machine: subject, settings, version, compiler and processor.
Manifest manifest_for(const Run& run);

// Of the program, with a number that is raised when a change makes trainings come out otherwise: results of different
// versions are never mixed.
std::string results_version();

}  // namespace fluidsplat::reproduce
