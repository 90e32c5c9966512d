// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/oracle.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "base/misuse.h"
#include "field/split.h"
#include "theory/from_dataset.h"

namespace fluidsplat::theory {

SparseRows shepard_weights(const Points& points, const Points& centres, double scale, double tolerance) {
  if (!(scale > 0)) fail("the scale of a Gaussian must be positive, got {}", scale);
  const Neighbours tree(centres);
  // With the nearest weight as 1, each centre beyond this reach has weight below tolerance / centres.
  const double reach = 2 * scale * scale * std::log(double(centres.rows()) / tolerance);

  SparseRows weights(points.rows(), centres.rows());
  std::vector<Neighbours::Hit> hits;
  std::vector<double> row;
  for (Index i = 0; i < points.rows(); ++i) {
    const double* point = points.row(i).data();
    const Neighbours::Hit nearest = tree.nearest(point);
    tree.within(point, std::sqrt(nearest.squared_distance + reach), hits);
    if (hits.empty()) hits.push_back(nearest);  // the reach is below one rounding of the distance
    row.clear();
    double sum = 0;
    for (const Neighbours::Hit& hit : hits) {
      row.push_back(std::exp((nearest.squared_distance - hit.squared_distance) / (2 * scale * scale)));
      sum += row.back();
    }
    weights.startVec(i);
    for (std::size_t j = 0; j < hits.size(); ++j) weights.insertBack(i, hits[j].index) = row[j] / sum;
  }
  weights.finalize();
  return weights;
}

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
  if (fields.rows() != points.rows()) misuse("the fields have {} values for {} points", fields.rows(), points.rows());
  if (fields.cols() == 0) misuse("an oracle curve needs at least one field");
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
    misuse("the frames have {} values for a grid of {} pixels", frames.rows(), grid.size());
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

namespace {

std::vector<int> training_cases(std::filesystem::path split, const field::Dataset& dataset) {
  if (std::filesystem::is_directory(split)) split /= "split.json";
  const std::vector<Index> train = field::read_split(split, dataset).train;
  if (std::ssize(train) >= dataset.size())
    fail("{}: every case of the dataset trains; the oracle needs some that are held out", split.string());
  return {train.begin(), train.end()};
}

}  // namespace

std::string DatasetOracle::subject(const std::string& title) const {
  return fmt::format("{}: {} frames of {}, {}", title, cases.size(), channel,
                     held_out ? "none of which trains" : "evenly spaced over all cases");
}

DatasetOracle oracle_sweep(const field::Dataset& dataset, const OracleRequest& request) {
  DatasetOracle oracle;
  oracle.held_out = !request.split.empty();
  const std::vector<int> excluded = oracle.held_out ? training_cases(request.split, dataset) : std::vector<int>{};
  const int total = int(dataset.size()), left = total - int(excluded.size());
  oracle.cases = evenly_spaced(total, std::min(request.frames, left), excluded);
  const DatasetFrames frames = load_frames(dataset, request.channel, {oracle.cases.begin(), oracle.cases.end()});
  if (!frames.grid)
    fail(
        "{}: smoothing is in pixels, so the oracle sweep needs a dataset on a grid; `theory advise` has the oracle's "
        "rate for any points",
        dataset.name());
  oracle.channel = frames.channel;
  oracle.rows = oracle_sweep(*frames.grid, frames.on_grid(), request.sweep);
  return oracle;
}

}  // namespace fluidsplat::theory
