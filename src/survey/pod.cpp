// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "survey/pod.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace fluidsplat::survey {
namespace {

std::vector<Index> cases_of_largest_mesh(const field::Dataset& dataset, Index& mesh) {
  std::vector<std::vector<Index>> on(dataset.mesh_count());
  for (Index i = 0; i < dataset.size(); ++i) on[dataset.mesh_of(i)].push_back(i);
  const auto most =
      std::max_element(on.begin(), on.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  mesh = most - on.begin();
  return *most;
}

}  // namespace

int PodEnergy::modes_for(double energy) const {
  double sum = 0;
  for (std::size_t i = 0; i < share.size(); ++i) {
    sum += share[i];
    if (sum >= energy * (1 - 1e-12)) return int(i) + 1;
  }
  return int(share.size());
}

std::optional<PodEnergy> pod_energy(const field::Dataset& dataset, int max_snapshots, Index max_points) {
  PodEnergy out;
  const auto cases = cases_of_largest_mesh(dataset, out.mesh);
  const auto available = std::ssize(cases);
  out.snapshots = std::min<Index>(available, max_snapshots);
  if (out.snapshots < 2) return {};
  const auto points = dataset.mesh(out.mesh)->size(), kept = std::min(points, max_points);
  const auto channels = std::ssize(dataset.schema().channels);
  Eigen::MatrixXf snapshots(kept * channels, out.snapshots);
  for (Index s = 0; s < out.snapshots; ++s) {
    const auto c = dataset.load(cases[s * available / out.snapshots]);
    for (Index p = 0; p < kept; ++p)
      snapshots.col(s).segment(p * channels, channels) = c.fields.row(p * points / kept).transpose();
  }
  const Eigen::VectorXf mean = snapshots.rowwise().mean();
  snapshots.colwise() -= mean;
  for (Index k = 0; k < channels; ++k) {
    double square = 0;
    for (Index p = 0; p < kept; ++p) square += snapshots.row(p * channels + k).cast<double>().squaredNorm();
    if (square > 0)
      for (Index p = 0; p < kept; ++p) snapshots.row(p * channels + k) /= float(std::sqrt(square));
  }
  const Eigen::MatrixXd gram = (snapshots.transpose() * snapshots).cast<double>();
  if (!(gram.trace() > 0)) return {};
  const Eigen::VectorXd energy =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram, Eigen::EigenvaluesOnly).eigenvalues().cwiseMax(0);
  for (Index i = energy.size() - 1; i >= 0; --i) out.share.push_back(energy[i] / energy.sum());
  return out;
}

}  // namespace fluidsplat::survey
