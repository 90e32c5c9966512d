// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/dataset_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>

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

// As a simulation of many bodies writes it: the meshes together may be larger than memory.
TEST(DatasetFile, TheWriterKeepsNoMeshAndKnowsThemAgain) {
  TemporaryFolder folder;
  DatasetWriter writer(folder / "d.h5", schema());
  std::vector<std::weak_ptr<const Mesh>> written;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 200; ++i) {
      const std::shared_ptr<const Mesh> mesh = grid_mesh(3, 4 + i);
      written.push_back(mesh);
      writer.add(make_case(mesh, float(i)));
    }
  const auto alive = std::count_if(written.begin(), written.end(), [](const auto& mesh) { return !mesh.expired(); });
  EXPECT_LE(alive, 1);
  EXPECT_EQ(writer.mesh_count(), 200);
  writer.commit();
  const DatasetFile file(folder / "d.h5");
  ASSERT_EQ(file.mesh_count(), 200);
  for (int i = 0; i < 400; ++i) {
    EXPECT_EQ(file.mesh_of(i), i % 200);
    EXPECT_TRUE(identical(*file.load(i).mesh, *grid_mesh(3, 4 + i % 200)));
  }
  EXPECT_EQ(file.domain().high, (std::vector<double>{202, 2})) << "around all meshes";
}

TEST(DatasetFile, SeparateWallsAndTheirFieldsComeBack) {
  TemporaryFolder folder;
  const auto plain = grid_mesh(3, 4);
  auto mesh = grid_mesh(2, 5);
  mesh->surface.clear();
  mesh->normals.resize(0, 0);
  const Matrix points{{10, -1}, {2, 3}, {1, 1}};
  mesh->wall = make_wall(points, Matrix{{4}, {5}, {6}}, points.rowwise().normalized(), {0.5, 0.25, 1});
  const auto wall_case = [&](float value) {
    auto c = make_case(mesh, value);
    c.wall_fields = Matrix{{value, 1}, {2, value}, {3, 3}};
    return c;
  };
  {
    DatasetWriter writer(folder / "d.h5", schema());
    writer.add(make_case(plain, 0));
    writer.add(wall_case(1));
    writer.add(make_case(plain, 2));
    writer.add(wall_case(3));
    auto bad = wall_case(4);
    bad.wall_fields.resize(0, 0);
    EXPECT_THROW(writer.add(bad), Error);
    writer.commit();
  }
  const DatasetFile file(folder / "d.h5");
  EXPECT_EQ(file.load(0).mesh->wall, nullptr);
  EXPECT_EQ(file.load(2).wall_fields.size(), 0);
  for (int i : {1, 3}) {
    const auto c = file.load(i);
    EXPECT_EQ(c.fields, wall_case(float(i)).fields);
    EXPECT_EQ(c.wall_fields, wall_case(float(i)).wall_fields);
    ASSERT_TRUE(c.mesh->wall);
    EXPECT_EQ(c.mesh->wall->points, points);
    EXPECT_EQ(c.mesh->wall->features, mesh->wall->features);
    EXPECT_EQ(c.mesh->wall->normals, mesh->wall->normals);
    EXPECT_EQ(c.mesh->wall->areas, mesh->wall->areas);
    EXPECT_EQ(c.mesh->wall->surface, (std::vector<Index>{0, 1, 2}));
  }
  EXPECT_EQ(file.domain().low, (std::vector<double>{0, -1})) << "around the wall, too";
  EXPECT_EQ(file.domain().high, (std::vector<double>{10, 3}));
}

TEST(DatasetFile, NamesAndReferencesComeBackWithoutReadingFields) {
  TemporaryFolder folder;
  const auto mesh = grid_mesh(3, 4);
  const std::vector<Reference> references = {{}, {3, 0, {}}, {2.5, 1.25, {1, -1}}, {0, 0, {0, 1e-3}}};
  DatasetWriter writer(folder / "d.h5", schema());
  for (int i = 0; i < 4; ++i) {
    auto c = make_case(mesh, float(i));
    c.name = "angle " + std::to_string(i);
    c.reference = references[i];
    writer.add(c);
  }
  for (const Reference& bad : {Reference{-1, 0, {}}, {1, std::nan(""), {}}, {1, 1, {0, 0}}, {1, 1, {1}}}) {
    auto c = make_case(mesh, 5);
    c.reference = bad;
    EXPECT_THROW(writer.add(c), Error);
  }
  writer.commit();
  const DatasetFile file(folder / "d.h5");
  ASSERT_EQ(file.size(), 4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(file.case_name(i), "angle " + std::to_string(i));
    EXPECT_EQ(file.reference(i), references[i]);
    EXPECT_EQ(file.load(i).reference, references[i]);
  }
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
    write_file(path, whole.substr(0, std::size_t(share * double(whole.size()))));
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
  const DatasetFile good(write("good.h5", [](auto&) {}));
  EXPECT_EQ(good.load(0).fields, (Matrix{{1}, {2}})) << "a file of version 1";
  EXPECT_EQ(good.reference(0), Reference{});
  EXPECT_EQ(good.load(0).mesh->wall, nullptr);
  EXPECT_THROW(DatasetFile(write("a.h5", [](auto& f) { f.set_attribute("/", "version", Index{9}); })), Error);
  EXPECT_THROW(DatasetFile(write("b.h5", [](auto& f) { f.set_attribute("/", "schema", "{"); })), Error);
  EXPECT_THROW(DatasetFile(write("c.h5", [](auto& f) { f.set_attribute("/", "domain", R"({"low":[0],"high":[1]})"); })),
               Error);
  EXPECT_THROW(DatasetFile(write("d.h5", [](auto& f) { f.set_attribute("/", "format", "other"); })), Error);
  const auto numbers = [](std::vector<std::int64_t> shape) {
    Index size = 1;
    for (auto extent : shape) size *= extent;
    return io::Array::from<float>(shape, std::vector<float>(size, 1.0f));
  };
  const auto with_wall = [&](const char* name, std::vector<std::int64_t> points, std::vector<std::int64_t> fields) {
    const DatasetFile file(write(name, [&](auto& f) {
      f.write("/meshes/0/wall/points", numbers(points));
      f.write("/wall_fields/0", numbers(fields));
    }));
    return file.load(0).wall_fields.rows();
  };
  EXPECT_EQ(with_wall("e.h5", {3, 2}, {1, 3, 1}), 3);
  EXPECT_THROW(with_wall("f.h5", {3, 2}, {1, 2, 1}), Error) << "a wall point without fields";
  EXPECT_THROW(with_wall("g.h5", {3, 2}, {0, 3, 1}), Error) << "no frames";
  EXPECT_THROW(with_wall("h.h5", {3, 2}, {1, 3, 2}), Error) << "too many channels";
  EXPECT_THROW(with_wall("i.h5", {3, 1}, {1, 3, 1}), Error) << "too few coordinates";
  EXPECT_THROW(with_wall("j.h5", {6}, {1, 3, 1}), Error);
  EXPECT_THROW(DatasetFile(write("k.h5", [&](auto& f) { f.write("/meshes/0/wall/points", numbers({3, 2})); })), Error);
  EXPECT_THROW(DatasetFile(write("l.h5", [&](auto& f) { f.write("/cases/reference", numbers({1, 3})); })), Error);
  EXPECT_EQ(DatasetFile(write("m.h5",
                              [&](auto& f) {
                                f.write("/cases/reference", numbers({1, 4}));
                              }))
                .reference(0)
                .speed,
            1);
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
  const std::size_t budget = 3 * (sizeof(Case) + 399 * 2 * sizeof(float)) + bytes_of(*mesh);
  CaseCache cache(data, budget);
  for (int round = 0; round < 4; ++round) cache.get(7);
  EXPECT_EQ(data.reads, 1);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(cache.get(i).value->fields(0, 0), float(i));
  EXPECT_EQ(cache.held_bytes(), budget) << "three cases, and their mesh once";
  cache.get(9);
  cache.get(8);
  EXPECT_EQ(data.reads, 11) << "case 7 was dropped in between, 8 and 9 are still held";
}

// Where every case has a mesh of its own, the meshes are most of what is held.
TEST(CaseCache, MeshesCountWhileACaseThatIsHeldUsesThem) {
  TemporaryFolder folder;
  DatasetWriter writer(folder / "d.h5", schema());
  for (int i = 0; i < 20; ++i) writer.add(make_case(grid_mesh(20, 20 + i), float(i)));
  writer.commit();
  const DatasetFile data(folder / "d.h5");
  const auto largest = sizeof(Case) + 20 * 39 * 2 * sizeof(float) + bytes_of(*data.mesh(19));
  CaseCache cache(data, 5 * largest);
  std::vector<std::weak_ptr<const Mesh>> meshes;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 20; ++i) {
      meshes.push_back(cache.get(i).value->mesh);
      EXPECT_LE(cache.held_bytes(), 5 * largest);
    }
  std::set<std::shared_ptr<const Mesh>> alive;
  for (const auto& mesh : meshes) alive.insert(mesh.lock());
  alive.erase(nullptr);
  EXPECT_LE(alive.size(), 7u) << "five of the largest, or a few more of smaller ones";
  std::size_t held = 0;
  for (const auto& mesh : alive) held += bytes_of(*mesh);
  EXPECT_LE(held, 5 * largest);
}

TEST(CaseCache, PrefetchedCasesAreThereAndFailuresAreReportedByGet) {
  CountingDataset data(schema());
  const auto mesh = grid_mesh(4, 4);
  for (int i = 0; i < 5; ++i) data.add(make_case(mesh, float(i)));
  CaseCache cache(data, 1 << 20);
  cache.expect({0, 1, 2, 3, 4});
  for (int wait = 0; wait < 2000 && data.reads < 5; ++wait) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(data.reads, 5);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(cache.get(i).value->time, i);
  EXPECT_THROW(cache.get(77), std::exception);
}

// Training through a dataset of eight times the budget: nothing that is expected is read twice, and never more is held.
TEST(CaseCache, ReadsAheadWithinABudgetOfAnEighth) {
  CountingDataset data(schema());
  const auto mesh = grid_mesh(20, 20);
  constexpr Index kCases = 64;
  for (Index i = 0; i < kCases; ++i) data.add(make_case(mesh, float(i)));
  const std::size_t each = sizeof(Case) + 399 * 2 * sizeof(float), budget = kCases / 8 * each + bytes_of(*mesh);
  CaseCache cache(data, budget);
  for (Index step = 0; step < 2 * kCases; step += 4) {
    std::vector<Index> next;
    for (Index i = 4; i < 12; ++i) next.push_back((step + i) % kCases);
    cache.expect(next);
    for (Index i = 0; i < 4; ++i) {
      const auto c = (step + i) % kCases;
      EXPECT_EQ(cache.get(c).value->fields(0, 0), float(c));
    }
    EXPECT_LE(cache.held_bytes(), budget);
  }
  EXPECT_LE(cache.most_held_bytes(), budget);
  EXPECT_LE(data.reads, 2 * kCases + 8) << "each once a round, and what is expected after the last";
  cache.set_budget(3 * each + bytes_of(*mesh));
  EXPECT_LE(cache.held_bytes(), 3 * each + bytes_of(*mesh));
}

TEST(CaseCache, ACaseLargerThanTheBudgetIsReadButNotHeld) {
  CountingDataset data(schema());
  for (int i = 0; i < 3; ++i) data.add(make_case(grid_mesh(20, 20), float(i)));
  CaseCache cache(data, 1000);
  cache.expect({0, 1});
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 3; ++i) EXPECT_EQ(cache.get(i).value->fields(0, 0), float(i));
  EXPECT_EQ(cache.most_held_bytes(), 0u);
}

struct Weight : MeshCompanion {
  explicit Weight(Index number) : number(number) {}
  std::size_t bytes() const override { return 5000; }
  Index number;
};

TEST(CaseCache, CompanionsAreMadeOncePerMeshThatIsHeldAndCount) {
  MemoryDataset data(schema());
  const std::vector<std::shared_ptr<const Mesh>> meshes = {grid_mesh(20, 20), grid_mesh(20, 21)};
  for (int i = 0; i < 6; ++i) data.add(make_case(meshes[std::size_t(i / 3)], float(i)));
  std::atomic<int> made = 0;
  CaseCache cache(data, 1 << 20, [&](Index number, const Mesh&) {
    ++made;
    return std::make_shared<const Weight>(number);
  });
  for (int round = 0; round < 3; ++round)
    for (Index i = 0; i < 6; ++i)
      EXPECT_EQ(dynamic_cast<const Weight&>(*cache.get(i).companion).number, data.mesh_of(i));
  EXPECT_EQ(made, 2);
  const auto held = cache.held_bytes();
  EXPECT_GT(held, 2 * 5000 + bytes_of(*meshes[0]) + bytes_of(*meshes[1]));
  cache.set_budget(0);
  EXPECT_EQ(cache.held_bytes(), 0u);
  cache.get(0);
  EXPECT_EQ(made, 3);
}

}  // namespace
}  // namespace fluidsplat::field
