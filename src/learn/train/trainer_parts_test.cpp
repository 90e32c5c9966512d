// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases that are larger than the memory budget: never read whole, and the training is that of memory to the bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "field/dataset_file.h"
#include "field/without_descriptors.h"
#include "learn/train/trainer_bench.h"

namespace fluidsplat::learn {
namespace {

// Small cases that say that they are large, and let nobody read one whole.
class Large : public field::WithoutDescriptors {
 public:
  using WithoutDescriptors::WithoutDescriptors;
  field::Case load(Index index) const override { fail("case {} is too large to be read whole", index); }
  std::shared_ptr<const field::Mesh> mesh(Index index) const override {
    ++meshes_read;
    return WithoutDescriptors::mesh(index);
  }
  field::MeshOutline outline(Index index) const override {
    auto out = WithoutDescriptors::outline(index);
    out.bytes = std::size_t{1} << 40;
    return out;
  }
  mutable int meshes_read = 0;
};

void write_toy(const std::filesystem::path& path, Index meshes) {
  std::optional<field::DatasetWriter> writer;
  for (Index t = 0; t < 24; ++t) {
    const auto part = toy_wake(int(t) + 1, 200, 200 + int(t % meshes));
    if (!writer) writer.emplace(path, part.schema());
    writer->add(part.load(t));
  }
  writer->commit();
}

struct Curve {
  std::vector<double> losses, validations;
  std::string model;
};

Curve train(TrainConfig config, const std::string& out, const field::Dataset& data) {
  config.out = out;
  Trainer t(config, data, make_split(config.data, data), make_sensors(config.sensors, data));
  Curve curve;
  TrainCallbacks callbacks;
  callbacks.on_step = [&](Index, double loss, double) { curve.losses.push_back(loss); };
  t.run(callbacks);
  for (const auto& row : t.log()) curve.validations.push_back(row.validation);
  curve.model = read_file(t.folder().model());
  return curve;
}

struct Setting {
  const char* name;
  Index meshes;
  std::function<void(TrainConfig&)> change;
};

TEST(TrainerParts, LargeCasesTrainToTheBitsOfSmallOnes) {
  const std::vector<Setting> settings = {
      {"random sensors", 1, [](TrainConfig&) {}},
      {"few chunks", 1, [](TrainConfig& c) { c.sampling.chunks = 2; }},
      {"sensors drawn anew, several meshes", 3, [](TrainConfig& c) { c.sensors.kind = SensorKind::kRandomEach; }},
      {"positions, noise and silence", 3, [](TrainConfig& c) {
         c.sensors.kind = SensorKind::kPositions;
         c.sensors.positions = {{10, 20}, {33.2, 7}, {150, 180}};
         c.sensor_noise = 0.1;
         c.sensor_dropout = 0.3;
       }}};
  for (const auto& [name, meshes, change] : settings) {
    SCOPED_TRACE(name);
    const TemporaryFolder folder;
    write_toy(folder / "d.h5", meshes);
    const field::DatasetFile file(folder / "d.h5");
    const field::WithoutDescriptors small(file);
    const Large large(file);
    auto config = toy_config("");
    config.schedule.steps = 12;
    config.validate_every = 6;
    config.validation_points = 500;
    config.data.file = (folder / "d.h5").string();
    change(config);
    const auto expected = train(config, (folder / "small").string(), small);
    config.memory_budget = "8GB";
    const auto found = train(config, (folder / "large").string(), large);
    EXPECT_EQ(found.losses.size(), 12u);
    EXPECT_EQ(found.losses, expected.losses);
    EXPECT_EQ(found.validations, expected.validations);
    EXPECT_EQ(found.model, expected.model);
    EXPECT_LE(large.meshes_read, meshes + 1) << "by none but what learns where there are data, on small meshes";
  }
}

TEST(TrainerParts, WhatNeedsWholeCasesIsRefusedWithTheRemedy) {
  const auto toy = toy_wake();
  const Large large(toy);
  const std::vector<std::pair<std::string, std::function<void(TrainConfig&)>>> settings = {
      {"sampling.kind", [](TrainConfig& c) { c.sampling.kind = SamplingKind::kRms; }},
      {"lambda_surface", [](TrainConfig& c) { c.lambda_surface = 0.1; }},
      {"subtract_mean", [](TrainConfig& c) { c.subtract_mean = true; }},
      {"model.correction", [](TrainConfig& c) { c.correction = CorrectionKind::kKriging; }},
      {"validation_points", [](TrainConfig& c) { c.validation_points = 0; }},
      {"on the wall", [](TrainConfig& c) { c.sensors.kind = SensorKind::kRandomWall; }},
      {"looks at the wall", [](TrainConfig& c) { c.model.fluidsplat().geometry = true; }}};
  for (const auto& [what, change] : settings) {
    const TemporaryFolder folder;
    auto config = toy_config((folder / "run").string());
    config.memory_budget = "8GB";
    change(config);
    const auto layout = make_sensors(toy_config("").sensors, toy);
    EXPECT_THAT([&] { Trainer(config, large, make_split(config.data, large), layout); },
                ::testing::ThrowsMessage<Error>(
                    ::testing::AllOf(::testing::HasSubstr(what), ::testing::HasSubstr("raise the budget"))));
    config.memory_budget = "";
    if (what != "model.correction") {
      EXPECT_NO_THROW(Trainer(config, toy, make_split(config.data, toy), layout)) << what;
    }
  }
}

}  // namespace
}  // namespace fluidsplat::learn
