// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "field/split.h"

namespace fluidsplat::field {

// What made a number.  What is empty is unknown and not written.
struct Provenance {
  std::string data, data_hash;    // the dataset's file and the hash of its contents (hash_file)
  std::string split, split_hash;  // the split's file or how it was drawn, and split_hash()
  std::string cases;              // which of them were judged: "test", "all", ...
  std::optional<std::uint64_t> seed;
  std::string model, model_hash;
  std::string sensors;  // as in training, or what they were replaced by
  std::string version;  // of the program
  std::string command;  // the whole command line
  std::string date;     // utc_now() at the time
};

// In the order above, as an object and as lines "# key: value", which io::read_csv skips.
nlohmann::ordered_json to_json(const Provenance& provenance);
std::string comment_lines(const Provenance& provenance);

// Of which case is in which list, wherever and however it is written down.
std::string split_hash(const Split& split);
// "2026-03-01T12:00:00Z"
std::string utc_now();

}  // namespace fluidsplat::field
