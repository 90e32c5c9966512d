// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ldc3d_files.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.h"
#include "benchmarks/ldc3d_channels.h"
#include "benchmarks/ldc3d_grid.h"
#include "benchmarks/ldc3d_splits.h"
#include "field/dataset_file.h"
#include "io/npz.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;
constexpr Index kInputs = 3, kFields = 4;  // Reynolds number, distance, mask; u, v, w, p
constexpr Index kPaperSize = 64;

// One of the two arrays.
class Rows {
 public:
  explicit Rows(const fs::path& file) : name_(file.string()), rows_(io::NpzFile::open(file).rows("data")) {
    const auto& s = rows_.shape();
    if (s.size() != 5 || s[0] < 1 || s[2] < 2 || s[2] != s[3] || s[2] != s[4])
      fail("{}: data is {}; FlowBench's is (cases, channels, s, s, s)", name_, io::shape_text(s));
  }

  const std::string& name() const { return name_; }
  Index cases() const { return rows_.shape()[0]; }
  Index channels() const { return rows_.shape()[1]; }
  Index size() const { return rows_.shape()[2]; }

  // One channel at a time becomes numbers: a row of the published files has 84 MB.
  void read(Index number) { row_ = rows_.read_rows(number, 1); }
  std::vector<double> channel(Index c) const {
    const Index cells = size() * size() * size(), bytes = std::ssize(row_.bytes) / channels();
    io::Array part{row_.dtype, {cells}, {row_.bytes.begin() + c * bytes, row_.bytes.begin() + (c + 1) * bytes}};
    auto values = part.as<double>();
    const auto bad = std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); }) - values.begin();
    if (bad < cells)
      fail("{}: channel {}, cell (z, y, x) = ({}, {}, {}) is not a finite number", name_, c, bad / (size() * size()),
           bad / size() % size(), bad % size());
    return values;
  }

 private:
  std::string name_;
  io::NpzRows rows_;
  io::Array row_;
};

struct Files {
  Rows inputs, outputs;

  explicit Files(const fs::path& folder) : inputs(find(folder, "LDC_3D_X.npz")), outputs(find(folder, "LDC_3D_Y.npz")) {
    if (inputs.channels() > kInputs && outputs.channels() == kInputs)
      fail("{} has {} channels and {} has 3: the two files are swapped", inputs.name(), inputs.channels(),
           outputs.name());
    if (inputs.channels() != kInputs)
      fail("{}: has {} channels; the Reynolds number, the signed distance and the mask are {}", inputs.name(),
           inputs.channels(), kInputs);
    if (outputs.channels() < kFields)
      fail("{}: has {} channels; u, v, w and p are {}", outputs.name(), outputs.channels(), kFields);
    if (inputs.cases() != outputs.cases() || inputs.size() != outputs.size())
      fail("{} has {} cases of {}^3 cells, {} has {} of {}^3: they do not belong together", inputs.name(),
           inputs.cases(), inputs.size(), outputs.name(), outputs.cases(), outputs.size());
  }

  static fs::path find(const fs::path& folder, const char* name) {
    if (!fs::is_directory(folder)) fail("{}: is no folder; name the one with LDC_3D_X.npz", folder.string());
    if (!fs::exists(folder / name))
      fail("{}: holds no {}; FlowBench's LDC-3D is LDC_3D_X.npz and LDC_3D_Y.npz", folder.string(), name);
    return folder / name;
  }
};

// How many cells become one: as many as leave 64 or more along a side.
Index block_factor(Index size) {
  Index factor = 1;
  while (size % (2 * factor) == 0 && size / (2 * factor) >= kPaperSize) factor *= 2;
  return factor;
}

field::Schema schema() {
  field::Schema s;
  s.coordinates = {{"x", "L/2"}, {"y", "L/2"}, {"z", "L/2"}};
  s.channels = {{"u", "U"}, {"v", "U"}, {"w", "U"}, {"p", "rho U^2"}};
  s.features = {{"distance", "L/2"}};
  s.descriptors = {{"Re", ""}};
  return s;
}

// The mesh of the last case, which the next one usually shares.
class Obstacles {
 public:
  Obstacles(Index size, Index factor) : size_(size), factor_(factor) {}

  void take(Ldc3dGeometry geometry) {
    if (geometry.fluid == fluid_ && geometry.distance == distance_) return;
    ++number_;
    fluid_ = std::move(geometry.fluid);
    distance_ = std::move(geometry.distance);
    average_.emplace(fluid_, size_, size_ / factor_);
    mesh_ = std::make_shared<const field::Mesh>(
        ldc3d_mesh(average_->fluid(), average_->of_all(distance_), average_->size()));
  }
  Index number() const { return number_; }
  const CellAverage& average() const { return *average_; }
  const std::shared_ptr<const field::Mesh>& mesh() const { return mesh_; }

 private:
  Index size_, factor_, number_ = -1;
  std::vector<std::uint8_t> fluid_;
  std::vector<double> distance_;
  std::optional<CellAverage> average_;
  std::shared_ptr<const field::Mesh> mesh_;
};

field::Case make_case(Index number, double reynolds, const Obstacles& obstacles, const Rows& outputs) {
  const auto& mesh = obstacles.mesh();
  field::Case c;
  c.name = fmt::format("case-{:05d}", number);
  c.mesh = mesh;
  c.descriptors.resize(1);
  c.descriptors[0] = float(reynolds);
  c.fields.resize(mesh->size(), kFields);
  for (Index k = 0; k < kFields; ++k) {
    const auto values = obstacles.average().of_fluid(outputs.channel(k));
    for (Index i = 0; i < mesh->size(); ++i) c.fields(i, k) = float(values[mesh->grid_cell[i]]);
  }
  return c;
}

std::vector<std::string> describe(const Files& files, const Ldc3dChannels& order, Index factor, Index obstacles,
                                  const std::map<std::string, field::Split>& splits) {
  const Index size = files.inputs.size();
  std::vector<std::string> notes = {
      fmt::format("{}: channel {} is the Reynolds number, {} the signed distance, {} the mask (found from the values)",
                  files.inputs.name(), order.reynolds, order.distance, order.mask),
      factor == 1 ? fmt::format("grids of {0}^3 cells, as they are", size)
                  : fmt::format("grids of {}^3 cells, averaged {}x{}x{} over their fluid cells to {}^3", size, factor,
                                factor, factor, size / factor),
      fmt::format("{} cases with {} different obstacles in a row", files.inputs.cases(), obstacles)};
  for (const auto& [name, split] : splits)
    notes.push_back(fmt::format("split \"{}\": {} training, {} validation, {} test cases", name, split.train.size(),
                                split.validation.size(), split.test.size()));
  return notes;
}

}  // namespace

Outcome import_ldc3d(const fs::path& source, const fs::path& dataset, const RunHooks& hooks) {
  Files files(source);
  const Index cases = files.inputs.cases(), size = files.inputs.size(), factor = block_factor(size);
  field::DatasetWriter writer(dataset, schema(), "Lid-driven cavity with obstacles (FlowBench LDC-3D)");
  writer.set_domain({{0, 0, 0}, {2, 2, 2}});
  Obstacles obstacles(size, factor);
  std::optional<Ldc3dChannels> order;
  std::vector<Index> obstacle_of_case;
  for (Index i = 0; i < cases; ++i) {
    if (hooks.should_stop()) return {.complete = false};
    const auto where = fmt::format("{}, case {}", files.inputs.name(), i);
    files.inputs.read(i);
    Ldc3dInputs inputs;
    for (Index c = 0; c < kInputs; ++c) inputs[c] = files.inputs.channel(c);
    if (!order) order = find_ldc3d_channels(inputs, where);
    auto geometry = read_ldc3d_geometry(inputs, *order, size, where);
    const double reynolds = geometry.reynolds;
    obstacles.take(std::move(geometry));
    obstacle_of_case.push_back(obstacles.number());
    files.outputs.read(i);
    writer.add(make_case(i, reynolds, obstacles, files.outputs));
    hooks.tell(double(i + 1) / double(cases), "cases");
  }
  const auto splits = ldc3d_splits(obstacle_of_case);
  writer.set_splits(splits);
  writer.set_notes({{"benchmark", "ldc3d"}, {"cells", fmt::format("{}", size / factor)}});
  writer.commit();
  return {.cases = cases, .notes = describe(files, *order, factor, obstacles.number() + 1, splits)};
}

}  // namespace fluidsplat::benchmarks
