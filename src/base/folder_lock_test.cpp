// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/folder_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(const std::filesystem::path& folder) {
  try {
    FolderLock lock(folder, "training");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(FolderLock, SaysWhoHoldsAFolderAndLetsGo) {
  TemporaryFolder folder;
  std::optional<FolderLock> lock(std::in_place, folder / "run", "training");
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  EXPECT_THAT(refusal(folder / "run"),
              AllOf(HasSubstr("run: is in use: training"), HasSubstr(std::to_string(::getpid())), HasSubstr(host),
                    HasSubstr("since 2")));
  lock.reset();
  EXPECT_EQ(refusal(folder / "run"), "");
  EXPECT_TRUE(std::filesystem::is_empty(folder / "run"));
}

TEST(FolderLock, AKilledProcessDoesNotBlock) {
  TemporaryFolder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    FolderLock lock(folder / "run", "training");
    if (::write(ready[1], "x", 1) == 1) ::pause();
    ::_exit(1);
  }
  char byte;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_THAT(refusal(folder / "run"), HasSubstr(std::to_string(child)));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "run/.lock")) << "nobody could remove it";
  EXPECT_EQ(refusal(folder / "run"), "");
}

}  // namespace
}  // namespace fluidsplat
