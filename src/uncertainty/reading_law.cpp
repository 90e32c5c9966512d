// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/reading_law.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fluidsplat::uncertainty {
namespace {

using classical::Kernel;
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
// Maps that are kept; a series has few patterns of silent sensors, and a search among suspects tries some more.
constexpr std::size_t kMostMaps = 2000;

struct Standard {
  Eigen::MatrixXd values;
  Eigen::VectorXd mean, spread;
};
Standard standardized(const model::Matrix& training) {
  Standard out;
  out.values = training.cast<double>();
  out.mean = out.values.colwise().mean();
  out.values.rowwise() -= out.mean.transpose();
  out.spread = (out.values.colwise().squaredNorm() / double(out.values.rows())).cwiseSqrt();
  // What never changed in training, as at a wall at rest, is no reason to divide by nothing.
  out.spread = out.spread.cwiseMax(1e-3);
  out.values = out.values * out.spread.cwiseInverse().asDiagonal();
  return out;
}

std::vector<Index> readings_of(const InstantReadings& own, Index sensor) {
  std::vector<Index> out;
  for (Index v = 0; v < own.size(); ++v)
    if (own.readings()[v].sensor == sensor) out.push_back(v);
  return out;
}

// Of all that speak but one.
std::vector<Index> readings_of_others(const InstantReadings& own, const std::vector<bool>& speaks, Index sensor) {
  std::vector<Index> out;
  for (Index v = 0; v < own.size(); ++v)
    if (speaks[v] && own.readings()[v].sensor != sensor) out.push_back(v);
  return out;
}

}  // namespace

bool ReadingLaw::is_ever_sharper() const {
  return std::ranges::any_of(is_sharper, [](bool b) { return b; });
}
bool ReadingLaw::is_always_sharper() const {
  return !is_sharper.empty() && std::ranges::all_of(is_sharper, [](bool b) { return b; });
}

ReadingLaw learn_law(const model::Matrix& training, const InstantReadings& own, double noise) {
  ReadingLaw out;
  const Index kept = std::min(training.rows(), kMostLawCases);
  out.training.resize(kept, training.cols());
  for (Index i = 0; i < kept; ++i) out.training.row(i) = training.row(i * training.rows() / kept);
  out.is_sharper.assign(own.size(), false);
  const auto standard = standardized(out.training);
  const std::vector<bool> all(own.size(), true);
  for (Index s = 0; s < own.sensors(); ++s) {
    const auto inputs = readings_of_others(own, all, s), targets = readings_of(own, s);
    auto& settings = out.settings.emplace_back();
    if (inputs.empty() || targets.empty()) continue;
    settings = classical::choose_settings({Kernel::kLinear, Kernel::kQuadratic, Kernel::kMatern},
                                          standard.values(Eigen::all, inputs), standard.values(Eigen::all, targets),
                                          noise / standard.spread.mean())
                   .settings;
  }
  return out;
}

LeftOutExpectation::LeftOutExpectation(std::shared_ptr<const ReadingLaw> law, InstantReadings own, Expectation model)
    : law_(std::move(law)), own_(std::move(own)), model_(std::move(model)), normalized_(own_.size()) {
  if (!law_) return;
  auto standard = standardized(law_->training);
  standard_ = std::move(standard.values);
  mean_ = std::move(standard.mean);
  spread_ = std::move(standard.spread);
}

const classical::ReadingMap& LeftOutExpectation::map_for(const std::vector<bool>& speaks, Index sensor) {
  const std::pair key(speaks, sensor);
  if (const auto it = maps_.find(key); it != maps_.end()) return it->second;
  if (maps_.size() >= kMostMaps) maps_.clear();
  return maps_
      .emplace(key, classical::ReadingMap(law_->settings[sensor],
                                          standard_(Eigen::all, readings_of_others(own_, speaks, sensor)),
                                          standard_(Eigen::all, readings_of(own_, sensor))))
      .first->second;
}

Eigen::MatrixXd LeftOutExpectation::by_law(const model::Matrix& normalized, const std::vector<bool>& speak) {
  Eigen::MatrixXd z = normalized.cast<double>();
  z.rowwise() -= mean_.transpose();
  z = z * spread_.cwiseInverse().asDiagonal();
  Eigen::MatrixXd out = Eigen::MatrixXd::Constant(z.rows(), z.cols(), kNone);
  for (Index s = 0; s < own_.sensors(); ++s) {
    const auto inputs = readings_of_others(own_, speak, s), targets = readings_of(own_, s);
    // With nobody left to ask there is nothing to say.
    if (inputs.empty() || std::ranges::none_of(targets, [&](Index v) { return speak[v]; })) continue;
    const Eigen::MatrixXd told = map_for(speak, s)(z(Eigen::all, inputs));
    for (std::size_t k = 0; k < targets.size(); ++k)
      if (const auto v = targets[k]; speak[v])
        out.col(v) = (told.col(Index(k)).array() * spread_[v] + mean_[v]).matrix();
  }
  return out;
}

void LeftOutExpectation::by_law(const float* values, float* expected) {
  own_.normalize(values, normalized_.data());
  std::vector<bool> speak(own_.size());
  for (Index v = 0; v < own_.size(); ++v) speak[v] = !std::isnan(normalized_[v]);
  const auto told = by_law(Eigen::Map<const model::Matrix>(normalized_.data(), 1, own_.size()), speak);
  for (Index v = 0; v < own_.size(); ++v) {
    const auto& r = own_.readings()[v];
    expected[v] = float(told(0, v) * double(r.scale) + double(r.mean));
  }
}

void LeftOutExpectation::operator()(const float* values, float* expected) {
  if (law_ && own_.silent(values) > 0) return by_law(values, expected);
  if (!law_ || !law_->is_ever_sharper()) return model_(values, expected);
  std::vector<float> told(own_.size());
  by_law(values, told.data());
  if (!law_->is_always_sharper()) model_(values, expected);
  for (Index v = 0; v < own_.size(); ++v)
    if (law_->is_sharper[v]) expected[v] = told[v];
}

}  // namespace fluidsplat::uncertainty
