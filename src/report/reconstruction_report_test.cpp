// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/reconstruction_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fluidsplat::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

field::Mesh small_grid() {
  field::Mesh mesh;
  mesh.grid_shape = {2, 3};
  mesh.points.resize(5, 2);
  for (int i = 0; i < 5; ++i) {  // the sixth cell, top right, has no data
    mesh.grid_cell.push_back(i);
    mesh.points.row(i) << float(i % 3), float(i / 3);
  }
  return mesh;
}

ReconstructionReport small_report() {
  ReconstructionReport r;
  r.title = "<b>title</b>";
  r.schema.channels = {{"w", "1/s"}};
  ShownCase c;
  c.caption = "Median";
  c.mesh = std::make_shared<field::Mesh>(small_grid());
  c.truth = c.scaffold = field::Matrix::Constant(5, 1, 2.0f);
  c.prediction = field::Matrix::Constant(5, 1, 1.5f);
  c.prediction(0, 0) = 1.75f;
  c.sensors = c.mesh->points.topRows(1);
  c.primitives = {{1, 1, 0.3, 0.2, 0.5}};
  r.cases = {c};
  r.test_time = {0, 1};
  r.test_error = {0.1, 0.2};
  r.loss_step = {1, 2};
  r.loss = {1, 0.1};
  r.validation = {0.5, 0.4};
  r.numbers = {{"quantity", "value"}, {"error", "0.15"}};
  return r;
}

TEST(Report, IsOneSelfContainedPage) {
  const auto html = to_html(small_report());
  EXPECT_THAT(html, HasSubstr("&lt;b&gt;title"));
  EXPECT_THAT(html, HasSubstr("data:image/png;base64,"));
  EXPECT_THAT(html, Not(HasSubstr("src=\"http")));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("0.15"));
  EXPECT_THAT(html, HasSubstr("absolute error; colours 0 to 0.5 1/s"));
}

// Models of other kinds have neither: those pictures are left out, the others stay.
TEST(Report, LeavesOutScaffoldAndPrimitivesThatAModelDoesNotHave) {
  auto r = small_report();
  EXPECT_THAT(to_html(r), AllOf(HasSubstr("f_prim alone and the 1 primitives"), HasSubstr("reconstruction from the")));
  r.cases[0].scaffold_is_added_to = "the mean field";
  EXPECT_THAT(to_html(r), HasSubstr("the mean field plus the scaffold f_prim and the 1 primitives"));
  r.cases[0].scaffold_is_added_to.clear();
  r.cases[0].primitives.clear();
  EXPECT_THAT(to_html(r), AllOf(HasSubstr("f_prim alone;"), Not(HasSubstr("primitives"))));
  r.cases[0].scaffold.resize(0, 0);
  EXPECT_THAT(to_html(r),
              AllOf(Not(HasSubstr("f_prim")), HasSubstr("reconstruction from the"), HasSubstr("absolute error;")));
}

// Over the pressure, where the flow is known; not over the velocities themselves.
TEST(Report, StreamlinesAreDrawnOverThePressure) {
  auto r = small_report();
  r.schema.coordinates = {{"x", ""}, {"y", ""}};
  EXPECT_THAT(to_html(r), Not(HasSubstr("with streamlines")));
  r.schema.channels = {{"u", ""}, {"v", ""}, {"p", ""}};
  auto& c = r.cases[0];
  c.truth = c.prediction = c.scaffold = field::Matrix::Ones(5, 3);
  const auto html = to_html(r);
  EXPECT_THAT(html, AllOf(HasSubstr("p: truth, with streamlines"), HasSubstr("<path d=\"M")));
  EXPECT_THAT(html, AllOf(HasSubstr("u: truth;"), HasSubstr("v: truth;")));
}

TEST(Report, PicturesHaveAxesAndForcesAreShown) {
  auto r = small_report();
  r.schema.coordinates = {{"x", "m"}, {"y", "m"}};
  EXPECT_THAT(to_html(r), AllOf(HasSubstr(">x (m)</text>"), HasSubstr(">w (1/s)</text>"), Not(HasSubstr("forces"))));
  r.forces = {{"drag", {0, 1, 2}, {1, 2, 1}, {1, 1.9, 1.1}}};
  EXPECT_THAT(to_html(r), AllOf(HasSubstr("Pressure forces"), HasSubstr("drag coefficient")));
}

}  // namespace
}  // namespace fluidsplat::report
