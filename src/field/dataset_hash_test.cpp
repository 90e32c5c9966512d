// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/dataset_hash.h"

#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "field/dataset_file.h"

namespace fluidsplat::field {
namespace {

// Two cases on one mesh.
struct Toy {
  Schema schema{{{"x", "m"}, {"y", "m"}}, {{"p", "Pa"}}, {}, {{"speed", "m/s"}}};
  Matrix points = (Matrix(3, 2) << 0, 0, 1, 0, 0, 1).finished();
  float value = 5, speed = 2;
  std::string case_name = "second";

  void add_to(auto& out) const {
    auto mesh = std::make_shared<Mesh>();
    mesh->points = points;
    mesh->features.resize(3, 0);
    for (const std::string& name : {std::string("first"), case_name}) {
      Case c;
      c.name = name;
      c.mesh = mesh;
      c.fields = (Matrix(3, 1) << 1, value, 3).finished();
      c.descriptors = Vector::Constant(1, speed);
      out.add(std::move(c));
    }
  }
  std::string hash() const {
    MemoryDataset data(schema);
    add_to(data);
    return hash_dataset(data);
  }
};

TEST(DatasetHash, ChangesWithEverythingThatCanBeLearntFrom) {
  const Toy toy;
  auto values = toy, places = toy, speeds = toy, names = toy, units = toy, channels = toy;
  values.value = std::nextafter(toy.value, 6.0f);
  places.points(2, 1) = 2;
  speeds.speed = 3;
  names.case_name = "other";
  units.schema.channels[0].unit = "bar";
  channels.schema.channels[0].name = "q";
  EXPECT_EQ(toy.hash(), Toy().hash());
  for (const auto* other : {&values, &places, &speeds, &names, &units, &channels}) EXPECT_NE(other->hash(), toy.hash());
}

TEST(DatasetHash, IsTheSameInAFileWithAnyTitle) {
  const TemporaryFolder folder;
  const Toy toy;
  for (const char* title : {"one", "another"}) {
    const auto path = folder / title;
    DatasetWriter writer(path, toy.schema, title);
    toy.add_to(writer);
    writer.commit();
    EXPECT_EQ(hash_dataset(DatasetFile(path)), toy.hash()) << title;
  }
}

}  // namespace
}  // namespace fluidsplat::field
