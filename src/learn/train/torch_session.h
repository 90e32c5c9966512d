// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "base/index.h"

namespace fluidsplat::learn {

// libtorch's global settings for the time of a piece of work: the number of threads, and the seed of what it draws.
// What was there before comes back afterwards.
class TorchSession {
 public:
  // 0 threads: OMP_NUM_THREADS or all processors.
  explicit TorchSession(Index threads);
  TorchSession(Index threads, Index seed);
  ~TorchSession();
  TorchSession(const TorchSession&) = delete;

 private:
  int threads_before_;
  torch::Tensor generator_before_;  // undefined when no seed was set
};

// Throws Error when the device is not there.
torch::Device find_device(const std::string& name);

}  // namespace fluidsplat::learn
