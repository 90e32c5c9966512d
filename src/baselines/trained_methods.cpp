// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/trained_methods.h"

namespace fluidsplat::baselines {

std::vector<TrainedMethod> trained_methods(const learn::TrainConfig& config) {
  std::vector<TrainedMethod> out = {{config.model->kind(), config}};
  for (auto& method : out) method.config.out = config.out + "/" + method.config.model->kind();
  return out;
}

}  // namespace fluidsplat::baselines
