// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include "base/error.h"
#include "base/memory_budget.h"
#include "field/dataset_file.h"
#include "learn/train/trainer_bench.h"

namespace fluidsplat::learn {
namespace {

// Frames of a wave whose meshes are those of the frame's number modulo `meshes`.
std::size_t write_waves(const std::filesystem::path& path, Index frames, int meshes) {
  constexpr int kSide = 320;
  std::size_t bytes = 0;
  std::optional<field::DatasetWriter> writer;
  for (Index t = 0; t < frames; ++t) {
    const auto part = toy_wake(1, kSide, kSide - int(t % meshes));
    if (!writer) writer.emplace(path, part.schema());
    auto c = part.load(0);
    c.fields.col(0) *= std::sin(0.3f * float(t));
    bytes += std::size_t(c.fields.size()) * sizeof(float);
    writer->add(c);
  }
  writer->commit();
  return bytes;
}

struct Curve {
  std::vector<double> losses;
  std::size_t most_held = 0, most_resident = 0;
};

Curve train(TrainConfig config, const field::Dataset& data) {
  Trainer t(config, data, make_split(config.data, data), make_sensors(config.sensors, data));
  Curve out;
  TrainCallbacks callbacks;
  callbacks.on_step = [&](Index, double loss, double) {
    out.losses.push_back(loss);
    out.most_resident = std::max(out.most_resident, resident_bytes());
  };
  t.run(callbacks);
  for (const auto& row : t.log()) out.losses.push_back(row.validation);
  out.most_held = t.most_data_bytes();
  return out;
}

// Whatever of the data is in memory at a time, the same training: to the bit.
TEST(TrainerMemory, ABudgetOfAThirdOfTheDataGivesTheSameCurve) {
  for (const int meshes : {1, 4}) {
    const TemporaryFolder folder;
    const auto bytes = write_waves(folder / "d.h5", 160, meshes);
    const field::DatasetFile data(folder / "d.h5");
    auto config = toy_config((folder / "run").string());
    config.data.file = (folder / "d.h5").string();
    config.data.train_cases = 150;
    config.schedule.steps = 16;  // they see more than a third of the cases
    config.validate_every = 6;
    config.sampling.kind = SamplingKind::kSurfaceUnbiased;
    const auto free = train(config, data);
    EXPECT_GT(free.most_held, bytes / 3);
    ::malloc_trim(0);                                  // what the first training has freed is not what the second takes
    const auto budget = resident_bytes() + bytes / 3;  // of which training itself takes a part
    config.memory_budget = std::to_string(budget);
    const auto bounded = train(config, data);
    EXPECT_EQ(bounded.losses, free.losses);
    EXPECT_GT(bounded.most_held, bytes / 160) << "a case fits at least";
    EXPECT_LT(bounded.most_held, bytes / 3);
    EXPECT_LT(double(bounded.most_resident), 1.1 * double(budget));
  }
}

TEST(TrainerMemory, ABudgetBelowWhatTheProgramTakesIsRefused) {
  TrainerBench b;
  b.config.memory_budget = "1MB";
  EXPECT_THAT([&] { b.trainer(); }, ::testing::ThrowsMessage<Error>(::testing::HasSubstr("train.memory_budget")));
  b.config.memory_budget = "a lot";
  EXPECT_THAT([&] { b.trainer(); }, ::testing::ThrowsMessage<Error>(::testing::HasSubstr("such as")));
}

}  // namespace
}  // namespace fluidsplat::learn
