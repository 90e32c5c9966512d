// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Test support: a trainer on the toy wake.
#pragma once

#include "base/temporary_folder.h"
#include "learn/config/setup.h"
#include "learn/config/toy_wake.h"
#include "learn/train/trainer.h"

namespace fluidsplat::learn {

struct TrainerBench {
  field::MemoryDataset data = toy_wake();
  TemporaryFolder folder;
  TrainConfig config = toy_config((folder / "run").string());

  std::unique_ptr<Trainer> trainer() {
    return std::make_unique<Trainer>(config, data, make_split(config.data, data), make_sensors(config.sensors, data));
  }
};

inline bool same(const torch::nn::Module& a, const torch::nn::Module& b) {
  const auto pa = a.parameters(), pb = b.parameters();
  for (std::size_t i = 0; i < pa.size(); ++i)
    if (!torch::equal(pa[i], pb[i])) return false;
  return true;
}

}  // namespace fluidsplat::learn
