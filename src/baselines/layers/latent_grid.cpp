// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/layers/latent_grid.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace fluidsplat::baselines {
namespace F = torch::nn::functional;

LatentGrid::LatentGrid(const model::Box& domain, Index nodes) {
  double longest = 0;
  for (std::size_t a = 0; a < domain.low.size(); ++a) longest = std::max(longest, domain.high[a] - domain.low[a]);
  for (std::size_t a = 0; a < domain.low.size(); ++a) {
    const double side = domain.high[a] - domain.low[a];
    sides_.push_back(longest > 0 && side > 0 ? side / longest : 1.0);
    shape_.push_back(std::max<Index>(2, std::llround(double(nodes) * sides_.back())));
  }
  std::reverse(shape_.begin(), shape_.end());
}

Index LatentGrid::size() const {
  return std::accumulate(shape_.begin(), shape_.end(), Index{1}, std::multiplies<>());
}

torch::Tensor LatentGrid::places() const {
  std::vector<torch::Tensor> axes;
  for (const Index n : shape_) axes.push_back(torch::linspace(0.0, 1.0, n, torch::kFloat64));
  auto coordinates = torch::meshgrid(axes, "ij");
  std::reverse(coordinates.begin(), coordinates.end());
  return torch::stack(coordinates, -1).view({size(), dim()});
}

torch::Tensor LatentGrid::scaled(const torch::Tensor& positions) const {
  return positions * torch::tensor(sides_, torch::kFloat64).to(positions.options());
}

torch::Tensor interpolate_at(const torch::Tensor& grid, const torch::Tensor& positions) {
  const Index batch = positions.size(0), queries = positions.size(1), dim = positions.size(2);
  std::vector<Index> shape = {batch};
  shape.insert(shape.end(), dim - 1, 1);
  shape.insert(shape.end(), {queries, dim});
  const auto options =
      F::GridSampleFuncOptions().mode(torch::kBilinear).padding_mode(torch::kBorder).align_corners(true);
  return F::grid_sample(grid, (2 * positions - 1).view(shape), options)
      .view({batch, grid.size(1), queries})
      .transpose(1, 2);
}

torch::Tensor resize(const torch::Tensor& grid, const std::vector<Index>& shape) {
  if (std::equal(shape.begin(), shape.end(), grid.sizes().begin() + 2)) return grid;
  return shape.size() == 2 ? torch::upsample_bilinear2d(grid, shape, /*align_corners=*/true)
                           : torch::upsample_trilinear3d(grid, shape, /*align_corners=*/true);
}

}  // namespace fluidsplat::baselines
