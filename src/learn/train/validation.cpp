// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/train/validation.h"

#include <algorithm>
#include <numeric>

#include "base/draw_distinct.h"
#include "base/error.h"
#include "base/random.h"
#include "field/metrics.h"
#include "learn/model/torch_field_model.h"

namespace fluidsplat::learn {
namespace {

constexpr std::uint64_t kStream = 3;

// A list of more points than these is not shuffled: it would take as much memory as the mesh.
constexpr Index kMostShuffled = Index{1} << 22;

std::vector<Index> pick_points(Index points, Index wanted, std::uint64_t seed) {
  if (points > kMostShuffled && wanted > 0) {
    Random random(seed, kStream);
    return draw_distinct(points, std::min(points, wanted), random);
  }
  std::vector<Index> all(points);
  std::iota(all.begin(), all.end(), 0);
  if (wanted == 0 || wanted >= points) return all;
  Random(seed, kStream).shuffle(all);
  return {all.begin(), all.begin() + wanted};  // without the room for the others
}

// A mesh of only these points.
std::shared_ptr<const field::Mesh> mesh_of(field::MeshPart points) {
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points = std::move(points.positions);
  mesh->features = std::move(points.features);
  return mesh;
}

// Whether a model's answer at a point depends on nothing of the mesh but that point.
bool looks_at_points_only(const TrainedModel& model) {
  return !model.base && !model.prior.pod && !model.model->looks_at_wall() && !model.model->is_fitted_in_closed_form();
}

// A case at the points where it is judged: what is true, what the network is added to, what the network says.
struct Parts {
  field::Matrix truth, ground, network;
};

// One number per case, each known to one rank: zero elsewhere until they are put together.
class PerCase {
 public:
  explicit PerCase(Index cases) : values_(std::size_t(cases), 0.0) {}
  double& operator[](Index i) { return values_[std::size_t(i)]; }
  // In the order of the cases, whoever looked at them.
  double sum(Group& group) {
    group.sum(std::span(values_));
    return std::accumulate(values_.begin(), values_.end(), 0.0);
  }

 private:
  std::vector<double> values_;
};

// The share of the network that makes the sum of squared relative errors of all cases least; `mine` are the cases of
// this rank, from case `first` on.
double best_share(const std::vector<Parts>& mine, Index first, Index cases, Group& group) {
  PerCase along(cases), all(cases);
  for (Index i = 0; i < std::ssize(mine); ++i) {
    const auto& c = mine[i];
    const double size = c.truth.cast<double>().squaredNorm();
    if (!(size > 0)) continue;
    along[first + i] = (c.truth - c.ground).cast<double>().cwiseProduct(c.network.cast<double>()).sum() / size;
    all[first + i] = c.network.cast<double>().squaredNorm() / size;
  }
  const double along_sum = along.sum(group), all_sum = all.sum(group);
  return all_sum > 0 ? std::clamp(along_sum / all_sum, 0.0, 1.0) : 0;
}

}  // namespace

Validation::Validation(const field::Dataset& dataset, std::vector<Index> cases, const field::SensorPlacement& sensors,
                       Index points, Index seed)
    : dataset_(dataset), cases_(std::move(cases)), sensors_(sensors), points_(dataset.mesh_count()) {
  for (auto index : cases_) {
    const auto m = dataset.mesh_of(index);
    if (points_[m].empty()) points_[m] = pick_points(dataset.outline(m).points, points, seed + m);
  }
}

Validation::Judgement Validation::judge(const TrainedModel& model, const torch::Device& device, Group& group) const {
  TorchFieldModel fields(model, device);
  const Index cases = std::ssize(cases_);
  const auto mine = share_of(cases, group);
  PerCase errors(cases);
  std::vector<Parts> parts;
  const bool apart = looks_at_points_only(model);
  for (Index i = mine.begin; i < mine.end; ++i) {
    const auto index = cases_[i];
    const auto number = dataset_.mesh_of(index);
    const auto readings = sensors_.read(dataset_, index);
    const auto truth = dataset_.values_at(index, points_[number]);
    const auto descriptors = dataset_.without_fields(index).descriptors;
    auto points = points_[number];
    const auto mesh = apart ? mesh_of(dataset_.points_at(number, points)) : dataset_.mesh(number);
    if (apart) std::iota(points.begin(), points.end(), 0);
    if (model.prior.pod) {
      field::Matrix said = float(model.prior.network_scale) * fields.network_at(readings, descriptors, mesh, points);
      for (Index k = 0; k < said.cols(); ++k) said.col(k) *= model.normalization.channels.scale[k];
      field::Matrix ground = fields.ground_at(readings, mesh, points);
      ground.rowwise() += Eigen::Map<const Eigen::RowVectorXf>(model.normalization.channels.mean.data(), said.cols());
      parts.push_back({truth, ground, said});
    } else {
      errors[i] = field::compare(fields.reconstruct_at(readings, descriptors, mesh, points), truth).relative_l2;
    }
  }
  const double share = model.prior.pod ? best_share(parts, mine.begin, cases, group) : 1;
  for (Index i = 0; i < std::ssize(parts); ++i)
    errors[mine.begin + i] =
        field::compare(parts[i].ground + float(share) * parts[i].network, parts[i].truth).relative_l2;
  return {errors.sum(group) / double(cases), share * model.prior.network_scale};
}

}  // namespace fluidsplat::learn
