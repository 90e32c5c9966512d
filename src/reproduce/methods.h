// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fluidsplat::reproduce {

// A row of a table of methods.
struct Method {
  std::string id, label;
  std::string in_paper = {};  // its name in paper_numbers.cpp; empty: the paper does not have it
  bool is_classical = false;  // fitted in closed form
  std::string settings = {};  // of a classical one: its [model]
};

// The paper's form, ours, the other networks, then the classical ones; the latter as far as sensors allow that are
// drawn anew for every case.  "network" is there only where our recipe has a prior to do without.
std::vector<Method> methods_for(bool has_prior, bool sensors_are_redrawn);

// The [model] of a classical method.
std::string classical_settings(const std::string& id);

// The part of "paper.k64" before the dot.
std::string base_method(const std::string& id);

}  // namespace fluidsplat::reproduce
