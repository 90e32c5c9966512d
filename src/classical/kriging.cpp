// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "classical/kriging.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace fluidsplat::classical {
namespace {

constexpr int kVersion = 1;

double matern(double squared_distance) {
  const double r = std::sqrt(squared_distance);
  return (1 + r + squared_distance / 3) * std::exp(-r);
}

}  // namespace

model::Block Kriging::to_block() const {
  return {kVersion, nlohmann::json{{"length", length}, {"contrast", contrast}, {"noise", noise}}.dump(), {}};
}

Kriging read_kriging(const model::ModelFile& file) {
  if (!file.has_block(Kriging::kBlock)) return {};
  Kriging out;
  try {
    const auto config = nlohmann::json::parse(file.block(Kriging::kBlock, kVersion).config);
    out = {config.at("length"), config.at("contrast"), config.at("noise")};
  } catch (const nlohmann::json::exception& e) {
    fail("{}: the correction's settings cannot be read ({}); the file is damaged", file.name(), e.what());
  }
  // A noise of 0 would leave sensors at the same place without an answer.
  const auto is_sound = [](double x) { return x > 1e-6 && x < 1e12; };
  if (!is_sound(out.length) || !is_sound(out.contrast) || !is_sound(out.noise))
    fail("{}: the correction's settings are out of range; the file is damaged", file.name());
  return out;
}

// The kernel has its usual form with distances of sqrt(5) times those over the lengths.
KrigingSpace::KrigingSpace(const Kriging& k, const model::Normalization& n)
    : per_answer_(float(std::sqrt(5.0) / k.contrast)) {
  double longest = 0;
  for (Index a = 0; a < std::ssize(n.domain.low); ++a) longest = std::max(longest, n.domain.high[a] - n.domain.low[a]);
  for (Index a = 0; a < std::ssize(n.domain.low); ++a)
    axes_.push_back(float(std::sqrt(5.0) / k.length * (n.domain.high[a] - n.domain.low[a]) / longest));
  for (const double scale : n.channels.scale) channels_.push_back(float(std::sqrt(5.0) / (k.contrast * scale)));
}

void KrigingSpace::place(const float* positions, const float* answers, Index count, Index place_step, Index axis_step,
                         float* out) const {
  const Index d = std::ssize(axes_), c = std::ssize(channels_);
  for (Index i = 0; i < count; ++i) {
    float* to = out + i * place_step;
    for (Index a = 0; a < d; ++a) to[a * axis_step] = axes_[a] * positions[i * d + a];
    for (Index k = 0; k < c; ++k) to[(d + k) * axis_step] = channels_[k] * answers[i * c + k];
  }
}

KrigingWeights::KrigingWeights(Index sensors, Index channels)
    : sensors_(sensors),
      channels_(channels),
      gram_(sensors * sensors),
      factor_(sensors * sensors),
      solution_(sensors),
      speaks_(sensors),
      heard_(sensors) {}

// Which sensors say something of a channel; false when they are the same as the last time.
bool KrigingWeights::hear(const float* missed, Index channel) {
  for (Index s = 0; s < sensors_; ++s) speaks_[s] = !std::isnan(missed[s * channels_ + channel]);
  if (speaks_ == heard_) return false;
  std::copy(speaks_.begin(), speaks_.end(), heard_.begin());
  return true;
}

// Cholesky's lower triangle, by hand because Eigen's blocked one takes workspace from the heap when sensors are many.
// A silent sensor is a row and a column of the identity, so it neither says nor hears anything.
void KrigingWeights::factor(double noise) {
  for (Index i = 0; i < sensors_; ++i) {
    double* row = &factor_[i * sensors_];
    for (Index j = 0; j <= i; ++j) {
      const double* other = &factor_[j * sensors_];
      double sum = i == j ? 1 + noise : heard_[i] && heard_[j] ? gram_[i * sensors_ + j] : 0;
      for (Index k = 0; k < j; ++k) sum -= row[k] * other[k];
      row[j] = i == j ? std::sqrt(sum) : sum / other[j];
    }
  }
}

void KrigingWeights::solve(const float* centres, Index dim, double noise, const float* missed, float* weights) {
  for (Index i = 0; i < sensors_; ++i)
    for (Index j = 0; j < i; ++j) {
      double square = 0;
      for (Index a = 0; a < dim; ++a) square += std::pow(double(centres[i * dim + a]) - centres[j * dim + a], 2);
      gram_[i * sensors_ + j] = matern(square);
    }
  for (Index c = 0; c < channels_; ++c) {
    if (hear(missed, c) || c == 0) factor(noise);
    for (Index i = 0; i < sensors_; ++i) {
      double sum = heard_[i] ? missed[i * channels_ + c] : 0;
      for (Index k = 0; k < i; ++k) sum -= factor_[i * sensors_ + k] * solution_[k];
      solution_[i] = sum / factor_[i * sensors_ + i];
    }
    for (Index i = sensors_ - 1; i >= 0; --i) {
      double sum = solution_[i];
      for (Index k = i + 1; k < sensors_; ++k) sum -= factor_[k * sensors_ + i] * solution_[k];
      solution_[i] = sum / factor_[i * sensors_ + i];
      weights[i * channels_ + c] = float(solution_[i]);
    }
  }
}

}  // namespace fluidsplat::classical
