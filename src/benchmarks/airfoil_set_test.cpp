// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airfoil_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "benchmarks/airfoil_splits.h"
#include "benchmarks/airfrans_case.h"
#include "benchmarks/airfrans_import.h"

namespace fluidsplat::benchmarks {
namespace {

using testing::HasSubstr;

// Two cases on a lattice that is too coarse for anything but a test.
AirfoilSetOptions tiny() {
  AirfoilSetOptions o;
  o.cases = 2;
  o.cells_per_chord = 16;
  o.reynolds_most = 400;
  return o;
}

TEST(AirfoilSet, PlansDependOnSeedAndNumberAlone) {
  AirfoilSetOptions a, b;
  b.cases = 7;
  b.threads = 1;
  std::set<std::string> names;
  Index five_digits = 0;
  for (Index k = 0; k < 200; ++k) {
    const auto plan = plan_airfoil(a, k);
    EXPECT_EQ(plan.name, plan_airfoil(b, k).name);
    EXPECT_EQ(parse_airfrans_name(to_string(plan.name)), plan.name) << "the name says all";
    names.insert(to_string(plan.name));
    five_digits += plan.name.digits.size() == 4;
    EXPECT_GE(plan.reynolds, 200);
    EXPECT_LE(plan.reynolds, 2000);
    EXPECT_GE(plan.name.angle, -5);
    EXPECT_LE(plan.name.angle, 15);
    EXPECT_NEAR(plan.name.speed / plan.viscosity(), plan.reynolds, 1e-6);
  }
  EXPECT_EQ(names.size(), 200u);
  EXPECT_GT(five_digits, 60);
  EXPECT_LT(five_digits, 140);
  b.seed = 2;
  EXPECT_NE(plan_airfoil(a, 0).name, plan_airfoil(b, 0).name);
}

TEST(AirfoilSet, ThicknessesAndAnglesAreFromTheRangesAskedFor) {
  AirfoilSetOptions thick, steep;
  thick.thickness_least = 22, thick.thickness_most = 30;
  steep.angle_least = 16, steep.angle_most = 25;
  const AirfoilSetOptions usual;
  for (Index k = 0; k < 200; ++k) {
    const auto plan = plan_airfoil(thick, k);
    EXPECT_GE(plan.name.digits.back(), 22);
    EXPECT_LE(plan.name.digits.back(), 30);
    EXPECT_EQ(plan.name.angle, plan_airfoil(usual, k).name.angle) << "nothing else changes";
    EXPECT_GE(plan_airfoil(usual, k).name.digits.back(), 8);
    EXPECT_LE(plan_airfoil(usual, k).name.digits.back(), 20);
    EXPECT_GE(plan_airfoil(steep, k).name.angle, 16);
    EXPECT_LE(plan_airfoil(steep, k).name.angle, 25);
  }
}

TEST(AirfoilSet, SplitsAreDisjointAndShifted) {
  AirfoilSetOptions o;
  std::vector<AirfoilPlan> plans;
  for (Index k = 0; k < 160; ++k) plans.push_back(plan_airfoil(o, k));
  const auto manifest = split_airfoils(plans, o);
  EXPECT_EQ(manifest.at("full_test").size(), 32u);
  EXPECT_EQ(manifest.at("scarce_train").size(), 32u);
  for (const auto* split : {"full", "aoa", "reynolds"}) {
    std::set<std::string> seen;
    for (const auto* part : {"_train", "_test"}) {
      const auto& list = manifest.at(std::string(split) + part);
      EXPECT_GT(list.size(), 20u);
      for (const auto& name : list) EXPECT_TRUE(seen.insert(name).second) << name;
    }
    EXPECT_EQ(seen.size(), 160u);
  }
  for (const auto& name : manifest.at("aoa_train")) {
    EXPECT_GT(parse_airfrans_name(name).angle, -2.5);
    EXPECT_LT(parse_airfrans_name(name).angle, 12.5);
  }
  for (const auto& name : manifest.at("aoa_test"))
    EXPECT_TRUE(parse_airfrans_name(name).angle <= -2.5 || parse_airfrans_name(name).angle >= 12.5);
}

TEST(AirfoilSet, IsGoneOnWithCaseByCaseAndGoesThroughTheReader) {
  const TemporaryFolder folder;
  auto options = tiny();
  options.threads = 1;
  // Interrupted in the second case: the first is kept, there is no manifest yet.
  RunHooks hooks;
  const AirfransFiles files{folder.path()};
  const auto first = to_string(plan_airfoil(options, 0).name), second = to_string(plan_airfoil(options, 1).name);
  hooks.interrupted = [&] { return std::filesystem::exists(files.facts(first)); };
  EXPECT_FALSE(make_airfoil_set(folder.path(), options, hooks).complete);
  EXPECT_TRUE(std::filesystem::exists(files.internal(first)));
  EXPECT_FALSE(std::filesystem::exists(files.internal(second)));
  EXPECT_FALSE(std::filesystem::exists(files.manifest()));

  const auto written = std::filesystem::last_write_time(files.internal(first));
  const auto outcome = make_airfoil_set(folder.path(), options, {});
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.cases, 2);
  EXPECT_EQ(std::filesystem::last_write_time(files.internal(first)), written) << "made once";
  const auto c = read_airfrans_case(files, second);
  EXPECT_NEAR(c.descriptors[0], plan_airfoil(options, 1).reynolds, 0.1) << "the Reynolds number survives the files";
  const auto facts = nlohmann::json::parse(read_file(files.facts(second)));
  EXPECT_GT(facts.at("drag"), 0.1);
  for (const auto* list : {"full_train", "scarce_train", "aoa_train", "reynolds_train"})
    EXPECT_TRUE(read_manifest(files.manifest()).contains(list));

  options.seed = 5;
  try {
    make_airfoil_set(folder.path(), options, {});
    FAIL() << "another seed's cases among the first's";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("other settings"));
  }
}

// A folder from before thicknesses could be chosen tells none: it is gone on with as what it was, and as nothing else.
TEST(AirfoilSet, AFolderThatTellsNoThicknessHasThoseOfTheDefault) {
  const TemporaryFolder folder;
  auto options = tiny();
  RunHooks at_once;
  at_once.interrupted = [] { return true; };
  EXPECT_FALSE(make_airfoil_set(folder.path(), options, at_once).complete);
  const auto file = folder / "metadata.json";
  auto settings = nlohmann::json::parse(read_file(file));
  ASSERT_TRUE(settings.contains("thickness"));
  settings.erase("thickness");
  write_file(file, settings.dump());
  EXPECT_NO_THROW(make_airfoil_set(folder.path(), options, at_once));
  options.thickness_most = 16.5;
  EXPECT_THROW(make_airfoil_set(folder.path(), options, at_once), Error);
}

TEST(AirfoilSet, PartsMakeTheSetOfOneProcess) {
  const TemporaryFolder folder;
  auto options = tiny();
  options.reynolds_most = 250;
  EXPECT_TRUE(make_airfoil_set(folder / "whole", options, {}).complete);
  options.shard = {2, 2};
  EXPECT_FALSE(make_airfoil_set(folder / "parts", options, {}).complete) << "the other part is missing";
  const AirfransFiles whole{folder / "whole"}, parts{folder / "parts"};
  EXPECT_FALSE(std::filesystem::exists(parts.manifest()));
  options.shard = {1, 2};
  EXPECT_EQ(make_airfoil_set(folder / "parts", options, {}).cases, 2);
  EXPECT_EQ(read_file(parts.manifest()), read_file(whole.manifest()));
  for (Index k = 0; k < 2; ++k) {
    const auto name = to_string(plan_airfoil(options, k).name);
    EXPECT_EQ(read_file(parts.internal(name)), read_file(whole.internal(name)));
    EXPECT_EQ(read_file(parts.facts(name)), read_file(whole.facts(name)));
  }
}

TEST(AirfoilSet, LeavesOutWhatDivergesAndSaysSo) {
  const TemporaryFolder folder;
  auto options = tiny();
  options.reynolds_least = 1e6, options.reynolds_most = 1e7;  // hopeless on such a lattice
  options.angle_least = 14;
  const auto outcome = make_airfoil_set(folder.path(), options, {});
  EXPECT_TRUE(outcome.complete);
  EXPECT_LT(outcome.cases, 2);
  ASSERT_EQ(std::ssize(outcome.notes), 2 - outcome.cases);
  EXPECT_THAT(outcome.notes.front(), HasSubstr("diverged"));
  const auto manifest = nlohmann::json::parse(read_file(folder / "manifest.json"));
  EXPECT_EQ(std::ssize(manifest.at("full_train")) + std::ssize(manifest.at("full_test")), outcome.cases);
}

TEST(AirfoilSet, RefusesImpossibleSettings) {
  const TemporaryFolder folder;
  const auto with = [&](auto change) {
    auto o = tiny();
    change(o);
    make_airfoil_set(folder / "x", o, {});
  };
  EXPECT_THROW(with([](auto& o) { o.cases = 0; }), Error);
  EXPECT_THROW(with([](auto& o) { o.reynolds_least = 3000; }), Error);
  EXPECT_THROW(with([](auto& o) { o.angle_least = 16; }), Error);
  EXPECT_THROW(with([](auto& o) { o.thickness_least = 20; }), Error);
  EXPECT_THROW(with([](auto& o) { o.thickness_most = 41; }), Error);
}

}  // namespace
}  // namespace fluidsplat::benchmarks
