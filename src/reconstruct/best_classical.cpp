// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/best_classical.h"

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"

namespace fluidsplat::reconstruct {

void write_best_classical(const std::filesystem::path& folder, const BestClassical& best) {
  const nlohmann::ordered_json json = {{"method", best.method},
                                       {"relative_l2", best.errors.mean},
                                       {"relative_l2_worst", best.errors.worst},
                                       {"seconds_to_fit", best.seconds_to_fit}};
  write_file(folder / kClassicalFile, json.dump(2) + "\n");
}

std::optional<BestClassical> read_best_classical(const std::filesystem::path& folder) {
  const auto file = folder / kClassicalFile;
  if (!std::filesystem::exists(file)) return {};
  try {
    const auto json = nlohmann::json::parse(read_file(file, 1 << 16));
    return BestClassical{json.at("method").get<std::string>(),
                         {json.at("relative_l2").get<double>(), json.at("relative_l2_worst").get<double>()},
                         json.at("seconds_to_fit").get<double>()};
  } catch (const nlohmann::json::exception& e) {
    fail("{}: damaged ({}); remove it", file.string(), e.what());
  }
}

}  // namespace fluidsplat::reconstruct
