// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/published_sizes.h"

#include "base/misuse.h"
#include "baselines/deeponet.h"
#include "baselines/flronet.h"
#include "baselines/recfno.h"
#include "baselines/senseiver.h"

namespace fluidsplat::baselines {
namespace {

SenseiverSpec senseiver(Benchmark benchmark) {
  SenseiverSpec s;
  if (benchmark == Benchmark::kCylinder) return s;
  s.latents = 64;
  s.width = s.query_width = 128;
  s.cross_heads = s.self_heads = s.query_heads = 4;
  if (benchmark == Benchmark::kAirfoils) {
    s.bands = 16;
    s.token_width = 128;
  } else {
    s.token_width = 64;
    s.self_layers = 2;
  }
  return s;
}

RecFnoSpec recfno(Benchmark benchmark) {
  RecFnoSpec s;
  if (benchmark == Benchmark::kAirfoils) {
    s.nodes = 64;
    s.seed_nodes = 24;
    s.width = 64;
    s.modes = 16;
  } else if (benchmark == Benchmark::kCavity) {
    s.nodes = 32;
    s.seed_nodes = 4;
    s.width = 16;
    s.modes = 4;
  }
  return s;
}

FlroNetSpec flronet(Benchmark benchmark) {
  FlroNetSpec s;
  if (benchmark == Benchmark::kAirfoils) {
    s.nodes = 64;
    s.token_width = 64;
    s.width = 52;
    s.levels = 3;
  } else if (benchmark == Benchmark::kCavity) {
    s.nodes = 32;
    s.levels = 3;
  }
  return s;
}

}  // namespace

Benchmark benchmark_like(Index dim, bool looks_at_wall) {
  if (dim == 3) return Benchmark::kCavity;
  return looks_at_wall ? Benchmark::kAirfoils : Benchmark::kCylinder;
}

std::unique_ptr<model::Spec> published_spec(const std::string& kind, Benchmark benchmark, bool looks_at_wall) {
  if (kind == "senseiver") {
    auto spec = senseiver(benchmark);
    spec.geometry = looks_at_wall;
    return spec.clone();
  }
  if (kind == "deeponet") {
    DeepONetSpec spec;
    spec.tokens.geometry = looks_at_wall;
    return spec.clone();
  }
  if (kind == "recfno") {
    auto spec = recfno(benchmark);
    spec.tokens.geometry = looks_at_wall;
    return spec.clone();
  }
  if (kind == "flronet") {
    auto spec = flronet(benchmark);
    spec.geometry = looks_at_wall;
    return spec.clone();
  }
  misuse("there is no neural baseline \"{}\"", kind);
}

}  // namespace fluidsplat::baselines
