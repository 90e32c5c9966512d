// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cavity_set_files.h"

#include <algorithm>

#include "io/npy.h"
#include "io/npz.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;

// Reynolds number, signed distance, mask.
std::vector<double> input_row(const sim::d3::CavityCase& c, const MadeCavity& made, Index n) {
  std::vector<double> row(n * n * n, c.reynolds);
  const auto distances = cell_distances(*c.obstacle, n);
  row.insert(row.end(), distances.begin(), distances.end());
  for (const auto fluid : made.fluid) row.push_back(fluid ? 255 : 0);
  return row;
}

// u, v, w, p, and the coefficients: drag in the first half of the last axis, lift in the second.
std::vector<double> output_row(const MadeCavity& made, Index n) {
  std::vector<double> row;
  for (const auto& field : made.fields) row.insert(row.end(), field.begin(), field.end());
  for (Index cell = 0; cell < n * n * n; ++cell) row.push_back(cell % n < n / 2 ? made.force.x : made.force.y);
  return row;
}

std::span<const std::byte> bytes(const std::vector<double>& row) {
  return std::as_bytes(std::span(row));
}

}  // namespace

std::vector<double> cell_distances(const sim::d3::Obstacle& obstacle, Index n) {
  const double width = sim::d3::kCavitySide / double(n);
  const auto centre = [width](Index i) { return (double(i) + 0.5) * width; };
  std::vector<double> distances;
  for (Index cell = 0; cell < n * n * n; ++cell)
    distances.push_back(signed_distance(obstacle, {centre(cell % n), centre(cell / n % n), centre(cell / (n * n))}));
  return distances;
}

bool write_ldc3d_files(const fs::path& folder, const CavitySetOptions& o, const std::vector<Index>& cases,
                       const std::function<MadeCavity(Index)>& load, const RunHooks& hooks) {
  const Index n = o.size, count = std::ssize(cases);
  const fs::path inputs = folder / "cases" / "X.npy", outputs = folder / "cases" / "Y.npy";
  io::NpyWriter x(inputs, io::DType::f64, {count, 3, n, n, n}), y(outputs, io::DType::f64, {count, 5, n, n, n});
  for (Index k = 0; k < count; ++k) {
    if (hooks.should_stop()) return false;
    const auto made = load(cases[k]);
    x.add_row(bytes(input_row(cavity_case(o, cases[k]), made, n)));
    y.add_row(bytes(output_row(made, n)));
    hooks.tell(double(k + 1) / double(count), "write");
  }
  x.commit();
  y.commit();
  io::archive_npy(folder / kLdc3dInputs, "data", inputs);
  io::archive_npy(folder / kLdc3dOutputs, "data", outputs);
  fs::remove(inputs);
  fs::remove(outputs);
  return true;
}

}  // namespace fluidsplat::benchmarks
