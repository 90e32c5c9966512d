// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/dataset_advice.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/atomic_file.h"
#include "base/error.h"
#include "field/sensors.h"
#include "theory/from_dataset.h"

namespace fluidsplat::theory {
namespace {

std::optional<int> as_count(const std::string& text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

// The mesh points that the sensors of a layout file sit on.
std::vector<Index> sensor_points(const std::string& file, const field::Dataset& dataset, const field::Mesh& mesh) {
  const nlohmann::json json = nlohmann::json::parse(read_file(file), nullptr, false);
  if (json.is_discarded()) fail("{}: not JSON; give a sensor layout file, or the number of sensors", file);
  const field::SensorLayout layout = field::layout_from_json(json, dataset.schema(), file);
  return layout.snap(mesh, field::typical_spacing(mesh)).points;
}

}  // namespace

Advice advise(const field::Dataset& dataset, const AdviceRequest& request) {
  if (request.frames < 1) fail("advice needs at least 1 frame, got {}", request.frames);
  std::vector<Index> cases(std::min<Index>(request.frames, dataset.size()));
  std::iota(cases.begin(), cases.end(), 0);
  DatasetFrames frames = load_frames(dataset, request.channel, cases);

  Question question;
  if (const std::optional<int> count = as_count(request.sensors)) {
    question.sensors = *count;
  } else {
    const auto mesh = dataset.mesh(dataset.mesh_of(cases.front()));
    for (Index point : sensor_points(request.sensors, dataset, *mesh))
      question.sensor_rows.push_back(int(frames.row_of[point]));
    question.sensors = int(question.sensor_rows.size());
  }
  question.points = std::move(frames.points);
  question.fields = std::move(frames.fields);
  question.in_time = frames.in_time;
  question.grid = std::move(frames.grid);
  question.noise = request.noise;
  return advise(question);
}

}  // namespace fluidsplat::theory
