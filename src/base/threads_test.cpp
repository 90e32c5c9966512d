// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/threads.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace fluidsplat {
namespace {

TEST(AvailableThreads, FollowTheEnvironmentAndElseTheProcessors) {
  const char* before = std::getenv("OMP_NUM_THREADS");
  const std::string kept = before ? before : "";
  unsetenv("OMP_NUM_THREADS");
  const int processors = available_threads();
  EXPECT_GE(processors, 1);
  const auto with = [](const char* text) {
    setenv("OMP_NUM_THREADS", text, 1);
    return available_threads();
  };
  EXPECT_EQ(with("3"), 3);
  EXPECT_EQ(with("5,2"), 5);
  for (const char* nonsense : {"", "0", "-2", "many", "99999999999999"})
    EXPECT_EQ(with(nonsense), processors) << nonsense;
  if (before)
    setenv("OMP_NUM_THREADS", kept.c_str(), 1);
  else
    unsetenv("OMP_NUM_THREADS");
}

}  // namespace
}  // namespace fluidsplat
