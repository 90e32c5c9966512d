// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/layers/spectral_convolution.h"

#include <algorithm>

namespace fluidsplat::baselines {
namespace {

// A real field's last axis has frequencies from zero up only; the others have both signs.
std::vector<Index> modes_on(Index modes, const std::vector<Index>& shape) {
  std::vector<Index> out;
  for (const Index n : shape) out.push_back(std::min(modes, n / 2));
  out.back() = std::min(modes, shape.back() / 2 + 1);
  return out;
}

// The lowest frequencies of both signs along an axis, and their way back with zeros between.
torch::Tensor keep(const torch::Tensor& spectrum, Index axis, Index modes) {
  const Index n = spectrum.size(axis);
  if (n == 2 * modes) return spectrum;
  return torch::cat({spectrum.narrow(axis, 0, modes), spectrum.narrow(axis, n - modes, modes)}, axis);
}

torch::Tensor spread(const torch::Tensor& kept, Index axis, Index modes, Index n) {
  if (n == 2 * modes) return kept;
  auto shape = kept.sizes().vec();
  shape[axis] = n - 2 * modes;
  return torch::cat({kept.narrow(axis, 0, modes), torch::zeros(shape, kept.options()), kept.narrow(axis, modes, modes)},
                    axis);
}

}  // namespace

Index kept_modes(Index modes, const std::vector<Index>& shape) {
  const auto kept = modes_on(modes, shape);
  Index count = kept.back();
  for (std::size_t a = 0; a + 1 < kept.size(); ++a) count *= 2 * kept[a];
  return count;
}

SpectralConvolutionImpl::SpectralConvolutionImpl(Index width, Index modes, const std::vector<Index>& shape)
    : width_(width), shape_(shape), modes_(modes_on(modes, shape)) {
  const double scale = 1 / double(width * width);
  const std::vector<Index> sizes = {kept_modes(modes, shape), width, width};
  real_ = register_parameter("real", scale * torch::rand(sizes));
  imaginary_ = register_parameter("imaginary", scale * torch::rand(sizes));
}

torch::Tensor SpectralConvolutionImpl::multiply(const torch::Tensor& spectrum) {
  // One real product for every mode, [B, 2 width] times [2 width, 2 width]: libtorch calls the BLAS for each, so few
  // larger products cost much less than the four that complex numbers are made of.
  const Index batch = spectrum.size(0), width = spectrum.size(1);
  const auto parts = torch::view_as_real(spectrum).flatten(2, -2).permute({2, 0, 3, 1}).reshape({-1, batch, 2 * width});
  const auto matrices = torch::cat({torch::cat({real_, imaginary_}, 2), torch::cat({-imaginary_, real_}, 2)}, 1);
  const auto products = torch::bmm(parts, matrices).view({-1, batch, 2, width});
  const auto complex = torch::complex(products.select(2, 0), products.select(2, 1));
  return complex.permute({1, 2, 0}).reshape(spectrum.sizes());
}

torch::Tensor SpectralConvolutionImpl::forward(const torch::Tensor& grid) {
  // Axis by axis, so that what is dropped along one is not transformed along the next.
  const Index last = grid.dim() - 1;
  auto spectrum = torch::fft::rfft(grid, c10::nullopt, last).narrow(last, 0, modes_.back());
  for (Index axis = last - 1; axis >= 2; --axis)
    spectrum = keep(torch::fft::fft(spectrum, c10::nullopt, axis), axis, modes_[axis - 2]);
  spectrum = multiply(spectrum);
  for (Index axis = 2; axis < last; ++axis)
    spectrum = torch::fft::ifft(spread(spectrum, axis, modes_[axis - 2], shape_[axis - 2]), c10::nullopt, axis);
  return torch::fft::irfft(spectrum, shape_.back(), last);
}

}  // namespace fluidsplat::baselines
