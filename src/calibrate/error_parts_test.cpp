// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/error_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/random.h"
#include "base/temporary_folder.h"

namespace fluidsplat::calibrate {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

CaseErrors errors_of(Index rung, Index k) {
  Random random(3, rung, k);
  const auto draw = [&] { return float(random.normal()); };
  CaseErrors e;
  e.pointwise = {{draw(), draw()}, {draw(), -kInfinity}};
  e.largest = {{draw(), -kInfinity, draw()}, {draw(), draw(), kInfinity}};
  e.functionals = {draw(), std::nanf("")};
  e.mean_scale = {{random.normal() / 3, random.normal()}, {random.normal(), 0}};
  e.rms = {random.normal()};
  e.region = {0, 2, 1};
  e.place_class = {1, 0, 1};
  e.factor = 1 + random.uniform() / 3;
  return e;
}

MeasuredErrors part(const Shard& shard, Index rungs, Index cases) {
  const std::vector<CaseErrors> none(static_cast<std::size_t>(cases));
  MeasuredErrors out(static_cast<std::size_t>(rungs), none);
  for (Index r = 0; r < rungs; ++r)
    for (Index k = 0; k < cases; ++k)
      if (shard.has(k)) out[std::size_t(r)][std::size_t(k)] = errors_of(r, k);
  return out;
}

bool same(const CaseErrors& a, const CaseErrors& b) {
  for (std::size_t c = 0; c < 2; ++c)
    if (a.largest[c].size != b.largest[c].size || a.largest[c].above != b.largest[c].above ||
        a.largest[c].below != b.largest[c].below)
      return false;
  return a.pointwise == b.pointwise && a.functionals[0] == b.functionals[0] && std::isnan(a.functionals[1]) &&
         a.mean_scale == b.mean_scale && a.rms == b.rms && a.region == b.region && a.place_class == b.place_class &&
         a.factor == b.factor;
}

TEST(ErrorParts, TheLastOneHasAllOfThemToTheBit) {
  const TemporaryFolder folder;
  for (const Index i : {2, 3}) EXPECT_FALSE(join_errors({{i, 3}, folder.path(), "a"}, part({i, 3}, 2, 7)));
  const auto all = join_errors({{1, 3}, folder.path(), "a"}, part({1, 3}, 2, 7));
  ASSERT_TRUE(all);
  for (Index r = 0; r < 2; ++r)
    for (Index k = 0; k < 7; ++k) EXPECT_TRUE(same((*all)[std::size_t(r)][std::size_t(k)], errors_of(r, k))) << k;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "parts are removed";
}

TEST(ErrorParts, PartsOfSomethingElseDoNotCount) {
  const TemporaryFolder folder;
  EXPECT_FALSE(join_errors({{1, 2}, folder.path(), "a"}, part({1, 2}, 1, 4)));
  EXPECT_FALSE(join_errors({{2, 2}, folder.path(), "b"}, part({2, 2}, 1, 4)));
  EXPECT_TRUE(join_errors({{2, 2}, folder.path(), "a"}, part({2, 2}, 1, 4)));
}

TEST(ErrorParts, ADamagedPartIsNamed) {
  const TemporaryFolder folder;
  write_file(folder / ".calibrate-1-of-2.cbor", "not cbor");
  EXPECT_THAT(
      [&] {
        join_errors({{2, 2}, folder.path(), "a"}, part({2, 2}, 1, 4));
      },
      ::testing::ThrowsMessage<Error>(::testing::HasSubstr(".calibrate-1-of-2.cbor")));
}

}  // namespace
}  // namespace fluidsplat::calibrate
