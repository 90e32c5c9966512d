// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/evaluation_parts.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"

namespace fluidsplat::field {
namespace {

using nlohmann::json;

// JSON has no NaN; it is null, and back.  Other numbers are written with all the digits that they need.
double number(const json& j) {
  return j.is_null() ? std::nan("") : j.get<double>();
}

json to_json(const std::optional<double>& value) {
  return value ? json::array({*value}) : json::array();
}
std::optional<double> optional_number(const json& j) {
  return j.empty() ? std::nullopt : std::optional(number(j.at(0)));
}

json to_json(const CaseError& e) {
  return {e.relative_l2, e.channel_l2, e.max_error, e.channel_max};
}
CaseError error_from(const json& j) {
  CaseError e;
  e.relative_l2 = number(j.at(0));
  for (const auto& v : j.at(1)) e.channel_l2.push_back(number(v));
  e.max_error = number(j.at(2));
  for (const auto& v : j.at(3)) e.channel_max.push_back(number(v));
  return e;
}

json to_json(const std::optional<CaseError>& e) {
  return e ? to_json(*e) : json();
}
std::optional<CaseError> optional_error(const json& j) {
  return j.is_null() ? std::nullopt : std::optional(error_from(j));
}

json to_json(const std::optional<ForceCoefficients>& f) {
  if (!f) return {};
  return {f->drag, f->lift, to_json(f->moment), to_json(f->friction_drag), to_json(f->friction_lift)};
}
std::optional<ForceCoefficients> optional_force(const json& j) {
  if (j.is_null()) return {};
  return ForceCoefficients{number(j.at(0)), number(j.at(1)), optional_number(j.at(2)), optional_number(j.at(3)),
                           optional_number(j.at(4))};
}

json to_json(const CaseResult& r) {
  return {{"index", r.index},
          {"name", r.name},
          {"time", r.time},
          {"error", to_json(r.error)},
          {"sensor_consistency", r.sensor_consistency},
          {"surface", to_json(r.surface)},
          {"deviation", to_json(r.deviation)},
          {"mean_field", to_json(r.mean_field)},
          {"nearest_sensor", to_json(r.nearest_sensor)},
          {"true_force", to_json(r.true_force)},
          {"predicted_force", to_json(r.predicted_force)}};
}

CaseResult result_from(const json& j) {
  CaseResult r;
  r.index = j.at("index").get<Index>();
  r.name = j.at("name").get<std::string>();
  r.time = number(j.at("time"));
  r.error = error_from(j.at("error"));
  r.sensor_consistency = number(j.at("sensor_consistency"));
  r.surface = optional_error(j.at("surface"));
  r.deviation = optional_error(j.at("deviation"));
  r.mean_field = optional_number(j.at("mean_field"));
  r.nearest_sensor = optional_number(j.at("nearest_sensor"));
  r.true_force = optional_force(j.at("true_force"));
  r.predicted_force = optional_force(j.at("predicted_force"));
  return r;
}

// What must be the same for parts to belong together.
json identity(const Provenance& p) {
  return {p.data_hash, p.split_hash, p.cases, p.model_hash, p.sensors, p.version};
}

std::filesystem::path part_file(const std::filesystem::path& folder, const Shard& shard) {
  return folder / fmt::format(".part-{}-of-{}.json", shard.index, shard.count);
}

// Empty when it is not there, or of another evaluation.
std::optional<std::vector<CaseResult>> read_part(const std::filesystem::path& file, const Provenance& provenance) {
  if (!std::filesystem::exists(file)) return {};
  try {
    const auto j = json::parse(read_file(file));
    if (j.at("of") != identity(provenance)) return {};
    std::vector<CaseResult> out;
    for (const auto& r : j.at("results")) out.push_back(result_from(r));
    return out;
  } catch (const json::exception& e) {
    fail("{}: the part of an evaluation is damaged ({}); remove it and evaluate that part again", file.string(),
         e.what());
  } catch (const Error&) {
    return {};  // another process has just put all parts together
  }
}

}  // namespace

std::vector<CaseResult> join_evaluation(const std::filesystem::path& folder, const Shard& shard,
                                        const std::vector<CaseResult>& mine, const Provenance& provenance) {
  auto list = json::array();
  for (const auto& r : mine) list.push_back(to_json(r));
  write_file(part_file(folder, shard), json{{"of", identity(provenance)}, {"results", list}}.dump());

  std::vector<std::vector<CaseResult>> parts;
  for (Index i = 1; i <= shard.count; ++i) {
    auto part = read_part(part_file(folder, {i, shard.count}), provenance);
    if (!part) return {};
    parts.push_back(std::move(*part));
  }
  // Cases went to the parts in turn.
  std::vector<CaseResult> all;
  for (std::size_t row = 0;; ++row) {
    const auto before = all.size();
    for (const auto& part : parts)
      if (row < part.size()) all.push_back(part[row]);
    if (all.size() == before) break;
  }
  for (Index i = 1; i <= shard.count; ++i) {
    std::error_code ignored;
    std::filesystem::remove(part_file(folder, {i, shard.count}), ignored);
  }
  return all;
}

}  // namespace fluidsplat::field
