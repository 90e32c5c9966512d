// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/case_errors.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "field/surface_view.h"

namespace fluidsplat::calibrate {

CaseReader::CaseReader(reconstruct::FieldModel& model, const field::Dataset& dataset,
                       reconstruct::Functionals& functionals, double noise, std::uint64_t seed)
    : model_(model),
      dataset_(dataset),
      functionals_(functionals),
      noise_(noise),
      seed_(seed),
      sensors_(model.sensors(), dataset),
      own_(model.sensors(), model.description().normalization) {}

field::SensorReadings CaseReader::readings_of(const field::Case& c, Index index, Index silent) const {
  return reconstruct::disturb(sensors_.read(c, index), {noise_, silent, seed_ + silent},
                              model_.description().normalization.readings);
}

SeenCase CaseReader::see(Index index, Index silent, const uncertainty::LastLayer* layer) {
  SeenCase out;
  out.truth = dataset_.load(index);
  const auto& c = out.truth;
  out.readings = readings_of(c, index, silent);
  const auto descriptors = reconstruct::descriptors_for(c.descriptors, model_.schema());
  auto answer = model_.reconstruct(out.readings, descriptors, c.mesh, {.layer = layer});
  const auto& said = answer.field;
  out.doubt = std::move(answer.doubt);
  out.errors = c.fields - said;
  if (functionals_.list().empty()) return out;
  const auto on_wall =
      c.mesh->wall ? model_.reconstruct(out.readings, descriptors, c.mesh->wall).field : field::Matrix();
  out.functionals = functionals_.of(c.mesh, c.fields, c.wall_fields, c.descriptors, c.reference);
  const auto of_said = functionals_.of(c.mesh, said, on_wall, c.descriptors, c.reference);
  for (std::size_t i = 0; i < of_said.size(); ++i) out.functionals[i] -= of_said[i];
  return out;
}

std::vector<float> CaseReader::normalized(const field::SensorReadings& readings) const {
  std::vector<float> out(own_.size());
  own_.normalize(readings.values.data(), out.data());
  return out;
}

Yardstick Yardstick::plain(field::Matrix local) {
  Yardstick out;
  out.classes.assign(local.rows(), 0);
  out.local = std::move(local);
  return out;
}

CaseErrors scaled_errors(const SeenCase& seen, const Yardstick& by, Index points, std::uint64_t seed) {
  const Index n = seen.errors.rows(), channels = seen.errors.cols();
  const auto& local = by.local;
  const double factor = by.factor;
  CaseErrors out;
  out.factor = factor;
  out.pointwise.resize(channels);
  out.largest.resize(channels);
  for (Index c = 0; c < channels; ++c) {
    auto& mean_scale = out.mean_scale.emplace_back(by.class_count);
    for (Index i = 0; i < n; ++i) mean_scale[by.classes[i]] += factor * double(local(i, c)) / double(n);
    out.rms.push_back(std::sqrt(seen.errors.col(c).cast<double>().squaredNorm() / double(n)));
    auto& largest = out.largest[c];
    for (Index i = 0; i < n; ++i) {
      const auto e = float(seen.errors(i, c) / (factor * local(i, c)));
      largest.size = std::max(largest.size, std::abs(e));
      largest.above = std::max(largest.above, e);
      largest.below = std::max(largest.below, -e);
    }
  }
  // With replacement: a mesh of fewer points than that is then as good as any.
  const auto regions = regions_of(*seen.truth.mesh);
  Random random(seed);
  for (Index k = 0; k < points; ++k) {
    const auto i = Index(random.below(n));
    out.region.push_back(regions[i]);
    out.place_class.push_back(by.classes[i]);
    for (Index c = 0; c < channels; ++c) out.pointwise[c].push_back(float(seen.errors(i, c) / (factor * local(i, c))));
  }
  for (double f : seen.functionals) out.functionals.push_back(float(f / factor));
  return out;
}

void renumber_classes(CaseErrors& errors, const std::vector<uncertainty::PlaceClasses::Class>& numbers) {
  for (auto& k : errors.place_class) k = numbers[k];
  for (auto& sums : errors.mean_scale) {
    std::vector<double> renumbered(Index(std::ranges::max(numbers)) + 1);
    for (std::size_t k = 0; k < sums.size(); ++k) renumbered[numbers[k]] += sums[k];
    sums = std::move(renumbered);
  }
}

std::vector<unsigned char> regions_of(const field::Mesh& mesh) {
  std::vector<unsigned char> out(mesh.size(), 2);
  const field::SurfaceView wall(mesh);
  if (wall.empty()) return out;
  const auto dim = mesh.points.cols();
  const Eigen::RowVectorXf low = mesh.points.colwise().minCoeff(), high = mesh.points.colwise().maxCoeff();
  const float near = 0.05f * (high - low).maxCoeff();
  Eigen::RowVectorXf body_low = wall.position(0), body_high = body_low;
  for (Index s = 0; s < wall.size(); ++s) {
    body_low = body_low.cwiseMin(wall.position(s));
    body_high = body_high.cwiseMax(wall.position(s));
  }
  for (Index i = 0; i < mesh.size(); ++i) {
    bool behind = mesh.points(i, 0) > 0.5f * (body_low[0] + body_high[0]);
    for (Index a = 1; a < dim; ++a) {
      const float height = body_high[a] - body_low[a];
      behind = behind && mesh.points(i, a) > body_low[a] - height && mesh.points(i, a) < body_high[a] + height;
    }
    if (behind) out[i] = 1;
    // Walls have up to some thousand points; those near the box around them are looked at closely.
    if (((mesh.points.row(i) - body_low).array() < -near).any() ||
        ((body_high - mesh.points.row(i)).array() < -near).any())
      continue;
    for (Index s = 0; s < wall.size() && out[i] != 0; ++s)
      if ((wall.position(s) - mesh.points.row(i)).squaredNorm() < near * near) out[i] = 0;
  }
  return out;
}

}  // namespace fluidsplat::calibrate
