// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/dense.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/random.h"
#include "kernels/every_target.h"
#include "kernels/tile_buffers.h"

namespace fluidsplat::kernels {
namespace {

std::vector<float> normals(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> x(n);
  for (float& v : x) v = float(random.normal());
  return x;
}

TEST(DenseNetwork, EqualsPlainLoopsOnEveryTarget) {
  const Index sizes[] = {7, 300, 13, 5};  // more than one depth slice, rows that do not fill a block
  std::vector<std::vector<float>> weights, biases;
  std::vector<DenseLayer> layers;
  for (int l = 0; l < 3; ++l) {
    weights.push_back(normals(sizes[l] * sizes[l + 1], 1 + l));
    biases.push_back(normals(sizes[l + 1], 10 + l));
  }
  for (int l = 0; l < 3; ++l)
    layers.push_back({.weight = weights[l].data(), .bias = biases[l].data(), .rows = sizes[l + 1], .cols = sizes[l]});
  for_every_target([&] {
    const DenseNetwork network(layers);
    const Index width = panel_width(), panels = 2;
    const auto input = normals(panels * 7 * width, 99);
    Buffer scratch(network.scratch_size());
    std::vector<float> output(panels * 5 * width);
    network.run(input.data(), panels, scratch.data(), output.data());
    for (Index token = 0; token < panels * width; ++token) {
      std::vector<double> x;
      for (Index i = 0; i < 7; ++i) x.push_back(input[(token / width * 7 + i) * width + token % width]);
      for (int l = 0; l < 3; ++l) {
        std::vector<double> y(sizes[l + 1]);
        for (Index i = 0; i < std::ssize(y); ++i) {
          y[i] = biases[l][i];
          for (Index j = 0; j < std::ssize(x); ++j) y[i] += double{weights[l][i * std::ssize(x) + j]} * x[j];
          if (l < 2) y[i] *= 0.5 * std::erfc(-y[i] / std::numbers::sqrt2);
        }
        x = y;
      }
      for (Index i = 0; i < 5; ++i)
        EXPECT_NEAR(output[(token / width * 5 + i) * width + token % width], x[i], 1e-5 * (20 + std::abs(x[i])));
    }
  });
}

TEST(MatrixVector, EqualsPlainLoopsForOddSizes) {
  const auto w = normals(11 * 37, 1), b = normals(11, 2), x = normals(37, 3);
  for_every_target([&] {
    std::vector<float> y(11);
    matrix_vector({.weight = w.data(), .bias = b.data(), .rows = 11, .cols = 37}, x.data(), y.data());
    for (int i = 0; i < 11; ++i) {
      double sum = b[i];
      for (int j = 0; j < 37; ++j) sum += double{w[i * 37 + j]} * x[j];
      EXPECT_NEAR(y[i], sum, 1e-5);
    }
  });
}

}  // namespace
}  // namespace fluidsplat::kernels
