// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/car_raw.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::benchmarks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CarRaw : public testing::Test {
 protected:
  std::string complaint(const std::string& text, bool velocity = false) {
    write_file(folder_ / "file", text);
    try {
      if (velocity)
        read_flow_velocity(folder_ / "file");
      else
        read_car_pressure(folder_ / "file");
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr((folder_ / "file").string()));
      return e.what();
    }
    return "";
  }
  Eigen::Vector3d velocity(const std::string& text) {
    write_file(folder_ / "file", text);
    return read_flow_velocity(folder_ / "file");
  }
  TemporaryFolder folder_;
};

TEST_F(CarRaw, ReadsWhatOpenFoamWrites) {
  write_file(folder_ / "p", "# p  FACE_DATA 2\n#  x  y  z  p\n-1.02 0.31 0.55 -83.1\n  1e-3\t2  3 4.5E2  \r\n\n");
  const auto cloud = read_car_pressure(folder_ / "p");
  ASSERT_EQ(cloud.values.size(), 2);
  EXPECT_EQ(cloud.points.col(0), Eigen::Vector3d(-1.02, 0.31, 0.55));
  EXPECT_EQ(cloud.points.col(1), Eigen::Vector3d(1e-3, 2, 3));
  EXPECT_EQ(cloud.values, Eigen::Vector2d(-83.1, 450));
}

TEST_F(CarRaw, ReadsWhatItWrites) {
  sim::SurfaceCloud cloud{Eigen::Matrix3Xd::Random(3, 50), 1000 * Eigen::VectorXd::Random(50)};
  write_file(folder_ / "p", car_pressure_text(cloud));
  const auto back = read_car_pressure(folder_ / "p");
  EXPECT_LT((back.points - cloud.points).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((back.values - cloud.values).cwiseAbs().maxCoeff(), 1e-3);
  const Eigen::Vector3d v(29.5, 2.125, 0);
  EXPECT_LT((velocity(flow_velocity_text(v)) - v).norm(), 1e-9);
}

TEST_F(CarRaw, DamagedPressureIsRefusedWithItsLine) {
  EXPECT_THAT(complaint("# p\n1 2 3 4\n1 2 three 4\n"), HasSubstr(":3: \"1 2 three 4\" is not four"));
  EXPECT_THAT(complaint("1 2 3 4\n1 2 3\n"), HasSubstr(":2: \"1 2 3\" is not four"));
  EXPECT_THAT(complaint("1 2 3 4 5\n"), HasSubstr(":1: \"1 2 3 4 5\" has more than"));
  EXPECT_THAT(complaint("1 2 3 nan\n"), HasSubstr("finite"));
  EXPECT_THAT(complaint("1 2 3 1e999\n"), HasSubstr("finite"));
  EXPECT_THAT(complaint("# p  FACE_DATA 3\n1 2 3 4\n1 2 3 4\n"), HasSubstr("says that it has 3 rows, but has 2"));
  EXPECT_THAT(complaint("1 2 3 4\n1 2 3 4"), HasSubstr("middle of a line"));
  EXPECT_THAT(complaint(""), HasSubstr("no row"));
  EXPECT_THAT(complaint("# only\n# comments\n"), HasSubstr("no row"));
  EXPECT_THAT(complaint(std::string("\0\1\2\xff\n", 5)), HasSubstr(":1:"));
}

TEST_F(CarRaw, VelocityAsDictionariesHaveIt) {
  EXPECT_EQ(velocity("flowVelocity (20 0 0)"), Eigen::Vector3d(20, 0, 0));
  EXPECT_EQ(velocity("// flowVelocity (1 2 3);\nturbulentKE 0.24;\nflowVelocity\n\t( 29.5  -2.1\n0 );\n"),
            Eigen::Vector3d(29.5, -2.1, 0));
}

TEST_F(CarRaw, DamagedVelocityIsRefused) {
  EXPECT_THAT(complaint("pressure 0;\n", true), HasSubstr("has no line"));
  for (const char* text :
       {"flowVelocity (20 0", "flowVelocity (20 0)", "flowVelocity (20 0 0 0)", "flowVelocity 20 0 0",
        "flowVelocity (a b c)", "flowVelocity (nan 0 0)", "flowVelocity", "flowVelocity )("})
    EXPECT_THAT(complaint(text, true), HasSubstr("three finite numbers")) << text;
  EXPECT_THAT(complaint("flowVelocity (0 0 0);", true), HasSubstr("zero"));
}

TEST_F(CarRaw, FindsTheCasesByTheirNames) {
  EXPECT_THROW(car_case_numbers(folder_.path()), Error);
  for (const Index i : {10, 2}) {
    std::filesystem::create_directories(car_file_names(folder_.path(), i).pressure.parent_path());
    std::filesystem::create_directories(car_file_names(folder_.path(), i).velocity.parent_path());
    write_file(car_file_names(folder_.path(), i).pressure, "");
  }
  write_file(car_file_names(folder_.path(), 3).velocity, "");
  write_file(folder_ / "pressure_files/case_x_p_car_patch.raw", "");
  write_file(folder_ / "pressure_files/notes.txt", "");
  EXPECT_THAT(car_case_numbers(folder_.path()), ElementsAre(2, 3, 10));
  EXPECT_EQ(car_file_names("d", 7).pressure, "d/pressure_files/case_7_p_car_patch.raw");
  EXPECT_EQ(car_file_names("d", 7).velocity, "d/velocity_files/case_7_initialConditions");
}

}  // namespace
}  // namespace fluidsplat::benchmarks
