// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/run_evaluation.h"

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/threads.h"
#include "field/dataset_file.h"
#include "reconstruct/field_model.h"

namespace fluidsplat::app {
namespace {

void print_forces(const std::vector<field::CaseResult>& results) {
  double drag = 0, lift = 0;
  for (const auto& r : results) {
    drag += std::abs(r.predicted_force->drag - r.true_force->drag);
    lift += std::abs(r.predicted_force->lift - r.true_force->lift);
  }
  const auto n = double(results.size());
  fmt::print("  pressure forces: mean error of the drag coefficient {:.4g}, of the lift coefficient {:.4g}\n", drag / n,
             lift / n);
}

}  // namespace

std::filesystem::path model_file(const std::filesystem::path& given) {
  const auto file = std::filesystem::is_directory(given) ? given / "model.safetensors" : given;
  if (!std::filesystem::exists(file)) fail("{}: no such model; \"fluidsplat train\" writes one", file.string());
  return file;
}

std::optional<field::ErrorSummary> run_evaluation(const EvaluationSource& source) {
  const field::DatasetFile dataset(source.data);
  if (source.cases.empty()) fail("{}: no cases to evaluate on; choose others with --cases", source.data);
  reconstruct::FieldModel model(source.model, source.threads > 0 ? source.threads : available_threads());
  const auto& schema = dataset.schema();
  reconstruct::check_schema(model.schema(), schema, dataset.name());
  const field::SensorPlan sensors(model.sensors(), dataset);
  std::vector<field::CaseResult> results;
  {
    Progress progress("evaluating", std::ssize(source.cases));
    const auto predict = [&](const field::Case& c, const field::SensorReadings& readings) {
      return model.reconstruct(readings, c.descriptors, c.mesh).field;
    };
    Index done = 0;
    results = field::evaluate(predict, sensors, dataset, source.cases, source.forces, [&](const auto& r) {
      progress.update(++done, fmt::format("relative L2 {:.4f}", r.error.relative_l2));
      return !interrupted();
    });
  }
  if (interrupted()) return {};
  write_file(source.out / "cases.csv", field::cases_csv(results, schema));
  write_file(source.out / "metrics.json", field::metrics_json(results, schema));

  const auto summary = field::summarize(results);
  const auto worst = std::max_element(results.begin(), results.end(), [](const auto& a, const auto& b) {
    return a.error.relative_l2 < b.error.relative_l2;
  });
  fmt::print(
      "{} case{}: relative L2 error {:.4f} (worst {:.4f}, case {}{}), largest error {:.3g}, sensor consistency {:.4f}\n",
      summary.cases, summary.cases == 1 ? "" : "s", summary.relative_l2, summary.relative_l2_worst, worst->index,
      worst->name.empty() ? "" : " \"" + worst->name + "\"", summary.max_error, summary.sensor_consistency);
  if (summary.channel_l2.size() > 1)
    for (std::size_t c = 0; c < summary.channel_l2.size(); ++c)
      fmt::print("  {:<12} relative L2 {:.4f}, largest error {:.3g} {}\n", schema.channels[c].name,
                 summary.channel_l2[c], summary.channel_max[c], schema.channels[c].unit);
  if (source.forces) print_forces(results);
  return summary;
}

}  // namespace fluidsplat::app
