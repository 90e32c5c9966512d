// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/advice.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/index.h"
#include "base/misuse.h"
#include "field/sensors.h"
#include "theory/capacity.h"
#include "theory/from_dataset.h"
#include "theory/least_squares.h"
#include "theory/noise.h"
#include "theory/oracle.h"

namespace fluidsplat::theory {
namespace {

constexpr double kOracleAlpha = 0.3;
constexpr int kLeastSquaresPoints = 3000;  // keeps the dense solves within a few seconds
constexpr double kClean = 1e-3;            // relative noise below this is not told apart from no noise

// Both estimates are upper ones: what the data resolve better, in space or in time, decides.
double estimate_noise(const Question& question, const FarthestPoints& chosen) {
  const double in_space = noise_from_neighbours(question.points, question.fields.col(0));
  if (!question.in_time || question.fields.cols() < 8) return in_space;
  std::vector<int> rows = question.sensor_rows;
  if (rows.empty()) rows.assign(chosen.order.begin(), chosen.order.begin() + std::min(question.sensors, chosen.size()));
  Matrix readings(question.fields.cols(), std::ssize(rows));
  for (std::size_t i = 0; i < rows.size(); ++i) readings.col(i) = question.fields.row(rows[i]).transpose();
  return std::min(in_space, noise_from_time_series(readings));
}

// From the spectrum where there is a grid and the field rises above the noise in it, else from rates.
SmoothnessEstimate estimate_smoothness(const Question& question, const Matrix& some, double noise) {
  if (question.grid) {
    Matrix on_grid = Matrix::Zero(question.grid->size(), some.cols());
    const std::vector<Index>& pixels = question.grid->valid_pixels();
    for (std::size_t i = 0; i < pixels.size(); ++i) on_grid.row(pixels[i]) = some.row(i);
    if (const auto estimate = smoothness_from_spectrum(*question.grid, on_grid, noise)) return *estimate;
  }
  return smoothness_from_rates(question.points, some);
}

std::vector<int> doubling(int first, int last) {
  std::vector<int> counts;
  for (int k = first; k <= last; k *= 2) counts.push_back(k);
  return counts;
}

RateCurve measure_best(const Question& question, const Matrix& some, const FarthestPoints& chosen) {
  const int used = std::min(kLeastSquaresPoints, chosen.size());
  const Points thinned = centres(question.points, chosen, used);
  Matrix values(used, some.cols());
  FarthestPoints prefix{{}, chosen.fill};
  for (int i = 0; i < used; ++i) {
    values.row(i) = some.row(chosen.order[i]);
    prefix.order.push_back(i);
  }
  return approximation_curve(thinned, values, prefix, doubling(16, used / 8));
}

// Where the bias measured on the data, instead of the formula's, balances the variance.
std::string measured_scale(const Advice& advice) {
  if (advice.measured_capacity == 0) return "at no K";
  return fmt::format("{} K = {:.0f}", advice.measured_limited ? "only beyond" : "near", advice.measured_capacity);
}

void explain(Advice& advice) {
  const double s = advice.smoothness.smoothness, d = advice.dimension;
  advice.findings = {
      fmt::format("Effective smoothness s = {:.2f} (95 % interval {:.2f} to {:.2f}, from the {}).", s,
                  advice.smoothness.low, advice.smoothness.high, advice.smoothness.method),
      s > 1 + d / 2
          ? fmt::format("Smooth enough: s > 1 + d/2 = {:g}, so the normalised scaffold alone should reach its best "
                        "rate K^(-1/{:g}).",
                        1 + d / 2, d)
      : s > 1 ? fmt::format("Borderline: s lies between 1 and 1 + d/2 = {:g}; the scaffold's rate K^(-1/{:g}) is not "
                            "guaranteed.",
                            1 + d / 2, d)
              : fmt::format("Rough: s < 1, so the scaffold alone falls more slowly than K^(-1/{:g}).", d),
      fmt::format("Measured on these data the scaffold's error falls as K^({:.2f}) (theory: K^({:.2f}) at best), that "
                  "of unnormalised Gaussians as K^({:.2f}).",
                  advice.oracle.fit.exponent, normalised_rate(advice.dimension), advice.best.fit.exponent),
      fmt::format("Noise of a reading: {:.3g} ({}), {:.2g} of the field's rms {:.3g}.", advice.noise,
                  advice.noise_given ? "given" : "estimated", advice.relative_noise(), advice.rms),
      fmt::format("{} sensors support a capacity scale K* of about {:.0f} (constants set to one), and the readings of "
                  "all {} frames together {:.0f}; with the bias measured here, bias and variance balance {}.",
                  advice.sensors, advice.capacity, advice.frames, advice.pooled_capacity, measured_scale(advice)),
      fmt::format("Worth trying: K from {} (what one frame's readings support) to {} (what training on all frames "
                  "could support), by doubling.",
                  advice.first, advice.last)};
  if (advice.oracle.fit.exponent > 0.7 * normalised_rate(advice.dimension) && s > 1)
    advice.findings.insert(advice.findings.begin() + 3,
                           "That is slower than the smoothness suggests: thin layers, at walls for instance, hold much "
                           "of the field and no count tried here resolves them.");
  advice.caveats = {
      "K* is a scale, not a setting: the theory fixes the centres, estimates coefficients alone by least squares, and "
      "leaves constants out.  A trained model adapts centres and scales and learns from all frames.",
      fmt::format("Least squares from one frame alone cannot determine more than {} coefficients.", advice.sensors),
      "The normalised scaffold saturates at first order; the residual decoder carries the rest.  Choose K together "
      "with the decoder, on a validation split."};
  if (!advice.noise_given)
    advice.caveats.push_back(
        "The noise was estimated from the data: what they do not resolve in time or space counts as noise.  Give the "
        "noise of the real sensors if it is known.");
  if (advice.relative_noise() < kClean)
    advice.caveats.push_back(
        "The data look free of noise.  Then bias alone matters in theory and K* grows without limit: give the noise of "
        "the real sensors.");
}

}  // namespace

Advice advise(const Question& question) {
  if (question.sensors < 1) fail("advice needs at least 1 sensor, got {}", question.sensors);
  if (question.fields.rows() != question.points.rows() || question.fields.cols() < 1)
    misuse("the data have {} points and fields of {} values in {} frames", question.points.rows(),
           question.fields.rows(), question.fields.cols());
  if (question.noise && !(*question.noise > 0)) fail("the noise must be positive, got {}", *question.noise);
  Advice advice;
  advice.dimension = int(question.points.cols());
  advice.sensors = question.sensors;
  advice.frames = int(question.fields.cols());
  advice.rms = std::sqrt(question.fields.squaredNorm() / double(question.fields.size()));
  if (!(advice.rms > 0)) fail("the field is zero everywhere");

  const int most = std::min<int>(8192, int(question.points.rows()) / 2);
  if (most < 128) fail("advice needs 256 points or more, got {}", question.points.rows());
  const FarthestPoints chosen = farthest_points(question.points, most);
  advice.noise_given = question.noise.has_value();
  advice.noise = question.noise ? *question.noise : estimate_noise(question, chosen);
  // Numerical zero would make every scale infinite.
  advice.noise = std::max(advice.noise, 1e-9 * advice.rms);

  // A few frames say what all would.
  const std::vector<int> frames = evenly_spaced(advice.frames, std::min(advice.frames, 8));
  Matrix some(question.points.rows(), std::ssize(frames));
  for (std::size_t j = 0; j < frames.size(); ++j) some.col(j) = question.fields.col(frames[j]);
  advice.smoothness = estimate_smoothness(question, some, question.noise ? 0 : advice.noise);
  advice.oracle = oracle_curve(question.points, some, chosen, doubling(16, most), kOracleAlpha);
  advice.best = measure_best(question, some, chosen);

  const double s = std::max(advice.smoothness.smoothness, 0.1), sigma = advice.relative_noise();
  advice.capacity = capacity(advice.sensors, sigma, s, advice.dimension);
  advice.pooled_capacity = capacity(double(advice.sensors) * advice.frames, sigma, s, advice.dimension);
  if (advice.best.fit.exponent < 0) {
    const double balanced =
        balance(std::exp(2 * advice.best.fit.intercept), -2 * advice.best.fit.exponent, sigma * sigma / advice.sensors);
    advice.measured_limited = balanced > most;  // beyond the points there is nothing to extrapolate to
    advice.measured_capacity = std::min<double>(most, balanced);
  }
  // More primitives than half the points cannot be told apart by the data.
  const auto within = [&](double k) { return std::clamp(int(std::lround(k)), 1, most); };
  advice.first = within(std::min<double>(advice.capacity, advice.sensors));
  advice.last = std::max(advice.first, within(advice.pooled_capacity));
  explain(advice);
  return advice;
}

namespace {

std::optional<int> as_count(const std::string& text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

// The mesh points that the sensors of a layout file sit on.
std::vector<Index> sensor_points(const std::string& file, const field::Dataset& dataset, const field::Mesh& mesh) {
  const nlohmann::json json = nlohmann::json::parse(read_file(file), nullptr, false);
  if (json.is_discarded()) fail("{}: not JSON; give a sensor layout file, or the number of sensors", file);
  const field::SensorLayout layout =
      model::layout_from_json(json, dataset.schema().dim(), std::ssize(dataset.schema().channels), file);
  return field::place(layout, mesh, field::typical_spacing(mesh)).points;
}

}  // namespace

Advice advise(const field::Dataset& dataset, const AdviceRequest& request) {
  if (request.frames < 1) fail("advice needs at least 1 frame, got {}", request.frames);
  std::vector<Index> cases(std::min<Index>(request.frames, dataset.size()));
  std::iota(cases.begin(), cases.end(), 0);
  DatasetFrames frames = load_frames(dataset, request.channel, cases);

  Question question;
  if (const std::optional<int> count = as_count(request.sensors)) {
    question.sensors = *count;
  } else {
    const auto mesh = dataset.mesh(dataset.mesh_of(cases.front()));
    for (Index point : sensor_points(request.sensors, dataset, *mesh))
      question.sensor_rows.push_back(int(frames.row_of[point]));
    question.sensors = int(question.sensor_rows.size());
  }
  question.points = std::move(frames.points);
  question.fields = std::move(frames.fields);
  question.in_time = frames.in_time;
  question.grid = std::move(frames.grid);
  question.noise = request.noise;
  return advise(question);
}

}  // namespace fluidsplat::theory
