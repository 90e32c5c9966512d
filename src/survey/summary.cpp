// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "survey/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "field/surface_view.h"
#include "theory/from_dataset.h"
#include "theory/smoothness.h"

namespace fluidsplat::survey {
namespace {

constexpr Index kMeshesListed = 8;
constexpr Index kSpectrumCases = 8, kSpectrumPixels = Index{1} << 21;

// Mean and deviation of columns, block by block (Chan's update): no cancellation, whatever the offset.
class Statistics {
 public:
  explicit Statistics(const std::vector<field::Column>& columns) {
    const double infinite = std::numeric_limits<double>::infinity();
    for (const auto& c : columns) out_.push_back({c, infinite, -infinite, 0, 0});
    square_.assign(columns.size(), 0.0);
  }
  void add(const field::Matrix& rows) {
    const auto added = double(rows.rows());
    for (std::size_t k = 0; k < out_.size(); ++k) {
      const Eigen::ArrayXd v = rows.col(k).cast<double>().array();
      auto& o = out_[k];
      o.least = std::min(o.least, v.minCoeff());
      o.most = std::max(o.most, v.maxCoeff());
      const double mean = v.mean(), shift = mean - o.mean;
      square_[k] += (v - mean).square().sum() + shift * shift * count_ * added / (count_ + added);
      o.mean += shift * added / (count_ + added);
      o.deviation = std::sqrt(square_[k] / (count_ + added));
    }
    count_ += added;
  }
  const std::vector<ColumnSummary>& columns() const { return out_; }

 private:
  std::vector<ColumnSummary> out_;
  std::vector<double> square_;
  double count_ = 0;
};

void add_times(const field::DatasetFile& dataset, Summary& out) {
  const auto n = dataset.size();
  out.first_time = dataset.time_of(0);
  out.last_time = dataset.time_of(n - 1);
  if (n < 2) return;
  const double step = (out.last_time - out.first_time) / double(n - 1);
  bool even = step > 0;
  for (Index i = 1; even && i < n; ++i)
    even = std::abs(dataset.time_of(i) - dataset.time_of(i - 1) - step) < 0.01 * step;
  if (even) out.time_step = step;
}

void add_meshes(const field::DatasetFile& dataset, Summary& out) {
  std::vector<Index> cases(dataset.mesh_count(), 0);
  for (Index i = 0; i < dataset.size(); ++i) ++cases[dataset.mesh_of(i)];
  for (Index m = 0; m < dataset.mesh_count(); ++m) {
    const auto mesh = dataset.mesh(m);
    out.points_least = m == 0 ? mesh->size() : std::min(out.points_least, mesh->size());
    out.points_most = std::max(out.points_most, mesh->size());
    if (m >= kMeshesListed) continue;
    const field::SurfaceView wall(*mesh);
    MeshSummary s{m, mesh->size(), cases[m], wall.size(), mesh->grid_shape, 0, wall.has_normals(), {}};
    if (!wall.areas().empty()) s.wall_area = std::accumulate(wall.areas().begin(), wall.areas().end(), 0.0);
    double cells = 1;
    for (auto extent : mesh->grid_shape) cells *= double(extent);
    if (mesh->is_grid()) s.no_data_share = 1 - double(mesh->size()) / cells;
    out.mesh.push_back(s);
  }
}

std::optional<SpectrumSummary> spectrum_of(const field::Dataset& dataset) {
  const auto mesh = dataset.mesh(dataset.mesh_of(0));
  if (!mesh->is_grid() || mesh->size() > kSpectrumPixels) return {};
  // Bands of frequencies need some room.
  if (*std::min_element(mesh->grid_shape.begin(), mesh->grid_shape.end()) < 24) return {};
  std::vector<Index> cases;
  const auto n = std::min(dataset.size(), kSpectrumCases);
  for (Index i = 0; i < n; ++i) cases.push_back(i * dataset.size() / n);
  const auto frames = theory::load_frames(dataset, "", cases);
  const auto found = theory::smoothness_from_spectrum(*frames.grid, frames.on_grid());
  if (!found || !std::isfinite(found->smoothness)) return {};
  return SpectrumSummary{frames.channel, -(2 * found->smoothness + 1), found->smoothness};
}

}  // namespace

Summary summarize(const field::DatasetFile& dataset, Index max_cases) {
  Summary out;
  out.file = dataset.name();
  out.title = dataset.title();
  out.schema = dataset.schema();
  out.domain = dataset.domain();
  out.cases = dataset.size();
  out.meshes = dataset.mesh_count();
  add_times(dataset, out);
  add_meshes(dataset, out);
  Statistics channels(out.schema.channels), descriptors(out.schema.descriptors);
  out.examined = std::min(dataset.size(), max_cases);
  for (Index i = 0; i < out.examined; ++i) {
    const auto c = dataset.load(i * dataset.size() / out.examined);
    channels.add(c.fields);
    descriptors.add(c.descriptors.transpose());
  }
  out.channels = channels.columns();
  out.descriptors = descriptors.columns();
  out.lengths = measure_length_scales(dataset);
  out.pod = pod_energy(dataset);
  out.spectrum = spectrum_of(dataset);
  return out;
}

}  // namespace fluidsplat::survey
