// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// What a correction at the sensors adds to a reconstruction on one thread: models of the sizes of
// configs/car/reduced.toml and configs/airfrans/reduced-full-8.toml with random weights, without and with it in turn,
// the quickest of each.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/random.h"
#include "base/temporary_folder.h"
#include "runtime/random_model.h"
#include "runtime/reconstructor.h"

using namespace fluidsplat;

namespace {

struct Sizes {
  const char* name;
  int dim, channels, primitives, width, attention_width, bands;
};

void measure(const Sizes& sizes, Index sensors) {
  constexpr Index kPoints = 20000, kRepeats = 15;
  const TemporaryFolder folder;
  runtime::RandomModel file([&](nlohmann::json& m) {
    m["dim"] = sizes.dim, m["channels"] = sizes.channels, m["primitives"] = sizes.primitives, m["layers"] = 3;
    m["width"] = sizes.width, m["attention_width"] = sizes.attention_width, m["bands"] = sizes.bands;
    m["heads"] = 4, m["context"] = 128, m["encoder_width"] = 64;
  });
  file.write(folder / "without.safetensors");
  file.add_correction(0.08, 1, 0.1);
  file.write(folder / "with.safetensors");
  Random random(1);
  const auto draw = [&](Index count) {
    std::vector<float> out(count);
    for (float& x : out) x = float(random.uniform(-1, 3));
    return out;
  };
  const auto points = draw(kPoints * sizes.dim), readings = draw(sensors * sizes.channels);
  runtime::SensorLayout layout;
  layout.positions = model::Matrix(sensors, sizes.dim);
  std::copy_n(draw(sensors * sizes.dim).data(), layout.positions.size(), layout.positions.data());
  std::vector<int> all;
  for (int c = 0; c < sizes.channels; ++c) all.push_back(c);
  layout.channels.assign(sensors, all);
  runtime::PlanOptions options;
  options.points = points.data();
  options.count = kPoints;
  options.sensors = &layout;
  auto without = runtime::Reconstructor::open(folder / "without.safetensors").plan(options);
  auto with = runtime::Reconstructor::open(folder / "with.safetensors").plan(options);
  std::vector<float> field(kPoints * sizes.channels);
  const auto milliseconds = [&](runtime::Plan& plan) {
    const auto begin = std::chrono::steady_clock::now();
    plan.run(readings.data(), nullptr, {.field = field.data()});
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  };
  double least[2] = {1e300, 1e300};
  for (Index i = 0; i < kRepeats; ++i) {
    least[0] = std::min(least[0], milliseconds(without));
    least[1] = std::min(least[1], milliseconds(with));
  }
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {:+.0f} % |\n", sizes.name, sensors, least[0], least[1],
             100 * (least[1] / least[0] - 1));
}

}  // namespace

int main() {
  fmt::print("| sizes | sensors | 20,000 points, ms | corrected, ms | more |\n|---|---|---|---|---|\n");
  for (const Index sensors : {8, 50, 200}) measure({"airfoil", 2, 3, 64, 128, 32, 6}, sensors);
  for (const Index sensors : {15, 50, 200}) measure({"car", 3, 1, 96, 256, 64, 5}, sensors);
}
