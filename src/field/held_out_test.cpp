// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/held_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;
using ::testing::UnorderedElementsAre;

// Eight cases whose times run backwards, at the Reynolds numbers 100, 120, ... 240 and two angles.
MemoryDataset flows() {
  Schema schema;
  schema.coordinates = {{"x", ""}, {"y", ""}};
  schema.channels = {{"p", ""}};
  schema.descriptors = {{"Re", ""}, {"angle", "deg"}};
  MemoryDataset out(schema, "flows");
  auto mesh = std::make_shared<Mesh>();
  mesh->points = Matrix::Random(3, 2);
  mesh->features.resize(3, 0);
  for (int i = 0; i < 8; ++i) {
    Case c;
    c.time = 8 - i;
    c.mesh = mesh;
    c.fields = Matrix::Random(3, 1);
    c.descriptors.resize(2);
    c.descriptors << float(100 + 20 * i), float(i % 2) * 0.1f;
    out.add(c);
  }
  return out;
}

TEST(HeldOut, BlocksFollowTheTime) {
  const auto split = block_split(flows(), 4, 2);
  EXPECT_THAT(split.train, ElementsAre(7, 6, 5, 4));
  EXPECT_THAT(split.validation, ElementsAre(3, 2));
  EXPECT_THAT(split.test, ElementsAre(1, 0));
  EXPECT_THAT([] { block_split(flows(), 6, 2); }, ThrowsMessage<Error>(HasSubstr("none of the 8 cases")));
}

TEST(HeldOut, CasesForWhichTheConditionHoldsJudge) {
  const auto split = held_out_split(flows(), "Re > 150", 1, 3);
  EXPECT_THAT(split.test, ElementsAre(3, 4, 5, 6, 7));
  EXPECT_THAT(split.validation, SizeIs(1));
  EXPECT_THAT(split.train, SizeIs(2));
  EXPECT_THAT(held_out_split(flows(), "Re >= 160 and angle == 0.1", 1, 3).test, ElementsAre(3, 5, 7));
  EXPECT_THAT(held_out_split(flows(), "time <= 2", 1, 3).test, UnorderedElementsAre(6, 7));
}

// Four frames of each of six flows.
MemoryDataset frames_of_flows() {
  MemoryDataset out(flows().schema(), "frames");
  for (int i = 0; i < 24; ++i) {
    auto c = flows().load(0);
    c.descriptors << float(100 + 20 * (i / 4)), 0;
    c.time = i % 4;
    out.add(c);
  }
  return out;
}

TEST(HeldOut, ValidationTakesWholeFlowsLikeThoseThatJudge) {
  const auto data = frames_of_flows();
  const auto split = held_out_split(data, "Re in 120,200", 3, 3);
  EXPECT_THAT(split.test, ElementsAre(4, 5, 6, 7, 20, 21, 22, 23));
  ASSERT_THAT(split.validation, SizeIs(4));
  for (const Index i : split.validation) EXPECT_EQ(i / 4, split.validation.front() / 4);
  EXPECT_THAT(split.train, SizeIs(12));
  for (const Index i : split.train) EXPECT_NE(i / 4, split.validation.front() / 4);
  EXPECT_THAT(held_out_split(data, "Re > 160", 15, 3).train, SizeIs(4)) << "a flow is left to train on";
  EXPECT_THAT(held_out_split(data, "time > 2", 3, 3).validation, SizeIs(3)) << "other times of the same flows judge";
  EXPECT_THAT(held_out_split(data, "Re > 120", 0, 3).validation, SizeIs(0));
}

TEST(HeldOut, ConditionsThatCannotBeMeantAreErrors) {
  for (const auto& [condition, says] :
       std::vector<std::pair<std::string, std::string>>{{"Re", "cannot be read"},
                                                        {"Re >", "cannot be read"},
                                                        {"Re > many", "cannot be read"},
                                                        {"Re > 100,120", "cannot be read"},
                                                        {"Re in 100,", "cannot be read"},
                                                        {"Re in 100 120", "\"120\" where"},
                                                        {"re > 1", "did you mean \"Re\""},
                                                        {"Re > 150 or angle > 1", "\"or\""},
                                                        {"Re > 1000", "holds for 0 of the 8"},
                                                        {"Re > 0", "holds for 8 of the 8"}})
    EXPECT_THAT([&] { held_out_split(flows(), condition, 1, 3); }, ThrowsMessage<Error>(HasSubstr(says))) << condition;
}

}  // namespace
}  // namespace fluidsplat::field
