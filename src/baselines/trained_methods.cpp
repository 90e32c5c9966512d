// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/trained_methods.h"

#include <algorithm>

#include "learn/model/registry.h"

namespace fluidsplat::baselines {
namespace {

constexpr const char* kOthers[] = {"senseiver", "deeponet", "recfno", "flronet"};
// Of their peak rates, where SOAP is used: higher ones are FluidSplat's own.
constexpr double kRate = 3e-3;

}  // namespace

std::vector<TrainedMethod> trained_methods(const learn::TrainConfig& config) {
  std::vector<TrainedMethod> out = {{config.model->kind(), config}};
  for (const std::string kind : kOthers) {
    if (kind == config.model->kind()) continue;
    auto other = config;
    other.model = *learn::ModelRegistry::instance().make_spec(kind);
    other.schedule.rate = std::min(config.schedule.rate, kRate);
    out.push_back({kind, other});
  }
  for (auto& method : out) method.config.out = config.out + "/" + method.name;
  return out;
}

}  // namespace fluidsplat::baselines
