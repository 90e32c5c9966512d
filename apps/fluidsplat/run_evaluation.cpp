// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/run_training.h"
#include "base/atomic_file.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/threads.h"
#include "field/dataset_file.h"
#include "learn/predictor.h"
#include "learn/setup.h"

namespace fluidsplat::app {
namespace {

std::string cases_csv(const std::vector<learn::CaseResult>& results, const field::Dataset& dataset) {
  std::string text = "case,relative_l2,max_error,sensor_consistency";
  for (const auto& c : dataset.schema().channels) text += fmt::format(",l2_{0},max_{0}", c.name);
  text += "\n";
  for (const auto& r : results) {
    text += fmt::format("{},{:.6g},{:.6g},{:.6g}", r.index, r.error.relative_l2, r.error.max_error,
                        r.sensor_consistency);
    for (std::size_t c = 0; c < r.error.channel_l2.size(); ++c)
      text += fmt::format(",{:.6g},{:.6g}", r.error.channel_l2[c], r.error.channel_max[c]);
    text += "\n";
  }
  return text;
}

std::string metrics_json(const field::ErrorSummary& s, const std::vector<learn::CaseResult>& results,
                         const field::Dataset& dataset) {
  nlohmann::json channels = nlohmann::json::array();
  for (std::size_t c = 0; c < s.channel_l2.size(); ++c) {
    const auto& column = dataset.schema().channels[c];
    channels.push_back({{"name", column.name},
                        {"unit", column.unit},
                        {"relative_l2", s.channel_l2[c]},
                        {"max_error", s.channel_max[c]}});
  }
  const auto worst = std::max_element(results.begin(), results.end(), [](const auto& a, const auto& b) {
    return a.error.relative_l2 < b.error.relative_l2;
  });
  return nlohmann::json{{"cases", s.cases},
                        {"relative_l2", s.relative_l2},
                        {"relative_l2_worst", s.relative_l2_worst},
                        {"worst_case", worst->index},
                        {"max_error", s.max_error},
                        {"sensor_consistency", s.sensor_consistency},
                        {"channels", channels}}
             .dump(1) +
         "\n";
}

}  // namespace

std::optional<field::ErrorSummary> run_evaluation(const std::string& model, const std::string& data,
                                                  const std::vector<std::int64_t>& cases,
                                                  const std::string& out, const std::string& device,
                                                  int threads) {
  learn::check_dataset_exists(data);
  const field::DatasetFile dataset(data);
  torch::set_num_threads(threads > 0 ? threads : available_threads());
  learn::Predictor predictor(learn::load_model(model), torch::Device(device));
  std::vector<learn::CaseResult> results;
  {
    Progress progress("evaluating", static_cast<std::int64_t>(cases.size()));
    std::int64_t done = 0;
    results = learn::evaluate(predictor, dataset, cases, [&](const learn::CaseResult& r) {
      progress.update(++done, fmt::format("relative L2 {:.4f}", r.error.relative_l2));
      return !interrupted();
    });
  }
  if (interrupted() || results.empty()) return {};
  const auto summary = learn::summarize(results);
  write_file(std::filesystem::path(out) / "cases.csv", cases_csv(results, dataset));
  write_file(std::filesystem::path(out) / "metrics.json", metrics_json(summary, results, dataset));
  fmt::print(
      "{} cases: relative L2 error {:.4f} (worst {:.4f}), largest error {:.3g}, sensor consistency {:.4f}\n",
      summary.cases, summary.relative_l2, summary.relative_l2_worst, summary.max_error,
      summary.sensor_consistency);
  if (summary.channel_l2.size() > 1)
    for (std::size_t c = 0; c < summary.channel_l2.size(); ++c)
      fmt::print("  {:<12} relative L2 {:.4f}, largest error {:.3g} {}\n", dataset.schema().channels[c].name,
                 summary.channel_l2[c], summary.channel_max[c], dataset.schema().channels[c].unit);
  return summary;
}

}  // namespace fluidsplat::app
