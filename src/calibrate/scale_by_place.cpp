// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/scale_by_place.h"

#include <algorithm>
#include <cmath>
#include <nanoflann.hpp>

#include "base/misuse.h"
#include "base/random.h"

namespace fluidsplat::calibrate {
namespace {

// No place is taken to be better than this share of the whole: few cases may agree by luck.
constexpr double kLeast = 0.1;
// Of errors on many meshes: so many are looked at, near so many places, of each the nearest so many.
constexpr Index kErrors = 200000, kPlaces = 4000, kNeighbours = 50;

float log_scale(double square, double mean_square) {
  // A model without any error has a scale all the same.
  constexpr double kTiny = 1e-24;
  return float(0.5 * std::log(square + kLeast * kLeast * mean_square + kTiny));
}

// nanoflann reads points through these members.
struct Points {
  const model::Matrix& values;
  std::size_t kdtree_get_point_count() const { return values.rows(); }
  float kdtree_get_pt(std::size_t i, std::size_t a) const { return values(Index(i), Index(a)); }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};
using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Points, double>, Points, -1, std::uint32_t>;

}  // namespace

void ScaleByPlace::add(const std::shared_ptr<const field::Mesh>& mesh, const field::Matrix& errors) {
  meshes_.push_back(mesh);
  squares_.push_back(errors.array().square());
}

std::vector<double> ScaleByPlace::mean_squares() const {
  if (squares_.empty()) misuse("no errors to learn a scale from");
  std::vector<double> out(squares_.front().cols());
  for (const auto& s : squares_)
    for (Index c = 0; c < s.cols(); ++c) out[c] += s.col(c).cast<double>().mean() / double(squares_.size());
  return out;
}

uncertainty::LocalScale ScaleByPlace::make_constant() const {
  std::vector<float> out;
  for (double square : mean_squares()) out.push_back(std::exp(log_scale(square, 0)));
  return uncertainty::LocalScale(std::move(out));
}

uncertainty::LocalScale ScaleByPlace::make() const {
  const bool one = std::ranges::all_of(meshes_, [&](const auto& m) { return m == meshes_.front(); });
  return one ? on_one_mesh() : on_many_meshes();
}

uncertainty::LocalScale ScaleByPlace::on_one_mesh() const {
  const auto whole = mean_squares();
  model::Matrix logs = model::Matrix::Zero(squares_.front().rows(), squares_.front().cols());
  for (const auto& s : squares_) logs += s / float(squares_.size());
  for (Index i = 0; i < logs.rows(); ++i)
    for (Index c = 0; c < logs.cols(); ++c) logs(i, c) = log_scale(logs(i, c), whole[c]);
  return {meshes_.front()->points, std::move(logs)};
}

uncertainty::LocalScale ScaleByPlace::on_many_meshes() const {
  const auto whole = mean_squares();
  const Index dim = meshes_.front()->points.cols(), channels = squares_.front().cols();
  Random random(1);
  const auto draw = [&](Index count, bool with_errors) {
    model::Matrix places(count, dim), squares(count, channels);
    for (Index k = 0; k < count; ++k) {
      const auto m = Index(random.below(meshes_.size()));
      const auto i = Index(random.below(meshes_[m]->size()));
      places.row(k) = meshes_[m]->points.row(i);
      if (with_errors) squares.row(k) = squares_[m].row(i);
    }
    return std::pair(std::move(places), std::move(squares));
  };
  const auto [seen, errors] = draw(kErrors, true);
  auto places = draw(kPlaces, false).first;
  const Points points{seen};
  Tree tree(int(dim), points, nanoflann::KDTreeSingleIndexAdaptorParams(16));
  tree.buildIndex();
  model::Matrix logs(kPlaces, channels);
  std::vector<std::uint32_t> nearest(kNeighbours);
  std::vector<double> distances(kNeighbours);
  for (Index k = 0; k < kPlaces; ++k) {
    const auto found = tree.knnSearch(places.row(k).data(), kNeighbours, nearest.data(), distances.data());
    for (Index c = 0; c < channels; ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < found; ++i) sum += errors(Index(nearest[i]), c) / double(found);
      logs(k, c) = log_scale(sum, whole[c]);
    }
  }
  return {std::move(places), std::move(logs)};
}

}  // namespace fluidsplat::calibrate
