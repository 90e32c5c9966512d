// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/mesh_register.h"

#include <gtest/gtest.h>

#include <set>

namespace fluidsplat::field {
namespace {

// Five points of a grid, two of them on the wall.
Mesh strip() {
  Mesh mesh;
  mesh.points.resize(5, 2);
  mesh.features.resize(5, 1);
  for (int i = 0; i < 5; ++i) {
    mesh.points.row(i) << float(i), 0;
    mesh.features(i, 0) = 10 * float(i);
  }
  mesh.grid_shape = {1, 6};
  mesh.grid_cell = {0, 1, 2, 3, 4};
  mesh.surface = {3, 4};
  mesh.normals.resize(2, 2);
  mesh.normals << 0, 1, 1, 0;
  mesh.areas = {0.3, 0.4};
  return mesh;
}

// The strip changed in one of its parts at a time.
std::vector<Mesh> variants() {
  std::vector<Mesh> out(8, strip());
  out[1].points(2, 1) = 1e-20f;
  out[2].features(4, 0) = -1;
  out[3].grid_shape = {6, 1};
  out[4].grid_cell[4] = 5;
  out[5].surface[0] = 2;
  out[6].normals(0, 1) = -1;
  out[7].areas[1] = 0.5;
  return out;
}

TEST(MeshContents, EveryPartCounts) {
  const auto meshes = variants();
  std::set<Fingerprint> seen;
  for (std::size_t a = 0; a < meshes.size(); ++a) {
    seen.insert(fingerprint(meshes[a]));
    for (std::size_t b = 0; b < meshes.size(); ++b) EXPECT_EQ(identical(meshes[a], meshes[b]), a == b) << a << " " << b;
  }
  EXPECT_EQ(seen.size(), meshes.size());
  EXPECT_EQ(fingerprint(strip()), fingerprint(strip()));
  Mesh flat = strip(), tall = strip();
  flat.points = Matrix::Zero(3, 2);
  tall.points = Matrix::Zero(2, 3);
  EXPECT_NE(fingerprint(flat), fingerprint(tall)) << "the same bytes in another shape";
  EXPECT_FALSE(identical(flat, tall));
}

TEST(MeshContents, FlagsDifferByEachOfThem) {
  std::set<Fingerprint> seen;
  for (std::size_t n : {1, 63, 64, 65, 200})
    for (std::size_t off = 0; off <= n; ++off) {
      std::vector<bool> flags(n, true);
      if (off < n) flags[off] = false;
      EXPECT_TRUE(seen.insert(fingerprint(flags)).second) << n << " " << off;
    }
}

TEST(MeshContents, BytesGrowWithEveryPart) {
  auto mesh = strip();
  const auto before = bytes_of(mesh);
  mesh.points = Matrix::Zero(1005, 2);
  EXPECT_EQ(bytes_of(mesh), before + 1000 * 2 * sizeof(float));
  mesh.areas.resize(102);
  EXPECT_EQ(bytes_of(mesh), before + 1000 * 2 * sizeof(float) + 100 * sizeof(double));
}

// Even when all fingerprints collide, different meshes stay different and equal ones are found.
TEST(MeshRegister, ACollisionMergesNothing) {
  std::vector<Mesh> stored;
  MeshRegister meshes([&](Index number) { return stored.at(number); }, [](const Mesh&) { return Fingerprint{}; });
  const auto all = variants();
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto entry = meshes.find_or_add(all[i]);
      EXPECT_EQ(entry.number, Index(i));
      EXPECT_EQ(entry.fresh, round == 0);
      if (entry.fresh) stored.push_back(all[i]);
    }
  EXPECT_EQ(meshes.size(), std::ssize(all));
}

TEST(MeshRegister, ReadsBackOnlyWhatItMustCompare) {
  std::vector<Mesh> stored;
  int read = 0;
  MeshRegister meshes([&](Index number) { return ++read, stored.at(number); });
  for (const auto& mesh : variants()) {
    meshes.find_or_add(mesh);
    stored.push_back(mesh);
  }
  EXPECT_EQ(read, 0) << "nothing met twice";
  EXPECT_EQ(meshes.find_or_add(stored[5]).number, 5);
  EXPECT_EQ(read, 1);
}

}  // namespace
}  // namespace fluidsplat::field
