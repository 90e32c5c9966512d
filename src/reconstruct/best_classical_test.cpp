// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/best_classical.h"

#include <gmock/gmock.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::reconstruct {
namespace {

TEST(BestClassical, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_best_classical(folder.path()));
  write_best_classical(folder.path(), {"POD, \"best\"", {0.25, 0.5}, 0.125});
  const auto read = read_best_classical(folder.path());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->method, "POD, \"best\"");
  EXPECT_EQ(read->errors.mean, 0.25);
  EXPECT_EQ(read->errors.worst, 0.5);
  EXPECT_EQ(read->seconds_to_fit, 0.125);
}

TEST(BestClassical, ADamagedFileIsNamed) {
  const TemporaryFolder folder;
  for (const char* text : {"{", "{}", "{\"method\": 3}"}) {
    write_file(folder / kClassicalFile, text);
    EXPECT_THAT([&] { read_best_classical(folder.path()); },
                testing::ThrowsMessage<Error>(testing::HasSubstr(kClassicalFile)));
  }
}

}  // namespace
}  // namespace fluidsplat::reconstruct
