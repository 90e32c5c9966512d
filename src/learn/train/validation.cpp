// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/train/validation.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "field/metrics.h"
#include "learn/model/torch_field_model.h"

namespace fluidsplat::learn {
namespace {

constexpr std::uint64_t kStream = 3;

std::vector<Index> pick_points(Index points, Index wanted, std::uint64_t seed) {
  std::vector<Index> all(points);
  std::iota(all.begin(), all.end(), 0);
  if (wanted == 0 || wanted >= points) return all;
  Random(seed, kStream).shuffle(all);
  all.resize(wanted);
  return all;
}

// A case at the points where it is judged: what is true, what the network is added to, what the network says.
struct Parts {
  field::Matrix truth, ground, network;
};

// The share of the network that makes the sum of squared relative errors least.
double best_share(const std::vector<Parts>& cases) {
  double along = 0, all = 0;
  for (const auto& c : cases) {
    const double size = c.truth.cast<double>().squaredNorm();
    if (!(size > 0)) continue;
    along += (c.truth - c.ground).cast<double>().cwiseProduct(c.network.cast<double>()).sum() / size;
    all += c.network.cast<double>().squaredNorm() / size;
  }
  return all > 0 ? std::clamp(along / all, 0.0, 1.0) : 0;
}

}  // namespace

Validation::Validation(const field::Dataset& dataset, std::vector<Index> cases, const field::SensorPlacement& sensors,
                       Index points, Index seed)
    : dataset_(dataset), cases_(std::move(cases)), sensors_(sensors), points_(dataset.mesh_count()) {
  for (auto index : cases_) {
    const auto m = dataset.mesh_of(index);
    if (points_[m].empty()) points_[m] = pick_points(dataset.mesh(m)->size(), points, seed + m);
  }
}

Validation::Judgement Validation::judge(const TrainedModel& model, const torch::Device& device) const {
  TorchFieldModel fields(model, device);
  double sum = 0;
  std::vector<Parts> parts;
  for (auto index : cases_) {
    const auto c = dataset_.load(index);
    const auto& points = points_[dataset_.mesh_of(index)];
    const auto readings = sensors_.read(c, index);
    const field::Matrix truth = c.fields(points, Eigen::all);
    if (model.prior.pod) {
      field::Matrix said =
          float(model.prior.network_scale) * fields.network_at(readings, c.descriptors, c.mesh, points);
      for (Index k = 0; k < said.cols(); ++k) said.col(k) *= model.normalization.channels.scale[k];
      field::Matrix ground = fields.ground_at(readings, c.mesh, points);
      ground.rowwise() += Eigen::Map<const Eigen::RowVectorXf>(model.normalization.channels.mean.data(), said.cols());
      parts.push_back({truth, ground, said});
    } else {
      sum += field::compare(fields.reconstruct_at(readings, c.descriptors, c.mesh, points), truth).relative_l2;
    }
  }
  const double share = model.prior.pod ? best_share(parts) : 1;
  for (const auto& p : parts) sum += field::compare(p.ground + float(share) * p.network, p.truth).relative_l2;
  return {sum / double(cases_.size()), share * model.prior.network_scale};
}

}  // namespace fluidsplat::learn
