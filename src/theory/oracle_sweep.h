// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "theory/farthest_points.h"
#include "theory/grid.h"
#include "theory/rate_curve.h"

namespace fluidsplat::theory {

// What the scale of the oracle's Gaussians is a multiple of.
enum class ScaleUnit {
  kFillDistance,  // of the centres over the points
  kSpacing,       // the mean spacing of the centres, (volume / K)^(1/d)
};

// Errors of the Shepard oracle, a_k = f(mu_k) with scales alpha times the unit, over centre counts. `fields`: [points,
// fields].  Centres are nested prefixes of `chosen`, rows of `points`. `volume` is used by kSpacing alone.
RateCurve oracle_curve(const Points& points, const Eigen::Ref<const Matrix>& fields, const FarthestPoints& chosen,
                       const std::vector<int>& counts, double alpha, ScaleUnit unit = ScaleUnit::kFillDistance,
                       double volume = 1);

// The oracle smoothing diagnostic: frames on a grid, raw and smoothed, no learned model.
struct OracleSweepSettings {
  std::vector<double> smooth_pixels = {0, 1, 4, 8};
  std::vector<int> counts = {16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};
  double alpha = 0.3;
  ScaleUnit unit = ScaleUnit::kFillDistance;
};

struct OracleSweepRow {
  double smooth_pixels = 0;
  double roughness = 0;  // mean over frames
  RateCurve curve;
  std::string name() const;  // "raw", "4 px"
};

// `frames`: [pixels, frames] on the whole grid; masked pixels are ignored (smoothing counts them as zero).
std::vector<OracleSweepRow> oracle_sweep(const Grid& grid, const Eigen::Ref<const Matrix>& frames,
                                         const OracleSweepSettings& settings = {});

// `wanted` evenly spaced indices of [0, total) that are not in `excluded`.
std::vector<int> evenly_spaced(int total, int wanted, const std::vector<int>& excluded = {});

}  // namespace fluidsplat::theory
