// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/pvd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::io {
namespace {

TEST(Pvd, RoundTripIsExactEvenForOddNames) {
  TemporaryFolder folder;
  const std::vector<PvdEntry> entries = {{0, "a.vtu"}, {0.1, "sub/b & <c> \"d\".vtu"}, {1.0 / 3, "ü.vtu"}};
  write_pvd(folder / "series.pvd", entries);
  const auto back = read_pvd(folder / "series.pvd");
  ASSERT_EQ(back.size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(back[i].time, entries[i].time);
    EXPECT_EQ(back[i].file, entries[i].file);
  }
  write_pvd(folder / "empty.pvd", {});
  EXPECT_TRUE(read_pvd(folder / "empty.pvd").empty());
}

TEST(Pvd, DamagedFilesAreErrorsAndNothingIsPrinted) {
  TemporaryFolder folder;
  ::testing::internal::CaptureStderr();
  for (const char* text : {"", "garbage", "<VTKFile>", "<VTKFile></VTKFile>",
                           "<VTKFile><Collection><DataSet file=\"a\"/></Collection></VTKFile>",
                           "<VTKFile><Collection><DataSet timestep=\"x\" file=\"a\"/></Collection></VTKFile>",
                           "<VTKFile><Collection><DataSet timestep=\"1\"/></Collection></VTKFile>"}) {
    write_file(folder / "bad.pvd", text);
    EXPECT_THROW(read_pvd(folder / "bad.pvd"), Error) << text;
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace fluidsplat::io
