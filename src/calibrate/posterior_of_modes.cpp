// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/posterior_of_modes.h"

#include <algorithm>

namespace fluidsplat::calibrate {

PosteriorOfModes::PosteriorOfModes(const field::Dataset& dataset, std::vector<Index> points,
                                   const std::vector<Index>& training, Eigen::MatrixXd readings, double noise)
    : points_(std::move(points)), readings_(std::move(readings)) {
  constexpr Index kRank = 100;
  field::Matrix current;
  const auto load = [&](Index t) {
    current = at_points(dataset.load(training[t]).fields);
    return static_cast<const float*>(current.data());
  };
  load(0);
  channels_ = current.cols();
  const Index size = current.size();
  const classical::Snapshots snapshots{std::ssize(training), size, load};
  pod_ = classical::make_pod(snapshots, std::min(kRank, std::ssize(training) - 1));
  using enum classical::Kernel;
  settings_ = classical::choose_settings({kGaussian, kMatern}, readings_, pod_.coefficients, noise).settings;
  Eigen::MatrixXd gram = classical::kernel_matrix(settings_, readings_, readings_);
  gram.diagonal().array() += settings_.ridge;
  factor_ = gram.ldlt();
  weights_ = factor_.solve(pod_.coefficients);
  // How much each coefficient varies, by maximum likelihood.
  const Eigen::VectorXd amounts = (pod_.coefficients.array() * weights_.array()).colwise().mean().transpose().max(0.0);
  through_modes_ = (pod_.modes.cwiseAbs2().transpose() * amounts.cast<float>()).cast<double>();
  left_ = Eigen::VectorXd::Zero(size);
  for (Index t = 0; t < std::ssize(training); ++t) {
    const Eigen::VectorXf made =
        pod_.mean + pod_.modes.transpose() * pod_.coefficients.row(t).transpose().cast<float>();
    left_ +=
        (Eigen::Map<const Eigen::VectorXf>(load(t), size) - made).cast<double>().cwiseAbs2() / double(training.size());
  }
}

PosteriorOfModes::Answer PosteriorOfModes::at(const Eigen::RowVectorXd& readings) const {
  const Eigen::VectorXd k = classical::kernel_matrix(settings_, readings, readings_).transpose();
  const Eigen::VectorXf made = pod_.mean + pod_.modes.transpose() * (weights_.transpose() * k).cast<float>();
  const double variance = std::max(settings_.ridge, 1 + settings_.ridge - k.dot(factor_.solve(k)));
  // Where nothing ever happens, as at a wall, something may.
  const double least = 1e-6 * (variance * through_modes_.mean() + left_.mean());
  const Eigen::VectorXf deviation =
      (variance * through_modes_ + left_).array().max(least).sqrt().matrix().cast<float>();
  const auto shaped = [&](const Eigen::VectorXf& v) {
    return field::Matrix(Eigen::Map<const field::Matrix>(v.data(), v.size() / channels_, channels_));
  };
  return {shaped(made), shaped(deviation)};
}

}  // namespace fluidsplat::calibrate
