// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/train/validation.h"

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

}  // namespace

Validation::Validation(const field::Dataset& dataset, std::vector<Index> cases, const field::SensorPlacement& sensors,
                       Index points, Index seed)
    : dataset_(dataset), cases_(std::move(cases)), sensors_(sensors), points_(dataset.mesh_count()) {
  for (auto index : cases_) {
    const auto m = dataset.mesh_of(index);
    if (points_[m].empty()) points_[m] = pick_points(dataset.mesh(m)->size(), points, seed + m);
  }
}

double Validation::error(const TrainedModel& model, const torch::Device& device) const {
  TorchFieldModel fields(model, device);
  double sum = 0;
  for (auto index : cases_) {
    const auto c = dataset_.load(index);
    const auto& points = points_[dataset_.mesh_of(index)];
    const auto prediction = fields.reconstruct_at(sensors_.read(c, index), c.descriptors, c.mesh, points);
    field::Matrix truth(prediction.rows(), prediction.cols());
    for (Index i = 0; i < truth.rows(); ++i) truth.row(i) = c.fields.row(points[i]);
    sum += field::compare(prediction, truth).relative_l2;
  }
  return sum / double(cases_.size());
}

}  // namespace fluidsplat::learn
