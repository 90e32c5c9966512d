// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/stopwatch.h"
#include "field/error_text.h"
#include "field/metrics.h"
#include "field/sensor_placement.h"

#include "reconstruct/answer.h"

namespace fluidsplat::reconstruct {
namespace {

const MethodResult* least(const std::vector<MethodResult>& methods, Index condition,
                          const std::function<bool(const MethodResult&)>& counts) {
  const MethodResult* out = nullptr;
  for (const auto& m : methods)
    if (counts(m) && !m.errors.empty() && (!out || m.errors[condition].mean < out->errors[condition].mean)) out = &m;
  return out;
}

std::string time_text(double seconds) {
  if (seconds < 0.01) return fmt::format("{:.1f} ms", 1000 * seconds);
  if (seconds < 1) return fmt::format("{:.0f} ms", 1000 * seconds);
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  return fmt::format("{:.1f} min", seconds / 60);
}

std::string spoken(const Condition& c) {
  if (c.disturbance.dead == 0) return c.name;
  return fmt::format("{} dead sensor{}", c.disturbance.dead, c.disturbance.dead == 1 ? "" : "s");
}

}  // namespace

std::vector<Condition> usual_conditions(Index sensors) {
  std::vector<Condition> out = {{"clean", {}}, {"1 % noise", {.noise = 0.01}}, {"5 % noise", {.noise = 0.05}}};
  if (sensors > 1) out.push_back({"1 dead", {.dead = 1}});
  if (sensors > 2) out.push_back({"2 dead", {.dead = 2}});
  return out;
}

std::optional<Errors> judge(FieldModel& model, const field::Dataset& dataset, const std::vector<Index>& cases,
                            const Disturbance& disturbance, const std::function<bool()>& go_on) {
  const field::SensorPlacement sensors(model.sensors(), dataset);
  Errors out;
  for (const Index i : cases) {
    if (go_on && !go_on()) return {};
    const auto c = dataset.load(i);
    const double error =
        field::compare(answer(model, sensors.read(c, i), disturbance, c, dataset.schema(), c.mesh), c.fields)
            .relative_l2;
    out.mean += error / double(cases.size());
    out.worst = std::max(out.worst, error);
  }
  return out;
}

double seconds_to_answer(FieldModel& model, const field::Dataset& dataset, Index case_index) {
  const field::SensorPlacement sensors(model.sensors(), dataset);
  const auto c = dataset.load(case_index);
  const auto readings = sensors.read(c, case_index);
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    const Stopwatch watch;
    model.reconstruct(readings, descriptors_for(c.descriptors, model.schema()), c.mesh);
    times.push_back(watch.seconds());
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

const MethodResult* Comparison::best(Index condition) const {
  return least(methods, condition, [](const auto&) { return true; });
}

const MethodResult* Comparison::best(Index condition, bool is_trained) const {
  return least(methods, condition, [&](const auto& m) { return m.is_trained == is_trained; });
}

std::string comparison_table(const Comparison& c) {
  std::string text = fmt::format("{:<26}", "method");
  for (const auto& condition : c.conditions) {
    text += fmt::format("{:>11}", condition.name);
    if (condition.name == "clean") text += fmt::format("{:>10}", "(worst)");
  }
  text += fmt::format("{:>11}{:>11}\n", "to train", "to answer");
  for (const auto& m : c.methods) {
    text += fmt::format("{:<26}", m.name);
    if (m.errors.empty()) {
      text += fmt::format("  {}\n", m.trouble);
      continue;
    }
    for (Index i = 0; i < std::ssize(c.conditions); ++i) {
      text += fmt::format("{:>11}", field::error_text(m.errors[i].mean));
      if (c.conditions[i].name == "clean")
        text += fmt::format("{:>10}", "(" + field::error_text(m.errors[i].worst) + ")");
    }
    text += fmt::format("{:>11}{:>11}\n", time_text(m.seconds_to_fit), time_text(m.seconds_to_answer));
  }
  return text;
}

std::string comparison_csv(const Comparison& c) {
  std::string text = "method,trained,parameters,seconds_to_train,seconds_to_answer";
  for (const auto& condition : c.conditions) text += fmt::format(",{0},{0} worst", condition.name);
  for (const auto& m : c.methods) {
    if (m.errors.empty()) continue;
    text += fmt::format("\n\"{}\",{},{},{:.6g},{:.6g}", m.name, int(m.is_trained), m.parameters, m.seconds_to_fit,
                        m.seconds_to_answer);
    for (const auto& e : m.errors) text += fmt::format(",{:.6g},{:.6g}", e.mean, e.worst);
  }
  return text + "\n";
}

std::string recommend(const Comparison& c) {
  // Differences below this are chance: another seed moves errors by more.
  constexpr double kEqual = 1.1;
  const auto* best = c.best(0);
  if (!best) return "No method could be judged.";
  const auto mean = std::ranges::find(c.methods, std::string(kTrainingMean), &MethodResult::name);
  if (mean != c.methods.end() && !mean->errors.empty() && best->errors[0].mean > 0.9 * mean->errors[0].mean)
    return fmt::format(
        "Use none of them: the best, {}, errs by {}, hardly less than the mean of the training cases ({}). The "
        "sensors say too little of the field, or the training cases are too few.",
        best->name, field::error_text(best->errors[0].mean), field::error_text(mean->errors[0].mean));
  const auto *classical = c.best(0, false), *trained = c.best(0, true);
  // Equal errors speak for the simpler method.
  const bool network_wins = trained && (!classical || classical->errors[0].mean > kEqual * trained->errors[0].mean);
  const auto* chosen = network_wins ? trained : classical;
  std::string text;
  if (!trained) {
    text = fmt::format("Use {} ({}): of the methods that need no training it errs least.", best->name,
                       field::error_text(best->errors[0].mean));
  } else if (!network_wins) {
    const bool equal = trained->errors[0].mean <= kEqual * classical->errors[0].mean;
    text = fmt::format(
        "Use {} ({}): {} {} ({}), and it is fitted in {} instead of {}. A network does not earn its "
        "place on these data.",
        classical->name, field::error_text(classical->errors[0].mean),
        equal ? "it errs about as much as" : "it errs less than", trained->name,
        field::error_text(trained->errors[0].mean), time_text(classical->seconds_to_fit),
        time_text(trained->seconds_to_fit));
  } else {
    text = fmt::format("Use {} ({}): ", trained->name, field::error_text(trained->errors[0].mean));
    text += classical ? fmt::format("the best method without training, {}, errs by {}, {:.1f} times as much.",
                                    classical->name, field::error_text(classical->errors[0].mean),
                                    classical->errors[0].mean / trained->errors[0].mean)
                      : std::string("no other could be judged.");
  }
  for (Index i = 1; i < std::ssize(c.conditions); ++i) {
    const auto* other = c.best(i);
    if (other != chosen && chosen->errors[i].mean > kEqual * other->errors[i].mean)
      text += fmt::format(" With {} {} is better ({} against {}).", spoken(c.conditions[i]), other->name,
                          field::error_text(other->errors[i].mean), field::error_text(chosen->errors[i].mean));
  }
  return text;
}

}  // namespace fluidsplat::reconstruct
