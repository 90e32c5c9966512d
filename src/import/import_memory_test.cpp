// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include "base/random.h"
#include "import/import_fixture.h"
#include "io/npz.h"
#include "io/vtk.h"

namespace fluidsplat::importing {
namespace {

constexpr Index kMeshes = 60, kPoints = 10000, kSettled = 30;
constexpr Index kMeshBytes = kPoints * 3 * Index{sizeof(float)};
// HDF5 keeps its own records of what it has written, 17 kB a mesh until its cache of 32 MB is full.
constexpr Index kAllowed = (kMeshes - kSettled) * kMeshBytes / 4;

Index bytes_in_use() {
  const auto state = ::mallinfo2();
  return Index(state.uordblks + state.hblkhd);
}

// Every case has a mesh of its own: what is held must not grow from case to case.
class ImportMemory : public ImportFixture {
 protected:
  static std::vector<float> random_values(Index count) {
    Random random(7);
    std::vector<float> out(count);
    for (auto& v : out) v = float(random.uniform());
    return out;
  }
  // The largest growth of the memory in use in any pass over the cases, once buffers have found their size.
  Index growth(const Recipe& recipe) {
    Index settled = 0, most = 0;
    ImportHooks hooks;
    hooks.progress = [&](const std::string&, Index done, Index) {
      if (done == kSettled) settled = bytes_in_use();
      if (done > kSettled) most = std::max(most, bytes_in_use() - settled);
    };
    EXPECT_EQ(import_dataset(recipe, folder_ / "out.h5", hooks).meshes, kMeshes);
    return most;
  }
};

TEST_F(ImportMemory, OfVtkFiles) {
  for (Index i = 0; i < kMeshes; ++i) {
    io::VtkMesh mesh;
    mesh.kind = io::VtkKind::poly;
    const auto values = random_values(3 * kPoints + i);
    mesh.points.assign(values.end() - 3 * kPoints, values.end());
    mesh.point_data = {{"p", 1, std::vector<double>(kPoints, 1.0)}};
    io::write_vtk(folder_ / fmt::format("f_{}.vtp", i), mesh);
  }
  auto r = recipe("f_*.vtp");
  r.surface = "all";
  EXPECT_LT(growth(r), kAllowed);
}

TEST_F(ImportMemory, OfCloudsPaddedWithNothing) {
  auto points = random_values(kMeshes * kPoints * 3);
  for (Index i = 0; i < kMeshes; ++i) points[(i + 1) * kPoints * 3 - 1] = std::numeric_limits<float>::quiet_NaN();
  io::write_npz(folder_ / "a.npz", {{"p", io::Array::from<float>({kMeshes, kPoints}, random_values(kMeshes * kPoints))},
                                    {"xyz", io::Array::from<float>({kMeshes, kPoints, 3}, points)}});
  auto r = recipe("a.npz");
  r.arrays = {"p"};
  r.points = "xyz";
  EXPECT_LT(growth(r), kAllowed);
}

TEST_F(ImportMemory, OfCloudsLaidEndToEnd) {
  std::vector<float> first;
  for (Index i = 0; i <= kMeshes; ++i) first.push_back(float(i * kPoints));
  io::write_npz(folder_ / "a.npz",
                {{"p", io::Array::from<float>({kMeshes * kPoints}, random_values(kMeshes * kPoints))},
                 {"xyz", io::Array::from<float>({kMeshes * kPoints, 3}, random_values(kMeshes * kPoints * 3))},
                 {"first", io::Array::from<float>({kMeshes + 1}, first)}});
  auto r = recipe("a.npz");
  r.arrays = {"p"};
  r.points = "xyz";
  r.offsets = "first";
  const auto before = bytes_in_use();
  Index most = 0;
  ImportHooks hooks;
  hooks.progress = [&](const std::string&, Index, Index) { most = std::max(most, bytes_in_use() - before); };
  import_dataset(r, folder_ / "out.h5", hooks);
  EXPECT_LT(most, kMeshes / 2 * kMeshBytes) << "less than the points of all cases together";
}

}  // namespace
}  // namespace fluidsplat::importing
