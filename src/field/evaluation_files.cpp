// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// What an evaluation leaves behind: cases.csv and metrics.json.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "field/evaluation.h"

namespace fluidsplat::field {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kNamedWorst = 10;

// A CSV cell may hold commas and quotes, but readers go line by line.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c == '\n' || c == '\r' ? ' ' : c);
  return out + "\"";
}

// Which of the optional parts any of the results has.
struct Parts {
  bool surface = false, deviation = false, forces = false, moment = false, friction = false;

  explicit Parts(const std::vector<CaseResult>& results) {
    for (const auto& r : results) {
      surface = surface || r.surface;
      deviation = deviation || r.deviation;
      forces = forces || r.true_force;
      moment = moment || (r.true_force && r.true_force->moment);
      friction = friction || (r.true_force && r.true_force->friction_drag);
    }
  }
};

// The numbers of one row of cases.csv by the names of their columns; nothing where a case has no such number.
using Numbers = std::vector<std::pair<std::string, std::optional<double>>>;

// "surface_l2_u", "surface_max_u" and so on for the prefix "surface_".
void add_channels(Numbers& out, const std::string& prefix, const CaseError* error, const Schema& schema) {
  for (std::size_t c = 0; c < schema.channels.size(); ++c) {
    const auto& name = schema.channels[c].name;
    out.emplace_back(prefix + "l2_" + name, error ? std::optional(error->channel_l2[c]) : std::nullopt);
    out.emplace_back(prefix + "max_" + name, error ? std::optional(error->channel_max[c]) : std::nullopt);
  }
}

// On the wall, or relative to the deviation from a mean.
void add_part(Numbers& out, const std::string& prefix, const std::optional<CaseError>& error, const Schema& schema) {
  out.emplace_back(prefix + "l2", error ? std::optional(error->relative_l2) : std::nullopt);
  add_channels(out, prefix, error ? &*error : nullptr, schema);
}

void add_forces(Numbers& out, const CaseResult& r, const Parts& parts) {
  const auto& truth = r.true_force;
  const auto& predicted = r.predicted_force;
  out.emplace_back("drag_true", truth ? std::optional(truth->drag) : std::nullopt);
  out.emplace_back("drag", predicted ? std::optional(predicted->drag) : std::nullopt);
  out.emplace_back("lift_true", truth ? std::optional(truth->lift) : std::nullopt);
  out.emplace_back("lift", predicted ? std::optional(predicted->lift) : std::nullopt);
  const auto add = [&](const std::string& name, std::optional<double> ForceCoefficients::*part) {
    out.emplace_back(name + "_true", truth ? (*truth).*part : std::nullopt);
    out.emplace_back(name, predicted ? (*predicted).*part : std::nullopt);
  };
  if (parts.moment) add("moment", &ForceCoefficients::moment);
  if (!parts.friction) return;
  add("friction_drag", &ForceCoefficients::friction_drag);
  add("friction_lift", &ForceCoefficients::friction_lift);
}

Numbers numbers_of(const CaseResult& r, const Parts& parts, const Schema& schema) {
  Numbers out = {{"relative_l2", r.error.relative_l2},
                 {"max_error", r.error.max_error},
                 {"sensor_consistency", r.sensor_consistency}};
  add_channels(out, "", &r.error, schema);
  if (parts.surface) add_part(out, "surface_", r.surface, schema);
  if (parts.deviation) add_part(out, "deviation_", r.deviation, schema);
  if (parts.forces) add_forces(out, r, parts);
  return out;
}

// Of one coefficient: truth and prediction side by side.
ordered_json force_json(const std::vector<std::pair<double, double>>& true_and_predicted) {
  double truth = 0, predicted = 0, error = 0, worst = 0;
  for (const auto& [t, p] : true_and_predicted)
    truth += t, predicted += p, error += std::abs(p - t), worst = std::max(worst, std::abs(p - t));
  const auto n = double(true_and_predicted.size());
  return {{"mean_true", truth / n},
          {"mean_predicted", predicted / n},
          {"mean_absolute_error", error / n},
          {"largest_error", worst}};
}

ordered_json forces_json(const std::vector<CaseResult>& results, bool with_moment) {
  std::vector<std::pair<double, double>> drag, lift, moment;
  for (const auto& r : results) {
    if (!r.true_force) continue;
    drag.emplace_back(r.true_force->drag, r.predicted_force->drag);
    lift.emplace_back(r.true_force->lift, r.predicted_force->lift);
    if (r.true_force->moment) moment.emplace_back(*r.true_force->moment, *r.predicted_force->moment);
  }
  ordered_json out = {{"drag", force_json(drag)}, {"lift", force_json(lift)}};
  if (with_moment) out["moment"] = force_json(moment);
  return out;
}

ordered_json friction_json(const std::vector<CaseResult>& results) {
  std::vector<std::pair<double, double>> drag, lift;
  for (const auto& r : results) {
    if (!r.true_force || !r.true_force->friction_drag) continue;
    drag.emplace_back(*r.true_force->friction_drag, *r.predicted_force->friction_drag);
    lift.emplace_back(*r.true_force->friction_lift, *r.predicted_force->friction_lift);
  }
  return {{"drag", force_json(drag)}, {"lift", force_json(lift)}};
}

ordered_json channels_json(const ErrorSummary& summary, const Schema& schema) {
  auto out = ordered_json::array();
  for (std::size_t c = 0; c < summary.channel_l2.size(); ++c)
    out.push_back({{"name", schema.channels[c].name},
                   {"unit", schema.channels[c].unit},
                   {"relative_l2", summary.channel_l2[c]},
                   {"max_error", summary.channel_max[c]}});
  return out;
}

// The mean over the cases that have this part.
ordered_json part_json(const std::vector<CaseResult>& results, std::optional<CaseError> CaseResult::*which,
                       const Schema& schema) {
  std::vector<CaseError> errors;
  for (const auto& r : results)
    if (r.*which) errors.push_back(*(r.*which));
  const auto s = summarize(errors, {});
  return {{"cases", s.cases},
          {"relative_l2", s.relative_l2},
          {"relative_l2_worst", s.relative_l2_worst},
          {"max_error", s.max_error},
          {"channels", channels_json(s, schema)}};
}

ordered_json worst_json(const std::vector<CaseResult>& results) {
  std::vector<const CaseResult*> order;
  for (const auto& r : results) order.push_back(&r);
  std::stable_sort(order.begin(), order.end(),
                   [](auto* a, auto* b) { return a->error.relative_l2 > b->error.relative_l2; });
  auto out = ordered_json::array();
  for (std::size_t i = 0; i < std::min(kNamedWorst, order.size()); ++i)
    out.push_back({{"case", order[i]->index},
                   {"name", order[i]->name},
                   {"time", order[i]->time},
                   {"relative_l2", order[i]->error.relative_l2}});
  return out;
}

}  // namespace

std::string cases_csv(const std::vector<CaseResult>& results, const Schema& schema, const Provenance& provenance) {
  const Parts parts(results);
  std::string header = "case,name,time", rows;
  for (const auto& r : results) {
    rows += fmt::format("{},{},{:.9g}", r.index, cell(r.name), r.time);
    for (const auto& [name, value] : numbers_of(r, parts, schema)) {
      if (&r == &results.front()) header += "," + cell(name);
      rows += value ? fmt::format(",{:.6g}", *value) : ",";
    }
    rows += "\n";
  }
  return comment_lines(provenance) + header + "\n" + rows;
}

std::string metrics_json(const std::vector<CaseResult>& results, const Schema& schema, const Provenance& provenance) {
  const Parts parts(results);
  const auto s = summarize(results);
  ordered_json out = {{"cases", s.cases},
                      {"relative_l2", s.relative_l2},
                      {"relative_l2_worst", s.relative_l2_worst},
                      {"max_error", s.max_error},
                      {"sensor_consistency", s.sensor_consistency},
                      {"channels", channels_json(s, schema)},
                      {"worst_cases", worst_json(results)}};
  if (parts.surface) out["surface"] = part_json(results, &CaseResult::surface, schema);
  if (parts.deviation) out["deviation_from_mean"] = part_json(results, &CaseResult::deviation, schema);
  if (const auto error = mean_field_error(results)) out["mean_field"] = {{"relative_l2", *error}};
  if (const auto error = nearest_sensor_error(results)) out["nearest_sensor"] = {{"relative_l2", *error}};
  if (parts.forces) out["pressure_forces"] = forces_json(results, parts.moment);
  if (parts.friction) out["friction_forces"] = friction_json(results);
  out["provenance"] = to_json(provenance);
  return out.dump(1) + "\n";
}

}  // namespace fluidsplat::field
