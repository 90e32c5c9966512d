// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/case_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/error.h"
#include "field/mesh_contents.h"

namespace fluidsplat::field {
namespace {

constexpr Index kPoints = 400;
constexpr std::size_t kCaseBytes = sizeof(Case) + kPoints * sizeof(float);

Schema one_channel() {
  Schema s;
  s.coordinates = {{"x", "m"}};
  s.channels = {{"u", "m/s"}};
  return s;
}

std::shared_ptr<const Mesh> line_mesh(float shift = 0) {
  auto mesh = std::make_shared<Mesh>();
  mesh->points.resize(kPoints, 1);
  mesh->features.resize(kPoints, 0);
  for (Index i = 0; i < kPoints; ++i) mesh->points(i, 0) = shift + float(i);
  return mesh;
}

Case make_case(const std::shared_ptr<const Mesh>& mesh, Index number) {
  Case c;
  c.mesh = mesh;
  c.fields = Matrix::Constant(kPoints, 1, float(number));
  c.descriptors.resize(0);
  return c;
}

// A dataset that counts reads, to see what the cache spares.
class CountingDataset : public MemoryDataset {
 public:
  CountingDataset() : MemoryDataset(one_channel()) {}
  Case load(Index index) const override {
    ++reads;
    return MemoryDataset::load(index);
  }
  mutable std::atomic<int> reads = 0;
};

TEST(CaseCache, HoldsWhatCameFirstAndReadsItOnce) {
  CountingDataset data;
  const auto mesh = line_mesh();
  for (Index i = 0; i < 10; ++i) data.add(make_case(mesh, i));
  const auto budget = 3 * kCaseBytes + bytes_of(*mesh);
  CaseCache cache(data, budget);
  for (int round = 0; round < 3; ++round)
    for (Index i = 9; i >= 0; --i) {
      const auto held = cache.get(i);
      ASSERT_EQ(held.mesh, mesh);
      ASSERT_EQ(bool(held.value), i >= 7) << i;
      if (held.value) {
        EXPECT_EQ(held.value->fields(5, 0), float(i));
      }
    }
  EXPECT_EQ(data.reads, 3);
  EXPECT_EQ(cache.held_bytes(), budget) << "three cases, and their mesh once";
}

TEST(CaseCache, WhatIsTooMuchGoesLastComeFirstAndComesBackWhenThereIsRoom) {
  CountingDataset data;
  const auto mesh = line_mesh();
  for (Index i = 0; i < 4; ++i) data.add(make_case(mesh, i));
  const auto all = 4 * kCaseBytes + bytes_of(*mesh);
  CaseCache cache(data, all);
  for (Index i = 0; i < 4; ++i) cache.get(i);
  EXPECT_EQ(cache.held_bytes(), all);
  cache.set_budget(all - 1);
  EXPECT_EQ(cache.held_bytes(), all - kCaseBytes);
  EXPECT_TRUE(cache.get(2).value);
  EXPECT_FALSE(cache.get(3).value);
  cache.set_budget(10);
  EXPECT_EQ(cache.held_bytes(), 0u);
  EXPECT_FALSE(cache.get(0).mesh);
  cache.set_budget(all);
  EXPECT_EQ(cache.get(3).value->fields(0, 0), 3.0f);
  EXPECT_EQ(cache.most_held_bytes(), all);
}

TEST(CaseCache, EachMeshCountsAndAMeshMayBeHeldWithoutItsCase) {
  CountingDataset data;
  std::vector<std::shared_ptr<const Mesh>> meshes;
  for (Index i = 0; i < 3; ++i) {
    meshes.push_back(line_mesh(float(i)));
    data.add(make_case(meshes.back(), i));
  }
  CaseCache cache(data, 2 * bytes_of(*meshes[0]) + kCaseBytes);
  EXPECT_TRUE(cache.get(0).value);
  EXPECT_EQ(cache.get(1).mesh, meshes[1]);
  EXPECT_FALSE(cache.get(1).value);
  EXPECT_FALSE(cache.get(2).mesh);
  EXPECT_EQ(data.reads, 1);
}

TEST(CaseCache, FailuresAreReportedAndForgotten) {
  class Failing : public CountingDataset {
   public:
    Case load(Index index) const override {
      if (fails) fail("cannot be read");
      return CountingDataset::load(index);
    }
    bool fails = true;
  };
  Failing data;
  const auto mesh = line_mesh();
  data.add(make_case(mesh, 0));
  CaseCache cache(data, kCaseBytes + bytes_of(*mesh));
  EXPECT_THROW(cache.get(0), Error);
  data.fails = false;
  EXPECT_TRUE(cache.get(0).value) << "nothing stays set aside for what failed";
}

TEST(CaseCache, ManyThreadsStayWithinTheBudget) {
  CountingDataset data;
  const auto mesh = line_mesh();
  for (Index i = 0; i < 40; ++i) data.add(make_case(mesh, i));
  const auto budget = 5 * kCaseBytes + bytes_of(*mesh);
  CaseCache cache(data, budget);
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      for (Index i = 0; i < 400; ++i) {
        const Index index = (i * 7 + k) % 40;
        const auto held = cache.get(index);
        if (held.value) {
          EXPECT_EQ(held.value->fields(0, 0), float(index));
        }
        if (i % 50 == 0) cache.set_budget(i % 100 == 0 ? budget / 2 : budget);
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_LE(cache.most_held_bytes(), budget);
}

struct Weight : MeshCompanion {
  explicit Weight(Index number) : number(number) {}
  std::size_t bytes() const override { return 5000; }
  Index number;
};

TEST(CaseCache, CompanionsAreMadeOncePerMeshThatIsHeldAndCount) {
  MemoryDataset data(one_channel());
  const std::vector<std::shared_ptr<const Mesh>> meshes = {line_mesh(), line_mesh(1)};
  for (Index i = 0; i < 6; ++i) data.add(make_case(meshes[std::size_t(i / 3)], i));
  std::atomic<int> made = 0;
  CaseCache cache(data, 1 << 20, [&](Index number, const Mesh&) {
    ++made;
    return std::make_shared<const Weight>(number);
  });
  for (int round = 0; round < 3; ++round)
    for (Index i = 0; i < 6; ++i)
      EXPECT_EQ(dynamic_cast<const Weight&>(*cache.get(i).companion).number, data.mesh_of(i));
  EXPECT_EQ(made, 2);
  EXPECT_EQ(cache.held_bytes(), 2 * 5000 + 2 * bytes_of(*meshes[0]) + 6 * kCaseBytes);
  cache.set_budget(bytes_of(*meshes[0]) + 10);
  EXPECT_FALSE(cache.get(0).mesh) << "fits without what is made of it, not with it";
}

}  // namespace
}  // namespace fluidsplat::field
