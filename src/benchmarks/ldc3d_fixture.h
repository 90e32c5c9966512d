// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <filesystem>
#include <vector>

#include "io/npz.h"

namespace fluidsplat::benchmarks {

// Small files in the layout of FlowBench's LDC-3D, for tests: balls in the middle, two cases to a ball, and fields that
// are linear in the cell's numbers, so that means are known.
struct Ldc3dFixture {
  Index cases = 6, size = 8;
  std::array<int, 3> order = {0, 1, 2};  // where Reynolds number, distance and mask go
  bool mask_one_in_body = false;         // 1 in the body and 0 in the fluid instead of 0 and 255
  bool distance_inward = false;          // positive in the body
  io::NpzCompression compression = io::NpzCompression::stored;
  Index outputs = 5;

  static double reynolds(Index i) { return 50 + 100 * double(i); }
  double distance(Index i, Index cell) const {
    const auto at = [&](Index k) { return (double(k) + 0.5) * 2 / double(size) - 1; };
    const double radius = 0.4 + 0.08 * double(i / 2);
    return std::hypot(at(cell % size), at(cell / size % size), at(cell / size / size)) - radius;
  }
  double field(Index i, Index channel, Index cell) const {
    if (distance(i, cell) <= 0) return 0;
    const double x = double(cell % size), y = double(cell / size % size), z = double(cell / size / size);
    return double(i) + 10 * double(channel) + x + 0.1 * y + 0.01 * z;
  }

  io::Array inputs() const {
    const Index cells = size * size * size;
    std::vector<double> x(cases * 3 * cells);
    for (Index i = 0; i < cases; ++i)
      for (Index cell = 0; cell < cells; ++cell) {
        const double d = distance(i, cell);
        const auto put = [&](int what, double value) { x[(i * 3 + order[what]) * cells + cell] = value; };
        put(0, reynolds(i));
        put(1, distance_inward ? -d : d);
        put(2, mask_one_in_body ? (d > 0 ? 0 : 1) : (d > 0 ? 255 : 0));
      }
    return io::Array::from<double>({cases, 3, size, size, size}, x);
  }
  io::Array fields() const {
    const Index cells = size * size * size;
    std::vector<double> y;
    for (Index i = 0; i < cases; ++i)
      for (Index c = 0; c < outputs; ++c)
        for (Index cell = 0; cell < cells; ++cell) y.push_back(field(i, c, cell));
    return io::Array::from<double>({cases, outputs, size, size, size}, y);
  }
  void write(const std::filesystem::path& folder) const {
    std::filesystem::create_directories(folder);
    io::write_npz(folder / "LDC_3D_X.npz", {{"data", inputs()}}, compression);
    io::write_npz(folder / "LDC_3D_Y.npz", {{"data", fields()}}, compression);
  }
};

}  // namespace fluidsplat::benchmarks
