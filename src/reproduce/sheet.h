// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <vector>

#include "reproduce/store.h"

namespace fluidsplat::reproduce {

// What a sheet's runs have in common.  Results that differ in any of this never meet in one sheet.  Classical methods
// take no time worth limiting: they go with every time and number of threads.
struct Terms {
  std::string data, data_hash, version;
  Index cases = 0;  // at most
  double minutes = 0;
  Index threads = 0;  // 0: there are classical methods alone
};

// A filled place of a table, over seeds.
struct Entry {
  std::vector<Index> seeds = {};    // none: nothing was run; classical methods have the seed 0
  std::vector<double> errors = {};  // clean, by seed
  double mean = 0, deviation = 0;   // of these; the deviation is the sample's, 0 with one seed
  double worst = 0;                 // of all cases and seeds
  double little_noise = 0, much_noise = 0, quarter_dead = 0;  // means; NaN: not judged
  Index parameters = 0, steps = 0;                            // steps: the mean
  double seconds_to_train = 0, seconds_to_answer = 0;
  std::string trouble = {};  // why there are no numbers

  bool has_numbers() const { return !errors.empty(); }
};

// A table filled with what was run under one set of terms.
struct Sheet {
  const Table* table = nullptr;
  Terms terms;
  std::vector<std::vector<Entry>> entries;    // [row][column]
  std::set<std::string> machines, compilers;  // that took part
  std::string first_date, last_date;
  Index unseen = 0;    // cases that judged
  Index left_out = 0;  // runs with other settings than those shown
  Index networks = 0;  // entries of networks that have numbers
};

// One sheet for each set of terms under which there are runs of the table, those with most numbers first.
std::vector<Sheet> make_sheets(const Table& table, const std::vector<Finished>& runs);

}  // namespace fluidsplat::reproduce
