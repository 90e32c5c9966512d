// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/cost.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/stopwatch.h"
#include "base/temporary_folder.h"
#include "baselines/classical_methods.h"
#include "learn/model/open_model.h"
#include "learn/model/torch_field_model.h"
#include "learn/train/trainer.h"
#include "reproduce/methods.h"

namespace fluidsplat::reproduce {
namespace {

constexpr int kWarmUps = 1, kTurns = 11;

// One method, ready to answer.
struct Contestant {
  Timing timing;
  std::unique_ptr<reconstruct::FieldModel> model;
  std::vector<double> milliseconds = {};
};

// The model file of a network after one step.
std::filesystem::path barely_trained(learn::TrainConfig config, const std::filesystem::path& data_file,
                                     const std::filesystem::path& folder, const field::Dataset& dataset,
                                     field::Split split, const field::SensorLayout& sensors) {
  config.data.file = data_file.string();
  config.out = folder.string();
  config.schedule.steps = config.validate_every = 1;
  config.max_minutes = 0;
  split.validation.clear();
  learn::Trainer trainer(config, dataset, split, sensors);
  trainer.run();
  return trainer.folder().model();
}

// The first points of a mesh again and again, with the same wall.
std::shared_ptr<const field::Mesh> repeated(const field::Mesh& mesh) {
  auto out = std::make_shared<field::Mesh>();
  out->points.resize(kCostQueries, mesh.points.cols());
  out->features.resize(kCostQueries, mesh.features.cols());
  for (Index i = 0; i < kCostQueries; ++i) {
    out->points.row(i) = mesh.points.row(i % mesh.size());
    out->features.row(i) = mesh.features.row(i % mesh.size());
  }
  out->wall = mesh.wall;
  return out;
}

void summarize(Contestant& c) {
  auto& ms = c.milliseconds;
  const double mean = std::accumulate(ms.begin(), ms.end(), 0.0) / double(ms.size());
  double squares = 0;
  for (const double v : ms) squares += (v - mean) * (v - mean);
  std::ranges::sort(ms);
  c.timing.milliseconds = ms[ms.size() / 2];
  c.timing.deviation = std::sqrt(squares / double(ms.size() - 1));
}

}  // namespace

std::optional<std::vector<Timing>> time_methods(const Run& run, const std::filesystem::path& data_file,
                                                const field::Dataset& dataset, const field::Split& split,
                                                const field::SensorLayout& sensors, const RunHooks& hooks) {
  const TemporaryFolder folder;
  baselines::ClassicalFits fits(dataset, split, sensors);
  std::vector<Contestant> all;
  for (const auto& m : methods_for(false, false)) {
    if (hooks.should_stop()) return {};
    hooks.tell(0, "preparing " + m.label);
    if (m.is_classical) {
      auto fit = fits.make({m.label, m.settings});
      all.push_back({{m.label, "libtorch"}, std::make_unique<learn::TorchFieldModel>(std::move(fit.trained))});
      continue;
    }
    auto config = config_of({run.subject.benchmark, run.subject.layout, m.id});
    config.threads = run.config.threads;
    const auto file = barely_trained(config, data_file, folder / m.id, dataset, split, sensors);
    auto model = learn::open_field_model(file, int(run.config.threads));
    const bool ours = m.id == "paper" || m.id == "recipe";
    const Index parameters = model->parameters();
    all.push_back({{m.label, ours ? "our runtime" : "libtorch", parameters}, std::move(model)});
    if (ours)
      all.push_back(
          {{m.label, "libtorch", parameters}, std::make_unique<learn::TorchFieldModel>(learn::load_model(file))});
  }
  const Index index = split.test.front();
  const auto c = dataset.load(index);
  const auto readings = field::SensorPlacement(sensors, dataset).read(c, index);
  const auto mesh = repeated(*c.mesh);
  for (int turn = -kWarmUps; turn < kTurns; ++turn)
    for (auto& contestant : all) {
      if (hooks.should_stop()) return {};
      hooks.tell(double(turn + kWarmUps) / (kTurns + kWarmUps), "timing");
      const Stopwatch watch;
      contestant.model->reconstruct(readings, c.descriptors, mesh);
      if (turn >= 0) contestant.milliseconds.push_back(1000 * watch.seconds());
    }
  std::vector<Timing> out;
  for (auto& contestant : all) {
    summarize(contestant);
    out.push_back(contestant.timing);
  }
  return out;
}

}  // namespace fluidsplat::reproduce
