// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch/sampler.h"

#include <cmath>
#include <map>
#include <numeric>

#include "base/error.h"
#include "field/nearest_wall.h"
#include "field/normalization.h"

namespace fluidsplat::learn {

PointSampler::PointSampler(Index points, const std::vector<double>& probabilities, bool unbiased) : points_(points) {
  if (probabilities.empty()) return;
  const std::size_t n = points;
  const double total = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  threshold_.assign(n, 1.0f);
  alias_.resize(n);
  std::iota(alias_.begin(), alias_.end(), 0);
  if (unbiased) weight_.resize(n);
  std::vector<double> share(n);
  std::vector<std::size_t> small, large;
  for (std::size_t i = 0; i < n; ++i) {
    share[i] = probabilities[i] / total * double(n);
    if (unbiased) weight_[i] = float(1 / share[i]);
    (share[i] < 1 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const auto s = small.back(), l = large.back();
    small.pop_back();
    threshold_[s] = float(share[s]);
    alias_[s] = static_cast<Index>(l);
    share[l] -= 1 - share[s];
    if (share[l] < 1) {
      large.pop_back();
      small.push_back(l);
    }
  }
}

Index PointSampler::draw(Random& random) const {
  const Index i = random.below(points_);
  if (threshold_.empty()) return i;
  const std::size_t k = i;
  return random.uniform() < threshold_[k] ? i : alias_[k];
}

std::vector<double> near_surface_density(const field::Mesh& mesh, double distance, double fraction) {
  const field::SurfaceView wall(mesh);
  if (wall.empty()) fail("sampling near the wall: the mesh has no wall; use uniform or rms");
  const field::NearestWall nearest(wall);
  const std::size_t n = mesh.size();
  std::vector<bool> near(n, false);
  for (std::size_t i = 0; i < n; ++i) near[i] = nearest(mesh.points.row(i)).distance <= distance;
  const auto close = double(std::count(near.begin(), near.end(), true));
  const double far = double(n) - close;
  if (close == 0 || far == 0) return {};
  std::vector<double> density(n);
  for (std::size_t i = 0; i < n; ++i) density[i] = near[i] ? fraction / close : (1 - fraction) / far;
  return density;
}

std::vector<double> rms_density(const field::Dataset& dataset, const std::vector<Index>& cases, double floor,
                                const field::Matrix& base) {
  const auto scaling = field::fit_normalization(dataset, cases, base).channels;
  Eigen::VectorXd square;
  for (auto index : cases) {
    field::Matrix fields = dataset.load(index).fields;
    if (base.rows() > 0) fields -= base.topRows(fields.rows());
    scaling.normalize(fields);
    const Eigen::VectorXd s = fields.cast<double>().rowwise().squaredNorm();
    if (square.size() == 0) square = Eigen::VectorXd::Zero(s.size());
    square += s / double(cases.size());
  }
  const Eigen::VectorXd rms = square.cwiseSqrt();
  const double least = floor * rms.mean();
  std::vector<double> density(rms.size());
  for (std::size_t i = 0; i < density.size(); ++i) density[i] = std::max(rms[i], least);
  return density;
}

QuerySampling::QuerySampling(const SamplingConfig& config, const field::Dataset& dataset,
                             const std::vector<Index>& train, const field::Matrix& base) {
  samplers_.resize(dataset.mesh_count());
  std::map<Index, std::vector<Index>> cases_on;
  for (auto index : train) cases_on[dataset.mesh_of(index)].push_back(index);
  for (const auto& [m, cases] : cases_on) {
    const auto mesh = dataset.mesh(m);
    std::vector<double> density;
    if (config.kind == SamplingKind::kSurface || config.kind == SamplingKind::kSurfaceUnbiased) {
      const auto box = dataset.domain();
      double side = 0;
      for (std::size_t a = 0; a < box.low.size(); ++a) side = std::max(side, box.high[a] - box.low[a]);
      density = near_surface_density(*mesh, config.near_distance * side, config.near_fraction);
    } else if (config.kind == SamplingKind::kRms) {
      density = rms_density(dataset, cases, config.rms_floor, base);
    }
    samplers_[m] = std::make_unique<PointSampler>(mesh->size(), density, config.kind != SamplingKind::kSurface);
  }
}

}  // namespace fluidsplat::learn
