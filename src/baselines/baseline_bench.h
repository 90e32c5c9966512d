// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>

#include "base/temporary_folder.h"
#include "baselines/register.h"
#include "field/evaluation.h"
#include "learn/config/setup.h"
#include "learn/config/toy_wake.h"
#include "learn/model/open_model.h"
#include "learn/train/trainer.h"

// For tests: a model of any kind, fitted to a travelling wave and opened again from its file.
namespace fluidsplat::baselines {

// The same wave on two grids.
inline field::MemoryDataset wave_on_two_meshes() {
  auto data = learn::toy_wake(24, 16, 24);
  auto other = learn::toy_wake(24, 15, 22);
  field::MemoryDataset out(data.schema(), "wave on two meshes");
  for (Index i = 0; i < data.size(); ++i) {
    out.add(data.load(i));
    out.add(other.load(i));
  }
  return out;
}

struct BaselineBench {
  // `settings`: the config's [model] and whatever follows it.
  explicit BaselineBench(const std::string& settings, field::MemoryDataset cases = learn::toy_wake())
      : data(std::move(cases)) {
    register_baselines();
    config = learn::toy_config((folder / "run").string());
    const auto parsed = learn::parse_train_config("[model]\n" + settings, "test", {});
    config.model = parsed.model;
    if (settings.find("[sensors]") != std::string::npos) config.sensors = parsed.sensors;
    learn::Trainer trainer(config, data, split(), learn::make_sensors(config.sensors, data));
    trainer.run();
    file = trainer.folder().model();
    model = learn::open_field_model(file, 1);
  }
  field::Split split() const { return learn::make_split(config.data, data); }
  double error(const std::function<void(field::SensorReadings&)>& change = {}) const {
    const field::SensorPlacement sensors(model->sensors(), data);
    const auto predict = [&](field::SensorReadings readings, const field::Case& c,
                             const std::shared_ptr<const field::Mesh>& mesh) {
      if (change) change(readings);
      return model->reconstruct(readings, c.descriptors, mesh).field;
    };
    return field::summarize(field::evaluate(predict, sensors, data, split().test)).relative_l2;
  }

  field::MemoryDataset data;
  TemporaryFolder folder;
  learn::TrainConfig config;
  std::filesystem::path file;
  std::unique_ptr<reconstruct::FieldModel> model;
};

}  // namespace fluidsplat::baselines
