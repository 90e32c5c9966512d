// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/oracle_sweep.h"

#include <algorithm>

#include "base/error.h"
#include "theory/gaussian_filter.h"
#include "theory/roughness.h"
#include "theory/shepard.h"

namespace fluidsplat::theory {

namespace {

double oracle_scale(const FarthestPoints& chosen, int k, int dimension, double alpha, ScaleUnit unit, double volume) {
  return alpha * (unit == ScaleUnit::kFillDistance ? chosen.fill_distance(k) : mean_spacing(volume, dimension, k));
}

// One relative error per field.
Vector oracle_errors(const Points& points, const Eigen::Ref<const Matrix>& fields, const FarthestPoints& chosen, int k,
                     double scale) {
  Matrix at_centres(k, fields.cols());
  for (int i = 0; i < k; ++i) at_centres.row(i) = fields.row(chosen.order[i]);
  const Matrix oracle = shepard_weights(points, centres(points, chosen, k), scale) * at_centres;
  return (oracle - fields).colwise().norm().cwiseQuotient(fields.colwise().norm()).transpose();
}

}  // namespace

RateCurve oracle_curve(const Points& points, const Eigen::Ref<const Matrix>& fields, const FarthestPoints& chosen,
                       const std::vector<int>& counts, double alpha, ScaleUnit unit, double volume) {
  if (fields.rows() != points.rows()) fail("the fields have {} values for {} points", fields.rows(), points.rows());
  if (fields.cols() == 0) fail("an oracle curve needs at least one field");
  RateCurve curve;
  for (int k : counts) {
    const double scale = oracle_scale(chosen, k, int(points.cols()), alpha, unit, volume);
    curve.add(k, oracle_errors(points, fields, chosen, k, scale));
  }
  curve.finish();
  return curve;
}

std::string OracleSweepRow::name() const {
  return smooth_pixels == 0 ? "raw" : fmt::format("{:g} px", smooth_pixels);
}

std::vector<OracleSweepRow> oracle_sweep(const Grid& grid, const Eigen::Ref<const Matrix>& frames,
                                         const OracleSweepSettings& settings) {
  if (frames.rows() != grid.size())
    fail("the frames have {} values for a grid of {} pixels", frames.rows(), grid.size());
  if (settings.counts.empty()) fail("an oracle sweep needs at least two primitive counts");
  const Points points = grid.valid_points();
  const FarthestPoints chosen =
      farthest_points(points, *std::max_element(settings.counts.begin(), settings.counts.end()));

  // Every smoothing of every frame, side by side: each count then needs its weights once.
  const Index count = frames.cols();
  Matrix fields(points.rows(), count * std::ssize(settings.smooth_pixels));
  std::vector<OracleSweepRow> rows;
  for (double pixels : settings.smooth_pixels) {
    const Index first = count * std::ssize(rows);
    OracleSweepRow& row = rows.emplace_back();
    row.smooth_pixels = pixels;
    for (Index j = 0; j < count; ++j) {
      const Vector smooth = gaussian_filter(grid, frames.col(j), pixels);
      row.roughness += roughness(grid, smooth) / double(count);
      fields.col(first + j) = grid.gather(smooth);
    }
  }
  const double volume = double(points.rows());  // in pixels
  for (int k : settings.counts) {
    const double scale = oracle_scale(chosen, k, grid.dimension(), settings.alpha, settings.unit, volume);
    const Vector errors = oracle_errors(points, fields, chosen, k, scale);
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].curve.add(k, errors.segment(static_cast<Index>(i) * count, count));
  }
  for (OracleSweepRow& row : rows) row.curve.finish();
  return rows;
}

std::vector<int> evenly_spaced(int total, int wanted, const std::vector<int>& excluded) {
  std::vector<int> left;
  for (int i = 0; i < total; ++i)
    if (std::find(excluded.begin(), excluded.end(), i) == excluded.end()) left.push_back(i);
  if (wanted < 1 || wanted > int(left.size()))
    fail("asked for {} frames; {} are left of {} after excluding {}", wanted, left.size(), total, excluded.size());
  std::vector<int> chosen;
  for (int i = 0; i < wanted; ++i) {
    const double step = wanted > 1 ? double(left.size() - 1) / (wanted - 1) : 0;
    chosen.push_back(left[std::lround(i * step)]);
  }
  return chosen;
}

}  // namespace fluidsplat::theory
