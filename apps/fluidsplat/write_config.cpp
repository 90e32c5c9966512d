// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/write_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/file_kind.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "field/dataset_file.h"
#include "learn/config/measure_step.h"
#include "learn/config/setup.h"
#include "learn/train/run_folder.h"

namespace fluidsplat::app {
namespace {

namespace fs = std::filesystem;

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

// runs/<dataset>, or the first folder like it that holds nothing and that no config here has for its own.
std::string free_run_folder(const InitOptions& o) {
  std::vector<fs::path> claimed;
  const auto config = fs::absolute(o.out);
  for (const auto& entry : fs::directory_iterator(config.parent_path())) {
    if (entry.path().extension() != ".toml" || entry.path().filename() == config.filename()) continue;
    try {
      const auto out = Config::peek(read_file(entry.path(), 1 << 20), "out", entry.path().string());
      if (out) claimed.push_back((config.parent_path() / *out).lexically_normal());
    } catch (const Error&) {
      // Some other program's file.
    }
  }
  const auto taken = [&](const fs::path& folder) {
    return fs::exists(folder) || std::ranges::find(claimed, fs::absolute(folder).lexically_normal()) != claimed.end();
  };
  return learn::first_free(fs::path("runs") / fs::path(o.data).stem(), taken).string();
}

}  // namespace

void write_config(const InitOptions& o) {
  if (fs::exists(o.out) && !o.force)
    fail("{}: is there already; name another file with --out, or replace it with --force", o.out);
  learn::check_dataset_exists(o.data);
  expect_kind(o.data, FileKind::dataset);
  const field::DatasetFile dataset(o.data);
  learn::SuggestRequest request;
  request.data_file = o.data;
  request.out = o.run.empty() ? free_run_folder(o) : o.run;
  request.minutes = o.minutes;
  request.sensors = sensors_of(o);
  request.channels = o.channels;
  auto suggestion = learn::suggest(dataset, request);
  const auto& config = suggestion.config;
  fmt::print("measuring how long a step takes here ...\n");
  learn::fit_budget(suggestion, learn::measure_step(config, *field::SeenData(dataset, learn::how_seen(config.data)),
                                                    learn::make_split(config.data, dataset),
                                                    learn::make_sensors(config.sensors, dataset)));
  suggestion.config = learn::seen_from(fs::absolute(o.out).parent_path(), suggestion.config);
  const auto text = learn::to_toml(suggestion);
  write_file(o.out, text);
  fmt::print("{}\n{}: written; train with \"fluidsplat train {}\"\n", text, o.out, o.out);
}

}  // namespace fluidsplat::app
