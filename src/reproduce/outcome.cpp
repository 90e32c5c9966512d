// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/outcome.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reproduce/read_json.h"

namespace fluidsplat::reproduce {

const ConditionErrors* Judged::find(const std::string& condition) const {
  const auto found = std::ranges::find(conditions, condition, &ConditionErrors::condition);
  return found == conditions.end() ? nullptr : &*found;
}

const Judged* Outcome::find(Index sensors) const {
  const auto found = std::ranges::find(judged, sensors, &Judged::sensors);
  return found == judged.end() ? nullptr : &*found;
}

nlohmann::ordered_json to_json(const Outcome& o) {
  nlohmann::ordered_json out = {{"cases", o.cases},
                                {"channels", o.channels},
                                {"parameters", o.parameters},
                                {"steps", o.steps},
                                {"seconds_to_train", o.seconds_to_train},
                                {"seconds_to_answer", o.seconds_to_answer}};
  if (!o.ended.empty()) out["ended"] = o.ended;
  if (!o.trouble.empty()) out["trouble"] = o.trouble;
  out["judged"] = nlohmann::ordered_json::array();
  for (const auto& j : o.judged) {
    nlohmann::ordered_json judged = {{"sensors", j.sensors}, {"conditions", nlohmann::ordered_json::array()}};
    for (const auto& c : j.conditions)
      judged["conditions"].push_back(
          {{"condition", c.condition}, {"mean", c.mean}, {"worst", c.worst}, {"channels", c.channels}});
    out["judged"].push_back(judged);
  }
  for (const auto& t : o.timings)
    out["timings"].push_back({{"method", t.method},
                              {"engine", t.engine},
                              {"parameters", t.parameters},
                              {"milliseconds", t.milliseconds},
                              {"deviation", t.deviation}});
  return out;
}

Outcome outcome_from(const std::string& json, const std::string& where) {
  return read_json<Outcome>(json, where, [](const nlohmann::json& j) {
    Outcome out;
    j.at("cases").get_to(out.cases);
    j.at("channels").get_to(out.channels);
    j.at("parameters").get_to(out.parameters);
    j.at("steps").get_to(out.steps);
    j.at("seconds_to_train").get_to(out.seconds_to_train);
    j.at("seconds_to_answer").get_to(out.seconds_to_answer);
    out.ended = j.value("ended", "");
    out.trouble = j.value("trouble", "");
    for (const auto& judged : j.at("judged")) {
      Judged one{judged.at("sensors").get<Index>(), {}};
      for (const auto& c : judged.at("conditions"))
        one.conditions.push_back({c.at("condition").get<std::string>(), c.at("mean").get<double>(),
                                  c.at("worst").get<double>(), c.at("channels").get<std::vector<double>>()});
      out.judged.push_back(std::move(one));
    }
    for (const auto& t : j.value("timings", nlohmann::json::array()))
      out.timings.push_back({t.at("method").get<std::string>(), t.at("engine").get<std::string>(),
                             t.at("parameters").get<Index>(), t.at("milliseconds").get<double>(),
                             t.at("deviation").get<double>()});
    return out;
  });
}

}  // namespace fluidsplat::reproduce
