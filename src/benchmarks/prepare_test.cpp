// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/prepare.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;

// Files that say what made them; counts the calls.
struct Toy {
  int made = 0, imported = 0;
  bool interrupt_making = false;
  Benchmark benchmark() {
    return {"toy", "a toy", "toy-files",
            [this](const fs::path& source, const fs::path& dataset, const RunHooks&) {
              ++imported;
              write_file(dataset, read_file(source / "values", 100) + " imported");
              return Outcome{.cases = 3, .notes = {"imported"}};
            },
            [this](const fs::path& folder, const RunHooks&) {
              ++made;
              if (interrupt_making) return interrupted_outcome();
              write_file(folder / "values", "embedded");
              return Outcome{.notes = {"made"}};
            }};
  }
};

TEST(Prepare, EmbeddedDataAreMadeOnceAndGoThroughTheReader) {
  const TemporaryFolder folder;
  Toy toy;
  const auto first = prepare(toy.benchmark(), "embedded", folder / "data/toy.h5", {});
  EXPECT_TRUE(first.made);
  EXPECT_EQ(first.outcome.notes, (std::vector<std::string>{"made", "imported"}));
  EXPECT_EQ(read_file(folder / "data/toy.h5", 100), "embedded imported");
  const auto again = prepare(toy.benchmark(), "embedded", folder / "data/toy.h5", {});
  EXPECT_FALSE(again.made);
  EXPECT_EQ(toy.made, 1);
  EXPECT_EQ(toy.imported, 1);
}

TEST(Prepare, TheUsersFilesHaveADatasetOfTheirOwn) {
  const TemporaryFolder folder;
  Toy toy;
  prepare(toy.benchmark(), "embedded", folder / "data/toy.h5", {});
  write_file(folder / "Mine/values", "mine");
  for (const char* spelling : {"Mine", "Mine/", "Mine/."}) {
    const auto mine = prepare(toy.benchmark(), (folder / spelling).string(), folder / "data/toy.h5", {});
    EXPECT_EQ(mine.file, folder / "data/toy-Mine.h5") << spelling;
  }
  EXPECT_EQ(toy.imported, 2) << "once embedded, once mine";
  EXPECT_EQ(read_file(folder / "data/toy-Mine.h5", 100), "mine imported");
  EXPECT_EQ(read_file(folder / "data/toy.h5", 100), "embedded imported");
}

TEST(Prepare, InterruptedMakingLeavesNoDataset) {
  const TemporaryFolder folder;
  Toy toy;
  toy.interrupt_making = true;
  const auto prepared = prepare(toy.benchmark(), "embedded", folder / "toy.h5", {});
  EXPECT_FALSE(prepared.outcome.complete);
  EXPECT_EQ(toy.imported, 0);
  EXPECT_FALSE(fs::exists(folder / "toy.h5"));
}

TEST(Benchmarks, AnUnknownNameGetsTheNearest) {
  try {
    find_benchmark("cilinder");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("is \"cylinder\" meant?"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace fluidsplat::benchmarks
