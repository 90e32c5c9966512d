// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ldc3d_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "benchmarks/ldc3d_fixture.h"
#include "field/dataset_file.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Property;
using ::testing::Throws;

auto says(const std::string& text) {
  return Throws<Error>(Property(&Error::what, HasSubstr(text)));
}

void expect_as_written(const Ldc3dFixture& made, const fs::path& dataset) {
  const field::DatasetFile file(dataset);
  ASSERT_EQ(file.size(), made.cases);
  EXPECT_EQ(file.mesh_count(), (made.cases + 1) / 2) << "two cases to an obstacle";
  EXPECT_EQ(file.domain().high, (std::vector<double>{2, 2, 2}));
  for (Index i = 0; i < made.cases; ++i) {
    const auto c = file.load(i);
    EXPECT_EQ(c.descriptors[0], float(made.reynolds(i)));
    Index fluid = 0;
    for (Index cell = 0; cell < made.size * made.size * made.size; ++cell) fluid += made.distance(i, cell) > 0;
    ASSERT_EQ(c.mesh->size(), fluid);
    for (Index k = 0; k < fluid; ++k) {
      const Index cell = c.mesh->grid_cell[k];
      ASSERT_EQ(c.mesh->features(k, 0), float(made.distance(i, cell)));
      for (Index channel = 0; channel < 4; ++channel)
        ASSERT_EQ(c.fields(k, channel), float(made.field(i, channel, cell)));
    }
  }
}

TEST(Ldc3dFiles, EveryDocumentedLayoutGivesTheSameDataset) {
  TemporaryFolder folder;
  const Ldc3dFixture variants[] = {{},
                                   {.order = {2, 0, 1}, .compression = io::NpzCompression::deflate},
                                   {.order = {1, 2, 0}, .mask_one_in_body = true},
                                   {.distance_inward = true, .outputs = 4}};
  for (Index v = 0; v < std::ssize(variants); ++v) {
    const auto where = folder / fmt::format("files-{}", v);
    variants[v].write(where);
    const auto outcome = import_ldc3d(where, folder / "d.h5", {});
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(outcome.cases, 6);
    expect_as_written(variants[v], folder / "d.h5");
  }
}

TEST(Ldc3dFiles, LargeGridsAreAveragedTo64) {
  TemporaryFolder folder;
  Ldc3dFixture made{.cases = 1, .size = 128};
  made.write(folder / "files");
  const auto outcome = import_ldc3d(folder / "files", folder / "d.h5", {});
  EXPECT_THAT(outcome.notes, ::testing::Contains(HasSubstr("averaged 2x2x2")));
  const auto c = field::DatasetFile(folder / "d.h5").load(0);
  EXPECT_EQ(c.mesh->grid_shape, (std::vector<Index>{64, 64, 64}));
  // The first cell is the mean over cells 0 and 1 of each axis, far from the body.
  EXPECT_NEAR(c.fields(0, 2), 20 + 0.5 * 1.11, 1e-5);
  EXPECT_NEAR(c.mesh->points(0, 0), 1.0 / 64, 1e-6);
}

TEST(Ldc3dFiles, SplitsComeWithTheData) {
  TemporaryFolder folder;
  Ldc3dFixture made{.cases = 20, .size = 8};
  made.write(folder / "files");
  import_ldc3d(folder / "files", folder / "d.h5", {});
  const field::DatasetFile file(folder / "d.h5");
  EXPECT_EQ(file.named_split("paper").train.size(), 14u);
  EXPECT_EQ(file.named_split("paper").test.size(), 4u);
  EXPECT_EQ(file.named_split("obstacles").train.size(), 14u);
}

TEST(Ldc3dFiles, InterruptedLeavesNothing) {
  TemporaryFolder folder;
  Ldc3dFixture{}.write(folder / "files");
  RunHooks hooks;
  hooks.interrupted = [] { return true; };
  EXPECT_FALSE(import_ldc3d(folder / "files", folder / "d.h5", hooks).complete);
  EXPECT_FALSE(fs::exists(folder / "d.h5"));
}

TEST(Ldc3dFiles, WrongFilesAreNamed) {
  TemporaryFolder folder;
  const auto where = folder / "files";
  const auto import = [&] { import_ldc3d(where, folder / "d.h5", {}); };
  EXPECT_THAT(import, says("is no folder"));
  Ldc3dFixture made;
  made.write(where);
  fs::rename(where / "LDC_3D_Y.npz", where / "kept.npz");
  EXPECT_THAT(import, says("holds no LDC_3D_Y.npz"));

  fs::rename(where / "LDC_3D_X.npz", where / "LDC_3D_Y.npz");
  fs::rename(where / "kept.npz", where / "LDC_3D_X.npz");
  EXPECT_THAT(import, says("swapped"));

  made.write(where);
  Ldc3dFixture other{.cases = 5};
  io::write_npz(where / "LDC_3D_Y.npz", {{"data", other.fields()}});
  EXPECT_THAT(import, says("they do not belong together"));
  io::write_npz(where / "LDC_3D_Y.npz", {{"fields", made.fields()}});
  EXPECT_THAT(import, says("has no array 'data'; it has fields"));
  io::write_npz(where / "LDC_3D_Y.npz", {{"data", Ldc3dFixture{.outputs = 3}.fields()}});
  EXPECT_THAT(import, says("has 3 channels; u, v, w and p are 4"));
  auto flat = made.fields();
  flat.shape = {6, 5, 512};
  io::write_npz(where / "LDC_3D_Y.npz", {{"data", flat}});
  EXPECT_THAT(import, says("data is (6, 5, 512)"));

  auto holes = made.fields();
  const double nan = std::nan("");
  std::memcpy(holes.bytes.data() + 8 * (5 * 512 + 512 + 3 * 64 + 2 * 8 + 1), &nan, 8);
  io::write_npz(where / "LDC_3D_Y.npz", {{"data", holes}});
  EXPECT_THAT(import, says("channel 1, cell (z, y, x) = (3, 2, 1) is not a finite number"));
  EXPECT_FALSE(fs::exists(folder / "d.h5"));
}

TEST(Ldc3dFiles, DamagedCopiesAreErrorsAndNeverDatasets) {
  TemporaryFolder folder;
  const Ldc3dFixture made{.cases = 2, .compression = io::NpzCompression::deflate};
  made.write(folder / "files");
  for (const char* name : {"LDC_3D_X.npz", "LDC_3D_Y.npz"}) {
    const auto file = folder / "files" / name;
    const auto whole = read_file(file);
    for (const double share : {0.0, 0.3, 0.9, 0.999}) {
      write_file(file, std::string_view(whole).substr(0, std::size_t(share * double(whole.size()))));
      EXPECT_THROW(import_ldc3d(folder / "files", folder / "d.h5", {}), Error) << name << " cut at " << share;
    }
    auto flipped = whole;
    flipped[flipped.size() / 2] = char(flipped[flipped.size() / 2] ^ 0x40);
    write_file(file, flipped);
    EXPECT_THAT([&] { import_ldc3d(folder / "files", folder / "d.h5", {}); }, says(name));
    write_file(file, whole);
  }
  EXPECT_FALSE(fs::exists(folder / "d.h5"));
  EXPECT_TRUE(import_ldc3d(folder / "files", folder / "d.h5", {}).complete);
}

}  // namespace
}  // namespace fluidsplat::benchmarks
