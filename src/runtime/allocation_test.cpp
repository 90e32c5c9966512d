// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// A control loop must not wait for the heap: once a plan is made, nothing is allocated.
#include <gtest/gtest.h>

#include "base/allocation_counter.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "runtime/calibrated_fixture.h"
#include "runtime/random_model.h"
#include "runtime/reconstructor.h"

namespace fluidsplat::runtime {
namespace {

using nlohmann::json;

TEST(Allocation, IsCounted) {
  // Called by name: the compiler may leave out a pair of new and delete expressions.
  EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(100)); }), 1);
  EXPECT_EQ(allocations_of([] { kernels::Buffer(10); }), 1);
}

TEST(Allocation, NoneAfterThePlan) {
  const std::pair<const char*, std::function<void(json&)>> variants[] = {
      {"small", {}},
      {"all parts",
       [](json& m) {
         m["features"] = 2, m["descriptors"] = 2, m["modulation_gain"] = 0.3, m["geometry"] = true;
         m["geometry_features"] = 2, m["dim"] = 3, m["channels"] = 3, m["activation"] = "sine";
       }},
      {"linear encoder", [](json& m) { m["encoder"] = "linear"; }},
      {"scaffold alone", [](json& m) { m["output"] = "primitive"; }},
      {"base field", [](json& m) { m["dim"] = 3; }},
      {"prior", [](json& m) { m["dim"] = 3; }},
      {"correction", [](json& m) { m["features"] = 2; }}};
  for (const auto& [name, change] : variants)
    for (int threads : {1, 2}) {
      SCOPED_TRACE(name);
      const TemporaryFolder folder;
      RandomModel file(change);
      if (std::string(name) == "base field" || std::string(name) == "prior") file.add_base_field(500);
      if (std::string(name) == "prior") file.add_prior(4, 20);
      if (std::string(name) == "correction") file.add_correction(0.2, 1, 0.1);
      file.write(folder / "m.safetensors");
      const auto model = Reconstructor::open(folder / "m.safetensors");
      const auto& s = model.description().spec;
      constexpr Index kCount = 9000;  // more than one block
      Random random(1);
      std::vector<float> numbers(kCount * 3), out(kCount * s.channels * s.dim), field(2 * kCount * s.channels);
      for (float& v : numbers) v = float(random.uniform(-1, 1));
      const float* x = numbers.data();  // readings, descriptors, points: any numbers do
      PlanOptions options;
      options.points = options.features = x;
      options.count = kCount;
      options.geometry = {x, x, 20};
      options.threads = threads;
      options.gradients = true;
      Plan plan = model.plan(options);
      Outputs values, derivatives;
      values.field = field.data(), values.mass = out.data();
      derivatives.field = field.data(), derivatives.gradient = out.data();
      // The first parallel region makes the team's threads; the C library's, not ours.
      plan.run(x, x, values);
      EXPECT_EQ(allocations_of([&] { plan.run(x, x, values); }), 0);
      EXPECT_EQ(allocations_of([&] { plan.run(x, x, derivatives); }), 0);
      EXPECT_EQ(allocations_of([&] { plan.run_batch(x, x, 2, {.field = field.data()}); }), 0);
      EXPECT_EQ(allocations_of([&] { plan.evaluate_at(x, x, kCount, values); }), 0);
      EXPECT_EQ(allocations_of([&] { plan.copy_context(out.data()), plan.copy_primitives(field.data()); }), 0);
    }
}

TEST(Allocation, NoneForBandsWithClassesOfPlacesAndTheLastLayer) {
  const Calibrated f({}, 3, true);
  auto options = f.options();
  options.band = uncertainty::BandRequest{.level = 0.9};
  auto plan = f.model->plan(options);
  const Index values = f.count * f.model->description().spec.channels;
  std::vector<float> lower(values), upper(values);
  const Outputs out{.lower = lower.data(), .upper = upper.data()};
  EXPECT_EQ(allocations_of([&] { plan.run(f.readings.data(), f.descriptors.data(), out); }), 0);
  EXPECT_EQ(allocations_of([&] { plan.evaluate_at(f.points.data(), f.features.data(), f.count, out); }), 0);
}

TEST(Allocation, NoneForBands) {
  const Calibrated f;
  auto options = f.options();
  options.band = uncertainty::BandRequest{.level = 0.9, .simultaneous = true};
  auto plan = f.model->plan(options);
  const Index values = f.count * f.model->description().spec.channels;
  std::vector<float> lower(values), upper(values), scale(values);
  const Outputs out{.lower = lower.data(), .upper = upper.data(), .scale = scale.data()};
  plan.run(f.readings.data(), f.descriptors.data(), out);
  EXPECT_EQ(allocations_of([&] { plan.run(f.readings.data(), f.descriptors.data(), out); }), 0);
  EXPECT_EQ(allocations_of([&] { plan.evaluate_at(f.points.data(), f.features.data(), f.count, out); }), 0);
  // Nor when a sensor falls silent, nor for other promises.
  auto readings = f.readings;
  std::fill_n(readings.begin(), f.model->description().spec.channels, std::numeric_limits<float>::quiet_NaN());
  options.band = uncertainty::BandRequest{
      .level = 0.9, .side = uncertainty::Side::upper, .promise = uncertainty::Promise::on_average};
  auto other = f.model->plan(options);
  other.run(f.readings.data(), f.descriptors.data(), out);
  EXPECT_EQ(allocations_of([&] { other.run(readings.data(), f.descriptors.data(), out); }), 0);
}

}  // namespace
}  // namespace fluidsplat::runtime
