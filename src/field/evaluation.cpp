// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/evaluation.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

constexpr std::size_t kNamedWorst = 10;

// A CSV cell may hold commas and quotes.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

nlohmann::json force_json(const std::vector<CaseResult>& results, double ForceCoefficients::*which) {
  double truth = 0, predicted = 0, error = 0, worst = 0;
  for (const auto& r : results) {
    const double t = (*r.true_force).*which, p = (*r.predicted_force).*which;
    truth += t, predicted += p, error += std::abs(p - t), worst = std::max(worst, std::abs(p - t));
  }
  const auto n = double(results.size());
  return {{"mean_true", truth / n},
          {"mean_predicted", predicted / n},
          {"mean_absolute_error", error / n},
          {"largest_error", worst}};
}

}  // namespace

std::vector<CaseResult> evaluate(const Predict& predict, const SensorPlan& sensors, const Dataset& dataset,
                                 const std::vector<Index>& cases, const std::optional<ForceSettings>& forces,
                                 const std::function<bool(const CaseResult&)>& on_case) {
  std::vector<CaseResult> results;
  std::map<Index, WallForces> walls;
  for (auto index : cases) {
    const auto c = dataset.load(index);
    const auto m = dataset.mesh_of(index);
    const auto readings = sensors.read(c, m);
    const auto prediction = predict(c, readings);
    Matrix at_sensors(readings.values.rows(), readings.values.cols());
    for (Index i = 0; i < at_sensors.rows(); ++i) at_sensors.row(i) = prediction.row(sensors.points(m)[i]);
    CaseResult r{index, c.name, c.time, compare(prediction, c.fields), sensor_consistency(at_sensors, readings),
                 {},    {}};
    if (forces) {
      const auto where = fmt::format("{}, mesh {}", dataset.name(), m);
      const auto& wall = walls.try_emplace(m, *forces, dataset.schema(), *c.mesh, where).first->second;
      r.true_force = wall.of(*c.mesh, c.fields);
      r.predicted_force = wall.of(*c.mesh, prediction);
    }
    results.push_back(std::move(r));
    if (on_case && !on_case(results.back())) break;
  }
  return results;
}

ErrorSummary summarize(const std::vector<CaseResult>& results) {
  std::vector<CaseError> errors;
  std::vector<double> consistency;
  for (const auto& r : results) {
    errors.push_back(r.error);
    consistency.push_back(r.sensor_consistency);
  }
  return summarize(errors, consistency);
}

std::string cases_csv(const std::vector<CaseResult>& results, const Schema& schema) {
  std::string text = "case,name,time,relative_l2,max_error,sensor_consistency";
  for (const auto& c : schema.channels) text += "," + quoted("l2_" + c.name) + "," + quoted("max_" + c.name);
  const bool forces = !results.empty() && results[0].true_force;
  const bool moment = forces && results[0].true_force->moment;
  if (forces) text += ",drag_true,drag,lift_true,lift";
  if (moment) text += ",moment_true,moment";
  text += "\n";
  for (const auto& r : results) {
    text += fmt::format("{},{},{:.9g},{:.6g},{:.6g},{:.6g}", r.index, quoted(r.name), r.time, r.error.relative_l2,
                        r.error.max_error, r.sensor_consistency);
    for (std::size_t c = 0; c < r.error.channel_l2.size(); ++c)
      text += fmt::format(",{:.6g},{:.6g}", r.error.channel_l2[c], r.error.channel_max[c]);
    if (forces)
      text += fmt::format(",{:.6g},{:.6g},{:.6g},{:.6g}", r.true_force->drag, r.predicted_force->drag,
                          r.true_force->lift, r.predicted_force->lift);
    if (moment) text += fmt::format(",{:.6g},{:.6g}", *r.true_force->moment, *r.predicted_force->moment);
    text += "\n";
  }
  return text;
}

std::string metrics_json(const std::vector<CaseResult>& results, const Schema& schema) {
  const auto s = summarize(results);
  nlohmann::ordered_json channels = nlohmann::ordered_json::array(), worst = channels;
  for (std::size_t c = 0; c < s.channel_l2.size(); ++c)
    channels.push_back({{"name", schema.channels[c].name},
                        {"unit", schema.channels[c].unit},
                        {"relative_l2", s.channel_l2[c]},
                        {"max_error", s.channel_max[c]}});
  std::vector<const CaseResult*> order;
  for (const auto& r : results) order.push_back(&r);
  std::stable_sort(order.begin(), order.end(),
                   [](auto* a, auto* b) { return a->error.relative_l2 > b->error.relative_l2; });
  for (std::size_t i = 0; i < std::min(kNamedWorst, order.size()); ++i)
    worst.push_back({{"case", order[i]->index},
                     {"name", order[i]->name},
                     {"time", order[i]->time},
                     {"relative_l2", order[i]->error.relative_l2}});
  nlohmann::ordered_json out = {{"cases", s.cases},
                                {"relative_l2", s.relative_l2},
                                {"relative_l2_worst", s.relative_l2_worst},
                                {"max_error", s.max_error},
                                {"sensor_consistency", s.sensor_consistency},
                                {"channels", channels},
                                {"worst_cases", worst}};
  if (!results.empty() && results[0].true_force)
    out["pressure_forces"] = {{"drag", force_json(results, &ForceCoefficients::drag)},
                              {"lift", force_json(results, &ForceCoefficients::lift)}};
  return out.dump(1) + "\n";
}

}  // namespace fluidsplat::field
