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
  for (const auto& condition : conditions) {
    auto& errors = out.conditions[&condition - conditions.data()];
    for (const Index i : cases) {
      if (go_on && !go_on()) return {};
      const auto c = dataset.load(i);
      const auto said =
          reconstruct::answer(model, placed.read(c, i), condition.disturbance, c, dataset.schema(), c.mesh);
      const auto error = field::compare(said, c.fields);
      errors.channels.resize(error.channel_l2.size());
      for (std::size_t k = 0; k < error.channel_l2.size(); ++k)
        errors.channels[k] += error.channel_l2[k] / double(cases.size());
      errors.mean += error.relative_l2 / double(cases.size());
      errors.worst = std::max(errors.worst, error.relative_l2);
    }
  }
  return out;
}

}  // namespace fluidsplat::reproduce
