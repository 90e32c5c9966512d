// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch/training_prior.h"

#include <cmath>

#include "base/error.h"
#include "classical/pod_basis.h"
#include "field/all_places.h"

namespace fluidsplat::learn {
namespace {

using classical::Kernel;

// The kernel map is fitted to at most so many cases, evenly spread: its cost grows with their third power.
constexpr Index kMostCases = 2000;
// Modes are left out that together carry less than this share of the square that left-out cases are missed by.  Unseen
// cases may lie far closer to the training cases than these to each other, so it is small.
constexpr double kNegligible = 1e-6;

void check(const TrainingData& data, const model::BaseField& base) {
  const char* remedy = "set model.prior=none";
  const auto& layout = data.sensors.layout();
  if (data.sensors.is_per_case() || layout.redraw)
    fail("{}: model.prior needs sensors that are the same in all cases; {}", data.dataset.name(), remedy);
  for (const Index index : data.cases)
    if (data.dataset.mesh_of(index) != data.dataset.mesh_of(data.cases.front()))
      fail("{}: model.prior needs training cases that share one mesh; {}", data.dataset.name(), remedy);
  // One that came with a model may know another mesh.
  if (base.points() != field::all_places(*data.dataset.mesh(data.dataset.mesh_of(data.cases.front()))))
    fail("{}: model.prior needs the mesh that the base field is known on, and the model to start from has another; {}",
         data.dataset.name(), remedy);
  if (data.cases.size() < 3) fail("{}: model.prior needs at least 3 training cases; {}", data.dataset.name(), remedy);
}

// A case's deviation from the base field, normalised, all places of the mesh.
field::Matrix deviation(const field::Case& c, const model::BaseField& base, const model::Scaling& scaling) {
  field::Matrix out(base.points().rows(), c.fields.cols());
  out.topRows(c.fields.rows()) = c.fields;
  if (c.wall_fields.rows() > 0) out.bottomRows(c.wall_fields.rows()) = c.wall_fields;
  out -= base.values();
  for (Index k = 0; k < out.cols(); ++k) out.col(k) /= scaling.scale[k];
  return out;
}

// The fewest modes that leave out nothing that matters beside the error of a map for clean readings.
Index modes_that_matter(const classical::KernelSettings& sharpest, const Eigen::MatrixXd& readings,
                        const Eigen::MatrixXd& coefficients) {
  const double error =
      classical::choose_settings(sharpest.kernel, readings, coefficients, 0, classical::kSteadyRidge).leave_one_out;
  Index modes = coefficients.cols();
  for (double left = 0; modes > 1; --modes) {
    left += coefficients.col(modes - 1).squaredNorm() / double(coefficients.rows());
    if (left > kNegligible * error * error) break;
  }
  return modes;
}

// Of the errors of left-out cases' coefficients.
double mean_square_left_out(const classical::PodPrior& pod) {
  double sum = 0;
  for (Index r = 0; r < pod.cases(); ++r) {
    const Eigen::VectorXd readings = pod.training_readings().row(r).transpose().cast<double>(),
                          truth = pod.training_coefficients().row(r).transpose().cast<double>();
    sum += (pod.left_out(r, readings) - truth).squaredNorm();
  }
  return sum / double(pod.cases());
}

}  // namespace

Eigen::VectorXd TrainingPrior::coefficients(Index case_index, const field::Matrix& readings) const {
  Eigen::VectorXd heard(inputs->size());
  inputs->read(readings.data(), heard.data());
  const Index row = row_of[case_index];
  return row >= 0 ? prior.pod->left_out(row, heard) : prior.pod->coefficients(heard);
}

TrainingPrior fit_prior(const TrainingData& data, const model::BaseField& base, const PriorConfig& config) {
  check(data, base);
  const auto& scaling = data.normalization.channels;
  const Index cases = std::ssize(data.cases), places = base.points().rows(), channels = base.values().cols();
  field::Matrix held;
  double squares = 0;  // of all deviations, for what the modes leave
  const classical::Snapshots snapshots{cases, places * channels, [&](Index t) {
                                         held = deviation(data.dataset.load(data.cases[t]), base, scaling);
                                         return held.data();
                                       }};
  auto pod = classical::make_pod(snapshots, std::min(config.rank, cases - 1));
  for (Index t = 0; t < cases; ++t)
    squares += Eigen::Map<const Eigen::VectorXf>(snapshots.load(t), places * channels).squaredNorm();

  TrainingPrior out;
  out.row_of.assign(data.dataset.size(), -1);
  const Index known = std::min(cases, kMostCases);
  const auto& placed = data.sensors.of(data.cases.front()).layout;
  classical::PodPrior::Fit fit;
  fit.places = placed.positions;
  fit.noise = config.noise;
  Index readings = 0;
  for (const auto& seen : data.sensors.layout().channels) readings += std::ssize(seen);
  fit.readings.resize(known, readings);
  fit.coefficients.resize(known, pod.coefficients.cols());
  // Inputs are found before there is a prior: by the places alone.
  const classical::PriorInputs inputs(fit.places, data.sensors.layout(), placed, data.normalization);
  Eigen::VectorXd heard(readings);
  for (Index r = 0; r < known; ++r) {
    const Index t = r * cases / known;
    out.row_of[data.cases[t]] = r;
    inputs.read(data.sensors.read(data.dataset.load(data.cases[t]), data.cases[t]).values.data(), heard.data());
    if (!heard.allFinite())
      fail("{}: model.prior needs readings of all sensors in all training cases, and case {} has none of one; {}",
           data.dataset.name(), data.cases[t], "set model.prior=none");
    fit.readings.row(r) = heard.transpose().cast<float>();
    fit.coefficients.row(r) = pod.coefficients.row(t).cast<float>();
  }
  const Eigen::MatrixXd said = fit.readings.cast<double>(), meant = fit.coefficients.cast<double>();
  fit.ladder = classical::choose_ladder(
      {Kernel::kLinear, Kernel::kQuadratic, Kernel::kGaussian, Kernel::kMatern, Kernel::kSmoothMatern}, said, meant,
      config.noise);
  const Index modes = modes_that_matter(fit.ladder.rungs.back().settings, said, meant);
  fit.coefficients = fit.coefficients.leftCols(modes).eval();
  fit.modes.resize(places, modes * channels);
  for (Index i = 0; i < places; ++i)
    for (Index j = 0; j < modes; ++j)
      for (Index k = 0; k < channels; ++k)
        fit.modes(i, j * channels + k) = pod.modes(j, i * channels + k) * scaling.scale[k];

  // What the modes leave out and what the map misses; together they may be nothing at all.
  const double truncated = std::max(0.0, squares - pod.coefficients.leftCols(modes).squaredNorm()) / double(cases);
  out.prior.pod = std::make_shared<const classical::PodPrior>(base.points(), channels, std::move(fit));
  const double left = truncated + mean_square_left_out(*out.prior.pod);
  out.prior.network_scale = std::max(1e-6, std::sqrt(left / double(places * channels)));
  out.inputs = inputs;
  return out;
}

}  // namespace fluidsplat::learn
