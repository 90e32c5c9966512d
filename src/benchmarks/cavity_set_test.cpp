// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cavity_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "benchmarks/ldc3d_files.h"
#include "field/dataset_file.h"
#include "io/npz.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Property;
using ::testing::Throws;

// Coarse and quick; obstacles are too small to be met by such cells only rarely.
CavitySetOptions quick() {
  CavitySetOptions o;
  o.cases = 4;
  o.size = 8;
  o.steady.tolerance = 1e-2;
  o.threads = 1;
  return o;
}

TEST(CavitySet, TenCasesShareAnObstacleAndCoverReynoldsNumbers) {
  const CavitySetOptions o;
  for (Index i = 0; i < 40; ++i) {
    const auto c = cavity_case(o, i), again = cavity_case(o, i), first = cavity_case(o, i / 10 * 10);
    EXPECT_EQ(c.reynolds, again.reynolds);
    EXPECT_EQ(c.obstacle->centre.x, first.obstacle->centre.x);
    EXPECT_GE(c.reynolds, i % 10 < 5 ? 10 : 100);
    EXPECT_LE(c.reynolds, i % 10 < 5 ? 100 : 1000);
  }
  EXPECT_NE(cavity_case(o, 0).obstacle->centre.x, cavity_case(o, 10).obstacle->centre.x);
  CavitySetOptions other = o;
  other.seed = 2;
  EXPECT_NE(cavity_case(o, 0).reynolds, cavity_case(other, 0).reynolds);
}

TEST(CavitySet, TheFilesAreFlowBenchsAndImportAsMade) {
  TemporaryFolder folder;
  auto o = quick();
  o.cases = 6;
  // The sixth fluid is thin enough for a finer lattice, but not so thin that it takes long.
  while (cavity_case(o, 5).cells == o.size || cavity_case(o, 5).cells > 12) ++o.seed;
  const auto outcome = make_cavity_set(folder / "set", o, {});
  ASSERT_TRUE(outcome.complete);
  ASSERT_EQ(outcome.cases, 6);
  const auto x = io::NpzFile::open(folder / "set/LDC_3D_X.npz").read("data");
  const auto y = io::NpzFile::open(folder / "set/LDC_3D_Y.npz").read("data");
  EXPECT_EQ(x.dtype, io::DType::f64);
  EXPECT_EQ(x.shape, (std::vector<std::int64_t>{6, 3, 8, 8, 8}));
  EXPECT_EQ(y.shape, (std::vector<std::int64_t>{6, 5, 8, 8, 8}));
  EXPECT_FALSE(fs::exists(folder / "set/cases/X.npy"));

  ASSERT_TRUE(import_ldc3d(folder / "set", folder / "d.h5", {}).complete);
  const field::DatasetFile file(folder / "d.h5");
  EXPECT_EQ(file.mesh_count(), 1) << "one obstacle, on two lattices";
  const auto values = y.as<double>();
  for (Index i = 0; i < 6; ++i) {
    const auto c = file.load(i);
    EXPECT_FLOAT_EQ(c.descriptors[0], float(cavity_case(o, i).reynolds));
    for (Index k = 0; k < c.mesh->size(); ++k)
      ASSERT_EQ(c.fields(k, 3), float(values[(i * 5 + 3) * 512 + c.mesh->grid_cell[k]]));
    // Under the lid the fluid follows it, above the floor it comes back.
    double top = 0, bottom = 0;
    for (Index k = 0; k < c.mesh->size(); ++k) {
      if (c.mesh->points(k, 1) > 1.8) top += c.fields(k, 0);
      if (c.mesh->points(k, 1) < 0.6) bottom += c.fields(k, 0);
    }
    EXPECT_GT(top, 0);
    EXPECT_LT(bottom, 0);
  }
  const auto record = nlohmann::json::parse(read_file(folder / "set/cavity3d.json"));
  EXPECT_TRUE(record.at("complete").get<bool>());
  EXPECT_EQ(record.at("list").size(), 6u);
  EXPECT_DOUBLE_EQ(record.at("list")[2].at("Re").get<double>(), cavity_case(o, 2).reynolds);
}

TEST(CavitySet, AnInterruptedRunGoesOnAndEndsWithTheSameBits) {
  TemporaryFolder folder;
  const auto o = quick();
  make_cavity_set(folder / "whole", o, {});
  RunHooks hooks;
  hooks.interrupted = [&] { return fs::exists(folder / "parts/cases/00001.npz"); };
  EXPECT_FALSE(make_cavity_set(folder / "parts", o, hooks).complete);
  EXPECT_FALSE(fs::exists(folder / "parts/LDC_3D_Y.npz"));
  // A case that was kept but damaged is made again.
  const auto kept = folder / "parts/cases/00000.npz";
  const auto bytes = read_file(kept);
  write_file(kept, std::string_view(bytes).substr(0, bytes.size() / 2));
  EXPECT_TRUE(make_cavity_set(folder / "parts", o, {}).complete);
  for (const char* name : {"LDC_3D_X.npz", "LDC_3D_Y.npz", "cavity3d.json"})
    EXPECT_EQ(read_file(folder / "whole" / name), read_file(folder / "parts" / name)) << name;
  hooks.interrupted = [] { return true; };
  EXPECT_TRUE(make_cavity_set(folder / "parts", o, hooks).complete) << "a finished set has nothing left to do";
}

// Parts that are made one after the other here may as well run at once: none waits for another.
TEST(CavitySet, PartsMakeTheSetOfOneProcess) {
  TemporaryFolder folder;
  auto o = quick();
  make_cavity_set(folder / "whole", o, {});
  o.shard = {2, 2};
  EXPECT_FALSE(make_cavity_set(folder / "parts", o, {}).complete) << "the other part is missing";
  EXPECT_FALSE(fs::exists(folder / "parts/cases/00000.npz"));
  EXPECT_TRUE(fs::exists(folder / "parts/cases/00001.npz"));
  EXPECT_FALSE(fs::exists(folder / "parts/LDC_3D_Y.npz"));
  o.shard = {1, 2};
  EXPECT_TRUE(make_cavity_set(folder / "parts", o, {}).complete);
  for (const char* name : {"LDC_3D_X.npz", "LDC_3D_Y.npz", "cavity3d.json"})
    EXPECT_EQ(read_file(folder / "whole" / name), read_file(folder / "parts" / name)) << name;
}

TEST(CavitySet, AFinishedSetCanGrow) {
  TemporaryFolder folder;
  auto o = quick();
  make_cavity_set(folder / "whole", o, {});
  o.cases -= 1;
  make_cavity_set(folder / "grown", o, {});
  // What is there is not made again.
  const auto first = fs::last_write_time(folder / "grown/cases/00000.npz");
  o.cases += 1;
  EXPECT_TRUE(make_cavity_set(folder / "grown", o, {}).complete);
  EXPECT_EQ(fs::last_write_time(folder / "grown/cases/00000.npz"), first);
  for (const char* name : {"LDC_3D_X.npz", "LDC_3D_Y.npz", "cavity3d.json"})
    EXPECT_EQ(read_file(folder / "whole" / name), read_file(folder / "grown" / name)) << name;
}

TEST(CavitySet, OtherSettingsNeedAnotherFolder) {
  TemporaryFolder folder;
  auto o = quick();
  o.cases = 1;
  make_cavity_set(folder / "set", o, {});
  o.seed = 9;
  EXPECT_THAT([&] { make_cavity_set(folder / "set", o, {}); },
              Throws<Error>(Property(&Error::what, HasSubstr("made with other settings"))));
  write_file(folder / "set/cavity3d.json", "{");
  EXPECT_THAT([&] { make_cavity_set(folder / "set", o, {}); },
              Throws<Error>(Property(&Error::what, HasSubstr("is damaged"))));
  o.size = 3;
  EXPECT_THAT([&] { make_cavity_set(folder / "other", o, {}); },
              Throws<Error>(Property(&Error::what, HasSubstr("sizes are 8 to 256"))));
}

TEST(CavitySet, CasesThatDoNotSettleAreRepeatedThenLeftOutAndNamed) {
  TemporaryFolder folder;
  auto o = quick();
  o.steady = {.tolerance = 3e-3, .longest = 5};  // enough for thick fluids only
  o.cases = 5;
  const auto outcome = make_cavity_set(folder / "set", o, {});
  EXPECT_LT(outcome.cases, 5);
  EXPECT_GE(outcome.cases, 1);
  const auto left_out = std::ranges::count_if(
      outcome.notes, [](const auto& note) { return note.find("and is left out") != std::string::npos; });
  EXPECT_EQ(left_out, 5 - outcome.cases);
  EXPECT_EQ(io::NpzFile::open(folder / "set/LDC_3D_X.npz").rows("data").shape()[0], outcome.cases);
  o.steady.longest = 1;
  EXPECT_THAT([&] { make_cavity_set(folder / "none", o, {}); },
              Throws<Error>(Property(&Error::what, HasSubstr("none of the 5 cases became steady"))));
}

}  // namespace
}  // namespace fluidsplat::benchmarks
