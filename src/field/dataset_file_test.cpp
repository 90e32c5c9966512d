// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/dataset_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "field/case_cache.h"
#include "io/hdf5.h"

namespace fluidsplat::field {
namespace {

using ::testing::HasSubstr;

Schema schema() {
  Schema s;
  s.coordinates = {{"x", "m"}, {"y", "m"}};
  s.channels = {{"u", "m/s"}, {"p", "Pa"}};
  s.features = {{"sdf", "m"}};
  s.descriptors = {{"Re", "1"}};
  return s;
}

std::shared_ptr<Mesh> grid_mesh(int rows, int columns) {
  auto mesh = std::make_shared<Mesh>();
  mesh->grid_shape = {rows, columns};
  mesh->points.resize(rows * columns - 1, 2);
  mesh->features.resize(rows * columns - 1, 1);
  for (int i = 0; i < rows * columns - 1; ++i) {  // the last cell has no data
    mesh->grid_cell.push_back(i);
    mesh->points.row(i) << float(i % columns), float(i / columns);
    mesh->features(i, 0) = float(i);
  }
  mesh->surface = {0, 2};
  mesh->normals = Matrix::Constant(2, 2, 0.5f);
  return mesh;
}

Case make_case(const std::shared_ptr<const Mesh>& mesh, float value) {
  Case c;
  c.name = "case " + std::to_string(value);
  c.time = value;
  c.mesh = mesh;
  c.fields = Matrix::Constant(mesh->size(), 2, value);
  c.fields(1, 1) = -value;
  c.descriptors = Vector::Constant(1, 100 * value);
  return c;
}

TEST(DatasetFile, GivesBackWhatWasWritten) {
  TemporaryFolder folder;
  const auto a = grid_mesh(3, 4), b = grid_mesh(2, 5);
  DatasetWriter writer(folder / "d.h5", schema(), "a title");
  for (int i = 0; i < 4; ++i) writer.add(make_case(i % 2 ? b : a, float(i)));
  const std::map<std::string, std::string> notes = {{"solver", "by hand"}, {"reynolds", "100"}};
  writer.set_notes(notes);
  writer.commit();

  const DatasetFile file(folder / "d.h5");
  EXPECT_EQ(file.notes(), notes);
  EXPECT_EQ(file.schema(), schema());
  EXPECT_EQ(file.title(), "a title");
  ASSERT_EQ(file.size(), 4);
  ASSERT_EQ(file.mesh_count(), 2);
  for (int i = 0; i < 4; ++i) {
    const auto expected = make_case(i % 2 ? b : a, float(i));
    const auto c = file.load(i);
    EXPECT_EQ(c.fields, expected.fields);
    EXPECT_EQ(c.descriptors, expected.descriptors);
    EXPECT_EQ(c.name, expected.name);
    EXPECT_EQ(c.time, expected.time);
    EXPECT_EQ(c.mesh->points, expected.mesh->points);
    EXPECT_EQ(c.mesh->features, expected.mesh->features);
    EXPECT_EQ(c.mesh->grid_cell, expected.mesh->grid_cell);
    EXPECT_EQ(c.mesh->grid_shape, expected.mesh->grid_shape);
    EXPECT_EQ(c.mesh->surface, expected.mesh->surface);
    EXPECT_EQ(c.mesh->normals, expected.mesh->normals);
  }
  EXPECT_EQ(file.load(0).mesh, file.load(2).mesh) << "frames of one mesh share it";
  EXPECT_EQ(file.domain().high, (std::vector<double>{4, 2}));
}

TEST(DatasetFile, NothingIsLeftWithoutCommit) {
  TemporaryFolder folder;
  {
    DatasetWriter writer(folder / "d.h5", schema());
    writer.add(make_case(grid_mesh(3, 4), 1));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(DatasetFile, RefusesBadCasesOnTheWayIn) {
  TemporaryFolder folder;
  DatasetWriter writer(folder / "d.h5", schema());
  const auto mesh = grid_mesh(3, 4);
  auto c = make_case(mesh, 1);
  c.fields(2, 0) = std::nanf("");
  try {
    writer.add(c);
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("\"u\" is not finite at point 2"));
  }
  c = make_case(mesh, 1);
  c.fields.conservativeResize(3, 2);
  EXPECT_THROW(writer.add(c), Error);
  c = make_case(mesh, 1);
  c.descriptors.resize(2);
  EXPECT_THROW(writer.add(c), Error);
  auto bad = grid_mesh(3, 4);
  bad->grid_cell[0] = 99;
  EXPECT_THROW(writer.add(make_case(bad, 1)), Error);
  bad = grid_mesh(3, 4);
  bad->surface[0] = -1;
  EXPECT_THROW(writer.add(make_case(bad, 1)), Error);
  EXPECT_THROW(writer.commit(), Error) << "a dataset without cases";
}

TEST(DatasetFile, DamagedFilesAreErrorsThatNameTheFile) {
  TemporaryFolder folder;
  const auto path = folder / "d.h5";
  DatasetWriter writer(path, schema());
  for (int i = 0; i < 3; ++i) writer.add(make_case(grid_mesh(3, 4), float(i)));
  writer.commit();
  const auto whole = read_file(path);
  const auto attempt = [&] {
    try {
      const DatasetFile file(path);
      for (Index i = 0; i < file.size(); ++i) file.load(i);
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr("d.h5"));
      return true;
    }
    return false;
  };
  EXPECT_FALSE(attempt());
  for (double share : {0.0, 0.01, 0.3, 0.9}) {
    write_file(path, whole.substr(0, share * double(whole.size())));
    EXPECT_TRUE(attempt()) << share;
  }
  write_file(path, "this is not HDF5");
  EXPECT_TRUE(attempt());
  std::filesystem::remove(path);
  EXPECT_TRUE(attempt());
}

TEST(DatasetFile, ContradictionsInsideAreErrors) {
  TemporaryFolder folder;
  const auto write = [&](const char* name, auto change) {
    auto file = io::Hdf5File::create(folder / name);
    file.set_attribute("/", "format", "fluidsplat-dataset");
    file.set_attribute("/", "version", Index{1});
    file.set_attribute("/", "title", "");
    file.set_attribute("/", "schema",
                       R"({"coordinates":[{"name":"x","unit":""},{"name":"y","unit":""}],)"
                       R"("channels":[{"name":"u","unit":""}],"features":[],"descriptors":[]})");
    file.set_attribute("/", "domain", R"({"low":[0,0],"high":[1,1]})");
    file.write("/meshes/0/points", io::Array::from<float>({2, 2}, std::vector<float>{0, 0, 1, 1}));
    file.write("/fields/0", io::Array::from<float>({1, 2, 1}, std::vector<float>{1, 2}));
    file.write("/cases/mesh", io::Array::from<std::int64_t>({1}, std::vector<Index>{0}));
    file.write("/cases/row", io::Array::from<std::int64_t>({1}, std::vector<Index>{0}));
    file.write("/cases/time", io::Array::from<double>({1}, std::vector<double>{0}));
    file.write("/cases/names", io::Array::from<std::uint8_t>({5}, std::vector<std::uint8_t>{'[', '"', 'a', '"', ']'}));
    change(file);
    file.commit();
    return folder / name;
  };
  EXPECT_NO_THROW(DatasetFile(write("good.h5", [](auto&) {})).load(0));
  EXPECT_THROW(DatasetFile(write("a.h5", [](auto& f) { f.set_attribute("/", "version", Index{9}); })), Error);
  EXPECT_THROW(DatasetFile(write("b.h5", [](auto& f) { f.set_attribute("/", "schema", "{"); })), Error);
  EXPECT_THROW(DatasetFile(write("c.h5", [](auto& f) { f.set_attribute("/", "domain", R"({"low":[0],"high":[1]})"); })),
               Error);
  EXPECT_THROW(DatasetFile(write("d.h5", [](auto& f) { f.set_attribute("/", "format", "other"); })), Error);
}

// A dataset that counts reads, to see what the cache spares.
class CountingDataset : public MemoryDataset {
 public:
  using MemoryDataset::MemoryDataset;
  Case load(Index index) const override {
    ++reads;
    return MemoryDataset::load(index);
  }
  mutable std::atomic<int> reads = 0;
};

TEST(CaseCache, StaysWithinItsBudgetAndReadsOnce) {
  CountingDataset data(schema());
  const auto mesh = grid_mesh(20, 20);
  for (int i = 0; i < 10; ++i) data.add(make_case(mesh, float(i)));
  const std::size_t one = sizeof(Case) + 399 * 2 * sizeof(float);
  CaseCache cache(data, 3 * one);
  for (int round = 0; round < 4; ++round) cache.get(7);
  EXPECT_EQ(data.reads, 1);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(cache.get(i)->fields(0, 0), float(i));
  EXPECT_LE(cache.held_bytes(), 3 * one);
  cache.get(9);
  cache.get(8);
  EXPECT_EQ(data.reads, 11) << "case 7 was dropped in between, 8 and 9 are still held";
}

TEST(CaseCache, PrefetchedCasesAreThereAndFailuresAreReportedByGet) {
  CountingDataset data(schema());
  const auto mesh = grid_mesh(4, 4);
  for (int i = 0; i < 5; ++i) data.add(make_case(mesh, float(i)));
  CaseCache cache(data, 1 << 20);
  cache.prefetch({0, 1, 2, 3, 4});
  for (int wait = 0; wait < 2000 && data.reads < 5; ++wait) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(data.reads, 5);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(cache.get(i)->time, i);
  EXPECT_THROW(cache.get(77), std::exception);
}

}  // namespace
}  // namespace fluidsplat::field
