// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/write_config.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/atomic_file.h"
#include "base/error.h"
#include "field/dataset_file.h"
#include "learn/config/measure_step.h"
#include "learn/config/setup.h"

namespace fluidsplat::app {
namespace {

std::optional<learn::SensorConfig> sensors_of(const InitOptions& o) {
  learn::SensorConfig out;
  out.seed = o.seed;
  if (!o.csv.empty()) {
    out.kind = learn::SensorKind::kFile;
    out.file = o.csv;
  } else if (o.wall > 0) {
    out.kind = learn::SensorKind::kWall;
    out.count = o.wall;
  } else if (o.random_wall > 0) {
    out.kind = learn::SensorKind::kRandomWall;
    out.count = o.random_wall;
  } else if (o.random > 0) {
    out.kind = learn::SensorKind::kRandom;
    out.count = o.random;
  } else {
    return {};
  }
  return out;
}

}  // namespace

void write_config(const InitOptions& o) {
  if (std::filesystem::exists(o.out) && !o.force)
    fail("{}: is there already; name another file with --out, or replace it with --force", o.out);
  learn::check_dataset_exists(o.data);
  const field::DatasetFile dataset(o.data);
  learn::SuggestRequest request;
  request.data_file = o.data;
  request.out = o.run.empty() ? "runs/" + std::filesystem::path(o.data).stem().string() : o.run;
  request.minutes = o.minutes;
  request.sensors = sensors_of(o);
  request.channels = o.channels;
  auto suggestion = learn::suggest(dataset, request);
  const auto& config = suggestion.config;
  fmt::print("measuring how long a step takes here ...\n");
  learn::fit_budget(suggestion, learn::measure_step(config, dataset, learn::make_split(config.data, dataset),
                                                    learn::make_sensors(config.sensors, dataset)));
  const auto text = learn::to_toml(suggestion);
  write_file(o.out, text);
  fmt::print("{}\n{}: written; train with \"fluidsplat train {}\"\n", text, o.out, o.out);
}

}  // namespace fluidsplat::app
