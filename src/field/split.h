// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/index.h"
#include "field/dataset.h"

namespace fluidsplat::field {

// Which cases train, select the checkpoint, and judge.  Frozen as JSON beside a run so that it can be repeated.
struct Split {
  std::vector<Index> train, validation, test;
  std::uint64_t seed = 0;
};

// The permutation that torch.manual_seed(seed); torch.randperm(n) gives on a CPU, so that published splits can be
// reproduced without libtorch; of it the first `count`, if that is said.
std::vector<Index> torch_randperm(Index n, std::uint64_t seed, Index count = -1);

// The paper's protocol: `train` cases are the first of torch_randperm; every other case is a test case, and
// `validation` of these, evenly spread over the rest of the permutation, select the checkpoint.
Split protocol_split(Index cases, Index train, Index validation, std::uint64_t seed);
// Three disjoint sets, in the proportions of a shuffled list.
Split disjoint_split(Index cases, Index train, Index validation, std::uint64_t seed);

// Cases are written by their index.  With a dataset whose cases have names, these stand beside the indices, for readers
// and so that a dataset in another order is noticed.
void write_split(const std::filesystem::path& path, const Split& split, const Dataset* dataset = nullptr);
// A list may name cases by index and by name, mixed.  What the dataset does not have, a name that several cases share,
// a case that is listed twice or in "train" and elsewhere, and indices whose names are others' are Errors.
Split read_split(const std::filesystem::path& path, const Dataset& dataset);

// Several, by name, as a dataset keeps them.
std::string splits_to_json(const std::map<std::string, Split>& splits);
std::map<std::string, Split> splits_from_json(const std::string& text, const Dataset& dataset);

}  // namespace fluidsplat::field
