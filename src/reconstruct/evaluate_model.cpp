// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/evaluate_model.h"

#include <algorithm>
#include <cmath>

#include "base/atomic_file.h"
#include "base/error.h"
#include "field/error_text.h"
#include "field/evaluation_parts.h"
#include "field/mean_field.h"
#include "field/seen_data.h"
#include "reconstruct/judge_functionals.h"

#include "reconstruct/answer.h"

namespace fluidsplat::reconstruct {

std::vector<field::CaseResult> evaluate_model(FieldModel& model, const field::Dataset& dataset,
                                              const EvaluationRequest& request,
                                              const std::function<bool(const field::CaseResult&)>& on_case,
                                              std::string* intervals) {
  if (request.cases.empty()) fail("{}: no cases to evaluate on", dataset.name());
  check_schema(model.schema(), dataset.schema(), dataset.name());
  const field::SensorPlacement sensors(request.sensors, dataset);
  std::optional<field::MeanField> mean;
  if (!request.mean_of.empty()) mean.emplace(dataset, request.mean_of);
  std::optional<FunctionalJudge> judge;
  std::vector<JudgedFunctionals> judged;
  if (request.level > 0)
    judge.emplace(model, request.calibration, uncertainty::BandRequest{.level = request.level}, dataset.name());
  bool stopped = false;
  field::EvaluationOptions options;
  options.forces = request.forces;
  options.mean = mean ? &*mean : nullptr;
  options.on_case = [&](const field::CaseResult& r) {
    stopped = on_case && !on_case(r);
    return !stopped;
  };
  const auto predict = [&](const field::SensorReadings& readings, const field::Case& c,
                           const std::shared_ptr<const field::Mesh>& mesh) {
    return answer(model, readings, request.disturbance, c, dataset.schema(), mesh);
  };
  auto results = field::evaluate(predict, sensors, dataset, request.shard.part_of(request.cases), options);
  if (stopped) return {};
  if (!request.shard.is_whole()) {
    results = field::join_evaluation(request.out, request.shard, results, request.provenance);
    if (results.empty()) return {};
  }
  // Intervals are in the model's own units.
  const field::SeenData seen(dataset, model.schema());
  for (Index index : judge ? request.cases : std::vector<Index>()) {
    const auto c = seen->load(index);
    const auto readings =
        disturb(sensors.read(c, index), request.disturbance, model.description().normalization.readings);
    judged.push_back(judge->judge(
        c, index, readings, model.reconstruct(readings, descriptors_for(c.descriptors, model.schema()), c.mesh).field));
    judged.back().is_calibrated_on &= request.is_calibrated_data;
  }
  if (judge) {
    write_file(request.out / "functionals.csv", functionals_csv(judged, judge->list()));
    if (intervals) *intervals = describe_functionals(judged, judge->list(), request.level);
  }
  write_file(request.out / "cases.csv", field::cases_csv(results, dataset.schema(), request.provenance));
  write_file(request.out / "metrics.json", field::metrics_json(results, dataset.schema(), request.provenance));
  return results;
}

namespace {

// The mean over cases of one number of each; nothing when a case has none.
std::optional<double> mean_over(const std::vector<field::CaseResult>& results,
                                const std::function<std::optional<double>(const field::CaseResult&)>& number) {
  double sum = 0;
  for (const auto& r : results) {
    const auto value = number(r);
    if (!value) return {};
    sum += *value / double(results.size());
  }
  return sum;
}

// What is good or bad about a run.  Errors are of the deviation from the mean field, which a large mean cannot hide.
std::string verdict(const std::vector<field::CaseResult>& results, const field::Schema& schema, double deviation) {
  constexpr double kGood = 0.1, kFair = 0.4, kNothing = 0.95;
  std::string text;
  if (deviation >= kNothing)
    text = "no better than the mean field: train longer, or look at what the sensors can know";
  else if (deviation >= kFair)
    text = fmt::format("much is missing: {:.0f} % of the deviation from the mean field", 100 * deviation);
  else
    text = fmt::format("{}: {:.1f} % of the deviation from the mean field is missed",
                       deviation < kGood ? "good" : "fair", 100 * deviation);
  Index weakest = 0;
  std::vector<double> channels;
  for (Index c = 0; c < std::ssize(schema.channels); ++c) {
    channels.push_back(*mean_over(results, [&](const auto& r) { return std::optional(r.deviation->channel_l2[c]); }));
    if (channels[c] > channels[weakest]) weakest = c;
  }
  if (channels.size() > 1 && channels[weakest] > 1.5 * deviation)
    text += fmt::format("; weakest in {} ({:.1f} %)", schema.channels[weakest].name, 100 * channels[weakest]);
  return text;
}

// A channel that is 0 all along the wall, as velocities are, is compared with its size in the flow (compare_surface).
std::string describe_wall(const std::vector<field::CaseResult>& results, const field::Schema& schema) {
  std::string text;
  for (Index c = 0; c < std::ssize(schema.channels); ++c) {
    const auto error = mean_over(
        results, [&](const auto& r) { return r.surface ? std::optional(r.surface->channel_l2[c]) : std::nullopt; });
    if (error)
      text += fmt::format("{} {} {}", text.empty() ? "" : ",", schema.channels[c].name, field::error_text(*error));
  }
  return text.empty() ? text : fmt::format("  on the wall: relative L2{}\n", text);
}

std::string describe_forces(const std::vector<field::CaseResult>& results) {
  using Part = std::function<std::optional<double>(const field::ForceCoefficients&)>;
  const auto mean_error = [&](const Part& part) {
    return mean_over(results, [&](const auto& r) -> std::optional<double> {
      if (!r.true_force || !part(*r.true_force)) return {};
      return std::abs(*part(*r.predicted_force) - *part(*r.true_force));
    });
  };
  std::string text;
  const auto add = [&](const char* what, const Part& drag, const Part& lift) {
    if (const auto error = mean_error(drag))
      text += fmt::format("  {} forces: mean error of the drag coefficient {:.4g}, of the lift coefficient {:.4g}\n",
                          what, *error, mean_error(lift).value_or(0));
  };
  add(
      "pressure", [](const auto& f) { return f.drag; }, [](const auto& f) { return f.lift; });
  add(
      "friction", [](const auto& f) { return f.friction_drag; }, [](const auto& f) { return f.friction_lift; });
  return text;
}

}  // namespace

std::string describe_evaluation(const std::vector<field::CaseResult>& results, const field::Schema& schema) {
  const auto summary = field::summarize(results);
  const auto worst = std::max_element(results.begin(), results.end(), [](const auto& a, const auto& b) {
    return a.error.relative_l2 < b.error.relative_l2;
  });
  std::string text = fmt::format(
      "{} case{}: relative L2 error {} (worst {}, case {}{}), largest error {:.3g}, sensor consistency {}\n",
      summary.cases, summary.cases == 1 ? "" : "s", field::error_text(summary.relative_l2),
      field::error_text(summary.relative_l2_worst), worst->index, worst->name.empty() ? "" : " \"" + worst->name + "\"",
      summary.max_error, field::error_text(summary.sensor_consistency));
  const auto deviation = mean_over(
      results, [](const auto& r) { return r.deviation ? std::optional(r.deviation->relative_l2) : std::nullopt; });
  if (summary.channel_l2.size() > 1)
    for (Index c = 0; c < std::ssize(summary.channel_l2); ++c) {
      text += fmt::format("  {:<12} relative L2 {}", schema.channels[c].name, field::error_text(summary.channel_l2[c]));
      if (deviation)
        text += fmt::format(", of the deviation from the mean field {}",
                            field::error_text(*mean_over(
                                results, [&](const auto& r) { return std::optional(r.deviation->channel_l2[c]); })));
      const auto& unit = schema.channels[c].unit;
      text += fmt::format(", largest error {:.3g}{}{}\n", summary.channel_max[c], unit.empty() ? "" : " ", unit);
    }
  const auto nearest_error = field::nearest_sensor_error(results);
  const auto nearest =
      nearest_error ? fmt::format(", what the nearest sensor says by {:.4f}", *nearest_error) : std::string();
  if (deviation)
    text += fmt::format("  the mean field alone errs by {:.4f}{}\n  {}\n", field::mean_field_error(results).value_or(0),
                        nearest, verdict(results, schema, *deviation));
  return text + describe_wall(results, schema) + describe_forces(results);
}

}  // namespace fluidsplat::reconstruct
