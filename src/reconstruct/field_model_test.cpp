// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/runtime_model.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "io/npy.h"
#include "io/pvd.h"
#include "reconstruct/series.h"
#include "runtime/random_model.h"

namespace fluidsplat::reconstruct {
namespace {

struct Opened {
  explicit Opened(const std::function<void(nlohmann::json&)>& change = {}) {
    runtime::RandomModel(change).write(folder / "model.safetensors");
    model = std::make_unique<RuntimeModel>(folder / "model.safetensors");
    readings.positions = model->sensors().positions;
    readings.mean = model->sensors().mean_readings;
    readings.values = field::Matrix::Random(model->sensors().size(), std::ssize(model->schema().channels));
  }
  std::filesystem::path file() const { return folder / "model.safetensors"; }
  std::shared_ptr<field::Mesh> points(int n) const {
    auto mesh = std::make_shared<field::Mesh>();
    mesh->points = field::Matrix::Random(n, model->schema().dim()).array() * 1.5f + 1.0f;
    return mesh;
  }
  TemporaryFolder folder;
  std::unique_ptr<RuntimeModel> model;
  field::SensorReadings readings;
};

// The scaffold rebuilt from the primitives in physical units must be the model's own: this is what a user sees.
void expect_scaffold_from_primitives(const std::function<void(nlohmann::json&)>& change) {
  Opened o(change);
  const auto mesh = o.points(40);
  const auto said = o.model->reconstruct(o.readings, {}, mesh, {.scaffold = true, .mass = true});
  const auto primitives = o.model->primitives(o.readings, {}, mesh);
  for (Index i = 0; i < mesh->points.rows(); ++i) {
    const Eigen::VectorXd x = mesh->points.row(i).transpose().cast<double>();
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(said.field.cols());
    double mass = 0;
    for (const auto& p : primitives) {
      const Eigen::MatrixXd covariance = p.axes.transpose() * p.axes;
      const Eigen::VectorXd r = x - p.centre;
      const double phi = p.weight * std::exp(-0.5 * r.dot(covariance.inverse() * r));
      mass += phi;
      sum += phi * p.amplitude;
    }
    if (mass < 1e-6) continue;
    EXPECT_NEAR(said.mass[i], mass, 1e-3 * mass);
    for (Index c = 0; c < sum.size(); ++c) EXPECT_NEAR(said.scaffold(i, c), sum[c] / mass, 2e-3) << "point " << i;
  }
}

TEST(FieldModel, PrimitivesInPhysicalUnitsMakeTheScaffold) {
  expect_scaffold_from_primitives({});
  expect_scaffold_from_primitives([](auto& m) { m["dim"] = 3, m["channels"] = 3; });
  expect_scaffold_from_primitives([](auto& m) { m["rotation"] = "axis"; });
}

TEST(FieldModel, AxesAreSortedAndTablesAndGlyphsHoldThem) {
  Opened o;
  auto primitives = o.model->primitives(o.readings, {}, o.points(3));
  for (const auto& p : primitives) EXPECT_GE(p.axes.row(0).norm(), p.axes.row(1).norm());
  const auto table = to_table(primitives, o.model->schema());
  EXPECT_EQ(table.rows(), primitives.size());
  EXPECT_EQ(table.column("x")[4], primitives[4].centre[0]);
  EXPECT_EQ(table.column("amplitude_v")[4], primitives[4].amplitude[1]);
  const auto glyphs = to_glyphs(primitives, o.model->schema());
  EXPECT_EQ(glyphs.cell_count(), std::ssize(primitives));
  // Every point of an outline is one sigma away from its centre.
  const Eigen::Matrix2d inverse = (primitives[0].axes.transpose() * primitives[0].axes).inverse();
  for (int i = 0; i < 32; ++i) {
    const Eigen::Vector2d r = Eigen::Vector2d(glyphs.points[3 * i], glyphs.points[3 * i + 1]) - primitives[0].centre;
    EXPECT_NEAR(r.dot(inverse * r), 1, 1e-6);
  }
  Opened solid([](auto& m) { m["dim"] = 3, m["channels"] = 3; });
  const auto ellipsoids =
      to_glyphs(solid.model->primitives(solid.readings, {}, solid.points(3)), solid.model->schema());
  EXPECT_EQ(ellipsoids.cell_count() % 9, 0);
  EXPECT_EQ(ellipsoids.cell_data[0].values.size(), ellipsoids.cell_count());
}

TEST(Primitives, LargeHeavyAndStrongOnesComeFirst) {
  const Primitive small{Eigen::Vector2d(0, 0), Eigen::Matrix2d::Identity(), 0.5, Eigen::Vector2d(1, 1), 1};
  Primitive large = small, strong = small;
  large.axes *= 3;
  strong.strength = 4;
  std::vector<Primitive> sorted = {small, strong, large};
  sort_by_importance(sorted);
  EXPECT_EQ(sorted[0].axes, large.axes);
  EXPECT_EQ(sorted[1].strength, 4);
}

TEST(FieldModel, VorticityIsTheCurlOfTheField) {
  Opened o;
  const auto centre = o.points(5);
  const auto said = o.model->reconstruct(o.readings, {}, centre, {.vorticity = true, .divergence = true});
  const float h = 0.01f;
  const auto shifted = [&](float dx, float dy) {
    auto mesh = std::make_shared<field::Mesh>(*centre);
    mesh->points.col(0).array() += dx;
    mesh->points.col(1).array() += dy;
    return o.model->reconstruct(o.readings, {}, mesh).field;
  };
  const field::Matrix dx = (shifted(h, 0) - shifted(-h, 0)) / (2 * h), dy = (shifted(0, h) - shifted(0, -h)) / (2 * h);
  for (Index i = 0; i < 5; ++i) {
    const float scale = 1 + std::abs(dx(i, 1)) + std::abs(dy(i, 0));
    EXPECT_NEAR(said.vorticity(i, 0), dx(i, 1) - dy(i, 0), 0.02 * scale);
    EXPECT_NEAR(said.divergence[i], dx(i, 0) + dy(i, 1), 0.02 * scale);
  }
}

TEST(FieldModel, PlansFollowTheMeshAndTheSensors) {
  Opened o;
  const auto a = o.points(7), b = o.points(9);
  const auto first = o.model->reconstruct(o.readings, {}, a).field;
  EXPECT_EQ(o.model->reconstruct(o.readings, {}, b).field.rows(), 9);
  EXPECT_EQ(o.model->reconstruct(o.readings, {}, a).field, first);
  auto moved = o.readings;
  moved.positions.array() += 0.3f;
  EXPECT_NE(o.model->reconstruct(moved, {}, a).field, first);
  auto used_to_more = o.readings;
  used_to_more.mean = o.readings.mean.array() + 0.3f;
  const auto after = o.model->reconstruct(used_to_more, {}, a).field;
  EXPECT_NE(after, first);
  EXPECT_EQ(o.model->reconstruct(o.readings, {}, a).field, first);
  EXPECT_THROW(o.model->reconstruct(o.readings, field::Vector::Zero(2), a), Error) << "descriptors it does not know";
}

TEST(FieldModel, SeesTheWallWithOrWithoutNormals) {
  Opened o([](auto& m) { m["geometry"] = true, m["geometry_features"] = 2; });
  auto mesh = o.points(30);
  EXPECT_THROW(o.model->reconstruct(o.readings, {}, mesh), Error) << "no wall";
  for (int i = 0; i < 10; ++i) mesh->surface.push_back(i);
  const auto bare = o.model->reconstruct(o.readings, {}, std::make_shared<field::Mesh>(*mesh)).field;
  mesh->normals = field::Matrix::Zero(10, 2);
  EXPECT_EQ(o.model->reconstruct(o.readings, {}, std::make_shared<field::Mesh>(*mesh)).field, bare);
  mesh->normals.col(0).setOnes();
  const auto said = o.model->reconstruct(o.readings, {}, std::make_shared<field::Mesh>(*mesh)).field;
  EXPECT_NE(said, bare);
  // The runtime, asked directly with the same wall.
  runtime::PlanOptions options;
  options.points = mesh->points.data();
  options.count = 30;
  options.geometry = {mesh->points.data(), mesh->normals.data(), 10};
  field::SensorLayout sensors;
  sensors.positions = o.readings.positions;
  sensors.channels.assign(o.readings.values.rows(), {0, 1});
  sensors.mean_readings = o.readings.mean;
  options.sensors = &sensors;
  field::Matrix direct(30, said.cols());
  const auto direct_model = runtime::Reconstructor::open(o.file());
  direct_model.plan(options).run(o.readings.values.data(), nullptr, {.field = direct.data()});
  EXPECT_LT((said - direct).cwiseAbs().maxCoeff(), 1e-5f);
}

TEST(FieldModel, RefusesOtherData) {
  Opened o;
  auto schema = o.model->schema();
  EXPECT_NO_THROW(check_schema(o.model->schema(), schema, "data"));
  schema.channels[1].name = "pressure";
  try {
    check_schema(o.model->schema(), schema, "data.h5");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "data.h5: its channels are u, pressure; the model was trained on u, v");
  }
}

TEST(Series, VtkReadersSeeTheFieldAndTheHole) {
  Opened o;
  auto full = target_from_grid({6, 5}, o.model->domain());
  auto mesh = std::make_shared<field::Mesh>(*full.mesh);
  // Drop grid point 7.
  field::Matrix kept(29, 2);
  kept << mesh->points.topRows(7), mesh->points.bottomRows(22);
  mesh->points = kept;
  mesh->grid_cell.erase(mesh->grid_cell.begin() + 7);
  const auto target = target_from_mesh(mesh);
  ASSERT_STREQ(mesh::extension_of(target.shell.geometry), ".vti");
  auto series = vtk_series(o.folder.path(), "field", *o.model);
  std::vector<Reconstruction> said;
  for (int t = 0; t < 2; ++t) {
    o.readings.values.array() += 0.5f;
    said.push_back(o.model->reconstruct(o.readings, {}, target.mesh,
                                        {.scaffold = true, .mass = true, .vorticity = true, .divergence = true}));
    series->add(0.25 * t, target, said.back());
  }
  const auto entries = io::read_pvd(series->finish());
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[1].time, 0.25);
  const auto back = io::read_vtk(o.folder / entries[1].file);
  ASSERT_EQ(back.point_count(), 30);
  const auto* v = back.find_point_data("v");
  const auto* velocity = back.find_point_data("velocity");
  ASSERT_TRUE(v && velocity);
  EXPECT_EQ(velocity->components, 3);
  EXPECT_TRUE(std::isnan(v->values[7]));
  EXPECT_FLOAT_EQ(float(v->values[8]), said[1].field(7, 1));
  EXPECT_FLOAT_EQ(float(velocity->values[3 * 8 + 1]), said[1].field(7, 1));
  EXPECT_EQ(velocity->values[3 * 8 + 2], 0);
  for (const char* name : {"u", "scaffold_u", "scaffold_v", "mass", "vorticity", "divergence"})
    EXPECT_TRUE(back.find_point_data(name)) << name;
}

TEST(Series, NumpyArraysHaveTheGridsShape) {
  Opened o;
  const auto target = target_from_grid({6, 5}, o.model->domain());
  auto series = npy_series(o.folder.path(), 2);
  const auto said = o.model->reconstruct(o.readings, {}, target.mesh, {.mass = true});
  series->add(0, target, said);
  EXPECT_FALSE(std::filesystem::exists(o.folder / "field.npy")) << "nothing half-written";
  const auto other = target_from_grid({6, 5}, o.model->domain());
  EXPECT_THROW(series->add(1, other, said), Error) << "another mesh";
  series->add(1, target, said);
  series->finish();
  const auto field = io::read_npy(o.folder / "field.npy");
  EXPECT_EQ(field.shape, (std::vector<Index>{2, 5, 6, 2}));
  EXPECT_EQ(field.as<float>()[2 * (2 * 6 + 3) + 1], said.field(2 * 6 + 3, 1));
  EXPECT_EQ(io::read_npy(o.folder / "mass.npy").shape, (std::vector<Index>{2, 5, 6, 1}));
  EXPECT_EQ(io::read_npy(o.folder / "time.npy").as<double>(), (std::vector<double>{0, 1}));
}

}  // namespace
}  // namespace fluidsplat::reconstruct
