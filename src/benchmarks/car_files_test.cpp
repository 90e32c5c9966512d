// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/car_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "benchmarks/car_raw.h"
#include "field/dataset_file.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr Index kRows = 40;

// 39 points of pressure about -75, and one of 5000, which is 6.2 standard deviations away.
sim::SurfaceCloud cloud_of(Index number) {
  sim::SurfaceCloud cloud{Eigen::Matrix3Xd(3, kRows), Eigen::VectorXd(kRows)};
  for (Index i = 0; i < kRows; ++i) {
    cloud.points.col(i) = Eigen::Vector3d(double(i), double(number), 1);
    cloud.values[i] = i == 5 ? 5000 : -75 + double(i) + double(number);
  }
  return cloud;
}

class CarFiles : public testing::Test {
 protected:
  void write_cars(Index first, Index last) {
    for (Index i = first; i <= last; ++i) {
      const auto files = car_file_names(source(), i);
      fs::create_directories(files.pressure.parent_path());
      fs::create_directories(files.velocity.parent_path());
      write_file(files.pressure, car_pressure_text(cloud_of(i)));
      write_file(files.velocity, flow_velocity_text({30, 40, 0}));
    }
  }
  std::string complaint() {
    try {
      import_car(source(), folder_ / "cars.h5", {});
    } catch (const Error& e) {
      EXPECT_FALSE(fs::exists(folder_ / "cars.h5"));
      return e.what();
    }
    return "";
  }
  fs::path source() const { return folder_ / "PhySense-Car"; }
  TemporaryFolder folder_;
};

TEST_F(CarFiles, MasksNormalisesAndDescribes) {
  write_cars(1, 3);
  const auto outcome = import_car(source(), folder_ / "cars.h5", {});
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.cases, 3);
  const field::DatasetFile data(folder_ / "cars.h5");
  ASSERT_EQ(data.size(), 3);
  const auto c = data.load(1);
  EXPECT_EQ(c.name, "case_2");
  ASSERT_EQ(c.mesh->size(), kRows - 1) << "one point is an outlier";
  EXPECT_EQ(c.mesh->surface.size(), std::size_t(kRows - 1));
  EXPECT_EQ(c.mesh->points(4, 0), 4);
  EXPECT_EQ(c.mesh->points(5, 0), 6) << "the outlier is left out, the others keep their order";
  EXPECT_NEAR(c.fields(0, 0), (-73 + 844.3360) / (602.6890 + 844.3360), 1e-6);
  EXPECT_NEAR(c.descriptors[0], 50, 1e-5);
  EXPECT_NEAR(c.descriptors[1], std::acos(0.6) * 180 / 3.14159265358979, 1e-4);
  EXPECT_EQ(c.reference.speed, 50);
  EXPECT_THAT(data.notes().at("pressure"), HasSubstr("p = 1447.025 * p_norm -844.336"));
}

// Ten values of +-0.09 and one of 1: 3.03 standard deviations of the population from the mean, 2.89 of the sample.
TEST_F(CarFiles, ThreeSigmasAreThoseOfThePopulation) {
  write_cars(1, 2);
  sim::SurfaceCloud cloud{Eigen::Matrix3Xd::Random(3, 11), Eigen::VectorXd(11)};
  for (Index i = 0; i < 11; ++i) cloud.values[i] = i == 10 ? 1 : i % 2 ? 0.09 : -0.09;
  write_file(car_file_names(source(), 2).pressure, car_pressure_text(cloud));
  import_car(source(), folder_ / "cars.h5", {});
  EXPECT_EQ(field::DatasetFile(folder_ / "cars.h5").load(1).mesh->size(), 10);
}

TEST_F(CarFiles, AHundredCarsHaveThePublishedSplit) {
  write_cars(1, 100);
  import_car(source(), folder_ / "cars.h5", {});
  const field::DatasetFile data(folder_ / "cars.h5");
  const auto split = data.named_split("paper");
  ASSERT_EQ(split.train.size(), 75u);
  ASSERT_EQ(split.test.size(), 25u);
  EXPECT_TRUE(split.validation.empty());
  EXPECT_EQ(data.case_name(split.train.front()), "case_1");
  EXPECT_EQ(data.case_name(split.train.back()), "case_75") << "case_10 comes after case_9";
  EXPECT_EQ(data.case_name(split.test.front()), "case_76");
  EXPECT_EQ(data.case_name(split.test.back()), "case_100");
}

TEST_F(CarFiles, FewerCarsKeepTheProportionsAndAreSaid) {
  write_cars(1, 8);
  const auto outcome = import_car(source(), folder_ / "cars.h5", {});
  EXPECT_THAT(outcome.notes, Contains(HasSubstr("the published set has cases 1 to 100")));
  EXPECT_EQ(field::DatasetFile(folder_ / "cars.h5").named_split("paper").train.size(), 6u);
}

TEST_F(CarFiles, IncompleteSetsAreRefused) {
  EXPECT_THAT(complaint(), HasSubstr("no such folder"));
  fs::create_directories(source());
  EXPECT_THAT(complaint(), HasSubstr("has no folder pressure_files"));
  write_cars(1, 5);
  fs::remove(car_file_names(source(), 3).velocity);
  EXPECT_THAT(complaint(), HasSubstr("case_3_initialConditions: is missing"));
  fs::remove(car_file_names(source(), 3).pressure);
  EXPECT_THAT(complaint(), HasSubstr("there is a case 4 but no case 3"));
}

TEST_F(CarFiles, DamagedFilesAreRefusedByName) {
  write_cars(1, 4);
  const auto file = car_file_names(source(), 4).pressure;
  const auto whole = read_file(file);
  for (const std::size_t length : {std::size_t{0}, whole.size() / 3, whole.size() - 1}) {
    write_file(file, whole.substr(0, length));
    EXPECT_THAT(complaint(), HasSubstr("case_4_p_car_patch.raw")) << length;
  }
  write_file(file, whole);
  EXPECT_EQ(complaint(), "");
}

TEST_F(CarFiles, AnInterruptedImportLeavesNothing) {
  write_cars(1, 4);
  Index asked = 0;
  RunHooks hooks;
  hooks.interrupted = [&] { return ++asked > 2; };
  EXPECT_FALSE(import_car(source(), folder_ / "cars.h5", hooks).complete);
  EXPECT_FALSE(fs::exists(folder_ / "cars.h5"));
}

}  // namespace
}  // namespace fluidsplat::benchmarks
