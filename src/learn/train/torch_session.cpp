// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/train/torch_session.h"

#include <ATen/CPUGeneratorImpl.h>

#include "base/error.h"
#include "base/threads.h"

namespace fluidsplat::learn {

TorchSession::TorchSession(Index threads) : threads_before_(torch::get_num_threads()) {
  torch::set_num_threads(threads > 0 ? int(threads) : available_threads());
}

TorchSession::TorchSession(Index threads, Index seed) : TorchSession(threads) {
  generator_before_ = at::detail::getDefaultCPUGenerator().get_state();
  torch::manual_seed(seed);
}

TorchSession::~TorchSession() {
  torch::set_num_threads(threads_before_);
  if (!generator_before_.defined()) return;
  auto generator = at::detail::getDefaultCPUGenerator();
  generator.set_state(generator_before_);
}

torch::Device find_device(const std::string& name) {
  try {
    const torch::Device device(name);
    torch::zeros({1}, device);
    return device;
  } catch (const c10::Error& e) {
    fail("train.device = {}: not available here", name);
  }
}

}  // namespace fluidsplat::learn
