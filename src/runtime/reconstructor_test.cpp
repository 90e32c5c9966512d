// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/reconstructor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <thread>

#include "base/error.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "kernels/parameters.h"
#include "kernels/primitive_maps.h"
#include "kernels/reference.h"
#include "runtime/description.h"
#include "runtime/random_model.h"
#include "runtime/reconstructor_fixture.h"

namespace fluidsplat::runtime {
namespace {

using nlohmann::json;
using Numbers = std::vector<double>;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// docs/model.md's encoder and head as plain double-precision loops over the file's tensors.
struct PlainEncoder {
  const RandomModel& file;
  ModelDescription d;

  explicit PlainEncoder(const RandomModel& f) : file(f) {
    TemporaryFolder folder;
    f.write(folder / "plain.safetensors");
    d = read_description(model::ModelFile::open(folder / "plain.safetensors"));
  }
  Numbers linear(const std::string& name, const Numbers& x) const {
    const Index rows = file.tensors.at(name + ".bias").shape[0];
    Numbers y(rows);
    for (Index i = 0; i < rows; ++i) {
      y[i] = file.tensor(name + ".bias")[i];
      for (Index j = 0; j < std::ssize(x); ++j) y[i] += file.tensor(name + ".weight")[i * std::ssize(x) + j] * x[j];
    }
    return y;
  }
  static Numbers gelu(Numbers x) {
    for (double& v : x) v *= 0.5 * std::erfc(-v / std::numbers::sqrt2);
    return x;
  }
  Numbers mlp(const std::string& name, const Numbers& x) const {
    return linear(name + ".2", gelu(linear(name + ".1", gelu(linear(name + ".0", x)))));
  }
  Numbers fourier(const float* position) const {
    Numbers x, out;
    const auto& box = d.normalization.domain;
    for (Index i = 0; i < d.spec.dim; ++i) x.push_back((position[i] - box.low[i]) / (box.high[i] - box.low[i]));
    out = x;
    for (Index b = 0; b < d.spec.encoder_bands; ++b)
      for (int part = 0; part < 2; ++part)
        for (double v : x) {
          const double angle = std::numbers::pi * std::ldexp(v, int(b));
          out.push_back(part == 0 ? std::sin(angle) : std::cos(angle));
        }
    return out;
  }
  static Numbers pool(const std::vector<Numbers>& tokens, Index width, bool with_max) {
    Numbers mean(width, 0.0), top(width, 0.0);
    for (Index i = 0; i < std::ssize(tokens); ++i)
      for (Index j = 0; j < width; ++j) {
        mean[j] += tokens[i][j] / double(tokens.size());
        top[j] = i == 0 ? tokens[i][j] : std::max(top[j], tokens[i][j]);
      }
    if (with_max) mean.insert(mean.end(), top.begin(), top.end());
    return mean;
  }
  Numbers context(const std::vector<float>& readings, const std::vector<float>& descriptors,
                  const std::vector<float>& wall, const std::vector<float>& wall_features) const {
    std::vector<Numbers> tokens;
    for (Index s = 0; s < d.sensors.size(); ++s)
      for (int c : d.sensors.channels[s]) {
        const float reading = readings[s * d.spec.channels + c];
        if (std::isnan(reading)) continue;
        const auto& known = d.sensors.mean_readings;
        const double mean = known.size() == 0 ? d.normalization.readings.mean[c] : known(s, c);
        const double y = (reading - mean) / d.normalization.readings.scale[c];
        Numbers p = fourier(d.sensors.positions.row(s).data());
        for (int k = 0; k < d.spec.channels; ++k) p.push_back(k == c);
        if (d.spec.linear_encoder()) {
          auto token = mlp("encoder.gain", p);
          const auto bias = mlp("encoder.bias", p);
          for (Index j = 0; j < std::ssize(token); ++j) token[j] = token[j] * y + bias[j];
          tokens.push_back(token);
        } else {
          p.push_back(y);
          tokens.push_back(mlp("encoder.token", p));
        }
      }
    Numbers fused = pool(tokens, d.spec.encoder_width, !d.spec.linear_encoder());
    if (d.spec.geometry) {
      std::vector<Numbers> points;
      for (Index i = 0; i < std::ssize(wall) / d.spec.dim; ++i) {
        Numbers p = fourier(&wall[i * d.spec.dim]);
        for (Index f = 0; f < d.spec.geometry_features; ++f)
          p.push_back(wall_features[i * d.spec.geometry_features + f]);
        points.push_back(mlp("encoder.geometry", p));
      }
      const auto g = pool(points, d.spec.encoder_width, true);
      fused.insert(fused.end(), g.begin(), g.end());
    }
    for (Index i = 0; i < std::ssize(descriptors); ++i)
      fused.push_back((descriptors[i] - d.normalization.descriptors.mean[i]) / d.normalization.descriptors.scale[i]);
    const auto z = linear("encoder.fuse.0", fused);
    return d.spec.linear_fuse() ? z : linear("encoder.fuse.1", gelu(z));
  }
};

// What the reference says, in physical units.
Numbers expected(const Fixture& f) {
  const PlainEncoder plain(f.file);
  const auto& d = plain.d;
  const auto z = plain.context(f.readings, f.descriptors, f.wall, f.wall_features);
  const auto raw = plain.linear("head", z);
  kernels::ReferenceInputs in;
  in.context = z;
  in.count = f.count;
  std::vector<float> raw_float(raw.begin(), raw.end());
  std::vector<float> primitives(d.spec.primitives * d.spec.primitive_columns());
  kernels::head_to_primitives(d.spec, d.spec.scale_min, d.spec.scale_max, raw_float.data(), primitives.data());
  in.primitives.assign(primitives.begin(), primitives.end());
  const kernels::Parameters layout(d.spec);
  for (const auto& t : layout.tensors())
    for (Index i = 0; i < t.size(); ++i) in.parameters.push_back(f.file.tensor(t.name)[i]);
  const auto& n = d.normalization;
  for (Index i = 0; i < std::ssize(f.descriptors); ++i)
    in.descriptors.push_back((f.descriptors[i] - n.descriptors.mean[i]) / n.descriptors.scale[i]);
  for (Index i = 0; i < std::ssize(f.points); ++i) {
    const Index axis = i % d.spec.dim;
    in.positions.push_back((f.points[i] - n.domain.low[axis]) / (n.domain.high[axis] - n.domain.low[axis]));
  }
  for (Index i = 0; i < std::ssize(f.features); ++i) {
    const Index k = i % d.spec.features;
    in.features.push_back((f.features[i] - n.features.mean[k]) / n.features.scale[k]);
  }
  auto field = kernels::reference_forward(d.spec, in).field;
  for (Index i = 0; i < std::ssize(field); ++i) {
    const Index c = i % d.spec.channels;
    field[i] = field[i] * n.channels.scale[c] + n.channels.mean[c];
  }
  return field;
}

void expect_same(const std::vector<float>& ours, const Numbers& exact) {
  ASSERT_EQ(ours.size(), exact.size());
  for (Index i = 0; i < std::ssize(ours); ++i) ASSERT_NEAR(ours[i], exact[i], 1e-4 * (1 + std::abs(exact[i])));
}

TEST(Reconstructor, EqualsPlainLoopsFromReadingsToField) {
  const std::map<std::string, std::function<void(json&)>> variants = {
      {"small", {}},
      {"linear encoder", [](json& m) { m["encoder"] = "linear", m["encoder_fuse"] = "linear"; }},
      {"geometry", [](json& m) { m["geometry"] = true, m["geometry_features"] = 2; }},
      {"three dimensions", [](json& m) { m["dim"] = 3, m["channels"] = 3; }},
      {"axis-aligned", [](json& m) { m["rotation"] = "axis"; }},
      {"features", [](json& m) { m["features"] = 3; }},
      {"modulated", [](json& m) { m["descriptors"] = 2, m["modulation_gain"] = 0.3; }},
      {"primitive", [](json& m) { m["output"] = "primitive"; }},
      {"residual sine", [](json& m) { m["output"] = "residual", m["activation"] = "sine"; }}};
  for (const auto& [name, change] : variants) {
    SCOPED_TRACE(name);
    const Fixture f(change);
    expect_same(f.run(f.options()), expected(f));
  }
}

TEST(Reconstructor, SilentSensorsHaveNoEffectWhateverTheyWouldHaveSaid) {
  for (const char* encoder : {"paper", "linear"}) {
    Fixture f([&](json& m) { m["encoder"] = encoder; });
    f.readings[2] = kNaN;
    const auto silent = f.run(f.options());
    expect_same(silent, expected(f));
    f.readings[2] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(f.run(f.options()), silent);
    // The last sensor sees channel 0 alone: its second reading is nobody's.
    f.readings[9] = 123.0f;
    EXPECT_EQ(f.run(f.options()), silent);
    for (float& r : f.readings) r = kNaN;
    for (float v : f.run(f.options())) EXPECT_TRUE(std::isfinite(v));
  }
}

TEST(Reconstructor, SensorsMayBeMovedAndReordered) {
  Fixture f;
  const auto before = f.run(f.options());
  SensorLayout turned = f.model->description().sensors;
  const auto& known = f.model->description().sensors;
  const Index n = turned.size();
  auto readings = f.readings;
  for (Index s = 0; s < n; ++s)
    for (Index i = 0; i < 2; ++i) {
      turned.mean_readings(s, i) = known.mean_readings(n - 1 - s, i);
      turned.positions(s, i) = known.positions(n - 1 - s, i);
      readings[s * 2 + i] = f.readings[(n - 1 - s) * 2 + i];
    }
  std::reverse(turned.channels.begin(), turned.channels.end());
  auto o = f.options();
  o.sensors = &turned;
  f.readings = readings;
  const auto after = f.run(o);
  for (Index i = 0; i < std::ssize(before); ++i) EXPECT_NEAR(before[i], after[i], 1e-5);
  turned.channels[0] = {7};
  EXPECT_THROW(f.model->plan(o), Error);
}

// Without mean readings the channels' means stand in.
TEST(Reconstructor, MeanReadingsMayBeUnknown) {
  TemporaryFolder folder;
  RandomModel file;
  file.config["sensors"]["mean_readings"] = json::array();
  file.write(folder / "m.safetensors");
  auto plan = Reconstructor::open(folder / "m.safetensors").plan({});
  const std::vector<float> readings = uniform(10, -1, 1, 9);
  plan.observe(readings.data(), nullptr);
  std::vector<float> z(12);
  plan.copy_context(z.data());
  const auto exact = PlainEncoder(file).context(readings, {}, {}, {});
  for (Index i = 0; i < std::ssize(z); ++i) EXPECT_NEAR(z[i], exact[i], 1e-5);
}

TEST(Reconstructor, CacheThreadsStreamingAndBatchesGiveTheSameBits) {
  const Fixture f([](json& m) { m["features"] = 1; }, 20000);
  auto o = f.options();
  const auto field = f.run(o);
  o.cache_bytes = 0;
  EXPECT_EQ(f.run(o), field);
  o.threads = 3;
  EXPECT_EQ(f.run(o), field);

  auto plan = f.model->plan({});
  Outputs out;
  std::vector<float> streamed(field.size());
  out.field = streamed.data();
  plan.observe(f.readings.data(), nullptr);
  plan.evaluate_at(f.points.data(), f.features.data(), f.count, out);
  EXPECT_EQ(streamed, field);

  std::vector<float> two_readings = f.readings, two(2 * field.size());
  two_readings.insert(two_readings.end(), f.readings.begin(), f.readings.end());
  two_readings[0] = 0.7f;
  auto planned = f.model->plan(f.options());
  out.field = two.data();
  planned.run_batch(two_readings.data(), nullptr, 2, out);
  EXPECT_TRUE(std::equal(field.begin(), field.end(), two.begin() + std::ssize(field)));
  EXPECT_NE(two[0], field[0]);
}

TEST(Reconstructor, WorkingMemoryIsFlat) {
  const Fixture small({}, 10), large({}, 100000);
  EXPECT_EQ(small.model->plan(small.options()).working_bytes(), large.model->plan(large.options()).working_bytes());
}

TEST(Reconstructor, DerivativesAreThoseOfTheField) {
  for (int dim : {2, 3}) {
    Fixture f([&](json& m) { m["dim"] = dim, m["channels"] = 3; }, 40);
    auto o = f.options();
    o.gradients = true;
    auto plan = f.model->plan(o);
    const Index d = static_cast<Index>(dim), n = f.count, turn = dim == 2 ? 1 : 3;
    std::vector<float> field(n * 3), gradient(n * 3 * d), vorticity(n * turn), divergence(n);
    Outputs out;
    out.field = field.data(), out.gradient = gradient.data();
    out.vorticity = vorticity.data(), out.divergence = divergence.data();
    plan.run(f.readings.data(), nullptr, out);
    expect_same(field, expected(f));
    const double step = 2e-3;
    for (Index axis = 0; axis < d; ++axis) {
      Fixture high([&](json& m) { m["dim"] = dim, m["channels"] = 3; }, 40);
      Fixture low([&](json& m) { m["dim"] = dim, m["channels"] = 3; }, 40);
      for (Index i = axis; i < n * d; i += d) {
        high.points[i] = float(high.points[i] + step);
        low.points[i] = float(low.points[i] - step);
      }
      const auto up = expected(high), down = expected(low);
      for (Index i = 0; i < n * 3; ++i) {
        const double width = high.points[i / 3 * d + axis] - low.points[i / 3 * d + axis];
        const double slope = (up[i] - down[i]) / width;
        EXPECT_NEAR(gradient[i * d + axis], slope, 2e-2 * (1 + std::abs(slope)));
      }
    }
    for (Index i = 0; i < n; ++i) {
      const float* g = &gradient[i * 3 * d];
      float sum = 0;
      for (Index a = 0; a < d; ++a) sum += g[a * d + a];
      EXPECT_FLOAT_EQ(divergence[i], sum);
      EXPECT_FLOAT_EQ(vorticity[i * turn + turn - 1], g[d] - g[1]);  // dv/dx - du/dy
      if (dim == 3) {
        EXPECT_FLOAT_EQ(vorticity[i * 3], g[2 * d + 1] - g[d + 2]);  // dw/dy - dv/dz
      }
    }
  }
}

TEST(Reconstructor, ScaffoldMassAndPrimitives) {
  Fixture f([](json& m) { m["output"] = "primitive"; });
  auto plan = f.model->plan(f.options());
  std::vector<float> field(f.count * 2), primitive(f.count * 2), mass(f.count);
  Outputs out;
  out.field = field.data(), out.primitive = primitive.data(), out.mass = mass.data();
  plan.run(f.readings.data(), nullptr, out);
  EXPECT_EQ(field, primitive);
  for (float m : mass) EXPECT_TRUE(m >= 0 && m < 9);
  const auto& shape = f.model->description().spec;
  std::vector<float> primitives(shape.primitives * shape.primitive_columns());
  plan.copy_primitives(primitives.data());
  for (Index k = 0; k < shape.primitives; ++k) EXPECT_TRUE(primitives[k * shape.primitive_columns()] > 0);
}

TEST(Reconstructor, PlansOfOneModelRunSideBySide) {
  const Fixture f({}, 3000);
  const auto field = f.run(f.options());
  std::vector<std::vector<float>> results(4);
  std::vector<std::thread> threads;
  for (auto& result : results) threads.emplace_back([&] { result = f.run(f.options()); });
  for (auto& t : threads) t.join();
  for (const auto& result : results) EXPECT_EQ(result, field);
}

TEST(Reconstructor, AsksForWhatIsMissing) {
  const Fixture f([](json& m) { m["features"] = 1, m["descriptors"] = 1; });
  auto o = f.options();
  o.features = nullptr;
  EXPECT_THROW(f.model->plan(o), Error);
  auto plan = f.model->plan(f.options());
  std::vector<float> field(f.count * 2);
  Outputs out;
  out.field = field.data();
  EXPECT_THROW(plan.evaluate(out), Error);                            // nothing observed
  EXPECT_THROW(plan.run(f.readings.data(), nullptr, out), Error);     // no descriptors
  EXPECT_THROW(plan.run(nullptr, f.descriptors.data(), out), Error);  // no readings
  out.gradient = field.data();
  EXPECT_THROW(plan.run(f.readings.data(), f.descriptors.data(), out), Error);  // gradients not planned
  const Fixture walls([](json& m) { m["geometry"] = true; });
  auto without = walls.options();
  without.geometry = {};
  EXPECT_THROW(walls.model->plan(without), Error);
}

}  // namespace
}  // namespace fluidsplat::runtime
