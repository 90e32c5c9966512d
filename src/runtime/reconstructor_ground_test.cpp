// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// What the network's field is added to: the base field and the prior.
#include <gtest/gtest.h>

#include <cmath>

#include "model/base_field.h"
#include "runtime/reconstructor_fixture.h"

namespace fluidsplat::runtime {
namespace {

using nlohmann::json;

// A model with a base field says what the same model without says, plus that field: value and slope, at planned points
// and at others.
TEST(Reconstructor, ABaseFieldIsAddedToEverythingItSays) {
  for (int dim : {2, 3}) {
    const Fixture f([&](json& m) { m["dim"] = dim, m["channels"] = 3; }, 3000);
    auto file = f.file;
    file.add_base_field(500);
    file.write(f.folder / "with.safetensors");
    const auto with = Reconstructor::open(f.folder / "with.safetensors");
    const auto base = model::read_base_field(model::ModelFile::open(f.folder / "with.safetensors"));
    EXPECT_EQ(with.parameters(), f.model->parameters()) << "a base field is not a trained number";

    const Index n = f.count, slopes = n * 3 * dim, turn = dim == 2 ? 1 : 3;
    struct Said {
      std::vector<float> field, scaffold, gradient, vorticity, divergence;
    };
    auto o = f.options();
    o.gradients = true;
    const auto ask = [&](const Reconstructor& model, bool planned) {
      Said s{std::vector<float>(n * 3), std::vector<float>(n * 3), std::vector<float>(slopes),
             std::vector<float>(n * turn), std::vector<float>(n)};
      const Outputs out{.field = s.field.data(),
                        .primitive = s.scaffold.data(),
                        .gradient = s.gradient.data(),
                        .vorticity = s.vorticity.data(),
                        .divergence = s.divergence.data()};
      auto plan = model.plan(o);
      plan.observe(f.readings.data(), nullptr);
      if (planned)
        plan.evaluate(out);
      else
        plan.evaluate_at(f.points.data(), nullptr, n, out);
      return s;
    };
    std::vector<float> value(n * 3), slope(slopes);
    base->evaluate(f.points.data(), n, value.data(), slope.data());
    const auto without = ask(*f.model, true);
    for (bool planned : {true, false}) {
      const auto said = ask(with, planned);
      for (Index i = 0; i < n * 3; ++i) {
        ASSERT_NEAR(said.field[i], without.field[i] + value[i], 1e-5);
        ASSERT_NEAR(said.scaffold[i], without.scaffold[i] + value[i], 1e-5);
      }
      for (Index i = 0; i < slopes; ++i)
        ASSERT_NEAR(said.gradient[i], without.gradient[i] + slope[i], 1e-4 * (1 + std::abs(slope[i])));
      for (Index i = 0; i < n; ++i) {
        const float* g = &said.gradient[i * 3 * dim];
        ASSERT_NEAR(said.vorticity[i * turn + turn - 1], g[dim] - g[1], 1e-4 * (1 + std::abs(g[dim])));
      }
    }
  }
}

// With a prior: a share of what the model says without one, plus the modes times what the readings make of them, with
// kept and with looked-up modes, at planned points and at others, also when a sensor is silent.
TEST(Reconstructor, APriorIsAddedToAShareOfWhatTheNetworkSays) {
  const Fixture f([](json& m) { m["channels"] = 3; }, 3000);
  auto file = f.file;
  file.add_base_field(500);
  file.write(f.folder / "without.safetensors");
  file.add_prior(4, 20);
  file.write(f.folder / "with.safetensors");
  const auto without = Reconstructor::open(f.folder / "without.safetensors"),
             with = Reconstructor::open(f.folder / "with.safetensors");
  const auto& pod = *with.prior().pod;
  const auto& d = with.description();
  EXPECT_EQ(with.parameters(), without.parameters());

  const Index n = f.count, c = 3, slopes = n * c * 2;
  std::vector<float> rows(n * 4 * c), row_slopes(n * 4 * c * 2), base(n * c), base_slopes(slopes);
  pod.fields().evaluate(f.points.data(), n, rows.data(), row_slopes.data());
  with.base()->evaluate(f.points.data(), n, base.data(), base_slopes.data());
  for (const bool silent : {false, true})
    for (const bool planned : {true, false})
      for (const Index cache : {Index{0}, Index{64} << 20}) {
        auto readings = f.readings;
        if (silent) std::fill_n(readings.begin() + c, c, std::nanf(""));
        auto o = f.options();
        o.gradients = true, o.cache_bytes = cache;
        struct Said {
          std::vector<float> field, gradient;
        };
        const auto ask = [&](const Reconstructor& model) {
          Said s{std::vector<float>(n * c), std::vector<float>(slopes)};
          auto plan = model.plan(o);
          plan.observe(readings.data(), nullptr);
          const auto evaluate = [&](const Outputs& out) {
            if (planned)
              plan.evaluate(out);
            else
              plan.evaluate_at(f.points.data(), nullptr, n, out);
          };
          evaluate({.field = s.field.data()});
          const auto first = s.field;
          evaluate({.field = s.field.data(), .gradient = s.gradient.data()});
          for (Index i = 0; i < n * c; ++i) EXPECT_NEAR(first[i], s.field[i], 1e-4);
          return s;
        };
        const auto plain = ask(without), said = ask(with);
        Eigen::VectorXd seen(pod.readings());
        classical::PriorInputs(pod.places(), d.sensors, d.sensors, d.normalization).read(readings.data(), seen.data());
        const Eigen::VectorXd amounts = pod.coefficients(seen);
        for (Index i = 0; i < n * c; ++i) {
          double prior = 0;
          for (Index j = 0; j < 4; ++j) prior += amounts[j] * rows[(i / c * 4 + j) * c + i % c];
          const double mean = d.normalization.channels.mean[i % c];
          ASSERT_NEAR(said.field[i], base[i] + prior + mean + 0.5 * (plain.field[i] - base[i] - mean), 1e-4);
        }
        for (Index i = 0; i < slopes; ++i) {
          double prior = 0;
          const Index column = i % (c * 2);
          for (Index j = 0; j < 4; ++j) prior += amounts[j] * row_slopes[(i / (c * 2) * 4 + j) * c * 2 + column];
          const double expected = base_slopes[i] + prior + 0.5 * (plain.gradient[i] - base_slopes[i]);
          ASSERT_NEAR(said.gradient[i], expected, 2e-3 * (1 + std::abs(expected)));
        }
      }
}

}  // namespace
}  // namespace fluidsplat::runtime
