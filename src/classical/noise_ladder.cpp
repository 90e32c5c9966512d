// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "classical/noise_ladder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace fluidsplat::classical {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kBetweenRungs = 5;
// The last rung stands what rounding does to readings that are called clean.
constexpr double kClean = 1e-5;
constexpr double kNegligible = 1e-4;  // an error, of how much targets vary
constexpr Index kMostAsked = 300;
constexpr Index kDraws = 2;  // of noise
// Differences of the mean logarithm that are chance: two per cent of an error.
constexpr double kChance = 0.02;

// What a rung makes of every left-out case under one noise, the draws of it one below the other.
struct Answers {
  MatrixXd targets;  // [draws * T, J]
  VectorXd missed;   // [draws * T]
};

// Answers of rungs under noises, [rung][noise].
class Examination {
 public:
  Examination(const MatrixXd& readings, const MatrixXd& targets, const std::vector<Rung>& rungs) : targets_(targets) {
    MatrixXd both(readings.rows(), targets.cols() + readings.cols());
    both << targets, readings;
    for (const auto& rung : rungs) {
      const LeftOutMap map(rung.settings, readings, both);
      auto& answers = answers_.emplace_back();
      for (const auto& other : rungs) answers.push_back(ask(map, readings, other.noise));
    }
  }

  // What the judge misses under the noise of a rung.
  double missed(Index judge, Index noise, double quantile) const {
    VectorXd all = answers_[judge][noise].missed;
    std::sort(all.begin(), all.end());
    return all[Index(quantile * double(all.size() - 1))];
  }

  // Mean logarithm of the errors under all noises: a ladder may not buy little here with much there, and cases that lie
  // alone, as few that come will do, do not outweigh all others.
  double badness(const NoiseLadder& ladder) const {
    const double negligible = kNegligible * targets_.norm() / std::sqrt(double(targets_.rows()));
    const Index count = std::ssize(answers_);
    VectorXd weights(count), made(targets_.cols());
    const Index rows = answers_[0][0].missed.size();
    double sum = 0;
    for (Index n = 0; n < count; ++n)
      for (Index row = 0; row < rows; ++row) {
        ladder.weigh(answers_[ladder.judge][n].missed[row], weights.data());
        made.setZero();
        for (Index l = 0; l < count; ++l)
          if (weights[l] > 0) made += weights[l] * answers_[l][n].targets.row(row).transpose();
        sum += std::log((made - targets_.row(row % targets_.rows()).transpose()).norm() + negligible);
      }
    return sum / double(count * rows);
  }

 private:
  Answers ask(const LeftOutMap& map, const MatrixXd& readings, double noise) const {
    const Index cases = readings.rows(), width = targets_.cols();
    Random random(2);
    Answers out{MatrixXd(kDraws * cases, width), VectorXd(kDraws * cases)};
    for (Index row = 0; row < kDraws * cases; ++row) {
      VectorXd shown = readings.row(row % cases).transpose();
      for (double& r : shown) r += noise * random.normal();
      const VectorXd made = map(row % cases, shown);
      out.targets.row(row) = made.head(width).transpose();
      out.missed[row] = missed_by(shown, made.tail(readings.cols()));
    }
    return out;
  }

  const MatrixXd& targets_;
  std::vector<std::vector<Answers>> answers_;
};

}  // namespace

double missed_by(const Eigen::Ref<const VectorXd>& readings, const Eigen::Ref<const VectorXd>& made) {
  return std::sqrt((made - readings).squaredNorm() / double(readings.size()));
}

double Rung::weight(double missed) const {
  if (missed >= loud) return 1;
  if (missed <= quiet) return 0;
  return std::log(missed / quiet) / std::log(loud / quiet);
}

void NoiseLadder::weigh(double missed, double* weights) const {
  double left = 1;
  for (const auto& rung : rungs) {
    *weights = left * (&rung == &rungs.back() ? 1 : rung.weight(missed));
    left -= *weights++;
  }
}

NoiseLadder choose_ladder(const std::vector<Kernel>& kernels, const MatrixXd& all_readings, const MatrixXd& all_targets,
                          double noise) {
  std::vector<Index> asked;
  const Index step = (all_readings.rows() + kMostAsked - 1) / kMostAsked;
  for (Index t = 0; t < all_readings.rows(); t += step) asked.push_back(t);
  const MatrixXd readings = all_readings(asked, Eigen::all), targets = all_targets(asked, Eigen::all);

  std::vector<double> noises = {0};
  if (noise > 0) noises = {noise * kBetweenRungs, noise, noise / kBetweenRungs, 0};
  std::vector<Rung> rungs;
  for (const double size : noises)
    rungs.push_back({size, choose_settings(kernels, readings, targets, std::max(size, kClean), kSteadyRidge).settings});
  if (noise == 0) return {rungs};

  const Examination examination(readings, targets, rungs);
  struct Candidate {
    NoiseLadder ladder;
    double badness;
  };
  std::vector<Candidate> candidates;
  const Index count = std::ssize(rungs);
  for (Index only = 0; only < count; ++only) {
    NoiseLadder ladder{rungs};
    constexpr double kNever = std::numeric_limits<double>::max();
    for (Index l = 0; l < only; ++l) ladder.rungs[l].quiet = ladder.rungs[l].loud = kNever;
    candidates.push_back({{{rungs[only]}}, examination.badness(ladder)});
  }
  for (Index judge = 0; judge < count; ++judge)
    for (const double calm : {0.5, 0.75, 0.9})
      for (const double stirred : {0.1, 0.3, 0.5}) {
        NoiseLadder ladder{rungs, judge};
        for (Index l = 0; l + 1 < count; ++l) {
          ladder.rungs[l].quiet = examination.missed(judge, l + 1, calm);
          ladder.rungs[l].loud = std::max(examination.missed(judge, l, stirred), 1.1 * ladder.rungs[l].quiet);
        }
        candidates.push_back({ladder, examination.badness(ladder)});
      }
  const double least = std::ranges::min(candidates, {}, &Candidate::badness).badness;
  std::erase_if(candidates, [&](const Candidate& c) { return c.badness > least + kChance; });
  return std::ranges::min(candidates, {},
                          [](const Candidate& c) { return std::pair(c.ladder.rungs.back().noise, c.badness); })
      .ladder;
}

}  // namespace fluidsplat::classical
