// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Two worlds, one file between them: what the runtime answers from a model file is what the trainer's own predictor
// answers from it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/random.h"
#include "base/temporary_folder.h"
#include "field/normalization.h"
#include "field/sensor_placement.h"
#include "learn/batch/make_observation.h"
#include "learn/fluidsplat/fluidsplat.h"
#include "learn/model/torch_field_model.h"
#include "runtime/reconstructor.h"

namespace fluidsplat {
namespace {

constexpr Index kPoints = 150;

std::vector<field::Column> columns(const std::string& prefix, Index count) {
  std::vector<field::Column> out;
  for (Index i = 0; i < count; ++i) out.push_back({fmt::format("{}{}", prefix, i), "m"});
  return out;
}

field::Matrix random_matrix(Index rows, Index cols, double mean, double deviation, Random& random) {
  field::Matrix m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = float(mean + deviation * random.normal());
  return m;
}

// Random points with random fields far from zero mean and unit scale, so that a forgotten normalisation shows.
field::MemoryDataset random_dataset(const model::FluidSplatSpec& config) {
  Random random(9);
  field::Schema schema{columns("x", config.dim), columns("c", config.channels), columns("f", config.features),
                       columns("m", config.descriptors)};
  field::MemoryDataset data(schema);
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points = random_matrix(kPoints, config.dim, 3, 2, random);
  mesh->features = random_matrix(kPoints, config.features, -1, 4, random);
  mesh->surface = {3, 50, 51, 120};
  mesh->normals = random_matrix(4, config.dim, 0, 1, random).rowwise().normalized();
  for (int t = 0; t < 3; ++t) {
    field::Case c;
    c.name = fmt::format("t{}", t);
    c.mesh = mesh;
    c.fields = random_matrix(kPoints, config.channels, 10, 5, random);
    c.descriptors = random_matrix(config.descriptors, 1, 2, 3, random);
    data.add(std::move(c));
  }
  return data;
}

model::FluidSplatSpec small_config() {
  model::FluidSplatSpec c;
  c.channels = 2;
  c.primitives = 7;
  c.context = 11;
  c.encoder_width = 9;
  c.encoder_bands = 3;
  c.bands = 3;
  c.attention_width = 8;
  c.heads = 2;
  c.layers = 2;
  c.width = 13;
  return c;
}

// Sensors at mesh points; the last one sees the first channel alone, and one reading is missing.
learn::TrainedModel random_bundle(const model::FluidSplatSpec& config, const field::Dataset& data) {
  torch::manual_seed(5);
  learn::TrainedModel bundle;
  bundle.schema = data.schema();
  bundle.normalization = field::fit_normalization(data, {0, 1});
  std::vector<int> all(config.channels);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = int(i);
  field::SensorPlacement plan(
      [&] {
        field::SensorLayout layout = field::random_layout(*data.mesh(0), 5, 2, all);
        layout.channels.back() = {0};
        return layout;
      }(),
      data);
  bundle.normalization.readings = plan.learn_means(data, {0, 1}, bundle.normalization.channels);
  bundle.sensors = plan.layout();
  bundle.model = std::make_shared<learn::FluidSplat>(config);
  torch::NoGradGuard no_grad;
  for (auto& p : bundle.model->parameters())
    p.add_(0.2 * torch::randn_like(p));  // away from the start, where biases and corrections are zero
  return bundle;
}

// Largest difference over the field's spread: 2e-5 is a hundred float roundings, what sums of this length allow.
void expect_near(const float* ours, const field::Matrix& theirs, const char* what) {
  const double spread = (theirs.array() - theirs.mean()).abs().maxCoeff();
  ASSERT_GT(spread, 0) << what;
  for (Index i = 0; i < theirs.size(); ++i)
    ASSERT_NEAR(ours[i], theirs.data()[i], 2e-5 * (spread + std::abs(theirs.data()[i]))) << what << " " << i;
}

// The scaffold alone and its mass, as the modules compute them, in physical units.
std::pair<field::Matrix, field::Matrix> scaffold_of(const learn::TorchFieldModel& model,
                                                    const field::SensorReadings& readings, const field::Case& c) {
  torch::NoGradGuard no_grad;
  auto& splat = dynamic_cast<learn::FluidSplat&>(*model.trained().model);
  const auto& normalization = model.trained().normalization;
  auto seen = learn::make_observation({readings}, {c.descriptors}, normalization, torch::kCPU);
  if (splat.looks_at_wall()) learn::add_geometry(seen, {c.mesh}, normalization, torch::kCPU);
  field::Matrix unit = normalization.positions(c.mesh->points);
  const auto at = torch::from_blob(unit.data(), {1, unit.rows(), unit.cols()});
  const auto scaffold = learn::evaluate_scaffold(splat.primitives(splat.context(seen)), at);
  const auto values = scaffold.field[0].contiguous(), mass = torch::exp(scaffold.log_mass[0]).contiguous();
  field::Matrix field = Eigen::Map<const field::Matrix>(values.data_ptr<float>(), values.size(0), values.size(1));
  normalization.channels.restore(field);
  return {field, Eigen::Map<const field::Matrix>(mass.data_ptr<float>(), mass.size(0), 1)};
}

void expect_same_answers(const model::FluidSplatSpec& config) {
  const TemporaryFolder folder;
  const field::MemoryDataset data = random_dataset(config);
  const auto path = folder / "model.safetensors";
  learn::save_model(path, random_bundle(config, data));

  learn::TorchFieldModel trained(learn::load_model(path));
  const field::Case c = data.load(2);
  const field::SensorPlacement sensors(trained.sensors(), data);
  field::SensorReadings readings = sensors.read(c, 2);
  readings.values(1, 0) = std::numeric_limits<float>::quiet_NaN();
  const auto theirs = trained.reconstruct(readings, c.descriptors, c.mesh).field;
  const auto [scaffold_field, scaffold_mass] = scaffold_of(trained, readings, c);

  const auto model = runtime::Reconstructor::open(path);
  field::Matrix wall(4, config.dim), wall_features = c.mesh->normals;
  for (Index i = 0; i < 4; ++i) wall.row(i) = c.mesh->points.row(c.mesh->surface[i]);
  runtime::PlanOptions options;
  options.points = c.mesh->points.data();
  options.count = kPoints;
  options.features = c.mesh->features.data();
  if (config.geometry) options.geometry = {wall.data(), wall_features.data(), 4};
  std::vector<float> field(kPoints * config.channels), scaffold(field.size()), mass(kPoints);
  runtime::Outputs out;
  out.field = field.data(), out.primitive = scaffold.data(), out.mass = mass.data();
  model.plan(options).run(readings.values.data(), c.descriptors.data(), out);

  EXPECT_EQ(model.parameters(), trained.parameters());
  expect_near(field.data(), theirs, "field");
  expect_near(scaffold.data(), scaffold_field, "scaffold");
  expect_near(mass.data(), scaffold_mass, "mass");
}

TEST(TrainerToRuntime, TheRuntimeAnswersAsThePredictorDoes) {
  using Config = model::FluidSplatSpec;
  const std::pair<const char*, std::function<void(Config&)>> variants[] = {
      {"plain", [](Config&) {}},
      {"one channel", [](Config& c) { c.channels = 1; }},
      {"three dimensions", [](Config& c) { c.dim = 3, c.channels = 4; }},
      {"axis-aligned", [](Config& c) { c.rotation = model::Rotation::kAxis; }},
      {"axis-aligned in three dimensions", [](Config& c) { c.dim = 3, c.rotation = model::Rotation::kAxis; }},
      {"linear encoder", [](Config& c) { c.encoder = model::TokenKind::kLinear; }},
      {"linear encoder and fuse",
       [](Config& c) { c.encoder = model::TokenKind::kLinear, c.encoder_fuse = model::Fuse::kLinear; }},
      {"geometry", [](Config& c) { c.geometry = true, c.geometry_features = c.dim; }},
      {"geometry, linear encoder, three dimensions",
       [](Config& c) { c.dim = 3, c.geometry = true, c.geometry_features = 3, c.encoder = model::TokenKind::kLinear; }},
      {"features", [](Config& c) { c.features = 3; }},
      {"descriptors", [](Config& c) { c.descriptors = 2; }},
      {"modulated", [](Config& c) { c.descriptors = 2, c.modulation_gain = 0.3; }},
      {"sine", [](Config& c) { c.activation = model::Activation::kSine, c.omega = 5; }},
      {"modulated sine with features",
       [](Config& c) {
         c.descriptors = 1, c.modulation_gain = 0.5, c.activation = model::Activation::kSine, c.features = 2;
       }},
      {"no attention", [](Config& c) { c.attention = false; }},
      {"no global token", [](Config& c) { c.global_token = false; }},
      {"no state features", [](Config& c) { c.state_features = false; }},
      {"neither", [](Config& c) { c.attention = c.state_features = false; }},
      {"residual", [](Config& c) { c.output = model::Output::kResidual; }},
      {"primitive", [](Config& c) { c.output = model::Output::kPrimitive; }},
      {"other scales", [](Config& c) { c.scale_min = 0.1, c.scale_max = 0.8, c.primitives = 1; }},
      {"one layer, one head", [](Config& c) { c.layers = 1, c.heads = 1; }}};
  for (const auto& [name, change] : variants) {
    SCOPED_TRACE(name);
    model::FluidSplatSpec config = small_config();
    change(config);
    expect_same_answers(config);
  }
}

}  // namespace
}  // namespace fluidsplat
