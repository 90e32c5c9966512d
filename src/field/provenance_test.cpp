// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/provenance.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/temporary_folder.h"
#include "io/csv.h"

namespace fluidsplat::field {
namespace {

Provenance sample() {
  Provenance p;
  p.data = "wake.h5";
  p.data_hash = "0123";
  p.cases = "test";
  p.seed = 18446744073709551615u;
  p.command = "fluidsplat eval \"a, b\"\nnot,a,row";
  return p;
}

TEST(Provenance, WhatIsKnownIsWrittenInOrder) {
  const auto json = to_json(sample());
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"data", "data_hash", "cases", "seed", "command"}));
  EXPECT_EQ(json["seed"].get<std::uint64_t>(), 18446744073709551615u);
  EXPECT_EQ(to_json(Provenance{}).dump(), "{}");
  EXPECT_EQ(comment_lines({}), "");
}

TEST(Provenance, CommentLinesAreSkippedByReadersOfTables) {
  TemporaryFolder folder;
  const auto file = folder / "cases.csv";
  const auto lines = comment_lines(sample());
  EXPECT_EQ(lines,
            "# data: wake.h5\n# data_hash: 0123\n# cases: test\n# seed: 18446744073709551615\n"
            "# command: fluidsplat eval \"a, b\" not,a,row\n");
  write_file(file, lines + "case,name\n3,wing\n");
  const auto table = io::read_text_csv(file);
  EXPECT_EQ(table.header, (std::vector<std::string>{"case", "name"}));
  ASSERT_EQ(table.rows.size(), 1u);
  write_file(file, lines + "case,l2\n3,0.5\n");
  EXPECT_EQ(io::read_csv(file).column("l2"), std::vector<double>{0.5});
}

TEST(Provenance, ASplitIsKnownByWhichCaseIsInWhichList) {
  const Split split{{1, 2}, {3}, {4, 5}, 9};
  EXPECT_EQ(split_hash(split), split_hash(split));
  EXPECT_NE(split_hash(split), split_hash({{1, 2, 3}, {}, {4, 5}, 9}));
  EXPECT_NE(split_hash(split), split_hash({{12}, {3}, {4, 5}, 9}));
  EXPECT_NE(split_hash(split), split_hash({{1, 2}, {3}, {4}, 9}));
}

TEST(Provenance, TheDateIsUtc) {
  const auto now = utc_now();
  EXPECT_EQ(now.size(), 20u) << now;
  EXPECT_EQ(now[10], 'T');
  EXPECT_EQ(now[19], 'Z');
  EXPECT_GT(now, "2025");
}

}  // namespace
}  // namespace fluidsplat::field
