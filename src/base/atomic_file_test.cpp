// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat {
namespace {

namespace fs = std::filesystem;

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  TemporaryFolder folder;
  const fs::path target = folder / "sub" / "file.txt";
  {
    AtomicFile file(target);
    file.write("half");
    EXPECT_FALSE(fs::exists(target));
  }
  EXPECT_TRUE(fs::is_empty(target.parent_path())) << "an abandoned file must leave no trace";
  write_file(target, "whole");
  EXPECT_EQ(read_file(target), "whole");
}

TEST(AtomicFile, AnAbandonedRewriteKeepsTheOldContents) {
  TemporaryFolder folder;
  const fs::path target = folder / "file.txt";
  write_file(target, "old");
  {
    AtomicFile file(target);
    file.write("new");
  }
  EXPECT_EQ(read_file(target), "old");
}

TEST(AtomicFile, ReadingNamesTheFile) {
  TemporaryFolder folder;
  EXPECT_THROW(read_file(folder / "missing"), Error);
  EXPECT_THROW(read_file(folder.path()), Error);
  write_file(folder / "big", std::string(100, 'x'));
  EXPECT_THROW(read_file(folder / "big", 99), Error);
}

}  // namespace
}  // namespace fluidsplat
