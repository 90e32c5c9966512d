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

std::size_t PointSampler::bytes() const {
  return sizeof(*this) + (threshold_.size() + weight_.size()) * sizeof(float) + alias_.size() * sizeof(Index);
}

Index PointSampler::draw(Random& random) const {
  const Index i = random.below(points_);
  if (threshold_.empty()) return i;
  const std::size_t k = i;
  return random.uniform() < threshold_[k] ? i : alias_[k];
}

std::vector<Index> draw_points(const PointSampler& sampler, Index count, Index chunks, Random& random) {
  std::vector<Index> out(static_cast<std::size_t>(count));
  if (chunks == 0) {
    for (auto& point : out) point = sampler.draw(random);
    return out;
  }
  std::vector<Index> first;  // points of the chunks
  for (Index k = 0; k < chunks; ++k) first.push_back(sampler.draw(random) / field::kChunkPoints * field::kChunkPoints);
  for (Index i = 0; i < count; ++i) {
    const auto begin = first[i % chunks], points = std::min(field::kChunkPoints, sampler.points() - begin);
    out[i] = begin + Index(random.below(std::uint64_t(points)));
  }
  return out;
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
                             const std::vector<Index>& train, const field::Matrix& base)
    : config_(config), dataset_(dataset), base_(base) {
  for (auto index : train) cases_on_[dataset.mesh_of(index)].push_back(index);
  std::map<Index, std::shared_ptr<const PointSampler>> made;
  for (const auto& [m, cases] : cases_on_) {
    const bool is_first = m == cases_on_.begin()->first;
    if (!is_first && (config.kind != SamplingKind::kRms || cases.size() < 2)) continue;
    // Of the first mesh in any case: what cannot be done must be said before training begins.
    const auto sampler = on_mesh(m, needs_mesh(m) ? dataset.mesh(m).get() : nullptr);
    if (config.kind == SamplingKind::kRms && cases.size() > 1) made[m] = sampler;
  }
  kept_ = std::move(made);
}

bool QuerySampling::needs_mesh(Index number) const {
  return (config_.kind == SamplingKind::kSurface || config_.kind == SamplingKind::kSurfaceUnbiased) &&
         !kept_.contains(number);
}

std::shared_ptr<const PointSampler> QuerySampling::on_mesh(Index number, const field::Mesh* mesh) const {
  if (const auto kept = kept_.find(number); kept != kept_.end()) return kept->second;
  std::vector<double> density;
  if (needs_mesh(number)) {
    const auto box = dataset_.domain();
    double side = 0;
    for (std::size_t a = 0; a < box.low.size(); ++a) side = std::max(side, box.high[a] - box.low[a]);
    density = near_surface_density(*mesh, config_.near_distance * side, config_.near_fraction);
  } else if (config_.kind == SamplingKind::kRms) {
    density = rms_density(dataset_, cases_on_.at(number), config_.rms_floor, base_);
  }
  return std::make_shared<const PointSampler>(dataset_.outline(number).points, density,
                                              config_.kind != SamplingKind::kSurface);
}

}  // namespace fluidsplat::learn
