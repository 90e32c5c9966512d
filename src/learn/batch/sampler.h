// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/index.h"
#include "base/random.h"
#include "field/case_cache.h"
#include "field/dataset.h"
#include "learn/config/train_config.h"

namespace fluidsplat::learn {

// Points of one mesh drawn with given probabilities in constant time each (Walker's alias method), with the weights
// that make sums over the draws unbiased estimates of the mean over all points.
class PointSampler : public field::MeshCompanion {
 public:
  // Probabilities need not be normalised; all equal when empty.  `unbiased` draws have the weights that make sums over
  // them unbiased estimates of the mean over all points; without, places drawn more often count more.
  PointSampler(Index points, const std::vector<double>& probabilities, bool unbiased = true);

  Index points() const { return points_; }
  Index draw(Random& random) const;
  // (1/n) / p(point): E[weight * g(point)] = mean of g; 1 when not unbiased.
  float weight(Index point) const { return weight_.empty() ? 1.0f : weight_[point]; }
  std::size_t bytes() const override;

 private:
  Index points_;
  std::vector<float> threshold_, weight_;
  std::vector<Index> alias_;
};

// Points for one case's queries.  With `chunks` > 0 they are drawn from so many runs of field::kChunkPoints points,
// which are drawn first, each as often as it has points: a few reads bring them all, every point is still as likely as
// without (the sampler's draws must be so, too), and the expectation of sums over them is the same.  What changes is
// that points of one run are not independent of each other.
std::vector<Index> draw_points(const PointSampler& sampler, Index count, Index chunks, Random& random);

// Makes the samplers of the meshes that training cases use, as config.sampling says.  Thread-safe.
class QuerySampling {
 public:
  // `base` as in rms_density.
  QuerySampling(const SamplingConfig& config, const field::Dataset& dataset, const std::vector<Index>& train,
                const field::Matrix& base = {});
  // Whether on_mesh() looks at the mesh itself.
  bool needs_mesh(Index number) const;
  // `mesh` may be missing where it is not needed.
  std::shared_ptr<const PointSampler> on_mesh(Index number, const field::Mesh* mesh) const;

 private:
  SamplingConfig config_;
  const field::Dataset& dataset_;
  field::Matrix base_;
  std::map<Index, std::vector<Index>> cases_on_;
  // Those that all cases of a mesh must be read for are made once and kept.
  std::map<Index, std::shared_ptr<const PointSampler>> kept_;
};

// Sampling densities: points nearer to the wall than `distance` share `fraction` of the draws.
std::vector<double> near_surface_density(const field::Mesh& mesh, double distance, double fraction);
// In proportion to the local rms of normalised fields (of their deviation from `base` [places, C] when there is one),
// never below `floor` times the mean.
std::vector<double> rms_density(const field::Dataset& dataset, const std::vector<Index>& cases, double floor,
                                const field::Matrix& base = {});

}  // namespace fluidsplat::learn
