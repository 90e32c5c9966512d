// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"

namespace fluidsplat::field {
namespace {

void write_dataset(const std::filesystem::path& file, const std::map<std::string, Split>& splits) {
  DatasetWriter writer(file, {{{"x", "m"}}, {{"p", "Pa"}}, {}, {}});
  auto mesh = std::make_shared<Mesh>();
  mesh->points = Matrix::Random(5, 1);
  mesh->features.resize(5, 0);
  Case c;
  c.mesh = mesh;
  c.fields = Matrix::Random(5, 1);
  for (int i = 0; i < 4; ++i) writer.add(c);
  writer.set_splits(splits);
  writer.commit();
}

TEST(NamedSplit, TravelsWithTheData) {
  const TemporaryFolder folder;
  write_dataset(folder / "a.h5", {{"full", {{0, 1}, {2}, {3}, 7}}, {"aoa", {{3}, {}, {0, 1, 2}, 0}}});
  const DatasetFile data(folder / "a.h5");
  EXPECT_EQ(data.split_names(), (std::vector<std::string>{"aoa", "full"}));
  const auto full = data.named_split("full");
  EXPECT_EQ(full.train, (std::vector<Index>{0, 1}));
  EXPECT_EQ(full.validation, (std::vector<Index>{2}));
  EXPECT_EQ(full.test, (std::vector<Index>{3}));
  EXPECT_EQ(full.seed, 7u);
  EXPECT_TRUE(data.named_split("aoa").validation.empty());
}

TEST(NamedSplit, AnUnknownOneAndDamagedOnesAreErrors) {
  const TemporaryFolder folder;
  write_dataset(folder / "a.h5", {{"full", {{0, 1}, {2}, {3}, 7}}});
  try {
    DatasetFile(folder / "a.h5").named_split("fall");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("it has full"), std::string::npos) << e.what();
  }
  write_dataset(folder / "b.h5", {});
  EXPECT_THROW(DatasetFile(folder / "b.h5").named_split("full"), Error);
  write_dataset(folder / "c.h5", {{"full", {{0, 4}, {2}, {3}, 7}}});
  EXPECT_THROW(DatasetFile(folder / "c.h5"), Error) << "case 4 of 4";
  write_dataset(folder / "d.h5", {{"full", {{0, 3}, {2}, {3}, 7}}});
  EXPECT_THROW(DatasetFile(folder / "d.h5"), Error) << "case 3 trains and tests";
}

}  // namespace
}  // namespace fluidsplat::field
