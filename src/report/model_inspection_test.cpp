// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/model_inspection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "base/error.h"
#include "reconstruct/reading_table.h"
#include "report/sample_run.h"

namespace fluidsplat::report {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ModelInspection, DescribesTheModelItsColumnsAndItsSensors) {
  SampleRun run;
  const auto text = describe_model(*run.model);
  EXPECT_THAT(text, AllOf(HasSubstr(" parameters, 2 dimensions\n"),
                          HasSubstr("scaffold: 9 primitives, scales 0.01 to 0.35 of the domain, free rotation\n"),
                          HasSubstr("encoder: MLP tokens of width 10, 3 Fourier bands, context 12\n"),
                          HasSubstr("decoder: 2 layers of 14, GELU, 2 Fourier bands, attention 8 in 2 heads\n")));
  EXPECT_THAT(text, AllOf(HasSubstr("  channel     v            m        mean 0.25         scale 2.5\n"),
                          HasSubstr("  coordinate  x            m        -1 to 5\n"), HasSubstr("5 sensors\n"),
                          HasSubstr("  s4          (")));
  EXPECT_TRUE(text.ends_with("sees u\n")) << "the last sensor sees one channel";
}

TEST(ModelInspection, SaysThatAModelHasNoDecoder) {
  const TemporaryFolder folder;
  runtime::RandomModel([](auto& m) { m["output"] = "primitive"; }).write(folder / "model.safetensors");
  EXPECT_THAT(describe_model(reconstruct::RuntimeModel(folder / "model.safetensors")),
              HasSubstr("decoder: none, the scaffold is the answer\n"));
}

TEST(ModelInspection, SaysThatAModelKnowsDeviations) {
  const TemporaryFolder folder;
  runtime::RandomModel file;
  file.add_base_field(30);
  file.write(folder / "model.safetensors");
  EXPECT_THAT(describe_model(reconstruct::RuntimeModel(folder / "model.safetensors")),
              HasSubstr("base field: known at 30 points;"));
  file.add_prior(3, 7);
  file.write(folder / "model.safetensors");
  EXPECT_THAT(
      describe_model(reconstruct::RuntimeModel(folder / "model.safetensors")),
      HasSubstr("prior: 3 POD modes, Matern 5/2 kernel on 9 readings of 7 cases; the network's field counts 0.5\n"));
  file.add_correction(0.1, 1, 0.1);
  file.write(folder / "model.safetensors");
  EXPECT_THAT(describe_model(reconstruct::RuntimeModel(folder / "model.safetensors")),
              HasSubstr("correction: what sensors say beyond the answer is carried over lengths of 0.6,"));
}

TEST(ModelInspection, ACaseAndItsReadingsInATableAreTheSameInstant) {
  SampleRun run;
  const auto data = (run.folder / "flow.h5").string(), csv = (run.folder / "readings.csv").string();
  const auto of_case = load_instant(*run.model, {.data = data, .index = 3});
  reconstruct::ReadingTable table;
  for (Index index : {2, 3}) {
    table.values.push_back(load_instant(*run.model, {.data = data, .index = index}).readings.values);
    table.descriptors.emplace_back();
  }
  io::write_csv(csv, reconstruct::to_table(table, run.model->schema(), run.model->sensors()));

  const auto of_row = load_instant(*run.model, {.readings = csv, .row = 2, .data = data});
  EXPECT_EQ(of_row.readings.positions, of_case.readings.positions);
  EXPECT_EQ(of_row.mesh->points, of_case.mesh->points);
  // Channels that a sensor does not see are NaN in both.
  const auto known = [](const field::Matrix& m) { return field::Matrix(m.array().isNaN().select(0.0f, m)); };
  EXPECT_EQ(known(of_row.readings.values), known(of_case.readings.values));
  const auto alone = load_instant(*run.model, {.readings = csv, .row = 2});
  EXPECT_EQ(alone.mesh->points.col(0).maxCoeff(), 5.0f) << "without a dataset: a grid over the domain";

  EXPECT_THROW(load_instant(*run.model, {.readings = csv, .row = 3}), Error);
  EXPECT_THROW(load_instant(*run.model, {.readings = csv, .row = 0}), Error);
  EXPECT_THROW(load_instant(*run.model, {.data = data, .index = 6}), Error);
  EXPECT_THROW(load_instant(*run.model, {.data = data, .index = -1}), Error);
}

TEST(ModelInspection, WritesPrimitivesAndAPicturePerChannel) {
  SampleRun run;
  const auto instant = load_instant(*run.model, {.data = (run.folder / "flow.h5").string(), .index = 1});
  const auto out = run.folder / "deep" / "look";
  EXPECT_THAT(write_primitives(*run.model, instant, out, 4),
              ElementsAre("primitives.csv", "primitives.vtp", "primitives_u.png", "primitives_v.png"));
  EXPECT_EQ(io::read_csv(out / "primitives.csv").rows(), 9u);
  EXPECT_EQ(io::read_vtk(out / "primitives.vtp").cell_count(), 9);
  const auto with = io::read_png(out / "primitives_u.png");
  write_primitives(*run.model, instant, out, 0);
  EXPECT_NE(with.rgb, io::read_png(out / "primitives_u.png").rgb) << "four ellipses, and none";
}

TEST(ModelInspection, EllipsesAreTheWeightiestPrimitives) {
  reconstruct::Primitive faint;
  faint.centre = Eigen::Vector2d(7, 8);
  faint.axes = Eigen::Matrix2d::Identity();
  faint.weight = 0.1;
  faint.strength = 1;
  auto strong = faint;
  strong.centre = Eigen::Vector2d(1, 2);
  strong.axes << 0, 3, 1, 0;
  strong.weight = 0.9;
  const auto one = ellipses_of({faint, strong}, 1);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].x, 1);
  EXPECT_EQ(one[0].y, 2);
  EXPECT_EQ(one[0].radius_a, 3);
  EXPECT_EQ(one[0].radius_b, 1);
  EXPECT_NEAR(one[0].angle, std::numbers::pi / 2, 1e-12) << "the long axis points up";
  EXPECT_EQ(ellipses_of({faint, strong}, 9).size(), 2u);
}

}  // namespace
}  // namespace fluidsplat::report
