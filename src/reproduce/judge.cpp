// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/judge.h"

#include <algorithm>
#include <cmath>

#include "field/metrics.h"
#include "field/sensor_count.h"
#include "field/sensor_placement.h"
#include "reconstruct/answer.h"

namespace fluidsplat::reproduce {
namespace {

void add(const field::CaseError& error, double share, ConditionErrors& out) {
  out.channels.resize(error.channel_l2.size());
  for (std::size_t c = 0; c < error.channel_l2.size(); ++c) out.channels[c] += error.channel_l2[c] * share;
  out.mean += error.relative_l2 * share;
  out.worst = std::max(out.worst, error.relative_l2);
}

}  // namespace

std::vector<reconstruct::Condition> conditions_for(Index sensors) {
  std::vector<reconstruct::Condition> out = {
      {kClean, {}}, {kLittleNoise, {.noise = 0.01}}, {kMuchNoise, {.noise = 0.05}}};
  if (sensors > 1) out.push_back({kQuarterDead, {.dead = std::max<Index>(1, std::lround(0.25 * double(sensors)))}});
  return out;
}

std::vector<Index> spread(const std::vector<Index>& cases, Index most) {
  const Index all = std::ssize(cases), count = most == 0 ? all : std::min(most, all);
  std::vector<Index> out;
  for (Index i = 0; i < count; ++i) out.push_back(cases[i * all / count]);
  return out;
}

std::optional<Judged> judge(reconstruct::FieldModel& model, const field::Dataset& dataset,
                            const std::vector<Index>& cases, Index sensors, const std::function<bool()>& go_on) {
  const auto layout = sensors == 0 ? model.sensors() : field::with_count(model.sensors(), sensors, *dataset.mesh(0));
  const field::SensorPlacement placed(layout, dataset);
  const auto conditions = conditions_for(layout.size());
  Judged out{sensors, {}};
  for (const auto& c : conditions) out.conditions.push_back({c.name});
  // Case by case, since what a model makes of a mesh serves all conditions.
  for (const Index i : cases) {
    const auto c = dataset.load(i);
    const auto readings = placed.read(c, i);
    for (std::size_t k = 0; k < conditions.size(); ++k) {
      if (go_on && !go_on()) return {};
      const auto said = reconstruct::answer(model, readings, conditions[k].disturbance, c, dataset.schema(), c.mesh);
      add(field::compare(said, c.fields), 1 / double(cases.size()), out.conditions[k]);
    }
  }
  return out;
}

}  // namespace fluidsplat::reproduce
