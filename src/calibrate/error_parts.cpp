// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/error_parts.h"

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"

namespace fluidsplat::calibrate {
namespace {

using nlohmann::json;

json to_json(const CaseErrors& e) {
  if (e.pointwise.empty()) return {};  // another part's
  json largest = json::array();
  for (const auto& l : e.largest) largest.push_back({l.size, l.above, l.below});
  return {e.pointwise, largest, e.functionals, e.mean_scale, e.rms, e.region, e.factor, e.place_class};
}

CaseErrors errors_from(const json& j) {
  CaseErrors e;
  if (j.is_null()) return e;
  j.at(0).get_to(e.pointwise);
  for (const auto& l : j.at(1)) e.largest.push_back({l.at(0).get<float>(), l.at(1).get<float>(), l.at(2).get<float>()});
  j.at(2).get_to(e.functionals);
  j.at(3).get_to(e.mean_scale);
  j.at(4).get_to(e.rms);
  j.at(5).get_to(e.region);
  j.at(6).get_to(e.factor);
  j.at(7).get_to(e.place_class);
  return e;
}

std::filesystem::path part_file(const ErrorParts& parts, Index index) {
  return parts.folder / fmt::format(".calibrate-{}-of-{}.cbor", index, parts.shard.count);
}

// Empty when it is not there, or of something else.
std::optional<MeasuredErrors> read_part(const std::filesystem::path& file, const std::string& of) {
  if (!std::filesystem::exists(file)) return {};
  try {
    const auto j = json::from_cbor(read_file(file));
    if (j.at("of") != of) return {};
    MeasuredErrors out;
    for (const auto& rung : j.at("errors")) {
      auto& cases = out.emplace_back();
      for (const auto& e : rung) cases.push_back(errors_from(e));
    }
    return out;
  } catch (const json::exception& e) {
    fail("{}: the part of a calibration is damaged ({}); remove it and measure that part again", file.string(),
         e.what());
  } catch (const Error&) {
    return {};  // another process has just put all parts together
  }
}

}  // namespace

std::optional<MeasuredErrors> join_errors(const ErrorParts& parts, const MeasuredErrors& mine) {
  json errors = json::array();
  for (const auto& rung : mine) {
    auto& cases = errors.emplace_back(json::array());
    for (const auto& e : rung) cases.push_back(to_json(e));
  }
  // CBOR keeps the bits of numbers, infinite ones too.
  const auto bytes = json::to_cbor(json{{"of", parts.of}, {"errors", errors}});
  write_file(part_file(parts, parts.shard.index), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});

  MeasuredErrors all = mine;
  for (Index i = 1; i <= parts.shard.count; ++i) {
    auto part = read_part(part_file(parts, i), parts.of);
    if (!part) return {};
    if (part->size() != all.size()) fail("{}: has other rungs", part_file(parts, i).string());
    for (std::size_t r = 0; r < all.size(); ++r)
      for (std::size_t k = 0; k < std::min(all[r].size(), (*part)[r].size()); ++k)
        if (!(*part)[r][k].pointwise.empty()) all[r][k] = std::move((*part)[r][k]);
  }
  for (Index i = 1; i <= parts.shard.count; ++i) {
    std::error_code ignored;
    std::filesystem::remove(part_file(parts, i), ignored);
  }
  return all;
}

}  // namespace fluidsplat::calibrate
