// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/car_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "benchmarks/car_files.h"
#include "benchmarks/car_raw.h"
#include "field/dataset_file.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

CarSetOptions small() {
  CarSetOptions o;
  o.cases = 4;
  o.flow.panel_size = 0.35;
  o.flow.rows = 500;
  return o;
}

class CarSet : public testing::Test {
 protected:
  Outcome make(const CarSetOptions& options, const RunHooks& hooks = {}) {
    return make_car_set(folder_ / "cars", options, hooks);
  }
  std::string pressure(Index i) const { return read_file(car_file_names(folder_ / "cars", i).pressure); }
  nlohmann::json record(Index i) const {
    return nlohmann::json::parse(read_file(folder_ / "cars/cars.json"))["cases"][std::to_string(i)];
  }
  std::string complaint(const CarSetOptions& options) {
    try {
      make(options);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
  TemporaryFolder folder_;
};

TEST_F(CarSet, GoesThroughTheReaderOfTheRealFiles) {
  EXPECT_EQ(make(small()).cases, 4);
  EXPECT_EQ(import_car(folder_ / "cars", folder_ / "cars.h5", {}).cases, 4);
  const field::DatasetFile data(folder_ / "cars.h5");
  ASSERT_EQ(data.size(), 4);
  for (Index i = 0; i < 4; ++i) {
    const auto c = data.load(i);
    const auto made = record(i + 1);
    EXPECT_NEAR(c.descriptors[0], made.at("speed").get<double>(), 1e-4);
    EXPECT_NEAR(c.descriptors[1], made.at("yaw").get<double>(), 1e-3);
    EXPECT_GT(c.mesh->size(), 400);
    EXPECT_NEAR(c.mesh->points.col(0).maxCoeff(), made.at("shape").at("length").get<double>(), 0.05);
  }
}

TEST_F(CarSet, WhatIsThereIsNotMadeAgain) {
  make(small());
  const auto file = car_file_names(folder_ / "cars", 2).pressure;
  const auto before = fs::last_write_time(file);
  EXPECT_THAT(make(small()).notes, ElementsAre("4 cases were there already"));
  EXPECT_EQ(fs::last_write_time(file), before);
}

TEST_F(CarSet, AnInterruptedRunGoesOnToTheSameBits) {
  RunHooks hooks;
  Index asked = 0;
  hooks.interrupted = [&] { return ++asked > 2; };
  const auto half = make(small(), hooks);
  EXPECT_FALSE(half.complete);
  EXPECT_EQ(half.cases, 2);
  EXPECT_THAT(make(small()).notes, ElementsAre("2 cases were there already"));
  auto again = small();
  again.flow.threads = 1;
  make_car_set(folder_ / "at once", again, {});
  for (Index i = 1; i <= 4; ++i)
    EXPECT_EQ(pressure(i), read_file(car_file_names(folder_ / "at once", i).pressure)) << "case " << i;
}

TEST_F(CarSet, PartsInAnyOrderMakeTheSetOfOneProcess) {
  make(small());
  const auto alone = read_file(folder_ / "cars/cars.json");
  std::vector<std::string> pressures;
  for (Index i = 1; i <= 4; ++i) pressures.push_back(pressure(i));
  fs::remove_all(folder_ / "cars");
  auto part = small();
  part.shard = {3, 3};
  EXPECT_FALSE(make(part).complete);
  part.shard = {1, 3};
  EXPECT_FALSE(make(part).complete);
  EXPECT_FALSE(fs::exists(folder_ / "cars/cars.json"));
  part.shard = {2, 3};
  EXPECT_TRUE(make(part).complete);
  EXPECT_EQ(read_file(folder_ / "cars/cars.json"), alone);
  for (Index i = 1; i <= 4; ++i) EXPECT_EQ(pressure(i), pressures[std::size_t(i - 1)]);
  const auto again = make(small());
  EXPECT_THAT(again.notes, ElementsAre(HasSubstr("4 cases were there"))) << "one process finds them all";
  part.seed = 2;
  EXPECT_FALSE(make(part).complete) << "the others' cars are made with another seed";
}

TEST_F(CarSet, DamagedCasesAreMadeAnew) {
  make(small());
  const auto whole = pressure(3);
  write_file(car_file_names(folder_ / "cars", 3).pressure, whole.substr(0, whole.size() / 2));
  fs::remove(car_file_names(folder_ / "cars", 1).velocity);
  EXPECT_THAT(make(small()).notes, ElementsAre("2 cases were there already", HasSubstr("2 cases were damaged")));
  EXPECT_EQ(pressure(3), whole);
}

TEST_F(CarSet, OtherSettingsMakeOtherCases) {
  make(small());
  const auto before = pressure(1);
  auto other = small();
  other.seed = 2;
  EXPECT_THAT(make(other).notes, ElementsAre(HasSubstr("4 cases were damaged or made with other settings")));
  EXPECT_NE(pressure(1), before);
  make(small());
  EXPECT_EQ(pressure(1), before);
}

TEST_F(CarSet, ForeignFoldersAreLeftAlone) {
  const auto file = car_file_names(folder_ / "cars", 1).pressure;
  fs::create_directories(file.parent_path());
  write_file(file, "the real data");
  EXPECT_THAT(complaint(small()), HasSubstr("did not make"));
  EXPECT_EQ(pressure(1), "the real data");
}

TEST_F(CarSet, CasesBeyondThoseAskedForAreNotMixedIn) {
  make(small());
  auto fewer = small();
  fewer.cases = 3;
  EXPECT_THAT(complaint(fewer), HasSubstr("holds case 4, 3 cases are asked for"));
  write_file(folder_ / "cars/cars.json", "{]");
  EXPECT_THAT(complaint(small()), HasSubstr("cars.json: is damaged"));
}

// Every attempt is reported, and the set is not made with a hole in it.
TEST_F(CarSet, CarsThatCannotBeSolvedAreNotKept) {
  auto wild = small();
  wild.flow.solver_steps = 2;
  EXPECT_THAT(complaint(wild), HasSubstr("case 1: none of 5 cars could be solved"));
  EXPECT_TRUE(record(1).is_null());
}

}  // namespace
}  // namespace fluidsplat::benchmarks
