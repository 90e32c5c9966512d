// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/interpolation_model.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "baselines/matrices.h"
#include "classical/reading_map.h"

namespace fluidsplat::baselines {
namespace {

using namespace classical;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd squared_distances(const MatrixXd& a, const MatrixXd& b) {
  MatrixXd out(a.rows(), b.rows());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.rows(); ++j) out(i, j) = (a.row(i) - b.row(j)).squaredNorm();
  return out;
}

// The sensors that read a channel.
std::vector<Index> readers_of(const Said& said, Index channel) {
  std::vector<Index> out;
  for (Index s = 0; s < std::ssize(said.channels); ++s)
    if (said.channels[s] == channel) out.push_back(s);
  return out;
}

}  // namespace

void InterpolationSpec::bind(Config& c) {
  c.add_choice("model.how", &how,
               {{"nearest", Interpolation::kNearest},
                {"inverse-distance", Interpolation::kInverseDistance},
                {"gaussian-process", Interpolation::kGaussianProcess}},
               "the nearest sensor, all of them weighted by the inverse square of their distance, or kriging");
}

MatrixXd InterpolationModel::weights(const MatrixXd& points, const MatrixXd& sensors, const Settings& settings) const {
  if (spec_.how == Interpolation::kGaussianProcess) {
    const KernelSettings kernel{Kernel::kMatern, settings.length};
    MatrixXd gram = kernel_matrix(kernel, sensors, sensors);
    gram.diagonal().array() += settings.noise;
    return gram.ldlt().solve(kernel_matrix(kernel, sensors, points)).transpose();
  }
  MatrixXd out = squared_distances(points, sensors);
  for (Index i = 0; i < out.rows(); ++i) {
    Index nearest = 0;
    const double least = out.row(i).minCoeff(&nearest);
    if (spec_.how == Interpolation::kNearest || least == 0)
      out.row(i) = Eigen::RowVectorXd::Unit(out.cols(), nearest);
    else
      out.row(i) = (least / out.row(i).array()) / (least / out.row(i).array()).sum();
  }
  return out;
}

void InterpolationModel::fit_deviations(const Fitting& f) {
  Settings best;
  if (spec_.how == Interpolation::kGaussianProcess) {
    constexpr Index kCases = 12, kPoints = 200;
    Random random(1);
    double least = std::numeric_limits<double>::infinity();
    const Index step = std::max<Index>(1, f.deviations.count / kCases);
    const MatrixXd places = to_matrix(carrier().places());
    std::vector<Index> chosen;
    for (Index i = 0; i < kPoints; ++i) chosen.push_back(random.below(places.rows()));
    const MatrixXd points = places(chosen, Eigen::all);
    for (double length = 0.02; length < 5; length *= 1.8)
      for (double noise = 1e-6; noise < 2; noise *= 100) {
        double error = 0;
        for (Index t = 0; t < f.deviations.count; t += step) {
          const auto& said = f.said[t];
          const VectorXd deviations = deviations_at_sensors(said);
          const MatrixXd places_of_sensors = to_matrix(carrier().in_space(said.positions));
          const float* truth = f.deviations.load(t);
          for (Index c = 0; c < channels(); ++c) {
            const auto readers = readers_of(said, c);
            if (readers.empty()) continue;
            const VectorXd answer =
                weights(points, places_of_sensors(readers, Eigen::all), {length, noise}) * deviations(readers);
            for (Index i = 0; i < kPoints; ++i)
              error += std::pow(answer[i] - double(truth[chosen[i] * channels() + c]), 2);
          }
        }
        if (error < least) least = error, best = {length, noise};
      }
  }
  set_matrix("settings", MatrixXd{{best.length, best.noise}});
}

void InterpolationModel::prepare(const std::string& where) {
  const auto settings = matrix("settings");
  if (settings.numel() != 2) fail("{}: expected a length and a noise as \"settings\"; the file is damaged", where);
  settings_ = {settings[0][0].item<double>(), settings[0][1].item<double>()};
}

torch::Tensor InterpolationModel::deviation(const Said& said, const Place& place) {
  const MatrixXd points = to_matrix(carrier().in_space(place.positions));
  const MatrixXd sensors = to_matrix(carrier().in_space(said.positions));
  const VectorXd deviations = deviations_at_sensors(said);
  model::Matrix out = model::Matrix::Zero(points.rows(), channels());
  for (Index c = 0; c < channels(); ++c) {
    const auto readers = readers_of(said, c);
    if (!readers.empty())
      out.col(c) = (weights(points, sensors(readers, Eigen::all), settings_) * deviations(readers)).cast<float>();
  }
  return to_tensor(out);
}

}  // namespace fluidsplat::baselines
