// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airfrans_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "benchmarks/airfrans_case.h"
#include "benchmarks/airfrans_fixture.h"
#include "benchmarks/airfrans_predictions.h"
#include "field/dataset_file.h"
#include "field/sensor_count.h"
#include "field/wall_shear.h"
#include "io/vtk.h"

namespace fluidsplat::benchmarks {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(AirfransImport, MakesADatasetWithTheManifestsSplits) {
  const TemporaryFolder folder;
  const auto names = write_made_up_folder(folder / "set", 8);
  const auto file = folder / "set.h5";
  std::vector<double> told;
  RunHooks hooks;
  hooks.progress = [&](double done, const std::string&) { told.push_back(done); };
  const auto outcome = import_airfrans(folder / "set", file, hooks);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.cases, 8);
  EXPECT_EQ(told.back(), 1);
  const field::DatasetFile dataset(file);
  ASSERT_EQ(dataset.size(), 8);
  EXPECT_EQ(dataset.mesh_count(), 8);
  EXPECT_EQ(dataset.schema(), airfrans_schema());
  EXPECT_THAT(dataset.split_names(), ElementsAre("aoa", "full", "reynolds", "scarce"));
  const auto split = dataset.named_split("full");
  EXPECT_THAT(split.train, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(split.validation, ElementsAre(5));
  EXPECT_THAT(split.test, ElementsAre(6, 7));
  EXPECT_EQ(dataset.named_split("scarce").test, split.test);
  for (Index i = 0; i < 8; ++i) {
    const auto stored = dataset.load(i), read = read_airfrans_case({folder / "set"}, names[i]);
    EXPECT_EQ(stored.name, names[i]);
    EXPECT_EQ(stored.fields, read.fields);
    EXPECT_EQ(stored.wall_fields, read.wall_fields);
    EXPECT_EQ(stored.mesh->features, read.mesh->features);
    EXPECT_EQ(stored.reference, read.reference);
  }
}

TEST(AirfransImport, EveryTenthTrainingCaseChoosesTheCheckpoint) {
  Manifest manifest;
  std::vector<std::string> names;
  for (int k = 0; k < 25; ++k) names.push_back(to_string({40.0 + k, 0, {2, 4, 12}}));
  manifest["full_train"] = {names.begin(), names.begin() + 22};
  manifest["full_test"] = {names.begin() + 22, names.end()};
  const auto split = airfrans_splits(manifest, names).at("full");
  EXPECT_THAT(split.validation, ElementsAre(9, 19));
  EXPECT_EQ(split.train.size(), 20u);
  EXPECT_THAT(split.test, ElementsAre(22, 23, 24));
  EXPECT_FALSE(airfrans_splits(manifest, names).contains("aoa"));
}

TEST(AirfransImport, WhatIsMissingOrDamagedIsToldBeforeReading) {
  const TemporaryFolder folder;
  const auto import = [&] { return error_of([&] { import_airfrans(folder.path(), folder / "out.h5", {}); }); };
  EXPECT_THAT(import(), HasSubstr("manifest.json: missing"));
  for (const auto* bad : {"{", "[1]", R"({"full_train": 3})", "{}", R"({"full_train": []})"}) {
    write_file(folder / "manifest.json", bad);
    EXPECT_THAT(import(), HasSubstr("manifest.json")) << bad;
  }
  write_file(folder / "manifest.json", R"({"full_train": ["wing_3"], "full_test": []})");
  EXPECT_THAT(import(), HasSubstr("\"wing_3\""));
  const auto names = write_made_up_folder(folder.path(), 4);
  std::filesystem::remove(AirfransFiles{folder.path()}.aerofoil(names[3]));
  EXPECT_THAT(import(), HasSubstr(names[3] + "_aerofoil.vtp: missing"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.h5"));
}

TEST(AirfransImport, AnInterruptLeavesNothing) {
  const TemporaryFolder folder;
  write_made_up_folder(folder / "set", 4);
  RunHooks hooks;
  int asked = 0;
  hooks.interrupted = [&] { return ++asked > 2; };
  EXPECT_FALSE(import_airfrans(folder / "set", folder / "out.h5", hooks).complete);
  EXPECT_FALSE(std::filesystem::exists(folder / "out.h5"));
}

// Forces of a case with its own speed and direction, against the integral of the made-up pressure.
TEST(AirfransImport, ForcesComeOutPerCase) {
  const TemporaryFolder folder;
  const std::string name = "airFoil2D_SST_50.0_10.0_0.0_0.0_12.0";
  write_made_up_case({folder.path()}, name, 400, 40);
  const auto c = read_airfrans_case({folder.path()}, name);
  field::ForceSettings settings;
  settings.channel = "p";
  settings.kind = "kinematic";
  settings.length = 1;
  const field::SurfaceView wall(*c.mesh);
  const field::WallForces forces(settings, airfrans_schema(), wall, name);
  const auto got = forces.of(wall, wall.fields(c), c.reference);
  // On the wall p = U^2 (0.3 - x / 2 - 0.2 y): by Gauss the force is -grad p * area, its coefficient twice that.
  const double area = sim::NacaAirfoil({0, 0, 12}).area(), angle = 10 * std::numbers::pi / 180;
  const double fx = 2 * 0.5 * area, fy = 2 * 0.2 * area;
  EXPECT_NEAR(got.drag, fx * std::cos(angle) + fy * std::sin(angle), 0.01 * area);
  EXPECT_NEAR(got.lift, fy * std::cos(angle) - fx * std::sin(angle), 0.01 * area);
}

TEST(AirfransPredictions, AreWrittenBesideTheTruthOnItsPoints) {
  const TemporaryFolder folder;
  const auto names = write_made_up_folder(folder / "set", 4);
  import_airfrans(folder / "set", folder / "set.h5", {});
  const field::DatasetFile dataset(folder / "set.h5");
  const field::SensorPlacement sensors(field::wall_layout(*dataset.mesh(0), field::even_arclengths(8), {2}), dataset);
  const auto predict = [](const field::SensorReadings& readings, const field::Case& c,
                          const std::shared_ptr<const field::Mesh>& mesh) {
    field::Matrix out(mesh->size(), 3);
    for (Index i = 0; i < mesh->size(); ++i) out.row(i) << mesh->points(i, 0), c.descriptors[1], readings.values(0, 2);
    return out;
  };
  const auto outcome = write_airfrans_predictions(folder / "set", dataset, {1, 3}, sensors, predict, {});
  EXPECT_EQ(outcome.cases, 2);
  const AirfransFiles files{folder / "set"};
  EXPECT_FALSE(std::filesystem::exists(files.predicted_internal(names[0])));
  for (const Index index : {1, 3}) {
    const auto c = dataset.load(index);
    const auto truth = io::read_vtk(files.internal(c.name)), got = io::read_vtk(files.predicted_internal(c.name));
    EXPECT_EQ(got.points, truth.points);
    EXPECT_EQ(got.connectivity, truth.connectivity);
    const auto* velocity = got.find_point_data("U");
    ASSERT_TRUE(velocity && got.find_point_data("p"));
    EXPECT_NEAR(velocity->values[3 * 100], truth.points[3 * 100], 1e-6);
    EXPECT_NEAR(velocity->values[3 * 100 + 1], c.descriptors[1], 1e-5);
    const auto wall = io::read_vtk(files.predicted_aerofoil(c.name));
    EXPECT_EQ(wall.point_count(), 48);
    EXPECT_NEAR(wall.find_point_data("p")->values[0], sensors.read(c, index).values(0, 2), 1e-2);
  }
  EXPECT_THAT(error_of([&] { write_airfrans_predictions(folder / "elsewhere", dataset, {1}, sensors, predict, {}); }),
              HasSubstr("missing"));
}

}  // namespace
}  // namespace fluidsplat::benchmarks
