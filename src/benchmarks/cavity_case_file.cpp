// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cavity_case_file.h"

#include <algorithm>

#include "base/error.h"
#include "io/npz.h"

namespace fluidsplat::benchmarks {
namespace {

using sim::d3::CavityEnd;
constexpr Index kFields = 4, kNumbers = 7;

}  // namespace

void write_cavity_case(const std::filesystem::path& file, const MadeCavity& m, Index n) {
  std::vector<float> fields;
  for (const auto& field : m.fields) fields.insert(fields.end(), field.begin(), field.end());
  const std::vector<double> numbers = {double(m.report.end == CavityEnd::kSteady),
                                       double(m.report.end == CavityEnd::kDiverged),
                                       m.report.time,
                                       m.report.change,
                                       m.lattice_velocity,
                                       m.force.x,
                                       m.force.y};
  io::write_npz(file, {{"fields", io::Array::from<float>({kFields, n, n, n}, fields)},
                       {"fluid", io::Array::from<std::uint8_t>({n, n, n}, m.fluid)},
                       {"numbers", io::Array::from<double>({kNumbers}, numbers)}});
}

std::optional<MadeCavity> read_cavity_case(const std::filesystem::path& file, Index n) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  try {
    const auto npz = io::NpzFile::open(file);
    const auto fields = npz.read("fields"), fluid = npz.read("fluid"), numbers = npz.read("numbers");
    const std::vector<std::int64_t> grid = {n, n, n}, grids = {kFields, n, n, n}, list = {kNumbers};
    if (fields.shape != grids || fluid.shape != grid || numbers.shape != list) return std::nullopt;
    const auto values = fields.as<float>();
    const auto k = numbers.as<double>();
    MadeCavity m;
    m.report = {k[0] != 0 ? CavityEnd::kSteady : k[1] != 0 ? CavityEnd::kDiverged : CavityEnd::kUnsettled, k[2], k[3]};
    m.lattice_velocity = k[4];
    m.force = {k[5], k[6], 0};
    m.fluid = fluid.as<std::uint8_t>();
    for (Index c = 0; c < kFields; ++c)
      m.fields.emplace_back(values.begin() + c * n * n * n, values.begin() + (c + 1) * n * n * n);
    return m;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace fluidsplat::benchmarks
