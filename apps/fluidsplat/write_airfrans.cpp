// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/write_airfrans.h"
#include "apps/model_file.h"

#include <fmt/format.h>

#include <numeric>

#include "apps/progress_hooks.h"
#include "apps/run_evaluation.h"
#include "base/threads.h"
#include "benchmarks/airfrans_predictions.h"
#include "field/split.h"
#include "learn/config/setup.h"
#include "learn/model/open_model.h"
#include "reconstruct/answer.h"

namespace fluidsplat::app {
namespace {

std::vector<Index> cases_to_write(const AirfransRequest& request, const field::Dataset& dataset) {
  if (request.cases == "all") {
    std::vector<Index> all(dataset.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  const auto split = field::read_split(model_file(request.model).parent_path() / "split.json", dataset);
  return request.cases == "test" ? split.test : request.cases == "train" ? split.train : split.validation;
}

}  // namespace

void write_airfrans(const AirfransRequest& request) {
  learn::check_dataset_exists(request.data);
  const field::DatasetFile dataset(request.data);
  const auto threads = request.threads > 0 ? request.threads : available_threads();
  const auto model = learn::open_field_model(model_file(request.model), threads);
  reconstruct::check_schema(model->schema(), dataset.schema(), dataset.name());
  const field::SensorPlacement sensors(model->sensors(), dataset);
  const auto predict = [&](const field::SensorReadings& readings, const field::Case& c,
                           const std::shared_ptr<const field::Mesh>& mesh) {
    return reconstruct::answer(*model, readings, {}, c, dataset.schema(), mesh);
  };
  ProgressHooks progress;
  const auto outcome = benchmarks::write_airfrans_predictions(request.folder, dataset, cases_to_write(request, dataset),
                                                              sensors, predict, progress.hooks());
  progress.finish();
  fmt::print("{}: {} case{} written beside the truth{}\n", request.folder, outcome.cases, outcome.cases == 1 ? "" : "s",
             outcome.complete ? "" : " before the interrupt");
}

}  // namespace fluidsplat::app
