// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/series.h"

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"

namespace fluidsplat::io {

std::vector<PvdEntry> read_series(const std::filesystem::path& path) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 28;
  std::vector<PvdEntry> out;
  try {
    const auto json = nlohmann::json::parse(read_file(path, kMaxBytes));
    for (const auto& entry : json.at("files"))
      out.push_back({entry.at("time").get<double>(), entry.at("name").get<std::string>()});
  } catch (const nlohmann::json::exception& e) {
    fail("{}: not a series of ParaView (JSON with \"files\", each with \"name\" and \"time\"): {}", path.string(),
         e.what());
  }
  return out;
}

}  // namespace fluidsplat::io
