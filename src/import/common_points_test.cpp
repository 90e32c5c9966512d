// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/common_points.h"

#include <gtest/gtest.h>

namespace fluidsplat::importing {
namespace {

using Points = std::vector<bool>;

struct CaseOfMesh {
  std::uint64_t mesh;
  Points points;
};

// Adds the cases and counts how often an earlier one had to be read again.
struct Added {
  explicit Added(const std::vector<CaseOfMesh>& cases)
      : common([this, cases](Index index) { return ++reread, cases[index].points; }) {
    for (std::size_t i = 0; i < cases.size(); ++i)
      revealed.push_back(common.add(i, std::to_string(cases[i].mesh), cases[i].points));
  }
  int reread = 0;
  CommonPoints common;
  std::vector<std::optional<Index>> revealed;
};

const Points kAll = {true, true, true, true}, kNotFirst = {false, true, true, true},
             kNotLast = {true, true, true, false};

TEST(CommonPoints, CasesInARow) {
  const Added a({{1, kAll}, {1, kNotFirst}, {1, kNotLast}, {2, kNotLast}, {2, kNotLast}});
  EXPECT_EQ(a.common.of("1", kAll), (Points{false, true, true, false}));
  EXPECT_EQ(a.common.of("2", kNotLast), kNotLast);
  EXPECT_EQ(a.common.dropped(), 2);
  EXPECT_EQ(a.revealed, (std::vector<std::optional<Index>>{{}, 0, 0, {}, {}}));
  EXPECT_EQ(a.reread, 0);
}

TEST(CommonPoints, MeshesThatComeBack) {
  const Added a({{1, kNotFirst}, {2, kAll}, {1, kNotFirst}, {2, kAll}, {1, kNotLast}, {2, kAll}, {1, kAll}});
  EXPECT_EQ(a.common.of("1", kAll), (Points{false, true, true, false}));
  EXPECT_EQ(a.common.of("2", kAll), kAll);
  EXPECT_EQ(a.common.dropped(), 2);
  EXPECT_EQ(a.revealed[4], 0);
  EXPECT_EQ(a.reread, 1) << "the first case of mesh 1, once";
}

}  // namespace
}  // namespace fluidsplat::importing
