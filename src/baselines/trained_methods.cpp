// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/trained_methods.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "baselines/published_sizes.h"
#include "model/fluidsplat_spec.h"

namespace fluidsplat::baselines {
namespace {

constexpr const char* kOthers[] = {"senseiver", "deeponet", "recfno", "flronet"};
// Of their peak rates, where SOAP is used: higher ones are FluidSplat's own.
constexpr double kRate = 3e-3;

}  // namespace

std::vector<TrainedMethod> trained_methods(const learn::TrainConfig& config, Index dim) {
  const auto* own = dynamic_cast<const model::FluidSplatSpec*>(&*config.model);
  const bool looks_at_wall = own && own->geometry;
  std::vector<TrainedMethod> out = {{config.model->kind(), config}};
  for (const std::string kind : kOthers) {
    if (kind == config.model->kind()) continue;
    auto other = config;
    other.model = *published_spec(kind, benchmark_like(dim, looks_at_wall), looks_at_wall);
    other.correction = learn::CorrectionKind::kNone;
    other.schedule.rate = std::min(config.schedule.rate, kRate);
    out.push_back({kind, other});
  }
  for (auto& method : out) method.config.out = config.out + "/" + method.name;
  return out;
}

std::vector<TrainedMethod> trained_methods(const learn::TrainConfig& config, Index dim,
                                           const std::vector<std::string>& kinds) {
  const auto all = trained_methods(config, dim);
  std::vector<TrainedMethod> out;
  for (const auto& kind : kinds) {
    const auto found = std::ranges::find(all, kind, &TrainedMethod::name);
    if (found == all.end()) {
      std::vector<std::string> names;
      for (const auto& method : all) names.push_back(method.name);
      fail("there is no network \"{}\" to compare; there are {}", kind, fmt::join(names, ", "));
    }
    out.push_back(*found);
  }
  return out;
}

}  // namespace fluidsplat::baselines
