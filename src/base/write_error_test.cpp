// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/write_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace fluidsplat {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(WriteError, SaysWhyAndWhatHelps) {
  EXPECT_THAT(write_error_text(ENOSPC), AllOf(HasSubstr("No space left on device"), HasSubstr("make room there")));
  EXPECT_THAT(write_error_text(EDQUOT), AllOf(HasSubstr("quota"), HasSubstr("remove files")));
  EXPECT_THAT(write_error_text(EFBIG), AllOf(HasSubstr("File too large"), HasSubstr("ulimit -f")));
  EXPECT_EQ(write_error_text(EACCES), "Permission denied");
}

}  // namespace
}  // namespace fluidsplat
