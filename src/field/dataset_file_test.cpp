// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/dataset_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
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

}  // namespace
}  // namespace fluidsplat::field
