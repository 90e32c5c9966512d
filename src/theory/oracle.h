// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "field/dataset.h"
#include "theory/centres.h"
#include "theory/grid.h"
#include "theory/rate_fit.h"

namespace fluidsplat::theory {

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// The normalised Gaussian weights psi_k(x_i) as a sparse [points, centres] matrix whose rows sum to one, for isotropic
// Gaussians of one scale (standard deviation) and equal amplitudes.  The Shepard oracle of a field f is this matrix
// times f at the centres; one matrix serves every frame.
//
// Weights are taken relative to the nearest centre, so a point that is far from all centres gets its nearest one, never
// 0/0.  Centres whose weights cannot add up to `tolerance` are left out: the oracle then differs from the full sum by
// at most tolerance * (max f(mu) - min f(mu)).
SparseRows shepard_weights(const Points& points, const Points& centres, double scale, double tolerance = 1e-10);

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

// What of a dataset to look at.
struct OracleRequest {
  std::string channel;  // "": the first
  int frames = 30;      // evenly spaced among those left
  std::string split;    // a split file, or a run's folder that holds one: its training cases are left out
  OracleSweepSettings sweep;
};

struct DatasetOracle {
  std::vector<OracleSweepRow> rows;
  std::vector<int> cases;  // those that were looked at
  bool held_out = false;   // a split kept the training cases out
  std::string channel;
  std::string subject(const std::string& title) const;  // what was looked at, in words
};

// The oracle smoothing diagnostic on a dataset whose points are a grid.
DatasetOracle oracle_sweep(const field::Dataset& dataset, const OracleRequest& request);

}  // namespace fluidsplat::theory
