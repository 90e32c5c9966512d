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

// Of errors on many meshes: so many are looked at, near so many places, of each the nearest so many.
constexpr Index kErrors = 200000, kPlaces = 4000, kNeighbours = 50;
// Of errors on one mesh: so many at least are summed up, from points around one where it has fewer.
constexpr Index kEnough = 100;
constexpr double kNine = 0.9;

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

void ScaleByPlace::add(const std::shared_ptr<const field::Mesh>& mesh, field::Matrix errors) {
  meshes_.push_back(mesh);
  sizes_.push_back(errors.cwiseAbs());
}

double ScaleByPlace::summed_up(std::vector<float>& sizes) const {
  if (summary_ == Summary::quantile) {
    const auto at = sizes.begin() + Index(kNine * double(sizes.size() - 1) + 0.5);
    std::nth_element(sizes.begin(), at, sizes.end());
    return *at;
  }
  double sum = 0;
  for (float s : sizes) sum += double(s) * double(s);
  return std::sqrt(sum / double(sizes.size()));
}

std::vector<double> ScaleByPlace::whole() const {
  if (sizes_.empty()) misuse("no errors to learn a scale from");
  std::vector<double> out;
  for (Index c = 0; c < sizes_.front().cols(); ++c) {
    std::vector<float> all;
    for (const auto& s : sizes_) {
      // Cases count once each, however many points they have.
      const Index most = std::max(Index(1), kErrors / std::ssize(sizes_)), step = std::max(Index(1), s.rows() / most);
      for (Index i = 0; i < s.rows(); i += step) all.push_back(s(i, c));
    }
    out.push_back(summed_up(all));
  }
  return out;
}

float ScaleByPlace::log_scale(double here, double whole) const {
  // A model without any error has a scale all the same.
  constexpr double kTiny = 1e-24;
  return float(0.5 * std::log(here * here + least_ * least_ * whole * whole + kTiny));
}

uncertainty::LocalScale ScaleByPlace::make_constant() const {
  std::vector<float> out;
  for (double all : whole()) out.push_back(std::exp(log_scale(all, 0)));
  return uncertainty::LocalScale(std::move(out));
}

uncertainty::LocalScale ScaleByPlace::make() const {
  if (sizes_.empty()) misuse("no errors to learn a scale from");
  const bool one = std::ranges::all_of(meshes_, [&](const auto& m) { return m == meshes_.front(); });
  return one ? on_one_mesh() : on_many_meshes();
}

uncertainty::LocalScale ScaleByPlace::on_one_mesh() const {
  const auto all = whole();
  const auto& places = meshes_.front()->points;
  const Index cases = std::ssize(sizes_), channels = sizes_.front().cols();
  const Index around = std::min(places.rows(), std::max(Index(1), kEnough / cases));
  const Points points{places};
  Tree tree(int(places.cols()), points, nanoflann::KDTreeSingleIndexAdaptorParams(16));
  tree.buildIndex();
  model::Matrix logs(places.rows(), channels);
  std::vector<std::uint32_t> nearest(around);
  std::vector<double> distances(around);
  std::vector<float> here;
  for (Index i = 0; i < places.rows(); ++i) {
    const auto found = tree.knnSearch(places.row(i).data(), around, nearest.data(), distances.data());
    for (Index c = 0; c < channels; ++c) {
      here.clear();
      for (std::size_t k = 0; k < found; ++k)
        for (const auto& s : sizes_) here.push_back(s(nearest[k], c));
      logs(i, c) = log_scale(summed_up(here), all[c]);
    }
  }
  return {places, std::move(logs)};
}

uncertainty::LocalScale ScaleByPlace::on_many_meshes() const {
  const auto all = whole();
  const Index dim = meshes_.front()->points.cols(), channels = sizes_.front().cols();
  Random random(1);
  const auto draw = [&](Index count) {
    Samples out{model::Matrix(count, dim), model::Matrix(count, channels)};
    for (Index k = 0; k < count; ++k) {
      const auto m = Index(random.below(meshes_.size()));
      const auto i = Index(random.below(meshes_[m]->size()));
      out.places.row(k) = meshes_[m]->points.row(i);
      out.sizes.row(k) = sizes_[m].row(i);
    }
    return out;
  };
  const auto seen = draw(kErrors);
  auto places = draw(kPlaces).places;
  const Points points{seen.places};
  Tree tree(int(dim), points, nanoflann::KDTreeSingleIndexAdaptorParams(16));
  tree.buildIndex();
  model::Matrix logs(kPlaces, channels);
  std::vector<std::uint32_t> nearest(kNeighbours);
  std::vector<double> distances(kNeighbours);
  std::vector<float> here;
  for (Index k = 0; k < kPlaces; ++k) {
    const auto found = tree.knnSearch(places.row(k).data(), kNeighbours, nearest.data(), distances.data());
    for (Index c = 0; c < channels; ++c) {
      here.clear();
      for (std::size_t i = 0; i < found; ++i) here.push_back(seen.sizes(nearest[i], c));
      logs(k, c) = log_scale(summed_up(here), all[c]);
    }
  }
  return {std::move(places), std::move(logs)};
}

}  // namespace fluidsplat::calibrate
