// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "classical/adaptive_map.h"

namespace fluidsplat::classical {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd side_by_side(const MatrixXd& targets, const MatrixXd& readings) {
  MatrixXd out(targets.rows(), targets.cols() + readings.cols());
  out << targets, readings;
  return out;
}

// `answer(l)` is what the l-th rung makes of the readings: targets and readings, [J + S].  Adds up the targets.
template <class Answer>
void blend(const NoiseLadder& ladder, Eigen::Ref<const VectorXd> readings, Eigen::Ref<VectorXd> targets,
           double* weights, const Answer& answer) {
  const Eigen::Ref<const VectorXd> judged = answer(ladder.judge);
  ladder.weigh(missed_by(readings, judged.tail(readings.size())), weights);
  targets = weights[ladder.judge] * judged.head(targets.size());
  for (Index l = 0; l < std::ssize(ladder.rungs); ++l)
    if (l != ladder.judge && weights[l] > 0) targets += weights[l] * answer(l).head(targets.size());
}

}  // namespace

AdaptiveMap::AdaptiveMap(NoiseLadder ladder, const MatrixXd& readings, const MatrixXd& targets)
    : ladder_(std::move(ladder)), targets_(targets.cols()) {
  for (const auto& rung : ladder_.rungs) maps_.emplace_back(rung.settings, readings, side_by_side(targets, readings));
}

void AdaptiveMap::apply(const double* readings, double* scratch, double* targets) const {
  const Index sensors = maps_.front().targets() - targets_;
  double* weights = scratch + cases() + targets_ + sensors;
  Eigen::Map<const VectorXd> made(scratch + cases(), targets_ + sensors);
  blend(ladder_, Eigen::Map<const VectorXd>(readings, sensors), Eigen::Map<VectorXd>(targets, targets_), weights,
        [&](Index l) -> const Eigen::Map<const VectorXd>& {
          maps_[l].apply(readings, scratch, scratch + cases());
          return made;
        });
}

VectorXd AdaptiveMap::operator()(const VectorXd& readings) const {
  VectorXd room(scratch()), out(targets_);
  apply(readings.data(), room.data(), out.data());
  return out;
}

LeftOutAdaptiveMap::LeftOutAdaptiveMap(NoiseLadder ladder, const MatrixXd& readings, const MatrixXd& targets)
    : ladder_(std::move(ladder)), targets_(targets.cols()) {
  for (const auto& rung : ladder_.rungs) maps_.emplace_back(rung.settings, readings, side_by_side(targets, readings));
}

VectorXd LeftOutAdaptiveMap::operator()(Index left_out, const VectorXd& readings) const {
  VectorXd out(targets_), weights(ladder_.rungs.size()), made;
  blend(ladder_, readings, out, weights.data(), [&](Index l) -> const VectorXd& {
    made = maps_[l](left_out, readings);
    return made;
  });
  return out;
}

}  // namespace fluidsplat::classical
