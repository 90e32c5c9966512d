// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// What bands add to a reconstruction on one thread: models of the benchmarks' sizes with random weights and a random
// calibration, without and with bands in turn, the quickest and the middle of each; and what is allocated after the
// plan.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "base/allocation_counter.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "model/rewrite.h"
#include "runtime/random_model.h"
#include "runtime/reconstructor.h"
#include "uncertainty/calibration_fixture.h"

using namespace fluidsplat;

namespace {

struct Sizes {
  const char* name;
  int dim, channels, primitives, width, attention_width, bands;
};

// Times of one way to ask, in milliseconds of the processor.
struct Times {
  std::vector<double> all;
  double least() const { return *std::ranges::min_element(all); }
  double middle() {
    std::ranges::sort(all);
    return all[all.size() / 2];
  }
};

struct Scale {
  const char* name;
  bool by_place, by_distance, by_layer;
};

void measure(const Sizes& sizes, const Scale& scale_kind) {
  constexpr Index kPoints = 20000, kRepeats = 11;
  const TemporaryFolder folder;
  runtime::RandomModel file([&](nlohmann::json& m) {
    m["dim"] = sizes.dim, m["channels"] = sizes.channels, m["primitives"] = sizes.primitives, m["layers"] = 3;
    m["width"] = sizes.width, m["attention_width"] = sizes.attention_width, m["bands"] = sizes.bands;
    m["heads"] = 4, m["context"] = 128, m["encoder_width"] = 64;
  });
  file.write(folder / "plain.safetensors");
  auto contents = model::contents_of(model::ModelFile::open(folder / "plain.safetensors"));
  const auto plain = runtime::Reconstructor::open(folder / "plain.safetensors");
  uncertainty::RandomCalibration random_calibration;
  random_calibration.dim = sizes.dim;
  random_calibration.channels = sizes.channels;
  random_calibration.sensors = plain.description().sensors.size();
  random_calibration.readings = 0;
  random_calibration.by_place = scale_kind.by_place;
  random_calibration.by_distance = scale_kind.by_distance;
  random_calibration.classes = 9;
  random_calibration.layer_width = scale_kind.by_layer ? sizes.width : 0;
  random_calibration.directions = 32;  // as calibrate has it
  for (const auto& seen : plain.description().sensors.channels) random_calibration.readings += std::ssize(seen);
  contents.blocks[uncertainty::kCalibrationBlock] = uncertainty::to_block(random_calibration.make());
  model::write_model_file(folder / "calibrated.safetensors", contents);

  Random random(1);
  const auto draw = [&](Index count) {
    std::vector<float> out(count);
    for (float& x : out) x = float(random.uniform(-1, 3));
    return out;
  };
  const auto points = draw(kPoints * sizes.dim), readings = draw(plain.description().sensors.size() * sizes.channels);
  runtime::PlanOptions options;
  options.points = points.data();
  options.count = kPoints;
  auto without = plain.plan(options);
  options.band = uncertainty::BandRequest{};
  auto with = runtime::Reconstructor::open(folder / "calibrated.safetensors").plan(options);
  std::vector<float> field(kPoints * sizes.channels), lower(field), upper(field), scale(field);
  const runtime::Outputs fields{.field = field.data()};
  const runtime::Outputs bands{
      .field = field.data(), .lower = lower.data(), .upper = upper.data(), .scale = scale.data()};
  // The processor's time, not the clock's: others may be busy.
  const auto now = [] {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * double(t.tv_sec) + 1e-6 * double(t.tv_nsec);
  };
  const auto milliseconds = [&](runtime::Plan& plan, const runtime::Outputs& out) {
    const double begin = now();
    plan.run(readings.data(), nullptr, out);
    return now() - begin;
  };
  Times times[2];
  for (Index i = 0; i < kRepeats; ++i) {
    times[0].all.push_back(milliseconds(without, fields));
    times[1].all.push_back(milliseconds(with, bands));
  }
  const auto allocated = allocations_of([&] { with.run(readings.data(), nullptr, bands); });
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {:+.1f} % | {:+.1f} % | {} |\n", sizes.name, scale_kind.name,
             times[0].least(), times[1].least(), 100 * (times[1].least() / times[0].least() - 1),
             100 * (times[1].middle() / times[0].middle() - 1), allocated);
  std::fflush(stdout);
}

}  // namespace

int main() {
  fmt::print("| sizes | scale | 20,000 points, ms | with bands, ms | more | more, medians | allocations |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  const Sizes cylinder{"cylinder", 2, 1, 64, 256, 64, 8}, airfoil{"airfoil", 2, 3, 64, 128, 32, 6},
      cavity{"cavity", 3, 4, 96, 256, 64, 5};
  for (const auto& sizes : {cylinder, airfoil, cavity})
    for (const auto& scale : {Scale{"constant", false, false, false}, Scale{"place and distance", true, true, false},
                              Scale{"place and last layer", true, false, true}})
      measure(sizes, scale);
}
