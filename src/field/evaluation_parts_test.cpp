// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/evaluation_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/random.h"
#include "base/temporary_folder.h"

namespace fluidsplat::field {
namespace {

Schema two_channels() {
  Schema schema;
  schema.coordinates = {{"x", "m"}};
  schema.channels = {{"u", "m/s"}, {"p", "Pa"}};
  return schema;
}

// Numbers with all their digits, and some that are not numbers.
std::vector<CaseResult> made_up(Index cases) {
  Random random(4);
  const auto error = [&] {
    return CaseError{random.uniform(), {random.uniform(), std::nan("")}, 1e-300 * random.uniform(), {1.0 / 3, 0.1}};
  };
  std::vector<CaseResult> out;
  for (Index i = 0; i < cases; ++i) {
    CaseResult r;
    r.index = 7 * i;
    r.name = "case \"" + std::to_string(i) + "\"";
    r.time = random.uniform();
    r.error = error();
    r.sensor_consistency = random.uniform();
    r.surface = error();
    r.deviation = error();
    r.mean_field = random.uniform();
    if (i % 2) r.nearest_sensor = random.uniform();
    r.true_force = ForceCoefficients{random.normal(), random.normal(), random.normal(), {}, random.normal()};
    r.predicted_force = ForceCoefficients{random.normal(), random.normal(), random.normal(), {}, {}};
    out.push_back(r);
  }
  return out;
}

TEST(EvaluationParts, JoinToWhatOneProcessWouldHaveWritten) {
  const auto whole = made_up(7);
  Provenance provenance;
  provenance.data_hash = "d";
  for (const std::vector<Index>& order : {std::vector<Index>{1}, {2, 1}, {3, 1, 2}, {9, 8, 7, 6, 5, 4, 3, 2, 1}}) {
    const TemporaryFolder folder;
    const Index count = std::ssize(order);
    for (Index k = 0; k < count; ++k) {
      const Shard shard{order[k], count};
      const auto all = join_evaluation(folder.path(), shard, shard.part_of(whole), provenance);
      if (k + 1 < count) {
        EXPECT_TRUE(all.empty());
        continue;
      }
      EXPECT_EQ(cases_csv(all, two_channels(), provenance), cases_csv(whole, two_channels(), provenance));
      EXPECT_EQ(metrics_json(all, two_channels(), provenance), metrics_json(whole, two_channels(), provenance));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "parts are left";
  }
}

TEST(EvaluationParts, OfAnotherModelDoNotCount) {
  const TemporaryFolder folder;
  const auto whole = made_up(4);
  Provenance old, now;
  old.model_hash = "a";
  now.model_hash = "b";
  const Shard first{1, 2}, second{2, 2};
  EXPECT_TRUE(join_evaluation(folder.path(), first, first.part_of(whole), old).empty());
  EXPECT_TRUE(join_evaluation(folder.path(), second, second.part_of(whole), now).empty());
  EXPECT_EQ(join_evaluation(folder.path(), first, first.part_of(whole), now).size(), 4u);
}

TEST(EvaluationParts, ADamagedPartIsNamed) {
  const TemporaryFolder folder;
  const auto whole = made_up(4);
  write_file(folder / ".part-2-of-2.json", "{\"of\": ");
  const Shard first{1, 2};
  EXPECT_THAT([&] { join_evaluation(folder.path(), first, first.part_of(whole), {}); },
              testing::ThrowsMessage<Error>(testing::HasSubstr(".part-2-of-2.json")));
}

}  // namespace
}  // namespace fluidsplat::field
