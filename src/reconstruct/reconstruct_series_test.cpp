// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/reconstruct_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/atomic_file.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "io/npy.h"
#include "io/pvd.h"
#include "io/vtk.h"
#include "reconstruct/reading_table.h"
#include "reconstruct/request_error.h"
#include "reconstruct/runtime_model.h"
#include "runtime/random_model.h"
#include "uncertainty/calibration_fixture.h"

namespace fluidsplat::reconstruct {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

class ReconstructSeries : public testing::Test {
 protected:
  // A model file with random weights, whose config may be changed.
  FieldModel& open(const std::function<void(nlohmann::json& model)>& change = {},
                   const std::function<void(nlohmann::json& config)>& after = {}) {
    runtime::RandomModel random(change);
    if (after) after(random.config);
    random.write(folder_ / "model.safetensors");
    model_ = std::make_unique<RuntimeModel>(folder_ / "model.safetensors");
    return *model_;
  }
  // Three instants of readings.
  ReadingTable write_readings(const std::vector<Index>& meshes = {}) {
    ReadingTable table;
    table.times = {0, 0.5, 1};
    table.meshes = meshes;
    for (int row = 0; row < 3; ++row) {
      table.values.push_back(field::Matrix::Constant(5, 2, 0.3f * float(row) - 0.2f));
      table.values.back()(4, 1) = std::numeric_limits<float>::quiet_NaN();  // the last sensor sees one channel only
      table.descriptors.emplace_back(0);
    }
    io::write_csv(folder_ / "r.csv", to_table(table, model_->schema(), model_->sensors()));
    return table;
  }
  // Two clouds of points in the domain, one case on each.
  std::vector<std::shared_ptr<const field::Mesh>> write_dataset() {
    field::DatasetWriter writer(folder_ / "d.h5", model_->schema());
    std::vector<std::shared_ptr<const field::Mesh>> meshes;
    for (Index m : {0, 1}) {
      auto mesh = std::make_shared<field::Mesh>();
      mesh->points = field::Matrix::Random(20 + m, 2).array() + 1.0f;
      field::Case c;
      c.mesh = mesh;
      c.fields = field::Matrix::Zero(mesh->size(), 2);
      writer.add(c);
      meshes.push_back(mesh);
    }
    writer.commit();
    return meshes;
  }
  SeriesRequest request() {
    SeriesRequest r;
    r.readings = folder_ / "r.csv";
    r.out = folder_ / "out";
    return r;
  }
  // What a request that cannot be fulfilled lacks; it must leave nothing behind.
  Remedy remedy_of(const SeriesRequest& r) {
    try {
      reconstruct_series(*model_, r);
    } catch (const RequestError& e) {
      EXPECT_THAT(e.what(), testing::Not(HasSubstr("--"))) << "a flag in a library's words";
      EXPECT_FALSE(fs::exists(folder_ / "out"));
      return e.remedy();
    }
    ADD_FAILURE() << "no RequestError";
    return {};
  }
  io::VtkMesh written(const char* file) { return io::read_vtk(folder_ / "out" / file); }

  TemporaryFolder folder_;
  std::unique_ptr<FieldModel> model_;
};

TEST_F(ReconstructSeries, EveryRowGoesToTheMeshItNames) {
  open();
  const auto table = write_readings({1, 0, 1});
  const auto meshes = write_dataset();
  auto r = request();
  r.dataset = folder_ / "d.h5";
  Index told = 0;
  const auto report =
      reconstruct_series(*model_, r, {.progress = [&](Index done, Index total) { told = 10 * done + total; }});
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.instants, 3);
  EXPECT_EQ(report.points, 21);
  EXPECT_EQ(told, 33);
  const auto entries = io::read_pvd(report.file);
  ASSERT_EQ(entries.size(), 3u);
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(entries[row].time, table.times[row]);
    const auto vtk = io::read_vtk(folder_ / "out" / entries[row].file);
    const auto expected = model_->reconstruct(instant(table, row, model_->sensors()), {}, meshes[table.meshes[row]]);
    ASSERT_EQ(vtk.point_count(), expected.field.rows());
    EXPECT_FLOAT_EQ(float(vtk.find_point_data("v")->values[7]), expected.field(7, 1));
    EXPECT_TRUE(vtk.find_point_data("scaffold_u") && vtk.find_point_data("vorticity"));
  }
  r.mesh_number = 0;
  r.field_only = true;
  EXPECT_EQ(reconstruct_series(*model_, r).points, 20) << "one mesh for all rows";
  EXPECT_EQ(written("field_0000.vtp").point_count(), 20);
  EXPECT_FALSE(written("field_0000.vtp").find_point_data("scaffold_u"));
}

TEST_F(ReconstructSeries, OnAGridOrAFileOrAsArrays) {
  open();
  write_readings();
  auto r = request();
  r.grid = {6, 5};
  r.format = SeriesFormat::npy;
  EXPECT_EQ(reconstruct_series(*model_, r).file, folder_ / "out" / "field.npy");
  EXPECT_THAT(io::read_npy(folder_ / "out" / "field.npy").shape, ElementsAre(3, 5, 6, 2));
  r.format = SeriesFormat::vtk;
  reconstruct_series(*model_, r);
  const auto on_grid = written("field_0001.vti").find_point_data("u")->values;
  fs::rename(folder_ / "out" / "field_0000.vti", folder_ / "mesh.vti");
  r.grid.clear();
  r.mesh_file = folder_ / "mesh.vti";
  reconstruct_series(*model_, r);
  EXPECT_EQ(written("field_0001.vti").find_point_data("u")->values, on_grid);
  r.mesh_file.clear();
  EXPECT_EQ(reconstruct_series(*model_, r).points, 256 * 171) << "the domain is 6 by 4";
}

TEST_F(ReconstructSeries, WhatARequestLacksIsSaidBeforeAnythingIsWritten) {
  open();
  write_readings();
  write_dataset();
  auto r = request();
  r.dataset = folder_ / "d.h5";
  EXPECT_EQ(remedy_of(r), Remedy::choose_mesh) << "two meshes, and no column";
  r.mesh_number = 2;
  EXPECT_EQ(remedy_of(r), Remedy::choose_mesh) << "the third of two";

  open([](auto& m) { m["features"] = 1; });
  write_readings();
  EXPECT_EQ(remedy_of(request()), Remedy::name_mesh);

  open({}, [](auto& config) { config["sensors"]["redraw"] = {{"seed", 3}, {"on_wall", false}}; });
  write_readings();
  EXPECT_EQ(remedy_of(request()), Remedy::place_sensors);
  auto csv = request();
  write_file(folder_ / "s.csv", "name,x,y\na,0,0\nb,2,1\n");
  write_file(folder_ / "r.csv", "a.u,a.v,b.u,b.v\n1,2,3,4\n");
  csv.sensors = folder_ / "s.csv";
  EXPECT_EQ(reconstruct_series(*model_, csv).instants, 1) << "now their places are known";
}

TEST_F(ReconstructSeries, AModelThatSeesTheWallNeedsOne) {
  open([](auto& m) { m["geometry"] = true, m["geometry_features"] = 2; });
  write_readings();
  try {
    reconstruct_series(*model_, request());
    FAIL();
  } catch (const RequestError& e) {
    EXPECT_EQ(e.remedy(), Remedy::name_mesh);
    EXPECT_THAT(e.what(), HasSubstr("wall"));
  }
}

TEST_F(ReconstructSeries, NotesTellOfMissingColumnsAndOfPointsOutsideOnce) {
  open();
  write_readings();
  write_dataset();
  write_file(folder_ / "r.csv", "mesh,s1.u\n0,1\n1,2\n0,3\n");
  auto r = request();
  r.dataset = folder_ / "d.h5";
  std::vector<std::string> notes;
  SeriesHooks hooks;
  hooks.note = [&](const std::string& text) { notes.push_back(text); };
  reconstruct_series(*model_, r, hooks);
  EXPECT_THAT(notes, ElementsAre(HasSubstr("r.csv: no column for s1.v, s2.u")));
  notes.clear();
  open({}, [](auto& config) { config["domain"]["high"] = {0.5, 3.0}; });
  reconstruct_series(*model_, r, hooks);
  EXPECT_THAT(notes, ElementsAre(HasSubstr("% of the points lie outside"), HasSubstr("no column")))
      << "once, though rows change between meshes";
}

TEST_F(ReconstructSeries, AnInterruptIsTold) {
  open();
  write_readings();
  auto r = request();
  r.grid = {4, 4};
  Index done = 0;
  SeriesHooks hooks;
  hooks.progress = [&](Index now, Index) { done = now; };
  hooks.interrupted = [&] { return done == 2; };
  const auto report = reconstruct_series(*model_, r, hooks);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.instants, 2);
}

TEST_F(ReconstructSeries, BandsAndSensorStatesAreWrittenWhereTheModelIsCalibrated) {
  auto& model = open();
  write_readings();
  SeriesRequest request;
  request.readings = folder_ / "r.csv";
  request.grid = {9, 7};
  request.format = SeriesFormat::npy;
  request.out = folder_ / "out";
  request.band = uncertainty::BandRequest{.level = 0.9};
  try {
    reconstruct_series(model, request);
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("fluidsplat calibrate"));
  }

  auto made = std::make_shared<uncertainty::Calibration>(uncertainty::RandomCalibration().make());
  made->functionals = {{"tail", "m/s", R"({"kind": "probe", "channel": "u", "place": [2, 1]})"},
                       {"inner", "m/s", R"({"kind": "box", "channel": "v", "low": [0, 0], "high": [2, 2]})"}};
  made->lowest.assign(9, -10);
  made->highest.assign(9, 0.35f);  // what the last row says is too much
  for (auto& rung : made->rungs) rung.reading_scale.assign(9, 1e9f);
  request.calibration = made;
  request.sensor_policy = SensorPolicy::warn;
  std::vector<std::string> notes;
  const SeriesHooks hooks{.note = [&](const std::string& text) { notes.push_back(text); }};
  const auto report = reconstruct_series(model, request, hooks);
  EXPECT_THAT(report.guarantee, HasSubstr("90 %"));
  EXPECT_EQ(read_file(folder_ / "out/guarantee.txt"), report.guarantee + "\n");
  const auto field = io::read_npy(folder_ / "out/field.npy"), upper = io::read_npy(folder_ / "out/upper.npy");
  EXPECT_EQ(field.shape, upper.shape);
  const auto* f = reinterpret_cast<const float*>(field.bytes.data());
  const auto* u = reinterpret_cast<const float*>(upper.bytes.data());
  EXPECT_GT(u[0], f[0]);
  const auto numbers = io::read_csv(folder_ / "out/functionals.csv");
  EXPECT_THAT(numbers.header,
              ElementsAre("time", "tail", "tail_lower", "tail_upper", "inner", "inner_lower", "inner_upper"));
  EXPECT_LT(numbers.columns[2][0], numbers.columns[1][0]);
  EXPECT_GT(numbers.columns[6][0], numbers.columns[4][0]);
  EXPECT_THAT(read_file(folder_ / "out/sensors.csv"), HasSubstr("out of range"));
  EXPECT_THAT(report.sensors.front(), HasSubstr("used all the same"));
  ASSERT_TRUE(report.sensor_report);
  EXPECT_EQ(report.sensor_report->rows.size(), 3);
  EXPECT_EQ(report.sensor_names.size(), 5);
  EXPECT_EQ(report.last.field.rows(), report.last.width.rows());
  EXPECT_EQ(report.functionals.rows(), 3);
  EXPECT_THAT(report.functional_units, ElementsAre("m/s", "m/s"));
  EXPECT_THAT(report.guarantee, Not(HasSubstr("But")));

  // Where nothing is promised the guarantee says so.
  auto out_of_bounds = std::make_shared<uncertainty::Calibration>(*made);
  out_of_bounds->highest.assign(9, -9.9f);
  request.calibration = out_of_bounds;
  request.sensor_policy = SensorPolicy::mask;
  const auto unbounded = reconstruct_series(model, request, hooks);
  EXPECT_THAT(unbounded.guarantee, HasSubstr("But in 3 of 3 rows more sensors are silent or ignored than were"));
  EXPECT_EQ(read_file(folder_ / "out/guarantee.txt"), unbounded.guarantee + "\n");
  request.calibration = made;

  request.sensor_policy = SensorPolicy::refuse;
  EXPECT_THROW(reconstruct_series(model, request, hooks), Error);
  request.sensor_policy.reset();
  EXPECT_NO_THROW(reconstruct_series(model, request, hooks));
  request.strict = true;  // the calibration judges
  EXPECT_THROW(reconstruct_series(model, request, hooks), Error);
  request.strict = false;
  request.band->level = 0.99;
  EXPECT_THROW(reconstruct_series(model, request, hooks), Error);
}

// A table of readings does not tell the free stream: the dataset's case does, or the request.
TEST_F(ReconstructSeries, ForcesKnowTheFreeStream) {
  auto& model = open();
  write_readings();
  auto mesh = std::make_shared<field::Mesh>();
  constexpr Index kRound = 24;
  mesh->points.resize(kRound, 2);
  mesh->normals.resize(kRound, 2);
  for (Index i = 0; i < kRound; ++i) {
    const float angle = 6.2831853f * float(i) / kRound;
    mesh->normals.row(i) << std::cos(angle), std::sin(angle);
    mesh->points.row(i) = 0.5f * mesh->normals.row(i).array() + 1.0f;
    mesh->surface.push_back(i);
  }
  field::Case c;
  c.mesh = mesh;
  c.fields = field::Matrix::Zero(kRound, 2);
  c.reference = {.speed = 2, .density = 1, .direction = {1, 0}};
  field::DatasetWriter writer(folder_ / "d.h5", model.schema());
  writer.add(c);
  writer.commit();
  auto r = request();
  r.dataset = folder_ / "d.h5";
  field::ForceSettings forces;
  forces.channel = "u";
  forces.kind = "gauge";
  forces.length = 1;
  r.forces = forces;
  const auto with_case = reconstruct_series(model, r).forces;
  r.freestream = field::Reference{.speed = 4, .density = 1, .direction = {0, 1}};
  const auto turned = reconstruct_series(model, r).forces;
  ASSERT_EQ(with_case.rows(), 3);
  for (int row = 0; row < 3; ++row) {
    EXPECT_TRUE(std::isfinite(with_case.columns[1][row]));
    // Twice the speed, a quarter turn: the lift of before is the drag, in four times the dynamic pressure.
    EXPECT_NEAR(turned.columns[1][row], with_case.columns[2][row] / 4, 1e-6);
  }
}

}  // namespace
}  // namespace fluidsplat::reconstruct
